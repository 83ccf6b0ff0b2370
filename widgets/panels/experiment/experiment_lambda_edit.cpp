#include "panels/experiment/experiment_lambda_edit.h"

#include <algorithm>
#include <cmath>

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>

#include "model/descriptor.h"
#include "panels/experiment/option_editor.h"

namespace casp::widgets {

namespace {

constexpr int per_decade = 20;  // two digits distinguish 20 values per decade
constexpr int last_position = 1 + 4 * per_decade;

const config::OptionSpec& lambda_spec() { return *config::find_option("loss.lambda_cov"); }

}  // namespace

double LambdaEdit::at(int position) {
    if (position <= 0) return 0;
    const auto exact = slider_min * std::pow(10.0, static_cast<double>(position - 1) / per_decade);
    // Two significant digits, as typed.
    return QString::number(exact, 'e', 1).toDouble();
}

int LambdaEdit::position_of(double value) {
    if (!(value > 0)) return 0;
    const auto position = 1 + std::lround(per_decade * std::log10(std::max(value, slider_min) / slider_min));
    return static_cast<int>(std::clamp<long>(position, 1, last_position));
}

LambdaEdit::LambdaEdit(QWidget* parent) : QWidget(parent) {
    slider_ = new QSlider(Qt::Horizontal, this);
    slider_->setRange(0, last_position);
    slider_->setSingleStep(1);
    slider_->setPageStep(per_decade);
    slider_->setMinimumWidth(60);
    slider_->setFocusPolicy(Qt::StrongFocus);
    number_ = new OptionNumberEdit(lambda_spec(), this);
    number_->set_characters(6);
    number_->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(6);
    layout->addWidget(slider_, 1);
    layout->addWidget(number_);
    ignore_wheel(slider_);
    const auto tooltip =
        tr("<p><b>λ_cov: weight of the coverage loss</b></p><p>0 still tracks and logs the coverage loss. "
           "The slider ranges from 0.001 to 10; the field accepts any number ≥ 0.</p>");
    for (QWidget* control : {static_cast<QWidget*>(slider_), static_cast<QWidget*>(number_)}) {
        control->setToolTip(tooltip);
        control->setAccessibleDescription(option_description(lambda_spec()));
        control->installEventFilter(this);
    }
    slider_->setAccessibleName(tr("λ_cov, slider"));
    number_->setAccessibleName(tr("λ_cov"));
    set_value(std::get<double>(lambda_spec().default_value));

    const auto name = [this](const char* source) {
        return QStringLiteral("%1 %2 %3").arg(reinterpret_cast<quintptr>(this)).arg(source).arg(gesture_);
    };
    connect(slider_, &QSlider::sliderPressed, this, [this] { ++gesture_; });
    connect(slider_, &QSlider::valueChanged, this, [this, name](int position) {
        // Also for the slider's keys. A value between two positions is kept until the slider moves.
        if (position == position_of(value_)) return;
        value_ = at(position);
        number_->show_text(value_text(value_));
        Q_EMIT edited(value_, name("slider"));
    });
    connect(number_, &OptionNumberEdit::typed, this, [this, name] {
        const auto parsed = number_->parsed();
        if (!parsed.value) {
            Q_EMIT rejected(parsed.problem);
            return;
        }
        value_ = std::get<double>(*parsed.value);
        const QSignalBlocker quiet(slider_);
        slider_->setValue(position_of(value_));
        Q_EMIT edited(value_, name("number"));
    });
    connect(number_, &QAbstractSpinBox::editingFinished, this, [this] {
        if (number_->parsed().value) number_->show_text(value_text(value_));
    });
}

void LambdaEdit::set_value(double value) {
    const auto parsed = number_->parsed();
    const bool typed = number_->hasFocus() && parsed.value && std::get<double>(*parsed.value) == value;
    value_ = value;
    if (!typed) number_->show_text(value_text(value));
    const QSignalBlocker quiet(slider_);
    slider_->setValue(position_of(value));
}

bool LambdaEdit::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::FocusIn) ++gesture_;
    return QWidget::eventFilter(watched, event);
}

LambdaCovEdit::LambdaCovEdit(ExperimentModel& model, QWidget* parent) : QWidget(parent), model_(model) {
    auto* label = new QLabel(QStringLiteral("λ_cov"), this);
    edit_ = new LambdaEdit(this);
    edit_->slider()->setMinimumWidth(110);
    leave_undo_to(model_, edit_);
    label->setBuddy(edit_->number());
    label->setToolTip(edit_->number()->toolTip());
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(6, 0, 6, 0);
    layout->setSpacing(6);
    layout->addWidget(label);
    layout->addWidget(edit_, 1);
    setProperty("help_topic", option_help_topic(lambda_spec()));
    connect(edit_, &LambdaEdit::edited, this, [this](double value, const QString& gesture) {
        draft_ = false;
        model_.set(QStringLiteral("loss.lambda_cov"), value, gesture);
        refresh();
    });
    connect(edit_, &LambdaEdit::rejected, this, [this](const QString& problem) {
        draft_ = true;
        model_.set_draft_problem(QStringLiteral("loss.lambda_cov"), problem, {edit_->number()->text()});
    });
    connect(&model_, &ExperimentModel::changed, this, &LambdaCovEdit::refresh);
    connect(&model_, &ExperimentModel::problems_changed, this, &LambdaCovEdit::refresh);
    refresh();
}

void LambdaCovEdit::refresh() {
    const auto problem = model_.draft_problem(QStringLiteral("loss.lambda_cov"));
    // Set only this role: a whole palette would not follow theme changes.
    QPalette colours;
    if (!problem.isEmpty()) colours.setColor(QPalette::Text, tone_colour(palette(), Tone::error));
    edit_->number()->setPalette(colours);
    // The field with the invalid text keeps it; the other one shows the value in effect.
    if (problem.isEmpty()) draft_ = false;
    if (!draft_) edit_->set_value(model_.config().loss.lambda_cov);
    setEnabled(model::reads(model_.config(), lambda_spec()));  // a model without coverage has no λ_cov
}

}  // namespace casp::widgets

#include "panels/experiment/experiment_lambda_edit.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <QHBoxLayout>
#include <QLabel>

#include "model/descriptor.h"
#include "panels/experiment/option_text.h"
#include "panels/view/view_flow.h"

namespace casp::widgets {

namespace {

const QString lambda_cov_key = QStringLiteral("loss.lambda_cov");

constexpr double slider_min = 1e-3;
constexpr int per_decade = 20;  // two digits distinguish 20 values per decade
constexpr int last_position = 1 + 4 * per_decade;

const config::OptionSpec& lambda_spec() { return *config::find_option("loss.lambda_cov"); }

}  // namespace

double LambdaCovEdit::at(int position) {
    if (position <= 0) return 0;
    const auto exact = slider_min * std::pow(10.0, static_cast<double>(position - 1) / per_decade);
    return QString::number(exact, 'e', 1).toDouble();  // two significant digits, as typed
}

int LambdaCovEdit::position_of(double value) {
    if (!(value > 0)) return 0;
    const auto position = 1 + std::lround(per_decade * std::log10(std::max(value, slider_min) / slider_min));
    return static_cast<int>(std::clamp<long>(position, 1, last_position));
}

LambdaCovEdit::LambdaCovEdit(ExperimentModel& model, QWidget* parent)
    : QWidget(parent),
      model_(model),
      slider_(new QSlider(Qt::Horizontal, this)),
      edit_(make_option_editor(lambda_spec(), this)),
      number_(edit_->findChild<OptionNumberEdit*>()) {
    make_slider();
    number_->set_characters(6);
    number_->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    leave_undo_to(model_, edit_);
    auto* label = new QLabel(QStringLiteral("λ_cov"), this);
    label->setBuddy(number_);
    label->setToolTip(number_->toolTip());
    auto* layout = make_layout<QHBoxLayout>(this, {6, 0, 6, 0});
    layout->addWidget(label);
    layout->addWidget(slider_, 1);
    layout->addWidget(edit_);
    setProperty("help_topic", option_help_topic(lambda_spec()));
    connect(edit_, &OptionEditor::edited, this, [this](const config::Value& value, const QString& gesture) {
        draft_ = false;
        model_.set(lambda_cov_key, value, gesture);
        refresh();
    });
    connect(edit_, &OptionEditor::rejected, this, [this](const QString& problem) {
        draft_ = true;
        model_.set_draft_problem(lambda_cov_key, problem, edit_->texts());
    });
    connect(&model_, &ExperimentModel::changed, this, &LambdaCovEdit::refresh);
    connect(&model_, &ExperimentModel::problems_changed, this, &LambdaCovEdit::refresh);
    refresh();
}

bool LambdaCovEdit::is_used() const { return model::reads(model_.config(), lambda_spec()); }

void LambdaCovEdit::make_slider() {
    slider_->setRange(0, last_position);
    slider_->setPageStep(per_decade);
    slider_->setMinimumWidth(110);
    slider_->setFocusPolicy(Qt::StrongFocus);
    slider_->setAccessibleName(tr("λ_cov, slider"));
    slider_->setAccessibleDescription(number_->accessibleDescription());
    slider_->setToolTip(
        tr("<p><b>λ_cov: weight of the coverage loss</b></p><p>0 still tracks and logs the "
           "coverage loss. The slider ranges from 0.001 to 10; the field accepts any number ≥ 0.</p>"));
    ignore_wheel(slider_);
    leave_undo_to(model_, slider_);
    connect(slider_, &QSlider::sliderPressed, this, [this] { ++drags_; });
    connect(slider_, &QSlider::valueChanged, this, [this](int position) {
        // Also for the slider's keys. A value between two positions is kept until the slider moves.
        if (position == position_of(model_.config().loss.lambda_cov)) return;
        draft_ = false;
        model_.set(lambda_cov_key, at(position), QStringLiteral("slider %1").arg(drags_));
        refresh();
    });
}

void LambdaCovEdit::refresh() {
    const bool wrong = !model_.draft_problem(lambda_cov_key).isEmpty();
    // Set only this role: a whole palette would not follow theme changes.
    QPalette colours;
    if (wrong) colours.setColor(QPalette::Text, tone_colour(palette(), Tone::error));
    number_->setPalette(colours);
    // The field with the invalid text keeps it; the other one shows the value in effect.
    draft_ = draft_ && wrong;
    if (!draft_) edit_->show_value(model_.config().loss.lambda_cov);
    const QSignalBlocker quiet(slider_);
    slider_->setValue(position_of(model_.config().loss.lambda_cov));
    if (is_used() != std::exchange(used_, is_used())) Q_EMIT used_changed(used_);
}

}  // namespace casp::widgets

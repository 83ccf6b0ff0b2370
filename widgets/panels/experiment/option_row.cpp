#include "panels/experiment/option_row.h"

#include <algorithm>

#include <QEvent>
#include <QGridLayout>

#include "panels/experiment/experiment_undo_keys.h"
#include "panels/experiment/option_text.h"

namespace casp::widgets {

OptionRow::OptionRow(ExperimentModel& model, const config::OptionSpec& option, QWidget* parent)
    : QWidget(parent), model_(model), option_(option) {
    setObjectName(QStringLiteral("row ") + key());
    setProperty("help_topic", option_help_topic(option));
    reset_ = new QToolButton(this);
    reset_->setText(QStringLiteral("↺"));
    reset_->setAutoRaise(true);
    reset_->setFocusPolicy(Qt::StrongFocus);
    reset_->setObjectName(QStringLiteral("reset"));
    // Keeps its space while hidden, so that nothing moves under the pointer when a value changes.
    auto place = reset_->sizePolicy();
    place.setRetainSizeWhenHidden(true);
    reset_->setSizePolicy(place);
    label_ = new QLabel(this);
    label_->setTextFormat(Qt::RichText);
    label_->setToolTip(option_tooltip(option));
    editor_ = make_option_editor(option, this);
    leave_undo_to(model_, editor_);
    label_->setBuddy(editor_->controls().back());
    problem_ = new QLabel(this);
    problem_->setWordWrap(true);
    problem_->setTextFormat(Qt::PlainText);
    problem_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    problem_->setFocusPolicy(Qt::NoFocus);
    problem_->setObjectName(QStringLiteral("problem"));
    sweep_ = new QLabel(this);
    sweep_->setWordWrap(true);
    sweep_->setTextFormat(Qt::PlainText);
    sweep_->setObjectName(QStringLiteral("sweep"));
    grid_ = new QGridLayout(this);
    grid_->setContentsMargins(0, 1, 0, 1);
    grid_->setHorizontalSpacing(4);
    grid_->setVerticalSpacing(2);
    grid_->setColumnStretch(2, 1);
    grid_->addWidget(reset_, 0, 0, Qt::AlignTop);
    grid_->addWidget(label_, 0, 1, Qt::AlignTop);
    grid_->addWidget(editor_, 0, 2);
    grid_->addWidget(sweep_, 2, 0, 1, 3);
    grid_->addWidget(problem_, 3, 0, 1, 3);
    const auto one_line = editor_->sizeHint().height() > 60 ? 0 : editor_->sizeHint().height();
    label_->setMinimumHeight(one_line);
    reset_->setMinimumHeight(one_line);
    problem_->hide();
    sweep_->hide();
    reset_->hide();

    connect(editor_, &OptionEditor::edited, this, [this](const config::Value& value, const QString& gesture) {
        own_problem_ = model_.set(key(), value, gesture);
        if (!own_problem_.isEmpty()) model_.set_draft_problem(key(), own_problem_, editor_->texts());
        show_problem();
    });
    connect(editor_, &OptionEditor::rejected, this, [this](const QString& problem) {
        own_problem_ = problem;
        model_.set_draft_problem(key(), problem, editor_->texts());
        show_problem();
    });
    connect(&model_, &ExperimentModel::drafts_restored, this, [this] {
        if (const auto texts = model_.draft_texts(key()); !texts.isEmpty()) editor_->type(texts);
    });
    connect(&model_, &ExperimentModel::problems_changed, this, [this] {
        const auto noted = model_.draft_problem(key());
        if (noted == own_problem_) return;
        // Reset, undo or the toolbar discarded the draft: show the value in effect. A draft in the toolbar is
        // reported here, but this field keeps its content.
        if (noted.isEmpty()) editor_->show_value(option_.get(model_.config()));
        own_problem_ = noted;
        show_problem();
    });
    connect(reset_, &QToolButton::clicked, this, [this] {
        model_.reset(key());
        if (auto* focus = editor_->controls().back(); focus != nullptr) focus->setFocus();
    });
    refresh();
}

void OptionRow::refresh() {
    editor_->show_value(option_.get(model_.config()));
    own_problem_ = model_.draft_problem(key());
    changed_ = model_.is_changed(key());
    const auto back = option_.get(model_.baseline());
    reset_->setAccessibleName(tr("Reset %1 to %2").arg(option_name(option_), short_value(back, 200)));
    reset_->setToolTip(
        tr("Changed. Reset to %1, the value from the preset, file or defaults").arg(short_value(back, 200)));
    reset_->setVisible(changed_);
    const auto& axes = model_.axes();
    const auto axis = std::find_if(axes.begin(), axes.end(),
                                   [&](const config::Axis& one) { return one.key == option_.key; });
    QStringList values;
    if (axis != axes.end())
        for (const auto& point : axis->points) values.append(QString::fromStdString(point.text));
    sweep_->setText(tr("Sweep: %1").arg(values.join(QStringLiteral(", "))));
    sweep_->setToolTip(tr("“Queue a sweep…” uses these values; Run uses the one in the field"));
    sweep_->setVisible(axis != axes.end());
    show_label();
    show_problem();
}

void OptionRow::set_contradictions(const QString& text) {
    contradictions_ = text;
    show_problem();
}

void OptionRow::show_label() {
    auto name = option_name(option_).toHtmlEscaped().replace(u' ', QStringLiteral("&nbsp;"));
    if (changed_) name = QStringLiteral("<b>%1</b>").arg(name);
    const auto symbol = QString::fromStdString(option_.symbol);
    if (!symbol.isEmpty() && symbol != option_name(option_))
        name += QStringLiteral("&nbsp;&nbsp;<span style='color:%1'>%2</span>")
                    .arg(tone_colour(palette(), Tone::muted).name(), symbol.toHtmlEscaped());
    label_->setText(name);
    label_->setAccessibleName(option_label(option_) + (changed_ ? tr(", changed") : QString()));
    auto colours = QPalette();
    colours.setColor(QPalette::WindowText, tone_colour(palette(), Tone::error));
    problem_->setPalette(colours);
    colours.setColor(QPalette::WindowText, tone_colour(palette(), Tone::accent));
    sweep_->setPalette(colours);
    colours = QPalette();
    colours.setColor(QPalette::ButtonText, tone_colour(palette(), Tone::accent));
    reset_->setPalette(colours);
}

void OptionRow::show_problem() {
    const auto text = own_problem_.isEmpty() ? contradictions_ : own_problem_;
    problem_->setText(text.isEmpty() ? QString() : QStringLiteral("⚠ ") + text);
    problem_->setVisible(!text.isEmpty());
    for (auto* control : editor_->controls())
        control->setAccessibleDescription(option_description(option_) +
                                          (text.isEmpty() ? QString() : tr(" Problem: %1.").arg(text)));
}

void OptionRow::set_stacked(bool stacked) {
    if (stacked == stacked_) return;
    stacked_ = stacked;
    grid_->removeWidget(label_);
    grid_->removeWidget(editor_);
    if (stacked) {
        grid_->addWidget(label_, 0, 1, 1, 2, Qt::AlignVCenter);
        grid_->addWidget(editor_, 1, 0, 1, 3);
    } else {
        grid_->addWidget(label_, 0, 1, Qt::AlignTop);
        grid_->addWidget(editor_, 0, 2);
    }
}

int OptionRow::least_width(bool stacked, int label) const {
    const int before = reset_->sizeHint().width() + grid_->horizontalSpacing();
    const int field = editor_->minimumSizeHint().width();
    return stacked ? std::max(before + label_width(), field)
                   : before + label + grid_->horizontalSpacing() + field;
}

int OptionRow::label_width() const {
    auto bold = font();
    bold.setBold(true);
    const auto symbol = option_label(option_).mid(option_name(option_).size());
    return QFontMetrics(bold).horizontalAdvance(option_name(option_)) +
           fontMetrics().horizontalAdvance(symbol) + 4;
}

void OptionRow::set_label_width(int width) { label_->setFixedWidth(width); }

void OptionRow::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && label_ != nullptr) show_label();
}

}  // namespace casp::widgets

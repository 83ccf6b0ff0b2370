#include "panels/experiment/fork_popover.h"

#include <algorithm>

#include <QEvent>
#include <QFormLayout>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QKeyEvent>

#include "config/text_utils.h"
#include "panels/experiment/option_text.h"
#include "panels/view/view_flow.h"
#include "words/core_text.h"

namespace casp::widgets {

namespace {

const config::OptionSpec& spec(const char* key) { return *config::find_option(key); }

}  // namespace

ForkPopover::ForkPopover(QWidget* parent) : QFrame(parent, Qt::Popup) {
    setFrameShape(QFrame::StyledPanel);
    setWindowTitle(tr("Continue with another λ_cov"));
    setAccessibleName(windowTitle());
    setProperty("help_topic", QStringLiteral("fork"));
    auto* title = new QLabel(tr("Continue from this checkpoint with another λ_cov"), this);
    auto bold = title->font();
    bold.setBold(true);
    title->setFont(bold);
    from_ = new QLabel(this);
    from_->setWordWrap(true);
    lambda_ = named(new OptionNumberEdit(spec("loss.lambda_cov"), this), QStringLiteral("λ_cov"),
                    option_tooltip(spec("loss.lambda_cov")));
    epochs_ = named(new OptionNumberEdit(spec("train.epochs"), this), tr("Maximum number of epochs"),
                    option_tooltip(spec("train.epochs")));
    name_ = named(new QLineEdit(this), tr("Name of the new run"),
                  tr("Name of the new run and of its folder, next to the parent's"));
    note_ = new QLabel(this);
    note_->setWordWrap(true);
    problem_ = new QLabel(this);
    problem_->setWordWrap(true);
    problem_->setTextFormat(Qt::PlainText);
    start_ = new QPushButton(tr("Run the fork"), this);
    start_->setAccessibleName(start_->text());
    start_->setDefault(true);
    auto* cancel =
        named(new QPushButton(tr("Cancel"), this), tr("Cancel"), tr("Close without starting a run (Esc)"));
    auto* layout = make_layout<QVBoxLayout>(this, {12, 12, 12, 12}, 8);
    add_widgets(layout, {title, from_});
    auto* form = new QFormLayout;
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    form->addRow(QStringLiteral("λ_cov"), lambda_);
    form->addRow(tr("Epochs"), epochs_);
    form->addRow(tr("Name"), name_);
    layout->addLayout(form);
    add_widgets(layout, {note_, problem_});
    auto* buttons = new QHBoxLayout;
    buttons->addStretch();
    add_widgets(buttons, {cancel, start_});
    layout->addLayout(buttons);
    setMinimumWidth(380);

    connect(lambda_, &OptionNumberEdit::typed, this, [this] {
        // Keep a typed name.
        if (!name_->isModified() && lambda_->parsed().value) name_->setText(suggested_name());
        check();
    });
    connect(epochs_, &OptionNumberEdit::typed, this, &ForkPopover::check);
    connect(name_, &QLineEdit::textEdited, this, &ForkPopover::check);
    connect(name_, &QLineEdit::returnPressed, start_, &QPushButton::click);
    connect(cancel, &QPushButton::clicked, this, &QWidget::hide);
    connect(start_, &QPushButton::clicked, this, [this] {
        const auto config = fork();
        const auto name = name_->text().trimmed();
        hide();
        Q_EMIT fork_requested(config, name);
    });
    check();
}

void ForkPopover::set_parent_run(const ForkParent& parent) {
    parent_ = parent;
    // The weights' step is not in the history: the fork counts from the start.
    const bool step_known = parent.has_checkpoint || parent.step > 0;
    const auto place = step_known ? tr("after step %1 (epoch %2)").arg(parent.step).arg(parent.epoch)
                                  : tr("at an unknown step");
    const auto from = parent.has_checkpoint ? tr("From %1, %2, λ_cov %3")
                      : parent.last_weights ? tr("From the last weights of %1, %2, λ_cov %3")
                                            : tr("From the best weights of %1, %2, λ_cov %3");
    from_->setText(from.arg(parent.label.isEmpty() ? parent.name : parent.label, place,
                            value_text(parent.config.loss.lambda_cov)));
    note_->setText(parent.has_checkpoint
                       ? tr("Training continues with the parent's weights and optimiser state; the parent's "
                            "epochs count towards the maximum.")
                       : tr("The parent is finished: the fork starts from these weights with a fresh "
                            "optimiser and trains for up to this many further epochs. ") +
                             (step_known ? tr("Step and epoch counts continue from the parent's.")
                                         : tr("Step and epoch counts start from zero.")));
    // Tripled, so that the two curves diverge; from 0 to the default.
    const auto before = parent.config.loss.lambda_cov;
    const auto fallback = std::get<double>(spec("loss.lambda_cov").default_value);
    lambda_->show_text(value_text(before == 0 ? fallback : QString::number(before * 3, 'g', 1).toDouble()));
    epochs_->show_text(QString::number(parent.config.train.epochs));
    name_->setModified(false);
    name_->setText(suggested_name());
    check();
}

void ForkPopover::popup(const QPoint& global) {
    adjustSize();
    auto place = global;
    if (const auto* on = QGuiApplication::screenAt(global); on != nullptr) {
        const auto area = on->availableGeometry();
        place.setX(std::clamp(place.x(), area.left(), std::max(area.left(), area.right() - width())));
        place.setY(std::clamp(place.y(), area.top(), std::max(area.top(), area.bottom() - height())));
    }
    move(place);
    show();
    lambda_->setFocus(Qt::PopupFocusReason);
    lambda_->selectAll();
}

config::Config ForkPopover::fork() const {
    auto config = parent_.config;
    config.train.continue_from = parent_.folder.toStdString();
    config.loss.lambda_cov = lambda_cov();
    if (const auto epochs = epochs_->parsed(); epochs.value)
        config.train.epochs = std::get<std::int64_t>(*epochs.value);
    return config;
}

double ForkPopover::lambda_cov() const {
    const auto typed = lambda_->parsed().value;
    return typed ? std::get<double>(*typed) : parent_.config.loss.lambda_cov;
}

QString ForkPopover::suggested_name() const {
    auto name = parent_.name;
    // Forks of forks do not accumulate suffixes.
    if (const auto tail = name.indexOf(QStringLiteral("_from-step-")); tail > 0) name.truncate(tail);
    return QStringLiteral("%1_from-step-%2_lambda_cov-%3")
        .arg(name, QString::number(parent_.step), value_text(lambda_cov()));
}

void ForkPopover::check() {
    auto problem = lambda_->parsed().problem;
    const auto epochs = epochs_->parsed();
    if (problem.isEmpty()) problem = epochs.problem;
    if (problem.isEmpty() && parent_.has_checkpoint && std::get<std::int64_t>(*epochs.value) < parent_.epoch)
        problem =
            tr("The parent is already in epoch %1; expected at least this many epochs").arg(parent_.epoch);
    const auto name = name_->text().trimmed();
    const auto bad_name = config::problem_with(spec("name"), name.toStdString());
    if (problem.isEmpty() && (name.isEmpty() || !bad_name.empty()))
        problem = tr("The name %1; expected %2")
                      .arg(name.isEmpty() ? tr("is empty") : translated(bad_name),
                           translated(config::expected_text(spec("name"))));
    if (problem.isEmpty() && parent_.folder.isEmpty()) problem = tr("No run is selected to continue from");
    problem_->setText(problem.isEmpty() ? QString() : QStringLiteral("⚠ ") + problem);
    problem_->setVisible(!problem.isEmpty());
    start_->setEnabled(problem.isEmpty());
    start_->setToolTip(problem.isEmpty() ? tr("Start or queue the fork; its curves continue the parent's")
                                         : problem);
    QPalette colours;
    colours.setColor(QPalette::WindowText, tone_colour(palette(), Tone::error));
    problem_->setPalette(colours);
    colours.setColor(QPalette::WindowText, tone_colour(palette(), Tone::muted));
    note_->setPalette(colours);
    if (isVisible()) adjustSize();
}

// The main window's F1 does not reach a popup.
void ForkPopover::keyPressEvent(QKeyEvent* event) {
    if (event->key() != Qt::Key_F1) return QFrame::keyPressEvent(event);
    Q_EMIT help_requested(property("help_topic").toString());
}

void ForkPopover::changeEvent(QEvent* event) {
    QFrame::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && problem_ != nullptr) check();
}

}  // namespace casp::widgets

#include "panels/submit/submit_dialog.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include <QDialogButtonBox>
#include <QFontDatabase>
#include <QHash>
#include <QScrollArea>
#include <QSplitter>
#include <QVBoxLayout>

#include "cluster/array_job.h"
#include "panels/experiment/option_editor.h"
#include "panels/experiment/option_number_edit.h"
#include "panels/experiment/option_text.h"
#include "panels/view/view_flow.h"
#include "words/core_text.h"
#include "words/plain_text.h"

namespace casp::widgets {

namespace {

constexpr std::chrono::milliseconds plan_delay{300};

}  // namespace

SubmitDialog::SubmitDialog(config::Experiment experiment, const QString& out,
                           const config::SchedulerSettings& settings, QWidget* parent)
    : QDialog(parent),
      experiment_(std::move(experiment)),
      out_(out.toStdString()),
      no_slurm_(cluster::why_no_slurm().empty()
                    ? QString()
                    : tr("%1: save the script, and submit it with sbatch on a login node.")
                          .arg(translated(cluster::why_no_slurm()))),
      settings_(settings),
      summary_(new QLabel(this)),
      script_(new QPlainTextEdit(this)) {
    setWindowTitle(tr("Submit to Slurm"));
    setAccessibleName(windowTitle());
    setProperty("help_topic", QStringLiteral("submit"));
    summary_->setWordWrap(true);
    summary_->setTextFormat(Qt::PlainText);
    summary_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    named(summary_, tr("What is submitted"), tr("What is submitted, or why it cannot be"));
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(make_parts(), 1);
    add_widgets(layout, {summary_, make_buttons()});
    resize(980, 620);
    setTabOrder(rows_.back().editor->controls().back(), script_);
    setTabOrder(script_, submit_);
    soon_.setSingleShot(true);
    soon_.setInterval(plan_delay);
    connect(&soon_, &QTimer::timeout, this, &SubmitDialog::plan);
    plan();
}

/// Fields of [scheduler] beside the script.
QWidget* SubmitDialog::make_parts() {
    auto* fields = new QWidget(this);
    auto* form = new QFormLayout(fields);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    const auto shown = config::assignments_of(settings_);
    for (const auto& option : config::scheduler_options()) {
        const auto given =
            std::find_if(shown.begin(), shown.end(), [&](const auto& one) { return one.key == option.key; });
        add_row(*form, option, given == shown.end() ? option.default_value : given->value);
    }
    auto* scroll = new QScrollArea(this);
    scroll->setWidget(fields);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setFocusPolicy(Qt::NoFocus);
    script_->setReadOnly(true);
    script_->setLineWrapMode(QPlainTextEdit::NoWrap);
    script_->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    named(script_, tr("Script"), tr("The script for sbatch, kept in the folder of the runs as submit.slurm"));
    script_->setTabChangesFocus(true);
    auto* splitter = new QSplitter(this);
    add_widgets(splitter, {scroll, script_});
    splitter->setStretchFactor(1, 1);
    splitter->setSizes({330, 620});
    splitter->setChildrenCollapsible(false);
    return splitter;
}

QWidget* SubmitDialog::make_buttons() {
    auto* buttons = new QDialogButtonBox(this);
    submit_ = buttons->addButton(tr("Submit"), QDialogButtonBox::AcceptRole);
    save_ = buttons->addButton(tr("Save script"), QDialogButtonBox::ActionRole);
    auto* cancel = buttons->addButton(QDialogButtonBox::Cancel);
    cancel->setToolTip(tr("Close without submitting (Esc)"));
    save_->setToolTip(
        tr("Writes submit.slurm and submit.toml into the folder of the runs, for sbatch on the cluster"));
    for (auto* button : {submit_, save_, cancel}) button->setAccessibleName(button->text());
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(submit_, &QPushButton::clicked, this, [this] { write(true); });
    connect(save_, &QPushButton::clicked, this, [this] { write(false); });
    return buttons;
}

SubmitDialog::~SubmitDialog() = default;

void SubmitDialog::add_row(QFormLayout& form, const config::OptionSpec& option, const config::Value& value) {
    auto* editor = make_option_editor(option, form.parentWidget());
    // The lowest number of these means that it is chosen automatically.
    const auto* number = std::get_if<std::int64_t>(&option.default_value);
    if (number != nullptr && *number <= 0)
        editor->findChild<OptionNumberEdit*>()->set_automatic(option.default_value);
    editor->show_value(value);
    static const QHash<std::string, QString> acronyms{
        {"qos", QStringLiteral("QOS")}, {"gpus", QStringLiteral("GPUs")}, {"cpus", QStringLiteral("CPUs")}};
    auto* label = new QLabel(acronyms.value(option.member, option_name(option)), form.parentWidget());
    label->setToolTip(option_tooltip(option));
    label->setBuddy(editor->controls().value(0));
    form.addRow(label, editor);
    const auto index = rows_.size();
    rows_.push_back({editor, {}});
    const auto changed = [this, index](const QString& problem) {
        rows_[index].problem = problem;
        mark(*rows_[index].editor, problem);
        planned_ = false;
        update_buttons();
        soon_.start();
    };
    connect(editor, &OptionEditor::edited, this, [this, changed, &option](const config::Value& edited) {
        auto given = config::assignments_of(settings_);
        given.push_back({option.key, edited, {}});
        settings_ = config::scheduler_settings(given);
        changed({});
    });
    connect(editor, &OptionEditor::rejected, this,
            [changed, &option](const QString& problem) { changed(option_name(option) + ": " + problem); });
}

void SubmitDialog::mark(const OptionEditor& editor, const QString& problem) const {
    // Set only this role: a whole palette would not follow theme changes.
    QPalette colours;
    if (!problem.isEmpty()) colours.setColor(QPalette::Text, tone_colour(palette(), Tone::error));
    for (auto* control : editor.controls()) {
        control->setPalette(colours);
        control->setAccessibleDescription(option_description(editor.option()) +
                                          (problem.isEmpty() ? QString() : tr(" Problem: %1.").arg(problem)));
    }
}

OptionEditor* SubmitDialog::editor(const QString& member) const {
    for (const auto& row : rows_)
        if (row.editor->option().member == member.toStdString()) return row.editor;
    return nullptr;
}

cluster::Submission SubmitDialog::submission() const {
    auto experiment = experiment_;
    experiment.scheduler = config::assignments_of(settings_);
    return {.experiment = std::move(experiment), .out = out_};
}

void SubmitDialog::plan() {
    job_.cancel();
    planned_ = false;
    for (const auto& row : rows_)
        if (!row.problem.isEmpty()) return show_problem(row.problem);
    show_text(tr("Checking the experiment…"));
    job_.start(
        [submission = submission()](const JobContext& context) {
            auto job = cluster::plan_array_job(submission, context.stop);
            auto script = QString::fromStdString(cluster::slurm_script(job));
            return Plan{std::move(job), std::move(script)};
        },
        {.done = [this](const Plan& plan) { show_plan(plan); },
         .failed = [this](const std::exception& problem) { show_problem(plain_text(problem)); }});
}

void SubmitDialog::show_plan(const Plan& plan) {
    const auto& job = plan.job;
    planned_ = job.unfinished > 0;
    if (script_->toPlainText() != plan.script) script_->setPlainText(plan.script);
    show_text(planned_ ? tr("%1 of %2 runs are unfinished. They go to %3.")
                                 .arg(job.unfinished)
                                 .arg(job.runs)
                                 .arg(QString::fromStdString(job.folder.string())) +
                             (no_slurm_.isEmpty() ? QString() : '\n' + no_slurm_)
                       : tr("Nothing to submit: all runs are finished."));
    update_buttons();
}

void SubmitDialog::show_text(const QString& text, bool is_problem) {
    QPalette colours;
    if (is_problem) colours.setColor(QPalette::WindowText, tone_colour(palette(), Tone::error));
    summary_->setPalette(colours);
    summary_->setText(is_problem ? QStringLiteral("⚠ ") + text : text);
}

void SubmitDialog::show_problem(const QString& text) {
    show_text(text, true);
    update_buttons();
}

void SubmitDialog::update_buttons() {
    const bool can = planned_ && !writing_.is_running();
    save_->setEnabled(can);
    submit_->setEnabled(can && no_slurm_.isEmpty());
    submit_->setToolTip(no_slurm_.isEmpty() ? tr("Writes the script and submits it with sbatch") : no_slurm_);
}

void SubmitDialog::write(bool and_submit) {
    show_text(and_submit ? tr("Submitting…") : tr("Saving…"));
    writing_.start(
        [submission = submission(), and_submit](const JobContext& context) {
            const auto job = cluster::plan_array_job(submission, context.stop);
            cluster::write_array_job(job, submission, context.stop);
            return QString::fromStdString(and_submit ? cluster::submit_array_job(job)
                                                     : job.script().string());
        },
        {.done =
             [this, and_submit](const QString& result) {
                 accept();
                 if (!and_submit) return Q_EMIT saved(result);
                 Q_EMIT submitted(
                     result,
                     QString::fromStdString((std::filesystem::path(out_) / experiment_.base.name).string()));
             },
         .failed = [this](const std::exception& problem) { show_problem(plain_text(problem)); }});
    update_buttons();
}

}  // namespace casp::widgets

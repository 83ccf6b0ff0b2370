#pragma once
// Dialog of "Submit…": the settings of a Slurm job array for an experiment, and its script.

#include <string>
#include <vector>

#include <QDialog>
#include <QFormLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTimer>

#include "cluster/array_job.h"
#include "config/scheduler.h"
#include "state/job.h"

namespace casp::widgets {

class OptionEditor;

/// Checks the experiment in the background a moment after the last change, and shows the script.
/// Window-modal, does not block; the form behind may not change meanwhile. Esc closes it without effect.
class SubmitDialog : public QDialog {
    Q_OBJECT
public:
    /// `out`: folder of the batch folder. `settings`: shown first.
    SubmitDialog(config::Experiment experiment, const QString& out, const config::SchedulerSettings& settings,
                 QWidget* parent = nullptr);
    ~SubmitDialog() override;

    /// The settings shown, without invalid fields.
    [[nodiscard]] const config::SchedulerSettings& settings() const { return settings_; }
    [[nodiscard]] QString script() const { return script_->toPlainText(); }
    /// What is submitted, or why it cannot be.
    [[nodiscard]] QString summary() const { return summary_->text(); }
    [[nodiscard]] bool is_settled() const { return !soon_.isActive() && !job_.is_running(); }
    [[nodiscard]] OptionEditor* editor(const QString& member) const;
    [[nodiscard]] QPushButton* submit_button() const { return submit_; }
    [[nodiscard]] QPushButton* save_button() const { return save_; }

Q_SIGNALS:
    void submitted(const QString& job, const QString& batch_folder);  ///< Slurm's number of the array
    void saved(const QString& script);

private:
    struct Plan {
        cluster::ArrayJob job;
        QString script;
    };
    struct Row {
        OptionEditor* editor;
        QString problem;  ///< of the field; empty: none
    };
    QWidget* make_parts();
    QWidget* make_buttons();
    void add_row(QFormLayout& form, const config::OptionSpec& option, const config::Value& value);
    void plan();
    void show_plan(const Plan& plan);
    /// In the colour of problems, as all fields have it.
    void mark(const OptionEditor& editor, const QString& problem) const;
    void show_text(const QString& text, bool is_problem = false);
    void show_problem(const QString& text);
    void write(bool and_submit);
    void update_buttons();
    [[nodiscard]] cluster::Submission submission() const;

    config::Experiment experiment_;
    const std::string out_;
    const QString no_slurm_;  ///< what to do without sbatch; empty: it is there
    config::SchedulerSettings settings_;
    std::vector<Row> rows_;
    QLabel* summary_;
    QPlainTextEdit* script_;
    QPushButton *submit_, *save_;
    bool planned_ = false;  ///< the script belongs to the settings
    QTimer soon_;
    Job<Plan> job_;
    Job<QString> writing_;
};

}  // namespace casp::widgets

#pragma once
// Editor of "Queue a sweep…": swept settings with values, cases, and the resulting runs.

#include <memory>
#include <vector>

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QString>
#include <QStringList>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

#include "config/options.h"
#include "panels/experiment/experiment_estimate.h"
#include "state/experiment_model.h"
#include "state/job.h"

namespace casp::widgets {

/// Edits the model's axes (undo works) and shows its cases and the runs of config::expand() with their
/// estimated time.
/// More than 25 methods: accessors for rows and plan, signals, and one table of swept settings.
class SweepEditor : public QWidget {
    Q_OBJECT
public:
    explicit SweepEditor(ExperimentModel& model, QWidget* parent = nullptr);
    ~SweepEditor() override;

    void set_preview_function(PreviewFunction function);

    [[nodiscard]] int row_count() const { return static_cast<int>(rows_.size()); }
    [[nodiscard]] QComboBox* key_box(int row) const { return rows_.at(static_cast<std::size_t>(row))->key; }
    [[nodiscard]] QLineEdit* values_field(int row) const {
        return rows_.at(static_cast<std::size_t>(row))->values;
    }
    [[nodiscard]] QString problem(int row) const {
        return rows_.at(static_cast<std::size_t>(row))->problem->text();
    }
    void add_row(const QString& key = {}, const QString& values = {});
    /// Rows with invalid values, for the session: the others are the model's axes. Call restore_rows() after
    /// restoring the model.
    [[nodiscard]] QByteArray save_rows() const;
    void restore_rows(const QByteArray& bytes);
    /// The cases, one a line.
    [[nodiscard]] QString cases() const { return cases_->text(); }
    /// "λ_cov 0 against 0.1, three seeds": fills the rows; only without a sweep.
    [[nodiscard]] QToolButton* contrast_button() const { return contrast_; }
    [[nodiscard]] QPushButton* queue_button() const { return queue_; }
    [[nodiscard]] QString summary() const { return summary_->text(); }
    [[nodiscard]] QString notes() const { return notes_->text(); }  ///< config::notes_of(), one per line
    [[nodiscard]] QStringList run_names() const { return names_; }
    [[nodiscard]] bool is_pending() const { return shown_ != wanted_; }

Q_SIGNALS:
    void queue_requested(const casp::config::Experiment& experiment);
    void cases_requested();  ///< to be edited in the experiment's text
    void planned();          ///< names and time reflect the latest values
    void typed();            ///< save_rows() may differ

protected:
    void changeEvent(QEvent* event) override;

private:
    struct Row {
        QWidget* widget;
        QComboBox* key;
        QLineEdit* values;
        QLabel* problem;
        QToolButton* remove;
        QString axis;  ///< key of the model's axis created by this row; empty: none
        int gesture = 0;
    };
    struct Plan {
        QStringList names;
        QStringList notes;
        QString problem;
        double seconds = 0;
    };
    static Plan make_plan(const config::Experiment& experiment, const PreviewFunction& function,
                          const std::stop_token& stop);
    void make_cases(QBoxLayout& layout);
    void make_plan_parts(QBoxLayout& layout);
    [[nodiscard]] double contrast() const;
    void fill_contrast();
    void connect_parts();
    void read(Row& row);
    void remove(Row& row);
    void follow_model();
    void plan();
    void start();
    void show_plan(const Plan& plan);
    /// The first problem, prefixed with the setting's name; empty: all rows are valid.
    [[nodiscard]] QString row_problem() const;
    void show_colours();

    ExperimentModel& model_;
    PreviewFunction function_;
    std::vector<std::unique_ptr<Row>> rows_;
    QVBoxLayout* rows_layout_;
    QToolButton *add_, *contrast_;
    QLabel* cases_;
    QToolButton* edit_cases_;
    QLabel* summary_;
    QLabel* notes_;
    QLabel* plan_problem_ = nullptr;
    QPlainTextEdit* name_list_;
    QPushButton* queue_;
    QStringList names_;
    QTimer timer_;
    int wanted_ = 0, shown_ = -1;
    bool writing_ = false;
    Job<Plan> job_;
};

}  // namespace casp::widgets

#pragma once
// The Compare page: a metric against λ_cov or any other differing setting, with mean and spread over seeds
// and paired tests against a base, as sentence, figure and table; with several models, also their ranks.

#include <vector>

#include <QByteArray>
#include <QCheckBox>
#include <QComboBox>
#include <QHash>
#include <QLabel>
#include <QObject>
#include <QSplitter>
#include <QStringList>
#include <QTableWidget>
#include <QTabWidget>
#include <QTimer>
#include <QWidget>

#include "evidence/common_windows.h"
#include "figures/comparison.h"
#include "figures/recipe_compare.h"
#include "panels/runs/runs_settings.h"
#include "state/job.h"
#include "state/run_library.h"
#include "state/selection.h"

namespace casp::widgets {

/// Reads the files of runs in the background, only if one of them is imported. GUI thread.
class CommonErrors : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    /// Replaces the test errors of the runs by those over common windows, as far as they are read, and reads
    /// the others.
    void apply(std::vector<figures::CompareRun>& runs);
    /// A sentence for each task whose errors were replaced.
    [[nodiscard]] const QStringList& notes() const { return result_.notes; }
    [[nodiscard]] bool is_pending() const { return job_.is_running(); }

Q_SIGNALS:
    void changed();

private:
    struct Result {
        QHash<QString, evidence::MeanErrors> errors;  ///< by folder
        QStringList notes;
    };
    static Result read(const QStringList& folders, const JobContext& job);

    QStringList key_;  ///< folders and errors of the runs that were or are being read
    Result result_;
    Job<Result> job_;
};

class FigureView;
class RanksTable;
class ViewFrame;

/// More than 25 methods: controls, sentence, figure and tables show one comparison.
class ComparePanel : public QWidget {
    Q_OBJECT
public:
    /// Both must outlive the panel. Compares Selection::runs, or all runs of the folder.
    ComparePanel(RunLibrary& library, Selection& selection, QWidget* parent = nullptr);

    /// The current figure, for export and tests.
    [[nodiscard]] figures::Figure figure() const;
    [[nodiscard]] const figures::Comparison& comparison() const { return comparison_; }
    [[nodiscard]] ViewFrame* frame() const { return frame_; }
    /// The compared runs.
    [[nodiscard]] QStringList folders() const;
    [[nodiscard]] QTableWidget* table() const { return table_; }
    /// Models × tasks of the compared runs.
    [[nodiscard]] RanksTable* ranks() const { return ranks_; }
    /// What the tests mean: of the selected rows of the table, else the main ones. Empty: nothing is tested.
    [[nodiscard]] QString verdict() const { return verdict_->text(); }

    void set_metric(figures::CompareMetric metric);
    void set_x_key(const QString& key);
    /// The value that others are tested against; the first one if there is no such value.
    void set_base(const QString& value);
    /// Metric, x axis, colours and switches; restore_state() of anything else returns false.
    [[nodiscard]] QByteArray save_state() const;
    bool restore_state(const QByteArray& state);

public Q_SLOTS:
    void copy_markdown();
    /// Updates everything immediately instead of after a short delay.
    void refresh();

Q_SIGNALS:
    void help_requested(const QString& topic);
    void maximise_requested(bool maximise);
    void message(const QString& text);
    void run_picked(const QString& folder);  ///< a faint point was clicked

protected:
    void showEvent(QShowEvent* event) override;

private:
    void fill_controls();
    void fill_tables();
    void arrange();
    void connect_controls();
    void connect_views();
    void connect_runs();
    void later();
    /// False: no visible change.
    bool read();
    /// Whether the plotted values are only in run.h5.
    [[nodiscard]] bool needs_records() const;
    void take_record(figures::CompareRun& run);
    void show_notes();
    [[nodiscard]] figures::CompareMetric metric() const;
    void fill_choices();
    /// sMAPE if all runs are on collections of series, else MSE.
    void choose_default_metric();
    void fill_bases();
    void fill_table();
    void show_verdict();
    /// Compares and tests anew, then draws.
    void compare();
    void draw();
    /// Reads the errors of test windows and shows the tests over periods.
    void test_periods();
    /// Ranks the models by the page's metric if it is an error of results.csv, else by the test MSE.
    void rank_models();

    RunLibrary& library_;
    Selection& selection_;
    RunsSettings& settings_;
    CommonErrors common_;
    std::vector<figures::CompareRun> runs_;
    figures::Comparison comparison_;
    QString x_key_ = QStringLiteral("loss.lambda_cov");
    bool x_chosen_ = false;       ///< by the user; else the first axis that differs
    bool metric_chosen_ = false;  ///< by the user; else choose_default_metric()
    QString table_x_;             ///< the axis of the table's rows
    QString colour_by_;
    QString base_value_;  ///< empty: the first value
    QComboBox* metric_;
    QComboBox* x_;
    QComboBox* base_;
    QComboBox* colour_;
    QComboBox* scope_;
    QCheckBox* log_x_;
    QCheckBox* singles_;
    QCheckBox* last_value_;
    QCheckBox* difference_;
    QLabel* note_;
    QLabel* verdict_;
    ViewFrame* frame_;
    FigureView* view_;
    QTableWidget* table_;
    RanksTable* ranks_;
    QTabWidget* tabs_;  ///< means and tests, ranks of models
    QSplitter* splitter_;
    QTimer timer_;
    bool shows_ranks_ = false;  ///< chosen by the user, also while no models share a task
    bool stale_ = true, pending_ = false;
    Job<figures::Comparison> tests_, periods_;
};

}  // namespace casp::widgets

#pragma once
// The page Paper: a table of the paper with its printed values, ours from the finished runs of the open
// folder, the runs behind each cell, and the runs that are missing.

#include <memory>
#include <string>
#include <vector>

#include <QByteArray>
#include <QComboBox>
#include <QLabel>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QTableWidget>
#include <QTimer>
#include <QWidget>

#include "panels/paper/paper_cells.h"
#include "panels/runs/runs_settings.h"
#include "state/job.h"
#include "state/run_library.h"
#include "state/selection.h"

namespace casp::widgets {

/// The shipped experiment `name` with the settings in which the table's runs differ from the paper's: other
/// runs would not be listed with them.
[[nodiscard]] QString missing_runs_toml(const evidence::PaperTable& table, const std::string& name);

/// More than 25 methods: accessors and signals; the others read, fill and show one table.
class PaperPage : public QWidget {
    Q_OBJECT
public:
    /// Both must outlive the page. Reads nothing until it is shown.
    PaperPage(RunLibrary& library, Selection& selection, QWidget* parent = nullptr);

    /// A name of paper_table_names(); others are ignored.
    void set_table(const QString& name);

    /// The shown table; without a name until the first one is read.
    [[nodiscard]] const evidence::PaperTable& table() const { return filled_.table; }
    [[nodiscard]] QTableWidget* view() const { return view_; }
    [[nodiscard]] QComboBox* lines_box() const { return lines_; }
    [[nodiscard]] QPushButton* run_button() const { return run_; }
    /// Backbone and settings of our runs.
    [[nodiscard]] QString settings_text() const { return settings_text_->text(); }
    [[nodiscard]] QString missing_text() const { return missing_text_->text(); }
    [[nodiscard]] QString notes_text() const { return notes_->toPlainText(); }
    [[nodiscard]] bool is_pending() const { return stale_ || settings_.is_pending() || fill_.is_running(); }
    /// Runs behind a row of the view and a column of the table; empty: none is finished, or there is no cell.
    [[nodiscard]] QStringList runs_at(int row, int column) const;

    /// Chosen table and lines; restore_state() of anything else returns false.
    [[nodiscard]] QByteArray save_state() const;
    bool restore_state(const QByteArray& state);

Q_SIGNALS:
    void message(const QString& text, bool is_error);
    void runs_picked(const QStringList& folders);  ///< a cell was clicked; its runs are selected
    void compare_requested(const QStringList& folders);
    /// The experiment "paper:NAME" with the settings of the table's runs, as TOML.
    void experiment_requested(const QString& toml, const QString& name);

protected:
    void showEvent(QShowEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    /// Identifies the finished runs: the table is filled anew only if they change.
    struct Source {
        store::ResultRow row;
        std::shared_ptr<const config::Config> config;
        QString folder, created, updated;
        [[nodiscard]] bool same_run(const Source& other) const {
            return folder == other.folder && updated == other.updated && config == other.config;
        }
    };
    struct Filled {
        evidence::PaperTable table;
        QStringList folders;   ///< of the runs given to fill()
        QStringList problems;  ///< runs whose files cannot be read
    };
    [[nodiscard]] static Filled fill_table(const std::string& name, const std::vector<Source>& sources,
                                           const JobContext& job);
    void make_controls();
    void make_view();
    void follow_library();
    QPushButton* button(const QString& text, const QString& help);
    /// Combines frequent changes into one update; none while hidden.
    void later();
    void read();
    [[nodiscard]] std::vector<Source> finished_runs();
    void start_fill();
    void take(Filled filled);
    [[nodiscard]] std::vector<PaperLine> lines() const;
    void show_table();
    void show_cell(int view_row, std::size_t row, std::size_t column, PaperLine line);
    void show_headers();
    void show_texts();
    void pick(int row, int column);
    void compare_current();
    void copy(const QString& what, std::string (*text)(const evidence::PaperTable&));
    void run_missing();

    RunLibrary& library_;
    Selection& selection_;
    RunsSettings& settings_;
    std::vector<Source> sources_;
    Filled filled_;
    QComboBox *tables_, *lines_;
    QPushButton* run_;
    QLabel *settings_text_, *missing_text_, *problems_;
    QWidget* progress_;
    QProgressBar* bar_;
    QTableWidget* view_;
    QPlainTextEdit* notes_;
    QTimer timer_;
    bool stale_ = true, wanted_ = true;  ///< wanted_: fill even if the runs are the same
    Job<Filled> fill_;
};

}  // namespace casp::widgets

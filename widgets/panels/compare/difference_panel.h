#pragma once
// Panel showing the differing settings of the selected runs with their results; for a single run, all
// settings.

#include <memory>
#include <vector>

#include <QCheckBox>
#include <QLabel>
#include <QPushButton>
#include <QStringList>
#include <QTableWidget>
#include <QWidget>

#include "config/config.h"
#include "panels/runs/runs_settings.h"
#include "state/run_data.h"

namespace casp::widgets {

struct DifferenceRun {
    RunSummary summary;
    std::shared_ptr<const config::Config> config;  ///< null: not read yet, or unreadable
    QString problem;                               ///< why it is unreadable; empty: still being read
};

struct DifferenceRow {
    QString key;         ///< of a setting, for files; empty: a result
    QString name;        ///< of the setting or result
    QString help;        ///< one sentence
    QStringList values;  ///< one per run
    QString change;  ///< for results: change from the first of two runs to the second: "−0.0031 (−0.8 %)"
    bool result = false;
    bool differs = true;
};

/// Settings in the order of the option list (`all`: including equal ones), then results. A run without a
/// configuration has "…" or "not readable" in every setting.
[[nodiscard]] std::vector<DifferenceRow> difference_rows(const std::vector<DifferenceRun>& runs, bool all);

/// With a header line of the runs' labels.
[[nodiscard]] QString difference_markdown(const std::vector<DifferenceRun>& runs,
                                          const std::vector<DifferenceRow>& rows);
[[nodiscard]] QString difference_csv(const std::vector<DifferenceRun>& runs,
                                     const std::vector<DifferenceRow>& rows);

class DifferencePanel : public QWidget {
    Q_OBJECT
public:
    /// Maximum number of run columns; the panel reports omissions.
    static constexpr int max_runs = 24;

    /// The library must outlive the panel.
    explicit DifferencePanel(RunLibrary& library, QWidget* parent = nullptr);

    void set_runs(const QStringList& folders);
    [[nodiscard]] QTableWidget* table() const { return table_; }
    [[nodiscard]] QString text() const { return note_->text(); }

public Q_SLOTS:
    void copy_markdown();
    void copy_csv();

Q_SIGNALS:
    void message(const QString& text);  ///< "Differences copied as Markdown."

protected:
    void changeEvent(QEvent* event) override;

private:
    void fill();

    RunLibrary& library_;
    RunsSettings& settings_;
    QStringList folders_;
    std::vector<DifferenceRun> runs_;
    std::vector<DifferenceRow> rows_;
    QCheckBox* all_;
    QPushButton* markdown_;
    QPushButton* csv_;
    QTableWidget* table_;
    QLabel* note_;
};

}  // namespace casp::widgets

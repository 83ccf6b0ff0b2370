#pragma once
// The table models × tasks of the Compare page: errors, ranks, wall time and memory of each model.

#include <string>
#include <vector>

#include <QLabel>
#include <QTableWidget>
#include <QWidget>

#include "evidence/ranks.h"
#include "figures/comparison.h"
#include "state/job.h"

namespace casp::widgets {

/// GUI thread. Many runs are ranked on another one.
class RanksTable : public QWidget {
    Q_OBJECT
public:
    explicit RanksTable(QWidget* parent = nullptr);

    /// Ranks the models of the finished runs with known settings, as evidence::ranks_of(); the note counts
    /// the other runs. Runs of all batches count as one sweep; presets are no part of the task, data.percent
    /// is. `metric`: a column of results.csv.
    void set_runs(const std::vector<figures::CompareRun>& runs, const std::string& metric);

    /// Without rows while fewer than two models are there. To be shown if evidence::has_ranks().
    [[nodiscard]] const evidence::RankTable& ranks() const { return ranks_; }
    [[nodiscard]] QTableWidget* view() const { return view_; }

Q_SIGNALS:
    void changed();  ///< ranks() is another table
    void message(const QString& text);

private:
    void show_ranks(evidence::RankTable ranks);
    void copy(const QString& format, std::string (*text)(const std::vector<evidence::RankTable>&));

    evidence::RankTable ranks_;
    QLabel* note_;
    QTableWidget* view_;
    Job<evidence::RankTable> job_;
};

}  // namespace casp::widgets

#pragma once
// What is typed into the filter of the list of runs.
//
// Words must all occur somewhere in a run's name, experiment, data, note, state or backbone; terms compare a
// column. All must hold; a minus in front turns one round; quotes keep spaces:
//
//     etth1 lambda_cov>0.05 state:finished -note:"too short" mse<=0.4 seed=2021,2022

#include <vector>

#include <QString>
#include <QStringList>

#include "panels/runs/runs_columns.h"

namespace casp::widgets {

class RunsFilter {
public:
    /// Understands `text`. Where a term cannot be understood, problem() says why and what would be right, and
    /// that term does not restrict anything.
    explicit RunsFilter(const QString& text = {});

    [[nodiscard]] QString problem() const { return problem_; }
    [[nodiscard]] bool is_empty() const { return terms_.empty(); }
    /// Whether what is shown makes a difference.
    [[nodiscard]] bool asks_for_shown() const;
    /// `shown`: whether the views draw the run (for `shown:yes`).
    [[nodiscard]] bool matches(const RunSummary& run, bool shown) const;

    /// For the tooltip of the box.
    [[nodiscard]] static QString help();

private:
    enum class Relation { contains, equal, less, less_equal, greater, greater_equal };
    struct Term {
        bool negated = false;
        bool free_text = true;
        RunsColumn column = RunsColumn::name;
        Relation relation = Relation::contains;
        QStringList words;  ///< any of them
        std::vector<double> numbers;
    };
    void add(const QString& token);
    [[nodiscard]] static bool holds(const Term& term, const RunSummary& run, bool shown);

    std::vector<Term> terms_;
    QString problem_;
};

}  // namespace casp::widgets

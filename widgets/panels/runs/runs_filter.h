#pragma once
// Filter of the list of runs.
//
// Words match name, experiment, data, model, note, state or backbone; terms compare a column. All must match;
// a leading minus negates; quotes keep spaces:
//
//     etth1 lambda_cov>0.05 state:finished -note:"too short" mse<=0.4 seed=2021,2022

#include <vector>

#include <QString>
#include <QStringList>

#include "panels/runs/runs_columns.h"

namespace casp::widgets {

class RunsFilter {
public:
    /// Parses `text`. If a term is invalid, problem() gives the reason and a correction, and the term is
    /// ignored.
    explicit RunsFilter(const QString& text = {});

    [[nodiscard]] QString problem() const { return problem_; }
    [[nodiscard]] bool is_empty() const { return terms_.empty(); }
    /// Whether the filter depends on the shown runs.
    [[nodiscard]] bool uses_shown() const;
    /// `shown`: whether the run is shown in the views (for `shown:yes`).
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

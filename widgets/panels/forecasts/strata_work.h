#pragma once
// Strata of windows by difficulty or another label for the forecasts page: cut and compared once per run,
// large ones and those whose label is computed in the background with progress.

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <vector>

#include <QString>
#include <QStringList>

#include "analysis/strata.h"
#include "analysis/window_labels.h"
#include "state/embedding_set.h"
#include "state/job.h"

namespace casp::widgets {

/// GUI thread.
class StrataWork {
public:
    using Set = std::shared_ptr<const EmbeddingSet>;
    using Label = std::shared_ptr<const std::vector<double>>;

    /// Strata of a run's embeddings.
    struct Of {
        Set set;
        bool of_series = false;  ///< windows are identified by their number, not by their row in the file
        Label label;             ///< of the windows of `set`; empty: the residual. Null: not known yet
        analysis::Strata strata;
        QString problem;
        /// Paired comparison with `base`, window by window.
        Set base;
        analysis::PairedStrata pair;
        QString mismatch;  ///< why they cannot be compared; empty: they can
        /// Whether the latest request is running: the comparison if there is a base, else the strata.
        bool pending = false;
        /// Whether the strata (or the problem) are known.
        [[nodiscard]] bool is_cut() const { return base || !pending; }

    private:
        friend class StrataWork;
        JobBase::Id request = 0;
    };

    /// Up to this many rows are computed synchronously, in a few milliseconds.
    static constexpr std::int64_t max_at_once = 20000;

    /// `changed` is called after a result, and with true after progress.
    explicit StrataWork(std::function<void(bool progress_only)> changed);

    /// What windows are divided by; drops the strata by another label.
    void set_axis(const analysis::StrataAxis& axis);
    [[nodiscard]] const analysis::StrataAxis& axis() const { return axis_; }
    /// Cuts a run's set into strata, unless that was done. `of_series`: a window per series of a collection.
    const Of& cut(const QString& run, const Set& set, bool of_series = false);
    /// Compares a run that is cut with `base`, a set that is cut, unless that was done. `mismatch`: why they
    /// cannot be compared; empty: they can.
    const Of& compare(const QString& run, const Set& base, const QString& mismatch);
    /// Null: never requested.
    [[nodiscard]] const Of* find(const QString& run) const;
    /// Drops all other runs, and cancels their work.
    void keep_only(const QStringList& runs);

    [[nodiscard]] int pending() const;
    /// "Sorting windows by trend strength: 40 %, then 2 more"; empty if nothing is running.
    [[nodiscard]] QString text() const;

private:
    struct Made {
        analysis::Strata strata;
        analysis::PairedStrata pair;
        QString problem = {};
        Label label = {};
    };
    [[nodiscard]] Label label_of(const Set& set) const;
    static void take(Of& of, Made made);
    /// Cancels the work for `of`.
    void leave(Of& of);
    void begin(const QString& run, std::int64_t rows, Job<Made>::Work work);

    std::function<void(bool)> changed_;
    analysis::StrataAxis axis_;
    std::map<QString, Of> known_;  ///< by run folder
    Job<Made> job_;                ///< a request per run
};

}  // namespace casp::widgets

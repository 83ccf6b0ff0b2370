#pragma once
// Forecast of the rows after the last one of a data file with a finished run, computed in the background.

#include <functional>
#include <memory>
#include <optional>

#include <QString>

#include "inspect/forecast_csv.h"
#include "state/embedding_work.h"
#include "state/job.h"

namespace casp::widgets {

/// The forecast is available before its intervals, which need the errors of all validation and test windows.
/// GUI thread.
class AheadWork {
public:
    /// What is computed, or was last.
    struct Subject {
        QString run;   ///< folder
        QString data;  ///< file or "catalog:NAME"
        bool operator==(const Subject&) const = default;
    };

    /// `changed` is called after each change, with true if only the progress changed.
    explicit AheadWork(std::function<void(bool progress_only)> changed);

    /// Replaces running work and its result. The result has intervals of 80 and 95 % if the run's data set
    /// can be read.
    void start(const Subject& subject);
    /// Stops; a forecast without intervals stays.
    void cancel();
    /// Back to the state before the first start().
    void forget();

    [[nodiscard]] bool is_busy() const { return job_.is_running(); }
    [[nodiscard]] const std::optional<Subject>& subject() const { return subject_; }
    /// Null: none yet.
    [[nodiscard]] const std::shared_ptr<const inspect::AheadForecast>& forecast() const { return forecast_; }
    /// Why there is no forecast, or why it has no intervals; empty: neither is known to fail.
    [[nodiscard]] const QString& problem() const { return problem_; }
    /// Doubts about the file, a line each, such as an ambiguous date format.
    [[nodiscard]] const QString& warnings() const { return warnings_; }
    /// "evaluating val 34 %, 12 s left"; empty: no work is running.
    [[nodiscard]] QString progress_text() const;

private:
    void fail(const QString& problem);

    std::function<void(bool)> changed_;
    std::optional<Subject> subject_;
    std::shared_ptr<const inspect::AheadForecast> forecast_;
    QString problem_, warnings_;
    std::shared_ptr<EmbeddingHost> host_;
    Job<std::shared_ptr<const inspect::AheadForecast>> job_;  ///< on the host's thread
};

}  // namespace casp::widgets

#pragma once
// The large arrays of a stored run, read in slices in the background and cached.

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include <QElapsedTimer>
#include <QString>

#include "state/job.h"
#include "store/run_record.h"

namespace casp::widgets {

class RunArrays;

/// The slices of all runs. The least recently used are dropped above a limit, but none that was used a moment
/// ago: views that together need more than the limit would evict each other's slices forever. GUI thread.
class SliceCache {
public:
    explicit SliceCache(std::size_t max_bytes = 512u << 20u, std::int64_t idle_ms = 10000)
        : max_bytes_(max_bytes), idle_ms_(idle_ms) {}

private:
    friend class RunArrays;
    using Key = std::tuple<const RunArrays*, int, QString, std::int64_t, std::int64_t>;
    struct Slice {
        std::shared_ptr<const void> value;  ///< null: being read, or unreadable
        std::size_t bytes = 0;
        QElapsedTimer used;
    };
    void drop(const RunArrays* of);
    void trim();
    std::size_t max_bytes_;
    std::int64_t idle_ms_;
    std::map<Key, Slice> slices_;
    WorkPool data_reader_{1};  ///< of data files alone: a long import delays nothing else
};

/// Forecasts, errors, look-backs and scores of series of one run. GUI thread. A null result is being read:
/// `arrived` follows. Arrays that the files do not have are empty, not null. Unreadable arrays stay null,
/// with a problem.
class RunArrays {
public:
    RunArrays(QString folder, std::shared_ptr<WorkPool> pool, std::shared_ptr<SliceCache> cache,
              std::function<void()> arrived);
    ~RunArrays();
    RunArrays(const RunArrays&) = delete;
    RunArrays& operator=(const RunArrays&) = delete;

    [[nodiscard]] std::shared_ptr<const store::ForecastArrays> forecasts(const QString& split,
                                                                         std::int64_t first,
                                                                         std::int64_t count);
    [[nodiscard]] std::shared_ptr<const store::ForecastArrays> window_errors(const QString& split);
    [[nodiscard]] std::shared_ptr<const std::vector<float>> lookbacks(const store::RunRecord& record,
                                                                      const QString& split,
                                                                      std::int64_t first, std::int64_t count);
    [[nodiscard]] std::shared_ptr<const store::SeriesScores> series_scores();
    [[nodiscard]] const QString& problem_with_data() const { return problem_with_data_; }
    /// Why stored forecasts could not be read.
    [[nodiscard]] const QString& problem() const { return problem_; }
    /// The files have changed: reads everything again.
    void forget();

private:
    enum Kind { forecast, error, lookback, score };
    template <class Value>
    using Read = std::shared_ptr<const Value>;
    template <class Value, class Work>
    Read<Value> get(Job<Read<Value>>& job, Kind kind, const QString& split, std::int64_t first,
                    std::int64_t count, QString& problem, Work work);

    QString folder_;
    std::shared_ptr<WorkPool> pool_;
    std::shared_ptr<SliceCache> cache_;
    std::function<void()> arrived_;
    QString problem_, problem_with_data_;
    // A request per slice.
    Job<Read<store::ForecastArrays>> forecasts_job_;
    Job<Read<std::vector<float>>> lookbacks_job_;
    Job<Read<store::SeriesScores>> scores_job_;
};

}  // namespace casp::widgets

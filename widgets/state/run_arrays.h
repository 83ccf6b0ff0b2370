#pragma once
// The large arrays of a stored run, read in slices in the background and cached.

#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <tuple>
#include <vector>

#include <QElapsedTimer>
#include <QString>

#include "data/prepared.h"
#include "state/job.h"
#include "store/run_record.h"

namespace casp::widgets {

/// The data files of runs, imported once for any number of runs. Any thread; created and destroyed on the GUI
/// thread.
class DataTables {
public:
    /// The table of a run's [data] section, imported unless it is cached and the file is unchanged. Throws an
    /// input Error, also if the file's SHA-256 is not `sha256`.
    [[nodiscard]] std::shared_ptr<const data::PreparedData> get(config::Config config,
                                                                const std::string& sha256,
                                                                std::stop_token stop);
    /// One thread for work that calls get(), so that a long import delays nothing else. Its work may use
    /// this.
    [[nodiscard]] WorkPool& pool() { return pool_; }

private:
    struct Entry {
        std::string key;
        std::int64_t time = 0, size = 0;
        std::shared_ptr<const data::PreparedData> table;
    };
    std::mutex mutex_;
    std::list<Entry> entries_;  ///< most recently used first
    WorkPool pool_{1};          ///< the last member: its work uses the other members
};

class RunArrays;

/// Memory limit for the slices of all runs. The least recently used run drops its slices first, but none that
/// was used a moment ago: views that together need more than the limit would evict each other's slices
/// forever. GUI thread.
class SliceBudget {
public:
    static constexpr std::size_t usual_bytes = 512u << 20u;
    static constexpr std::int64_t usual_idle_ms = 10000;
    explicit SliceBudget(std::size_t most_bytes = usual_bytes, std::int64_t idle_ms = usual_idle_ms)
        : most_bytes_(most_bytes), idle_ms_(idle_ms) {}

private:
    friend class RunArrays;
    void trim();
    std::size_t most_bytes_;
    std::int64_t idle_ms_;
    std::list<RunArrays*> arrays_;  ///< most recently used first
};

/// A cache of slices, most recently used first; values being read are null.
template <class Value>
class SliceCache {
public:
    using Key = std::tuple<QString, std::int64_t, std::int64_t>;  ///< split, first, count
    struct Entry {
        Key key;
        std::shared_ptr<const Value> value;
        std::size_t bytes = 0;
    };

    Entry* find(const Key& key) {
        for (auto entry = entries_.begin(); entry != entries_.end(); ++entry)
            if (entry->key == key) {
                entries_.splice(entries_.begin(), entries_, entry);
                return &entries_.front();
            }
        return nullptr;
    }
    Entry& add(const Key& key) { return entries_.emplace_front(Entry{key, nullptr, 0}); }
    /// Drops the least recently used slices above `most` bytes, but never the most recent one.
    void trim(std::size_t most) {
        std::size_t sum = 0;
        for (auto entry = entries_.begin(); entry != entries_.end();) {
            sum += entry->bytes;
            const bool drop = sum > most && entry != entries_.begin() && entry->value != nullptr;
            entry = drop ? entries_.erase(entry) : std::next(entry);
        }
    }
    void clear() { entries_.clear(); }
    /// Drops slices that have been read; those being read still arrive.
    void drop_read() {
        entries_.remove_if([](const Entry& entry) { return entry.value != nullptr; });
    }
    [[nodiscard]] std::size_t bytes() const {
        std::size_t sum = 0;
        for (const auto& entry : entries_) sum += entry.bytes;
        return sum;
    }

private:
    std::list<Entry> entries_;
};

/// Forecasts, errors, look-backs and scores of series of one run. GUI thread. A null result is being read:
/// `arrived` follows. Arrays that the files do not have are empty, not null. Unreadable arrays stay null,
/// with a problem.
class RunArrays {
public:
    RunArrays(QString folder, std::shared_ptr<WorkPool> pool, std::shared_ptr<DataTables> tables,
              std::shared_ptr<SliceBudget> budget, std::function<void()> arrived);
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
    friend class SliceBudget;
    void drop_read();
    [[nodiscard]] std::size_t bytes() const;

    template <class Value>
    struct Read {
        std::shared_ptr<const Value> value;
        std::size_t bytes = 0;
    };
    template <class Value, class Work>
    std::shared_ptr<const Value> get(Job<Read<Value>>& job, SliceCache<Value>& cache,
                                     const typename SliceCache<Value>::Key& key, QString& problem, Work work);

    QString folder_;
    std::shared_ptr<WorkPool> pool_;
    std::shared_ptr<DataTables> tables_;
    std::shared_ptr<SliceBudget> budget_;
    std::list<RunArrays*>::iterator place_;  ///< in the budget's list
    QElapsedTimer since_request_;
    std::function<void()> arrived_;
    SliceCache<store::ForecastArrays> forecasts_, errors_;
    SliceCache<std::vector<float>> lookbacks_;
    SliceCache<store::SeriesScores> scores_;
    QString problem_, problem_with_data_;
    // A request per slice.
    Job<Read<store::ForecastArrays>> forecasts_job_;
    Job<Read<std::vector<float>>> lookbacks_job_;
    Job<Read<store::SeriesScores>> scores_job_;
};

}  // namespace casp::widgets

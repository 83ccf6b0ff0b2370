#pragma once
// Strata of runs' embeddings for the forecasts page: cut and compared once for each, where they are large
// beside the GUI thread, with progress and a way to stop.

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <stop_token>

#include <QElapsedTimer>
#include <QString>
#include <QStringList>

#include "analysis/strata.h"
#include "state/background.h"
#include "state/embedding_set.h"
#include "util/progress.h"

namespace casp::widgets {

/// GUI thread.
class StrataWork {
public:
    using Set = std::shared_ptr<const EmbeddingSet>;
    enum class State { known, pending, cancelled };

    /// Strata of a run's embeddings.
    struct Of {
        Set set;
        analysis::Strata strata;
        QString problem;
        /// What it was compared with, window by window, and what came of it.
        Set base;
        analysis::PairedStrata pair;
        QString mismatch;
        /// Of the last that was asked for: the comparison where there is a base, else the strata.
        State state = State::known;
        /// Whether the strata themselves are there (or the problem).
        [[nodiscard]] bool is_cut() const { return base || state == State::known; }

    private:
        friend class StrataWork;
        std::uint64_t number = 0;
        std::stop_source stop;
    };

    /// So many rows, or fewer, are done at once: nobody could tell.
    static constexpr std::int64_t most_at_once = 20000;

    /// `changed` is called when something has come or was cancelled, with true where only the progress is
    /// another.
    explicit StrataWork(std::function<void(bool progress_only)> changed);
    ~StrataWork();
    StrataWork(const StrataWork&) = delete;
    StrataWork& operator=(const StrataWork&) = delete;

    /// Cuts a run's set into deciles where that was not done yet.
    const Of& cut(const QString& run, const Set& set);
    /// Compares a run that is cut with `base`, where that was not done yet. `mismatch`: why that cannot be;
    /// empty: it may be.
    const Of& compare(const QString& run, const Set& base, const QString& mismatch);
    /// Null: never asked for.
    [[nodiscard]] const Of* find(const QString& run) const;
    /// Lets go of all others, and of what goes on for them.
    void keep_only(const QStringList& runs);

    [[nodiscard]] int pending() const { return count(State::pending); }
    [[nodiscard]] bool was_cancelled() const { return count(State::cancelled) > 0; }
    /// "Sorting windows by difficulty: 40 %, then 2 more"; empty where nothing goes on, or not for long yet.
    [[nodiscard]] QString text() const;
    /// Work that ends sooner is not told.
    void set_told_after(qint64 ms) { told_after_ms_ = ms; }
    /// Gives up what goes on; what is known stays.
    void cancel();
    /// What was cancelled is unknown, so that the next call begins it anew.
    void forget_cancelled();

private:
    struct Made {
        analysis::Strata strata;
        analysis::PairedStrata pair;
        QString problem;
    };
    using Job = std::function<void(Made& made, const std::stop_token& stop, const ProgressFn& progress)>;
    [[nodiscard]] int count(State state) const;
    [[nodiscard]] static Made make(const Job& job, const std::stop_token& stop, const ProgressFn& progress);
    static void take(Of& of, Made made);
    /// Lets go of what goes on for `of`.
    static void leave(Of& of);
    void begin(const QString& run, std::int64_t rows, Job job);
    void finished(const QString& run, std::uint64_t number, Made made);

    std::function<void(bool)> changed_;
    std::map<QString, Of> known_;  ///< by run folder
    Progress told_;                ///< of what goes on
    QElapsedTimer since_begin_;    ///< of the first that is pending
    qint64 told_after_ms_ = 500;
    std::uint64_t number_ = 0;
    Inbox inbox_;
    WorkPool pool_{1};
};

}  // namespace casp::widgets

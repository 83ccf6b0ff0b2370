#pragma once
// Embeddings of one stored run: read from arrays.h5 if they are stored there, else computed from its weights
// on request, in the background with progress and cancellation.

#include <cstddef>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <QElapsedTimer>
#include <QSet>
#include <QString>

#include "inspect/window_embeddings.h"
#include "state/embedding_set.h"
#include "state/job.h"

namespace casp::widgets {

/// State of the work.
struct EmbeddingStatus {
    enum class Phase { idle, waiting, reading, computing, storing };
    Phase phase = Phase::idle;
    StageOf stage;
    double share = -1;         ///< 0 … 1; negative: unknown
    double seconds_left = -1;  ///< negative: unknown
    QString problem;           ///< why the last work failed; empty: no failure
    [[nodiscard]] bool is_busy() const { return phase != Phase::idle; }
};

class EmbeddingWork;

/// Shared by all runs of a window: one computing thread (LibTorch uses all cores itself) and a memory limit
/// for all sets. Above the limit the least recently used sets are dropped, except for those that a view holds
/// or that were used in the last ten seconds. The most recently used run also keeps its latest set, and that
/// of the best checkpoint unless it is stored. GUI thread.
class EmbeddingHost {
public:
    static constexpr std::size_t usual_bytes = std::size_t{1536} << 20u;
    explicit EmbeddingHost(std::size_t max_bytes = usual_bytes, std::int64_t idle_ms = 10000)
        : max_bytes_(max_bytes), idle_ms_(idle_ms) {}
    /// The host of this process; it lives from its first user to its last.
    [[nodiscard]] static std::shared_ptr<EmbeddingHost> shared();
    /// The computing thread, for other work with a run's weights.
    [[nodiscard]] WorkPool& pool() { return pool_; }

private:
    friend class EmbeddingWork;
    void trim();
    std::size_t max_bytes_;
    std::int64_t idle_ms_;
    std::list<EmbeddingWork*> works_;  ///< most recently used first
    WorkPool pool_{1};
};

/// Caches the sets of each split at the best checkpoint (two pages may show two) and of snapshots, within the
/// memory limit of the host. GUI thread.
class EmbeddingWork {
public:
    /// `changed` is called after a change of set() or status(), with true if only the progress changed.
    EmbeddingWork(QString run_folder, std::shared_ptr<EmbeddingHost> host,
                  std::function<void(bool progress_only)> changed);
    /// Requests the stop of running work, but does not wait for it.
    ~EmbeddingWork();
    EmbeddingWork(const EmbeddingWork&) = delete;
    EmbeddingWork& operator=(const EmbeddingWork&) = delete;

    /// Latest set of the best checkpoint; null: none yet.
    [[nodiscard]] std::shared_ptr<const EmbeddingSet> set();
    /// Null: not read or computed yet.
    [[nodiscard]] std::shared_ptr<const EmbeddingSet> set_of(const EmbeddingMoment& moment);
    [[nodiscard]] const EmbeddingStatus& status() const { return status_; }

    /// Reads a stored set from arrays.h5, once. Does nothing while other work is running; callers retry after
    /// the next change.
    void read_stored(const EmbeddingMoment& moment);
    /// Computes a set; the old one stays until then. Waits for running reads. Returns false while other work
    /// is computing or storing.
    bool compute(inspect::EmbeddingRequest request);
    void cancel();
    /// Stores set_of(moment) in the run's arrays.h5.
    void store(const EmbeddingMoment& moment);
    /// Stores a layout of set_of(moment), after running work has ended.
    void store_layout(const EmbeddingMoment& moment, const QString& name,
                      const store::EmbeddingLayout& layout);
    /// The files have changed: reads missing sets again on request.
    void look_again() { looked_for_.clear(); }
    /// The weights have changed: drops all sets and running work.
    void forget();

private:
    friend class EmbeddingHost;
    struct Outcome {
        std::shared_ptr<const EmbeddingSet> set;
        QString problem = {};
        /// `set` replaces this one, and is dropped if it is gone. Null: `set` is new.
        std::shared_ptr<const EmbeddingSet> former = nullptr;
    };
    struct Kept {
        std::shared_ptr<const EmbeddingSet> set;
        QElapsedTimer since_asked = {};
    };
    /// A layout to store after the running work, with its set.
    struct WaitingLayout {
        std::shared_ptr<const EmbeddingSet> set;
        std::string name;
        store::EmbeddingLayout layout;
    };
    void begin(EmbeddingStatus::Phase phase, Stage stage, Job<Outcome>::Work work);
    void end(Outcome outcome);
    /// `problem` of the work before, still shown afterwards.
    void begin_storing(WaitingLayout waiting, const QString& problem);
    void keep(Outcome outcome);
    [[nodiscard]] std::size_t bytes() const;
    [[nodiscard]] Kept* find(const EmbeddingMoment& moment);
    [[nodiscard]] std::shared_ptr<const EmbeddingSet> ask(Kept* kept);

    QString folder_;
    std::shared_ptr<EmbeddingHost> host_;
    std::list<EmbeddingWork*>::iterator place_;
    std::function<void(bool)> changed_;
    std::vector<Kept> sets_;  ///< one per moment, the latest first
    EmbeddingStatus status_;
    bool reading_ = false;
    std::optional<inspect::EmbeddingRequest> next_;  ///< after the running read
    std::optional<WaitingLayout> next_layout_;
    QSet<QString> looked_for_;  ///< names of moments
    Job<Outcome> job_;          ///< on the host's thread
};

}  // namespace casp::widgets

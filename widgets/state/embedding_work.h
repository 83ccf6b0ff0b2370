#pragma once
// Embeddings of one stored run: read from arrays.h5 where they are kept, else computed from its weights when
// somebody asks for them, beside the GUI thread, with progress and a way to stop.

#include <cstddef>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include <QElapsedTimer>
#include <QSet>
#include <QString>

#include "state/background.h"
#include "state/embedding_set.h"

namespace casp::widgets {

/// Where the work stands.
struct EmbeddingStatus {
    enum class Phase { idle, waiting, reading, computing, storing };
    Phase phase = Phase::idle;
    QString stage;             ///< what is being done, in words
    double share = -1;         ///< 0 … 1; negative: not known
    double seconds_left = -1;  ///< negative: not known
    QString problem;           ///< why the last work failed; empty: it did not
    [[nodiscard]] bool is_busy() const { return phase != Phase::idle; }
};

class EmbeddingWork;

/// What all runs of a window share: one thread that computes (LibTorch uses all cores by itself) and the
/// memory that sets may take together. Beyond that the sets asked for longest ago are dropped, but never one
/// that a view holds or that was asked for in the last ten seconds, and of the run asked last neither the
/// latest nor one of the best checkpoint that could not be read again. GUI thread.
class EmbeddingHost {
public:
    static constexpr std::size_t usual_bytes = std::size_t{1536} << 20u;
    explicit EmbeddingHost(std::size_t most_bytes = usual_bytes, std::int64_t idle_ms = 10000)
        : most_bytes_(most_bytes), idle_ms_(idle_ms) {}
    /// The one of this process; made with its first user, gone with its last.
    [[nodiscard]] static std::shared_ptr<EmbeddingHost> shared();

private:
    friend class EmbeddingWork;
    void trim();
    std::size_t most_bytes_;
    std::int64_t idle_ms_;
    std::list<EmbeddingWork*> works_;  ///< the one asked last in front
    WorkPool pool_{1};
};

/// Keeps a set of each split at the best checkpoint (two pages may show two) and of snapshots, as far as
/// the memory of the host goes. GUI thread.
class EmbeddingWork {
public:
    /// `changed` is called after a change of set() or status(), with true where only the progress is another.
    EmbeddingWork(QString run_folder, std::shared_ptr<EmbeddingHost> host,
                  std::function<void(bool progress_only)> changed);
    /// Asks what goes on to stop; it ends by itself.
    ~EmbeddingWork();
    EmbeddingWork(const EmbeddingWork&) = delete;
    EmbeddingWork& operator=(const EmbeddingWork&) = delete;

    /// What was read or computed last of the best checkpoint; null: nothing yet.
    [[nodiscard]] std::shared_ptr<const EmbeddingSet> set();
    /// What there is of them; null: nothing yet.
    [[nodiscard]] std::shared_ptr<const EmbeddingSet> set_of(const EmbeddingMoment& moment);
    [[nodiscard]] const EmbeddingStatus& status() const { return status_; }

    /// Reads what arrays.h5 keeps of them, once; nothing where there is none. While something goes on it
    /// does nothing: whoever hears of the end asks again.
    void read_stored(const EmbeddingMoment& moment);
    /// Computes; what there is stays until the new set is complete. Waits for a reading that goes on; while
    /// something is computed or stored it is refused (false).
    bool compute(inspect::EmbeddingRequest request);
    void cancel();
    /// Keeps set_of(moment) in the run's arrays.h5.
    void store(const EmbeddingMoment& moment);
    /// Keeps a layout of set_of(moment) beside it. Waits for what goes on: a layout that is made is not lost.
    void store_layout(const EmbeddingMoment& moment, const QString& name,
                      const store::EmbeddingLayout& layout);
    /// The files have changed: where nothing was stored, there may be something now.
    void look_again() { looked_for_.clear(); }
    /// The weights are others: what is known is of the past.
    void forget();

private:
    friend class EmbeddingHost;
    struct Outcome {
        std::shared_ptr<const EmbeddingSet> set;
        QString problem;
        bool cancelled = false;
        /// `set` is this one and knows more; where it is gone meanwhile, so is `set`. Null: it is another.
        std::shared_ptr<const EmbeddingSet> former;
    };
    struct Kept {
        std::shared_ptr<const EmbeddingSet> set;
        QElapsedTimer since_asked;
    };
    /// A layout that is to be stored once the work has ended, with the set that it is of.
    struct WaitingLayout {
        std::shared_ptr<const EmbeddingSet> set;
        std::string name;
        store::EmbeddingLayout layout;
    };
    void begin(EmbeddingStatus::Phase phase, const QString& stage,
               std::function<Outcome(const ProgressFn&, const std::stop_token&)> work);
    void end(Outcome outcome);
    /// `problem` of the work before, which this one must not hide.
    void begin_storing(WaitingLayout waiting, const QString& problem);
    void keep(Outcome outcome);
    [[nodiscard]] std::size_t bytes() const;
    [[nodiscard]] Kept* find(const EmbeddingMoment& moment);
    [[nodiscard]] std::shared_ptr<const EmbeddingSet> ask(Kept* kept);

    QString folder_;
    std::shared_ptr<EmbeddingHost> host_;
    std::list<EmbeddingWork*>::iterator place_;
    std::function<void(bool)> changed_;
    std::vector<Kept> sets_;  ///< one of a moment, the latest in front
    EmbeddingStatus status_;
    bool reading_ = false;
    std::optional<inspect::EmbeddingRequest> next_;  ///< once the reading has ended
    std::optional<WaitingLayout> next_layout_;
    QSet<QString> looked_for_;  ///< names of moments
    int times_forgotten_ = 0;
    std::stop_source stop_;
    QElapsedTimer since_begin_;
    Inbox inbox_;
};

}  // namespace casp::widgets

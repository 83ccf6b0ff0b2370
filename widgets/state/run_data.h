#pragma once
// The data of one run for views, live or stored.
//
// Views do not distinguish live and stored runs. GUI thread; no call blocks: files are read on a thread pool,
// and changed() follows.

#include <cstdint>
#include <memory>
#include <vector>

#include <QColor>
#include <QObject>
#include <QString>

#include "state/embedding_work.h"
#include "store/results.h"
#include "store/run_record.h"
#include "train/observer.h"

namespace casp::widgets {

/// The changed part, for views of one part only.
enum class RunPart {
    summary,
    curves,
    anchors,
    probe,
    forecasts,
    embeddings,
    embedding_work,  ///< only the progress of their computation
    everything
};

/// A run in the list: from run.json, the lock and the user's marks.
struct RunSummary {
    QString folder;  ///< absolute; identifies the run in the window
    QString batch;   ///< name of the experiment: the parent folder
    QString name;    ///< of the run: "lambda_cov-0.1_seed-2021", "single"
    store::ResultRow row;
    QString message;    ///< why it failed
    QString updated;    ///< ISO 8601 UTC
    QString created;    ///< ISO 8601 UTC: when it was first queued or started
    bool live = false;  ///< a process holds its lock
    bool ours = false;  ///< trained by this process
    QString note;       ///< the user's
    QString parent;     ///< folder of the run that it was forked from; empty: none, or not known yet
    QColor colour;      ///< permanent
    bool best = false;  ///< lowest validation error of the runs in the list that compare (RunRows::mark_best)

    /// For legends: "sample-96 · λ_cov 0.1 · seed 2021", no longer than about 40 characters.
    [[nodiscard]] QString label() const;
};

enum class Halt { none, paused, stopping };

/// Progress of a running run; all zero for others.
struct RunPace {
    std::int64_t step = 0, steps_per_epoch = 0, epoch = 0;
    std::int64_t epochs = 0;     ///< number of the epoch of last_step
    std::int64_t last_step = 0;  ///< limit (train.epochs, train.max_steps); 0: unknown
    double steps_per_second = 0;
    double seconds_left = 0;  ///< of training and a running validation, or of an evaluation
    std::int64_t memory_bytes = 0;
    StageOf stage;
    double stage_share = 0;       ///< 0 … 1; negative: unknown
    QString device, precision;    ///< "cuda:0", "bf16"
    std::int64_t first_step = 0;  ///< of a fork: number of the parent's steps in `step`
    Halt halt = Halt::none;

    /// Completed fraction of the run's own training steps, or of the stage before the first step; negative:
    /// unknown. The same number everywhere; work besides training is shown as text.
    [[nodiscard]] double share() const;
};

/// One run. Created and owned by RunLibrary.
class RunData : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    [[nodiscard]] virtual const RunSummary& summary() const = 0;
    [[nodiscard]] QString folder() const { return summary().folder; }

    /// Curves, anchors, metrics, scaler: grows during the run, empty until loaded. Valid until control
    /// returns to the event loop.
    [[nodiscard]] virtual const store::RunRecord& record() const = 0;
    /// The fixed probe windows at each snapshot, oldest first: all of them for live runs; for stored runs
    /// those that read_probes() has read, without forecasts.
    [[nodiscard]] virtual const std::vector<std::shared_ptr<const train::Probe>>& probes() const = 0;
    /// Reads the stored snapshots (run.store_embeddings); called by views of probes. Idempotent;
    /// changed(RunPart::probe) follows.
    virtual void read_probes() {}
    [[nodiscard]] virtual bool is_reading_probes() const { return false; }
    [[nodiscard]] virtual const RunPace& pace() const = 0;

    /// Whether record() is complete; false while it is being read (views are dimmed).
    [[nodiscard]] virtual bool is_loaded() const = 0;
    /// Why it could not be read; empty: no problem.
    [[nodiscard]] virtual QString problem() const = 0;
    /// Reads missing parts. Called by views that show the run; idempotent.
    virtual void load() = 0;

    /// Stored forecasts of `split`, windows first … first + count − 1; null until read. The first call starts
    /// reading, changed(RunPart::forecasts) follows. A split that is not stored (yet) has a value without
    /// windows, not null; also in window_errors() and lookbacks().
    [[nodiscard]] virtual std::shared_ptr<const store::ForecastArrays> forecasts(const QString& split,
                                                                                 std::int64_t first,
                                                                                 std::int64_t count) = 0;
    /// Errors of all windows of a stored split (mse, mae, start, selected; prediction and truth stay empty),
    /// null until read.
    [[nodiscard]] virtual std::shared_ptr<const store::ForecastArrays> window_errors(
        const QString& split) = 0;
    /// Look-back values of stored windows in scaled units, [count, L, M], from the CSV file of the
    /// configuration; null until read, and if the file is missing or has changed (see problem_with_data()).
    [[nodiscard]] virtual std::shared_ptr<const std::vector<float>> lookbacks(const QString& split,
                                                                              std::int64_t first,
                                                                              std::int64_t count) = 0;
    [[nodiscard]] virtual QString problem_with_data() const = 0;
    /// Scores of each series of a collection (test split), null until read; without values if the run has
    /// none.
    [[nodiscard]] virtual std::shared_ptr<const store::SeriesScores> series_scores() {
        return std::make_shared<const store::SeriesScores>();
    }

    // Embeddings, similarities and selections of the windows of one split, at the best checkpoint or at a
    // snapshot (run.store_embeddings): read from arrays.h5 or computed on request.
    // changed(RunPart::embeddings) follows each change, RunPart::embedding_work only progress. The default
    // implementations are for runs without embeddings.
    /// Latest set of the best checkpoint; null: none yet.
    [[nodiscard]] virtual std::shared_ptr<const EmbeddingSet> embeddings() { return nullptr; }
    /// Null: not read or computed yet. Requests of other pages for other moments do not drop it.
    [[nodiscard]] virtual std::shared_ptr<const EmbeddingSet> embeddings_of(const EmbeddingMoment& moment) {
        auto set = embeddings();
        return set && set->moment() == moment ? set : nullptr;
    }
    [[nodiscard]] virtual EmbeddingStatus embedding_status() const { return {}; }
    /// Reads the stored set; idempotent.
    virtual void read_embeddings(const EmbeddingMoment& /*moment*/) {}
    /// Missing or unreadable sets are looked for again on request.
    virtual void look_for_embeddings_again() {}
    /// Computes them from the run's weights (request.run is set here). The old set stays until then.
    virtual void compute_embeddings(const inspect::EmbeddingRequest& /*request*/) {}
    virtual void cancel_embeddings() {}
    /// Stores embeddings_of(moment), or a layout ("pca", "tsne") of them, in the run's folder.
    virtual void store_embeddings(const EmbeddingMoment& /*moment*/) {}
    virtual void store_embedding_layout(const EmbeddingMoment& /*moment*/, const QString& /*name*/,
                                        const store::EmbeddingLayout& /*layout*/) {}

Q_SIGNALS:
    void changed(casp::widgets::RunPart part);
};

}  // namespace casp::widgets

Q_DECLARE_METATYPE(casp::widgets::RunPart)

#pragma once
// A run as views see it: its numbers, whether they come from a worker right now or from files.
//
// Live and stored are the same thing: a view asks a RunData and never knows. Everything here lives on the GUI
// thread and returns at once; files are read on a thread pool and arrive with changed().

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

/// What changed, for views that care about one thing only.
enum class RunPart {
    summary,
    curves,
    anchors,
    probe,
    forecasts,
    embeddings,
    embedding_work,  ///< only how far their computation is
    everything
};

/// What a list of runs needs to know about one: run.json, the lock, and what the user gave it.
struct RunSummary {
    QString folder;  ///< absolute; the run's identity everywhere in the window
    QString batch;   ///< name of the experiment: the folder above
    QString name;    ///< of the run: "lambda_cov-0.1_seed-2021", "single"
    store::ResultRow row;
    QString message;    ///< why it failed
    QString updated;    ///< ISO 8601 UTC
    QString created;    ///< likewise, with milliseconds: when its folder was made
    bool live = false;  ///< some process holds its lock right now
    bool ours = false;  ///< this process trains it
    QString note;       ///< the user's
    QString parent;  ///< run folder of which it is a fork; empty where that is not known yet or there is none
    QColor colour;   ///< stays with the run for ever
    bool best = false;  ///< lowest validation MSE among the runs of the same task in the list

    /// For legends: "sample-96 · λ_cov 0.1 · seed 2021", no longer than about 40 characters.
    [[nodiscard]] QString label() const;
};

/// Where a run that goes on stands; all zero for others.
struct RunPace {
    std::int64_t step = 0, steps_per_epoch = 0, epoch = 0;
    std::int64_t epochs = 0;     ///< number of the epoch of last_step
    std::int64_t last_step = 0;  ///< that is permitted (train.epochs, train.max_steps); 0: not known
    double steps_per_second = 0;
    double seconds_left = 0;  ///< of the training and, while it is validated, of that too; of an evaluation
    std::int64_t memory_bytes = 0;
    QString stage;                ///< "reading ETTh1.csv", "training", "evaluating"
    double stage_share = 0;       ///< 0 … 1; negative: not known
    QString device, precision;    ///< "cuda:0", "bf16"
    std::int64_t first_step = 0;  ///< of a fork: how many of `step` are its parent's
    QString halt;                 ///< "paused", "stopping": what was asked of it; empty: it goes on

    /// Share of the run's own training steps that are done, or of the stage where none was made yet;
    /// negative: not known. The same number everywhere: what goes on beside the training is told in words.
    [[nodiscard]] double share() const;
};

/// One run. Made by RunLibrary; owned by it.
class RunData : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    [[nodiscard]] virtual const RunSummary& summary() const = 0;
    [[nodiscard]] QString folder() const { return summary().folder; }

    /// Curves, anchors, metrics, scaler: grows while the run goes on, empty until loaded. Valid until control
    /// returns to the event loop.
    [[nodiscard]] virtual const store::RunRecord& record() const = 0;
    /// The fixed probe windows seen through the model at each snapshot, oldest first; of runs watched from
    /// their start all, of stored runs those that read_probes() found: without forecasts.
    [[nodiscard]] virtual const std::vector<std::shared_ptr<const train::Probe>>& probes() const = 0;
    /// Begins to read the snapshots that the run has kept (run.store_embeddings); views that draw probes call
    /// it. Idempotent; changed(RunPart::probe) tells when they are there.
    virtual void read_probes() {}
    [[nodiscard]] virtual bool is_reading_probes() const { return false; }
    [[nodiscard]] virtual const RunPace& pace() const = 0;

    /// True once record() holds what there is; false while it is being read (views dim what they show).
    [[nodiscard]] virtual bool is_loaded() const = 0;
    /// Why it could not be read; empty where it could.
    [[nodiscard]] virtual QString problem() const = 0;
    /// Begins to read what is not there yet. Views call it when they show the run; idempotent.
    virtual void load() = 0;

    /// Stored forecasts of `split`, windows first … first + count − 1, as far as they were read; null until
    /// then. The first call begins to read them, changed(RunPart::forecasts) tells when they are there. A
    /// split that is not stored (yet) is a value without windows, not null; so below.
    [[nodiscard]] virtual std::shared_ptr<const store::ForecastArrays> forecasts(const QString& split,
                                                                                 std::int64_t first,
                                                                                 std::int64_t count) = 0;
    /// Errors of all windows of a stored split (mse, mae, start, selected; prediction and truth stay empty),
    /// null until read.
    [[nodiscard]] virtual std::shared_ptr<const store::ForecastArrays> window_errors(
        const QString& split) = 0;
    /// Lookback values of stored windows in scaled units, [count, L, M], from the CSV named in the
    /// configuration; null until read or where the file is gone or has changed (then problem_with_data() says
    /// so).
    [[nodiscard]] virtual std::shared_ptr<const std::vector<float>> lookbacks(const QString& split,
                                                                              std::int64_t first,
                                                                              std::int64_t count) = 0;
    [[nodiscard]] virtual QString problem_with_data() const = 0;

    // Embeddings, similarities and selections of the windows of one split, at the best checkpoint or at a
    // snapshot (run.store_embeddings): read from arrays.h5 or computed on request.
    // changed(RunPart::embeddings) tells of each change, embedding_work of mere progress. Without a body:
    // runs that have none.
    /// What was read or computed last of the best checkpoint; null: nothing yet.
    [[nodiscard]] virtual std::shared_ptr<const EmbeddingSet> embeddings() { return nullptr; }
    /// What there is of a split, which another page's asking for another does not take away.
    [[nodiscard]] virtual std::shared_ptr<const EmbeddingSet> embeddings_of(const EmbeddingMoment& moment) {
        auto set = embeddings();
        return set && set->moment() == moment ? set : nullptr;
    }
    [[nodiscard]] virtual EmbeddingStatus embedding_status() const { return {}; }
    /// Begins to read what is stored of them; idempotent.
    virtual void read_embeddings(const EmbeddingMoment& /*moment*/) {}
    /// What could not be read, or was not there, is looked for once more where it is asked for.
    virtual void look_for_embeddings_again() {}
    /// Computes them from the run's weights (request.run is set here). What there is stays until then.
    virtual void compute_embeddings(const inspect::EmbeddingRequest& /*request*/) {}
    virtual void cancel_embeddings() {}
    /// Keeps embeddings_of(moment) in the run's folder; a layout ("pca", "tsne") of them beside.
    virtual void store_embeddings(const EmbeddingMoment& /*moment*/) {}
    virtual void store_embedding_layout(const EmbeddingMoment& /*moment*/, const QString& /*name*/,
                                        const store::EmbeddingLayout& /*layout*/) {}

Q_SIGNALS:
    void changed(casp::widgets::RunPart part);
};

}  // namespace casp::widgets

Q_DECLARE_METATYPE(casp::widgets::RunPart)

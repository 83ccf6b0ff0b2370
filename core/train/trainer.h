#pragma once
// The training loop.

#include <chrono>
#include <functional>
#include <memory>
#include <optional>

#include "config/config.h"
#include "data/windows.h"
#include "model/forecaster.h"
#include "train/checkpoint.h"
#include "train/evaluation.h"
#include "train/graphed_step.h"
#include "train/joint_training.h"
#include "train/optimizer.h"
#include "train/process_group.h"
#include "train/run_log.h"
#include "train/stop.h"
#include "util/device.h"
#include "util/phrase.h"

namespace casp::train {

/// How training ended.
enum class TrainingEnd { patience, epochs, max_steps, finished_early, cancelled, interrupted };

/// Callbacks of the training loop, for writing files and live views. Called between two steps, after the
/// losses of all previous steps were checked to be finite.
struct TrainerHooks {
    std::function<void(const Evaluation&)> best;  ///< new best epoch: write the weights
    std::function<void()> checkpoint;             ///< write run.h5, then a checkpoint of `state`
    std::function<void()> record;                 ///< the history grew: write run.h5 if due
    /// One sentence about the last good checkpoint, for the message of a failing run.
    std::function<std::string()> saved = {};
    std::function<void()> snapshot = {};  ///< anchor usage was recorded: store the embeddings of this step
    /// Whether a probe for live views is due.
    std::function<bool(ProbeTime time)> probe_due = {};
    /// Takes a probe for live views, with usage since the last snapshot (null: no anchors were retrieved).
    std::function<void(std::shared_ptr<const AnchorSnapshot>)> probe = {};
};

/// The last permitted step by train.epochs and train.max_steps, given the training state.
[[nodiscard]] std::int64_t last_step(const config::Config& config, const TrainState& state,
                                     std::int64_t steps_per_epoch);

/// Trains in epochs with a validation after each, until patience, epochs, max_steps or a stop
/// request ends it. A model that does not train in epochs is fitted, if it has a closed form, and validated
/// once.
///
/// Window order, dropout and learning rate depend only on the configuration and `state`: resuming from a
/// stored state is bit-identical to an uninterrupted run (CPU, fp32, same number of threads). One thread.
///
/// Several processes can train one model (joint_training.h): each creates a trainer with its own model, data
/// and `group`, and rank 0's state is taken over by all. Requests to one are requests to all. Where a process
/// is lost, the run is interrupted after the last complete step.
/// More than 25 methods: two are public; the others are the steps of one loop and share its state.
class Trainer {
public:
    Trainer(const config::Config& config, model::Forecaster& model, AdamW& optimizer, data::WindowSet& train,
            const data::WindowSet& validation, TrainState& state, RunLog& log, StopControl& stop,
            TrainerHooks hooks, ProcessGroup* group = nullptr);

    /// Throws a run Error that names the step, the term and the batch's windows if a loss is not finite.
    TrainingEnd run();

    [[nodiscard]] std::int64_t steps_per_epoch() const;

private:
    struct Pending {
        std::int64_t step, position;
        at::Tensor items;
        double learning_rate;
        StepValues values;
    };

    /// The whole run of a model that does not train in epochs: a fit in closed form if it has one, and one
    /// validation.
    TrainingEnd evaluate_once();
    TrainingEnd train_in_epochs();
    TrainingEnd stopped();
    /// False: a stop was requested.
    bool fit();
    [[nodiscard]] EvaluationOptions validation_options() const;
    void start_epoch();
    /// One step of training as in the paper, without waiting for the device: the forecast of these windows,
    /// for which anchors are retrieved and c̃ is moved (Algorithm 1); the composite objective; its gradients;
    /// Adam.
    [[nodiscard]] StepValues step(const at::Tensor& items, const StepRates& rates, const StepPart& part);
    /// Around the next step: other processes or a record, the history, snapshots and probes.
    void take_step();
    void flush();
    /// Memory in use, in bytes; also raises the run's peak.
    std::int64_t memory_in_use();
    void report(store::StepEntry last, std::int64_t position);
    bool finish_epoch();
    /// Whether anything was retrieved since the last snapshot.
    [[nodiscard]] bool has_new_usage() const;
    /// Usage since the last snapshot, and c̃.
    [[nodiscard]] std::shared_ptr<const AnchorSnapshot> anchors_now() const;
    void add_snapshot();
    void take_snapshot();
    void take_probe(ProbeTime time);
    void fail_not_finite(const Pending& pending, const std::string& term, double value) const;
    [[nodiscard]] bool training_is_over() const;
    [[nodiscard]] std::uint64_t seed() const { return static_cast<std::uint64_t>(config_.train.seed); }
    [[nodiscard]] std::int64_t last_epoch() const { return state_.fork_epoch + config_.train.epochs; }
    /// Rates of the next step; at the end of an epoch, of its last.
    [[nodiscard]] StepRates rates() const;
    [[nodiscard]] bool stores_gradients() const;  ///< of the step that comes
    void call(const std::function<void()>& hook);
    [[nodiscard]] Phrase saved() const;
    [[nodiscard]] bool checkpoint_due() const;
    void wait_while_paused();

    const config::Config& config_;
    model::Forecaster& model_;
    AdamW& optimizer_;
    data::WindowSet& train_;
    const data::WindowSet& validation_;
    TrainState& state_;
    RunLog& log_;
    StopControl& stop_;
    TrainerHooks hooks_;
    std::optional<JointTraining> joint_;  ///< with other processes, until one is lost
    bool trains_;

    using Clock = std::chrono::steady_clock;
    std::int64_t probe_step_ = -1;
    GraphedStep graphed_;
    at::Tensor order_;  ///< items of the current epoch
    std::vector<Pending> pending_;
    RunAhead ahead_;  ///< cancel, pause and finish early take effect soon
    Clock::time_point interval_begin_;
    std::optional<Clock::time_point> last_checkpoint_;  ///< none: the run has no checkpoint yet
    double seconds_per_step_ = 0;                       ///< smoothed, for the time left
    double validation_seconds_ = 0;
};

}  // namespace casp::train

#include "train/trainer.h"

#include <algorithm>
#include <cmath>

#include <torch/torch.h>

#include "model/cuda/kernels.h"
#include "model/descriptor.h"
#include "model/dropout.h"
#include "model/retrieval.h"
#include "model/target_channels.h"
#include "train/closed_form_fit.h"
#include "train/objective.h"
#include "util/error.h"
#include "util/out_of_memory.h"
#include "util/random.h"
#include "util/tf32.h"

namespace casp::train {

namespace {

constexpr std::size_t gpu_logging_interval = 20;  ///< steps between two reads of the device
/// Steps of 150 ms then end within half a second, and the device has work for two while the host wakes up.
constexpr std::size_t max_steps_ahead = 3;

double seconds_between(std::chrono::steady_clock::time_point a, std::chrono::steady_clock::time_point b) {
    return std::chrono::duration<double>(b - a).count();
}

StepValues values_of(const Objective& loss, const model::Forecast& forecast, std::int64_t channels,
                     const at::Tensor& usage) {
    const torch::NoGradGuard no_gradient;
    StepValues values;
    values.channels = channels;
    std::vector<at::Tensor> scalars{
        loss.forecast, loss.total,
        forecast.active_pairs.defined() ? forecast.active_pairs : at::zeros_like(loss.total)};
    for (const auto& term : loss.terms) {
        values.terms.push_back(term.name);
        scalars.push_back(term.value);
    }
    for (auto& scalar : scalars) scalar = scalar.detach().to(at::kDouble);
    values.logged = at::stack(scalars);
    if (usage.defined() && forecast.retrieved.defined()) {
        values.usage = at::zeros_like(usage);
        model::count_retrievals(values.usage, forecast.retrieved);
    }
    return values;
}

}  // namespace

std::int64_t last_step(const config::Config& config, const TrainState& state, std::int64_t steps_per_epoch) {
    const auto epochs_left = state.fork_epoch + config.train.epochs - state.epoch;
    auto last = state.step + steps_per_epoch - state.position + epochs_left * steps_per_epoch;
    if (config.train.max_steps > 0) last = std::min(last, state.fork_step + config.train.max_steps);
    return std::max(last, state.step);
}

Trainer::Trainer(const config::Config& config, model::Forecaster& model, AdamW& optimizer,
                 data::WindowSet& train, const data::WindowSet& validation, TrainState& state, RunLog& log,
                 StopControl& stop, TrainerHooks hooks, ProcessGroup* group)
    : config_(config),
      model_(model),
      optimizer_(optimizer),
      train_(train),
      validation_(validation),
      state_(state),
      log_(log),
      stop_(stop),
      hooks_(std::move(hooks)),
      trains_(model::trains_in_steps(model)),
      graphed_(train.device()),
      ahead_(train.device(), max_steps_ahead) {
    if (group != nullptr) joint_.emplace(*group, model, optimizer, state);
}

std::int64_t Trainer::steps_per_epoch() const {
    return trains_ ? (train_.size() + config_.train.batch_size - 1) / config_.train.batch_size : 0;
}

TrainingEnd Trainer::run() {
    interval_begin_ = Clock::now();
    if (log_.record().attributes.checkpointed.value_or(false)) last_checkpoint_ = interval_begin_;
    if (state_.ended_early) return TrainingEnd::finished_early;  // a kill came during the evaluation
    if (!trains_) return evaluate_once();
    try {
        const auto end = train_in_epochs();
        if (joint_) joint_->finish(log_);
        return end;
    } catch (const ProcessLost& loss) {
        joint_->restore();
        joint_.reset();
        log_.on_message(MessageLevel::warning, phrase_of(loss));
        stop_.ask(StopRequest::interrupt);
        return stopped();
    }
}

TrainingEnd Trainer::stopped() {
    flush();
    const auto* const process = std::as_const(model_).own_process();
    try {
        if (process != nullptr && process->has_ended()) throw Cancelled();  // its weights are lost
        call(hooks_.checkpoint);
        log_.on_checkpoint(state_.step);
    } catch (const Cancelled&) {
        log_.on_message(
            MessageLevel::warning,
            "the process did not answer in time: what was learned since the last checkpoint is lost");
    }
    // Views show where the run stopped. Resumed, it counts on from the snapshot before.
    if (has_new_usage()) add_snapshot();
    take_probe(ProbeTime::end);
    return stop_.request() == StopRequest::cancel ? TrainingEnd::cancelled : TrainingEnd::interrupted;
}

TrainingEnd Trainer::train_in_epochs() {
    start_epoch();
    take_probe(ProbeTime::snapshot);  // live views are filled before the first step is through
    const auto leave = [&](TrainingEnd end) {
        take_snapshot();  // what was retrieved since the last one
        take_probe(ProbeTime::end);
        return end;
    };
    while (true) {
        wait_while_paused();
        if (joint_) joint_->agree_on_request(stop_);
        const auto request = stop_.request();
        if (request >= StopRequest::cancel) return stopped();
        const bool early = request == StopRequest::finish_early;
        if (!early && !training_is_over() && state_.position < steps_per_epoch()) {
            try {
                take_step();
            } catch (const Cancelled&) {  // of a model in a process of its own
                continue;
            }
            if (checkpoint_due()) {
                flush();
                call(hooks_.checkpoint);
                log_.on_checkpoint(state_.step);
                last_checkpoint_ = Clock::now();
            }
            continue;
        }
        // A resumed run whose last step was the last one permitted may already have been evaluated.
        if (state_.position > 0 || state_.stopping.best_step < 0) {
            flush();
            if (!finish_epoch()) continue;  // validation was interrupted: the loop's head deals with it
        }
        if (early) {
            state_.ended_early = true;
            return leave(TrainingEnd::finished_early);
        }
        if (state_.stopping.exhausted(config_.train.patience)) return leave(TrainingEnd::patience);
        if (state_.epoch > last_epoch()) return leave(TrainingEnd::epochs);
        if (training_is_over()) return leave(TrainingEnd::max_steps);
        start_epoch();
    }
}

TrainingEnd Trainer::evaluate_once() {
    while (state_.stopping.best_step < 0) {
        wait_while_paused();
        if (!stop_.must_stop() && (state_.position > 0 || fit())) {
            take_probe(ProbeTime::snapshot);
            if (finish_epoch()) break;
        }
        if (stop_.must_stop()) return stopped();
    }
    take_probe(ProbeTime::end);  // where a resumed run had been validated before
    return TrainingEnd::epochs;
}

bool Trainer::fit() {
    auto* const process = model_.own_process();
    const bool fits_there = process != nullptr && process->training() == model::OwnProcess::Training::one_fit;
    if (model_.closed_form() == nullptr && !fits_there) return true;
    const auto begin = Clock::now();
    const double held_before = stop_.held_seconds();
    try {
        if (fits_there) {
            log_.on_progress({Stage::fitting, 0, 0, {}});
            process->fit(train_, derive_seed(seed(), "fit"));
        } else {
            fit_closed_form(model_, train_, validation_, validation_options(), log_, stop_);
        }
    } catch (const Cancelled&) {
        return false;
    }
    const double seconds = seconds_between(begin, Clock::now()) - (stop_.held_seconds() - held_before);
    state_.seconds += seconds;
    state_.epoch_seconds += seconds;
    if (!fits_there) return true;
    state_.position = 1;  // of one: resumed, it is not fitted again
    call(hooks_.checkpoint);
    log_.on_checkpoint(state_.step);
    return true;
}

EvaluationOptions Trainer::validation_options() const {
    EvaluationOptions options;
    options.rows_per_batch = evaluation_rows(config_, validation_.channels());
    options.group = joint_ ? &joint_->group() : nullptr;
    options.progress = [this](const Progress& progress) {
        log_.on_progress({Stage::validating, progress.done, progress.total, progress.unit});
    };
    return options;
}

bool Trainer::training_is_over() const {
    // Between two epochs only: an epoch that was begun is finished and validated.
    if (state_.position == 0 &&
        (state_.epoch > last_epoch() || state_.stopping.exhausted(config_.train.patience)))
        return true;
    return config_.train.max_steps > 0 && state_.step - state_.fork_step >= config_.train.max_steps;
}

bool Trainer::stores_gradients() const {
    const auto every = config_.run.gradient_steps;
    return every > 0 && state_.step % every == 0;
}

StepRates Trainer::rates() const {
    const auto steps = steps_per_epoch();
    return rates_at(
        config_, {state_.epoch - state_.fork_epoch,
                  std::clamp<std::int64_t>(state_.position, 0, std::max<std::int64_t>(steps, 1) - 1), steps});
}

void Trainer::call(const std::function<void()>& hook) {
    // Writing files is time of the run, but of no step.
    const auto begin = Clock::now();
    hook();
    state_.seconds += seconds_between(begin, Clock::now());
    interval_begin_ = Clock::now();
}

void Trainer::start_epoch() {
    if (joint_) joint_->take_state();  // processors of two kinds may round differently
    const auto seed_of = [&](const char* purpose) {
        return derive_seed(seed(), purpose, static_cast<std::uint64_t>(state_.epoch));
    };
    train_.start_epoch(seed_of("cuts"));
    const auto items = train_.size();
    order_ = config_.train.shuffle
                 ? at::randperm(items, make_generator(seed_of("order")), at::TensorOptions(at::kLong))
                 : at::arange(items, at::kLong);
    // Once per epoch: a copy from pageable memory in every step would wait for the device.
    order_ = order_.to(train_.device());
}

StepValues Trainer::step(const at::Tensor& items, const StepRates& rates, const StepPart& part) {
    if (auto* const process = model_.own_process()) {
        const auto losses =
            process->step(train_, items, rates.learning_rate, rates.beta1,
                          derive_seed(seed(), "step", static_cast<std::uint64_t>(state_.step)));
        StepValues values;
        values.logged = at::tensor({losses.forecast, losses.total, 0.0}, at::kDouble);
        return values;
    }
    optimizer_.clear_gradients();  // of a record that failed
    const auto batch = train_.gather(items);
    const model::TrainingStep training{seed(),     state_.step,   batch.target,      batch.mask,
                                       part.share, batch.targets, part.dropout_state};
    std::optional<Tf32Scope> products(std::in_place, train_.device(), model_.uses_tf32());
    auto forecast = model_.forward({batch.lookback, batch.time}, &training, false);
    forecast.prediction = model::of_channels(forecast.prediction, 2, batch.targets);
    const auto loss = objective(forecast, batch.target, config_.loss.forecast, batch.mask);
    if (stores_gradients())
        log_.append({state_.step + 1, gradient_norms(loss.forecast, forecast, model_.trainable())});
    loss.total.backward(part.weight == 1 ? at::Tensor() : at::full_like(loss.total, part.weight));
    products.reset();

    auto values = values_of(loss, forecast, batch.lookback.size(2), state_.usage);
    if (part.complete) part.complete(values);
    optimizer_.step(rates.learning_rate, rates.beta1);
    if (values.usage.defined()) state_.usage.add_(values.usage);
    return values;
}

void Trainer::take_step() {
    const auto begin = state_.position * config_.train.batch_size;
    const auto items = order_.slice(0, begin, std::min(begin + config_.train.batch_size, train_.size()));
    const auto rates = this->rates();
    const StepWork work = [&](const at::Tensor& of, const StepPart& part) { return step(of, rates, part); };
    // What is recorded must not depend on the step's number but through dropout.
    const bool repeats = !items.is_cpu() && state_.step >= config_.coverage.warmup &&
                         model_.repeats_steps() && !stores_gradients();
    auto values = joint_    ? joint_->step(items, work)
                  : repeats ? graphed_.step({state_.epoch, items.size(0), rates.learning_rate, rates.beta1},
                                            items, model::DropoutStream::state_of(seed(), state_.step), work)
                            : work(items, {});
    if (const auto problem = graphed_.take_problem(); !problem.empty())
        log_.on_message(MessageLevel::info, problem);
    ahead_.queued();
    ++state_.step;
    ++state_.position;
    pending_.push_back({state_.step, state_.position, items, rates.learning_rate, std::move(values)});

    if (items.is_cpu() || pending_.size() >= gpu_logging_interval) flush();
    const auto every = config_.run.snapshot_steps;
    const bool snapshot = every > 0 && state_.step % every == 0;
    if (snapshot) take_snapshot();
    take_probe(snapshot ? ProbeTime::snapshot : ProbeTime::between);
}

void Trainer::flush() {
    if (pending_.empty()) return;
    std::vector<at::Tensor> rows;
    for (const auto& p : pending_) rows.push_back(p.values.logged);
    const auto host = at::cat(rows).to(at::kCPU);  // the one read of the interval
    if (const auto problem = model::cuda::take_kernel_problem(); !problem.empty())
        log_.on_message(MessageLevel::info, problem);
    const auto now = Clock::now();
    const double seconds = seconds_between(interval_begin_, now) / static_cast<double>(pending_.size());
    interval_begin_ = now;
    const auto* v = host.data_ptr<double>();
    store::StepEntry last;
    for (const auto& p : pending_) {
        const auto require_finite = [&](const std::string& term, double value) {
            if (!std::isfinite(value)) fail_not_finite(p, term, value);
        };
        require_finite("forecast", v[0]);
        std::vector<store::LossValue> terms;
        const auto& names = p.values.terms;
        for (std::size_t i = 0; i < names.size(); ++i) {
            require_finite(names[i], v[3 + i]);
            terms.push_back({names[i], v[3 + i]});
        }
        require_finite("total", v[1]);
        const auto items = static_cast<double>(p.items.size(0));
        const double pairs = items * static_cast<double>(p.values.channels * model::pool_size(model_));
        last = {.step = p.step,
                .epoch = state_.epoch,
                .learning_rate = p.learning_rate,
                .forecast = v[0],
                .terms = std::move(terms),
                .total = v[1],
                .gate_share = pairs > 0 ? v[2] / pairs : 0.0,
                .seconds = seconds};
        log_.append(last);
        state_.epoch_loss += v[0] * items;
        state_.epoch_items += p.items.size(0);
        state_.epoch_seconds += seconds;
        state_.seconds += seconds;
        v += p.values.logged.numel();
    }
    seconds_per_step_ = seconds_per_step_ == 0 ? seconds : 0.9 * seconds_per_step_ + 0.1 * seconds;
    report(std::move(last), pending_.back().position);
    pending_.clear();
    call(hooks_.record);
}

std::int64_t Trainer::memory_in_use() {
    const auto* const process = std::as_const(model_).own_process();
    const auto used = process != nullptr ? process->peak_memory() : device_memory(train_.device()).used;
    state_.peak_memory = std::max(state_.peak_memory, used);
    return used;
}

void Trainer::report(store::StepEntry last, std::int64_t position) {
    StepReport r{std::move(last)};
    r.position = position;
    r.steps_per_epoch = steps_per_epoch();
    r.last_step = last_step(config_, state_, r.steps_per_epoch);
    const auto steps_left = static_cast<double>(r.last_step - state_.step);
    const auto left_in_epoch = static_cast<double>(r.steps_per_epoch - r.position);
    r.epoch_seconds_left = std::min(left_in_epoch, steps_left) * seconds_per_step_;
    r.seconds_left = steps_left * seconds_per_step_ +
                     std::ceil(steps_left / static_cast<double>(r.steps_per_epoch)) * validation_seconds_;
    r.memory_bytes = memory_in_use();
    r.loss = model::forecast_loss_title(config_);
    log_.on_step(r);
}

bool Trainer::finish_epoch() {
    const auto begin = Clock::now();
    const double held_before = stop_.held_seconds();
    Evaluation evaluation;
    try {
        evaluation = explaining_memory(
            Phrase("the validation after step %1", state_.step),
            [&] { return evaluate(model_, validation_, validation_options(), stop_); },
            [&] { return saved() + evaluation_memory_advice(config_, validation_.channels()); });
    } catch (const Cancelled&) {
        return false;
    }
    if (!std::isfinite(evaluation.mse))
        throw run_error(Phrase("step %1", state_.step), "the validation MSE is not finite", {},
                        model_.own_process() != nullptr
                            ? Phrase("%1The model forecasts values that are not numbers.", saved())
                        : trains_ ? Phrase("%1Try a smaller train.learning_rate.", saved())
                                  : Phrase("Set data.missing to interpolate or drop-column."));
    memory_in_use();
    validation_seconds_ = seconds_between(begin, Clock::now()) - (stop_.held_seconds() - held_before);
    state_.seconds += validation_seconds_;
    state_.epoch_seconds += validation_seconds_;

    const bool best = state_.stopping.improves(evaluation.criterion(), state_.epoch, state_.step);
    EpochReport report{{.epoch = state_.epoch,
                        .train_forecast = state_.epoch_items > 0
                                              ? state_.epoch_loss / static_cast<double>(state_.epoch_items)
                                              : std::numeric_limits<double>::quiet_NaN(),
                        .val_mse = evaluation.mse,
                        .val_mae = evaluation.mae,
                        .val_smape = evaluation.smape,
                        .learning_rate = rates().learning_rate,
                        .seconds = state_.epoch_seconds}};
    if (config_.run.snapshot_steps == 0) {
        take_snapshot();
        take_probe(ProbeTime::snapshot);
    }
    if (best) {
        log_.change([&](store::RunRecord& record) { record.attributes.best_step = state_.step; });
        try {
            hooks_.best(evaluation);
        } catch (const Cancelled&) {  // of a model in a process of its own
            return false;
        }
    }
    report.epochs = trains_ ? last_epoch() : state_.epoch;
    report.best = best;
    report.waited = state_.stopping.waited;
    report.patience = config_.train.patience;
    report.loss = model::forecast_loss_title(config_);
    log_.on_epoch(report);
    ++state_.epoch;
    state_.position = 0;
    state_.epoch_loss = state_.epoch_seconds = 0;
    state_.epoch_items = 0;
    call(hooks_.record);
    return true;
}

bool Trainer::has_new_usage() const { return state_.usage.defined() && state_.snapshot_step != state_.step; }

std::shared_ptr<const AnchorSnapshot> Trainer::anchors_now() const {
    auto snapshot = std::make_shared<AnchorSnapshot>();
    snapshot->step = state_.step;
    const auto usage = state_.usage.to(at::kCPU);
    snapshot->usage.assign(usage.data_ptr<std::int64_t>(), usage.data_ptr<std::int64_t>() + usage.numel());
    if (const auto statistic = model_.anchors()->coverage_statistic(); statistic.defined()) {
        const auto host = statistic.to(at::kCPU).contiguous();
        snapshot->coverage_statistic.assign(host.data_ptr<float>(), host.data_ptr<float>() + host.numel());
    }
    return snapshot;
}

/// Into the log only: the state keeps counting.
void Trainer::add_snapshot() {
    log_.on_snapshot(anchors_now());
    if (hooks_.snapshot) call(hooks_.snapshot);
}

void Trainer::take_snapshot() {
    flush();
    if (!has_new_usage()) return;
    add_snapshot();
    state_.usage.zero_();
    state_.snapshot_step = state_.step;
}

void Trainer::take_probe(ProbeTime time) {
    if (!hooks_.probe_due || probe_step_ == state_.step) return;
    // A window that closes shows no more probes.
    if (time == ProbeTime::end ? stop_.request() == StopRequest::interrupt : stop_.must_stop()) return;
    if (!hooks_.probe_due(time)) return;
    flush();
    probe_step_ = state_.step;
    // Epochs may take an hour: what is retrieved is seen before the snapshot at their end. Into run.h5 only
    // snapshots go, since a probe's step depends on the clock.
    call([&] { hooks_.probe(has_new_usage() ? anchors_now() : nullptr); });
}

void Trainer::fail_not_finite(const Pending& pending, const std::string& term, double value) const {
    std::string windows;
    const auto items = pending.items.to(at::kCPU);
    const auto* number = items.data_ptr<std::int64_t>();
    std::string all;
    for (std::int64_t i = 0; i < items.numel(); ++i) {
        all += (i == 0 ? "" : ", ") + std::to_string(number[i]);
        if (i == 7) windows = all + ", …";
    }
    if (items.numel() > 8)
        log_.on_message(MessageLevel::info,
                        Phrase("training windows of step %1, all of them: %2", pending.step, all));
    else
        windows = all;
    throw run_error(
        Phrase("step %1", pending.step),
        std::isnan(value) ? Phrase("the %1 loss is not a number (training windows %2)", term, windows)
                          : Phrase("the %1 loss is infinite (training windows %2)", term, windows),
        {},
        Phrase("%1Try a smaller train.learning_rate, or look at these windows for extreme values.", saved()));
}

Phrase Trainer::saved() const { return hooks_.saved ? hooks_.saved() + " " : std::string(); }

bool Trainer::checkpoint_due() const {
    // The first one at once: whatever ends the process, the run can be resumed and forked.
    return !last_checkpoint_ || seconds_between(*last_checkpoint_, Clock::now()) >=
                                    static_cast<double>(config_.run.checkpoint_seconds);
}

void Trainer::wait_while_paused() {
    if (!stop_.must_wait()) return;
    flush();
    stop_.wait_while_paused();
    interval_begin_ = Clock::now();
}

}  // namespace casp::train

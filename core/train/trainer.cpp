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
constexpr std::size_t most_steps_ahead = 3;

double seconds_between(std::chrono::steady_clock::time_point a, std::chrono::steady_clock::time_point b) {
    return std::chrono::duration<double>(b - a).count();
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
      group_(group),
      trains_(!model.trainable().empty() && model.closed_form() == nullptr),
      ahead_(train.device(), most_steps_ahead) {}

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
        if (group_ != nullptr) {
            report_exchange();
            group_->finish();
        }
        return end;
    } catch (const ProcessLost& loss) {
        restore_after_loss();
        log_.on_message(MessageLevel::warning, loss.what());
        stop_.ask(StopRequest::interrupt);
        return stopped();
    }
}

TrainingEnd Trainer::stopped() {
    flush();
    call(hooks_.checkpoint);
    log_.on_checkpoint(state_.step);
    // Views show where the run stopped. Resumed, it counts on from the snapshot before.
    if (has_new_usage()) add_snapshot();
    take_probe(ProbeTime::end);
    return stop_.request() == StopRequest::cancel ? TrainingEnd::cancelled : TrainingEnd::interrupted;
}

StopRequest Trainer::agreed_request() {
    if (group_ != nullptr)
        stop_.ask(static_cast<StopRequest>(group_->largest(static_cast<std::int64_t>(stop_.request()))));
    return stop_.request();
}

TrainingEnd Trainer::train_in_epochs() {
    if (group_ != nullptr) take_state();
    start_epoch();
    take_probe(ProbeTime::snapshot);  // live views are filled before the first step is through
    const auto leave = [&](TrainingEnd end) {
        take_snapshot();  // what was retrieved since the last one
        take_probe(ProbeTime::end);
        return end;
    };
    while (true) {
        wait_while_paused();
        const auto request = agreed_request();
        if (request >= StopRequest::cancel) return stopped();
        const bool early = request == StopRequest::finish_early;
        if (!early && !training_is_over() && state_.position < steps_per_epoch()) {
            step();
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
        if (group_ != nullptr) take_state();  // processors of two kinds may round differently
        start_epoch();
    }
}

TrainingEnd Trainer::evaluate_once() {
    while (state_.stopping.best_step < 0) {
        wait_while_paused();
        if (!stop_.must_stop() && fit()) {
            take_probe(ProbeTime::snapshot);
            if (finish_epoch()) break;
        }
        if (stop_.must_stop()) return stopped();
    }
    take_probe(ProbeTime::end);  // where a resumed run had been validated before
    return TrainingEnd::epochs;
}

bool Trainer::fit() {
    if (model_.closed_form() == nullptr) return true;
    const auto begin = Clock::now();
    const double held_before = stop_.held_seconds();
    try {
        fit_closed_form(model_, train_, validation_, validation_options(), log_, stop_);
    } catch (const Cancelled&) {
        return false;
    }
    const double seconds = seconds_between(begin, Clock::now()) - (stop_.held_seconds() - held_before);
    state_.seconds += seconds;
    state_.epoch_seconds += seconds;
    return true;
}

EvaluationOptions Trainer::validation_options() const {
    EvaluationOptions options;
    options.rows_per_batch = evaluation_rows(config_, validation_.channels());
    options.group = group_;
    options.progress = [this](const Progress& progress) {
        log_.on_progress({"validating", progress.done, progress.total, progress.unit});
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
    const auto seed_of = [&](const char* purpose) {
        return derive_seed(static_cast<std::uint64_t>(config_.train.seed), purpose,
                           static_cast<std::uint64_t>(state_.epoch));
    };
    train_.start_epoch(seed_of("cuts"));
    const auto items = train_.size();
    order_ = config_.train.shuffle
                 ? at::randperm(items, make_generator(seed_of("order")), at::TensorOptions(at::kLong))
                 : at::arange(items, at::kLong);
    // Once per epoch: a copy from pageable memory in every step would wait for the device.
    order_ = order_.to(train_.device());
}

ComputedStep Trainer::compute(const at::Tensor& items, const model::BatchShare* share, const StepRates& rates,
                              const unsigned long long* dropout_state) {
    const auto batch = train_.gather(items);
    const model::TrainingStep training{static_cast<std::uint64_t>(config_.train.seed),
                                       state_.step,
                                       batch.target,
                                       batch.mask,
                                       share,
                                       batch.targets,
                                       dropout_state};
    std::optional<Tf32Scope> products(std::in_place, train_.device(), model_.uses_tf32());
    auto forecast = model_.forward({batch.lookback, batch.time}, &training, false);
    forecast.prediction = model::of_channels(forecast.prediction, 2, batch.targets);
    const auto terms = objective(forecast, batch.target, config_.loss.forecast, batch.mask);
    // Where no process has a window of its own, all compute the whole batch.
    const double weight = share != nullptr    ? share->fraction()
                          : group_ != nullptr ? 1.0 / group_->size()
                                              : 1.0;
    (group_ != nullptr ? terms.total * weight : terms.total).backward();
    products.reset();

    const torch::NoGradGuard no_gradient;
    const auto active_pairs = forecast.active_pairs.defined() ? forecast.active_pairs.to(at::kDouble)
                                                              : at::zeros_like(terms.total, at::kDouble);
    ComputedStep computed;
    computed.channels = batch.lookback.size(2);
    std::vector<at::Tensor> values{terms.forecast.detach().to(at::kDouble),
                                   terms.total.detach().to(at::kDouble), active_pairs};
    for (const auto& term : terms.terms) {
        computed.terms.push_back(term.name);
        values.push_back(term.value.to(at::kDouble));
    }
    computed.logged = at::stack(values);
    const bool counts = state_.usage.defined() && forecast.retrieved.defined();
    auto usage = counts && group_ != nullptr ? at::zeros_like(state_.usage) : state_.usage;
    if (counts && (share != nullptr || group_ == nullptr || group_->rank() == 0))
        model::count_retrievals(usage, forecast.retrieved);
    if (group_ != nullptr) {
        computed.logged.mul_(weight);
        if (share != nullptr) computed.logged[2] = active_pairs;  // a count
        auto sums = partial_gradients();
        sums.push_back(computed.logged);
        if (counts) sums.push_back(usage);
        group_->sum(sums);
        if (counts) state_.usage.add_(usage);
    }
    if (graphed_ && group_ == nullptr)
        optimizer_.apply(rates.learning_rate, rates.beta1);
    else
        optimizer_.step(rates.learning_rate, rates.beta1);
    return computed;
}

ComputedStep Trainer::compute_alone(const at::Tensor& items, const StepRates& rates) {
    // What a step computes must not depend on its number but through dropout.
    const bool repeats = state_.step >= config_.coverage.warmup && model_.repeats_steps();
    if (!repeats || items.is_cpu()) return compute(items, nullptr, rates, nullptr);
    if (!graphed_) graphed_.emplace(train_.device());
    optimizer_.count_step();
    auto computed = graphed_->step(
        {state_.epoch, items.size(0), rates.learning_rate, rates.beta1}, items,
        model::DropoutStream::state_of(static_cast<std::uint64_t>(config_.train.seed), state_.step),
        [&](const at::Tensor& of, const unsigned long long* state) {
            optimizer_.clear_gradients();  // of a record that failed
            return compute(of, nullptr, rates, state);
        });
    if (const auto problem = graphed_->take_problem(); !problem.empty())
        log_.on_message(MessageLevel::info, problem);
    return computed;
}

void Trainer::step() {
    const auto begin = state_.position * config_.train.batch_size;
    const auto count = std::min(config_.train.batch_size, train_.size() - begin);
    const auto rates = this->rates();
    ComputedStep computed;
    if (group_ == nullptr) {
        computed = compute_alone(order_.slice(0, begin, begin + count), rates);
    } else {
        const auto exchanged_before = group_->bytes();
        const auto share = share_of(count);
        keep_state_before_step();
        const auto first = begin + (share ? share->first : 0);
        computed = compute(order_.slice(0, first, first + (share ? share->windows : count)),
                           share ? &*share : nullptr, rates, nullptr);
        exchanged_ += group_->bytes() - exchanged_before;
        ++exchanging_steps_;
        state_before_step_.clear();
    }
    ahead_.queued();
    const double pairs =
        static_cast<double>(count * computed.channels) * static_cast<double>(model::pool_size(model_));
    ++state_.step;
    ++state_.position;
    pending_.push_back({state_.step, state_.position, begin, count, rates.learning_rate,
                        std::move(computed.terms), computed.logged, pairs});

    if (computed.logged.is_cpu() || pending_.size() >= gpu_logging_interval) flush();
    const auto every = config_.run.snapshot_steps;
    const bool snapshot = every > 0 && state_.step % every == 0;
    if (snapshot) take_snapshot();
    take_probe(snapshot ? ProbeTime::snapshot : ProbeTime::between);
}

void Trainer::flush() {
    if (pending_.empty()) return;
    std::vector<at::Tensor> rows;
    for (const auto& p : pending_) rows.push_back(p.values);
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
        for (std::size_t i = 0; i < p.terms.size(); ++i) {
            require_finite(p.terms[i], v[3 + i]);
            terms.push_back({p.terms[i], v[3 + i]});
        }
        require_finite("total", v[1]);
        last = {.step = p.step,
                .epoch = state_.epoch,
                .learning_rate = p.learning_rate,
                .forecast = v[0],
                .terms = std::move(terms),
                .total = v[1],
                .gate_share = p.pairs > 0 ? v[2] / p.pairs : 0.0,
                .seconds = seconds};
        log_.append(last);
        state_.epoch_loss += v[0] * static_cast<double>(p.items);
        state_.epoch_items += p.items;
        state_.epoch_seconds += seconds;
        state_.seconds += seconds;
        v += p.values.numel();
    }
    seconds_per_step_ = seconds_per_step_ == 0 ? seconds : 0.9 * seconds_per_step_ + 0.1 * seconds;
    report(std::move(last), pending_.back().position);
    pending_.clear();
    call(hooks_.record);
}

std::int64_t Trainer::memory_in_use() {
    const auto used = device_memory(train_.device()).used;
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
            "the validation after step " + std::to_string(state_.step),
            [&] { return evaluate(model_, validation_, validation_options(), stop_); },
            [&] { return saved() + evaluation_memory_advice(config_, validation_.channels()); });
    } catch (const Cancelled&) {
        return false;
    }
    if (!std::isfinite(evaluation.mse))
        throw run_error("step " + std::to_string(state_.step), "the validation MSE is not finite", {},
                        trains_ ? saved() + "Try a smaller train.learning_rate."
                                : "Set data.missing to interpolate or drop-column.");
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
        hooks_.best(evaluation);
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
    const auto items = order_.slice(0, pending.items_begin, pending.items_begin + pending.items).to(at::kCPU);
    const auto* number = items.data_ptr<std::int64_t>();
    std::string all;
    for (std::int64_t i = 0; i < pending.items; ++i) {
        all += (i == 0 ? "" : ", ") + std::to_string(number[i]);
        if (i == 7) windows = all + ", …";
    }
    if (pending.items > 8)
        log_.on_message(MessageLevel::info,
                        "training windows of step " + std::to_string(pending.step) + ", all of them: " + all);
    else
        windows = all;
    throw run_error(
        "step " + std::to_string(pending.step),
        "the " + term + " loss is " + (std::isnan(value) ? "not a number" : "infinite") +
            " (training windows " + windows + ")",
        {}, saved() + "Try a smaller train.learning_rate, or look at these windows for extreme values.");
}

std::string Trainer::saved() const { return hooks_.saved ? hooks_.saved() + " " : std::string(); }

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

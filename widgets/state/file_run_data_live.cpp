// Reports of the worker that trains the run.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "analysis/scores.h"
#include "state/file_run_data.h"

namespace casp::widgets {

namespace {

constexpr std::size_t most_probes = 64;
constexpr std::size_t most_probe_bytes = 256u << 20u;
constexpr std::size_t fewest_probes = 4;
constexpr std::int64_t kept_probes = 8;  ///< of a run that has ended, once no view shows it
constexpr qint64 idle_ms = 10 * 60 * 1000;
constexpr double pace_memory = 0.9;  ///< share of the past in the mean step time

/// False: the snapshot is not newer than the history, or belongs to another pool.
bool append(store::AnchorHistory& h, const train::AnchorSnapshot& snapshot) {
    const auto pool = static_cast<std::int64_t>(snapshot.usage.size());
    if (h.snapshot_step.empty())
        h.pool_size = pool;
    else if (snapshot.step <= h.snapshot_step.back() || pool != h.pool_size)
        return false;
    h.snapshot_step.push_back(snapshot.step);
    h.usage_train.insert(h.usage_train.end(), snapshot.usage.begin(), snapshot.usage.end());
    // A parent's snapshots may have none.
    const auto before = (h.snapshot_step.size() - 1) * static_cast<std::size_t>(pool);
    if (!snapshot.coverage_statistic.empty())
        h.coverage_statistic.resize(before, std::numeric_limits<float>::quiet_NaN());
    h.coverage_statistic.insert(h.coverage_statistic.end(), snapshot.coverage_statistic.begin(),
                                snapshot.coverage_statistic.end());
    return true;
}

/// Number of the epoch in which the last permitted step lies: train.max_steps may end it before train.epochs.
std::int64_t last_epoch_of(const train::StepReport& step) {
    const auto after_this_epoch = step.last_step - step.step - (step.steps_per_epoch - step.position);
    if (after_this_epoch <= 0 || step.steps_per_epoch <= 0) return step.epoch;
    return step.epoch + (after_this_epoch + step.steps_per_epoch - 1) / step.steps_per_epoch;
}

}  // namespace

double RunPace::share() const {
    const auto own = last_step - first_step;
    if (step <= 0 || own <= 0) return stage_share;
    return std::clamp(static_cast<double>(step - first_step) / static_cast<double>(own), 0.0, 1.0);
}

void FileRunData::live_progress(const Progress& progress) {
    const auto stage = QString::fromStdString(progress.stage);
    if (stage != std::exchange(pace_.stage, stage) || !stage_clock_.isValid()) {
        stage_clock_.start();
        halt_clock_.start();
        stage_held_ms_ = 0;
    }
    pace_.stage_share =
        progress.total > 0 ? static_cast<double>(progress.done) / static_cast<double>(progress.total) : -1;
    const bool validates = stage == QLatin1String("validating");
    if (validates || stage.startsWith(QLatin1String("evaluating"))) {
        // The first batches say little of the rest.
        const double share = pace_.stage_share;
        const double passed = static_cast<double>(stage_clock_.elapsed() - stage_held_ms_) / 1000;
        const double stage_left = share > 0.02 ? passed * (1 - share) / share : 0;
        pace_.seconds_left = stage_left + (validates ? training_seconds_left_ : 0);
    }
    touch(RunPart::summary);
}

void FileRunData::live_started(const train::RunStarted& started) {
    live_ = true;
    joined_ = false;
    problem_.clear();
    arrays_.forget();
    embeddings_.forget();
    live_anchors_.reset();
    hide_live_anchors();
    // A resume takes back what came after its checkpoint.
    record_.steps.cut_after(started.first_step);
    record_.epochs.cut_after(started.steps_per_epoch > 0 ? started.first_step / started.steps_per_epoch : 0);
    // The snapshot of the step at which it had stopped counts no longer; run.h5 has all others.
    record_.anchors.cut_after(started.first_step - 1);
    record_.anchors.usage_test.clear();
    record_.val.reset();
    record_.test.reset();
    std::erase_if(probes_, [&](const auto& probe) { return probe->step > started.first_step; });
    probe_number_ = probes_.empty() ? 0 : static_cast<std::int64_t>(probes_.size() - 1) * probe_stride_ + 1;
    if (probes_.empty()) probe_stride_ = 1;
    std::erase_if(stored_probes_, [&](const auto& probe) { return probe->step > started.first_step; });
    join_probes();
    record_.attributes.backbone = started.backbone;
    record_.attributes.device = started.device;
    record_.attributes.hardware = started.hardware;
    record_.attributes.parameters_total = started.parameters_total;
    record_.attributes.parameters_trainable = started.parameters_trainable;
    pace_ = {};
    training_seconds_left_ = 0;
    pace_.first_step = started.parent_steps;  // what a run that is continued did before is its own
    pace_.step = started.first_step;
    pace_.last_step = started.last_step;
    pace_.steps_per_epoch = started.steps_per_epoch;
    pace_.epochs = started.epochs;
    if (const auto steps = started.steps_per_epoch; steps > 0 && started.first_step == 0)
        pace_.epochs = std::min(pace_.epochs, (started.last_step + steps - 1) / steps);
    pace_.epoch = std::min(started.epoch, pace_.epochs);
    pace_.device = QString::fromStdString(started.device);
    pace_.precision = QString::fromStdString(started.precision);
    pace_.stage = QStringLiteral("training");
    pace_.stage_share = -1;
    // Names, scaler and, of a resumed or forked run, its history.
    wanted_ = true;
    start_reading();
    touch(RunPart::everything);
}

void FileRunData::live_joined() {
    live_ = joined_ = true;
    first_joined_ = -1;
    pace_.stage = QStringLiteral("training");
    pace_.stage_share = -1;
    // The history up to the last checkpoint; the steps since then come with the next one.
    wanted_ = true;
    start_reading();
    touch(RunPart::everything);
}

void FileRunData::save_memory() {
    if (live_ || since_request_.elapsed() < idle_ms) return;
    const auto thin = [](std::vector<std::shared_ptr<const train::Probe>>& probes) {
        if (std::ssize(probes) <= kept_probes) return false;
        std::vector<std::shared_ptr<const train::Probe>> kept;
        for (const auto i : analysis::evenly_spaced(std::ssize(probes), kept_probes))
            kept.push_back(probes[static_cast<std::size_t>(i)]);
        probes = std::move(kept);
        return true;
    };
    if (thin(stored_probes_)) {
        // Read again when a view asks for them.
        probes_state_ = ProbesState::unread;
        probes_wanted_ = false;
        join_probes();
    }
    if (!thin(probes_)) return;
    join_probes();
    touch(RunPart::probe);
}

void FileRunData::live_steps(const std::vector<train::StepReport>& steps) {
    auto& h = record_.steps;
    if (joined_ && first_joined_ < 0 && !steps.empty()) first_joined_ = steps.front().step;
    for (const auto& s : steps) {
        if (!h.step.empty() && s.step <= h.step.back()) continue;  // run.h5 had it already
        h.step.push_back(s.step);
        h.epoch.push_back(s.epoch);
        h.learning_rate.push_back(s.learning_rate);
        h.forecast.push_back(s.forecast);
        h.add_terms(s.terms);
        h.total.push_back(s.total);
        h.gate_share.push_back(s.gate_share);
        h.seconds.push_back(s.step_seconds);
        const double seconds = pace_.steps_per_second > 0 ? 1 / pace_.steps_per_second : s.step_seconds;
        const double mean = pace_memory * seconds + (1 - pace_memory) * s.step_seconds;
        pace_.steps_per_second = mean > 0 ? 1 / mean : 0;
    }
    if (steps.empty()) return;
    const auto& last = steps.back();
    pace_.step = last.step;
    pace_.epoch = last.epoch;
    pace_.steps_per_epoch = last.steps_per_epoch;
    pace_.last_step = last.last_step;
    pace_.epochs = last_epoch_of(last);
    pace_.seconds_left = training_seconds_left_ = last.seconds_left;
    pace_.memory_bytes = last.memory_bytes;
    pace_.stage = QStringLiteral("training");
    pace_.stage_share = last.steps_per_epoch > 0
                            ? static_cast<double>(last.position) / static_cast<double>(last.steps_per_epoch)
                            : -1;
    touch(RunPart::curves);
    touch(RunPart::summary);
}

void FileRunData::live_epoch(const train::EpochReport& epoch) {
    auto& h = record_.epochs;
    if (pace_.epochs == 0) pace_.epochs = epoch.epochs;
    if (h.epoch.empty() || epoch.epoch > h.epoch.back()) {
        h.epoch.push_back(epoch.epoch);
        h.train_forecast.push_back(epoch.train_forecast);
        h.val_mse.push_back(epoch.val_mse);
        h.val_mae.push_back(epoch.val_mae);
        if (std::isfinite(epoch.val_smape)) h.val_smape.push_back(epoch.val_smape);
        h.learning_rate.push_back(epoch.learning_rate);
        h.seconds.push_back(epoch.seconds);
    }
    if (epoch.best) record_.attributes.best_step = pace_.step;
    touch(RunPart::curves);
    touch(RunPart::summary);
}

void FileRunData::live_snapshot(const train::AnchorSnapshot& snapshot) {
    live_anchors_.reset();
    hide_live_anchors();
    if (append(record_.anchors, snapshot)) touch(RunPart::anchors);
}

void FileRunData::show_live_anchors() {
    if (live_ && live_anchors_) record_.anchors.last_is_live = append(record_.anchors, *live_anchors_);
}

void FileRunData::hide_live_anchors() {
    auto& h = record_.anchors;
    if (!std::exchange(h.last_is_live, false) || h.snapshot_step.empty()) return;
    const auto before = (h.snapshot_step.size() - 1) * static_cast<std::size_t>(h.pool_size);
    h.snapshot_step.pop_back();
    h.usage_train.resize(std::min(h.usage_train.size(), before));
    h.coverage_statistic.resize(std::min(h.coverage_statistic.size(), before));
}

void FileRunData::live_probe(std::shared_ptr<const train::Probe> probe) {
    if (!probe) return;
    if (live_anchors_ || probe->since_snapshot) {
        hide_live_anchors();
        live_anchors_ = probe->since_snapshot;
        show_live_anchors();
        touch(RunPart::anchors);
    }
    // Every probe_stride_-th is kept, and always the latest; the stride doubles when there are too many. Only
    // the latest keeps its vectors and what was selected by then.
    if (!probes_.empty() && (probes_.back()->has_vectors() || probes_.back()->since_snapshot)) {
        auto slim = std::make_shared<train::Probe>(*probes_.back());
        slim->drop_vectors();
        slim->since_snapshot.reset();
        probes_.back() = std::move(slim);
    }
    if (!probes_.empty() && (probe_number_ - 1) % probe_stride_ != 0) probes_.pop_back();
    const auto floats = probe->lookback.size() + probe->truth.size() + probe->prediction.size();
    const auto bytes = std::max<std::size_t>(1, probe->other_bytes() + sizeof(float) * floats);
    const auto most = std::clamp(most_probe_bytes / bytes, fewest_probes, most_probes);
    probes_.push_back(std::move(probe));
    if (probes_.size() > most) {
        std::vector<std::shared_ptr<const train::Probe>> kept;
        for (std::size_t i = 0; i < probes_.size(); i += 2) kept.push_back(probes_[i]);
        const bool latest_kept = kept.back() == probes_.back();
        if (!latest_kept) kept.push_back(probes_.back());
        probes_ = std::move(kept);
        probe_stride_ *= 2;
    }
    ++probe_number_;
    join_probes();
    touch(RunPart::probe);
}

void FileRunData::live_halted(const QString& how) {
    const auto before = std::exchange(pace_.halt, how);
    if (before == how) return;
    if (how == QLatin1String("paused")) halt_clock_.start();
    if (before == QLatin1String("paused") && halt_clock_.isValid()) stage_held_ms_ += halt_clock_.elapsed();
    touch(RunPart::summary);
}

void FileRunData::live_ended() {
    embeddings_.forget();
    live_ = joined_ = false;
    first_joined_ = -1;
    pace_ = {};
    live_anchors_.reset();
    hide_live_anchors();
    files_changed();
    touch(RunPart::everything);
}

}  // namespace casp::widgets

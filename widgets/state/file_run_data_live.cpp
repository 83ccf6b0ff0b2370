// A run that this process trains, from its log.
#include <algorithm>
#include <utility>

#include "analysis/scores.h"
#include "state/file_run_data.h"

namespace casp::widgets {

namespace {

constexpr std::int64_t kept_probes = 8;  ///< of a run that has ended, once no view shows it
constexpr qint64 idle_ms = 10 * 60 * 1000;
constexpr double pace_memory = 0.9;  ///< share of the past in the mean step time

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

void FileRunData::show_progress(const Progress& progress) {
    const auto& stage = progress.stage;
    if (stage != std::exchange(pace_.stage, stage) || !stage_clock_.isValid()) {
        stage_clock_.start();
        halt_clock_.start();
        stage_held_ms_ = 0;
    }
    pace_.stage_share =
        progress.total > 0 ? static_cast<double>(progress.done) / static_cast<double>(progress.total) : -1;
    const bool validates = stage.kind == Stage::validating;
    if (validates || stage.kind == Stage::evaluating) {
        // The first batches say little of the rest.
        const double share = pace_.stage_share;
        const double passed = static_cast<double>(stage_clock_.elapsed() - stage_held_ms_) / 1000;
        const double stage_left = share > 0.02 ? passed * (1 - share) / share : 0;
        pace_.seconds_left = stage_left + (validates ? training_seconds_left_ : 0);
    }
}

void FileRunData::follow(const std::shared_ptr<const train::RunLog>& log, const train::RunLog::Now& now) {
    touch(RunPart::summary);
    if (!now.started) return show_progress(now.progress);
    const bool begins = log_ != log;
    if (begins) {
        log_ = log;
        begin(*now.started);
    }
    hide_live_anchors();
    const auto steps = record_.steps.step.size(), epochs = record_.epochs.epoch.size(),
               snapshots = record_.anchors.snapshot_step.size();
    log->catch_up(record_);
    if (begins) start_reading_probes();
    if (record_.steps.step.size() > steps || record_.epochs.epoch.size() > epochs) touch(RunPart::curves);
    if (record_.anchors.snapshot_step.size() > snapshots) touch(RunPart::anchors);
    show_steps(now, steps);
    show_progress(now.progress);
    take_probes(now.probes);
    show_live_anchors();
    if (begins && !record_.attributes.parent.empty())
        Q_EMIT parent_found(QString::fromStdString(record_.attributes.parent));
}

void FileRunData::begin(const train::RunStarted& started) {
    reading_.cancel();
    read_again_ = false;
    record_ = {};  // the log has all of it
    wanted_ = loaded_ = true;
    problem_.clear();
    arrays_.forget();
    embeddings_.forget();
    live_anchors_.reset();
    // A resume takes back what came after its checkpoint.
    const auto is_later = [&](const auto& probe) { return probe->step > started.first_step; };
    former_probes_ = std::move(probes_);
    std::erase_if(former_probes_, is_later);
    std::erase_if(stored_probes_, is_later);
    probes_ = former_probes_;
    probes_reading_.cancel();
    probes_state_ = ProbesState::unread;
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
    join_probes();
    touch(RunPart::everything);
}

/// `known`: steps of the record before.
void FileRunData::show_steps(const train::RunLog::Now& now, std::size_t known) {
    const auto& all = record_.steps.seconds;
    for (auto i = std::max(known, all.size() - std::min<std::size_t>(all.size(), 64)); i < all.size(); ++i) {
        const double seconds = pace_.steps_per_second > 0 ? 1 / pace_.steps_per_second : all[i];
        const double mean = pace_memory * seconds + (1 - pace_memory) * all[i];
        pace_.steps_per_second = mean > 0 ? 1 / mean : 0;
    }
    if (now.epoch && pace_.epochs == 0) pace_.epochs = now.epoch->epochs;
    if (!now.step) return;
    const auto& last = *now.step;
    pace_.step = last.step;
    pace_.epoch = last.epoch;
    pace_.steps_per_epoch = last.steps_per_epoch;
    pace_.last_step = last.last_step;
    pace_.epochs = last_epoch_of(last);
    pace_.seconds_left = training_seconds_left_ = last.seconds_left;
    pace_.memory_bytes = last.memory_bytes;
}

void FileRunData::take_probes(const std::vector<std::shared_ptr<const train::Probe>>& probes) {
    if (probes.empty() || (!probes_.empty() && probes.back() == probes_.back())) return;
    probes_ = former_probes_;
    probes_.insert(probes_.end(), probes.begin(), probes.end());
    join_probes();
    if (live_anchors_ || probes.back()->since_snapshot) touch(RunPart::anchors);
    live_anchors_ = probes.back()->since_snapshot;
    touch(RunPart::probe);
}

/// Where they are newer than the last snapshot.
void FileRunData::show_live_anchors() {
    auto& h = record_.anchors;
    if (!log_ || !live_anchors_) return;
    if (!h.snapshot_step.empty() &&
        (live_anchors_->step <= h.snapshot_step.back() || std::ssize(live_anchors_->usage) != h.pool_size))
        return;
    h.append(*live_anchors_);
    h.last_is_live = true;
}

void FileRunData::hide_live_anchors() {
    auto& h = record_.anchors;
    if (!std::exchange(h.last_is_live, false) || h.snapshot_step.empty()) return;
    const auto before = (h.snapshot_step.size() - 1) * static_cast<std::size_t>(h.pool_size);
    h.snapshot_step.pop_back();
    h.usage_train.resize(std::min(h.usage_train.size(), before));
    h.coverage_statistic.resize(std::min(h.coverage_statistic.size(), before));
}

void FileRunData::save_memory() {
    if (log_ || since_request_.elapsed() < idle_ms) return;
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

void FileRunData::live_halted(Halt how) {
    const auto before = std::exchange(pace_.halt, how);
    if (before == how) return;
    if (how == Halt::paused) halt_clock_.start();
    if (before == Halt::paused && halt_clock_.isValid()) stage_held_ms_ += halt_clock_.elapsed();
    touch(RunPart::summary);
}

void FileRunData::live_ended() {
    hide_live_anchors();
    log_.reset();
    embeddings_.forget();
    pace_ = {};
    files_changed();
    touch(RunPart::everything);
}

}  // namespace casp::widgets

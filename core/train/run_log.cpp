#include "train/run_log.h"

#include <algorithm>

namespace casp::train {

namespace {

constexpr std::size_t max_probes = 64;
constexpr std::size_t max_probe_bytes = 256u << 20u;
constexpr std::size_t fewest_probes = 4;

}  // namespace

/// Changes what readers see, then notifies the subscribers and the views.
template <class Change, class Report>
void RunLog::take(Change change, Report report) {
    {
        const std::scoped_lock lock(mutex_);
        change();
    }
    for (auto* subscriber : subscribers_) report(*subscriber);
    if (grew_) grew_();
}

void RunLog::append(const store::StepEntry& step) {
    const std::scoped_lock lock(mutex_);
    record_.steps.append(step);
}

void RunLog::append(const store::GradientEntry& gradients) {
    const std::scoped_lock lock(mutex_);
    record_.gradients.append(gradients);
}

void RunLog::on_message(MessageLevel level, const Phrase& text) {
    take([&] { messages_.emplace_back(level, text); }, [&](TrainObserver& s) { s.on_message(level, text); });
}

void RunLog::on_progress(const Progress& progress) {
    take([&] { now_.progress = progress; }, [&](TrainObserver& s) { s.on_progress(progress); });
}

void RunLog::on_started(const RunStarted& started) {
    take(
        [&] {
            now_.started = started;
            now_.progress = {Stage::training, 0, 0, "steps"};
        },
        [&](TrainObserver& s) { s.on_started(started); });
}

void RunLog::on_step(const StepReport& step) {
    take(
        [&] {
            now_.step = step;
            now_.progress = {Stage::training, step.position, step.steps_per_epoch, "steps"};
        },
        [&](TrainObserver& s) { s.on_step(step); });
}

void RunLog::on_epoch(const EpochReport& epoch) {
    take(
        [&] {
            record_.epochs.append(epoch);
            now_.epoch = epoch;
            if (epoch.best) now_.best = epoch;
        },
        [&](TrainObserver& s) { s.on_epoch(epoch); });
}

void RunLog::on_snapshot(const std::shared_ptr<const AnchorSnapshot>& snapshot) {
    take([&] { record_.anchors.append(*snapshot); }, [&](TrainObserver& s) { s.on_snapshot(snapshot); });
}

bool RunLog::wants_probes() const {
    return grew_ || std::any_of(subscribers_.begin(), subscribers_.end(),
                                [](const TrainObserver* subscriber) { return subscriber->wants_probes(); });
}

void RunLog::on_probe(const std::shared_ptr<const Probe>& probe) {
    take(
        [&] {
            if (grew_) keep(probe);
        },
        [&](TrainObserver& s) { s.on_probe(probe); });
}

/// Every probe_stride_-th is kept, and always the latest; the stride doubles when there are too many.
void RunLog::keep(const std::shared_ptr<const Probe>& probe) {
    auto& probes = now_.probes;
    if (!probes.empty() && (probes.back()->has_vectors() || probes.back()->since_snapshot)) {
        auto slim = std::make_shared<Probe>(*probes.back());
        slim->drop_vectors();
        slim->since_snapshot.reset();
        probes.back() = std::move(slim);
    }
    if (!probes.empty() && (probe_number_ - 1) % probe_stride_ != 0) probes.pop_back();
    const auto floats = probe->lookback.size() + probe->truth.size() + probe->prediction.size();
    const auto bytes = std::max<std::size_t>(1, probe->other_bytes() + sizeof(float) * floats);
    const auto most = std::clamp(max_probe_bytes / bytes, fewest_probes, max_probes);
    probes.push_back(probe);
    if (probes.size() > most) {
        std::vector<std::shared_ptr<const Probe>> kept;
        for (std::size_t i = 0; i < probes.size(); i += 2) kept.push_back(probes[i]);
        if (kept.back() != probes.back()) kept.push_back(probes.back());
        probes = std::move(kept);
        probe_stride_ *= 2;
    }
    ++probe_number_;
}

void RunLog::on_checkpoint(std::int64_t step) {
    take([] {}, [&](TrainObserver& s) { s.on_checkpoint(step); });
}

void RunLog::on_finished(const store::ResultRow& row) {
    take([] {}, [&](TrainObserver& s) { s.on_finished(row); });
}

RunLog::Now RunLog::now() const {
    const std::scoped_lock lock(mutex_);
    return now_;
}

void RunLog::catch_up(store::RunRecord& copy) const {
    const std::scoped_lock lock(mutex_);
    if (!now_.started) return;
    copy.attributes = record_.attributes;
    if (copy.data.channel_names.empty()) copy.data = record_.data;
    copy.steps.catch_up(record_.steps);
    copy.epochs.catch_up(record_.epochs);
    copy.gradients.catch_up(record_.gradients);
    copy.anchors.catch_up(record_.anchors);
}

std::vector<RunLog::Message> RunLog::messages(std::size_t first) const {
    const std::scoped_lock lock(mutex_);
    return {messages_.begin() + static_cast<std::ptrdiff_t>(std::min(first, messages_.size())),
            messages_.end()};
}

}  // namespace casp::train

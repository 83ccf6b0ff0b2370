#include "gui/run_reporter.h"

namespace casp::gui {

template <class Change>
void RunReporter::record(Change change) {
    bool wake = false;
    {
        const std::lock_guard lock(mutex_);
        change(news_);
        wake = !std::exchange(waiting_, true);
    }
    if (wake) wake_();
}

RunNews RunReporter::take() {
    const std::lock_guard lock(mutex_);
    waiting_ = false;
    return std::exchange(news_, {});
}

void RunReporter::on_message(train::MessageLevel level, const std::string& text) {
    record([&](RunNews& news) { news.messages.emplace_back(level, text); });
}
void RunReporter::on_progress(const Progress& progress) {
    record([&](RunNews& news) { news.progress = progress; });
}
void RunReporter::on_started(const train::RunStarted& started) {
    record([&](RunNews& news) { news.started = started; });
}
void RunReporter::on_step(const train::StepReport& step) {
    record([&](RunNews& news) { news.steps.push_back(step); });
}
void RunReporter::on_epoch(const train::EpochReport& epoch) {
    record([&](RunNews& news) { news.epochs.push_back(epoch); });
}
void RunReporter::on_snapshot(const std::shared_ptr<const train::AnchorSnapshot>& snapshot) {
    record([&](RunNews& news) { news.snapshots.push_back(snapshot); });
}
void RunReporter::on_probe(const std::shared_ptr<const train::Probe>& probe) {
    record([&](RunNews& news) { news.probes.push_back(probe); });
}
void RunReporter::end(RunEnd how) {
    record([&](RunNews& news) { news.end = std::move(how); });
}

}  // namespace casp::gui

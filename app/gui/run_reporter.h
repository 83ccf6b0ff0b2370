#pragma once
// The events that a run in a worker thread reports to the GUI thread.

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "store/results.h"
#include "train/observer.h"
#include "util/progress.h"

namespace casp::gui {

/// How a run ended.
struct RunEnd {
    store::ResultRow row;      ///< its state; for `failed` see message
    std::string message;       ///< why it failed
    bool device_lost = false;  ///< its device does not answer any more
};

/// Events of a run since the last take().
struct RunNews {
    std::vector<std::pair<train::MessageLevel, std::string>> messages;
    std::optional<Progress> progress;  ///< the latest
    std::optional<train::RunStarted> started;
    std::vector<train::StepReport> steps;  ///< all of them, in order
    std::vector<train::EpochReport> epochs;
    std::vector<std::shared_ptr<const train::AnchorSnapshot>> snapshots;
    std::vector<std::shared_ptr<const train::Probe>> probes;
    std::optional<RunEnd> end;  ///< no events follow
};

/// Collects the events of a run. Filled by the training thread, emptied from any other thread.
class RunReporter : public train::TrainObserver {
public:
    /// `wake` is called from the training thread when the first event after a take() arrives.
    explicit RunReporter(std::function<void()> wake) : wake_(std::move(wake)) {}

    [[nodiscard]] RunNews take();

    void on_message(train::MessageLevel level, const std::string& text) override;
    void on_progress(const Progress& progress) override;
    void on_started(const train::RunStarted& started) override;
    void on_step(const train::StepReport& step) override;
    void on_epoch(const train::EpochReport& epoch) override;
    void on_snapshot(const std::shared_ptr<const train::AnchorSnapshot>& snapshot) override;
    [[nodiscard]] bool wants_probes() const override { return true; }
    void on_probe(const std::shared_ptr<const train::Probe>& probe) override;
    void end(RunEnd how);

private:
    template <class Change>
    void record(Change change);

    std::function<void()> wake_;
    std::mutex mutex_;
    RunNews news_;
    bool waiting_ = false;  ///< `wake` was called, take() has not been called since
};

}  // namespace casp::gui

#pragma once
// The log of a run: what it records, kept once and read by everybody.

#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "store/run_record.h"
#include "train/observer.h"

namespace casp::train {

/// Appended to by the run; run.h5 is what is kept of it (store/run_file.h). log.txt and consoles are
/// subscribers, which hear each event on the run's thread, in order. Views of a running run read it from any
/// thread: what it recorded (catch_up) and how it stands (now, messages).
///
/// History is only appended from on_started() on; before, a resume cuts it back to its checkpoint.
class RunLog : public TrainObserver {
public:
    using Message = std::pair<MessageLevel, Phrase>;

    RunLog() = default;
    explicit RunLog(TrainObserver& subscriber) : subscribers_{&subscriber} {}
    /// For views. `grew` is called on the run's thread after each event.
    explicit RunLog(std::function<void()> grew) : grew_(std::move(grew)) {}

    // The run's thread.

    /// It hears what follows, until unsubscribe().
    void subscribe(TrainObserver& subscriber) { subscribers_.push_back(&subscriber); }
    void unsubscribe(TrainObserver& subscriber) { std::erase(subscribers_, &subscriber); }

    [[nodiscard]] const store::RunRecord& record() const { return record_; }
    /// change(record) on what is not appended: attributes, data, metrics.
    template <class Change>
    void change(Change change) {
        const std::scoped_lock lock(mutex_);
        change(record_);
    }
    /// Every step; on_step() reports some of them.
    void append(const store::StepEntry& step);
    void append(const store::GradientEntry& gradients);
    void on_message(MessageLevel level, const Phrase& text) override;
    void on_progress(const Progress& progress) override;
    void on_started(const RunStarted& started) override;
    void on_step(const StepReport& step) override;
    void on_epoch(const EpochReport& epoch) override;
    void on_snapshot(const std::shared_ptr<const AnchorSnapshot>& snapshot) override;
    [[nodiscard]] bool wants_probes() const override;
    void on_probe(const std::shared_ptr<const Probe>& probe) override;
    void on_checkpoint(std::int64_t step) override;
    void on_finished(const store::ResultRow& row) override;

    // Any thread.

    /// How a run stands.
    struct Now {
        std::optional<RunStarted> started;  ///< nothing: it is being prepared
        Progress progress;
        std::optional<StepReport> step;  ///< the last report
        std::optional<EpochReport> epoch, best;
        /// Oldest first: evenly thinned out to 4 … 64 (256 MiB), and always the latest, which alone has its
        /// vectors and the usage since the last snapshot.
        std::vector<std::shared_ptr<const Probe>> probes;
    };
    [[nodiscard]] Now now() const;
    /// Brings a copy of the record up to date: appends to its history, replaces the attributes, and adds the
    /// data section once. The copy must be empty or have been made so. Nothing before on_started().
    void catch_up(store::RunRecord& copy) const;
    /// Messages from number `first` on.
    [[nodiscard]] std::vector<Message> messages(std::size_t first = 0) const;

private:
    template <class Change, class Report>
    void take(Change change, Report report);
    void keep(const std::shared_ptr<const Probe>& probe);

    std::vector<TrainObserver*> subscribers_;
    std::function<void()> grew_;

    mutable std::mutex mutex_;  ///< of all that follows; the run's thread reads its own record without
    store::RunRecord record_;
    Now now_;
    std::vector<Message> messages_;
    std::int64_t probe_number_ = 0, probe_stride_ = 1;
};

}  // namespace casp::train

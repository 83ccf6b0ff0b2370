#pragma once
// Log file of a run (log.txt).

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "train/observer.h"

namespace casp::run {

/// Writes a run's events to its log.txt, with time stamps, and forwards them to another observer. Messages
/// before open() are kept and written then. Failures to write never stop a run.
class RunLog : public train::TrainObserver {
public:
    explicit RunLog(train::TrainObserver& next);
    ~RunLog() override;

    /// Opens the file for appending.
    void open(const std::filesystem::path& file);

    void on_message(train::MessageLevel level, const std::string& text) override;
    void on_progress(const Progress& progress) override { next_.on_progress(progress); }
    void on_started(const train::RunStarted& started) override;
    void on_step(const train::StepReport& step) override { next_.on_step(step); }
    void on_epoch(const train::EpochReport& epoch) override;
    void on_snapshot(const std::shared_ptr<const train::AnchorSnapshot>& snapshot) override {
        next_.on_snapshot(snapshot);
    }
    [[nodiscard]] bool wants_probes() const override { return next_.wants_probes(); }
    void on_probe(const std::shared_ptr<const train::Probe>& probe) override { next_.on_probe(probe); }
    void on_checkpoint(std::int64_t step) override;
    void on_finished(const store::ResultRow& row) override;

private:
    void write(const std::string& line);

    train::TrainObserver& next_;
    struct Sink;
    std::unique_ptr<Sink> sink_;
    std::vector<std::string> early_;
};

/// Line for the start of a run: data, windows, parameters, device, backbone.
[[nodiscard]] std::string start_line(const train::RunStarted& started);
/// Line for an epoch.
[[nodiscard]] std::string epoch_line(const train::EpochReport& epoch);
/// Line for the result, including the backbone.
[[nodiscard]] std::string result_line(const store::ResultRow& row);

}  // namespace casp::run

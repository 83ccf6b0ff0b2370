#pragma once
// log.txt of a run.

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "train/observer.h"

namespace casp::run {

/// Writes what a run tells into its log.txt (with the time of day) and passes everything on to another
/// listener. Lines that come before open() are kept and written then. A log that cannot be written never
/// stops a run.
class RunLog : public train::TrainObserver {
public:
    explicit RunLog(train::TrainObserver& next);
    ~RunLog() override;

    /// Opens (appends to) the file.
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

/// One line about a run that starts: data, windows, parameters, device, backbone.
[[nodiscard]] std::string start_line(const train::RunStarted& started);
/// One line about an epoch.
[[nodiscard]] std::string epoch_line(const train::EpochReport& epoch);
/// One line about the result; names the backbone.
[[nodiscard]] std::string result_line(const store::ResultRow& row);

}  // namespace casp::run

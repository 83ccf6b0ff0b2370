#pragma once
// log.txt of a run, and the lines that it shares with the console.

#include <filesystem>
#include <memory>
#include <string>

#include "train/run_log.h"

namespace casp::run {

/// Writes a run's events to its log.txt, with time stamps, from its first message on. Failures to write never
/// stop a run. One thread.
class LogFile final : public train::TrainObserver {
public:
    /// Opens the file for appending, writes what `log` has said so far and subscribes to it. `log` must
    /// outlive it.
    LogFile(const std::filesystem::path& file, train::RunLog& log);
    ~LogFile() override;
    LogFile(const LogFile&) = delete;
    LogFile& operator=(const LogFile&) = delete;

    void on_message(train::MessageLevel level, const Phrase& text) override;
    void on_started(const train::RunStarted& started) override;
    void on_epoch(const train::EpochReport& epoch) override;
    void on_checkpoint(std::int64_t step) override;
    void on_finished(const store::ResultRow& row) override;
    /// The last line of a run that ends by an exception.
    void write_failure(const Phrase& why) { write("failed: " + why); }

private:
    void write(const std::string& line);

    train::RunLog& log_;
    struct Sink;
    std::unique_ptr<Sink> sink_;
};

/// Line for the start of a run: data, windows, parameters, device, backbone.
[[nodiscard]] std::string start_line(const train::RunStarted& started);
/// Line for an epoch.
[[nodiscard]] std::string epoch_line(const train::EpochReport& epoch);
/// Line for the result, including the backbone.
[[nodiscard]] std::string result_line(const store::ResultRow& row);

}  // namespace casp::run

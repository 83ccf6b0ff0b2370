#pragma once
// Progress and messages of runs on standard error, for people (text) or programs (JSON).

#include <chrono>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "batch/command_line.h"
#include "train/observer.h"

#include <nlohmann/json_fwd.hpp>

namespace casp::batch {

/// A console that runs in several threads may share.
class Console : public train::TrainObserver {
public:
    /// Calls `report`, in one thread at a time; what it reports is printed with this name of a run.
    void report_as(const std::string& run, const std::function<void()>& report);

protected:
    [[nodiscard]] const std::string& run() const { return run_; }

private:
    std::mutex mutex_;
    std::string run_;
};

/// Passes the events of one of several runs to their console, with its name.
class ConsoleOfRun : public train::TrainObserver {
public:
    ConsoleOfRun(Console& console, std::string run) : console_(console), run_(std::move(run)) {}

    void on_message(train::MessageLevel level, const Phrase& text) override;
    void on_progress(const Progress& progress) override;
    void on_started(const train::RunStarted& started) override;
    void on_step(const train::StepReport& step) override;
    void on_epoch(const train::EpochReport& epoch) override;
    void on_snapshot(const std::shared_ptr<const train::AnchorSnapshot>& snapshot) override;
    void on_checkpoint(std::int64_t step) override;
    void on_finished(const store::ResultRow& row) override;

private:
    Console& console_;
    std::string run_;
};

[[nodiscard]] bool standard_error_is_terminal();

/// Text output. On a terminal, one line with a progress bar is redrawn, followed by as many details as fit
/// (time left first, then losses, speed and memory). Otherwise, plain lines: one per epoch, and at most one
/// per ten seconds in between. A warning that several runs of a batch repeat (about their data file) is
/// printed once; the log of each run has it.
class TextConsole : public Console {
public:
    /// `terminal`: standard error is a terminal; by default looked up.
    explicit TextConsole(bool terminal = standard_error_is_terminal()) : terminal_(terminal) {}
    /// Clears an unfinished progress bar, so that further output starts on a new line.
    ~TextConsole() override;
    TextConsole(const TextConsole&) = delete;
    TextConsole& operator=(const TextConsole&) = delete;

    void on_message(train::MessageLevel level, const Phrase& text) override;
    void on_progress(const Progress& progress) override;
    void on_started(const train::RunStarted& started) override;
    void on_step(const train::StepReport& step) override;
    void on_epoch(const train::EpochReport& epoch) override;
    void on_finished(const store::ResultRow& row) override;

    /// on_progress(), for as long as this object lives.
    [[nodiscard]] ProgressFn progress() {
        return [this](const Progress& progress) { on_progress(progress); };
    }
    /// Prints a line above the progress bar.
    void line(const std::string& text);

private:
    [[nodiscard]] bool due(double seconds);
    /// Redraws the line with the first of `forms` (at least one, from wide to narrow) that fits, followed by
    /// as many of `more` as fit.
    void redraw(const std::vector<std::string>& forms, const std::vector<std::string>& more = {});
    void clear();
    [[nodiscard]] std::string wiped() const;

    bool terminal_;
    std::set<std::string> warned_;
    std::size_t drawn_ = 0;  ///< width of the redrawn line, in columns
    /// Time of the last rate-limited line; stages that end immediately print no line.
    std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

/// JSON output, one object per line: {"event": "step", …}.
class JsonConsole : public Console {
public:
    void on_message(train::MessageLevel level, const Phrase& text) override;
    void on_progress(const Progress& progress) override;
    void on_started(const train::RunStarted& started) override;
    void on_step(const train::StepReport& step) override;
    void on_epoch(const train::EpochReport& epoch) override;
    void on_snapshot(const std::shared_ptr<const train::AnchorSnapshot>& snapshot) override;
    void on_checkpoint(std::int64_t step) override;
    void on_finished(const store::ResultRow& row) override;

private:
    void print(nlohmann::json object) const;

    std::map<std::string, std::chrono::steady_clock::time_point> last_progress_;  ///< of each run
};

/// Prints each text as a warning, as runs do.
void print_warnings(LogFormat format, const std::vector<Phrase>& texts);

/// Prints the error that ends the program: "caspstudio: …", or {"event": "error", "kind": …, "text": …};
/// kind: "input", "run" or "interrupted".
void print_error(LogFormat format, const char* kind, const std::string& text);

/// "[#########...........]  45 %" for `done` of `total`.
[[nodiscard]] std::string progress_bar(double fraction, int width);

}  // namespace casp::batch

#pragma once
// What a person or a program sees of a run on standard error.

#include <chrono>
#include <string>
#include <vector>

#include "batch/command_line.h"
#include "train/observer.h"

namespace casp::batch {

/// Lines for people. On a terminal one line is redrawn with a progress bar, with as much beside it as there
/// is room for (the time left first, then losses, pace and memory); otherwise a plain line now and then (at
/// most one in ten seconds while steps go on, and each epoch).
class TextConsole : public train::TrainObserver {
public:
    /// `terminal`: standard error is one.
    explicit TextConsole(bool terminal) : terminal_(terminal) {}
    /// Takes an unfinished progress bar away, so that what follows begins on a line of its own.
    ~TextConsole() override;
    TextConsole(const TextConsole&) = delete;
    TextConsole& operator=(const TextConsole&) = delete;

    void on_message(train::MessageLevel level, const std::string& text) override;
    void on_progress(const Progress& progress) override;
    void on_started(const train::RunStarted& started) override;
    void on_step(const train::StepReport& step) override;
    void on_epoch(const train::EpochReport& epoch) override;
    void on_finished(const store::ResultRow& row) override;

    /// A line by itself (it does not tear a progress bar).
    void line(const std::string& text);

private:
    [[nodiscard]] bool due(double seconds);
    /// The first of `forms` (at least one, from wide to narrow) that the terminal has room for, and of `more`
    /// as many as fit behind it.
    void redraw(const std::vector<std::string>& forms, const std::vector<std::string>& more = {});
    void clear();
    [[nodiscard]] std::string wiped() const;

    bool terminal_;
    std::size_t drawn_ = 0;  ///< columns of the line that is being redrawn
    /// Of the last line that time decides about; a stage that is over at once leaves no line.
    std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

/// One JSON object per line for programs: {"event": "step", …}.
class JsonConsole : public train::TrainObserver {
public:
    void on_message(train::MessageLevel level, const std::string& text) override;
    void on_progress(const Progress& progress) override;
    void on_started(const train::RunStarted& started) override;
    void on_step(const train::StepReport& step) override;
    void on_epoch(const train::EpochReport& epoch) override;
    void on_snapshot(const std::shared_ptr<const train::AnchorSnapshot>& snapshot) override;
    void on_checkpoint(std::int64_t step) override;
    void on_finished(const store::ResultRow& row) override;

private:
    std::chrono::steady_clock::time_point last_progress_{};
};

/// The failure that ends the program: "caspstudio: …", or {"event": "error", "kind": …, "text": …}; kind:
/// "input", "run" or "interrupted".
void print_error(LogFormat format, const char* kind, const std::string& text);

/// "[#########...........]  45 %" for `done` of `total`.
[[nodiscard]] std::string progress_bar(double share, int width);

}  // namespace casp::batch

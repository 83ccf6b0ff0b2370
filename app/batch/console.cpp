#include "batch/console.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include <sys/ioctl.h>
#include <unistd.h>

#include <spdlog/fmt/fmt.h>
#include <spdlog/fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "config/text_utils.h"
#include "model/descriptor.h"
#include "run/log_file.h"
#include "util/units.h"

namespace casp::batch {

namespace {

constexpr double redraw_seconds = 0.1;
constexpr double plain_seconds = 10;
constexpr int wide_bar = 20, narrow_bar = 8;

nlohmann::json number(double value) {
    return std::isfinite(value) ? nlohmann::json(value) : nlohmann::json(nullptr);
}

void print_json(const nlohmann::json& json) {
    // Text from files may be invalid UTF-8, which is replaced instead of causing an exception.
    std::fprintf(stderr, "%s\n", json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace).c_str());
    std::fflush(stderr);
}

/// Width of the terminal; it can change at any time.
std::size_t terminal_columns() {
    winsize size{};
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col < 2) return 80;
    return size.ws_col;
}

/// The text, truncated between characters to at most `columns`.
std::string fitting(std::string text, std::size_t columns) {
    while (config::display_width(text) > columns) {
        while ((static_cast<unsigned char>(text.back()) & 0xC0U) == 0x80U) text.pop_back();
        text.pop_back();
    }
    return text;
}

}  // namespace

std::string progress_bar(double fraction, int width) {
    const int filled = static_cast<int>(std::lround(std::clamp(fraction, 0.0, 1.0) * width));
    std::string bar = "[" + std::string(static_cast<std::size_t>(filled), '#') +
                      std::string(static_cast<std::size_t>(width - filled), '.') + "]";
    return fmt::format("{} {:3.0f} %", bar, std::clamp(fraction, 0.0, 1.0) * 100);
}

void Console::report_as(const std::string& run, const std::function<void()>& report) {
    const std::scoped_lock lock(mutex_);
    run_ = run;
    report();
    run_.clear();
}

void ConsoleOfRun::on_message(train::MessageLevel level, const Phrase& text) {
    console_.report_as(run_, [&] { console_.on_message(level, text); });
}
void ConsoleOfRun::on_progress(const Progress& progress) {
    console_.report_as(run_, [&] { console_.on_progress(progress); });
}
void ConsoleOfRun::on_started(const train::RunStarted& started) {
    console_.report_as(run_, [&] { console_.on_started(started); });
}
void ConsoleOfRun::on_step(const train::StepReport& step) {
    console_.report_as(run_, [&] { console_.on_step(step); });
}
void ConsoleOfRun::on_epoch(const train::EpochReport& epoch) {
    console_.report_as(run_, [&] { console_.on_epoch(epoch); });
}
void ConsoleOfRun::on_snapshot(const std::shared_ptr<const train::AnchorSnapshot>& snapshot) {
    console_.report_as(run_, [&] { console_.on_snapshot(snapshot); });
}
void ConsoleOfRun::on_checkpoint(std::int64_t step) {
    console_.report_as(run_, [&] { console_.on_checkpoint(step); });
}
void ConsoleOfRun::on_finished(const store::ResultRow& row) {
    console_.report_as({}, [&] { console_.on_finished(row); });  // the row names the run
}

bool TextConsole::due(double seconds) {
    const auto now = std::chrono::steady_clock::now();
    if (std::chrono::duration<double>(now - last_).count() < seconds) return false;
    last_ = now;
    return true;
}

bool standard_error_is_terminal() { return isatty(STDERR_FILENO) != 0; }

TextConsole::~TextConsole() { clear(); }

/// Blanks that overwrite the redrawn line and return the cursor to its start.
std::string TextConsole::wiped() const {
    const auto columns = std::min(drawn_, terminal_columns() - 1);  // the terminal may have become narrower
    return "\r" + std::string(columns, ' ') + "\r";
}

void TextConsole::clear() {
    if (drawn_ > 0) std::fputs(wiped().c_str(), stderr);
    drawn_ = 0;
}

void TextConsole::line(const std::string& text) {
    // In one write, and over a "^C" that the terminal may have shown.
    const auto start = drawn_ > 0 ? wiped() : std::string(terminal_ ? "\r" : "");
    drawn_ = 0;
    std::fprintf(stderr, "%s%s%s\n", start.c_str(), run().empty() ? "" : (run() + " | ").c_str(),
                 text.c_str());
    std::fflush(stderr);
}

void TextConsole::redraw(const std::vector<std::string>& forms, const std::vector<std::string>& more) {
    // A wrapped line cannot be redrawn, so only what fits is printed.
    const auto columns = terminal_columns() - 1;
    const auto fits = [&](const std::string& text) { return config::display_width(text) <= columns; };
    const auto form = std::find_if(forms.begin(), forms.end(), fits);
    auto shown = form != forms.end() ? *form : fitting(forms.back(), columns);
    for (const auto& part : more) {
        if (!fits(shown + part)) break;
        shown += part;
    }
    const auto width = config::display_width(shown);
    const auto former = std::min(drawn_, columns);
    // The cursor stays at the start, so that typed text ("^C") is shown there and then overwritten.
    std::fprintf(stderr, "\r%s%s\r", shown.c_str(),
                 std::string(former > width ? former - width : 0, ' ').c_str());
    std::fflush(stderr);
    drawn_ = width;
}

void TextConsole::on_message(train::MessageLevel level, const Phrase& text) {
    if (level != train::MessageLevel::warning)
        line(text);
    else if (warned_.insert(text).second)
        line("warning: " + text);
}

void TextConsole::on_progress(const Progress& p) {
    const bool last = p.done == p.total;
    if (terminal_) {
        if (!last && !due(redraw_seconds)) return;
        const double fraction = p.total > 0 ? static_cast<double>(p.done) / static_cast<double>(p.total) : 0;
        redraw({fmt::format("{} {}", progress_bar(fraction, wide_bar), p.stage.text()),
                fmt::format("{} {}", progress_bar(fraction, narrow_bar), p.stage.text())});
    } else if (!last && due(plain_seconds)) {
        line(fmt::format("{}: {} of {} {}", p.stage.text(), p.done, p.total, p.unit));
    }
}

void TextConsole::on_started(const train::RunStarted& started) {
    line(run::start_line(started));
    last_ = std::chrono::steady_clock::now();
}

/// "MSE 0.1234", " L_sim 0.123", …, and how often the coverage gate is active for a model that has one.
std::vector<std::string> loss_parts(const train::StepReport& s) {
    std::vector<std::string> parts{fmt::format("{} {:.4f}", s.loss, s.forecast)};
    bool gate = false;
    for (const auto& term : s.terms) {
        parts.push_back(fmt::format(" {} {:.3f}", model::loss_term(term.name).symbol, term.value));
        gate = gate || term.name == "coverage";
    }
    if (gate) parts.push_back(fmt::format(" gate {:.0f} %", s.gate_share * 100));
    return parts;
}

void TextConsole::on_step(const train::StepReport& s) {
    if (!due(terminal_ ? redraw_seconds : plain_seconds)) return;
    const auto left = duration_text(s.epoch_seconds_left);
    const auto in_all = duration_text(s.seconds_left);
    const auto memory = bytes_text(s.memory_bytes);
    auto losses = loss_parts(s);
    if (!terminal_) {
        line(fmt::format(
            "epoch {} step {}/{}: {}; {:.3g} s/step, {} left in the epoch, at most {} in total, {}", s.epoch,
            s.position, s.steps_per_epoch, fmt::join(losses, ""), s.seconds, left, in_all, memory));
        return;
    }
    const double fraction = static_cast<double>(s.position) / static_cast<double>(s.steps_per_epoch);
    const auto wide = progress_bar(fraction, wide_bar), narrow = progress_bar(fraction, narrow_bar);
    const auto step = fmt::format("{}/{}", s.position, s.steps_per_epoch);
    losses.front().insert(0, "; ");
    losses.insert(losses.end(), {fmt::format("; {:.3g} s/step", s.seconds), ", " + memory});
    redraw({fmt::format("{} epoch {} step {}, {} left in the epoch, at most {} in total", wide, s.epoch, step,
                        left, in_all),
            fmt::format("{} epoch {} step {}, {} left", wide, s.epoch, step, left),
            fmt::format("{} {}, {} left", narrow, step, left), fmt::format("{} {} left", narrow, left)},
           losses);
}

void TextConsole::on_epoch(const train::EpochReport& epoch) { line(run::epoch_line(epoch)); }
void TextConsole::on_finished(const store::ResultRow& row) { line(run::result_line(row)); }

void print_warnings(LogFormat format, const std::vector<Phrase>& texts) {
    JsonConsole json;
    TextConsole text;
    auto& console = format == LogFormat::json ? static_cast<train::TrainObserver&>(json) : text;
    for (const auto& warning : texts) console.on_message(train::MessageLevel::warning, warning);
}

void print_error(LogFormat format, const char* kind, const std::string& text) {
    if (format == LogFormat::json)
        print_json({{"event", "error"}, {"kind", kind}, {"text", text}});
    else
        std::fprintf(stderr, "caspstudio: %s\n", text.c_str());
}

/// With the name of the run where several share the console.
void JsonConsole::print(nlohmann::json object) const {
    if (!run().empty()) object["run"] = run();
    print_json(object);
}

void JsonConsole::on_message(train::MessageLevel level, const Phrase& text) {
    print({{"event", "message"},
           {"level", level == train::MessageLevel::warning ? "warning" : "info"},
           {"text", text}});
}

void JsonConsole::on_progress(const Progress& p) {
    const auto now = std::chrono::steady_clock::now();
    auto& last = last_progress_[run()];
    if (p.done != p.total && std::chrono::duration<double>(now - last).count() < 0.5) return;
    last = now;
    print({{"event", "progress"},
           {"stage", p.stage.text()},
           {"done", p.done},
           {"total", p.total},
           {"unit", p.unit}});
}

void JsonConsole::on_started(const train::RunStarted& s) {
    print({{"event", "started"},
           {"folder", s.folder.string()},
           {"data", s.data},
           {"backbone", s.backbone},
           {"device", s.device},
           {"hardware", s.hardware},
           {"precision", s.precision},
           {"parameters_total", s.parameters_total},
           {"parameters_trainable", s.parameters_trainable},
           {"windows", {{"train", s.train_windows}, {"val", s.val_windows}, {"test", s.test_windows}}},
           {"channels", s.channels},
           {"single_channel", s.single_channel},
           {"steps_per_epoch", s.steps_per_epoch},
           {"first_step", s.first_step},
           {"parent_steps", s.parent_steps},
           {"estimated_bytes", s.estimated_bytes},
           {"estimated_epoch_seconds", number(s.estimated_epoch_seconds)}});
}

void JsonConsole::on_step(const train::StepReport& s) {
    nlohmann::json report{{"event", "step"},
                          {"step", s.step},
                          {"epoch", s.epoch},
                          {"position", s.position},
                          {"steps_per_epoch", s.steps_per_epoch},
                          {"forecast", number(s.forecast)}};
    // Programs that read the log expect these two for every model.
    for (const auto* name : {"similarity", "coverage"}) report[name] = 0.0;
    for (const auto& term : s.terms) report[term.name] = number(term.value);
    report.update(nlohmann::json{{"total", number(s.total)},
                                 {"gate_share", number(s.gate_share)},
                                 {"learning_rate", s.learning_rate},
                                 {"seconds", number(s.seconds)},
                                 {"epoch_seconds_left", number(s.epoch_seconds_left)},
                                 {"seconds_left", number(s.seconds_left)},
                                 {"memory_bytes", s.memory_bytes}});
    print(report);
}

void JsonConsole::on_epoch(const train::EpochReport& e) {
    print({{"event", "epoch"},
           {"epoch", e.epoch},
           {"epochs", e.epochs},
           {"train_forecast", number(e.train_forecast)},
           {"val_mse", number(e.val_mse)},
           {"val_mae", number(e.val_mae)},
           {"learning_rate", e.learning_rate},
           {"seconds", number(e.seconds)},
           {"best", e.best},
           {"waited", e.waited},
           {"val_smape", number(e.val_smape)}});
}

void JsonConsole::on_snapshot(const std::shared_ptr<const train::AnchorSnapshot>& snapshot) {
    const auto used =
        std::count_if(snapshot->usage.begin(), snapshot->usage.end(), [](auto n) { return n > 0; });
    print({{"event", "snapshot"}, {"step", snapshot->step}, {"distinct_anchors", used}});
}

void JsonConsole::on_checkpoint(std::int64_t step) { print({{"event", "checkpoint"}, {"step", step}}); }

void JsonConsole::on_finished(const store::ResultRow& r) {
    print({{"event", "finished"},
           {"run", r.run},
           {"state", store::to_string(r.state)},
           {"steps", r.steps},
           {"val_mse", number(r.val_mse)},
           {"test_mse", number(r.test_mse)},
           {"test_mae", number(r.test_mae)},
           {"last_value_mse", number(r.last_value_mse)},
           {"usage_entropy", number(r.usage_entropy)},
           {"backbone", r.backbone},
           {"precision", r.precision},
           {"seconds", number(r.seconds)}});
}

}  // namespace casp::batch

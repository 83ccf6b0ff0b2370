#include "batch/console.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include <sys/ioctl.h>
#include <unistd.h>

#include <spdlog/fmt/fmt.h>
#include <nlohmann/json.hpp>

#include "config/text_utils.h"
#include "train/run_log.h"

namespace casp::batch {

namespace {

constexpr double redraw_seconds = 0.1;
constexpr double plain_seconds = 10;

nlohmann::json number(double value) {
    return std::isfinite(value) ? nlohmann::json(value) : nlohmann::json(nullptr);
}

void print_json(const nlohmann::json& json) {
    // Text from files may not be valid UTF-8; it is replaced rather than thrown about.
    std::fprintf(stderr, "%s\n", json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace).c_str());
    std::fflush(stderr);
}

/// Columns of the terminal that standard error is; it may be resized at any time.
std::size_t terminal_columns() {
    winsize size{};
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col < 2) return 80;
    return size.ws_col;
}

/// The text's beginning, at most `columns` wide and cut between characters.
std::string fitting(std::string text, std::size_t columns) {
    while (config::display_width(text) > columns) {
        while ((static_cast<unsigned char>(text.back()) & 0xC0U) == 0x80U) text.pop_back();
        text.pop_back();
    }
    return text;
}

}  // namespace

std::string progress_bar(double share, int width) {
    const int filled = static_cast<int>(std::lround(std::clamp(share, 0.0, 1.0) * width));
    std::string bar = "[" + std::string(static_cast<std::size_t>(filled), '#') +
                      std::string(static_cast<std::size_t>(width - filled), '.') + "]";
    return fmt::format("{} {:3.0f} %", bar, std::clamp(share, 0.0, 1.0) * 100);
}

bool TextConsole::due(double seconds) {
    const auto now = std::chrono::steady_clock::now();
    if (std::chrono::duration<double>(now - last_).count() < seconds) return false;
    last_ = now;
    return true;
}

TextConsole::~TextConsole() { clear(); }

void TextConsole::clear() {
    if (drawn_ > 0) std::fprintf(stderr, "\r%s\r", std::string(drawn_, ' ').c_str());
    drawn_ = 0;
}

void TextConsole::line(const std::string& text) {
    clear();
    std::fprintf(stderr, "%s\n", text.c_str());
    std::fflush(stderr);
}

void TextConsole::redraw(const std::string& text) {
    // A line that wraps cannot be redrawn: it is cut to the terminal's width.
    const auto shown = fitting(text, terminal_columns() - 1);
    const auto width = config::display_width(shown);
    const auto padding = drawn_ > width ? drawn_ - width : 0;
    std::fprintf(stderr, "\r%s%s", shown.c_str(), std::string(padding, ' ').c_str());
    std::fflush(stderr);
    drawn_ = width;
}

void TextConsole::on_message(train::MessageLevel level, const std::string& text) {
    line(level == train::MessageLevel::warning ? "warning: " + text : text);
}

void TextConsole::on_progress(const Progress& p) {
    const bool last = p.done == p.total;
    if (terminal_) {
        if (!last && !due(redraw_seconds)) return;
        const double share = p.total > 0 ? static_cast<double>(p.done) / static_cast<double>(p.total) : 0;
        redraw(fmt::format("{} {}", progress_bar(share, 20), p.stage));
    } else if (!last && due(plain_seconds)) {
        line(fmt::format("{}: {} of {} {}", p.stage, p.done, p.total, p.unit));
    }
}

void TextConsole::on_started(const train::RunStarted& started) {
    line(train::start_line(started));
    last_ = std::chrono::steady_clock::now();
}

void TextConsole::on_step(const train::StepReport& s) {
    if (!due(terminal_ ? redraw_seconds : plain_seconds)) return;
    const auto losses = fmt::format("MSE {:.4f} L_sim {:.3f} L_cov {:.3f} gate {:.0f} %", s.forecast,
                                    s.similarity, s.coverage, s.gate_share * 100);
    const auto pace = fmt::format("{:.3g} s/step, {} left in the epoch, at most {} in all, {}",
                                  s.step_seconds, train::duration_text(s.epoch_seconds_left),
                                  train::duration_text(s.seconds_left), train::bytes_text(s.memory_bytes));
    if (terminal_)
        redraw(fmt::format(
            "{} epoch {} step {}/{} {}; {}",
            progress_bar(static_cast<double>(s.position) / static_cast<double>(s.steps_per_epoch), 20),
            s.epoch, s.position, s.steps_per_epoch, losses, pace));
    else
        line(
            fmt::format("epoch {} step {}/{}: {}; {}", s.epoch, s.position, s.steps_per_epoch, losses, pace));
}

void TextConsole::on_epoch(const train::EpochReport& epoch) { line(train::epoch_line(epoch)); }
void TextConsole::on_finished(const store::ResultRow& row) { line(train::result_line(row)); }

void print_error(LogFormat format, const char* kind, const std::string& text) {
    if (format == LogFormat::json)
        print_json({{"event", "error"}, {"kind", kind}, {"text", text}});
    else
        std::fprintf(stderr, "caspstudio: %s\n", text.c_str());
}

void JsonConsole::on_message(train::MessageLevel level, const std::string& text) {
    print_json({{"event", "message"},
                {"level", level == train::MessageLevel::warning ? "warning" : "info"},
                {"text", text}});
}

void JsonConsole::on_progress(const Progress& p) {
    const auto now = std::chrono::steady_clock::now();
    if (p.done != p.total && std::chrono::duration<double>(now - last_progress_).count() < 0.5) return;
    last_progress_ = now;
    print_json(
        {{"event", "progress"}, {"stage", p.stage}, {"done", p.done}, {"total", p.total}, {"unit", p.unit}});
}

void JsonConsole::on_started(const train::RunStarted& s) {
    print_json({{"event", "started"},
                {"folder", s.folder.string()},
                {"data", s.data},
                {"backbone", s.backbone},
                {"device", s.device},
                {"hardware", s.hardware},
                {"parameters_total", s.parameters_total},
                {"parameters_trainable", s.parameters_trainable},
                {"windows", {{"train", s.train_windows}, {"val", s.val_windows}, {"test", s.test_windows}}},
                {"channels", s.channels},
                {"single_channel", s.single_channel},
                {"steps_per_epoch", s.steps_per_epoch},
                {"first_step", s.first_step},
                {"estimated_bytes", s.estimated_bytes},
                {"estimated_epoch_seconds", number(s.estimated_epoch_seconds)}});
}

void JsonConsole::on_step(const train::StepReport& s) {
    print_json({{"event", "step"},
                {"step", s.step},
                {"epoch", s.epoch},
                {"position", s.position},
                {"steps_per_epoch", s.steps_per_epoch},
                {"forecast", number(s.forecast)},
                {"similarity", number(s.similarity)},
                {"coverage", number(s.coverage)},
                {"total", number(s.total)},
                {"gate_share", number(s.gate_share)},
                {"learning_rate", s.learning_rate},
                {"seconds", number(s.step_seconds)},
                {"epoch_seconds_left", number(s.epoch_seconds_left)},
                {"seconds_left", number(s.seconds_left)},
                {"memory_bytes", s.memory_bytes}});
}

void JsonConsole::on_epoch(const train::EpochReport& e) {
    print_json({{"event", "epoch"},
                {"epoch", e.epoch},
                {"epochs", e.epochs},
                {"train_forecast", number(e.train_forecast)},
                {"val_mse", number(e.val_mse)},
                {"val_mae", number(e.val_mae)},
                {"learning_rate", e.learning_rate},
                {"seconds", number(e.seconds)},
                {"best", e.best},
                {"waited", e.waited}});
}

void JsonConsole::on_snapshot(const std::shared_ptr<const train::AnchorSnapshot>& snapshot) {
    const auto used =
        std::count_if(snapshot->usage.begin(), snapshot->usage.end(), [](auto n) { return n > 0; });
    print_json({{"event", "snapshot"}, {"step", snapshot->step}, {"distinct_anchors", used}});
}

void JsonConsole::on_checkpoint(std::int64_t step) { print_json({{"event", "checkpoint"}, {"step", step}}); }

void JsonConsole::on_finished(const store::ResultRow& r) {
    print_json({{"event", "finished"},
                {"run", r.run},
                {"state", store::to_string(r.state)},
                {"steps", r.steps},
                {"val_mse", number(r.val_mse)},
                {"test_mse", number(r.test_mse)},
                {"test_mae", number(r.test_mae)},
                {"last_value_mse", number(r.last_value_mse)},
                {"usage_entropy", number(r.usage_entropy)},
                {"backbone", r.backbone},
                {"seconds", number(r.seconds)}});
}

}  // namespace casp::batch

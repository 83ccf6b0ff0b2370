#include "run/log_file.h"

#include <cmath>
#include <utility>

#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/spdlog.h>

#include "util/units.h"

namespace casp::run {

struct LogFile::Sink {
    std::shared_ptr<spdlog::logger> logger;
};

LogFile::LogFile(const std::filesystem::path& file, train::RunLog& log) : log_(log) {
    const auto warn = [&log](const std::string& text) { log.on_message(train::MessageLevel::warning, text); };
    // In an untrusted run folder, a link must not lead to a file elsewhere, and a pipe must not block the
    // run.
    std::error_code ignored;
    const auto status = std::filesystem::symlink_status(file, ignored);
    if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
        warn(file.string() + (std::filesystem::is_symlink(status) ? " is a link" : " is not a regular file") +
             "; the run continues without a log");
        return;
    }
    try {
        auto sink = std::make_shared<spdlog::sinks::basic_file_sink_mt>(file.string(), /*truncate=*/false);
        auto logger = std::make_shared<spdlog::logger>("run", std::move(sink));
        logger->set_pattern("%Y-%m-%d %H:%M:%S  %v");
        logger->flush_on(spdlog::level::info);
        // Reported once: on a full disk every line fails.
        logger->set_error_handler([warn, reported = false](const std::string& problem) mutable {
            if (!std::exchange(reported, true)) warn("log.txt cannot be written: " + problem);
        });
        sink_ = std::make_unique<Sink>(Sink{std::move(logger)});
    } catch (const spdlog::spdlog_ex&) {
        warn("log.txt cannot be written; the run continues without it");
        return;
    }
    for (const auto& [level, text] : log.messages()) on_message(level, text);
    log.subscribe(*this);
}

LogFile::~LogFile() { log_.unsubscribe(*this); }

void LogFile::write(const std::string& line) {
    if (sink_) sink_->logger->info(line);
}

void LogFile::on_message(train::MessageLevel level, const Phrase& text) {
    write((level == train::MessageLevel::warning ? "warning: " : "") + text);
}

void LogFile::on_started(const train::RunStarted& started) { write(start_line(started)); }

void LogFile::on_epoch(const train::EpochReport& epoch) { write(epoch_line(epoch)); }

void LogFile::on_checkpoint(std::int64_t step) { write("checkpoint after step " + std::to_string(step)); }

void LogFile::on_finished(const store::ResultRow& row) { write(result_line(row)); }

namespace {

/// "backbone untrained; "; empty for a model without a backbone.
std::string backbone_text(const std::string& backbone) {
    return backbone == "none" ? std::string() : "backbone " + backbone + "; ";
}

}  // namespace

std::string start_line(const train::RunStarted& s) {
    const auto windows =
        s.collection ? fmt::format("{} series train / {} val / {} test", s.train_windows, s.val_windows,
                                   s.test_windows)
                     : fmt::format("{} channels, windows {} train / {} val / {} test ({})", s.channels,
                                   s.train_windows, s.val_windows, s.test_windows,
                                   s.single_channel ? "single-channel batches" : "multi-channel batches");
    return fmt::format(
               "{}: {}, {} steps per epoch; {} parameters, {} trainable; "
               "{}{} ({}), {}",
               s.data, windows, s.steps_per_epoch, s.parameters_total, s.parameters_trainable,
               backbone_text(s.backbone), s.device, s.hardware, s.precision) +
           (s.estimated_bytes > 0 ? "; a step needs about " + bytes_text(s.estimated_bytes) : "") +
           (s.estimated_epoch_seconds > 0 ? ", an epoch about " + duration_text(s.estimated_epoch_seconds)
                                          : "") +
           (s.first_step > 0 ? "; resumes after step " + std::to_string(s.first_step) : "");
}

std::string epoch_line(const train::EpochReport& e) {
    const auto validation = std::isnan(e.val_smape)
                                ? fmt::format("val MSE {:.5f}, val MAE {:.5f}", e.val_mse, e.val_mae)
                                : fmt::format("val sMAPE {:.4f}", e.val_smape);
    if (e.epochs == 1 && std::isnan(e.train_forecast))  // a model without training
        return fmt::format("{}, {}", validation, duration_text(e.seconds));
    return fmt::format(
        "epoch {}/{}: train {} {:.5f}, {}, lr {:.3g}, {}{}", e.epoch, e.epochs, e.loss, e.train_forecast,
        validation, e.learning_rate, duration_text(e.seconds),
        e.best ? ", best so far" : fmt::format(", {} of {} without improvement", e.waited, e.patience));
}

std::string result_line(const store::ResultRow& r) {
    if (!store::is_complete(r.state))
        return fmt::format("{}: {} after step {}", r.run, store::to_string(r.state), r.steps);
    if (!std::isnan(r.test_smape))
        return fmt::format("{}: sMAPE {:.3f}, MASE {:.3f}, OWA {:.3f}; best epoch {}; {}{}", r.run,
                           r.test_smape, r.test_mase, r.test_owa, r.best_epoch, backbone_text(r.backbone),
                           duration_text(r.seconds));
    return fmt::format(
        "{}: test MSE {:.4f}, MAE {:.4f} (persistence forecast: MSE {:.4f}); val MSE {:.4f} at epoch {}; "
        "{}{}",
        r.run, r.test_mse, r.test_mae, r.last_value_mse, r.val_mse, r.best_epoch, backbone_text(r.backbone),
        duration_text(r.seconds));
}

}  // namespace casp::run

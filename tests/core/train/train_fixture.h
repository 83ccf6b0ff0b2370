#pragma once
// A small data set, a small model and the pieces that tests of training share.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include <QtTest>

#include "config/config.h"
#include "run/run.h"
#include "store/run_file.h"
#include "store/run_folder.h"
#include "store/safetensors.h"
#include "util/error.h"

namespace casp::test {

namespace fs = std::filesystem;

/// The value of a cell of the synthetic data: periods of 24 and 7 rows, a slope, and noise of a fixed hash.
inline double cell(std::int64_t row, std::int64_t channel, double slope = 0.001) {
    const auto t = static_cast<double>(row);
    const auto c = static_cast<double>(channel);
    auto hash = static_cast<std::uint64_t>(row * 131 + channel) * 0x9e3779b97f4a7c15ULL;
    hash ^= hash >> 29;
    hash *= 0xbf58476d1ce4e5b9ULL;
    const double noise = static_cast<double>(hash >> 40) / static_cast<double>(1 << 24) - 0.5;
    return (1 + c) * std::sin(t * 2 * M_PI / 24 + c) + 0.5 * std::cos(t * 2 * M_PI / 7) + slope * t +
           0.3 * noise;
}

/// Writes a CSV with a date column, one row an hour; returns its path.
inline std::string write_csv(const fs::path& path, std::int64_t rows, std::int64_t channels,
                             double slope = 0.001) {
    std::ofstream file(path);
    file << "date";
    for (std::int64_t c = 0; c < channels; ++c) file << ",c" << c;
    file << "\n";
    char text[64];
    for (std::int64_t r = 0; r < rows; ++r) {
        std::snprintf(text, sizeof text, "2020-%02d-%02d %02d:00:00", static_cast<int>(1 + r / 672),
                      static_cast<int>(1 + r / 24 % 28), static_cast<int>(r % 24));
        file << text;
        for (std::int64_t c = 0; c < channels; ++c) {
            std::snprintf(text, sizeof text, ",%.5f", cell(r, c, slope));
            file << text;
        }
        file << "\n";
    }
    return path.string();
}

/// 300 rows give 151, 19 and 49 windows: 5 steps in an epoch, the last of 23 windows. Dropout is on.
inline constexpr std::int64_t small_rows = 300;
inline constexpr std::int64_t train_windows = 151, val_windows = 19, test_windows = 49;
inline constexpr std::int64_t small_channels = 3;

inline config::Config small_config(const std::string& csv) {
    config::Config c;
    c.name = "test";
    c.data.path = csv;
    c.data.lookback = 48;
    c.data.horizon = 12;
    c.backbone.path = "untrained";
    c.backbone.layers = 1;
    c.backbone.width = 24;
    c.backbone.heads = 2;
    c.backbone.vocabulary = 100;
    c.backbone.positions = 32;
    c.backbone.dropout = 0.1;
    c.model.trend_length = 13;
    c.model.seasonal_length = 12;
    c.model.pool_size = 30;
    c.model.top_k = 4;
    c.autoformer.d_model = c.fedformer.d_model = 16;
    c.autoformer.n_heads = c.fedformer.n_heads = 2;
    c.autoformer.d_ff = c.fedformer.d_ff = 32;
    c.autoformer.label_len = c.fedformer.label_len = 24;
    c.tempo.stride = 16;
    c.tempo.pool = true;
    c.tempo.pool_size = 12;
    c.tempo.top_k = c.tempo.prompt_len = 2;
    c.train.epochs = 2;
    c.train.batch_size = 32;
    c.train.learning_rate = 1e-3;
    c.run.device = "cpu";
    c.run.threads = 1;
    return c;
}

/// Remembers what a run tells and lets a test step in.
class Probe : public train::TrainObserver {
public:
    std::function<void(const train::StepReport&)> at_step;
    std::function<void(const Progress&)> at_progress;
    std::function<void(const train::EpochReport&)> at_epoch;
    std::vector<train::RunStarted> started;
    std::vector<train::StepReport> steps;
    std::vector<train::EpochReport> epochs;
    std::vector<std::int64_t> checkpoints;
    std::vector<std::string> messages;
    std::vector<store::ResultRow> finished;
    train::StopControl stop;

    /// Runs what it watches; the run is named as its folder.
    store::ResultRow run(const fs::path& folder, const config::Config& config, bool resume = false) {
        return run::run({{folder.filename().string(), config, {}, folder}, resume}, *this, stop);
    }
    /// Whether a message has these words.
    [[nodiscard]] bool told(const std::string& words) const {
        return std::any_of(messages.begin(), messages.end(),
                           [&](const auto& text) { return text.find(words) != std::string::npos; });
    }

    void on_message(train::MessageLevel, const Phrase& text) override { messages.push_back(text); }
    void on_progress(const Progress& progress) override {
        if (at_progress) at_progress(progress);
    }
    void on_started(const train::RunStarted& report) override { started.push_back(report); }
    void on_step(const train::StepReport& report) override {
        steps.push_back(report);
        if (at_step) at_step(report);
    }
    void on_epoch(const train::EpochReport& report) override {
        epochs.push_back(report);
        if (at_epoch) at_epoch(report);
    }
    void on_checkpoint(std::int64_t step) override { checkpoints.push_back(step); }
    void on_finished(const store::ResultRow& row) override { finished.push_back(row); }
};

inline store::ResultRow run_in(const fs::path& folder, const config::Config& config, bool resume = false) {
    return Probe().run(folder, config, resume);
}

inline store::RunRecord record_of(const fs::path& folder) { return store::read_run_file(folder / "run.h5"); }

/// Names and bytes of all tensors of a file.
inline std::map<std::string, std::string> tensors_of(const fs::path& file) {
    const store::SafetensorsFile opened(file);
    std::map<std::string, std::string> all;
    for (const auto& view : opened.tensors()) {
        auto& bytes = all[view.name + store::shape_text(view.shape)];
        bytes.resize(view.nbytes);
        store::read_bytes(view, std::as_writable_bytes(std::span(bytes)));
    }
    return all;
}

template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
    return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}
inline bool same_bits(double a, double b) { return std::memcmp(&a, &b, sizeof a) == 0; }

inline std::string bytes_of(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

inline std::string metric_difference(const store::SplitMetrics& a, const store::SplitMetrics& b) {
    const auto scalar = [](double x, double y) {
        return same_bits(x, y) || (std::isnan(x) && std::isnan(y));
    };
    for (const auto& metric : store::split_metrics)
        if (!scalar(a.*metric.value, b.*metric.value)) return metric.name;
    for (const auto& profile : store::split_profiles)
        if (!same_bits(a.*profile.values, b.*profile.values)) return profile.name;
    return {};
}

/// The first thing in which two finished runs differ beyond times and dates; empty: none.
inline std::string run_difference(const fs::path& one, const fs::path& other) {
    if (tensors_of(one / "best.safetensors") != tensors_of(other / "best.safetensors"))
        return "tensors of best.safetensors";
    const auto a = record_of(one), b = record_of(other);
    if (!same_bits(a.steps.step, b.steps.step)) return "step";
    if (!same_bits(a.steps.epoch, b.steps.epoch)) return "step's epoch";
    if (!same_bits(a.steps.learning_rate, b.steps.learning_rate)) return "learning rate";
    if (!same_bits(a.steps.forecast, b.steps.forecast)) return "forecast loss";
    if (a.steps.terms.size() != b.steps.terms.size()) return "number of loss terms";
    for (const auto& curve : a.steps.terms) {
        const auto* second = b.steps.find_term(curve.name);
        if (second == nullptr || !same_bits(curve.values, *second)) return curve.name + " loss";
    }
    if (!same_bits(a.steps.total, b.steps.total)) return "total loss";
    if (!same_bits(a.steps.gate_share, b.steps.gate_share)) return "gate share";
    if (!same_bits(a.epochs.epoch, b.epochs.epoch)) return "epochs";
    if (!same_bits(a.epochs.train_forecast, b.epochs.train_forecast)) return "epoch's training loss";
    if (!same_bits(a.epochs.val_mse, b.epochs.val_mse)) return "val_mse";
    if (!same_bits(a.epochs.val_mae, b.epochs.val_mae)) return "val_mae";
    if (!same_bits(a.anchors.snapshot_step, b.anchors.snapshot_step)) return "snapshot steps";
    if (!same_bits(a.anchors.usage_train, b.anchors.usage_train)) return "usage_train";
    if (!same_bits(a.anchors.coverage_statistic, b.anchors.coverage_statistic)) return "coverage statistic";
    if (!same_bits(a.anchors.usage_test, b.anchors.usage_test)) return "usage_test";
    if (a.attributes.best_step != b.attributes.best_step) return "best_step";
    if (a.attributes.state != b.attributes.state) return "state";
    if (a.val.has_value() != b.val.has_value() || a.test.has_value() != b.test.has_value()) return "metrics";
    if (a.val)
        if (const auto difference = metric_difference(*a.val, *b.val); !difference.empty())
            return "val " + difference;
    if (a.test)
        if (const auto difference = metric_difference(*a.test, *b.test); !difference.empty())
            return "test " + difference;
    return {};
}

/// The Error that a call throws; fails the test where it throws none.
template <class Call>
Error error_of(Call&& call) {
    try {
        call();
    } catch (const Error& error) {
        return error;
    }
    return input_error("test", "nothing was thrown");
}

inline bool says(const Error& error, const std::string& text) {
    const bool found = std::string(error.what()).find(text) != std::string::npos;
    if (!found) qWarning("message without \"%s\": %s", text.c_str(), error.what());
    return found;
}

}  // namespace casp::test

/// Two finished runs are the same to the last bit (times and dates excluded).
#define VERIFY_SAME_RUN(one, other)                                     \
    do {                                                                \
        const auto difference = casp::test::run_difference(one, other); \
        QVERIFY2(difference.empty(), difference.c_str());               \
    } while (false)

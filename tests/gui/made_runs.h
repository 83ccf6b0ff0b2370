#pragma once
// Finished runs whose files hold what a test says, for figures that need no training.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>

#include <QtTest>

#include "config/experiment.h"
#include "figure_jobs/figure_embeddings.h"
#include "figure_jobs/figure_recipes.h"
#include "store/run_file.h"
#include "store/run_folder.h"

namespace casp::test {

struct MadeRun {
    std::string name;
    std::vector<std::pair<std::string, std::string>> swept;
    config::Config config;
    store::RunRecord record;
    store::ArraysRecord arrays;

    store::ForecastArrays& forecast() { return arrays.forecast["test"]; }
    store::Embeddings& embedding() { return arrays.embedding["test"]["best"]; }
};

/// λ_cov and seed were swept; two channels, 20 anchors, K = 2.
inline MadeRun made_run(double lambda, std::int64_t seed) {
    MadeRun run;
    const auto text = QString::number(lambda).toStdString();
    run.name = "lambda_cov-" + text + "_seed-" + std::to_string(seed);
    run.swept = {{"loss.lambda_cov", text}, {"train.seed", std::to_string(seed)}};
    auto& c = run.config;
    c.data.path = "/no/series.csv";
    c.data.lookback = 48;
    c.data.horizon = 12;
    c.backbone.path = "untrained";
    c.model.trend_length = 13;
    c.model.seasonal_length = 12;
    c.model.pool_size = 20;
    c.model.top_k = 2;
    c.loss.lambda_cov = lambda;
    c.train.seed = seed;
    run.record.attributes.state = store::RunState::finished;
    run.record.attributes.dataset_sha256 = "aa";
    run.record.data.channel_names = {"load", "OT"};
    run.record.data.mean = {0, 0};
    run.record.data.std = {1, 1};
    return run;
}

/// What data have in a row and channel.
using Values = std::function<float(std::int64_t row, std::int64_t channel)>;

/// Fills in test windows from row `first` on, one a row: window w errs by errors[w] in every step.
inline void add_forecasts(MadeRun& run, std::int64_t first, const std::vector<float>& errors,
                          const Values& value) {
    auto& f = run.forecast();
    f = {};
    f.windows = std::ssize(errors);
    f.horizon = run.config.data.horizon;
    f.channels = std::ssize(run.record.data.channel_names);
    f.top_k = run.config.model.top_k;
    for (std::int64_t w = 0; w < f.windows; ++w) {
        const auto error = errors[static_cast<std::size_t>(w)];
        f.start.push_back(first + w);
        for (std::int64_t h = 0; h < f.horizon; ++h)
            for (std::int64_t c = 0; c < f.channels; ++c) {
                f.truth.push_back(value(first + w + run.config.data.lookback + h, c));
                f.prediction.push_back(f.truth.back() + error);
            }
        for (std::int64_t c = 0; c < f.channels; ++c) {
            f.mse.push_back(error * error);
            f.mae.push_back(std::abs(error));
            for (std::int32_t k = 0; k < f.top_k; ++k) f.retrieved.push_back(k);
        }
    }
}

/// Embeddings of every window and channel of the forecasts, four wide, out of a plain hash.
inline void add_embeddings(MadeRun& run) {
    auto& e = run.embedding();
    e.dimension = 4;
    std::uint64_t state = 88172645463325252ULL + static_cast<std::uint64_t>(run.config.train.seed);
    const auto fill = [&state](std::vector<float>& values, std::int64_t rows) {
        for (std::int64_t i = 0; i < 4 * rows; ++i) {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            values.push_back(static_cast<float>(state >> 40) / static_cast<float>(1 << 24) - 0.4F);
        }
    };
    const auto rows = run.forecast().windows * run.forecast().channels;
    fill(e.anchors, run.config.model.pool_size);
    fill(e.series, rows);
    fill(e.prompt, rows);
}

/// Stands in a data set that is to be damaged.
inline constexpr float marker = 1234.5678F;

class MadeRuns {
public:
    std::vector<Phrase> notes;  ///< of the last figure

    [[nodiscard]] std::filesystem::path folder(const MadeRun& run) const {
        return dir_.filePath(QString::fromStdString(run.name)).toStdString();
    }
    [[nodiscard]] std::filesystem::path arrays(const MadeRun& run) const { return folder(run) / "arrays.h5"; }

    void write(const MadeRun& run) {
        const store::RunFolder place(folder(run));
        std::filesystem::create_directories(place.path());
        std::ofstream(place.config()) << config::to_toml(run.config);
        store::write_arrays_file(place.path(), run.arrays);
        store::write_run_file(place.path(), run.record);
        store::ResultRow row;
        row.run = run.name;
        row.state = store::RunState::finished;
        row.data = std::filesystem::path(run.config.data.path).stem().string();
        row.lookback = run.config.data.lookback;
        row.horizon = run.config.data.horizon;
        row.lambda_cov = run.config.loss.lambda_cov;
        row.seed = run.config.train.seed;
        row.swept = run.swept;
        store::write_run_status(place, {row, {}, {}});
        if (std::find(runs_.begin(), runs_.end(), place.path()) == runs_.end()) runs_.push_back(place.path());
    }

    /// Turns a bit of the marker in arrays.h5 around.
    void damage(const MadeRun& run) const {
        std::fstream file(arrays(run), std::ios::in | std::ios::out | std::ios::binary);
        const std::string bytes{std::istreambuf_iterator<char>(file), {}};
        char pattern[sizeof marker];
        std::memcpy(pattern, &marker, sizeof marker);
        const auto at = bytes.find(std::string(pattern, sizeof pattern));
        if (at == std::string::npos) qFatal("there is no marker to damage");
        file.clear();
        file.seekp(static_cast<std::streamoff>(at));
        file.put(static_cast<char>(bytes[at] ^ 1));
    }

    /// Of all runs that were written.
    std::vector<figures::Figure> make(const std::string& figure) {
        notes.clear();
        read_ = figure_jobs::read_figure_runs(runs_, notes);
        figure_jobs::FigureWork work({figure}, {});
        figure_jobs::FigureSource source(notes, work, {});
        return figure_jobs::make_figures(figure, read_, source);
    }
    [[nodiscard]] QString all_notes() const {
        QString text;
        for (const auto& note : notes) text += QString::fromStdString(note) + '\n';
        return text;
    }

private:
    QTemporaryDir dir_;
    std::vector<std::filesystem::path> runs_;
    figure_jobs::FigureRuns read_;
};

}  // namespace casp::test

#include "evidence/paper_runs.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <utility>

#include "analysis/difficulty.h"
#include "analysis/pca.h"
#include "analysis/strata.h"
#include "analysis/strata_labels.h"
#include "evidence/strata_axes.h"
#include "store/run_file.h"
#include "store/run_folder.h"
#include "util/error.h"

namespace casp::evidence {

namespace {

void add_variance(PaperRun& run, const std::string& kind, std::span<const float> values,
                  std::int64_t dimension, const std::stop_token& stop) {
    if (values.empty() || dimension <= 0) return;
    const auto rows = std::ssize(values) / dimension;
    const auto shares = analysis::principal_axes(values, rows, dimension, 2, stop).shares;
    const auto add = [&](const std::vector<double>& fractions, const std::string& reading) {
        run.measures["pc1_" + kind + reading] = fractions.at(0);
        run.measures["pc2_" + kind + reading] = fractions.at(1);
        run.measures["pc_total_" + kind + reading] = fractions.at(0) + fractions.at(1);
    };
    add(shares.centred, "");
    add(shares.uncentred, "_uncentred");
}

void add_variances(PaperRun& run, const std::stop_token& stop) {
    if (!run.config.run.store_embeddings) return;
    const auto stored = store::read_embedding(store::RunFolder(run.folder).arrays_file(), "test");
    add_variance(run, "anchors", stored.anchors, stored.dimension, stop);
    add_variance(run, "series", stored.series, stored.dimension, stop);
    add_variance(run, "prompts", stored.prompt, stored.dimension, stop);
}

void add_naive2(PaperRun& run) {
    const auto record = store::read_run_file(store::RunFolder(run.folder).run_file());
    if (!record.test || !std::isfinite(record.test->naive2_smape)) return;
    run.measures["naive2_smape"] = record.test->naive2_smape;
    run.measures["naive2_mase"] = record.test->naive2_mase;
}

/// Difficulty of test windows. Runs of one cell follow one another in a sweep and share it.
class DifficultyOfCell {
public:
    /// [n·M]; `start` [n]
    const std::vector<float>& of(const PaperRun& run, const std::vector<std::int64_t>& start,
                                 const std::stop_token& stop) {
        const auto digest =
            store::read_run_file(store::RunFolder(run.folder).run_file()).attributes.dataset_sha256;
        const bool same = digest == digest_ && config_.data == run.config.data &&
                          config_.data_csv == run.config.data_csv && start_ == start &&
                          config_.model.trend_length == run.config.model.trend_length &&
                          config_.model.seasonal_length == run.config.model.seasonal_length;
        if (same) return values_;
        values_ = analysis::difficulty_of_windows(analysis::data_of_run(run.folder, run.config, {}, stop),
                                                  run.config, start, stop);
        digest_ = digest;
        config_ = run.config;
        start_ = start;
        return values_;
    }

private:
    std::string digest_;  ///< of the data file; empty: no values yet
    config::Config config_;
    std::vector<std::int64_t> start_;
    std::vector<float> values_;
};

/// As analysis::compare_strata(): the last of ten strata, and the first three.
void add_residual_strata(PaperRun& run, const store::ForecastErrors& errors, DifficultyOfCell& difficulty,
                         const std::stop_token& stop) {
    std::vector<std::int64_t> channels(static_cast<std::size_t>(errors.channels));
    std::iota(channels.begin(), channels.end(), 0);
    const auto& residual = difficulty.of(run, errors.start, stop);
    const auto strata =
        analysis::strata_of({errors.start, channels, residual, errors.mse, errors.mae, {}}, 10, stop).strata;
    run.measures["easy_mse"] = mean_mse(std::span(strata).first(3));
    run.measures["hard_mse"] = mean_mse(std::span(strata).last(1));
}

/// Calls add(errors) with the run's stored test errors; a problem of theirs or the data is the run's.
template <class Add>
void add_strata(PaperRun& run, const Add& add) {
    const store::RunFolder folder(run.folder);
    const auto& stored = run.config.run.store_forecasts;
    if (std::find(stored.begin(), stored.end(), "test") == stored.end()) {
        run.problem = "its test forecasts are not stored (run.store_forecasts)";
        return;
    }
    try {
        add(store::read_forecast_errors(folder.arrays_file(), "test"));
    } catch (const Error& problem) {
        if (problem.kind() != ErrorKind::input) throw;
        run.problem = phrase_of(problem);
    }
}

}  // namespace

struct RunMeasures::Kept {
    std::string table;
    DifficultyOfCell difficulty;
    LabelsOfRuns labels;
};

RunMeasures::RunMeasures(const PaperTable& table)
    : kept_(std::make_unique<Kept>(Kept{table.name, {}, LabelsOfRuns(axes_of_table(table.name))})) {}

RunMeasures::~RunMeasures() = default;

PaperRun RunMeasures::of(SettledRun settled, const std::stop_token& stop) {
    PaperRun run{std::move(settled), {}, {}, {}};
    const auto& table = kept_->table;
    if (table == "jaccard")
        run.usage_test = store::read_run_file(store::RunFolder(run.folder).run_file()).anchors.usage_test;
    if (table == "pca") add_variances(run, stop);
    if (table == "strata")
        add_strata(run,
                   [&](const auto& errors) { add_residual_strata(run, errors, kept_->difficulty, stop); });
    if (!axes_of_table(table).empty())
        add_strata(run, [&](const auto& errors) { kept_->labels.add_measures(run, errors, stop); });
    if (table == "m4") add_naive2(run);
    return run;
}

std::vector<PaperRun> with_measures(const PaperTable& table, std::vector<SettledRun> runs,
                                    const std::stop_token& stop) {
    std::vector<PaperRun> result;
    RunMeasures measures(table);
    for (auto& settled : runs) {
        throw_if_stopped(stop);
        result.push_back(measures.of(std::move(settled), stop));
    }
    return result;
}

}  // namespace casp::evidence

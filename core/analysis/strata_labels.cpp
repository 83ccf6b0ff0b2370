#include "analysis/strata_labels.h"

#include "data/calendar_step.h"
#include "data/look_backs.h"
#include "store/run_file.h"
#include "store/run_folder.h"
#include "store/run_store.h"
#include "util/error.h"

namespace casp::analysis {

namespace {

std::int64_t cutoff_of(const data::PreparedData& data) {
    const auto season =
        data.collection ? data.collection->frequency.season : data::season_of(data.table.step);
    if (season < 2)
        throw input_error(data.table.path.string(),
                          "the low-frequency fraction has no cutoff: the time between rows is unknown, or a "
                          "season (a day, a week or a year) is not a whole number of rows, at least two",
                          "a time column", "Choose another label for the strata.");
    return season;
}

/// Look-backs of a collection, one after another, each with variance 1.
std::vector<float> look_backs_of_series(const data::PreparedData& data,
                                        const std::vector<std::int64_t>& start, std::int64_t length) {
    auto values = data::look_backs(data, data.scaler, start, length);
    data::to_unit_variance(values, length);
    return values;
}

}  // namespace

data::PreparedData data_of_run(const std::filesystem::path& run, const config::Config& config,
                               const ProgressFn& progress, const std::stop_token& stop) {
    auto prepared = data::prepare_targets(config, progress, stop);
    const store::RunFolder folder(run);
    if (!std::filesystem::exists(folder.run_file())) return prepared;
    const auto digest = store::read_run_file(folder.run_file()).attributes.dataset_sha256;
    if (prepared.table.sha256 != digest)
        throw input_error(config.data.path,
                          Phrase("this is not the run's data file (SHA-256 %1)", prepared.table.sha256),
                          digest, "Restore the original file.");
    return prepared;
}

std::vector<double> strata_labels(const std::filesystem::path& run, const StrataAxis& axis,
                                  const store::Embeddings& of, const ProgressFn& progress,
                                  const std::stop_token& stop) {
    if (axis.label == StrataLabel::residual) return {};
    const auto config = store::read_settings(store::RunFolder(run));
    return strata_labels(data_of_run(run, config, progress, stop), config, axis, of, progress, stop);
}

std::vector<double> strata_labels(const data::PreparedData& prepared, const config::Config& config,
                                  const StrataAxis& axis, const store::Embeddings& of,
                                  const ProgressFn& progress, const std::stop_token& stop) {
    const auto length = config.data.lookback;
    // In a collection windows share no values: one look-back after another is the series then.
    const bool is_collection = prepared.collection != nullptr;
    const auto series = is_collection ? look_backs_of_series(prepared, of.start, length)
                                      : data::scaled_values(prepared.table, prepared.scaler);
    auto start = of.start;
    if (is_collection)
        for (std::size_t i = 0; i < start.size(); ++i) start[i] = static_cast<std::int64_t>(i) * length;
    const LookBacks look_backs{series, std::ssize(prepared.table.columns), start, of.channels, length};
    switch (axis.label) {
        case StrataLabel::residual:
            break;
        case StrataLabel::trend_change:
        case StrataLabel::trend_change_union:
            return trend_changes(look_backs,
                                 {config.model.trend_length,
                                  axis.label == StrataLabel::trend_change ? ChangeTreatment::channel_average
                                                                          : ChangeTreatment::channel_union,
                                  axis.penalty_factor},
                                 stop, progress);
        case StrataLabel::trend_strength:
            return trend_strengths(look_backs, config.model.trend_length, config.model.seasonal_length, stop,
                                   progress);
        case StrataLabel::low_frequency:
            return low_frequency_shares(look_backs, cutoff_of(prepared), stop, progress);
        case StrataLabel::normalised_residual:
            return normalised_residuals(look_backs, config.model.trend_length, config.model.seasonal_length,
                                        stop, progress);
    }
    return {};
}

}  // namespace casp::analysis

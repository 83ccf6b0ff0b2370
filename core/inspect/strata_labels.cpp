#include "inspect/strata_labels.h"

#include "config/experiment.h"
#include "data/season.h"
#include "store/atomic_file.h"
#include "store/run_file.h"
#include "store/run_folder.h"
#include "util/error.h"

namespace casp::inspect {

namespace {

std::int64_t cutoff_of(const data::Table& table) {
    const auto season = data::season_of(table.step_seconds);
    if (season < 2)
        throw input_error(table.path.string(),
                          "the low-frequency fraction has no cutoff: the time between rows is unknown, or a "
                          "season (a day, a week or a year) is not a whole number of rows, at least two",
                          "a time column", "Choose another label for the strata.");
    return season;
}

}  // namespace

data::PreparedData data_of_run(const std::filesystem::path& run, const config::Config& config,
                               const ProgressFn& progress, const std::stop_token& stop) {
    auto prepared = data::prepare_data(config, progress, stop);
    const store::RunFolder folder(run);
    if (!std::filesystem::exists(folder.run_file())) return prepared;
    const auto digest = store::read_run_file(folder.run_file()).attributes.dataset_sha256;
    if (prepared.table.sha256 != digest)
        throw input_error(config.data.path,
                          "this is not the run's data file (SHA-256 " + prepared.table.sha256 + ")", digest,
                          "Restore the original file.");
    return prepared;
}

std::vector<double> strata_labels(const std::filesystem::path& run, const analysis::StrataAxis& axis,
                                  const store::Embeddings& of, const ProgressFn& progress,
                                  const std::stop_token& stop) {
    using analysis::StrataLabel;
    if (axis.label == StrataLabel::residual) return {};
    const store::RunFolder folder(run);
    const auto config =
        config::load_text(store::read_small_file(folder.config()), folder.config().string(), {}).base;
    const auto prepared = data_of_run(run, config, progress, stop);
    const auto series = data::scaled_values(prepared.table, prepared.scaler);
    const analysis::LookBacks look_backs{series, std::ssize(prepared.table.columns), of.start, of.channels,
                                         config.data.lookback};
    switch (axis.label) {
        case StrataLabel::residual:
            break;
        case StrataLabel::trend_change:
        case StrataLabel::trend_change_union:
            return analysis::trend_changes(
                look_backs,
                {config.model.trend_length,
                 axis.label == StrataLabel::trend_change ? analysis::ChangeTreatment::channel_average
                                                         : analysis::ChangeTreatment::channel_union,
                 axis.penalty_factor},
                stop, progress);
        case StrataLabel::trend_strength:
            return analysis::trend_strengths(look_backs, config.model.trend_length,
                                             config.model.seasonal_length, stop, progress);
        case StrataLabel::low_frequency:
            return analysis::low_frequency_shares(look_backs, cutoff_of(prepared.table), stop, progress);
    }
    return {};
}

}  // namespace casp::inspect

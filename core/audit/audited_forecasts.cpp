#include "audit/audited_forecasts.h"

#include <cctype>
#include <utility>

#include "config/experiment.h"
#include "config/text_utils.h"
#include "util/error.h"

namespace casp::audit {

config::Config settings_of_forecasts(const std::string& data, std::vector<std::string> sets) {
    sets.emplace_back("model.name=\"imported\"");
    sets.push_back("data.path=" + config::in_quotes(data));
    auto config = config::load_text("", "--set", std::filesystem::current_path(), sets).base;
    if (data::has_collection(config))
        throw input_error(data, "it is a collection of series", "a data set with rows and channels",
                          "The forecasts of a collection have no windows to look for.");
    return config;
}

AuditedForecasts audit_file(const std::filesystem::path& path, config::Config config,
                            const ProgressFn& progress, const std::stop_token& stop) {
    auto forecasts = read_foreign_forecasts(path, stop);
    const auto expected = std::exchange(config.data.horizon, forecasts.prediction.horizon());
    auto data = data::prepare_targets(config, progress, stop);
    join_channels(forecasts, data);
    auto audit =
        audit_forecasts(forecasts, data, expected > 0 ? expected : config.data.horizon, progress, stop);
    // Another data set than the user means has another split, of which the findings would be.
    for (const auto& warning : data.table.warnings) {
        if (warning.kind != data::WarningKind::catalog) continue;
        auto note = warning.text + ".";
        note.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(note.front())));
        audit.notes.push_back(std::move(note));
    }
    audit.hints = pipeline_hints(path, stop);
    return {std::move(forecasts), std::move(config), std::move(data), std::move(audit)};
}

}  // namespace casp::audit

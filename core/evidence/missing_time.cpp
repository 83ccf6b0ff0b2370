#include "evidence/missing_time.h"

#include <algorithm>

#include "config/options.h"
#include "config/toml_reader.h"
#include "util/error.h"
#include "util/units.h"

namespace casp::evidence {

namespace {

config::Config with_settings_of_runs(config::Config config, const PaperTable& table) {
    for (const auto& [key, value] : settings_of_runs(table)) {
        config::Problems problems;
        const auto document = config::read_set(key + "=" + value, problems);
        problems.raise(key);
        for (const auto& given : document.given) config::set(config, given.key, given.value);
    }
    return config;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> settings_of_runs(const PaperTable& table) {
    constexpr std::string_view equals = " = ";
    std::vector<std::pair<std::string, std::string>> settings;
    if (table.backbone == "untrained") settings.emplace_back("backbone.path", "\"untrained\"");
    for (const auto& deviation : table.deviations) {
        const auto at = deviation.find(equals);
        // "data" names the data set of the runs and is no setting.
        if (at != std::string::npos && config::find_option(deviation.substr(0, at)) != nullptr)
            settings.emplace_back(deviation.substr(0, at), deviation.substr(at + equals.size()));
    }
    return settings;
}

MissingTime time_of_missing(const PaperTable& table, const TimeFunction& time_of_run,
                            const std::stop_token& stop) {
    MissingTime time;
    for (const auto& need : table.needs) {
        const auto missing = std::count(need.found.begin(), need.found.end(), std::nullopt);
        if (!need.problem.empty() || missing == 0) continue;
        throw_if_stopped(stop);
        RunTime estimate;
        try {
            estimate = time_of_run(with_settings_of_runs(need.config, table), stop);
        } catch (const Cancelled&) {
            throw;
        } catch (const Error& problem) {  // a setting of older runs that this version rejects
            estimate.problem = phrase_of(problem);
        }
        if (estimate.problem.empty() && estimate.seconds > 0) {
            time.seconds += static_cast<double>(missing) * estimate.seconds;
        } else {
            time.unknown += missing;
            if (time.problem.empty()) time.problem = estimate.problem;
        }
    }
    return time;
}

Phrase missing_time_text(const PaperTable& table, const MissingTime& time) {
    if (table.missing == 0) return {};
    auto text = table.missing == 1 ? Phrase("%1 run is missing", table.missing)
                                   : Phrase("%1 runs are missing", table.missing);
    if (time.seconds > 0)
        text += Phrase(": up to about %1 on this computer, one after another and without early stopping",
                       duration_text(time.seconds));
    text += ".";
    if (time.unknown == 0) return text;
    text += time.unknown == table.missing ? Phrase(" Their time is unknown")
                                          : Phrase(" The time of %1 of them is unknown", time.unknown);
    return text + (time.problem.empty() ? "." : ": " + time.problem);
}

}  // namespace casp::evidence

#include "panels/paper/paper_missing.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "config/options.h"
#include "config/toml_reader.h"
#include "state/amount_text.h"
#include "util/embedded.h"
#include "util/error.h"

namespace casp::widgets {

using evidence::PaperTable;

namespace {

/// Settings of the table's runs that differ from the paper's: key, and value as TOML.
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

MissingTime time_of_missing(const PaperTable& table, const PreviewFunction& preview,
                            const std::stop_token& stop) {
    MissingTime time;
    for (const auto& need : table.needs) {
        const auto missing = std::count(need.found.begin(), need.found.end(), std::nullopt);
        if (!need.problem.empty() || missing == 0) continue;
        throw_if_stopped(stop);
        const auto estimate = preview(with_settings_of_runs(need.config, table), stop);
        if (estimate.problem.isEmpty() && estimate.longest_seconds > 0) {
            time.seconds += static_cast<double>(missing) * estimate.longest_seconds;
        } else {
            time.unknown += missing;
            if (time.problem.isEmpty()) time.problem = estimate.problem;
        }
    }
    return time;
}

QString missing_runs_text(const PaperTable& table, const std::optional<MissingTime>& time, bool pending) {
    QStringList sentences;
    if (table.missing > 0) {
        auto text = table.missing == 1 ? QObject::tr("1 run is missing")
                                       : QObject::tr("%1 runs are missing").arg(table.missing);
        if (pending) text += QObject::tr("; estimating the time…");
        if (time && time->seconds > 0)
            text += QObject::tr(", up to about %1 on this computer").arg(duration_text(time->seconds));
        sentences << (pending ? text : text + u'.');
        if (time && time->unknown > 0)
            sentences << (time->problem.isEmpty()
                              ? QObject::tr("The time of %1 of them is unknown.").arg(time->unknown)
                              : QObject::tr("The time of %1 of them is unknown: %2")
                                    .arg(time->unknown)
                                    .arg(time->problem));
    }
    if (table.not_offered > 0)
        sentences << QObject::tr("%1 runs need models or data that this version does not have.")
                         .arg(table.not_offered);
    if (sentences.isEmpty()) sentences << QObject::tr("All runs of this table are finished.");
    return sentences.join(u' ');
}

QString missing_runs_toml(const PaperTable& table, const std::string& name) {
    std::string text(embedded_file("resources/experiments/paper/" + name + ".toml"));
    for (const auto& [key, value] : settings_of_runs(table)) {
        const auto dot = key.find('.');
        const auto section = "\n[" + key.substr(0, dot) + "]\n";
        // A section that the file has cannot be extended from outside.
        if (const auto at = text.find(section); at != std::string::npos)
            text.insert(at + section.size(), key.substr(dot + 1) + " = " + value + "\n");
        else
            text.insert(text.find("\n[") + 1, key + " = " + value + "\n");
    }
    return QString::fromStdString(text);
}

}  // namespace casp::widgets

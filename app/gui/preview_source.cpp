#include "gui/preview_source.h"

#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include <QObject>

#include "data/preset_data.h"
#include "run/preparation.h"
#include "run/preview.h"
#include "util/error.h"
#include "words/core_text.h"
#include "words/plain_text.h"

namespace casp::gui {

namespace {

/// With all threads: another number would apply to the whole process, and to a running run.
run::Machine measured_machine(config::Config config) {
    config.run.threads = 0;
    return run::measure_machine(config);
}

using Settings = std::vector<std::pair<std::string, config::Value>>;

/// The settings nearest to `config` with which each part of the data set has windows: another split, else a
/// shorter look-back, else also a shorter horizon. Empty: there are none.
Settings fitting_settings(const config::Config& config, const data::FileFacts& data,
                          const run::Machine& machine) {
    std::vector<Settings> candidates;
    if (const auto& rule = config.data.split.rule; rule != "auto" && rule != "ratio")
        candidates.push_back({{"data.split", config::SplitSetting{"ratio"}}});
    for (auto horizon = config.data.horizon; horizon > 0; horizon /= 2)
        for (auto lookback = config.data.lookback; lookback > 1; lookback /= 2) {
            Settings shorter;
            if (lookback != config.data.lookback) shorter.emplace_back("data.lookback", lookback);
            if (horizon != config.data.horizon) shorter.emplace_back("data.horizon", horizon);
            candidates.push_back(std::move(shorter));
        }
    for (const auto& candidate : candidates) try {
            auto changed = config;
            for (const auto& [key, value] : candidate) config::set(changed, key, value);
            if (!config::contradictions(changed).empty()) continue;
            (void)run::preview(changed, data, machine);
            return candidate;
        } catch (const Error&) {  // no window either
            continue;
        }
    return {};
}

bool accepts_interpolated(config::Config config, const data::FileFacts& file) {
    config.data.missing = "interpolate";
    try {
        data::check_cells(config, file);
        return file.table != nullptr;
    } catch (const Error&) {
        return false;
    }
}

widgets::ExperimentPreview preview_of(const config::Config& config, const std::stop_token& stop) {
    widgets::ExperimentPreview result;
    result.backbone_problem = backbone_problem(config);
    data::FileFacts file;
    run::Machine machine;
    try {
        machine = measured_machine(config);
        if (!config.data.path.empty()) {
            file = data::read_facts(config, stop);
            result.preset_problem = widgets::translated(data::preset_mismatch(config, file));
        }
        auto numbers = run::preview(config, file, machine);
        data::check_cells(config, file);
        static_cast<run::Preview&>(result) = std::move(numbers);
        result.device = QString::fromStdString(machine.device);
    } catch (const Error& problem) {
        result.problem = widgets::plain_text(problem);
        result.no_run = problem.kind() == ErrorKind::input;
        if (problem.parts().where == "data.split" && file.rows > 0)
            result.way_out = fitting_settings(config, file, machine);
        else if (config.data.missing == "error" && accepts_interpolated(config, file))
            result.way_out = {{"data.missing", std::string("interpolate")}};
    } catch (const std::exception& problem) {
        result.problem = widgets::plain_text(problem);
    }
    return result;
}

}  // namespace

QString backbone_problem(const config::Config& config) {
    const auto found = run::missing_backbone(config);
    if (found.empty()) return {};
    if (config.backbone.path == "catalog:gpt2") return QObject::tr("GPT-2 is not on this computer yet");
    return QObject::tr("The backbone cannot be read (%1)").arg(widgets::translated(found));
}

widgets::PreviewFunction make_preview_function() { return preview_of; }

}  // namespace casp::gui

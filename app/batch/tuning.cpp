#include "batch/tuning.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "batch/console.h"
#include "config/experiment.h"
#include "config/text_utils.h"
#include "evidence/paper_experiments.h"
#include "evidence/tuning.h"
#include "util/error.h"

namespace casp::batch {

namespace {

using Sets = std::vector<std::string>;

constexpr std::string_view sweep_prefix = "sweep.";

std::string key_of(const std::string& set) { return set.substr(0, set.find('=')); }

/// The user's settings that a stage takes: all but the values of axes that it does not have.
Sets sets_for(const CommandLine& line, const std::string& target) {
    const auto axes = evidence::load_experiment(target).axes;
    Sets sets;
    for (const auto& set : line.sets) {
        auto key = key_of(set);
        if (key == "name") continue;  // the caller's
        if (key.starts_with(sweep_prefix)) {
            key = key.substr(sweep_prefix.size());
            if (std::none_of(axes.begin(), axes.end(), [&](const auto& axis) { return axis.key == key; }))
                continue;
        }
        sets.push_back(set);
    }
    return sets;
}

/// Settings of the search are axes; others would be of no stage.
void check_searched(const CommandLine& line) {
    Sets swept{"preset"};
    for (const auto& stage : {std::string(evidence::tuning_weights), std::string(evidence::tuning_lengths)})
        for (const auto& axis : evidence::load_experiment(stage).axes) swept.push_back(axis.key);
    for (const auto& set : line.sets) {
        const auto key = key_of(set);
        if (std::find(swept.begin(), swept.end(), key) != swept.end() && key != "train.seed")
            throw input_error("--set " + key, "the search sets this itself", Phrase("sweep.%1", key),
                              Phrase("Choose values of the search: --set 'sweep.%1=[…]'.", key));
        if (key.starts_with(sweep_prefix) &&
            std::find(swept.begin(), swept.end(), key.substr(sweep_prefix.size())) == swept.end())
            throw input_error("--set " + key, "the search does not sweep this setting",
                              config::either(swept));
    }
}

CommandLine stage_line(const CommandLine& line, const std::string& target, const std::string& name,
                       const std::string& preset, const Sets& chosen) {
    auto stage = line;
    stage.target = target;
    stage.sets = sets_for(line, target);
    stage.sets.insert(stage.sets.end(), chosen.begin(), chosen.end());
    stage.sets.push_back("preset=" + config::in_quotes(preset));
    stage.sets.push_back("name=" + config::in_quotes(name));
    return stage;
}

/// The table knows runs of the paper's grid only.
void check_values(const CommandLine& line) {
    for (const auto target : {evidence::tuning_weights, evidence::tuning_lengths}) {
        Sets sweeps;
        for (const auto& set : sets_for(line, std::string(target)))
            if (set.starts_with(sweep_prefix)) sweeps.push_back(set);
        const auto grid = evidence::load_experiment(std::string(target)).axes;
        for (const auto& axis : evidence::load_experiment(std::string(target), sweeps).axes) {
            const auto whole =
                std::find_if(grid.begin(), grid.end(), [&](const auto& one) { return one.key == axis.key; });
            if (whole == grid.end() || axis.key == "preset" || axis.key == "train.seed") continue;
            std::vector<std::string> values;
            for (const auto& point : whole->points) values.push_back(point.text);
            for (const auto& point : axis.points)
                if (std::find(values.begin(), values.end(), point.text) == values.end())
                    throw input_error("--set sweep." + axis.key,
                                      Phrase("%1 is not in the paper's grid", point.text),
                                      config::either(values));
        }
    }
}

class Search {
public:
    Search(const CommandLine& line, train::StopControl& stop) : line_(line), stop_(stop) {}

    BatchEnd run() {
        auto first = line_;
        first.sets = sets_for(line_, line_.target);
        for (const auto& set : line_.sets)
            if (key_of(set) == "name") first.sets.push_back(set);
        const auto experiment = evidence::load_experiment(first.target, first.sets);
        const auto& settings = experiment.base.run;
        if (!settings.devices.empty() || settings.processes != 1)
            throw input_error("run.devices, run.processes", "the search trains one run at a time", {},
                              "Start the same command with --worker once for each device.");
        const auto plans = config::expand(experiment);
        for (std::size_t i = 0; i < plans.size(); ++i)
            for (std::size_t k = 0; k < i; ++k)
                if (plans[i].config.preset == plans[k].config.preset)
                    throw input_error("--set sweep.train.seed", "the search is of one seed", "one value");
        make(first);
        for (const auto& plan : plans) {
            if (has_ended()) break;
            search(experiment.base.name, plan.config);
        }
        return end_;
    }

private:
    [[nodiscard]] bool has_ended() const {
        return end_.status == exit_interrupted || end_.status == exit_bad_input;
    }

    /// The worst end of all batches.
    void make(const CommandLine& line) {
        const auto end = run_one_batch(line, stop_);
        const bool ends = end.status == exit_interrupted || end.status == exit_bad_input;
        if (end_.status == exit_done || ends) end_.status = end.status;
        end_.complete = end_.complete && end.complete;
    }

    void search(const std::string& name, const config::Config& paper) {
        const auto stage = [&](std::string_view target, const char* suffix, const Sets& chosen) {
            return stage_line(line_, std::string(target), name + suffix + paper.preset, paper.preset, chosen);
        };
        const auto weights = stage(evidence::tuning_weights, "-weights-",
                                   evidence::length_sets(evidence::initial_lengths(paper.preset)));
        make(weights);
        if (has_ended()) return;
        const auto finished = evidence::finished_runs({line_.out}).runs;
        const auto cell = evidence::tuning_of(paper.preset, paper, finished);
        const auto planned = config::expand(evidence::load_experiment(weights.target, weights.sets));
        const auto found = std::count_if(planned.begin(), planned.end(), [&](const auto& plan) {
            return std::any_of(cell.weights.begin(), cell.weights.end(),
                               [&](const auto* run) { return evidence::covers(run->config, plan.config); });
        });
        if (found < std::ssize(planned)) {
            end_.complete = false;
            print_warnings(line_.log_format,
                           {Phrase("%1: %2 of %3 runs of the first stage are finished; the second one begins "
                                   "when all are",
                                   paper.preset, found, planned.size())});
            return;
        }
        make(stage(evidence::tuning_lengths, "-lengths-", evidence::weight_sets(cell.best_weights->config)));
    }

    const CommandLine& line_;
    train::StopControl& stop_;
    BatchEnd end_{exit_done, true};
};

}  // namespace

bool is_tuning(const CommandLine& line) {
    return line.target == "paper:" + std::string(evidence::tuning_name);
}

BatchEnd run_tuning(const CommandLine& line, train::StopControl& stop) {
    check_searched(line);
    check_values(line);
    return Search(line, stop).run();
}

}  // namespace casp::batch

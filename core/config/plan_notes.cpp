// Notes about the runs of an experiment: what is left out, what is equal, what is not read.

#include <algorithm>
#include <map>
#include <set>

#include "config/experiment.h"
#include "config/text_utils.h"
#include "util/phrase.h"
#include "util/units.h"

namespace casp::config {

namespace {

Phrase all_of(const std::set<std::string>& names) {
    return listed({names.begin(), names.end()}, names.size());
}

void note_left_out(const Experiment& experiment, const std::vector<RunPlan>& runs,
                   std::vector<Phrase>& notes) {
    auto all = std::max<std::size_t>(1, experiment.cases.size());
    for (const auto& axis : experiment.axes) all *= axis.points.size();
    if (all == runs.size()) return;
    std::set<std::string> keys;
    for (const auto& axis : experiment.axes)
        for (const auto& run : runs)
            if (axis.points.size() > 1 && !is_read(run.config, *find_option(axis.key))) keys.insert(axis.key);
    notes.push_back(
        Phrase("%1 of %2 combinations of the sweep are left out: they equal other runs, since their models "
               "do not read %3",
               all - runs.size(), all, all_of(keys)));
}

/// All settings that the run reads, except those that only name it.
std::string settings_read(const Config& config) {
    std::string text;
    for (const auto& option : options())
        if (option.key != "name" && option.key != "preset" && is_read(config, option))
            text += option.key + " = " + to_toml(option.get(config)) + "\n";
    return text;
}

void note_equal_cases(const Experiment& experiment, const std::vector<RunPlan>& runs,
                      std::vector<Phrase>& notes) {
    if (experiment.cases.size() < 2) return;
    std::map<std::string, std::string> first_case;  // by settings
    std::map<std::pair<std::string, std::string>, std::size_t> equal;
    for (const auto& run : runs) {
        const auto& label = run.swept.back().second;
        const auto& first = first_case.emplace(settings_read(run.config), label).first->second;
        if (first != label) ++equal[{first, label}];
    }
    for (const auto& [labels, count] : equal)
        notes.push_back(Phrase("the cases %1 and %2 have equal settings in %3 each: these are trained twice",
                               in_quotes(labels.first), in_quotes(labels.second),
                               count == 1 ? Phrase("%1 run", count) : Phrase("%1 runs", count)));
}

/// Settings that none of the runs for which they are given reads, by the models of these runs.
class UnreadSettings {
public:
    void add(const std::string& key, const std::vector<const RunPlan*>& runs) {
        const auto& option = *find_option(key);
        const bool read = std::any_of(runs.begin(), runs.end(),
                                      [&](const RunPlan* run) { return is_read(run->config, option); });
        if (read) return;
        std::set<std::string> models;
        for (const auto* run : runs) models.insert(run->config.model.name);
        keys_[all_of(models)].insert(key);
    }
    void note(std::vector<Phrase>& notes) const {
        for (const auto& [models, keys] : keys_)
            notes.push_back(Phrase("not read by %1 in this experiment: %2", models, all_of(keys)));
    }

private:
    std::map<std::string, std::set<std::string>> keys_;
};

void note_unread(const Experiment& experiment, const std::vector<RunPlan>& runs, std::vector<Phrase>& notes) {
    UnreadSettings unread;
    // Printed configurations give every setting: those with their defaults ask for nothing.
    const auto asks = [](const Assignment& given) {
        return given.value != find_option(given.key)->default_value;
    };
    const auto all = runs_of(runs, nullptr);
    for (const auto& given : experiment.sets) unread.add(given.key, all);
    for (const auto& given : experiment.given)
        if (asks(given)) unread.add(given.key, all);
    for (const auto& axis : experiment.axes) unread.add(axis.key, all);
    for (const auto& one : experiment.cases) {
        const auto of_case = runs_of(runs, &one);
        for (const auto& given : one.given)
            if (asks(given)) unread.add(given.key, of_case);
    }
    unread.note(notes);
}

}  // namespace

std::vector<Phrase> notes_of(const Experiment& experiment, const std::vector<RunPlan>& runs) {
    std::vector<Phrase> notes;
    note_left_out(experiment, runs, notes);
    note_equal_cases(experiment, runs, notes);
    note_unread(experiment, runs, notes);
    return notes;
}

}  // namespace casp::config

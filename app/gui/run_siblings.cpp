#include "gui/run_siblings.h"

#include <algorithm>

#include <QFileInfo>

#include "config/options.h"
#include "config/text_utils.h"
#include "evidence/run_search.h"
#include "run/preparation.h"
#include "store/results.h"

namespace casp::gui {

namespace {

constexpr std::size_t longest_name = 120;  // as --batch: file systems allow 255 bytes, "-2" may follow

}  // namespace

RunSiblings::RunSiblings(const QString& batch) {
    if (!QFileInfo(batch).isDir()) return;
    for (const auto& run : evidence::runs_in(batch.toStdString())) {
        const auto& row = run.status.row;
        if (row.state == store::RunState::failed) continue;
        first_of_cells_.try_emplace(store::cell_settings(row.swept), run.folder);
        if (model_.empty()) model_ = row.model;
    }
}

Swept RunSiblings::changes(const config::RunPlan& plan) const {
    const auto& config = plan.config;
    auto swept = plan.swept;
    const auto has = [&](const std::string& key) {
        return std::any_of(swept.begin(), swept.end(), [&](const auto& one) { return one.first == key; });
    };
    const auto add = [&](const std::string& key) {
        if (!has(key)) swept.emplace_back(key, config::plain_text(config::get(config, key)));
    };
    // A case or a preset says which model it is.
    if (!model_.empty() && model_ != config.model.name && !has(store::case_key) && !has("preset"))
        add("model.name");
    std::filesystem::path before = config.train.continue_from;
    if (!before.empty())
        add("train.continue_from");
    else if (const auto first = first_of_cells_.find(store::cell_settings(swept));
             first != first_of_cells_.end())
        before = first->second;
    if (!before.empty())
        for (const auto& key : run::differing_settings(before, config).value_or(std::vector<std::string>()))
            if (config::changes_forecasts(key) && key != "train.seed")
                add(key);  // as --compare takes runs for alike
    return {swept.begin() + std::ssize(plan.swept), swept.end()};
}

std::string name_with(const Swept& changes, const std::string& name) {
    std::string parts;
    for (const auto& [key, value] : changes) {
        const auto text = config::file_name_safe(value);
        parts += (key == "model.name" ? "model" : config::find_option(key)->member) + '-' +
                 (text.empty() ? "none" : text) + '_';
    }
    return parts.size() + name.size() > longest_name ? name : parts + name;
}

}  // namespace casp::gui

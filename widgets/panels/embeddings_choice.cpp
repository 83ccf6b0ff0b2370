// What is chosen on the embeddings page, which of the runs stand in its pictures, and which do not.
#include <algorithm>
#include <iterator>
#include <unordered_map>
#include <unordered_set>

#include "charts/figure_view.h"
#include "panels/embeddings_page.h"
#include "panels/embeddings_space.h"

namespace casp::widgets {

namespace {

/// The rows that are chosen, of a set of the selection's split.
std::vector<WindowChannel> chosen_pairs(const SelectionState& state, const EmbeddingSet& set) {
    if (!state.pairs.empty()) return state.pairs;
    const auto& all = set.values.channels;
    std::vector<WindowChannel> pairs;
    for (const auto window : state.windows)
        if (state.channels.empty())
            for (const auto channel : all) pairs.emplace_back(window, channel);
        else
            for (const auto channel : state.channels) pairs.emplace_back(window, channel);
    std::sort(pairs.begin(), pairs.end());
    return pairs;
}

/// Makes `pairs` (ascending) what is chosen of windows and channels.
void choose_pairs(SelectionState& state, const EmbeddingSet& set, std::vector<WindowChannel> pairs) {
    state.windows.clear();
    state.channels.clear();
    for (const auto& [window, channel] : pairs) {
        state.windows.insert(window);
        state.channels.insert(channel);
    }
    if (pairs.size() == state.windows.size() * state.channels.size()) pairs.clear();  // that says it all
    // All channels of what is shown are no choice of channels.
    if (state.channels.size() == set.values.channels.size() && state.channels.size() > 1)
        state.channels.clear();
    state.pairs = std::move(pairs);
}

}  // namespace

QString EmbeddingsPage::left_out(const std::vector<figures::RunInput>& runs) const {
    QStringList without, beyond;
    std::size_t drawn = 0;
    for (const auto& run : runs) {
        const bool is_shown = std::any_of(shown_.begin(), shown_.end(),
                                          [&](const Shown& one) { return one.folder == run.folder; });
        drawn += is_shown ? 1 : 0;
        const auto* known = library()->data(run.folder);
        // What is on its way is not missing.
        const bool comes = known && (!known->is_loaded() || known->embedding_status().is_busy() ||
                                     known->is_reading_probes());
        if (!is_shown && !comes) (drawn == EmbeddingsSpace::most_views ? beyond : without) << run.label;
    }
    QStringList lines;
    if (!without.isEmpty()) lines << tr("Without embeddings, not drawn: %1").arg(without.join(tr(", ")));
    if (!beyond.isEmpty())
        lines << tr("Not drawn, %1 runs fit: %2").arg(EmbeddingsSpace::most_views).arg(beyond.join(tr(", ")));
    return lines.join(QLatin1Char('\n'));
}

void EmbeddingsPage::show_selection() {
    if (!isVisible()) return;  // showEvent() catches up
    const auto& chosen = selection()->state();
    const std::vector<WindowChannel> nothing;
    std::unordered_map<QString, std::unordered_set<std::int64_t>> of_runs;
    bool any = false;
    for (std::size_t i = 0; i < shown_.size() && i < EmbeddingsSpace::most_views; ++i) {
        const auto& set = *shown_[i].set;
        const auto split = QString::fromStdString(set.values.split);
        const bool same = chosen.split.isEmpty() || chosen.split == split;
        auto anchors = chosen.anchors;
        auto windows = same ? chosen.windows : std::set<std::int64_t>{};
        const auto& pairs = same ? chosen.pairs : nothing;
        // What was chosen lights up what it is connected with in this run.
        if (anchors.empty())
            anchors = set.anchors_chosen_by(windows, chosen.channels, pairs);
        else if (chosen.windows.empty())
            windows = set.windows_choosing(anchors, chosen.channels);
        const auto ids = ids_of(set, anchors, windows, chosen.channels, pairs);
        space_->set_highlight(i, ids);
        any = any || !ids.empty();
        of_runs[shown_[i].folder] = {ids.begin(), ids.end()};
    }
    if (!any) of_runs.clear();
    view(QStringLiteral("embedding-pca"))->set_highlight_of_runs(std::move(of_runs));
}

void EmbeddingsPage::pick(std::size_t cloud, const std::vector<std::int64_t>& ids,
                          Qt::KeyboardModifiers modifiers) {
    if (cloud >= shown_.size()) return;
    const auto& set = *shown_[cloud].set;
    auto picked = picked_points(set, ids);
    auto state = selection()->state();
    const auto split = QString::fromStdString(set.values.split);
    const bool adds = modifiers & (Qt::ShiftModifier | Qt::ControlModifier);
    state.anchors = combined(state.anchors, picked.anchors, modifiers);
    if (!adds) {
        choose_pairs(state, set, picked.pairs);
    } else if (!picked.pairs.empty()) {
        const auto before = state.split == split ? chosen_pairs(state, set) : std::vector<WindowChannel>{};
        std::vector<WindowChannel> now;
        if (modifiers & Qt::ControlModifier)
            std::set_symmetric_difference(before.begin(), before.end(), picked.pairs.begin(),
                                          picked.pairs.end(), std::back_inserter(now));
        else
            std::set_union(before.begin(), before.end(), picked.pairs.begin(), picked.pairs.end(),
                           std::back_inserter(now));
        choose_pairs(state, set, std::move(now));
    }
    if (!picked.pairs.empty()) state.split = split;
    selection()->set(state);
}

}  // namespace casp::widgets

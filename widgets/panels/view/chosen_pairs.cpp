#include "panels/view/chosen_pairs.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace casp::widgets {

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

void choose_pairs(SelectionState& state, const EmbeddingSet& set, std::vector<WindowChannel> pairs) {
    state.windows.clear();
    state.channels.clear();
    for (const auto& [window, channel] : pairs) {
        state.windows.insert(window);
        state.channels.insert(channel);
    }
    if (pairs.size() == state.windows.size() * state.channels.size())
        pairs.clear();  // windows and channels suffice
    // All shown channels: no restriction of channels.
    if (state.channels.size() == set.values.channels.size() && state.channels.size() > 1)
        state.channels.clear();
    state.pairs = std::move(pairs);
}

void pick_pairs(SelectionState& state, const EmbeddingSet& set, std::vector<WindowChannel> pairs,
                Qt::KeyboardModifiers modifiers) {
    std::sort(pairs.begin(), pairs.end());
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    const auto split = QString::fromStdString(set.values.split);
    const bool any = !pairs.empty();
    if (!(modifiers & (Qt::ShiftModifier | Qt::ControlModifier))) {
        choose_pairs(state, set, std::move(pairs));
    } else if (any) {
        const auto before = state.split == split ? chosen_pairs(state, set) : std::vector<WindowChannel>{};
        std::vector<WindowChannel> now;
        if (modifiers & Qt::ControlModifier)
            std::set_symmetric_difference(before.begin(), before.end(), pairs.begin(), pairs.end(),
                                          std::back_inserter(now));
        else
            std::set_union(before.begin(), before.end(), pairs.begin(), pairs.end(), std::back_inserter(now));
        choose_pairs(state, set, std::move(now));
    }
    if (any) state.split = split;
}

}  // namespace casp::widgets

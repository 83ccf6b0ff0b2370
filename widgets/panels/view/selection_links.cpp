#include "panels/view/selection_links.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace casp::widgets {

namespace {

std::shared_ptr<const EmbeddingSet> set_of_forecasts(const store::ForecastArrays& arrays, const RunData& run,
                                                     const QString& split) {
    auto set = std::make_shared<EmbeddingSet>();
    set->folder = run.folder();
    auto& v = set->values;
    v.split = split.toStdString();
    v.weights = "best";
    v.top_k = arrays.top_k;
    v.pool_size = run.record().anchors.pool_size;
    for (const auto anchor : arrays.retrieved)
        v.pool_size = std::max<std::int64_t>(v.pool_size, std::int64_t{anchor} + 1);
    for (std::int64_t w = 0; w < arrays.windows; ++w) v.windows.push_back(w);
    for (std::int64_t c = 0; c < arrays.channels; ++c) v.channels.push_back(c);
    v.start = arrays.start;
    v.windows_total = arrays.windows;
    v.channels_total = arrays.channels;
    v.rows = arrays.windows * arrays.channels;
    v.retrieved = arrays.retrieved;
    return set;
}

std::shared_ptr<const train::Probe> probe_of(const RunData& run, std::optional<std::int64_t> step) {
    std::shared_ptr<const train::Probe> chosen;
    for (const auto& probe : run.probes())
        if (probe && (!chosen || !step || probe->step <= *step)) chosen = probe;
    return chosen;
}

}  // namespace

std::set<std::int64_t> combined(std::set<std::int64_t> before, const std::vector<std::int64_t>& ids,
                                Qt::KeyboardModifiers modifiers) {
    if (modifiers & Qt::ControlModifier) {
        for (const auto id : ids)
            if (before.erase(id) == 0) before.insert(id);
        return before;
    }
    if (!(modifiers & Qt::ShiftModifier)) before.clear();
    before.insert(ids.begin(), ids.end());
    return before;
}

std::shared_ptr<const EmbeddingSet> SelectionLinks::choices(RunData& run, const QString& split,
                                                            std::optional<std::int64_t> step) {
    const auto test = QStringLiteral("test"), val = QStringLiteral("val");
    auto& known = kept_[run.folder()];
    const auto keep = [&](std::shared_ptr<const void> source, auto make) {
        if (known.source != source) known.set = make();
        known.source = std::move(source);
        return known.set;
    };
    // All windows if stored, else the embedded ones.
    if ((split.isEmpty() || split == test) && run.record().test)
        if (const auto arrays = run.window_errors(test); arrays && !arrays->retrieved.empty())
            return keep(arrays, [&] { return set_of_forecasts(*arrays, run, test); });
    if (const auto set = split.isEmpty() ? run.embeddings() : run.embeddings_of(split);
        set && !set->values.retrieved.empty())
        return set;
    if (split.isEmpty() || split == val)
        if (const auto probe = probe_of(run, step); probe && !probe->retrieved.empty())
            return keep(probe, [&] { return embedding_set_of(*probe, run.folder()); });
    return nullptr;
}

void SelectionLinks::keep_only(const std::vector<RunData*>& runs) {
    forget_others(kept_, runs, [](const auto* run) { return run->folder(); });
}

template <class LookUp>
const std::set<std::int64_t>& SelectionLinks::linked(const std::shared_ptr<const EmbeddingSet>& set,
                                                     const SelectionState& state, LookUp look_up) {
    auto& known = kept_[set->folder];
    if (known.looked_up != set || known.state != state) {
        known.looked_up = set;
        known.state = state;
        known.linked = look_up(*set);
    }
    return known.linked;
}

const std::set<std::int64_t>* SelectionLinks::anchors(const SelectionState& state, RunData& run,
                                                      const QString& split) {
    const auto set = choices(run, state.split.isEmpty() ? split : state.split, state.step);
    if (!set) return nullptr;
    return &linked(set, state, [&](const EmbeddingSet& of) {
        return of.anchors_retrieved_by(state.windows, state.channels, state.pairs);
    });
}

LinkedWindows SelectionLinks::windows(const SelectionState& state, const std::vector<RunData*>& runs,
                                      const QString& split) {
    LinkedWindows found{state.windows, state.split, false};
    if (!state.windows.empty() || state.anchors.empty()) return found;
    for (auto* run : runs)
        if (const auto set = choices(*run, split.isEmpty() ? state.split : split, state.step)) {
            found.windows = linked(set, state, [&](const EmbeddingSet& of) {
                return of.windows_retrieving(state.anchors, state.channels);
            });
            found.split = QString::fromStdString(set->values.split);
            found.follow_anchors = true;
            break;
        }
    return found;
}

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

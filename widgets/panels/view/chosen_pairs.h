#pragma once
// Selection of (window, channel) pairs in views whose points, rows or columns are such pairs.

#include <vector>

#include <Qt>

#include "state/embedding_set.h"
#include "state/selection.h"

namespace casp::widgets {

/// The selected pairs in a set of its split: the named ones, else all selected windows in the selected
/// channels (none: all of the set's). Ascending.
[[nodiscard]] std::vector<WindowChannel> chosen_pairs(const SelectionState& state, const EmbeddingSet& set);

/// Sets `pairs` (ascending) as the selected windows and channels. If they are a full product of windows and
/// channels, these alone represent them.
void choose_pairs(SelectionState& state, const EmbeddingSet& set, std::vector<WindowChannel> pairs);

/// Applies a click on `pairs` (in any order) of `set` to the selection: replaces it, adds with Shift, toggles
/// with Ctrl. Windows of another split are deselected.
void pick_pairs(SelectionState& state, const EmbeddingSet& set, std::vector<WindowChannel> pairs,
                Qt::KeyboardModifiers modifiers);

}  // namespace casp::widgets

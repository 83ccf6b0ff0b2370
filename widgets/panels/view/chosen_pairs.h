#pragma once
// Windows with their channels, chosen in a picture whose points, rows or columns are such pairs.

#include <vector>

#include <Qt>

#include "state/embedding_set.h"
#include "state/selection.h"

namespace casp::widgets {

/// The pairs that the selection means, of a set of its split: those it names, else all of its windows in its
/// channels (none named: in all of the set's). Ascending.
[[nodiscard]] std::vector<WindowChannel> chosen_pairs(const SelectionState& state, const EmbeddingSet& set);

/// Makes `pairs` (ascending) what is chosen of windows and channels. Where they are all channels of all their
/// windows, or some channels in each of them, windows and channels say so alone.
void choose_pairs(SelectionState& state, const EmbeddingSet& set, std::vector<WindowChannel> pairs);

/// What picking `pairs` (in any order) of `set` makes of the selection: they replace what was chosen, with
/// Shift they are added, with Ctrl they change sides. Windows of another split give way.
void pick_pairs(SelectionState& state, const EmbeddingSet& set, std::vector<WindowChannel> pairs,
                Qt::KeyboardModifiers modifiers);

}  // namespace casp::widgets

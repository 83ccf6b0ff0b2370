#pragma once
// Figures of the embeddings: first two principal components and their explained variance.

#include <cstdint>
#include <optional>
#include <vector>

#include "figures/recipe_input.h"

namespace casp::figures {

/// Kinds of embedded points, as store::EmbeddingLayout numbers them.
inline constexpr int kind_anchor = 0, kind_series = 1, kind_prompt = 2;
/// "anchors", "series", "prompts"
[[nodiscard]] QString kind_name(int kind);
/// The paper's colours: anchors blue, series orange, prompts green (of a colour-blind-safe palette).
[[nodiscard]] QColor kind_colour(int kind);

/// Points of a kind. Each has the same marker in every figure, so that kinds are distinguishable without
/// colour.
[[nodiscard]] Series kind_marks(int kind, const QColor& colour, double width, double opacity);

/// "PC1 (61.2 %)": an axis of a joint PCA with the fraction of the variance of all its points; "PC1" if that
/// is not known.
[[nodiscard]] QString component_title(const store::EmbeddingLayout& layout, std::size_t component);
/// What the per cent of component_title() are, for captions.
[[nodiscard]] QString shares_sentence();

/// Opacity of `points` markers of one kind: lower in large clouds, so that dense regions look dense.
[[nodiscard]] double cloud_opacity(std::size_t points);
/// Number of parts of each of `kinds` that are drawn in turn in a cloud of `points`, so that no kind hides
/// another.
[[nodiscard]] std::size_t cloud_parts(std::size_t points, std::size_t kinds);

/// The range of all points of plots from number `from` on as both axes of these plots, with a margin on each
/// side, as a fraction of the range.
void share_axes(std::vector<Plot>& plots, double margin, std::size_t from = 0);

/// Ids of points: anchors are their numbers; series and prompts are rows of the probe behind the pool.
[[nodiscard]] std::int64_t point_id(int kind, std::int64_t row, std::int64_t pool_size);

/// Variance of anchors, series and prompts on PC1 and on PC1 + PC2 over the snapshots.
[[nodiscard]] Figure variance_course(const std::vector<RunInput>& runs, std::optional<std::int64_t> step);

}  // namespace casp::figures

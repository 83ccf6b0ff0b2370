#pragma once
// Construction of an embedding view's points from a run's embeddings and layout. Plain functions.

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "figures/figure.h"
#include "figures/recipe_input.h"
#include "state/embedding_set.h"
#include "vtk/embedding_scene.h"

namespace casp::widgets {

/// Property encoded by a point's colour.
enum class CloudColour {
    kind,     ///< anchor, series, prompt
    run,      ///< the run, in its own colour
    usage,    ///< of anchors: number of retrievals
    channel,  ///< of series and prompts
    time,     ///< of series and prompts: start time of the window
    error     ///< of series and prompts: MSE of the forecast
};

struct CloudOptions {
    CloudColour colour = CloudColour::kind;
    std::vector<PointKind> kinds = {PointKind::anchor, PointKind::series, PointKind::prompt};
    /// Range of the colour bar, shared by adjacent pictures; default: of the points.
    std::optional<std::pair<double, double>> range;
};

/// Id of a point: the anchor's number, or for a (window, channel) pair its row after the pool, shared by its
/// series, patches and prompt.
[[nodiscard]] std::int64_t cloud_id(const EmbeddingSet& set, PointKind kind, std::int64_t point);

/// The points of `layout`, a layout of `set`: colours, markers, hover texts, axis titles. Channel names and
/// dates come from the run, if known. The hover texts keep `set` alive.
[[nodiscard]] EmbeddingPoints embedding_cloud(const std::shared_ptr<const EmbeddingSet>& set,
                                              const store::EmbeddingLayout& layout,
                                              const figures::RunInput& run, const CloudOptions& options);

/// The first two components of these clouds as a figure, a plot each, for export and copying. Numeric colours
/// become six classes.
[[nodiscard]] figures::Figure cloud_figure(const std::vector<const EmbeddingPoints*>& clouds,
                                           const QString& id, const QString& title);

/// The part of a run's label that differs from the others: "λ_cov 0.5"; the whole label if there is none.
[[nodiscard]] QString short_label(const figures::RunInput& run, const std::vector<figures::RunInput>& runs);

/// Range of the values encoded by colour; nothing if colours are not numeric. `run` (may be null) provides
/// the usage of a live run's anchors.
[[nodiscard]] std::optional<std::pair<double, double>> colour_range(const EmbeddingSet& set,
                                                                    const figures::RunInput* run,
                                                                    CloudColour colour);

/// Anchors, and windows with their channels (ascending), behind ids of cloud_id.
struct PickedPoints {
    std::vector<std::int64_t> anchors;
    std::vector<WindowChannel> pairs;
};
[[nodiscard]] PickedPoints picked_points(const EmbeddingSet& set, const std::vector<std::int64_t>& ids);
/// Ids of anchors, and of windows in these channels (none given: all); if `pairs` are given, only of these.
[[nodiscard]] std::set<std::int64_t> ids_of(const EmbeddingSet& set, const std::set<std::int64_t>& anchors,
                                            const std::set<std::int64_t>& windows,
                                            const std::set<std::int64_t>& channels,
                                            const std::vector<WindowChannel>& pairs = {});

}  // namespace casp::widgets

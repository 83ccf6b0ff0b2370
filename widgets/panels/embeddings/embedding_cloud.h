#pragma once
// The points of an embedding view from a run's embeddings and a layout of them. Plain functions.

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "figures/figure.h"
#include "figures/recipe_input.h"
#include "state/embedding_set.h"
#include "vtk/embedding_points.h"

namespace casp::widgets {

/// What the colour of a point tells.
enum class CloudColour {
    kind,     ///< anchor, series, prompt
    run,      ///< the run, in its own colour
    usage,    ///< of anchors: how often they were selected
    channel,  ///< of series and prompts
    time,     ///< of series and prompts: when the window begins
    error     ///< of series and prompts: MSE of the forecast
};

struct CloudOptions {
    CloudColour colour = CloudColour::kind;
    std::vector<PointKind> kinds = {PointKind::anchor, PointKind::series, PointKind::prompt};
    /// Range of the colour bar, shared by pictures side by side; else of the points.
    std::optional<std::pair<double, double>> range;
};

/// What a point stands for: an anchor's number; a (window, channel) pair is its row behind the pool, and its
/// series, patches and prompt share that id.
[[nodiscard]] std::int64_t cloud_id(const EmbeddingSet& set, PointKind kind, std::int64_t point);

/// The points of `layout`, which is of `set`: colours, markers, names for the pointer, axis titles. Names of
/// channels and dates are the run's where it is known. The labels keep `set` alive.
[[nodiscard]] EmbeddingPoints embedding_cloud(const std::shared_ptr<const EmbeddingSet>& set,
                                              const store::EmbeddingLayout& layout,
                                              const figures::RunInput& run, const CloudOptions& options);

/// The first two components of these clouds as a figure, a plot each, for export and copying: what is on the
/// screen. Colours that tell a number become six classes.
[[nodiscard]] figures::Figure cloud_figure(const std::vector<const EmbeddingPoints*>& clouds,
                                           const QString& id, const QString& title);

/// What of a run's label the others do not share: "λ_cov 0.5"; all of it where nothing is left.
[[nodiscard]] QString short_label(const figures::RunInput& run, const std::vector<figures::RunInput>& runs);

/// Lowest and highest value that the colour of these points tells; nothing where colours tell no number.
/// `run` (may be null) tells the usage of a live run's anchors.
[[nodiscard]] std::optional<std::pair<double, double>> colour_range(const EmbeddingSet& set,
                                                                    const figures::RunInput* run,
                                                                    CloudColour colour);

/// Anchors, and windows with their channels (ascending), behind ids of cloud_id.
struct PickedPoints {
    std::vector<std::int64_t> anchors;
    std::vector<WindowChannel> pairs;
};
[[nodiscard]] PickedPoints picked_points(const EmbeddingSet& set, const std::vector<std::int64_t>& ids);
/// Ids of anchors, and of windows in these channels (none given: in all); where `pairs` are given, of these
/// alone.
[[nodiscard]] std::set<std::int64_t> ids_of(const EmbeddingSet& set, const std::set<std::int64_t>& anchors,
                                            const std::set<std::int64_t>& windows,
                                            const std::set<std::int64_t>& channels,
                                            const std::vector<WindowChannel>& pairs = {});

}  // namespace casp::widgets

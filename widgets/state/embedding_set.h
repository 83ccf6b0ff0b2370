#pragma once
// Embeddings of one run's windows, for all views of embeddings, similarities and strata: the latest probe of
// a live run, or a stored run's set from arrays.h5 or computed from its weights.

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include <QString>

#include "state/selection.h"
#include "store/embeddings.h"
#include "train/observer.h"

namespace casp::widgets {

/// Kinds of points, numbered as in store::EmbeddingLayout.
enum class PointKind : std::uint8_t { anchor = 0, series = 1, prompt = 2 };
inline constexpr std::array<PointKind, 3> all_kinds{PointKind::anchor, PointKind::series, PointKind::prompt};

/// Principal components of all kinds together in every set: for two and three dimensions.
inline constexpr std::int64_t layout_components = 3;

/// Identifies embeddings of a run: a split at the best checkpoint, or at a snapshot.
struct EmbeddingMoment {
    EmbeddingMoment(QString split_name, std::optional<std::int64_t> at_step = {})  // NOLINT: implicit
        : split(std::move(split_name)), step(at_step) {}
    EmbeddingMoment(const char* split_name, std::optional<std::int64_t> at_step = {})  // NOLINT: implicit
        : split(QString::fromLatin1(split_name)), step(at_step) {}
    QString split;                     ///< "train", "val", "test"
    std::optional<std::int64_t> step;  ///< of the snapshot; none: the best checkpoint
    friend bool operator==(const EmbeddingMoment&, const EmbeddingMoment&) = default;
    /// "test", "test at step 120"
    [[nodiscard]] QString name() const;
};

/// Immutable once shared between threads.
struct EmbeddingSet {
    QString folder;       ///< of the run
    bool live = false;    ///< the probe windows of a run that this process trains or trained
    bool stored = false;  ///< the same as in the run's arrays.h5
    /// With three principal components and, if the run stores one of exactly these rows, the t-SNE.
    store::Embeddings values;
    /// Fraction of each kind's variance about zero (not about its mean) on PC1 and PC2, [3, 2]; empty: not
    /// computed. About the mean: values.pca.variance_ratio.
    std::vector<double> uncentred;
    QString other_tsne;  ///< "952 windows × 21 channels": rows of a stored t-SNE of other rows

    [[nodiscard]] std::int64_t rows() const { return values.rows; }
    /// Best checkpoint or snapshot, for stored runs.
    [[nodiscard]] EmbeddingMoment moment() const;
    [[nodiscard]] bool has_similarity() const { return !values.similarity.empty(); }
    /// Window number and channel of a row (window-major, channel-minor).
    [[nodiscard]] std::int64_t window_of(std::int64_t row) const;
    [[nodiscard]] std::int64_t channel_of(std::int64_t row) const;
    /// The row of a point; −1 for anchors. A patch has the row of its window.
    [[nodiscard]] std::int64_t row_of(PointKind kind, std::int64_t point) const;
    /// Number of points of a kind: V', rows · N_p, rows.
    [[nodiscard]] std::int64_t points_of(PointKind kind) const;
    [[nodiscard]] std::span<const float> vectors_of(PointKind kind) const;
    [[nodiscard]] std::size_t bytes() const { return values.vector_bytes() + values.other_bytes(); }
    /// Whether both have the same points: the same windows, channels and patches of one split and run. The
    /// values may differ, as in the next snapshot.
    [[nodiscard]] bool has_points_of(const EmbeddingSet& other) const;
    /// "best checkpoint, test: 2,785 windows × 7 channels", "step 120, 18 of 2,881 validation windows × 7
    /// channels".
    [[nodiscard]] QString text() const;
    /// The weights: "best checkpoint", "step 120".
    [[nodiscard]] QString moment_text() const;

    /// The row of a window and a channel; −1: none.
    [[nodiscard]] std::int64_t row_of_pair(const WindowChannel& pair) const;
    /// The K anchors of a row; empty: not known.
    [[nodiscard]] std::span<const std::int32_t> retrieved_by(std::size_t row) const;
    /// Anchors that these windows choose in these channels (empty: all). With `pairs`, only the anchors that
    /// these choose.
    [[nodiscard]] std::set<std::int64_t> anchors_retrieved_by(
        const std::set<std::int64_t>& windows, const std::set<std::int64_t>& channels,
        const std::vector<WindowChannel>& pairs = {}) const;
    /// Windows that choose one of these anchors in one of these channels (empty: any).
    [[nodiscard]] std::set<std::int64_t> windows_retrieving(const std::set<std::int64_t>& anchors,
                                                            const std::set<std::int64_t>& channels) const;
    /// The same as pairs of window and channel: not every channel of such a window need choose one. Ascending
    /// if `values.channels` are.
    [[nodiscard]] std::vector<WindowChannel> pairs_retrieving(const std::set<std::int64_t>& anchors,
                                                              const std::set<std::int64_t>& channels) const;
};

using EmbeddingSets = std::vector<std::shared_ptr<const EmbeddingSet>>;
/// EmbeddingSet::has_points_of for each pair of sets.
[[nodiscard]] bool have_same_points(const EmbeddingSets& a, const EmbeddingSets& b);

/// The set of a probe, with its vectors if it has any.
[[nodiscard]] std::shared_ptr<const EmbeddingSet> embedding_set_of(const train::Probe& probe,
                                                                   const QString& folder);

/// "test", "validation", "training".
[[nodiscard]] QString split_name(const QString& split);
/// 2785 → "2,785": with the window's thousands separator.
[[nodiscard]] QString counted(std::int64_t number);

}  // namespace casp::widgets

#pragma once
// Windows of one run as its model sees them, behind every view of embeddings, similarities and strata: of a
// live run the latest probe, of a stored one what arrays.h5 holds or what was computed from its weights.

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

#include "inspect/window_embeddings.h"
#include "state/selection.h"
#include "store/run_record.h"
#include "train/observer.h"

namespace casp::widgets {

/// Kinds of points, as store::EmbeddingLayout numbers them.
enum class PointKind : std::uint8_t { anchor = 0, series = 1, prompt = 2 };
inline constexpr std::array<PointKind, 3> all_kinds{PointKind::anchor, PointKind::series, PointKind::prompt};

/// Principal components of all kinds together that every set has: in the plane and in space.
inline constexpr std::int64_t layout_components = 3;

/// Which embeddings of a run are meant: a split's at the best checkpoint, or at a snapshot.
struct EmbeddingMoment {
    EmbeddingMoment(QString split_name, std::optional<std::int64_t> at_step = {})  // NOLINT: a split means it
        : split(std::move(split_name)), step(at_step) {}
    EmbeddingMoment(const char* split_name, std::optional<std::int64_t> at_step = {})  // NOLINT: likewise
        : split(QString::fromLatin1(split_name)), step(at_step) {}
    QString split;                     ///< "train", "val", "test"
    std::optional<std::int64_t> step;  ///< of the snapshot; none: the best checkpoint
    friend bool operator==(const EmbeddingMoment&, const EmbeddingMoment&) = default;
    /// "test", "test at step 120"
    [[nodiscard]] QString name() const;
};

/// Immutable once shared; shared between threads as it is.
struct EmbeddingSet {
    QString folder;       ///< of the run
    bool live = false;    ///< probe windows of a run that is or was watched
    bool stored = false;  ///< this is what the run's arrays.h5 holds
    /// Split, windows, channels, what they choose and how wrong they are; the vectors are empty where a probe
    /// came without them.
    inspect::RunEmbeddings values;
    /// Share of each kind's variance about zero (not about its mean) on PC1 and PC2, [3, 2]; empty: not
    /// computed. About the mean: pca.variance_ratio.
    std::vector<double> uncentred;
    store::EmbeddingLayout pca;                  ///< three components of all kinds together; may be empty
    std::optional<store::EmbeddingLayout> tsne;  ///< where the run stores one of these very rows
    QString other_tsne;  ///< "952 windows × 21 channels" of the one it stores of other rows, if so

    [[nodiscard]] std::int64_t rows() const { return values.rows; }
    /// Of a stored run: the best checkpoint's, or the snapshot's.
    [[nodiscard]] EmbeddingMoment moment() const;
    /// Whether layouts can be computed from it.
    [[nodiscard]] bool has_vectors() const { return values.dimension > 0 && !values.series.empty(); }
    [[nodiscard]] bool has_similarity() const { return !values.similarity.empty(); }
    /// Whether it is all windows and all channels of its split.
    [[nodiscard]] bool is_whole() const;
    /// Window number and channel of a row (window-major, channel-minor).
    [[nodiscard]] std::int64_t window_of(std::int64_t row) const;
    [[nodiscard]] std::int64_t channel_of(std::int64_t row) const;
    /// The row of a point: of an anchor −1, of a patch its window's.
    [[nodiscard]] std::int64_t row_of(PointKind kind, std::int64_t point) const;
    /// Points of a kind: V', rows · N_p, rows.
    [[nodiscard]] std::int64_t points_of(PointKind kind) const;
    [[nodiscard]] std::span<const float> vectors_of(PointKind kind) const;
    [[nodiscard]] std::size_t bytes() const;
    /// Whether these are the other's points: the same windows, channels and patches of one split and run.
    /// Their values may be of another moment, as those of the next snapshot are.
    [[nodiscard]] bool has_points_of(const EmbeddingSet& other) const;
    /// Whether a layout from a file is of these rows and can be drawn.
    [[nodiscard]] bool fits(const store::EmbeddingLayout& layout) const;
    /// "best checkpoint, test: 2,785 windows × 7 channels", "step 120, 18 of 2,881 validation windows × 7
    /// channels".
    [[nodiscard]] QString text() const;
    /// Of which weights: "best checkpoint", "step 120".
    [[nodiscard]] QString moment_text() const;

    /// The row of a window and a channel; −1: it is not among these.
    [[nodiscard]] std::int64_t row_of_pair(const WindowChannel& pair) const;
    /// Anchors that these windows choose in these channels (none given: in all); where `pairs` are given,
    /// that these alone choose.
    [[nodiscard]] std::set<std::int64_t> anchors_chosen_by(
        const std::set<std::int64_t>& windows, const std::set<std::int64_t>& channels,
        const std::vector<WindowChannel>& pairs = {}) const;
    /// Windows in which one of these anchors is chosen in one of these channels (none given: in any).
    [[nodiscard]] std::set<std::int64_t> windows_choosing(const std::set<std::int64_t>& anchors,
                                                          const std::set<std::int64_t>& channels) const;
    /// The same as windows with their channels: not every channel of such a window need choose one. Ascending
    /// where `values.channels` are.
    [[nodiscard]] std::vector<WindowChannel> pairs_choosing(const std::set<std::int64_t>& anchors,
                                                            const std::set<std::int64_t>& channels) const;
};

using EmbeddingSets = std::vector<std::shared_ptr<const EmbeddingSet>>;
/// EmbeddingSet::has_points_of, one by one.
[[nodiscard]] bool have_same_points(const EmbeddingSets& a, const EmbeddingSets& b);

/// What a probe shows, with its vectors where it has them.
[[nodiscard]] std::shared_ptr<const EmbeddingSet> embedding_set_of(const train::Probe& probe,
                                                                   const QString& folder);

/// "test", "validation", "training".
[[nodiscard]] QString split_name(const QString& split);
/// 2785 → "2,785": thousands as the window writes them.
[[nodiscard]] QString counted(std::int64_t number);

}  // namespace casp::widgets

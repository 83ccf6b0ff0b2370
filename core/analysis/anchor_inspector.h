#pragma once
// Description of an anchor: nearest tokens and anchors, rows that select it, usage over time. Does not
// include LibTorch's headers. Only the token search is slow and reports progress; the rest is one pass over
// the pool or the selection.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "store/run_record.h"
#include "text/tokens.h"
#include "util/phrase.h"
#include "util/progress.h"

namespace casp::analysis {

/// A token and its cosine with an anchor.
struct NearToken {
    std::int64_t token = 0;  ///< row of the token table
    double cosine = 0;
    std::string label;  ///< "␣weather"; "#1234" without vocab.json
};

/// Search for an anchor's nearest tokens. Reads the token table from disk block by block. Thread-safe.
class TokenNeighbours {
public:
    /// Opens the token table of a run's backbone: in best.safetensors, else in the file of backbone.path.
    /// `vocabulary`: vocab.json or its folder; empty: searched beside the backbone's file, then in the user's
    /// cache. Throws an input Error if there is no such run, no token table (untrained backbone with
    /// run.frozen_weights = "omit"), or the vocabulary cannot be read.
    explicit TokenNeighbours(const std::filesystem::path& run, const std::filesystem::path& vocabulary = {});
    ~TokenNeighbours();
    TokenNeighbours(TokenNeighbours&&) noexcept;
    TokenNeighbours& operator=(TokenNeighbours&&) noexcept;

    [[nodiscard]] std::int64_t dimension() const;   ///< d
    [[nodiscard]] std::int64_t vocabulary() const;  ///< V: number of rows of the table
    /// Note for the user; empty: none. The backbone is untrained, so tokens have no meaning; or vocab.json
    /// was not found, so tokens are shown by number; or its size differs from the table's.
    [[nodiscard]] const Phrase& remark() const;
    [[nodiscard]] const text::Tokens& tokens() const;

    /// The `count` tokens with the largest cosine with `anchor` [d], best first, ties by number. Exact; reads
    /// the whole table (about 40 ms for GPT-2 if the file is cached). Zero vectors have cosine 0. Throws
    /// std::invalid_argument for a wrong length, and Cancelled within a block of 512 tokens. Progress:
    /// "Nearest tokens" (tokens), complete at the end.
    [[nodiscard]] std::vector<NearToken> nearest(std::span<const float> anchor, std::int64_t count = 20,
                                                 const std::stop_token& stop = {},
                                                 const ProgressFn& progress = {}) const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

struct NearAnchor {
    std::int64_t anchor = 0;
    double cosine = 0;
};

/// The `count` other anchors with the largest cosine with `anchor`, best first, ties by number. `anchors`:
/// [V', d].
[[nodiscard]] std::vector<NearAnchor> near_anchors(std::span<const float> anchors, std::int64_t dimension,
                                                   std::int64_t anchor, std::int64_t count = 20);

/// A row that retrieves an anchor.
struct RetrievingRow {
    std::int64_t row = 0;   ///< row of `selected`: window · m + channel
    std::int32_t rank = 0;  ///< 0: the most similar of the K
    float similarity = 0;   ///< NaN if similarities are not available
};

/// Rows of `retrieved` [rows, K] that contain `anchor`, in ascending order. `similarity`: [rows, V'] or
/// empty.
[[nodiscard]] std::vector<RetrievingRow> rows_retrieving(std::int64_t anchor,
                                                         std::span<const std::int32_t> retrieved,
                                                         std::int64_t top_k,
                                                         std::span<const float> similarity = {},
                                                         std::int64_t pool_size = 0);

/// Retrievals of an anchor during training, per snapshot.
struct AnchorUsage {
    std::vector<std::int64_t> step;   ///< [snapshots]
    std::vector<std::int64_t> count;  ///< retrievals since the previous snapshot
    std::vector<double> share;        ///< fraction of all retrievals since then; NaN if there are none
    std::vector<float> coverage;      ///< c̃; empty without coverage
    std::int64_t test = -1;           ///< retrievals in the test windows; −1: not evaluated
    double test_share = store::not_known;
};

/// Throws std::invalid_argument if `anchor` is not in the pool.
[[nodiscard]] AnchorUsage anchor_usage(const store::AnchorHistory& history, std::int64_t anchor);

}  // namespace casp::analysis

#pragma once
// What an anchor is: the words nearest to it, its neighbours in the pool, the windows that choose it, its
// usage over time. Headers free of LibTorch. Only the words take long: the rest is one pass over the pool or
// over the numbers of the selected anchors, without progress.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "analysis/tokens.h"
#include "store/run_record.h"
#include "util/progress.h"

namespace casp::analysis {

/// A token and how near it is.
struct NearToken {
    std::int64_t token = 0;  ///< row of the token table
    double cosine = 0;
    std::string label;  ///< "␣weather"; "#1234" without vocab.json
};

/// Finds an anchor's nearest tokens. Keeps the token table mapped, not in memory. Any thread, also several.
class TokenNeighbours {
public:
    /// The token table of a run's backbone: in best.safetensors, else in the file that backbone.path names.
    /// `vocabulary`: vocab.json or its folder; empty: beside the backbone's file, then in the user's cache.
    /// Input Errors: no run; the table is nowhere (an untrained backbone with run.frozen_weights = "omit"); a
    /// vocabulary that cannot be read.
    explicit TokenNeighbours(const std::filesystem::path& run, const std::filesystem::path& vocabulary = {});
    ~TokenNeighbours();
    TokenNeighbours(TokenNeighbours&&) noexcept;
    TokenNeighbours& operator=(TokenNeighbours&&) noexcept;

    [[nodiscard]] std::int64_t dimension() const;   ///< d
    [[nodiscard]] std::int64_t vocabulary() const;  ///< V: rows of the table
    /// What to tell the user, empty: nothing. The backbone is untrained, so that its tokens mean nothing; or
    /// vocab.json was not found (where it was looked for), so that tokens have numbers only; or it has
    /// another number of tokens than the table has rows.
    [[nodiscard]] const std::string& remark() const;
    [[nodiscard]] const Tokens& tokens() const;

    /// The `count` tokens of largest cosine with `anchor` [d], best first, ties by number. Exact; reads the
    /// whole table (about 40 ms for GPT-2, where the file is in memory). Vectors of zeros have cosine 0.
    /// Throws std::invalid_argument for a wrong length, Cancelled within a block of 512 tokens. Progress:
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

/// The `count` other anchors of largest cosine with anchor number `anchor`, best first, ties by number:
/// `anchors` [V', d].
[[nodiscard]] std::vector<NearAnchor> near_anchors(std::span<const float> anchors, std::int64_t dimension,
                                                   std::int64_t anchor, std::int64_t count = 20);

/// A row that chooses an anchor.
struct Choice {
    std::int64_t row = 0;   ///< of `selected`: window · m + channel
    std::int32_t rank = 0;  ///< 0: the most similar of the K
    float similarity = 0;   ///< NaN where similarities are not known
};

/// Rows of `selected` [rows, K] that hold `anchor`, in their order. `similarity` [rows, V'] or empty.
[[nodiscard]] std::vector<Choice> rows_that_choose(std::int64_t anchor,
                                                   std::span<const std::int32_t> selected, std::int64_t top_k,
                                                   std::span<const float> similarity = {},
                                                   std::int64_t pool_size = 0);

/// How often an anchor was selected while the run trained, snapshot by snapshot.
struct AnchorUsage {
    std::vector<std::int64_t> step;   ///< [snapshots]
    std::vector<std::int64_t> count;  ///< selections since the snapshot before
    std::vector<double> share;        ///< of all selections since then; NaN without any
    std::vector<float> coverage;      ///< c̃; empty where coverage is off
    std::int64_t test = -1;           ///< selections over the test windows; −1: not evaluated
    double test_share = store::not_known;
};

/// Throws std::invalid_argument for an anchor that is not in the pool.
[[nodiscard]] AnchorUsage anchor_usage(const store::AnchorHistory& history, std::int64_t anchor);

}  // namespace casp::analysis

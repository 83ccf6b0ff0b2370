#pragma once
// Embeddings, similarities, retrievals and errors of a run's windows, recomputed from its weights for views,
// figures and `/embedding`. Does not include LibTorch's headers.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "store/embeddings.h"
#include "util/progress.h"

namespace casp::inspect {

/// What to compute.
struct EmbeddingRequest {
    std::filesystem::path run;     ///< the run's folder
    std::string weights = "best";  ///< "best", "last" (run.keep_last, or the checkpoint of an unfinished
                                   ///< run), "initial" (run.save_initial), or the step of a snapshot ("120";
                                   ///< run.store_embeddings). For a snapshot `errors` has no effect, since
                                   ///< it stores no forecast head
    std::string split = "test";    ///< "train", "val" or "test"
    std::vector<std::int64_t> channels;  ///< channel numbers, in this order; empty: all
    std::int64_t windows =
        0;  ///< number of windows, evenly spaced from the first to the last; 0, or at least their total: all
    bool per_patch = false;    ///< series: embedding of every patch instead of their mean, the query
    bool prefix_only = false;  ///< prompt: mean of the K prefix vectors instead of all input tokens
    bool vectors = true;       ///< keep series and prompt
    bool similarity = true;    ///< compute s [rows, V']
    bool errors =
        true;  ///< compute mse and mae; without them the backbone is skipped: about 80 times as fast
    std::string device = "auto";  ///< as run.device
};

/// Computes the requested embeddings, batch by batch in file order.
///
/// For all windows and channels, the values are bit-identical to those stored by the run
/// (run.store_embeddings, run.store_similarity, run.store_forecasts), given the same device and number of
/// threads; LibTorch's number of threads is not changed, since that would affect running runs. mse and mae
/// are read from the run's stored forecasts if those have the same weights, else computed. Does not modify
/// the run's folder.
///
/// Thread-safe. `progress` counts windows. A stop request takes effect within one block of the backbone
/// (Cancelled). Throws an input Error if run, weights, split or a channel do not exist, if the data file is
/// not the run's (by digest), or if the result does not fit into memory (with the number of windows that
/// would); a run Error if host or device memory runs out later. For a snapshot, the remaining layers are
/// those of the best weights, or of the checkpoint if there are none yet.
[[nodiscard]] store::Embeddings compute_embeddings(const EmbeddingRequest& request,
                                                   const ProgressFn& progress = {},
                                                   const std::stop_token& stop = {});

/// Memory needed to hold embeddings of all rows at once.
struct EmbeddingSize {
    std::int64_t windows = 0, channels = 0;
    std::int64_t bytes = 0;
};

/// Throws an input Error at `where` if `size` would leave less than a tenth of the `available` memory free;
/// `advice` is called with the number of windows that would fit. Accepts any size if `available` is 0
/// (unknown).
void check_memory(const EmbeddingSize& size, std::int64_t available, const std::string& where,
                  const std::function<std::string(std::int64_t fitting_windows)>& advice);

/// Receives the rows of one batch: only values per row (series, prompt, similarity, retrieved, mse, mae,
/// residual).
using EmbeddingSink = std::function<void(const store::Embeddings& part)>;

/// compute_embeddings() without collecting rows: needs memory for one batch and the anchors. Calls `sink` on
/// the calling thread. Returns everything else.
store::Embeddings stream_embeddings(const EmbeddingRequest& request, const EmbeddingSink& sink,
                                    const ProgressFn& progress = {}, const std::stop_token& stop = {});

/// Stores `embeddings` as /embedding/<split>/<best or step> (and similarities as /similarity/…) in the run's
/// arrays.h5, replacing a set of that name. Everything else in the file is kept, including layouts of that
/// name for any rows. Best weights of an unfinished run are stored under their step, since training may
/// still improve on them; such sets are kept when it resumes. Adds missing links to run.h5. Throws an input
/// Error if a process holds the run (named in the message), and a run Error if the file cannot be written
/// (the previous file is then kept).
void store_embeddings(const std::filesystem::path& run, const store::Embeddings& embeddings);

/// Stores a layout ("pca" or "tsne") of `embeddings`, replacing one of that name. `layout.row` counts rows of
/// `embeddings`; their windows and channels are stored with the layout, so that it can be read without them.
/// Otherwise as store_embeddings().
void store_layout(const std::filesystem::path& run, const store::Embeddings& embeddings,
                  const std::string& name, const store::EmbeddingLayout& layout);

}  // namespace casp::inspect

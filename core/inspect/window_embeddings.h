#pragma once
// Embeddings, similarities, selections and errors of a run's windows, computed anew from its weights: for
// views, figures and `/embedding` on request. Free of LibTorch's headers.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "store/run_file.h"
#include "util/progress.h"

namespace casp::inspect {

/// What to look at.
struct EmbeddingRequest {
    std::filesystem::path run;     ///< the run's folder
    std::string weights = "best";  ///< "best", "last" (run.keep_last, or the checkpoint of an unfinished
                                   ///< run), "initial" (run.save_initial), or the step of a snapshot ("120";
                                   ///< run.store_embeddings): without errors, whatever `errors` says, since
                                   ///< a snapshot keeps no forecast head
    std::string split = "test";    ///< "train", "val" or "test"
    std::vector<std::int64_t> channels;  ///< numbers, in this order; empty: all
    std::int64_t windows = 0;  ///< so many, evenly spaced from the first to the last; 0 or at least as many
                               ///< as there are: all
    bool per_patch = false;    ///< series: every patch embedding instead of their mean, the query (B.7-35)
    bool prefix_only = false;  ///< prompt: mean of the K prefix vectors instead of all tokens (B.7-34)
    bool similarity = true;    ///< keep s [rows, V']
    bool errors = true;  ///< mse and mae; without them the backbone is not needed: some 80 times as fast
    std::string device = "auto";  ///< as run.device
    std::string data;             ///< the CSV file where it is now, if not where the run's settings say
};

/// What was seen. Rows are window-major, channel-minor: row = window · m + channel, both counted within
/// `windows` and `channels`. Values of the data are scaled. V' = pool_size, d = dimension, K = top_k.
struct RunEmbeddings {
    std::int64_t dimension = 0, pool_size = 0, top_k = 0;  ///< d; V' and K are 0 for a model without prompt
    std::int64_t rows = 0;                                 ///< windows × channels
    std::int64_t patches = 1;         ///< N_p with per_patch: series has rows × N_p rows
    std::int64_t windows_total = 0;   ///< of the split: more than windows.size() where some were left out
    std::int64_t channels_total = 0;  ///< M of the data
    bool prefix_only = false;
    std::vector<float> anchors;  ///< [V', d]
    std::vector<float> series;   ///< [rows · patches, d], row = (window · m + channel) · N_p + patch
    std::vector<float> prompt;   ///< [rows, d]; empty for a model without prompt
    std::vector<std::int64_t> windows;   ///< [n] numbers within the split, ascending
    std::vector<std::int64_t> start;     ///< [n] row in the file of the first lookback value
    std::vector<std::int64_t> channels;  ///< [m]
    std::vector<float> similarity;       ///< [rows, V']; empty unless asked for
    std::vector<std::int32_t> selected;  ///< [rows, K] in descending similarity
    std::vector<float> mse, mae;         ///< [rows] over the horizon; empty unless asked for
    std::vector<float> residual;         ///< [rows] mean |R| of the lookback (B.7-29): difficulty
    std::vector<std::int64_t> usage;     ///< [V'] selections over these rows
    std::string split, weights;          ///< as asked for
    std::int64_t step = 0;               ///< training step of the weights; -1: not known
};

/// Computes what was asked for, batch by batch in file order.
///
/// With all windows and channels the numbers are, bit for bit, what the run itself stores with
/// run.store_embeddings, run.store_similarity and run.store_forecasts: same batches, same arithmetic (given
/// the run's device and number of threads; this function takes LibTorch's as it finds it, since changing it
/// would reach into runs that go on). mse and mae are taken from the run's stored forecasts where those are
/// of the same weights, else the backbone computes them. Nothing outside is changed, in the folder neither.
///
/// Any thread. `progress` counts windows. A stop request is answered within a block of the backbone. Input
/// Errors: no such run, weights or split; a channel that is not there; the data file is not the one the run
/// was made from (by digest); too much for the memory (how many windows would fit). A run Error where
/// the memory of processor or device runs out all the same. Throws Cancelled. Of a snapshot the rest of the
/// model comes from the best weights, before there are any from the run's checkpoint.
[[nodiscard]] RunEmbeddings compute_embeddings(const EmbeddingRequest& request,
                                               const ProgressFn& progress = {},
                                               const std::stop_token& stop = {});

/// What embeddings take when all their rows are in memory at once.
struct EmbeddingSize {
    std::int64_t windows = 0, channels = 0;
    std::int64_t bytes = 0;
};

/// Refuses what does not leave a tenth of the free memory: an input Error at `where` with the advice for so
/// many windows as would fit. Lets everything pass where `available` is 0: it cannot be told.
void check_memory(const EmbeddingSize& size, std::int64_t available, const std::string& where,
                  const std::function<std::string(std::int64_t fitting_windows)>& advice);

/// One part of stream_embeddings: a batch's rows. `facts` has every member but the rows' values (series,
/// prompt, similarity, selected, mse, mae, residual, which are empty, and usage, which grows); `part` has
/// these alone.
using EmbeddingSink = std::function<void(const RunEmbeddings& facts, const RunEmbeddings& part)>;

/// The same without collecting the rows: memory for one batch and the anchors only. Called from the same
/// thread. Returns the facts.
RunEmbeddings stream_embeddings(const EmbeddingRequest& request, const EmbeddingSink& sink,
                                const ProgressFn& progress = {}, const std::stop_token& stop = {});

/// Keeps `embeddings` as /embedding/<split>/<best or step> (with similarities also as /similarity/…) in the
/// run's arrays.h5, replacing what was there under that name; everything else in the file stays as it is,
/// also layouts under that name, whatever rows they are of. The best weights of an unfinished run go under
/// their step, since it may go on to others; such sets stay when it does. run.h5 gets its link where it had
/// none. The run must not be going on (an input Error names the process that holds it). Run Errors where the
/// file cannot be written: the former then stays.
void store_embeddings(const std::filesystem::path& run, const RunEmbeddings& embeddings);

/// stream_embeddings into arrays.h5: for sets larger than memory.
RunEmbeddings compute_and_store_embeddings(const EmbeddingRequest& request, const ProgressFn& progress = {},
                                           const std::stop_token& stop = {});

/// Keeps a layout ("pca" or "tsne") of `embeddings` beside them, in place of the former one of that name.
/// `layout.row` counts rows of `embeddings`; which windows and channels those are is stored with it, so that
/// it can be read without them. Otherwise as store_embeddings.
void store_layout(const std::filesystem::path& run, const RunEmbeddings& embeddings, const std::string& name,
                  const store::EmbeddingLayout& layout);

}  // namespace casp::inspect

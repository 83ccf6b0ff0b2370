#pragma once
// Selection of a fork's starting point; used by training and by the user interface in advance.
//
// The parent's checkpoint if it is readable; else its last weights if stored (run.keep_last); else its best
// weights. Does not include LibTorch's headers; thread-safe.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include "store/run_folder.h"
#include "store/run_record.h"
#include "util/error.h"

namespace casp::run {

enum class ForkFrom { checkpoint, last_weights, best_weights };

struct ForkPlace {
    ForkFrom from = ForkFrom::checkpoint;
    std::filesystem::path source;  ///< the checkpoint's folder, or the weights file
    /// Finished steps, and 1-based epoch: for a checkpoint the current epoch, for weights that of their last
    /// step. Both 0 if the history does not show the step of the weights; the fork then counts from 0.
    std::int64_t step = 0, epoch = 0;
    Phrase damage;  ///< why the existing checkpoint is not used; empty: there is none
};

/// Returns the history of `run` (run.h5), or null if there is none. Called only for runs without a
/// checkpoint.
using ForkHistory = std::function<const store::RunRecord*()>;

/// Throws an input Error if there is nothing to fork from. If a running run replaces its checkpoint
/// meanwhile, the new one is used. Reads only a few kB; damaged tensors are found when the checkpoint is
/// loaded.
[[nodiscard]] ForkPlace fork_place(const store::RunFolder& run, const ForkHistory& history);

/// Input Error for a file instead of a run's folder: names its format and what can be done with weights.
[[nodiscard]] Error weights_are_no_run(const std::filesystem::path& file);

/// Input Error for a checkpoint that was replaced during every attempt to read it; it is not damaged.
[[nodiscard]] Error checkpoint_does_not_stay(const store::RunFolder& run);

/// The remaining weights of a run whose checkpoint is damaged. Rethrows `damage` if there are none.
[[nodiscard]] ForkPlace fork_place_without_checkpoint(const store::RunFolder& run, const ForkHistory& history,
                                                      const store::DamagedCheckpoint& damage);

}  // namespace casp::run

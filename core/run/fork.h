#pragma once
// Where a fork of a run begins: the one rule that training follows and the window tells beforehand.
//
// From its checkpoint where it has one that can be read; else from the weights of its last step where it kept
// them (run.keep_last), else from its best. Free of LibTorch. Any thread.

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
    std::filesystem::path source;  ///< the checkpoint's folder, or the file of weights
    /// Steps that were done there, and an epoch from 1: of a checkpoint the one that is being trained, of
    /// weights the one of their last step. Both 0 where the history does not know at which step the weights
    /// were taken: a fork of them counts from 0.
    std::int64_t step = 0, epoch = 0;
    std::string damage;  ///< why it is not the checkpoint that is there; empty: none is there
};

/// The history of `run` (run.h5); null where there is none. Asked only where the run has no checkpoint.
using ForkHistory = std::function<const store::RunRecord*()>;

/// Throws an input Error where there is nothing to fork from. A run that goes on may replace its checkpoint
/// meanwhile: then the new one is taken. Reads a few kB, so that damaged tensors of a checkpoint are found by
/// who reads them.
[[nodiscard]] ForkPlace fork_place(const store::RunFolder& run, const ForkHistory& history);

/// The input Error for a checkpoint that was replaced at every attempt to read it: it is not damaged.
[[nodiscard]] Error checkpoint_does_not_stay(const store::RunFolder& run);

/// The weights that are left where the checkpoint was found damaged; throws `damage` itself where there are
/// none.
[[nodiscard]] ForkPlace fork_place_without_checkpoint(const store::RunFolder& run, const ForkHistory& history,
                                                      const store::DamagedCheckpoint& damage);

}  // namespace casp::run

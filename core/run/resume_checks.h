#pragma once
// Checks before resuming a run: no lost checkpoint, and run.h5 matches the checkpoint. Thread-safe.

#include <cstdint>
#include <string>

#include "store/run_folder.h"
#include "store/run_record.h"
#include "util/phrase.h"

namespace casp::train {
struct StoredCheckpoint;
struct TrainState;
}  // namespace casp::train

namespace casp::run {

/// For a run without a checkpoint that would start from the beginning: throws an input Error if it had a
/// checkpoint that was lost (for example in a copy without last/), or if that cannot be excluded. A run
/// interrupted before its first checkpoint passes. Reads run.h5; removes nothing.
void check_no_checkpoint_lost(const store::RunFolder& run);

/// Throws an input Error if `history` (run.h5) belongs to another run than the checkpoint, or ends before it,
/// which would leave a gap in the curves.
void check_history_fits(const store::RunFolder& run, const store::RunRecord& history,
                        const train::StoredCheckpoint& checkpoint);

/// Whether a history contains all steps and epochs of a run up to its checkpoint, except those of the parent,
/// which may have been lost before the fork.
[[nodiscard]] bool reaches(const store::RunRecord& history, const train::TrainState& checkpoint);

/// If device or machine differ from before, records in `now` where the run was trained until `step`. Returns
/// a message about it; empty if nothing changed that affects the bits.
[[nodiscard]] Phrase note_former_device(const store::RunAttributes& former, std::int64_t step,
                                        store::RunAttributes& now);

}  // namespace casp::run

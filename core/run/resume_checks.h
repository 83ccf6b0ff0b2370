#pragma once
// What must hold before a run goes on in its folder: that no checkpoint of it was lost, and that run.h5 is of
// the checkpoint beside it. Any thread.

#include <cstdint>
#include <string>

#include "store/run_folder.h"
#include "store/run_record.h"
#include "train/checkpoint.h"

namespace casp::run {

/// For a run without a checkpoint that is to start anew: throws an input Error where it had one, which was
/// lost (an archive or a copy without last/), or where that cannot be excluded. One that was cut off before
/// its first passes: what it has is little, and comes again. Reads run.h5; removes nothing.
void check_no_checkpoint_lost(const store::RunFolder& run);

/// Throws an input Error where `history` (run.h5) is of another run than the checkpoint, or ends before it:
/// the curves would be another run's, or have a gap.
void check_history_fits(const store::RunFolder& run, const store::RunRecord& history,
                        const train::StoredCheckpoint& checkpoint);

/// Whether a history has every step and epoch that a run did by itself up to a checkpoint. Those of a parent
/// may be missing: they may have been lost before it was forked.
[[nodiscard]] bool reaches(const store::RunRecord& history, const train::TrainState& checkpoint);

/// "auto" may mean another device than before, and the run be on another machine: notes in `now` where it was
/// trained until `step`. Returns what to say about it; empty: nothing that its bits depend on is new.
[[nodiscard]] std::string note_former_device(const store::RunAttributes& former, std::int64_t step,
                                             store::RunAttributes& now);

}  // namespace casp::run

#include "run/resume_checks.h"

#include <filesystem>
#include <optional>

#include "config/experiment.h"
#include "run/preparation.h"
#include "store/run_file.h"
#include "train/checkpoint.h"
#include "util/error.h"

namespace casp::run {

namespace {

/// Results that a new start would delete, as text; empty: none.
std::string work_in(const store::RunFolder& run, const std::optional<store::RunRecord>& record) {
    std::string work;
    if (record && !record->steps.step.empty())
        work = Phrase("run.h5 with %1 steps", record->steps.step.size());
    if (std::filesystem::exists(run.best()))
        work += (work.empty() ? "" : ", ") + run.best().filename().string();
    return work;
}

Phrase ways_on(const store::RunFolder& run) {
    std::string text = "Nothing was removed. Restore last/ from where the run was trained and resume it";
    if (std::filesystem::exists(run.best()))
        text += Phrase(
            "; or continue from its best weights with a new optimiser, as a fork (train.continue_from = "
            "\"%1\", under another name or in another --out folder)",
            run.path().string());
    return Phrase("%1; or start the run again under another name or in another --out folder.", text);
}

bool ends_before(const std::vector<std::int64_t>& numbers, std::int64_t last) {
    return numbers.empty() || numbers.back() < last;
}

/// Device and libraries of a run, as far as they affect its last bits.
Phrase trained_with(const store::RunAttributes& a) {
    const bool cpu = a.device == "cpu";
    return cpu ? a.precision.empty() || a.precision == "fp32"
                     ? Phrase("%1 (%2, %3 threads, LibTorch %4)", a.device, a.hardware, a.threads, a.libtorch)
                     : Phrase("%1 (%2, %3 threads, %4, LibTorch %5)", a.device, a.hardware, a.threads,
                              a.precision, a.libtorch)
           : a.precision.empty() || a.precision == "fp32"
               ? Phrase("%1 (%2, LibTorch %3)", a.device, a.hardware, a.libtorch)
               : Phrase("%1 (%2, %3, LibTorch %4)", a.device, a.hardware, a.precision, a.libtorch);
}

}  // namespace

void check_no_checkpoint_lost(const store::RunFolder& run) {
    std::optional<store::RunRecord> record;
    // A file that cannot be read, or is of a newer version, throws: it must not be overwritten.
    if (std::filesystem::exists(run.run_file())) record = store::read_run_file(run.run_file());
    const auto work = work_in(run, record);
    // Older versions did not record checkpoints, so there may have been one. A kill never leaves a complete
    // generation damaged.
    const bool noted = record && record->attributes.checkpointed.has_value();
    const bool had_one = noted ? *record->attributes.checkpointed : !work.empty();
    if (!had_one && !store::has_generations(run)) return;
    const auto problem = store::find_generations(run).problem;
    const auto what = !problem.empty() ? Phrase("the run's checkpoint is damaged (%1)", problem)
                      : record && !noted && !store::has_generations(run)
                          ? Phrase(
                                "there is no checkpoint, and the older version that wrote the run did not "
                                "record whether there was one")
                          : Phrase("the run's checkpoint is lost");
    throw input_error(run.last().string(), work.empty() ? Phrase(what) : Phrase("%1; found: %2", what, work),
                      "last/current and the checkpoint it names", ways_on(run));
}

bool reaches(const store::RunRecord& history, const train::TrainState& checkpoint) {
    const auto& steps = history.steps;
    if (checkpoint.step > checkpoint.parent_steps && ends_before(steps.step, checkpoint.step)) return false;
    if (checkpoint.snapshot_step > checkpoint.parent_steps &&
        ends_before(history.anchors.snapshot_step, checkpoint.snapshot_step))
        return false;
    // An epoch is recorded after its last step: run.h5 may have been written in between.
    for (std::size_t i = 0; i < steps.step.size(); ++i)
        if (steps.step[i] > checkpoint.parent_steps && steps.epoch[i] < checkpoint.epoch &&
            ends_before(history.epochs.epoch, steps.epoch[i]))
            return false;
    return true;
}

void check_history_fits(const store::RunFolder& run, const store::RunRecord& history,
                        const train::StoredCheckpoint& checkpoint) {
    const auto where = run.run_file().string();
    const auto& a = history.attributes;
    std::string other;
    if (!a.config.empty())
        other = difference_text(
            config::load_text(checkpoint.identity.config, "the checkpoint's configuration", {}).base,
            config::load_text(a.config, where, {}).base, true, checkpoint.identity.dataset_sha256);
    if (!a.dataset_sha256.empty() && a.dataset_sha256 != checkpoint.identity.dataset_sha256)
        other += Phrase("\n  the data file's SHA-256 was %1, is now %2", checkpoint.identity.dataset_sha256,
                        a.dataset_sha256);
    const Phrase advice = Phrase(
        "Restore the run.h5 that was beside the checkpoint, or continue from the checkpoint with a fork, "
        "which lacks the curves up to that step (train.continue_from = \"%1\", under another name or in "
        "another --out folder).",
        run.path().string());
    if (!other.empty())
        throw input_error(where, Phrase("it is of another run than the checkpoint beside it:%1", other), {},
                          advice);
    if (reaches(history, checkpoint.state)) return;
    const auto last = history.steps.step.empty() ? 0 : history.steps.step.back();
    const auto epochs = history.epochs.epoch.empty() ? 0 : history.epochs.epoch.back();
    throw input_error(
        where,
        Phrase("it is older than the checkpoint beside it: it ends at step %1 and has %2 epochs", last,
               epochs),
        Phrase("the curves up to step %1 of epoch %2", checkpoint.state.step, checkpoint.state.epoch),
        advice);
}

Phrase note_former_device(const store::RunAttributes& former, std::int64_t step, store::RunAttributes& now) {
    now.former_devices = former.former_devices;
    const auto before = trained_with(former), here = trained_with(now);
    if (before == here) return {};
    now.former_devices += now.former_devices.empty() ? Phrase("%1 to step %2", before, step)
                                                     : Phrase("; %1 to step %2", before, step);
    return Phrase(
        "trained on %1 up to step %2, resumed on %3: from here the numbers may differ in the last digits "
        "from those of an uninterrupted run",
        before, step, here);
}

}  // namespace casp::run

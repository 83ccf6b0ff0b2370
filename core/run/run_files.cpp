#include "run/run_files.h"

#include <algorithm>

#include "data/packed_file.h"
#include "model/descriptor.h"
#include "model/tensor_file.h"
#include "store/results.h"
#include "store/run_file.h"
#include "util/phrase.h"

namespace casp::run {

namespace {

constexpr double first_record_seconds = 1, record_interval_seconds = 30;

}  // namespace

void RunFiles::write_status(store::RunState state, const Phrase& message) {
    run_.log.change([&](store::RunRecord& record) { record.attributes.state = state; });
    check_ours();
    store::write_run_status(run_.folder, {row(state), message, {}, {}, run_.request.position});
}

void RunFiles::note_failure(const Phrase& message) {
    if (!begun_) return;
    try {
        write_status(store::RunState::failed, message);
        write_record();
    } catch (const std::exception&) {
        // The disk may reject this, too; report the original failure.
    }
}

/// Before every write: a machine that was suspended may have lost its lease.
void RunFiles::check_ours() const {
    if (run_.lock) run_.lock->check_ours();
}

void RunFiles::write_record() {
    check_ours();
    store::write_run_file(run_.folder.path(), run_.record());
    last_record_ = Clock::now();
}

void RunFiles::write_record_if_due() {
    // Early curves are short and quickly written: a kill in the first minute must not take them.
    const auto now = Clock::now();
    const double age = std::chrono::duration<double>(now - created_).count();
    const double interval = std::clamp(age / 2, first_record_seconds, record_interval_seconds);
    if (std::chrono::duration<double>(now - last_record_).count() < interval) return;
    write_record();
    write_status(store::RunState::running);
}

void RunFiles::write_checkpoint() {
    // History first: a resume cuts it back to the checkpoint, so it must reach at least that far.
    write_record();
    const auto place =
        std::make_tuple(run_.state.step, run_.state.epoch, run_.state.position, run_.state.ended_early);
    if (place == last_checkpoint_) return;  // a stop directly after a checkpoint
    train::write_checkpoint(run_.folder, run_.state, *run_.model.model, *run_.optimizer, run_.identity,
                            train::checkpoint_metadata(run_.record().attributes));
    last_checkpoint_ = place;
    if (run_.record().attributes.checkpointed.value_or(false)) return;
    // Recorded afterwards: a kill in between leaves a checkpoint without the record, never the reverse.
    run_.log.change([](store::RunRecord& record) { record.attributes.checkpointed = true; });
    write_record();
}

std::string RunFiles::last_good_checkpoint() const {
    const auto generation = store::current_checkpoint(run_.folder);
    if (!generation) return "No checkpoint was written yet.";
    return Phrase("The last good checkpoint is %1; it is intact.", generation->string());
}

std::string RunFiles::write_best() {
    check_ours();
    // run.h5 records the step of these weights; forks and views rely on it.
    last_record_ = {};
    return train::write_weights(run_.folder.best(), *run_.model.model,
                                train::checkpoint_tensors(run_.config, run_.model),
                                train::checkpoint_metadata(run_.record().attributes));
}

store::ResultRow RunFiles::row(store::RunState state) const {
    store::ResultRow r;
    r.run = run_.request.name;
    r.state = state;
    r.data = run_.data.prepared->name.empty() ? data::data_name(run_.config.data.path)
                                              : data::name_in_tables(*run_.data.prepared, run_.config);
    model::describe_settings(run_.config, r);
    r.epochs = static_cast<std::int64_t>(run_.record().epochs.epoch.size());
    store::set_values(r, run_.record());
    if (run_.state.stopping.best_step >= 0) {
        r.best_epoch = run_.state.stopping.best_epoch;
        const auto& epochs = run_.record().epochs.epoch;
        const auto best = std::find(epochs.begin(), epochs.end(), r.best_epoch);
        if (best != epochs.end()) {
            const auto i = static_cast<std::size_t>(best - epochs.begin());
            r.val_mse = run_.record().epochs.val_mse[i];
            if (i < run_.record().epochs.val_smape.size()) r.val_smape = run_.record().epochs.val_smape[i];
        }
    }
    r.steps = run_.state.step;
    r.seconds = run_.state.seconds;
    if (run_.state.peak_memory > 0) r.peak_memory = run_.state.peak_memory;
    store::set_swept(r, run_.request.swept);
    return r;
}

}  // namespace casp::run

#include "run/former_history.h"

#include <string>
#include <utility>

#include "store/own_file.h"
#include "store/run_file.h"
#include "util/error.h"

namespace casp::run {

store::RunRecord history_of_run(const store::RunFolder& run, std::int64_t checkpoint_step) {
    try {
        return store::read_run_file(run.run_file());
    } catch (const Error& problem) {
        if (problem.kind() != ErrorKind::input) throw;
        auto parts = problem.parts();
        // Files of a newer version, or without read permission, are not lost: their advice is kept.
        if (parts.advice != store::damaged_own_file && parts.advice != store::lost_own_file) throw;
        parts.advice = "The run's checkpoint of step " + std::to_string(checkpoint_step) +
                       " is intact: continue from it with a fork, which lacks the curves up to that step "
                       "(train.continue_from = \"" +
                       run.path().string() + "\", under another name or in another --out folder).";
        throw Error(problem.kind(), std::move(parts));
    }
}

std::optional<store::RunRecord> history_of_parent(const store::RunFolder& parent,
                                                  train::TrainObserver& observer) {
    try {
        return store::read_run_file(parent.run_file());
    } catch (const Error& problem) {
        if (problem.kind() != ErrorKind::input) throw;
        observer.on_message(
            train::MessageLevel::warning,
            "the curves up to the fork are lost: " + problem.parts().where + ": " + problem.parts().found);
        return std::nullopt;
    }
}

}  // namespace casp::run

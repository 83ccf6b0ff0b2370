#include "run/fork.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <nlohmann/json.hpp>

#include "data/foreign_format.h"
#include "data/packed_file.h"
#include "store/atomic_file.h"
#include "util/error.h"
#include "util/json_text.h"
#include "util/regular_file.h"

namespace casp::run {

namespace {

ForkPlace place_of_checkpoint(const std::filesystem::path& generation) {
    const auto file = generation / "state.json";
    try {
        const auto state = parse_json(store::read_checkpoint_state(generation));
        ForkPlace place{ForkFrom::checkpoint, generation, 0, 0, {}};
        place.step = json_integer(state.at("step"));
        place.epoch = json_integer(state.at("epoch"));
        return place;
    } catch (const nlohmann::json::exception& problem) {
        throw store::DamagedCheckpoint(file,
                                       Phrase("not a checkpoint's state: %1", beginning_of(problem.what())),
                                       "a state written by CASP Studio");
    }
}

/// Content of last/current; empty if it does not name a generation.
std::string pointer_of(const store::RunFolder& run) {
    try {
        return store::read_small_file(run.last() / "current", 4096);
    } catch (const Error&) {
        return {};
    }
}

std::optional<ForkPlace> place_of_current_checkpoint(const store::RunFolder& run) {
    constexpr int attempts = 20;
    for (int attempt = 1;; ++attempt) {
        const auto pointer = pointer_of(run);
        try {
            const auto generation = store::current_checkpoint(run);
            if (!generation) return std::nullopt;
            return place_of_checkpoint(*generation);
        } catch (const Error&) {
            // The checkpoint may also have been replaced meanwhile, by a later one or by the weights of a run
            // that has just ended; that is not damage.
            if (pointer_of(run) == pointer) throw;
            if (attempt == attempts) throw checkpoint_does_not_stay(run);
        }
    }
}

/// Starting point at weights stored beside the checkpoint; `place.source` may not exist.
ForkPlace place_of_weights(const store::RunFolder& run, const ForkHistory& history) {
    const bool last = std::filesystem::exists(run.last_model());
    ForkPlace place{last ? ForkFrom::last_weights : ForkFrom::best_weights,
                    last ? run.last_model() : run.best(),
                    0,
                    0,
                    {}};
    if (!std::filesystem::exists(place.source)) return place;
    const auto* record = history();
    if (record == nullptr) return place;
    const auto& steps = record->steps;
    const auto step = last && !steps.step.empty() ? steps.step.back() : record->attributes.best_step;
    const auto found = std::find(steps.step.begin(), steps.step.end(), step);
    if (found == steps.step.end()) return place;
    place.step = step;
    place.epoch = steps.epoch[static_cast<std::size_t>(found - steps.step.begin())];
    return place;
}

/// Whether the weights are the same file that was found damaged in the checkpoint.
bool are_the_damaged_part(const std::filesystem::path& weights, const store::DamagedCheckpoint& damage) {
    std::error_code ignored;
    return std::filesystem::equivalent(weights, damage.parts().where.english(), ignored);
}

}  // namespace

Error weights_are_no_run(const std::filesystem::path& file) {
    const auto* format = data::foreign_format(data::format_head(RegularFile(file, "the folder of a run")));
    Phrase advice = "Weights alone can be evaluated (--evaluate FILE.safetensors) or be a backbone.";
    if (std::filesystem::exists(file.parent_path() / "run.json"))
        advice = Phrase("Set it to %1.", file.parent_path().string());
    else if (format != nullptr)
        advice += " " + data::weights_advice(*format, file.string());
    return input_error("train.continue_from",
                       format != nullptr ? Phrase("%1 is %2", file.string(), format->name)
                                         : Phrase("%1 is a file", file.string()),
                       "the folder of a trained run", advice);
}

Error checkpoint_does_not_stay(const store::RunFolder& run) {
    return input_error(
        "train.continue_from",
        Phrase("the run in %1 replaced its checkpoint during every attempt to read it", run.path().string()),
        {}, "Try again, or wait until that run has ended.");
}

ForkPlace fork_place_without_checkpoint(const store::RunFolder& run, const ForkHistory& history,
                                        const store::DamagedCheckpoint& damage) {
    auto place = place_of_weights(run, history);
    if (!std::filesystem::exists(place.source) || are_the_damaged_part(place.source, damage)) throw damage;
    place.damage = damage.parts().where + ": " + damage.parts().found;
    return place;
}

ForkPlace fork_place(const store::RunFolder& run, const ForkHistory& history) {
    try {
        if (auto place = place_of_current_checkpoint(run)) return *std::move(place);
    } catch (const store::DamagedCheckpoint& damage) {
        return fork_place_without_checkpoint(run, history, damage);
    }
    auto place = place_of_weights(run, history);
    if (!std::filesystem::exists(place.source))
        throw input_error("train.continue_from",
                          Phrase("%1 has neither a checkpoint nor best.safetensors", run.path().string()),
                          "the folder of a trained run",
                          store::RunLock::holder(run) ? "Wait for its first checkpoint, after its first step."
                                                      : "Choose another run, or continue this one first.");
    return place;
}

}  // namespace casp::run

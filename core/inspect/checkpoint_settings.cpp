#include "inspect/checkpoint_settings.h"

#include <algorithm>

#include "store/atomic_file.h"
#include "store/own_file.h"
#include "store/run_folder.h"
#include "store/safetensors.h"
#include "util/error.h"
#include "util/whole_path.h"

namespace casp::inspect {

namespace {

/// Whether the settings describe model and windows of a file without settings. Data set and computing options
/// do not count.
bool describe_the_model(const std::vector<std::string>& sets) {
    return std::any_of(sets.begin(), sets.end(), [](const std::string& set) {
        const auto key = set.substr(0, set.find('='));
        return key == "preset" || key.starts_with("model.") || key.starts_with("backbone.") ||
               (key.starts_with("data.") && key != "data.path" && !key.starts_with("data.csv."));
    });
}

/// The settings stored in a .safetensors file; "" if it has none and `sets` replace them.
std::string settings_in(const std::filesystem::path& path, const std::vector<std::string>& sets) {
    const store::SafetensorsFile file(path);
    if (const auto found = file.metadata().find("config"); found != file.metadata().end())
        return found->second;
    if (!describe_the_model(sets))
        throw input_error(path.string(), "it carries no settings: its metadata have no \"config\"",
                          "a checkpoint that CASP Studio wrote",
                          "For other checkpoints, pass the training settings: --set data.lookback=…, --set "
                          "data.horizon=… and whatever else is not the default (--list-options, "
                          "--list-presets).");
    return {};
}

}  // namespace

CheckpointSettings read_checkpoint_settings(const std::filesystem::path& checkpoint,
                                            const std::vector<std::string>& sets) {
    CheckpointSettings c;
    if (std::filesystem::is_directory(checkpoint)) {
        const store::RunFolder folder(checkpoint);
        c.file = folder.best();
        if (!std::filesystem::exists(c.file))
            throw input_error(checkpoint.string(), "best.safetensors is missing",
                              "the folder of a run that was trained",
                              "Give the folder of another run, or a .safetensors file.");
        const auto run = whole_path(checkpoint);
        c.name = run.parent_path().filename().string() + "-" + run.filename().string();
        c.where = folder.config().string();
        try {
            c.text = store::read_small_file(folder.config());
        } catch (const Error& problem) {
            throw store::about_own_file(
                problem, folder.config(),
                "Give the run's best.safetensors instead of its folder: it contains the "
                "settings.");
        }
    } else {
        c.file = checkpoint;
        c.name = c.file.stem().string();
        c.where = c.file.string() + " (its configuration)";
        c.text = settings_in(c.file, sets);
    }
    return c;
}

}  // namespace casp::inspect

// A model that the user wrote in Python: its settings. What it costs is known only to itself.

#include <filesystem>

#include "model/descriptor.h"

namespace casp::model {

namespace {

Capabilities capabilities_of_python(const config::Config& config) {
    return {.embeddings = config.python.embeds,
            .mixes_channels = true,
            .time_features = true,
            .own_process = true};
}

std::vector<config::Contradiction> check_python(const config::Config& config) {
    std::vector<config::Contradiction> found;
    const config::Shown shown{config};
    if (config.run.processes > 1)
        found.push_back({{"run.processes", "model.name"},
                         Phrase("%1, and a model in Python trains in one process", shown("run.processes")),
                         "run.processes = 1"});
    if (config.run.together != 1)
        found.push_back({{"run.together", "model.name"},
                         Phrase("%1, and runs of a model in Python are trained one after the other",
                                shown("run.together")),
                         "run.together = 1"});
    return found;
}

std::string label_of_python(const config::Config& config) {
    const auto& python = config.python;
    const auto name =
        python.label.empty() ? std::filesystem::path(python.file).stem().string() : python.label;
    if (name.empty()) return config.model.name;
    // dlinear.py is not the DLinear of this program.
    for (const auto& model : descriptors())
        if (name == model.name || name == model.title) return name + " (Python)";
    return name;
}

}  // namespace

Descriptor describe_python() {
    return {.capabilities = capabilities_of_python,
            .estimate = [](const config::Config&, const BatchShape&) { return Estimate(); },
            .check = check_python,
            .label = label_of_python};
}

}  // namespace casp::model

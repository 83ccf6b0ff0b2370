// Experiment files: settings, sweeps, and what is written back.
#include "config/experiment.h"
#include "fuzz_support.h"

using namespace casp;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    // The same bytes as an argument of --set.
    fuzz::accepts([&] { (void)config::load_text("", "fuzz.toml", "/base", {std::string(text)}); });
    config::Experiment experiment;
    if (!fuzz::accepts([&] { experiment = config::load_text(text, "fuzz.toml", "/base"); })) return 0;
    // What was accepted can be written, and reads back to the same settings.
    const auto again = config::load_text(config::to_toml(experiment.base), "again.toml", "/base").base;
    fuzz::must(again == experiment.base, "a configuration reads back as it was");
    const auto whole = config::load_text(config::to_toml(experiment), "whole.toml", "/base");
    fuzz::must(whole.axes.size() == experiment.axes.size() && whole.cases.size() == experiment.cases.size(),
               "a sweep reads back as it was");
    fuzz::accepts([&] {
        const auto runs = config::expand(experiment);
        fuzz::must(!runs.empty(), "an experiment has runs");
        for (const auto& run : runs)
            fuzz::must(
                !run.name.empty() && run.name.find('/') == std::string::npos && run.name.front() != '.',
                "a run's name is the name of a folder");
    });
    fuzz::must(experiment.base.name.find('/') == std::string::npos, "a name is the name of a folder");
    return 0;
}

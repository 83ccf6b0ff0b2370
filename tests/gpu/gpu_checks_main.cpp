// gpu_checks: the checks of gpu_checks.h as a program that needs neither Qt nor a network.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include <unistd.h>
#include <CLI/CLI.hpp>

#include "gpu/gpu_checks.h"

namespace {

/// A folder of its own that goes when the program ends.
class ScratchFolder {
public:
    ScratchFolder() {
        auto pattern = (std::filesystem::temp_directory_path() / "casp-gpu-checks-XXXXXX").string();
        if (mkdtemp(pattern.data()) == nullptr)
            throw std::runtime_error("no folder can be made at " + pattern);
        path_ = pattern;
    }
    ~ScratchFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;
    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
};

void say(const char* outcome, const std::string& name, const std::string& detail) {
    std::printf("%s %s: %s\n", outcome, name.c_str(), detail.c_str());
    std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) try {
    std::string device = "cuda";
    std::filesystem::path source = CASP_SOURCE_DIR;
    std::vector<std::string> only;
    bool quick = false;
    CLI::App app("Checks CASP Studio on a GPU: golden tests, windows, dropout, short runs, memory.");
    app.add_option("--device", device, "cuda, cuda:N or cpu")->capture_default_str();
    app.add_option("--source", source, "The repository, for its fixtures and sample data")
        ->check(CLI::ExistingDirectory);
    app.add_option("--only", only, "Checks whose names contain one of these words");
    app.add_flag("--quick", quick, "Fewer steps");
    CLI11_PARSE(app, argc, argv);

    auto checks = casp::gpu::all_checks(source);
    if (!only.empty())
        std::erase_if(checks, [&](const casp::gpu::Check& check) {
            return std::none_of(only.begin(), only.end(), [&](const std::string& word) {
                return check.name.find(word) != std::string::npos;
            });
        });
    int passed = 0, failed = 0, skipped = 0;
    const auto close = [&] {
        std::printf("%d passed, %d failed, %d skipped\n", passed, failed, skipped);
        return failed > 0 || passed + skipped == 0 ? 1 : 0;
    };
    const auto search = casp::gpu::find_device(device);
    if (search.broken) {
        say("FAIL", "device", "there is a GPU, but it cannot be used: " + search.reason);
        failed = 1;
        return close();
    }
    if (!search.found) {
        for (const auto& check : checks) say("SKIP", check.name, search.reason);
        skipped = static_cast<int>(checks.size());
        return close();
    }
    const ScratchFolder scratch;
    casp::gpu::Setting setting{search.device, source, scratch.path(), quick};
    for (const auto& check : checks) {
        try {
            const auto begin = std::chrono::steady_clock::now();
            const auto detail = check.run(setting);
            const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
            ++passed;
            say("PASS", check.name,
                detail + " (" + std::to_string(static_cast<int>(took.count() + 0.5)) + " s)");
        } catch (const std::exception& problem) {
            ++failed;
            say("FAIL", check.name, problem.what());
        }
    }
    return close();
} catch (const std::exception& problem) {
    std::fprintf(stderr, "gpu_checks: %s\n", problem.what());
    return 2;
}

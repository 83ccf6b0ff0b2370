#include "util/cuda_problem.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <initializer_list>
#include <mutex>
#include <utility>
#include <vector>

#include "util/phrase.h"

namespace casp {

namespace {

std::string version_text(CudaVersion version) {
    return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

/// First release of the driver that supports a major version of CUDA, by NVIDIA's table "CUDA Compatibility".
Phrase first_release(int cuda) {
    constexpr std::array<std::pair<int, const char*>, 3> releases{{{11, "450"}, {12, "525"}, {13, "580"}}};
    for (const auto& [major, release] : releases)
        if (major == cuda) return Phrase("release %1 or later", release);
    return Phrase("one for CUDA %1 or later", cuda);
}

/// Compute capabilities for which a build has machine code, ten times their value, ascending.
std::vector<int> capabilities_of(std::string_view build) {
    constexpr std::string_view mark = "code=sm_";
    std::vector<int> all;
    for (auto at = build.find(mark); at != std::string_view::npos; at = build.find(mark, at + 1)) {
        int number = 0;
        for (auto i = at + mark.size(); i < build.size() && std::isdigit(build[i]) != 0; ++i)
            number = 10 * number + (build[i] - '0');
        all.push_back(number);
    }
    std::sort(all.begin(), all.end());
    return all;
}

std::string capability_text(int tenfold) {
    return std::to_string(tenfold / 10) + "." + std::to_string(tenfold % 10);
}

std::mutex failure_mutex;
std::string noted_failure;

}  // namespace

bool nvidia_driver_present() {
    const std::initializer_list<const char*> signs{"/proc/driver/nvidia/version", "/dev/nvidiactl",
                                                   "/usr/lib/wsl/lib/libcuda.so.1"};
    return std::any_of(signs.begin(), signs.end(), [](const char* file) {
        std::error_code unknown;
        return std::filesystem::exists(file, unknown);
    });
}

std::string driver_release(std::string_view text) {
    const auto is_part = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '.'; };
    for (std::size_t begin = 0; begin < text.size();) {
        const auto end = std::min(text.find_first_of(" \t\n", begin), text.size());
        const auto word = text.substr(begin, end - begin);
        if (word.find('.') != std::string_view::npos && std::all_of(word.begin(), word.end(), is_part))
            return std::string(word);
        begin = end + 1;
    }
    return {};
}

std::optional<Error> old_driver(const std::string& release, CudaVersion of_driver, CudaVersion of_libtorch) {
    const int needed = of_libtorch / 1000;
    if (of_driver <= 0 || needed <= 0 || of_driver / 1000 >= needed) return std::nullopt;
    return input_error(
        "run.device",
        release.empty()
            ? Phrase("the NVIDIA driver is too old: it supports CUDA %1, and this LibTorch has CUDA %2",
                     version_text(of_driver), version_text(of_libtorch))
            : Phrase("the NVIDIA driver %1 is too old: it supports CUDA %2, and this LibTorch has CUDA %3",
                     release, version_text(of_driver), version_text(of_libtorch)),
        Phrase("a driver of %1", first_release(needed)),
        "Update the NVIDIA driver, or set run.device = \"cpu\".");
}

std::optional<Error> old_gpu(const std::string& gpu, ComputeCapability capability, std::string_view build) {
    const auto built = capabilities_of(build);
    const int own = 10 * capability.major + capability.minor;
    // Machine code runs on GPUs of the same major version, from its minor version on.
    if (own == 0 || built.empty() || std::any_of(built.begin(), built.end(), [&](int code) {
            return code / 10 == capability.major && code <= own;
        }))
        return std::nullopt;
    std::string all;
    for (const int code : built) all += (all.empty() ? "" : ", ") + capability_text(code);
    return input_error(
        "run.device",
        Phrase("this LibTorch has no code for %1 (compute capability %2)", gpu, capability_text(own)),
        Phrase("a GPU of compute capability %1", all),
        "Use another GPU (run.device = \"cuda:N\"), build with a LibTorch for this one "
        "(CASP_LIBTORCH), or set run.device = \"cpu\".");
}

std::string fatal_gpu_failure(std::string_view message) {
    constexpr std::array<std::string_view, 7> fatal{"an illegal memory access was encountered",
                                                    "unspecified launch failure",
                                                    "device-side assert triggered",
                                                    "an illegal instruction was encountered",
                                                    "misaligned address",
                                                    "uncorrectable ECC error encountered",
                                                    "the launch timed out and was terminated"};
    if (message.find("CUDA") == std::string_view::npos) return {};
    for (const auto words : fatal)
        if (message.find(words) != std::string_view::npos) return std::string(words);
    return {};
}

void note_gpu_failure(std::string_view message) {
    const auto words = fatal_gpu_failure(message);
    const std::lock_guard lock(failure_mutex);
    if (noted_failure.empty()) noted_failure = words;
}

std::optional<Error> ended_gpu_use() {
    const std::lock_guard lock(failure_mutex);
    if (noted_failure.empty()) return std::nullopt;
    return run_error(
        "run.device",
        Phrase("an earlier failure (CUDA: %1) has ended the use of GPUs in this process", noted_failure), {},
        "Restart the program; runs resume from their last checkpoint.");
}

}  // namespace casp

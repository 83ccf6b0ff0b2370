#pragma once
// LibTorch with CUDA for installed programs, whose own LibTorch is without: `--fetch cuda`.

#include <array>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>

#include "util/progress.h"

namespace casp::fetch {

/// Where wheels come from and where they go. The defaults are those of the program; tests set their own.
struct WheelSource {
    std::array<std::string, 2> lists;  ///< packaging/libtorch.txt and libtorch-cuda.txt: wheels with digests
    std::string index;                 ///< a package index (PEP 503), without the last slash
    std::filesystem::path folder;      ///< the folder that gets torch/ and nvidia/
};

/// Of packaging/libtorch.txt and libtorch-cuda.txt, $PIP_INDEX_URL (else pypi.org) and cuda_folder(). Throws
/// like cuda_folder().
[[nodiscard]] WheelSource cuda_source();

/// ~/.cache/caspstudio/libtorch-VERSION: the folder of packaging/fetch_libtorch.sh, so that both share it.
/// Throws an input Error if neither XDG_CACHE_HOME nor HOME is set.
[[nodiscard]] std::filesystem::path cuda_folder();

/// Whether LibTorch and CUDA's libraries are complete there.
[[nodiscard]] bool has_cuda_libraries(const std::filesystem::path& folder);

/// Downloads the wheels of each incomplete list, checks their digests and unpacks them; returns the folder.
/// After an interruption, downloads go on where they ended. Blocks; one process at a time.
///
/// Throws an input Error if the index does not have a wheel or another process is fetching, a run Error if
/// the network or the disk fails, and Cancelled.
std::filesystem::path fetch_cuda_libraries(const WheelSource& source, const ProgressFn& progress,
                                           const std::function<void(const std::string&)>& note,
                                           const std::stop_token& stop);

}  // namespace casp::fetch

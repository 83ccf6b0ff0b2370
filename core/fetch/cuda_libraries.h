#pragma once
// LibTorch with CUDA for installed programs, whose own LibTorch is without: `--fetch cuda`.

#include <filesystem>
#include <stop_token>

namespace casp::fetch {

/// ~/.cache/caspstudio/libtorch-VERSION: the folder of packaging/fetch_libtorch.sh, so that both share it.
/// Throws an input Error if neither XDG_CACHE_HOME nor HOME is set.
[[nodiscard]] std::filesystem::path cuda_folder();

/// Whether LibTorch and CUDA's libraries are complete there.
[[nodiscard]] bool has_cuda_libraries(const std::filesystem::path& folder);

/// Runs the embedded packaging/fetch_libtorch.sh --with-cuda, which downloads with `python3 -m pip download`
/// from the user's package index, checks digests and unpacks; its progress goes to standard error. Returns
/// cuda_folder(). Complete downloads are kept after an interruption. Blocks; other processes wait for each
/// other.
///
/// Throws an input Error if bash is missing, a run Error with the script's reason (no Python with pip, the
/// network, the disk, a wrong digest), and Cancelled.
std::filesystem::path fetch_cuda_libraries(const std::stop_token& stop);

}  // namespace casp::fetch

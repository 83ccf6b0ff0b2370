#pragma once
// The folder of --out.

#include <filesystem>

namespace casp::batch {

/// Creates the folder if it is missing. Throws an input Error if it cannot be created.
void make_out_folder(const std::filesystem::path& folder);

}  // namespace casp::batch

#pragma once
// Files of the repository that the program carries with it (presets, catalogue, digests).

#include <string_view>
#include <vector>

namespace casp {

struct EmbeddedFile {
    std::string_view path;  ///< relative to the repository, e.g. "resources/presets/etth1-96.toml"
    std::string_view text;  ///< the bytes; lives as long as the program
};

/// All embedded files, in the order of their paths.
[[nodiscard]] const std::vector<EmbeddedFile>& embedded_files();

/// One file's bytes; throws std::out_of_range where the build did not embed it.
[[nodiscard]] std::string_view embedded_file(std::string_view path);

}  // namespace casp

#pragma once
// Repository files embedded in the program (presets, catalogue, digests).

#include <string_view>
#include <vector>

namespace casp {

struct EmbeddedFile {
    std::string_view path;  ///< relative to the repository, e.g. "resources/presets/etth1-96.toml"
    std::string_view text;  ///< content; valid for the lifetime of the program
};

/// All embedded files, sorted by path.
[[nodiscard]] const std::vector<EmbeddedFile>& embedded_files();

/// Content of one file. Throws std::out_of_range if it is not embedded.
[[nodiscard]] std::string_view embedded_file(std::string_view path);

}  // namespace casp

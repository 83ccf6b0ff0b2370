#pragma once
// NumPy's array files: .npy, and .npz, a ZIP archive of them.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace casp::data {

/// An array of numbers.
struct NpyArray {
    std::vector<std::int64_t> shape;
    std::vector<double> values;  ///< row-major, whatever the order in the file
};

/// Parses a .npy file (format versions 1 to 3; float32 or float64, either byte order, C or Fortran order).
/// `where` names it in messages. Throws an input Error for anything else; pickled objects are refused unread,
/// since unpickling runs code.
[[nodiscard]] NpyArray parse_npy(std::string_view bytes, const std::string& where);

/// Calls `use(name, bytes)` for each array of an .npz file in its order, name without ".npy". Throws
/// Cancelled, and an input Error for a file that is missing, no ZIP archive, damaged, or holds pickled
/// objects or an entry of more than 4 GiB.
void read_npz(const std::filesystem::path& path, const std::stop_token& stop,
              const std::function<void(const std::string& name, std::string_view bytes)>& use);

}  // namespace casp::data

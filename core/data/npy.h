#pragma once
// NumPy's array files: .npy, and .npz, a ZIP archive of them.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace casp::data {

/// Beginning of a .npy file.
struct NpyHeader {
    std::vector<std::int64_t> shape;
    std::size_t count = 0;  ///< number of values
    std::size_t width = 4;  ///< bytes of a value: 2, 4 or 8
    bool swapped = false;   ///< byte order of another machine
    bool fortran = false;   ///< the first index varies fastest
    std::size_t data = 0;   ///< position of the first value in the file
};

/// Parses the header at the beginning of `bytes` (format versions 1 to 3; float16, float32 or float64, either
/// byte order, C or Fortran order); `file_size`: bytes of the whole file, which its shape must match.
/// `where`: its path, for messages. Throws an input Error for anything else; pickled objects are refused
/// unread, since unpickling runs code: the message has the line of Python that converts them.
[[nodiscard]] NpyHeader parse_npy_header(std::string_view bytes, std::uint64_t file_size,
                                         const std::string& where);

/// Reads consecutive values in the file's order.
void read_npy_values(const NpyHeader& header, const char* bytes, std::span<double> out);

/// Header of a .npy file (version 1) whose values of `width` bytes (4 or 8: float32 or float64, this
/// machine's byte order) follow in C order.
[[nodiscard]] std::string npy_header(const std::vector<std::int64_t>& shape, std::size_t width);

/// Calls `use(name, bytes)` for each wanted array of an .npz file in its order, name without ".npy";
/// `wanted(name)` is called for every array. Throws Cancelled, and an input Error for a file that is missing,
/// no ZIP archive or damaged, and for a wanted array of pickled objects or of more than 4 GiB.
void read_npz(const std::filesystem::path& path, const std::stop_token& stop,
              const std::function<bool(const std::string& name)>& wanted,
              const std::function<void(const std::string& name, std::string_view bytes)>& use);

}  // namespace casp::data

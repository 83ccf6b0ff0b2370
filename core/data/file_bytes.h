#pragma once
// Parallel reading of a whole regular file into memory.

#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <stop_token>
#include <string_view>

#include "util/progress.h"

namespace casp::data {

/// A block of uninitialised memory (clearing 67 MB would take a tenth of the import).
class Bytes {
public:
    Bytes() = default;
    /// Throws std::bad_alloc.
    explicit Bytes(std::size_t size);

    [[nodiscard]] char* data() { return memory_.get(); }
    [[nodiscard]] std::string_view view() const { return {memory_.get(), size_}; }
    [[nodiscard]] std::size_t size() const { return size_; }

private:
    struct Free {
        void operator()(char* p) const { std::free(p); }
    };
    std::unique_ptr<char, Free> memory_;
    std::size_t size_ = 0;
};

/// Reads a regular file. Reports progress in bytes on the calling thread.
/// Throws an input Error if the file does not exist, is not readable, is a folder, pipe or device, is
/// modified while being read, or does not fit into memory; and Cancelled. If another file is renamed over
/// `path` meanwhile, the original file is read to its end.
[[nodiscard]] Bytes read_file(const std::filesystem::path& path, int threads, const ProgressFn& progress,
                              const std::stop_token& stop);

}  // namespace casp::data

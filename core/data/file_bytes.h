#pragma once
// A whole file in memory, read on several threads, with an answer for everything that is no plain file.

#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <stop_token>
#include <string_view>

#include "util/progress.h"

namespace casp::data {

/// Memory of a given size that is not cleared first (67 MB of zeros would cost as much as a tenth of the
/// import).
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

/// Reads a regular file. Reports bytes on the calling thread.
/// Throws an input Error: not found, no permission, a folder, a pipe or device, written to while it was read
/// (longer, shorter, other bytes), larger than the memory; and Cancelled. A file that another one is renamed
/// over meanwhile is read to its end as it was.
[[nodiscard]] Bytes read_file(const std::filesystem::path& path, int threads, const ProgressFn& progress,
                              const std::stop_token& stop);

}  // namespace casp::data

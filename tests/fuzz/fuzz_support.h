#pragma once
// What the fuzz targets share: how they fail, and files that live in memory only.

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>

#include "util/error.h"

namespace casp::fuzz {

/// Ends the process where a promise is broken, so that the fuzzer keeps the input.
inline void must(bool holds, const char* promise) {
    if (holds) return;
    std::fprintf(stderr, "broken promise: %s\n", promise);
    std::abort();
}

/// Calls `work`; an input Error (with words) is a good answer to a bad file, everything else is a finding.
/// True where nothing was thrown.
template <class Work>
bool accepts(Work&& work) {
    try {
        work();
        return true;
    } catch (const Error& error) {
        must(error.kind() == ErrorKind::input, "a bad file is an input error");
        must(!error.parts().found.empty(), "an error says what was found");
        must(std::string_view(error.what()).size() < 100'000, "an error is a message, not a file");
        return false;
    }
}

/// A regular file without a place on the disk, rewritten for every input.
class MemoryFile {
public:
    MemoryFile() : descriptor_(::memfd_create("fuzz", MFD_CLOEXEC)) {
        must(descriptor_ >= 0, "there are files in memory");
    }
    MemoryFile(const MemoryFile&) = delete;
    MemoryFile& operator=(const MemoryFile&) = delete;
    ~MemoryFile() { ::close(descriptor_); }

    /// Its path once it holds `size` bytes of `data`.
    std::filesystem::path holding(const std::uint8_t* data, std::size_t size) {
        must(::ftruncate(descriptor_, 0) == 0, "a file in memory can be emptied");
        must(::pwrite(descriptor_, data, size, 0) == static_cast<ssize_t>(size),
             "a file in memory can be written");
        return "/proc/self/fd/" + std::to_string(descriptor_);
    }

private:
    int descriptor_;
};

}  // namespace casp::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

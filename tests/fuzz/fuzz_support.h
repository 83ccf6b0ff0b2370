#pragma once
// What the fuzz targets share: how they fail, and files that live in memory only.

#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
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

/// A regular file in memory, rewritten for every input. It has a name of its own: HDF5 opens nothing without
/// a real path (with /proc/self/fd/3 a fuzzer of run files would look at its refusal only).
class MemoryFile {
public:
    MemoryFile() {
        char name[] = "/dev/shm/casp-fuzz-XXXXXX";
        descriptor_ = ::mkstemp(name);
        path_ = name;
        must(descriptor_ >= 0, "there are files in memory");
    }
    MemoryFile(const MemoryFile&) = delete;
    MemoryFile& operator=(const MemoryFile&) = delete;
    ~MemoryFile() {
        ::close(descriptor_);
        ::unlink(path_.c_str());
    }

    /// Its path once it holds `size` bytes of `data`.
    const std::filesystem::path& holding(const std::uint8_t* data, std::size_t size) {
        must(::ftruncate(descriptor_, 0) == 0, "a file in memory can be emptied");
        must(::pwrite(descriptor_, data, size, 0) == static_cast<ssize_t>(size),
             "a file in memory can be written");
        return path_;
    }

private:
    std::filesystem::path path_;
    int descriptor_ = -1;
};

}  // namespace casp::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

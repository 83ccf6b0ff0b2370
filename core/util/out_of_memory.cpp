#include "util/out_of_memory.h"

#include <algorithm>
#include <new>
#include <string_view>
#include <system_error>

#include <c10/util/Exception.h>

#include "util/cuda_problem.h"
#include "util/phrase.h"

namespace casp {

std::string out_of_memory_message(const std::exception& problem) {
    const auto* error = dynamic_cast<const c10::Error*>(&problem);
    if (error == nullptr) {
        const auto* system = dynamic_cast<const std::system_error*>(&problem);
        const bool refused = dynamic_cast<const std::bad_alloc*>(&problem) != nullptr ||
                             (system != nullptr && system->code() == std::errc::not_enough_memory);
        return refused ? "memory allocation failed" : "";
    }
    std::string words = error->what_without_backtrace();
    bool found = dynamic_cast<const c10::OutOfMemoryError*>(error) != nullptr;
    // The CPU allocator, the driver and cuBLAS report it as plain errors.
    for (const char* sign : {"can't allocate memory", "out of memory", "ALLOC_FAILED"})
        found = found || words.find(sign) != std::string::npos;
    if (!found) return {};
    if (const auto cpu = words.find("DefaultCPUAllocator: "); cpu != std::string::npos)
        words.erase(0, cpu + std::string_view("DefaultCPUAllocator: ").size());
    // The rest names environment variables of LibTorch's allocator.
    words.resize(std::min(words.size(), words.find(" Of the allocated memory")));
    words.resize(std::min(words.size(), words.find('\n')));
    return words;
}

Phrase plain_message(const std::exception& problem) {
    if (const auto words = out_of_memory_message(problem); !words.empty())
        return Phrase("out of memory: %1", words);
    if (const auto* error = dynamic_cast<const Error*>(&problem)) return error->phrase();
    const std::string text = problem.what();
    if (const auto words = fatal_gpu_failure(text); !words.empty()) {
        note_gpu_failure(text);
        return Phrase("CUDA error: %1. GPUs cannot be used in this process any more: restart the program",
                      words);
    }
    return text.substr(0, std::min(text.find("\nException raised from "), text.find("\nframe #0: ")));
}

}  // namespace casp

#pragma once
// Messages of failures without LibTorch's traces, and explanation of those for lack of memory. Does not
// include LibTorch's headers; thread-safe.

#include <exception>
#include <string>

#include "util/error.h"

namespace casp {

/// The message of an out-of-memory failure of LibTorch, the driver or the system ("can't allocate memory: you
/// tried to allocate 123 bytes …"), without LibTorch's stack trace and source names. Empty for any other
/// failure, including casp::Error.
[[nodiscard]] std::string out_of_memory_message(const std::exception& problem);

/// Message of an exception, without LibTorch's stack trace. Out-of-memory errors begin with "out of memory:
/// ". Failures that end the use of GPUs are noted (note_gpu_failure()), and say that the program is to be
/// restarted.
[[nodiscard]] Phrase plain_message(const std::exception& problem);

/// A run Error of a lack of memory: "<where>: out of memory: <words>. <advice>".
class OutOfMemory : public Error {
public:
    OutOfMemory(const std::string& where, const std::string& words, const Phrase& advice)
        : Error(ErrorKind::run, {where, Phrase("out of memory: %1", words), {}, advice}) {}
};

/// Returns work(). An out-of-memory failure is replaced by OutOfMemory with advice(); other exceptions pass
/// unchanged.
template <class Work, class Advice>
auto explaining_memory(const std::string& where, const Work& work, const Advice& advice) {
    try {
        return work();
    } catch (const std::exception& problem) {
        const auto words = out_of_memory_message(problem);
        if (words.empty()) throw;
        throw OutOfMemory(where, words, advice());
    }
}

}  // namespace casp

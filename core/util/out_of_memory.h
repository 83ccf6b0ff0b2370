#pragma once
// Where memory runs out: told apart from other failures, in words and with a way on. Free of LibTorch's
// headers. Any thread.

#include <exception>
#include <string>
#include <utility>

#include "util/error.h"

namespace casp {

/// What LibTorch, the driver or the system said where memory ran out ("can't allocate memory: you tried to
/// allocate 123 bytes …"), without LibTorch's stack trace and names of its sources; empty for any other
/// failure, casp::Errors included: they have words of their own.
[[nodiscard]] std::string out_of_memory_words(const std::exception& problem);

/// Does `work` and returns what it returns. Where memory runs out in it, a run Error takes the place of that
/// failure: "<where>: out of memory: <words>. <advice()>". Other failures pass as they are.
template <class Work, class Advice>
auto explaining_memory(const std::string& where, const Work& work, const Advice& advice) {
    try {
        return work();
    } catch (const std::exception& problem) {
        auto words = out_of_memory_words(problem);
        if (words.empty()) throw;
        throw run_error(where, "out of memory: " + std::move(words), {}, advice());
    }
}

}  // namespace casp

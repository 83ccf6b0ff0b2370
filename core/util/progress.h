#pragma once
// How long work tells where it stands.

#include <cstdint>
#include <functional>
#include <string>

namespace casp {

/// One report of a long piece of work.
struct Progress {
    std::string stage;       ///< what is being done, e.g. "reading ETTh1.csv"
    std::int64_t done = 0;   ///< units finished
    std::int64_t total = 0;  ///< units in all; 0: not known
    std::string unit;        ///< "bytes", "windows", "steps"
};

/// Called from the working thread; must be quick. An empty function means nobody listens.
using ProgressFn = std::function<void(const Progress&)>;

}  // namespace casp

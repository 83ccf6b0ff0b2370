#pragma once
// Progress reports of long-running work.

#include <cstdint>
#include <functional>
#include <string>

namespace casp {

/// One progress report.
struct Progress {
    std::string stage;       ///< current activity, e.g. "reading ETTh1.csv"
    std::int64_t done = 0;   ///< units finished
    std::int64_t total = 0;  ///< total number of units; 0: unknown
    std::string unit;        ///< "bytes", "windows", "steps"
};

/// Called on the working thread; must return quickly. May be empty.
using ProgressFn = std::function<void(const Progress&)>;

}  // namespace casp

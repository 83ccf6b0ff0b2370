#pragma once
// What must hold on a GPU. Without Qt, so that the same checks run in a QtTest and, on a machine that has no
// Qt, in the program gpu_checks. On the CPU they run too: there they show that the checks themselves are
// right.

#include <filesystem>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include <c10/core/Device.h>

namespace casp::gpu {

/// Where the checks compute and what they need.
struct Setting {
    c10::Device device{c10::kCPU};
    std::filesystem::path source;   ///< the repository: tests/golden and datasets/sample.csv are read
    std::filesystem::path scratch;  ///< an empty folder for runs
    bool quick = false;             ///< fewer steps and windows
};

/// A device, or why there is none.
struct DeviceSearch {
    c10::Device device{c10::kCPU};
    bool found = false;
    bool broken = false;  ///< a GPU is here, and it cannot be used: a failure, not a reason to skip
    std::string reason;   ///< where none was found
};

/// Asks resolve_device(), the only way CUDA comes into the program.
[[nodiscard]] DeviceSearch find_device(const std::string& name);

/// One check: returns what it measured, throws Failure where something does not hold.
struct Check {
    std::string name;
    std::function<std::string(const Setting&)> run;
};

/// Thrown by a check; the message says what was found and what was allowed.
class Failure : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// All checks in their order; every golden case is one of its own.
[[nodiscard]] std::vector<Check> all_checks(const std::filesystem::path& source);

}  // namespace casp::gpu

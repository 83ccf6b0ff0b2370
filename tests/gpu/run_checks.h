#pragma once
// Checks that train: whole runs on the device.

#include "config/config.h"
#include "gpu/gpu_checks.h"

namespace casp::gpu {

[[nodiscard]] std::vector<Check> run_checks();

/// A run that takes seconds: the first 1,200 rows of the sample data set, a backbone of two small layers, no
/// dropout, 30 steps (more than one epoch) of 32 windows.
[[nodiscard]] config::Config small_config(const Setting& setting);

/// Throws a Failure with `otherwise` unless `holds`.
void require(bool holds, const std::string& otherwise);

/// Three digits.
[[nodiscard]] std::string number(double value);
/// "1.25 GiB".
[[nodiscard]] std::string gibibytes(std::int64_t bytes);

}  // namespace casp::gpu

#pragma once
// Compares the model with the fixtures that the Python oracle made (tests/oracle/make_golden.py). Without Qt,
// so that the same checks run in a QtTest on the CPU and in the plain program of tests/gpu on CUDA.

#include <filesystem>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

namespace casp::golden {

/// One compared tensor. `error` is the largest absolute difference, divided by the largest absolute value
/// expected.
struct Check {
    std::string name;
    double error = 0;
    double bound = 0;

    [[nodiscard]] bool passed() const { return error <= bound; }  // NaN fails
};

/// Bounds per kind of tensor.
struct Bounds {
    double decomposition = 1e-12;  ///< float64
    double forward = 1e-5;
    double gradient = 1e-4;
    double after_steps = 1e-4;
    double statistic = 1e-6;  ///< coverage statistic and losses
};

/// The bounds on the CPU; 1e-4 for everything in fp32 on a GPU.
[[nodiscard]] Bounds bounds_for(const at::Device& device);

/// The cases in a folder (every .safetensors with a configuration), sorted by name.
[[nodiscard]] std::vector<std::filesystem::path> golden_cases(const std::filesystem::path& folder);

/// Decomposition, patches, embedding, anchors, similarity, selection, forecast, losses, every gradient, three
/// AdamW steps and an evaluation of one case.
[[nodiscard]] std::vector<Check> check_case(const std::filesystem::path& file, const at::Device& device);

/// All lengths of decomposition.safetensors.
[[nodiscard]] std::vector<Check> check_decomposition(const std::filesystem::path& file,
                                                     const at::Device& device);

}  // namespace casp::golden

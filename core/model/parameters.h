#pragma once
// Tensors by name, as in checkpoints.

#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

namespace casp::model {

/// One tensor under the name it has in checkpoints (those of the public S2IP-LLM model, see
/// docs/run-file.md).
struct NamedTensor {
    std::string name;
    at::Tensor value;
};

using NamedTensors = std::vector<NamedTensor>;

/// The tensors of both lists.
[[nodiscard]] inline NamedTensors joined(NamedTensors first, const NamedTensors& more) {
    first.insert(first.end(), more.begin(), more.end());
    return first;
}

/// Number of elements in all of them.
[[nodiscard]] inline std::int64_t count_elements(const NamedTensors& tensors) {
    std::int64_t count = 0;
    for (const auto& tensor : tensors) count += tensor.value.numel();
    return count;
}

}  // namespace casp::model

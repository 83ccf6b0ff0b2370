#pragma once
// Values of tensors appended to vectors on the host.

#include <vector>

#include <ATen/ATen.h>

namespace casp::inspect {

/// Appends the values of `tensor`, on any device and converted to T, to `values`; none if it is undefined.
template <class T>
void append(std::vector<T>& values, const at::Tensor& tensor) {
    if (!tensor.defined()) return;
    const auto host = tensor.to(at::kCPU, c10::CppTypeToScalarType<T>::value).contiguous();
    values.insert(values.end(), host.template data_ptr<T>(), host.template data_ptr<T>() + host.numel());
}

}  // namespace casp::inspect

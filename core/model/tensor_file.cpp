#include "model/tensor_file.h"

#include <algorithm>

#include <torch/torch.h>

#include "store/safetensors.h"
#include "util/digest.h"
#include "util/error.h"

namespace casp::model {

namespace {

store::Dtype dtype_of(const at::Tensor& tensor) {
    return tensor.scalar_type() == at::kLong ? store::Dtype::i64 : store::Dtype::f32;
}

/// Whether the file has the tensor under another of its names.
bool has_other_name(const store::SafetensorsFile& file, const NamedTensors& tensors,
                    const at::Tensor& tensor) {
    return std::any_of(tensors.begin(), tensors.end(), [&](const NamedTensor& other) {
        return other.value.is_same(tensor) && file.find(other.name) != nullptr;
    });
}

}  // namespace

std::string write_tensors(const std::filesystem::path& path, const NamedTensors& tensors,
                          const std::map<std::string, std::string>& metadata) {
    const torch::NoGradGuard no_gradient;
    std::vector<store::TensorSpec> specs;
    for (const auto& [name, tensor] : tensors)
        specs.push_back({name, dtype_of(tensor), tensor.sizes().vec()});
    store::SafetensorsWriter writer(path, specs, metadata);
    for (const auto& [name, tensor] : tensors) {
        const auto host = tensor.detach().to(at::kCPU).contiguous();
        writer.write(name, host.data_ptr(), host.nbytes());
    }
    return writer.finish();
}

void read_tensors(const std::filesystem::path& path, const NamedTensors& tensors) {
    read_tensors(store::SafetensorsFile(path), tensors);
}

void read_tensors(const store::SafetensorsFile& file, const NamedTensors& tensors) {
    const torch::NoGradGuard no_gradient;
    const auto& path = file.path();
    std::map<const void*, std::string> loaded;  // first name of each tensor that was read
    for (const auto& [name, tensor] : tensors) {
        if (file.find(name) == nullptr && has_other_name(file, tensors, tensor)) continue;
        const auto& view = file.at(name, std::span(tensor.sizes().data(), tensor.sizes().size()));
        auto host = at::empty(tensor.sizes(), tensor.options().device(at::kCPU).requires_grad(false));
        if (tensor.scalar_type() == at::kLong) {
            if (view.dtype != store::Dtype::i64)
                throw input_error(Phrase("%1, tensor \"%2\"", path.string(), view.name),
                                  Phrase("its type is %1", to_string(view.dtype)), "I64",
                                  "Convert the tensor and write the file again, or use one that CASP Studio "
                                  "wrote.");
            store::read_bytes(view, {static_cast<std::byte*>(host.data_ptr()), host.nbytes()});
        } else {
            store::to_floats(view, std::span(host.data_ptr<float>(), static_cast<std::size_t>(host.numel())));
        }
        const auto [first, fresh] = loaded.emplace(tensor.data_ptr(), name);
        if (!fresh && tensor.numel() > 0 && !at::equal(tensor.to(at::kCPU), host))
            throw input_error(Phrase("%1, tensor \"%2\"", path.string(), name),
                              Phrase("its values differ from those of \"%1\"", first->second),
                              "equal values: layers of this model share the tensor",
                              "Write the file again from a model that shares it.");
        tensor.copy_(host);
    }
}

std::string digest_of(const NamedTensors& tensors) {
    Digest digest;
    for (const auto& [name, tensor] : tensors) {
        const auto host = tensor.detach().to(at::kCPU).contiguous();
        digest.update(name);
        digest.update(host.data_ptr(), host.nbytes());
    }
    return digest.finish();
}

}  // namespace casp::model

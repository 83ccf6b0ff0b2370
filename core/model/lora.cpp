#include "model/lora.h"

#include <torch/torch.h>

#include "model/initialisation.h"

namespace casp::model {

Lora::Lora(std::int64_t in, std::int64_t out, const LoraSettings& settings, const std::string& layer)
    : a_name_(layer + "lora_A.default.weight"),
      b_name_(layer + "lora_B.default.weight"),
      scale_(settings.alpha / static_cast<double>(settings.rank)),
      dropout_(settings.dropout),
      a_(uniform_parameter({settings.rank, in}, in, settings.seed, a_name_)),
      b_(at::zeros({out, settings.rank}).set_requires_grad(true)) {}

at::Tensor Lora::forward(const at::Tensor& x, DropoutStream* stream) const {
    const auto kept = stream != nullptr && dropout_ > 0.0 ? dropout(x, dropout_, stream->next()) : x;
    return at::linear(at::linear(kept, a_), b_) * scale_;
}

void Lora::to(const at::Device& device) {
    for (auto* tensor : {&a_, &b_}) *tensor = tensor->detach().to(device).set_requires_grad(true);
}

}  // namespace casp::model

#pragma once
// LoRA (Hu et al. 2022): a trainable low-rank update of a frozen linear layer.

#include <cstdint>
#include <string>

#include <ATen/core/Tensor.h>

#include "model/dropout.h"
#include "model/parameters.h"

namespace casp::model {

/// Rank and scale of an update; names and defaults as in peft.
struct LoraSettings {
    std::int64_t rank = 8;      ///< r, at least 1
    double alpha = 32;          ///< α
    double dropout = 0.1;       ///< of the update's input, in training; in [0, 1)
    std::uint64_t seed = 2021;  ///< of A
};

/// What is added to the output of the frozen layer: (α / r)·B·A·drop(x).
///
/// A begins at U(±1/√in), B at zero, so that training begins at the frozen layer. Tensor names are those of
/// peft: "<layer>lora_A.default.weight" [r, in] and "<layer>lora_B.default.weight" [out, r].
class Lora {
public:
    /// `layer`: the name of the frozen layer with a dot at its end.
    Lora(std::int64_t in, std::int64_t out, const LoraSettings& settings, const std::string& layer);

    /// x [..., in] fp32 -> [..., out] fp32. `dropout` is null outside training.
    [[nodiscard]] at::Tensor forward(const at::Tensor& x, DropoutStream* dropout) const;

    [[nodiscard]] NamedTensors trainable() const { return {{a_name_, a_}, {b_name_, b_}}; }
    void to(const at::Device& device);

private:
    std::string a_name_, b_name_;
    double scale_;
    double dropout_;
    at::Tensor a_, b_;
};

}  // namespace casp::model

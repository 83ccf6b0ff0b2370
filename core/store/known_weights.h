#pragma once
// Recognising published weights tensor by tensor.

#include <map>
#include <string>
#include <string_view>

#include "store/safetensors.h"

namespace casp::store {

/// The tensor called `plain` ("h.0.attn.c_attn.weight") in a Hugging Face file of a GPT-2, with or without
/// "transformer." or "gpt2." before its name; nullptr where there is none.
[[nodiscard]] const TensorView* find_gpt2_tensor(const SafetensorsFile& file, std::string_view plain);

/// SHA-256 of each tensor's float32 values, by plain name. Immutable; thread-safe.
class WeightDigests {
public:
    /// `json`: {"name": {"sha256_fp32_le": "…"}, …}. Throws where it is none of that kind.
    explicit WeightDigests(std::string_view json);

    /// resources/openai_gpt2_small_sha256.json.
    static const WeightDigests& openai_gpt2_small();

    /// Whether `view` holds the tensor that is called `plain` there, as float32 and to the last bit. Reads
    /// it.
    [[nodiscard]] bool matches(std::string_view plain, const TensorView& view) const;
    /// Whether all its tensors are in `file`.
    [[nodiscard]] bool match_all(const SafetensorsFile& file) const;

private:
    std::map<std::string, std::string, std::less<>> sha256_;
};

}  // namespace casp::store

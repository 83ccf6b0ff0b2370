#pragma once
// What TEMPO and its descriptor agree on. Free of LibTorch.

#include <cstdint>

namespace casp::model {

/// Tokens of the sentence before each component.
inline constexpr std::int64_t tempo_sentence = 9;

}  // namespace casp::model

#pragma once
// Input of a backbone.

#include <cstdint>
#include <utility>

#include <ATen/core/Tensor.h>

namespace casp::model {

/// Embeddings of each row's tokens, fp32: K of a prefix, and those that follow it.
struct Tokens {
    // NOLINTNEXTLINE(google-explicit-constructor): most models have no prefix
    Tokens(at::Tensor all) : following(std::move(all)) {}
    Tokens(at::Tensor first, at::Tensor others) : prefix(std::move(first)), following(std::move(others)) {}

    at::Tensor prefix;     ///< [N, K, d]; undefined: none
    at::Tensor following;  ///< [N, T - K, d]

    [[nodiscard]] std::int64_t prefixed() const { return prefix.defined() ? prefix.size(1) : 0; }
    [[nodiscard]] std::int64_t count() const { return prefixed() + following.size(1); }  ///< T
    [[nodiscard]] at::Tensor joined() const;                                             ///< [N, T, d]
};

}  // namespace casp::model

#pragma once
// TEMPO's prompt pool: trainable keys, each with a prompt of a few tokens, retrieved by cosine similarity.

#include <cstdint>

#include <ATen/core/Tensor.h>

#include "model/parameter_set.h"
#include "model/retrieval.h"

namespace casp::model {

struct PromptPoolShape {
    std::int64_t size = 30;   ///< V': number of keys and prompts
    std::int64_t top_k = 3;   ///< retrieved per query, at most V'
    std::int64_t length = 3;  ///< tokens of a prompt
    std::int64_t patches = 64;
    std::int64_t width = 768;  ///< d

    [[nodiscard]] std::int64_t tokens() const { return top_k * length; }  ///< put before a query's patches
};

/// Adds the pool's tensors to `set`, with the public code's names and initial values: prompt_key_dict.
/// prompt_key_I [d] and prompt_value_dict.prompt_value_I [length, d], I = 0 … V' - 1, from N(0, 1);
/// summary_map, linear from `patches` to 1.
void add_prompt_pool(ParameterSet& set, const PromptPoolShape& shape);

/// The pool's keys, [V', d].
[[nodiscard]] at::Tensor prompt_keys(const ParameterSet& set, const PromptPoolShape& shape);

/// What the queries of R sequences retrieve.
struct PooledPrompts {
    at::Tensor tokens;      ///< prompts in descending similarity, [R, top_k · length, d]
    at::Tensor similarity;  ///< cosine of query and key, [R, V']
    Retrieval retrieval;    ///< index and similarity, [R, top_k]
};

/// Embedded patches [R, N_p, d] and keys [V', d] to prompts.
///
/// Query: summary_map maps N_p numbers to one. As in the public code these are not the N_p patches of one
/// coordinate but N_p consecutive numbers of the sequence in memory, cut into d parts.
[[nodiscard]] PooledPrompts retrieve_prompts(const ParameterSet& set, const PromptPoolShape& shape,
                                             const at::Tensor& patches, const at::Tensor& keys);

}  // namespace casp::model

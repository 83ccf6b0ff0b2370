#include "model/prompt_pool.h"

#include <string>
#include <vector>

#include <torch/torch.h>

#include "model/anchor_pool.h"
#include "util/random.h"

namespace casp::model {

namespace {

std::string key_name(std::int64_t i) { return "prompt_key_dict.prompt_key_" + std::to_string(i); }
std::string value_name(std::int64_t i) { return "prompt_value_dict.prompt_value_" + std::to_string(i); }

at::Tensor stack_entries(const ParameterSet& set, std::int64_t count, std::string (*name)(std::int64_t)) {
    std::vector<at::Tensor> tensors;
    for (std::int64_t i = 0; i < count; ++i) tensors.push_back(set.get(name(i)));
    return at::stack(tensors);
}

}  // namespace

void add_prompt_pool(ParameterSet& set, const PromptPoolShape& shape) {
    const auto add_normal = [&](const std::string& name, at::IntArrayRef sizes) {
        set.add(name,
                at::empty(sizes, at::kFloat).normal_(0, 1, make_generator(derive_seed(set.seed(), name))));
    };
    for (std::int64_t i = 0; i < shape.size; ++i) add_normal(key_name(i), {shape.width});
    for (std::int64_t i = 0; i < shape.size; ++i) add_normal(value_name(i), {shape.length, shape.width});
    set.add_linear("summary_map", shape.patches, 1);
}

at::Tensor prompt_keys(const ParameterSet& set, const PromptPoolShape& shape) {
    return stack_entries(set, shape.size, key_name);
}

PooledPrompts retrieve_prompts(const ParameterSet& set, const PromptPoolShape& shape,
                               const at::Tensor& patches, const at::Tensor& keys) {
    const auto rows = patches.size(0);
    const auto query =
        set.linear("summary_map", patches.reshape({rows, shape.width, shape.patches})).squeeze(2);
    PooledPrompts out;
    out.similarity = anchor_similarity(query, l2_normalise(keys));
    out.retrieval = retrieve_top_k(out.similarity, shape.top_k);
    const auto values = stack_entries(set, shape.size, value_name).flatten(1);
    out.tokens = look_up(values, out.retrieval.index).view({rows, shape.tokens(), shape.width});
    return out;
}

}  // namespace casp::model

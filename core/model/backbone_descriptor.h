#pragma once
// Checks, effects and cost of [backbone], for the descriptors of models that have one. Free of LibTorch.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "config/config.h"
#include "config/options.h"
#include "model/estimate.h"

namespace casp::model {

/// Checks of models: what is wrong is added to `found`.
///
/// A width that its number of heads does not divide.
void check_heads(const config::Config& config, const std::string& width, const std::string& heads,
                 std::vector<config::Contradiction>& found);
/// The same of [backbone], unless it has no heads.
void check_backbone_heads(const config::Config& config, std::vector<config::Contradiction>& found);
/// A setting that is larger than the one it must not exceed; `verb`: "is longer than".
void check_at_most(const config::Config& config, const std::string& small, const std::string& large,
                   const std::string& verb, std::vector<config::Contradiction>& found);

/// Whether the backbone is GPT-2, with weights of a file or random ones, and not what replaces it.
[[nodiscard]] inline bool has_gpt2(const config::Config& config) {
    return config.backbone.kind == "gpt2" || config.backbone.kind == "random";
}

/// Whether a setting of [backbone] is without effect with the configured backbone.kind. `token_table`:
/// whether the model reads the token table, too.
[[nodiscard]] bool without_effect_in_backbone(const config::Config& config, std::string_view key,
                                              bool token_table);

/// Of the configured backbone (model/backbone.h), for rows of `tokens` tokens.
struct BackboneCost {
    std::vector<ParameterPart> parts;
    std::int64_t trainable = 0, frozen = 0;  ///< their sums
    std::int64_t tokens = 0;                 ///< that a transformer reads per row; 0: there is none
    std::int64_t bytes_per_row = 0;          ///< kept for the backward pass, and the widest temporaries
    std::int64_t evaluation_bytes_per_row = 0;
    double forward_flop = 0, backward_flop = 0;  ///< per row
};
/// Sum over the trainable parts, or over the frozen ones.
[[nodiscard]] std::int64_t sum_of_parts(const std::vector<ParameterPart>& parts, bool trainable);
[[nodiscard]] BackboneCost backbone_cost(const config::Config& config, std::int64_t tokens, bool on_gpu,
                                         bool token_table);

}  // namespace casp::model

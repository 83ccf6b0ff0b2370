#pragma once
// What CALF's settings mean for its network. Free of LibTorch.

#include "config/config.h"

namespace casp::model {

/// Whether a loss needs the text branch, which reads the token table.
[[nodiscard]] inline bool has_text_branch(const config::Config& config) {
    return config.calf.feature_w != 0 || config.calf.output_w != 0;
}

}  // namespace casp::model

#pragma once
// Time-LLM's prompt: a sentence about the data, the task, and statistics of the window.

#include <cstdint>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

namespace casp::model {

/// The prompt of each row: description, task, minimum, maximum, lower median and sign of the trend of the
/// normalised look-back, and its five lags of largest circular autocorrelation.
///
/// rows [N, L] fp32, normalised, any device; horizon H. The wording is the input format of public
/// checkpoints, with numbers as Python writes fp32 values. The autocorrelation of lag k equals that of L - k:
/// here the smaller one always comes first, while the public code leaves the order to rounding.
[[nodiscard]] std::vector<std::string> time_llm_prompts(const at::Tensor& rows, std::int64_t horizon,
                                                        const std::string& description);

}  // namespace casp::model

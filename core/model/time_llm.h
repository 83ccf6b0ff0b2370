#pragma once
// Time-LLM (Jin et al. 2024): patches expressed by word prototypes, behind a prompt, through a frozen GPT-2.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

#include "config/config.h"
#include "model/backbone.h"
#include "model/forecaster.h"
#include "model/parameter_set.h"
#include "text/gpt2_tokenizer.h"

namespace casp::model {

// Time-LLM's prompt: a sentence about the data, the task, and statistics of the window.

/// The prompt of each row: description, task, minimum, maximum, lower median and sign of the trend of the
/// normalised look-back, and its five lags of largest circular autocorrelation.
///
/// rows [N, L] fp32, normalised, any device; horizon H. The wording is the input format of public
/// checkpoints, with numbers as Python writes fp32 values. The autocorrelation of lag k equals that of L - k:
/// here the smaller one always comes first, while the public code leaves the order to rounding.
[[nodiscard]] std::vector<std::string> time_llm_prompts(const at::Tensor& rows, std::int64_t horizon,
                                                        const std::string& description);

/// Each channel of each window is a row. Patches of the normalised row pass a circular convolution over three
/// of them (patch_len -> d_model). Reprogramming: softmax(Q·Kᵀ/√d_ff)·V with n_heads heads of width d_ff, Q
/// from the patches, K and V from S prototypes W·E + b of the token table E. The backbone, all of which is
/// frozen, reads prompt and patches; the head is linear in the first d_ff channels of the patches' outputs.
/// A layer in its place (backbone.kind) is trained, reads the same tokens, and is named "backbone.*".
///
/// Tensor names are those of the public code (KimMeen/Time-LLM); its `word_embeddings`, the token table once
/// more, is left out. Choices where the public code is wrong or leaks: docs/decisions/0019-time-llm.md.
/// In particular no padding is read: prompts of different lengths end where the patches begin, and what
/// fills the rows behind the patches is out of sight of causal attention, so that a forecast does not
/// depend on the other rows of its batch.
class TimeLlm : public Forecaster {
public:
    /// Not read from `config`: `description`, the sentence about the data set in the prompt, and the
    /// tokenizer; null: a token per byte. `prototypes`: S; fixed in the public code.
    TimeLlm(const config::Config& config, std::string description,
            std::shared_ptr<const text::Gpt2Tokenizer> tokenizer, std::int64_t prototypes = 1000);

    [[nodiscard]] Forecast forward(const ModelInput& input, const TrainingStep* step, bool trace) override;
    [[nodiscard]] bool repeats_steps() const override { return false; }
    void cancel_on(const std::stop_token& stop) override { backbone_.cancel_on(stop); }
    void begin_evaluation() override;
    void end_evaluation() override { kept_prototypes_ = at::Tensor(); }
    [[nodiscard]] NamedTensors trainable() const override;
    [[nodiscard]] NamedTensors frozen() const override;
    void weights_replaced() override;
    void to(const at::Device& device) override;

    /// Tokens of the prompts of normalised rows [N, L], each at most positions - N_p long: of a longer prompt
    /// the end, which holds the statistics.
    [[nodiscard]] std::vector<std::vector<std::int64_t>> prompt_tokens(const at::Tensor& rows) const;

private:
    [[nodiscard]] std::int64_t patches() const;        ///< N_p
    [[nodiscard]] std::int64_t head_channels() const;  ///< hidden channels read by the head
    void freeze_backbone();

    [[nodiscard]] at::Tensor prototypes(const BatchShare* share = nullptr) const;
    [[nodiscard]] at::Tensor embed_patches(const at::Tensor& rows) const;
    [[nodiscard]] at::Tensor reprogram(const at::Tensor& patches, DropoutStream* stream,
                                       const TrainingStep* step) const;
    [[nodiscard]] at::Tensor hidden_of_patches(const at::Tensor& rows, const at::Tensor& patches,
                                               DropoutStream* stream, const TrainingStep* step);

    config::Config config_;
    std::string description_;
    std::shared_ptr<const text::Gpt2Tokenizer> tokenizer_;
    ParameterSet layers_;
    Backbone backbone_;
    at::Tensor kept_prototypes_;  ///< [S, d], during an evaluation
};

}  // namespace casp::model

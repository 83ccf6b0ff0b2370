#include "model/time_llm.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numeric>
#include <utility>

#include <torch/torch.h>

#include "model/factory.h"
#include "model/instance_norm.h"
#include "model/patching.h"
#include "text/python_float.h"
#include "util/error.h"

namespace casp::model {

namespace {

constexpr std::size_t named_lags = 5;

/// r(k) = Σ_i x_i·x_(i+k mod L) of each row, [N, L] fp64 (Wiener-Khinchin).
at::Tensor circular_autocorrelation(const at::Tensor& rows) {
    const auto spectrum = at::fft_rfft(rows.to(at::kDouble));
    return at::fft_irfft(spectrum * spectrum.conj(), rows.size(1)).contiguous();
}

/// "[0, 1, 511, 2, 510]"
std::string lags_of(const double* correlation, std::int64_t length) {
    std::vector<std::int64_t> order(static_cast<std::size_t>(length / 2 + 1));
    std::iota(order.begin(), order.end(), 0);
    const auto most = std::min(order.size(), named_lags);
    std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(most), order.end(),
                      [&](std::int64_t a, std::int64_t b) {
                          return correlation[a] != correlation[b] ? correlation[a] > correlation[b] : a < b;
                      });
    std::vector<std::int64_t> lags;
    for (const auto lag : order) {
        lags.push_back(lag);
        if (lag > 0 && lag != length - lag) lags.push_back(length - lag);
        if (lags.size() >= named_lags) break;
    }
    lags.resize(std::min(lags.size(), named_lags));
    std::string text;
    for (const auto lag : lags) text += (text.empty() ? "" : ", ") + std::to_string(lag);
    return "[" + text + "]";
}

float lower_median(const float* values, std::int64_t count) {
    std::vector<float> sorted(values, values + count);
    const auto middle = sorted.begin() + (count - 1) / 2;
    std::nth_element(sorted.begin(), middle, sorted.end());
    return *middle;
}

constexpr const char* convolution_name = "patch_embedding.value_embedding.tokenConv.weight";

/// The public code's name of a tensor of the backbone: "gpt2.wte.weight" -> "llm_model.wte.weight".
std::string name_in_time_llm(const std::string& name) { return "llm_model" + name.substr(name.find('.')); }

/// Dropout of [heads, rows, …], whose rows are those of the batch's windows.
at::Tensor drop_by_head(const at::Tensor& x, double p, const DropoutKey& key) {
    if (key.count == key.whole) return dropout(x, p, key);
    std::vector<at::Tensor> heads;
    for (std::int64_t head = 0; head < x.size(0); ++head) {
        auto part = key;
        part.first += head * key.whole;
        part.whole *= x.size(0);
        heads.push_back(dropout(x.select(0, head), p, part));
    }
    return at::stack(heads);
}

/// [rows, heads·e] -> [heads, rows, e]
at::Tensor by_head(const at::Tensor& x, std::int64_t heads) {
    return x.unflatten(1, {heads, -1}).transpose(0, 1);
}

/// How prompts and patches are ordered for the backbone, both as indices of flattened rows.
struct Layout {
    at::Tensor order;    ///< [N·(T + N_p)] int64 into [prompt padded to T, patches] of each row
    at::Tensor patches;  ///< [N·N_p] int64: places of the patches in the ordered rows
    at::Tensor read;     ///< [N, T + N_p] bool: what is no padding
};

/// Of prompts of the given lengths, at most T: prompt, patches, and last the padding of the prompt.
Layout layout_of(const std::vector<std::vector<std::int64_t>>& prompts, std::int64_t longest,
                 std::int64_t patches) {
    const auto rows = static_cast<std::int64_t>(prompts.size());
    const auto width = longest + patches;
    Layout layout{at::empty({rows * width}, at::kLong), at::empty({rows * patches}, at::kLong),
                  at::ones({rows, width}, at::kBool)};
    auto* order = layout.order.data_ptr<std::int64_t>();
    auto* places = layout.patches.data_ptr<std::int64_t>();
    for (std::int64_t row = 0; row < rows; ++row) {
        const auto length = static_cast<std::int64_t>(prompts[static_cast<std::size_t>(row)].size());
        const auto first = row * width;
        for (std::int64_t i = 0; i < width; ++i) {
            const auto from = i < length ? i : i < length + patches ? longest + i - length : i - patches;
            *order++ = first + from;
        }
        for (std::int64_t i = 0; i < patches; ++i) *places++ = first + length + i;
        layout.read.select(0, row).slice(0, length + patches).fill_(false);
    }
    return layout;
}

/// GPT-2's tokenizer of a pretrained backbone; null for an untrained one, whatever files there are, so that
/// a run gives the same numbers everywhere.
std::shared_ptr<const text::Gpt2Tokenizer> tokenizer_of(const config::Config& config) {
    const auto& setting = config.backbone.path;
    if (setting == "untrained") return nullptr;
    std::filesystem::path weights;
    if (!setting.starts_with("catalog:")) {
        weights = setting;
        std::error_code problem;
        if (std::filesystem::is_directory(weights, problem)) weights /= "model.safetensors";
    }
    const auto file = text::find_vocabulary({}, weights);
    if (!file)
        throw input_error(
            "backbone.path",
            "Time-LLM's prompts are made of GPT-2's tokens, and there is no vocab.json beside the "
            "backbone or in the cache",
            "the vocab.json of the backbone's tokenizer",
            "Run caspstudio --fetch gpt2-words, or copy vocab.json beside the weights.");
    auto tokenizer = std::make_shared<text::Gpt2Tokenizer>(text::Tokens::read(*file));
    if (tokenizer->count() > config.backbone.vocabulary)
        throw input_error("backbone.vocabulary",
                          Phrase("%1 has %2 tokens, more than the backbone's %3", file->string(),
                                 tokenizer->count(), config.backbone.vocabulary),
                          "a vocabulary of at most backbone.vocabulary tokens",
                          "Copy the vocab.json of this backbone beside its weights.");
    return tokenizer;
}

std::string description_for(const config::Config& config, const DataShape& data) {
    if (!config.time_llm.description.empty()) return config.time_llm.description;
    return data.title.empty() ? "A time series measured at regular intervals." : data.title + ".";
}

}  // namespace

std::vector<std::string> time_llm_prompts(const at::Tensor& rows, std::int64_t horizon,
                                          const std::string& description) {
    const torch::NoGradGuard no_gradient;
    const auto values = rows.detach().to(at::kCPU, at::kFloat).contiguous();
    const auto correlation = circular_autocorrelation(values);
    const auto length = values.size(1);
    const auto beginning = "<|start_prompt|>Dataset description: " + description +
                           "Task description: forecast the next " + std::to_string(horizon) +
                           " steps given the previous " + std::to_string(length) +
                           " steps information; Input statistics: min value ";
    std::vector<std::string> prompts;
    for (std::int64_t row = 0; row < values.size(0); ++row) {
        const auto* x = values.data_ptr<float>() + row * length;
        const auto [smallest, largest] = std::minmax_element(x, x + length);
        prompts.push_back(
            x[length - 1] > x[0]
                ? Phrase("%1, max value %2, median value %3, the trend of input is upward, top 5 lags are : "
                         "%4<|<end_prompt>|>",
                         beginning + text::python_float(*smallest), text::python_float(*largest),
                         text::python_float(lower_median(x, length)),
                         lags_of(correlation.data_ptr<double>() + row * length, length))
                : Phrase("%1, max value %2, median value %3, the trend of input is downward, top 5 lags are "
                         ": %4<|<end_prompt>|>",
                         beginning + text::python_float(*smallest), text::python_float(*largest),
                         text::python_float(lower_median(x, length)),
                         lags_of(correlation.data_ptr<double>() + row * length, length)));
    }
    return prompts;
}

std::int64_t TimeLlm::patches() const {
    return patch_count(config_.data.lookback, config_.time_llm.patch_len, config_.time_llm.stride);
}

std::int64_t TimeLlm::head_channels() const {
    return std::min(config_.time_llm.d_ff, config_.backbone.width);
}

TimeLlm::TimeLlm(const config::Config& config, std::string description,
                 std::shared_ptr<const text::Gpt2Tokenizer> tokenizer, std::int64_t prototypes)
    : config_(config),
      description_(std::move(description)),
      tokenizer_(std::move(tokenizer)),
      layers_(static_cast<std::uint64_t>(config.train.seed)),
      backbone_(config, /*token_table=*/true) {
    const auto& own = config.time_llm;
    // Kaiming's normal initialisation, as in the public code; everything else is a linear layer's default.
    layers_.add_normal(convolution_name, {own.d_model, own.patch_len, 3},
                       std::sqrt(2.0 / static_cast<double>(3 * own.patch_len)));
    const auto d = config.backbone.width, inner = own.n_heads * own.d_ff;
    layers_.add_linear("mapping_layer", config.backbone.vocabulary, prototypes);
    layers_.add_linear("reprogramming_layer.query_projection", own.d_model, inner);
    layers_.add_linear("reprogramming_layer.key_projection", d, inner);
    layers_.add_linear("reprogramming_layer.value_projection", d, inner);
    layers_.add_linear("reprogramming_layer.out_projection", inner, d);
    layers_.add_linear("output_projection.linear", head_channels() * patches(), config.data.horizon);
    freeze_backbone();
}

void TimeLlm::freeze_backbone() {
    if (!backbone_.is_gpt2()) return;
    for (auto& tensor : backbone_.trainable()) tensor.value.set_requires_grad(false);
}

Forecast TimeLlm::forward(const ModelInput& input, const TrainingStep* step, bool /*trace*/) {
    StepDropout dropout(step);
    auto* const stream = dropout.stream();
    const auto p = config_.time_llm.dropout;

    InstanceStatistics statistics;
    const InstanceNorm norm{};
    // The prompt shows every digit of these rows: a last bit changes its tokens.
    const auto rows = norm.normalised_rows(input.lookback, statistics, true);
    const auto embedded = drop(embed_patches(rows), p, stream);
    const auto hidden = hidden_of_patches(rows, reprogram(embedded, stream, step), stream, step);

    // The head reads channel by channel.
    const auto flat = hidden.narrow(2, 0, head_channels()).transpose(1, 2).flatten(1);
    const auto forecast = drop(layers_.linear("output_projection.linear", flat), p, stream);
    Forecast out;
    out.prediction = norm.denormalised_rows(forecast, statistics);
    return out;
}

/// rows [N, L] -> [N, N_p, d_model]
at::Tensor TimeLlm::embed_patches(const at::Tensor& rows) const {
    const auto patches =
        make_patches(rows, config_.time_llm.patch_len, config_.time_llm.stride).transpose(1, 2);
    const auto count = patches.size(2);
    const auto circular = at::cat({patches.narrow(2, count - 1, 1), patches, patches.narrow(2, 0, 1)}, 2);
    return at::conv1d(circular, layers_.get(convolution_name)).transpose(1, 2);
}

/// W·E + b, [S, d]: the bias is added to all entries of a prototype.
at::Tensor TimeLlm::prototypes(const BatchShare* share) const {
    if (kept_prototypes_.defined()) return kept_prototypes_;
    const auto &weight = layers_.get("mapping_layer.weight"), &bias = layers_.get("mapping_layer.bias");
    auto values = at::addmm(bias.unsqueeze(1), weight, backbone_.token_table());
    sum_gradient(values, {weight, bias}, share);
    return values;
}

/// [N, N_p, d_model] -> [N, N_p, d]
at::Tensor TimeLlm::reprogram(const at::Tensor& patches, DropoutStream* stream,
                              const TrainingStep* step) const {
    const auto source = prototypes(step != nullptr ? step->share : nullptr);
    const auto part = [&](const char* name, const at::Tensor& x) {
        return by_head(layers_.linear(std::string("reprogramming_layer.") + name, x),
                       config_.time_llm.n_heads);
    };
    const auto p = config_.time_llm.dropout;
    const auto q = part("query_projection", patches.flatten(0, 1));
    const auto k = part("key_projection", source), v = part("value_projection", source);
    at::Tensor attended;  // [heads, N·N_p, d_ff]
    if (stream == nullptr || p <= 0) {
        attended =
            at::scaled_dot_product_attention(q.unsqueeze(0), k.unsqueeze(0), v.unsqueeze(0)).squeeze(0);
    } else {
        const auto scores =
            at::bmm(q, k.transpose(1, 2)) * (1.0 / std::sqrt(static_cast<double>(config_.time_llm.d_ff)));
        attended = at::bmm(drop_by_head(at::softmax(scores, -1), p, stream->next()), v);
    }
    return layers_.linear("reprogramming_layer.out_projection", attended.transpose(0, 1).flatten(1))
        .view({patches.size(0), patches.size(1), -1});
}

std::vector<std::vector<std::int64_t>> TimeLlm::prompt_tokens(const at::Tensor& rows) const {
    const auto most = static_cast<std::size_t>(config_.backbone.positions - patches());
    std::vector<std::vector<std::int64_t>> all;
    for (const auto& prompt : time_llm_prompts(rows, config_.data.horizon, description_)) {
        std::vector<std::int64_t> tokens;
        if (tokenizer_)
            tokens = tokenizer_->encode(prompt);
        else
            for (const char byte : prompt)
                tokens.push_back(static_cast<unsigned char>(byte) % config_.backbone.vocabulary);
        if (tokens.size() > most)
            tokens.erase(tokens.begin(), tokens.end() - static_cast<std::ptrdiff_t>(most));
        all.push_back(std::move(tokens));
    }
    return all;
}

/// Outputs of the backbone at the patches, [N, N_p, d].
at::Tensor TimeLlm::hidden_of_patches(const at::Tensor& rows, const at::Tensor& patches,
                                      DropoutStream* stream, const TrainingStep* step) {
    const auto prompts = prompt_tokens(rows);
    std::size_t longest = 0;
    for (const auto& prompt : prompts) longest = std::max(longest, prompt.size());
    auto tokens = static_cast<std::int64_t>(longest);
    if (step != nullptr && step->share != nullptr) tokens = step->share->largest(tokens);
    const auto count = patches.size(0), d = patches.size(2);
    auto numbers = at::zeros({count, tokens}, at::kLong);
    for (std::int64_t row = 0; row < count; ++row) {
        const auto& prompt = prompts[static_cast<std::size_t>(row)];
        std::copy(prompt.begin(), prompt.end(), numbers.data_ptr<std::int64_t>() + row * tokens);
    }
    const auto layout = layout_of(prompts, tokens, patches.size(1));
    const auto device = patches.device();
    const auto words = backbone_.token_table().index_select(0, numbers.flatten().to(device));
    const auto sequence = at::cat({words.view({count, tokens, d}), patches}, 1)
                              .flatten(0, 1)
                              .index_select(0, layout.order.to(device))
                              .view({count, -1, d});
    return backbone_
        .forward(sequence, stream, config_.run.precision == "bf16", nullptr,
                 backbone_.is_gpt2() ? at::Tensor() : layout.read.to(device))
        .flatten(0, 1)
        .index_select(0, layout.patches.to(device))
        .view(patches.sizes());
}

void TimeLlm::begin_evaluation() {
    const torch::NoGradGuard no_gradient;
    kept_prototypes_ = prototypes();
}

NamedTensors TimeLlm::trainable() const {
    return backbone_.is_gpt2() ? layers_.all() : joined(layers_.all(), backbone_.trainable());
}

NamedTensors TimeLlm::frozen() const {
    NamedTensors tensors;
    for (const auto& list :
         {backbone_.is_gpt2() ? backbone_.trainable() : NamedTensors(), backbone_.frozen()})
        for (const auto& [name, tensor] : list) tensors.push_back({name_in_time_llm(name), tensor});
    return tensors;
}

void TimeLlm::weights_replaced() {
    backbone_.forget_copies();
    end_evaluation();
}

void TimeLlm::to(const at::Device& device) {
    backbone_.to(device);
    freeze_backbone();
    layers_.to(device);
    end_evaluation();
}

std::unique_ptr<Forecaster> make_time_llm(const config::Config& config, const DataShape& data) {
    return std::make_unique<TimeLlm>(config, description_for(config, data), tokenizer_of(config));
}

}  // namespace casp::model

#include "model/time_llm_prompt.h"

#include <algorithm>
#include <numeric>

#include <torch/torch.h>

#include "text/python_float.h"

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
            beginning + text::python_float(*smallest) + ", max value " + text::python_float(*largest) +
            ", median value " + text::python_float(lower_median(x, length)) + ", the trend of input is " +
            (x[length - 1] > x[0] ? "upward" : "downward") + ", top 5 lags are : " +
            lags_of(correlation.data_ptr<double>() + row * length, length) + "<|<end_prompt>|>");
    }
    return prompts;
}

}  // namespace casp::model

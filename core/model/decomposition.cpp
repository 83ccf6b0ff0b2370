#include "model/decomposition.h"

#include <torch/torch.h>

#include <ATen/Parallel.h>

#include "model/decompose_row.h"

namespace casp::model {

namespace {

at::Tensor rolling_mean(const at::Tensor& x, std::int64_t length) {
    if (length == 1) return x;
    const std::int64_t size = x.size(1);
    // Prefix sums: one pass whatever the length. Rows are normalised, so the sums stay small.
    const auto sums = at::constant_pad_nd(at::cumsum(x, 1), {1, 0});
    const auto interior =
        (sums.slice(1, length, size + 1) - sums.slice(1, 0, size + 1 - length)) / static_cast<double>(length);
    const std::int64_t after = (length - 1) / 2;
    const std::int64_t before = length - 1 - after;
    return at::cat({interior.slice(1, 0, 1).expand({-1, before}), interior,
                    interior.slice(1, interior.size(1) - 1).expand({-1, after})},
                   1);
}

at::Tensor phase_means(const at::Tensor& x, std::int64_t period) {
    const std::int64_t rows = x.size(0);
    const std::int64_t size = x.size(1);
    const std::int64_t cycles = (size + period - 1) / period;
    const std::int64_t missing = cycles * period - size;
    const auto padded = missing == 0 ? x : at::constant_pad_nd(x, {0, missing});
    auto counts = at::full({period}, static_cast<double>(cycles), x.options().requires_grad(false));
    if (missing > 0) counts.slice(0, period - missing).fill_(static_cast<double>(cycles - 1));
    const auto means = padded.view({rows, cycles, period}).sum(1) / counts;
    return means.repeat({1, cycles}).slice(1, 0, size);
}

/// The same arithmetic row by row, with everything of a row in the cache: no prefix sums of the batch, no
/// padding, no repeated means.
template <typename Scalar>
void decompose_rows(const Scalar* input, double* trend, double* seasonal, double* residual, std::int64_t rows,
                    std::int64_t size, std::int64_t length, std::int64_t period) {
    at::parallel_for(0, rows, 8, [&](std::int64_t begin, std::int64_t end) {
        RowDecomposition row(size, length, period);
        for (auto offset = begin * size; offset < end * size; offset += size)
            row.parts(input + offset, trend + offset, seasonal + offset, residual + offset);
    });
}

Components decompose_on_cpu(const at::Tensor& rows, std::int64_t trend_length, std::int64_t seasonal_length) {
    const auto x = rows.contiguous();
    const auto options = rows.options().dtype(at::kDouble).requires_grad(false);
    Components parts{at::empty(x.sizes(), options), at::empty(x.sizes(), options),
                     at::empty(x.sizes(), options)};
    const auto run = [&](const auto* input) {
        decompose_rows(input, parts.trend.data_ptr<double>(), parts.seasonal.data_ptr<double>(),
                       parts.residual.data_ptr<double>(), x.size(0), x.size(1), trend_length,
                       seasonal_length);
    };
    if (x.scalar_type() == at::kFloat)
        run(x.data_ptr<float>());
    else
        run(x.data_ptr<double>());
    return parts;
}

}  // namespace

TrendAndSeason moving_average_parts(const at::Tensor& series, std::int64_t length) {
    const auto side = (length - 1) / 2;
    const auto rows = series.reshape({-1, 1, series.size(-1)});
    const auto end = rows.size(-1) - 1;
    // Not replication_pad1d(): its gradient on a GPU adds in any order.
    const auto padded = at::cat(
        {rows.slice(-1, 0, 1).expand({-1, -1, side}), rows, rows.slice(-1, end).expand({-1, -1, side})}, -1);
    const auto trend = at::avg_pool1d(padded, length, 1).view_as(series);
    return {trend, series - trend};
}

at::Tensor weights_before_moving_average(const at::Tensor& weight, std::int64_t length) {
    const auto values = weight.size(-1);
    if (values == 1) return weight;
    const auto side = (length - 1) / 2;
    const auto padded = at::constant_pad_nd(weight.reshape({-1, 1, values}), {length - 1, length - 1});
    const auto spread = at::avg_pool1d(padded, length, 1);  // [rows, 1, side + L + side]
    // The series' own ends are its padding, so the weights of the padding are theirs.
    const auto first = spread.narrow(-1, 0, side + 1).sum(-1, true);
    const auto last = spread.narrow(-1, values + side - 1, side + 1).sum(-1, true);
    return at::cat({first, spread.narrow(-1, side + 1, values - 2), last}, -1).view_as(weight);
}

Components decompose(const at::Tensor& rows, std::int64_t trend_length, std::int64_t seasonal_length) {
    const bool learns = at::GradMode::is_enabled() && rows.requires_grad();
    const bool plain = rows.scalar_type() == at::kFloat || rows.scalar_type() == at::kDouble;
    if (rows.is_cpu() && !learns && plain) return decompose_on_cpu(rows, trend_length, seasonal_length);
    const auto x = rows.to(at::kDouble);
    Components parts;
    parts.trend = rolling_mean(x, trend_length);
    const auto detrended = x - parts.trend;
    parts.seasonal = phase_means(detrended, seasonal_length);
    parts.residual = detrended - parts.seasonal;
    return parts;
}

}  // namespace casp::model

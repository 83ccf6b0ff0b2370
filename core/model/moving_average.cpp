#include "model/moving_average.h"

#include <torch/torch.h>

namespace casp::model {

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

}  // namespace casp::model

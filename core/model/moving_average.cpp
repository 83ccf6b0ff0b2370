#include "model/moving_average.h"

#include <torch/torch.h>

namespace casp::model {

TrendAndSeason moving_average_parts(const at::Tensor& series, std::int64_t length) {
    const auto side = (length - 1) / 2;
    const auto rows = series.reshape({-1, 1, series.size(-1)});
    const auto end = rows.size(-1) - 1;
    // Not replication_pad1d(): its gradient on a GPU adds in any order.
    const auto padded = at::cat({rows.slice(-1, 0, 1).expand({-1, -1, side}), rows,
                                 rows.slice(-1, end).expand({-1, -1, side})},
                                -1);
    const auto trend = at::avg_pool1d(padded, length, 1).view_as(series);
    return {trend, series - trend};
}

}  // namespace casp::model

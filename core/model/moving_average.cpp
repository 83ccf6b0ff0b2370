#include "model/moving_average.h"

#include <torch/torch.h>

namespace casp::model {

TrendAndSeason moving_average_parts(const at::Tensor& series, std::int64_t length) {
    const auto side = (length - 1) / 2;
    const auto rows = series.reshape({-1, 1, series.size(-1)});
    const auto trend = at::avg_pool1d(at::replication_pad1d(rows, {side, side}), length, 1).view_as(series);
    return {trend, series - trend};
}

}  // namespace casp::model

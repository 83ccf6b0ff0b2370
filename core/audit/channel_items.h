#pragma once
// Arrays whose items are windows of one channel each, as loaders with one channel per item leave them.

#include <stop_token>

#include "audit/foreign_forecasts.h"
#include "data/prepared.h"

namespace casp::audit {

/// Joins the channels of arrays [items, H, 1] in which the windows of one channel follow those of another, or
/// the channels of one window those of another: all of them, or the part of one of several processes (every
/// k-th item, or consecutive ones). Truths show the order; without them it is judged by the number of items.
/// Where the part has no complete windows, windows keep the channels that they have (WindowArray::has()).
/// Sets window_numbers and part of such a part. Throws Cancelled.
void join_channels(ForeignForecasts& forecasts, const data::PreparedData& data,
                   const std::stop_token& stop = {});

}  // namespace casp::audit

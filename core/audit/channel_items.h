#pragma once
// Arrays whose items are windows of one channel each, as loaders with one channel per item leave them.

#include <stop_token>

#include "audit/foreign_forecasts.h"
#include "data/prepared.h"

namespace casp::audit {

/// Joins the channels of arrays [items, H, 1] in which the windows of one channel follow those of another, or
/// the channels of one window those of another; the last items may be missing, with which their windows are
/// left out. Truths show the order; without them the first one is assumed. Sets window_numbers where windows
/// are left out. Throws Cancelled.
void join_channels(ForeignForecasts& forecasts, const data::PreparedData& data,
                   const std::stop_token& stop = {});

}  // namespace casp::audit

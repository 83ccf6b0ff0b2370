#pragma once
// /data of run.h5 from a prepared data set.

#include "data/prepared.h"
#include "store/run_record.h"

namespace casp::store {

/// Channels, scaler and times of the data set of a run.
[[nodiscard]] DataSection data_section(const data::PreparedData& data);

}  // namespace casp::store

#pragma once
// Texts describing the effects of scaler, split and missing-value policy on a file.

#include <QPalette>
#include <QString>

#include "data/table.h"
#include "panels/data/data_review.h"

namespace casp::widgets {

/// One or two sentences: the known data set, or that it is not a known one.
[[nodiscard]] QString describe_origin(const DataReview& review);
/// Borders of training, validation and test as a table (rich text): lines, times, windows.
[[nodiscard]] QString describe_split(const data::Table& table, const DataReview& review,
                                     const QPalette& palette);
/// The scaler's definition and its effect on the channels.
[[nodiscard]] QString describe_scaler(const DataReview& review);
/// Missing cells and sentinels: their number, and how the policy handles them.
[[nodiscard]] QString describe_missing(const DataReview& review);

}  // namespace casp::widgets

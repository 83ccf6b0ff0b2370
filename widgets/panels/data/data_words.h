#pragma once
// Texts describing the effects of scaler, split and missing-value policy on a file.

#include <QPalette>
#include <QString>

#include "data/table.h"
#include "panels/data/data_model.h"
#include "panels/data/data_review.h"

namespace casp::widgets {

/// Size, time axis and name of a table; number, lengths and frequency of series. Empty for a file that was
/// not read.
[[nodiscard]] QString describe_file(const DataFile& file);

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

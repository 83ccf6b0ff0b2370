#pragma once
// What scaler, split and missing-value policy will do with a file, in words and numbers.

#include <QPalette>
#include <QString>

#include "data/table.h"
#include "panels/data/data_review.h"

namespace casp::widgets {

/// One or two sentences: which known data set this is, or that it is none.
[[nodiscard]] QString origin_words(const data::Table& table, const DataReview& review);
/// Borders of training, validation and test as a table (rich text): lines, times, windows.
[[nodiscard]] QString split_words(const data::Table& table, const DataReview& review,
                                  const QPalette& palette);
/// What is subtracted and divided by, and what that does to the file's channels.
[[nodiscard]] QString scaler_words(const DataReview& review);
/// Missing cells and sentinels: how many, what the policy makes of them.
[[nodiscard]] QString missing_words(const DataReview& review);

}  // namespace casp::widgets

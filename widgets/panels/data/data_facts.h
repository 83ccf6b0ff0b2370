#pragma once
// The line of facts about an open file.

#include <QString>

#include "state/data_model.h"

namespace casp::widgets {

/// Size, time axis and name of a table; number, lengths and frequency of series. Empty for a file that was
/// not read.
[[nodiscard]] QString describe_file(const DataFile& file);

}  // namespace casp::widgets

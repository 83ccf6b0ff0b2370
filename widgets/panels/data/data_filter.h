#pragma once
// File dialog filters for data files, from the registry of readers (data/reader.h).

#include <QString>

namespace casp::widgets {

/// "*.tsf *.jsonl *.csv …": the extensions of all readers.
[[nodiscard]] QString data_file_patterns();

/// "Data files (…);;Monash .tsf files (*.tsf);;…;;CSV files (*.csv …);;All files (*)".
[[nodiscard]] QString data_file_filters();

}  // namespace casp::widgets

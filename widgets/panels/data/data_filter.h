#pragma once
// File dialog filters for data files, from the registry of readers (data/reader.h).

#include <QString>

namespace casp::widgets {

/// "*.csv *.tsv *.txt *.dat": the extensions of all readers.
[[nodiscard]] QString data_file_patterns();

/// "CSV files (*.csv …);;All files (*)". With several readers, the first filter is of all data files.
[[nodiscard]] QString data_file_filters();

}  // namespace casp::widgets

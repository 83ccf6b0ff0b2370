#pragma once
// The settings [data.csv] and the options of the CSV reader that they mean.

#include <string>

#include "config/config.h"
#include "data/csv_import.h"

namespace casp::data {

/// How a file is read with these settings.
[[nodiscard]] CsvOptions csv_options(const config::Config::DataCsv& csv);

/// How a run of this configuration reads its CSV file: also with the threads of `run.threads`.
[[nodiscard]] CsvOptions csv_options(const config::Config& config);

/// The value of data.csv.date_format.
[[nodiscard]] std::string date_format_setting(TimeStyle style);

}  // namespace casp::data

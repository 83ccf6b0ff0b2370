#pragma once
// The settings [data.csv] and the options of the CSV reader that they mean.

#include <string>

#include "config/config.h"
#include "data/csv_import.h"

namespace casp::data {

/// How a run of this configuration reads its CSV file; also with the threads of `run.threads`.
[[nodiscard]] CsvOptions csv_options(const config::Config& config);

/// The settings for these options: csv_options() of them reads a file in the same way. Throws an input Error
/// if there are none: a delimiter that the settings do not offer, or a time column called "auto" or "none".
[[nodiscard]] config::Config::DataCsv csv_settings(const CsvOptions& options);

/// The value of data.csv.date_format.
[[nodiscard]] std::string date_format_setting(TimeStyle style);

}  // namespace casp::data

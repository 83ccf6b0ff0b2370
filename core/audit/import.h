#pragma once
// Import: forecasts made by other code become a run of the model "imported". Without LibTorch; any thread.

#include <filesystem>
#include <stop_token>
#include <string>

#include "audit/audited_forecasts.h"
#include "store/results.h"

namespace casp::audit {

struct ImportRequest {
    std::filesystem::path forecasts;  ///< as for read_foreign_forecasts()
    config::Config config;            ///< of settings_of_forecasts(); name and label are set by the import
    std::string name;           ///< of the batch folder, and the label in tables; empty: of the forecasts
    std::filesystem::path out;  ///< the run is written to out/name/
};

struct ImportedRun {
    std::filesystem::path folder;
    store::ResultRow row;
    Audit audit;
};

/// Audits forecasts and writes them as a finished run, whatever the audit finds: config.toml, audit.json,
/// arrays.h5, run.h5, run.json, and the tables of the batch folder.
///
/// /forecast/test holds the windows of the test split that are there, each once and in file order, scaled
/// with the training rows of the data set, with the columns in the order of the file. Their errors are the
/// run's metrics. Forecasts of other windows only are stored likewise, without metrics: they are no test
/// errors. Columns that are missing in the arrays are left out of data.columns.
///
/// An earlier import of the same path is replaced. Throws input Errors, for a folder with another run too, a
/// run Error if files cannot be written, and Cancelled; nothing is changed then.
[[nodiscard]] ImportedRun import_forecasts(const ImportRequest& request, const ProgressFn& progress = {},
                                           const std::stop_token& stop = {});

/// Name of the batch folder for forecasts: that of their folder, or of their file without extension.
[[nodiscard]] std::string import_name(const std::filesystem::path& forecasts);

}  // namespace casp::audit

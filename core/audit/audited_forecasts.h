#pragma once
// Forecasts made by other code, read with the data set that they belong to, and audited.

#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

#include "audit/audit.h"
#include "audit/foreign_forecasts.h"
#include "config/config.h"
#include "data/prepared.h"
#include "util/progress.h"

namespace casp::audit {

/// Settings of forecasts made by other code (model.name = "imported"): `data`, a file or "catalog:NAME", and
/// `sets`, KEY=VALUE with keys data.* and train.seed. Throws an input Error for a wrong value and for a
/// collection of series, which has no windows to look for.
[[nodiscard]] config::Config settings_of_forecasts(const std::string& data, std::vector<std::string> sets);

struct AuditedForecasts {
    ForeignForecasts forecasts;
    config::Config config;    ///< as given, with the horizon of the arrays
    data::PreparedData data;  ///< of config
    Audit audit;
};

/// Reads and audits forecasts. `config`: of settings_of_forecasts(); its data.horizon is the expectation, 0:
/// none.
/// Throws as read_foreign_forecasts(), prepare_data() and audit_forecasts().
[[nodiscard]] AuditedForecasts audit_file(const std::filesystem::path& path, config::Config config,
                                          const ProgressFn& progress = {}, const std::stop_token& stop = {});

}  // namespace casp::audit

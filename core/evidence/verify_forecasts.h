#pragma once
// Recomputation of a run's metrics from the forecasts in arrays.h5. Without LibTorch.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "config/config.h"
#include "data/prepared.h"
#include "evidence/verify.h"
#include "store/run_record.h"

namespace casp::evidence {

/// A run's data on the host, scaled as its forecasts are.
struct VerifiedData {
    data::PreparedData prepared;
    std::vector<float> scaled;                             ///< [rows, M]; empty for a collection
    std::shared_ptr<const data::PreparedData> whole = {};  ///< all channels, of prepare_data()
};

/// Data of runs. Runs of one cell follow one another and share it.
class DataOfRuns {
public:
    /// Null, with the reason in `problem`, if the data file is not found or is not the run's.
    std::shared_ptr<const VerifiedData> find(const config::Config& config, const std::string& sha256,
                                             Phrase& problem, const std::stop_token& stop);

private:
    std::shared_ptr<const VerifiedData> last_;
};

/// Metrics of a split as its forecasts give them.
struct Recomputed {
    store::SplitMetrics metrics;      ///< not_known: not stored
    std::vector<std::int64_t> usage;  ///< [V'] retrievals; empty without stored selections
    double tolerance = 0;             ///< relative, of the metrics
    bool sound = true;                ///< no finding in arrays.h5
};

/// What the recomputation needs besides arrays.h5.
struct ForecastContext {
    std::filesystem::path run;
    bool collection = false;                   ///< of series: float64 in original units
    std::int64_t pool_size = 0;                ///< V'
    std::int64_t lookback = 0;                 ///< L
    std::shared_ptr<const VerifiedData> data;  ///< null: not found
};

/// Recomputes the split and checks the stored errors of windows, and with data the truth, of which the
/// metrics of the persistence forecast follow. Adds findings about arrays.h5. Throws an input Error if it
/// cannot be read, and Cancelled.
[[nodiscard]] Recomputed recompute_split(const ForecastContext& context, const std::string& split,
                                         Verification& result, const std::stop_token& stop);

/// Whether two numbers are equal but for a relative `tolerance`; NaN equals NaN.
[[nodiscard]] bool agree(double a, double b, double tolerance);

}  // namespace casp::evidence

#pragma once
// Scores of a run's test forecasts for a collection of series, beside Naive2's.

#include <filesystem>
#include <string>
#include <vector>

#include "data/series_collection.h"
#include "store/run_record.h"

namespace casp::inspect {

/// Scores of each series and their means. Series without MASE (constant ones) count in no mean of MASE.
struct CollectionScores {
    store::SeriesScores series;
    store::SeriesScores naive2;
    double smape = store::not_known;
    double mase = store::not_known;
    double naive2_smape = store::not_known;
    double naive2_mase = store::not_known;
    double owa = store::not_known;  ///< of the four means, unrounded
};

/// `forecasts`: [series, H] in original units, in the collection's order. Any thread.
[[nodiscard]] CollectionScores score_series(const data::SeriesCollection& collection,
                                            const std::vector<double>& forecasts);

/// Replaces the file by store::submission_csv().
void write_submission(const std::filesystem::path& file, const data::SeriesCollection& collection,
                      const std::vector<double>& forecasts);

}  // namespace casp::inspect

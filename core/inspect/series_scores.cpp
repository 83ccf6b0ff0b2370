#include "inspect/series_scores.h"

#include <span>
#include <stdexcept>

#include "analysis/m4_scores.h"
#include "analysis/naive2.h"
#include "store/atomic_file.h"
#include "store/result_columns.h"

namespace casp::inspect {

namespace {

std::span<const double> row_of(const data::SeriesCollection& collection, const std::vector<double>& forecasts,
                               std::int64_t series) {
    return std::span(forecasts).subspan(static_cast<std::size_t>(series * collection.horizon),
                                        static_cast<std::size_t>(collection.horizon));
}

void require_all(const data::SeriesCollection& collection, const std::vector<double>& forecasts) {
    if (std::ssize(forecasts) != collection.size() * collection.horizon)
        throw std::invalid_argument("forecasts of " + std::to_string(forecasts.size()) + " values for " +
                                    std::to_string(collection.size()) + " series");
}

}  // namespace

CollectionScores score_series(const data::SeriesCollection& collection,
                              const std::vector<double>& forecasts) {
    require_all(collection, forecasts);
    CollectionScores scores;
    const auto season = collection.frequency.season;
    const auto add = [&](store::SeriesScores& to, std::span<const double> forecast, std::int64_t i) {
        to.smape.push_back(analysis::smape(forecast, collection.test_of(i)));
        to.mase.push_back(analysis::mase(forecast, collection.test_of(i), collection.training_of(i), season));
    };
    for (std::int64_t i = 0; i < collection.size(); ++i) {
        add(scores.series, row_of(collection, forecasts, i), i);
        add(scores.naive2, analysis::naive2(collection.training_of(i), season, collection.horizon), i);
    }
    scores.smape = analysis::mean_of_known(scores.series.smape);
    scores.mase = analysis::mean_of_known(scores.series.mase);
    scores.naive2_smape = analysis::mean_of_known(scores.naive2.smape);
    scores.naive2_mase = analysis::mean_of_known(scores.naive2.mase);
    scores.owa = analysis::owa(scores.smape, scores.mase, scores.naive2_smape, scores.naive2_mase);
    return scores;
}

void write_submission(const std::filesystem::path& file, const data::SeriesCollection& collection,
                      const std::vector<double>& forecasts) {
    require_all(collection, forecasts);
    store::write_file_atomically(file, store::submission_csv(collection.ids, collection.horizon, forecasts));
}

}  // namespace casp::inspect

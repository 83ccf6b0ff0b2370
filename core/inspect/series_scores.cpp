#include "inspect/series_scores.h"

#include <algorithm>
#include <span>
#include <stdexcept>

#include "analysis/m4_scores.h"
#include "analysis/naive2.h"
#include "store/atomic_file.h"
#include "store/result_columns.h"

namespace casp::inspect {

namespace {

constexpr std::int64_t submission_columns = 48;  ///< the longest horizon of the competition, Hourly's

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

/// An id as a cell of a CSV.
std::string cell_of(const std::string& id) {
    auto line = store::csv({{id}});
    line.pop_back();
    return line;
}

}  // namespace

CollectionScores score_series(const data::SeriesCollection& collection,
                              const std::vector<double>& forecasts) {
    require_all(collection, forecasts);
    CollectionScores scores;
    const auto season = collection.frequency->season;
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
    const auto columns = std::max(collection.horizon, submission_columns);
    std::string text = "id";
    for (std::int64_t step = 1; step <= columns; ++step) text += ",F" + std::to_string(step);
    text += '\n';
    store::AtomicFile out(file);
    for (std::int64_t i = 0; i < collection.size(); ++i) {
        text += cell_of(collection.ids[static_cast<std::size_t>(i)]);
        for (const double value : row_of(collection, forecasts, i)) text += ',' + store::shortest(value);
        for (auto step = collection.horizon; step < columns; ++step) text += ",NA";
        text += '\n';
        if (text.size() < (std::size_t{1} << 20)) continue;
        out.write(text);
        text.clear();
    }
    out.write(text);
    out.commit();
}

}  // namespace casp::inspect

#include "evidence/batch_series.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "store/result_columns.h"
#include "store/run_file.h"
#include "store/run_folder.h"
#include "util/grouping.h"

namespace casp::evidence {

namespace {

SeriesRun read_series_run(const store::RunFolder& folder) {
    auto record = store::read_run_file(folder.run_file());
    SeriesRun run{std::move(record.attributes.dataset_sha256), std::move(record.data.series), {}};
    if (std::filesystem::exists(folder.arrays_file()))
        run.scores = store::read_series_scores(folder.arrays_file(), "test");
    return run;
}

/// Runs by name, each read once.
using SeriesRuns = std::map<std::string, SeriesRun>;

const SeriesRun& run_of(SeriesRuns& known, const std::filesystem::path& batch_folder,
                        const std::string& run) {
    const auto found = known.find(run);
    if (found != known.end()) return found->second;
    return known.emplace(run, read_series_run(store::RunFolder(batch_folder / run))).first->second;
}

/// Scores of the two sides by seed. Throws an input Error for unreadable runs.
struct SeriesSides {
    std::vector<const SeriesRun*> base, other;
    std::string mismatch;
};

SeriesSides sides_of(const OutcomePairs& paired, const std::filesystem::path& batch_folder,
                     SeriesRuns& runs) {
    SeriesSides sides;
    for (const auto& [of_base, of_other] : paired.pairs) {
        sides.base.push_back(&run_of(runs, batch_folder, of_base->run));
        sides.other.push_back(&run_of(runs, batch_folder, of_other->run));
        for (const auto* run : {sides.base.back(), sides.other.back()})
            if (sides.mismatch.empty()) sides.mismatch = series_mismatch(*sides.base.front(), *run);
    }
    return sides;
}

std::vector<double> mean_over_seeds(const std::vector<const SeriesRun*>& runs,
                                    std::vector<double> store::SeriesScores::*values) {
    std::vector<std::vector<double>> scores;
    for (const auto* run : runs) scores.push_back(run->scores.*values);
    return mean_scores(scores);
}

void add_rows(BatchSeries& all, const OutcomePairs& paired, const SeriesSides& sides,
              const std::string& base) {
    for (const auto& score : series_scores()) {
        SeriesRow row{compare_series(mean_over_seeds(sides.base, score.values),
                                     mean_over_seeds(sides.other, score.values), score.metric),
                      {}};
        row.result.task = paired.task;
        row.result.base = base;
        row.result.other = paired.other;
        for (const auto& pair : paired.pairs) row.seeds.push_back(pair.first->seed);
        all.rows.push_back(std::move(row));
    }
}

/// The tables are written after every run; only the last ones need all scores of all runs.
bool is_pending(const store::ResultRow& row) {
    return row.state == store::RunState::queued || row.state == store::RunState::running;
}

}  // namespace

BatchSeries& BatchSeries::operator+=(BatchSeries other) {
    std::move(other.rows.begin(), other.rows.end(), std::back_inserter(rows));
    for (const auto& remark : other.remarks) add_once(remarks, remark);
    return *this;
}

BatchSeries compare_batch_series(const std::filesystem::path& batch_folder,
                                 const std::vector<store::ResultRow>& rows, const Contrast& contrast) {
    BatchSeries all;
    if (std::none_of(rows.begin(), rows.end(), store::has_scores)) return all;
    if (std::any_of(rows.begin(), rows.end(), is_pending)) {
        all.remarks.emplace_back("Comparisons over series follow when no run is queued or running.");
        return all;
    }
    SeriesRuns runs;
    const auto outcomes = outcomes_of(rows, contrast.key, "test_smape");
    for (const auto& paired : pairs_of(outcomes, contrast.base)) {
        std::string why;
        try {
            const auto sides = sides_of(paired, batch_folder, runs);
            why = sides.mismatch;
            if (why.empty()) add_rows(all, paired, sides, contrast.base);
        } catch (const Error& problem) {
            why = problem.what();
        }
        if (!why.empty())
            all.remarks.push_back(paired.task + ": " + value_text(paired.other) + " and " +
                                  value_text(contrast.base) + " are not compared over series: " + why + ".");
    }
    return all;
}

}  // namespace casp::evidence

#include "evidence/series_comparison.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <iterator>
#include <map>
#include <stdexcept>
#include <utility>

#include "store/result_columns.h"
#include "store/run_file.h"
#include "store/run_folder.h"
#include "util/grouping.h"
#include "util/phrase.h"

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

constexpr std::int64_t max_series_of_all_resamples = 10000;
constexpr std::int64_t fewer_resamples = 1000;

constexpr std::array<SeriesScore, 2> all_scores{{{"test_smape", "sMAPE", &store::SeriesScores::smape},
                                                 {"test_mase", "MASE", &store::SeriesScores::mase}}};

std::string title_of_score(const std::string& metric) {
    for (const auto& score : all_scores)
        if (metric == score.metric) return score.title;
    return metric;
}

std::string improved_text(const Comparison& row) {
    if (row.n == 0) return "–";
    const auto percent = 100 * static_cast<double>(row.improved) / static_cast<double>(row.n);
    return store::digits(percent, std::chars_format::fixed, 1) + " %";
}

Phrase range_text(const Interval& interval) {
    return std::isnan(interval.low)
               ? "–"
               : store::four_digits(interval.low) + " to " + store::four_digits(interval.high);
}

std::string w_text(const SignedRank& test) { return std::isnan(test.w) ? "–" : store::shortest(test.w); }

std::string seeds_of(const SeriesRow& row) {
    std::string text;
    for (const auto seed : row.seeds) text += (text.empty() ? "" : ", ") + std::to_string(seed);
    return text;
}

}  // namespace

std::span<const SeriesScore> series_scores() { return all_scores; }

std::int64_t resamples_over(std::int64_t series) {
    return series > max_series_of_all_resamples ? fewer_resamples : BootstrapSettings().resamples;
}

Phrase series_mismatch(const SeriesRun& base, const SeriesRun& other) {
    for (const auto* run : {&base, &other})
        if (run->scores.smape.empty()) return "scores of its series are not stored (run.store_forecasts)";
    if (base.dataset_sha256 != other.dataset_sha256) return "the data sets differ";
    for (const auto* run : {&base, &other})
        if (run->ids != base.ids || run->ids.size() != run->scores.smape.size() ||
            run->ids.size() != run->scores.mase.size())
            return "the series differ";
    return {};
}

Comparison compare_series(std::span<const double> base, std::span<const double> other,
                          const std::string& metric) {
    if (base.size() != other.size())
        throw std::invalid_argument("compare_series: " + std::to_string(base.size()) + " and " +
                                    std::to_string(other.size()) + " series");
    std::vector<double> of_base, of_other;
    for (std::size_t i = 0; i < base.size(); ++i) {
        if (!std::isfinite(base[i]) || !std::isfinite(other[i])) continue;
        of_base.push_back(base[i]);
        of_other.push_back(other[i]);
    }
    BootstrapSettings settings;
    settings.resamples = resamples_over(std::ssize(of_base));
    auto row = compare_values(of_base, of_other, settings);
    row.metric = metric;
    row.over_series = true;
    row.differences.clear();
    return row;
}

std::vector<double> mean_scores(const std::vector<std::vector<double>>& runs) {
    std::vector<double> means(runs.empty() ? 0 : runs.front().size(), 0);
    for (const auto& run : runs)
        for (std::size_t i = 0; i < means.size(); ++i) means[i] += run[i] / static_cast<double>(runs.size());
    return means;
}

std::string series_markdown(const std::vector<SeriesRow>& rows, const std::vector<Phrase>& remarks) {
    if (rows.empty() && remarks.empty()) return {};
    std::string text = "\n## Over series\n";
    if (!rows.empty()) {
        std::vector<std::vector<std::string>> lines{{"task", "score", "base", "other", "seeds", "series",
                                                     "improved", "mean of base", "mean of other", "Δ", "Δ %",
                                                     "95 % interval of Δ", "W", "p", "in words"}};
        std::vector<bool> right(lines[0].size(), true);
        for (const std::size_t left : {0, 1, 2, 3, 4, 14}) right[left] = false;
        for (const auto& row : rows) {
            const auto& r = row.result;
            lines.push_back({r.task, title_of_score(r.metric), value_text(r.base), value_text(r.other),
                             seeds_of(row), std::to_string(r.n), improved_text(r),
                             store::four_digits(r.mean_base), store::four_digits(r.mean_other),
                             store::four_digits(r.delta), percent_text(r.delta_percent),
                             range_text(r.interval), w_text(r.test), p_text(r.test.p), verdict(r)});
        }
        text += Phrase(
            "\n%1\nΔ: mean of other − base over the series of a collection that have the score in both; with "
            "several seeds, each series' score is its mean over them. Improved: series in which other is "
            "lower. Interval: 95 % paired bootstrap of Δ over the series (10,000 resamples, above 10,000 "
            "series 1,000; seed %2). W, p: two-sided Wilcoxon signed-rank test, normal approximation above "
            "50 series, not corrected for the number of tests.\n\nA test over series asks whether these "
            "trained models differ on such series; it says nothing about other seeds. A test over seeds asks "
            "whether training again gives the same difference.\n",
            store::markdown(lines, right), BootstrapSettings().seed);
    }
    for (const auto& remark : remarks) text += "\n" + remark + "\n";
    return text;
}

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
        Phrase why;
        try {
            const auto sides = sides_of(paired, batch_folder, runs);
            why = sides.mismatch;
            if (why.empty()) add_rows(all, paired, sides, contrast.base);
        } catch (const Error& problem) {
            why = phrase_of(problem);
        }
        if (!why.empty())
            all.remarks.push_back(Phrase("%1: %2 and %3 are not compared over series: %4.", paired.task,
                                         value_text(paired.other), value_text(contrast.base), why));
    }
    return all;
}

}  // namespace casp::evidence

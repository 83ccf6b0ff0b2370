#include "evidence/periods.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "data/describe.h"
#include "store/result_columns.h"

namespace casp::evidence {

namespace {

/// From simulations of windows that overlap.
constexpr double error_correction = 1.5, interval_correction = 2.5;

/// Newey and West's variance of the mean with a bandwidth of n: Ω/n = 2/n³ ΣS², S the sums of the deviations
/// of the first 1, 2, …, n values.
double variance_of_mean(std::span<const double> values, double mean) {
    double sum = 0, squares = 0;
    for (const double value : values) {
        sum += value - mean;
        squares += sum * sum;
    }
    const auto n = static_cast<double>(values.size());
    return 2 * squares / (n * n * n);
}

}  // namespace

std::int64_t overlap_of(std::span<const std::int64_t> rows, std::int64_t horizon) {
    std::size_t first = 0, most = 0;
    for (std::size_t last = 0; last < rows.size(); ++last) {
        while (rows[last] - rows[first] >= horizon) ++first;
        most = std::max(most, last + 1 - first);
    }
    return static_cast<std::int64_t>(most);
}

double fixed_b_p(double t) {
    if (std::isnan(t)) return t;
    // The trapezoidal rule is exact to all digits: the integrand is even and analytic around the real line.
    constexpr double step = 0.125;
    double sum = 0;
    for (int i = 0; i < 320; ++i) {
        const double cosh = std::cosh(i * step), x = std::numbers::sqrt2 * std::abs(t) * cosh;
        if (x > 700) break;  // sinh overflows; the rest is zero
        const double factor = x > 0 ? std::sqrt(x / std::sinh(x)) : 1;
        sum += (i == 0 ? 0.5 : 1) * factor / cosh;
    }
    return std::min(1.0, 2 / std::numbers::pi * step * sum);
}

PeriodTest test_periods(std::span<const double> differences, std::int64_t overlap) {
    PeriodTest test;
    test.windows = std::ssize(differences);
    if (test.windows == 0) {
        test.why = "the runs have no test window in common";
        return test;
    }
    const auto n = static_cast<double>(test.windows), shared = static_cast<double>(overlap);
    test.delta = std::accumulate(differences.begin(), differences.end(), 0.0) / n;
    if (test.windows < fewest_periods * overlap) {
        test.why = Phrase("%1 windows, of which %2 overlap, are %3 independent periods, fewer than %4",
                          data::with_commas(test.windows), overlap,
                          store::digits(n / shared, std::chars_format::fixed, 1), fewest_periods);
        return test;
    }
    if (std::all_of(differences.begin(), differences.end(), [&](double d) { return d == differences[0]; })) {
        test.why = "the difference is the same in all windows";
        return test;
    }
    test.error = std::sqrt(variance_of_mean(differences, test.delta)) / (1 - error_correction * shared / n);
    test.dm = test.delta / test.error;
    test.p = fixed_b_p(test.dm);
    // Long enough for dependence beyond the horizon, and never fewer than fewest_periods.
    const auto root = static_cast<std::int64_t>(std::ceil(std::sqrt(n)));
    const auto length = std::max(overlap, std::min(root, test.windows / fewest_periods));
    const auto block = static_cast<double>(length);
    const double wider =
        1 / std::sqrt(1 - (shared - 1 / shared) / (3 * block)) / (1 - interval_correction * block / n);
    const auto narrow = bootstrap_interval(differences, {.block = length});
    test.blocks = {test.delta + wider * (narrow.low - test.delta),
                   test.delta + wider * (narrow.high - test.delta)};
    return test;
}

PeriodTest pooled_periods(const std::vector<std::vector<const PeriodTest*>>& cells) {
    PeriodTest sum{.mean_base = 0, .delta = 0, .error = 0, .blocks = {0, 0}};
    for (const auto& tasks : cells) {
        const auto tested = std::count_if(tasks.begin(), tasks.end(),
                                          [](const PeriodTest* test) { return std::isfinite(test->p); });
        if (tested == 0) continue;
        ++sum.cells;
        for (const auto* test : tasks) {
            if (!std::isfinite(test->p)) continue;
            const auto share = 1 / static_cast<double>(tested);
            sum.windows += test->windows;
            sum.mean_base += share * test->mean_base;
            sum.delta += share * test->delta;
            sum.error += share * test->error;
            sum.blocks.low += share * test->blocks.low;
            sum.blocks.high += share * test->blocks.high;
        }
    }
    if (sum.cells == 0) return {.why = "no task has one"};
    for (auto* value : {&sum.mean_base, &sum.delta, &sum.error, &sum.blocks.low, &sum.blocks.high})
        *value /= static_cast<double>(sum.cells);
    sum.dm = sum.delta / sum.error;
    sum.p = fixed_b_p(sum.dm);
    return sum;
}

}  // namespace casp::evidence

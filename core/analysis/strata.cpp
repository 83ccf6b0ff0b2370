#include "analysis/strata.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>

#include "analysis/selection.h"
#include "util/error.h"

namespace casp::analysis {

namespace {

std::size_t rows_of(const StrataInput& input) { return input.start.size() * input.channels.size(); }

void check(const StrataInput& input) {
    const auto rows = rows_of(input);
    const auto fits = [&](std::size_t size) { return size == 0 || size == rows; };
    if (input.residual.size() != rows || !fits(input.mse.size()) || !fits(input.mae.size()) ||
        input.top_k < 0 ||
        (!input.selected.empty() && input.selected.size() != rows * static_cast<std::size_t>(input.top_k)))
        throw std::invalid_argument("strata: sizes do not fit together");
    for (const auto anchor : input.selected)
        if (anchor < 0 || anchor >= input.pool_size)
            throw std::invalid_argument("strata: a selected anchor is not in the pool");
}

/// Mean over the channels of window `window` of values [n·m].
double window_mean(std::span<const float> values, std::size_t window, std::size_t channels) {
    double sum = 0;
    for (std::size_t c = 0; c < channels; ++c) sum += static_cast<double>(values[window * channels + c]);
    return sum / static_cast<double>(channels);
}

double mean_over(std::span<const float> values, const std::vector<std::int64_t>& windows,
                 std::size_t channels) {
    if (values.empty() || windows.empty()) return store::not_known;
    double sum = 0;
    for (const auto w : windows) sum += window_mean(values, static_cast<std::size_t>(w), channels);
    return sum / static_cast<double>(windows.size());
}

std::vector<std::int64_t> usage_of(const StrataInput& input, const std::vector<std::int64_t>& windows) {
    if (input.selected.empty()) return {};
    std::vector<std::int64_t> counts(static_cast<std::size_t>(input.pool_size), 0);
    const auto per_window = input.channels.size() * static_cast<std::size_t>(input.top_k);
    for (const auto w : windows)
        for (const auto anchor : input.selected.subspan(static_cast<std::size_t>(w) * per_window, per_window))
            ++counts[static_cast<std::size_t>(anchor)];
    return counts;
}

Stratum make_stratum(const StrataInput& input, const std::vector<double>& difficulty,
                     std::vector<std::int64_t> windows) {
    Stratum s;
    s.lowest = s.highest = difficulty[static_cast<std::size_t>(windows.front())];
    for (const auto w : windows) {
        const double d = difficulty[static_cast<std::size_t>(w)];
        s.lowest = std::min(s.lowest, d);
        s.highest = std::max(s.highest, d);
        s.difficulty += d / static_cast<double>(windows.size());
    }
    s.mse = mean_over(input.mse, windows, input.channels.size());
    s.mae = mean_over(input.mae, windows, input.channels.size());
    s.usage = usage_of(input, windows);
    s.summary = summarise_usage(s.usage);
    s.windows = std::move(windows);
    return s;
}

StrataDifference difference_over(const StrataInput& a, const StrataInput& b,
                                 const std::vector<std::int64_t>& windows) {
    StrataDifference d;
    const auto channels = a.channels.size();
    d.windows = static_cast<std::int64_t>(windows.size());
    d.mse_a = mean_over(a.mse, windows, channels);
    d.mse_b = mean_over(b.mse, windows, channels);
    d.mae_a = mean_over(a.mae, windows, channels);
    d.mae_b = mean_over(b.mae, windows, channels);
    const auto n = static_cast<double>(windows.size());
    std::vector<double> each;
    each.reserve(windows.size());
    double sum = 0, better = 0;
    for (const auto w : windows) {
        const auto i = static_cast<std::size_t>(w);
        const double difference = window_mean(b.mse, i, channels) - window_mean(a.mse, i, channels);
        each.push_back(difference);
        sum += difference;
        better += difference < 0 ? 1 : 0;
    }
    d.difference = sum / n;
    d.relative = d.difference / d.mse_a;
    d.improved = better / n;
    if (windows.size() > 1) {
        double squares = 0;
        for (const double value : each) squares += (value - d.difference) * (value - d.difference);
        d.standard_error = std::sqrt(squares / (n - 1) / n);
    }
    const auto usage_a = usage_of(a, windows), usage_b = usage_of(b, windows);
    if (!usage_a.empty() && !usage_b.empty())
        d.jaccard = jaccard(selected_set(usage_a), selected_set(usage_b));
    d.entropy_a = usage_entropy(usage_a);
    d.entropy_b = usage_entropy(usage_b);
    return d;
}

void check_same_windows(const StrataInput& a, const StrataInput& b) {
    const auto advice = "Ask both runs for the same split, windows and channels.";
    if (!std::equal(a.channels.begin(), a.channels.end(), b.channels.begin(), b.channels.end()))
        throw input_error("difference of two runs",
                          "they are of different channels (" + std::to_string(a.channels.size()) + " and " +
                              std::to_string(b.channels.size()) + ")",
                          {}, advice);
    if (a.start.size() != b.start.size())
        throw input_error("difference of two runs",
                          "one has " + std::to_string(a.start.size()) + " windows, the other " +
                              std::to_string(b.start.size()),
                          "the same windows", advice);
    const auto [x, y] = std::mismatch(a.start.begin(), a.start.end(), b.start.begin());
    if (x != a.start.end())
        throw input_error("difference of two runs",
                          "window " + std::to_string(x - a.start.begin()) + " begins at row " +
                              std::to_string(*x) + " in one and at row " + std::to_string(*y) +
                              " in the other",
                          "the same windows", advice);
    if (a.mse.empty() || b.mse.empty() || a.start.empty())
        throw input_error("difference of two runs", "there are no errors to compare", {},
                          "Ask for the errors of both runs.");
}

}  // namespace

Strata strata_of(const StrataInput& input, std::int64_t count) {
    check(input);
    const auto n = static_cast<std::int64_t>(input.start.size());
    if (count < 1) throw std::invalid_argument("strata: none were asked for");
    if (n < count || input.channels.empty())
        throw input_error("difficulty strata", "there are " + std::to_string(n) + " windows",
                          "at least " + std::to_string(count), "Ask for more windows.");
    Strata result;
    for (std::size_t w = 0; w < input.start.size(); ++w) {
        result.difficulty.push_back(window_mean(input.residual, w, input.channels.size()));
        if (!std::isfinite(result.difficulty.back()))
            throw input_error("difficulty strata",
                              "the residual of window " + std::to_string(w) + " is not finite");
    }
    std::vector<std::int64_t> order(static_cast<std::size_t>(n));
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](std::int64_t x, std::int64_t y) {
        return result.difficulty[static_cast<std::size_t>(x)] <
               result.difficulty[static_cast<std::size_t>(y)];
    });
    result.stratum_of.resize(static_cast<std::size_t>(n));
    for (std::int64_t i = 0; i < count; ++i) {
        std::vector<std::int64_t> windows(order.begin() + i * n / count, order.begin() + (i + 1) * n / count);
        std::sort(windows.begin(), windows.end());
        for (const auto w : windows)
            result.stratum_of[static_cast<std::size_t>(w)] = static_cast<std::int32_t>(i);
        result.strata.push_back(make_stratum(input, result.difficulty, std::move(windows)));
        result.edges.push_back(result.strata.back().lowest);
    }
    result.edges.push_back(result.strata.back().highest);
    return result;
}

PairedStrata compare_strata(const StrataInput& a, const StrataInput& b, std::int64_t count) {
    check_same_windows(a, b);
    check(b);
    PairedStrata result;
    result.strata = strata_of(a, count);
    std::vector<std::int64_t> all(a.start.size()), easiest;
    std::iota(all.begin(), all.end(), 0);
    const auto easy = std::max<std::int64_t>(1, count * 3 / 10);
    for (std::size_t i = 0; i < result.strata.strata.size(); ++i) {
        const auto& windows = result.strata.strata[i].windows;
        result.difference.push_back(difference_over(a, b, windows));
        if (std::cmp_less(i, easy)) easiest.insert(easiest.end(), windows.begin(), windows.end());
    }
    result.all = difference_over(a, b, all);
    result.easiest = difference_over(a, b, easiest);
    result.hardest = result.difference.back();
    return result;
}

}  // namespace casp::analysis

#include "analysis/strata.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>

#include "analysis/rows_read.h"
#include "util/error.h"

namespace casp::analysis {

namespace {

std::size_t rows_of(const StrataInput& input) { return input.start.size() * input.channels.size(); }

/// Iterates over windows with all their channels, in parts, with progress and cancellation.
class Passes {
public:
    /// `windows`: number in all passes together.
    Passes(Stage stage, std::size_t windows, std::size_t channels, const std::stop_token& stop,
           const ProgressFn& progress)
        : read_(stage, static_cast<std::int64_t>(windows * channels), progress),
          stop_(stop),
          channels_(static_cast<std::int64_t>(std::max<std::size_t>(1, channels))) {}

    /// Calls each(i) for 0 … count − 1.
    template <class Each>
    void over(std::size_t count, Each each) {
        const auto part = std::max<std::int64_t>(1, rows_at_once / channels_) * channels_;
        in_parts(static_cast<std::int64_t>(count) * channels_, part, read_, stop_,
                 [&](std::int64_t first, std::int64_t last) {
                     for (auto i = first / channels_; i < last / channels_; ++i)
                         each(static_cast<std::size_t>(i));
                 });
    }

private:
    static constexpr std::int64_t rows_at_once = 65536;
    RowsRead read_;
    const std::stop_token& stop_;
    std::int64_t channels_;
};

/// Number of passes of cut() over the windows.
std::size_t passes_of(const StrataInput& input) {
    return 1 + (input.mse.empty() ? 0U : 1U) + (input.mae.empty() ? 0U : 1U) +
           (input.retrieved.empty() ? 0U : 2U);
}

std::span<const std::int32_t> selected_by(const StrataInput& input, std::size_t window) {
    const auto per_window = input.channels.size() * static_cast<std::size_t>(input.top_k);
    return input.retrieved.subspan(window * per_window, per_window);
}

void check_strata(const StrataInput& input, Passes& passes) {
    const auto rows = rows_of(input);
    const auto fits = [&](std::size_t size) { return size == 0 || size == rows; };
    const bool labelled =
        !input.label.empty() ? input.label.size() == input.start.size() : input.residual.size() == rows;
    if (!labelled || !fits(input.mse.size()) || !fits(input.mae.size()) || input.top_k < 0 ||
        (!input.retrieved.empty() && input.retrieved.size() != rows * static_cast<std::size_t>(input.top_k)))
        throw std::invalid_argument("strata: inconsistent sizes");
    passes.over(input.retrieved.empty() ? 0 : input.start.size(), [&](std::size_t window) {
        for (const auto anchor : selected_by(input, window))
            if (anchor < 0 || anchor >= input.pool_size)
                throw std::invalid_argument("strata: a retrieved anchor is not in the pool");
    });
}

/// Mean over the channels of window `window` of values [n·m].
double window_mean(std::span<const float> values, std::size_t window, std::size_t channels) {
    double sum = 0;
    for (std::size_t c = 0; c < channels; ++c) sum += static_cast<double>(values[window * channels + c]);
    return sum / static_cast<double>(channels);
}

double mean_over(std::span<const float> values, const std::vector<std::int64_t>& windows,
                 std::size_t channels, Passes& passes) {
    if (values.empty() || windows.empty()) return store::not_known;
    double sum = 0;
    passes.over(windows.size(), [&](std::size_t i) {
        sum += window_mean(values, static_cast<std::size_t>(windows[i]), channels);
    });
    return sum / static_cast<double>(windows.size());
}

std::vector<std::int64_t> usage_of(const StrataInput& input, const std::vector<std::int64_t>& windows,
                                   Passes& passes) {
    if (input.retrieved.empty()) return {};
    std::vector<std::int64_t> counts(static_cast<std::size_t>(input.pool_size), 0);
    passes.over(windows.size(), [&](std::size_t i) {
        for (const auto anchor : selected_by(input, static_cast<std::size_t>(windows[i])))
            ++counts[static_cast<std::size_t>(anchor)];
    });
    return counts;
}

Stratum make_stratum(const StrataInput& input, const std::vector<double>& difficulty,
                     std::vector<std::int64_t> windows, Passes& passes) {
    Stratum s;
    s.lowest = s.highest = difficulty[static_cast<std::size_t>(windows.front())];
    for (const auto w : windows) {
        const double d = difficulty[static_cast<std::size_t>(w)];
        s.lowest = std::min(s.lowest, d);
        s.highest = std::max(s.highest, d);
        s.difficulty += d / static_cast<double>(windows.size());
    }
    s.mse = mean_over(input.mse, windows, input.channels.size(), passes);
    s.mae = mean_over(input.mae, windows, input.channels.size(), passes);
    s.usage = usage_of(input, windows, passes);
    s.summary = summarise_usage(s.usage);
    s.windows = std::move(windows);
    return s;
}

/// Number of passes of difference_over() over its windows.
std::size_t passes_of(const StrataInput& a, const StrataInput& b) {
    const auto present = [](const auto& values) { return values.empty() ? std::size_t{0} : std::size_t{1}; };
    return 1 + present(a.mse) + present(b.mse) + present(a.mae) + present(b.mae) + present(a.retrieved) +
           present(b.retrieved);
}

StrataDifference difference_over(const StrataInput& a, const StrataInput& b,
                                 const std::vector<std::int64_t>& windows, Passes& passes) {
    StrataDifference d;
    const auto channels = a.channels.size();
    d.windows = static_cast<std::int64_t>(windows.size());
    d.mse_a = mean_over(a.mse, windows, channels, passes);
    d.mse_b = mean_over(b.mse, windows, channels, passes);
    d.mae_a = mean_over(a.mae, windows, channels, passes);
    d.mae_b = mean_over(b.mae, windows, channels, passes);
    const auto n = static_cast<double>(windows.size());
    std::vector<double> each;
    each.reserve(windows.size());
    double sum = 0, better = 0;
    passes.over(windows.size(), [&](std::size_t i) {
        const auto w = static_cast<std::size_t>(windows[i]);
        const double difference = window_mean(b.mse, w, channels) - window_mean(a.mse, w, channels);
        each.push_back(difference);
        sum += difference;
        better += difference < 0 ? 1 : 0;
    });
    d.difference = sum / n;
    d.relative = d.difference / d.mse_a;
    d.improved = better / n;
    if (windows.size() > 1) {
        double squares = 0;
        for (const double value : each) squares += (value - d.difference) * (value - d.difference);
        d.standard_error = std::sqrt(squares / (n - 1) / n);
    }
    const auto usage_a = usage_of(a, windows, passes), usage_b = usage_of(b, windows, passes);
    if (!usage_a.empty() && !usage_b.empty())
        d.jaccard = jaccard(retrieved_set(usage_a), retrieved_set(usage_b));
    d.entropy_a = usage_entropy(usage_a);
    d.entropy_b = usage_entropy(usage_b);
    return d;
}

void check_same_windows(const StrataInput& a, const StrataInput& b) {
    const auto advice = "Request the same split, windows and channels for both runs.";
    if (!std::equal(a.channels.begin(), a.channels.end(), b.channels.begin(), b.channels.end()))
        throw input_error("difference of two runs",
                          Phrase("their channels differ (%1 and %2)", a.channels.size(), b.channels.size()),
                          {}, advice);
    if (a.start.size() != b.start.size())
        throw input_error("difference of two runs",
                          Phrase("one has %1 windows, the other %2", a.start.size(), b.start.size()),
                          "the same windows", advice);
    const auto [x, y] = std::mismatch(a.start.begin(), a.start.end(), b.start.begin());
    if (x != a.start.end())
        throw input_error("difference of two runs",
                          Phrase("window %1 begins at row %2 in one and at row %3 in the other",
                                 x - a.start.begin(), *x, *y),
                          "the same windows", advice);
    if (a.mse.empty() || b.mse.empty() || a.start.empty())
        throw input_error("difference of two runs", "there are no errors to compare", {},
                          "Request the errors of both runs.");
}

/// Number of strata of `input` where `count` are requested.
std::int64_t number_of_strata(const StrataInput& input, std::int64_t count) {
    return input.above_zero ? 2 : count;
}

/// Windows in ascending difficulty, of equal ones in the order of the input.
std::vector<std::int64_t> ranked(const std::vector<double>& difficulty) {
    std::vector<std::int64_t> order(difficulty.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](std::int64_t x, std::int64_t y) {
        return difficulty[static_cast<std::size_t>(x)] < difficulty[static_cast<std::size_t>(y)];
    });
    return order;
}

/// Ranks at which each of `count` strata begins, and the number of windows.
std::vector<std::int64_t> first_ranks(const StrataInput& input, const std::vector<double>& difficulty,
                                      std::int64_t count) {
    const auto n = std::ssize(difficulty);
    const auto one_group = [n](const std::string& group) {
        return input_error("strata", Phrase("all %1 windows have %2", n, group), "two groups",
                           "Choose another label, or for trend changes another penalty.");
    };
    if (input.above_zero) {
        const auto zero =
            std::count_if(difficulty.begin(), difficulty.end(), [](double d) { return d <= 0; });
        if (zero == 0) throw one_group("a label above zero");
        if (zero == n) throw one_group("the label zero");
        return {0, zero, n};
    }
    const auto [lowest, highest] = std::minmax_element(difficulty.begin(), difficulty.end());
    if (!input.label.empty() && *lowest == *highest) throw one_group("the same label");
    std::vector<std::int64_t> ranks;
    for (std::int64_t i = 0; i <= count; ++i) ranks.push_back(i * n / count);
    return ranks;
}

Strata cut(const StrataInput& input, std::int64_t count, Passes& passes) {
    check_strata(input, passes);
    const auto n = static_cast<std::int64_t>(input.start.size());
    if (count < 1) throw std::invalid_argument("strata: no strata requested");
    if (n < count || input.channels.empty())
        throw input_error("difficulty strata", Phrase("there are %1 windows", n),
                          Phrase("at least %1", count), "Request more windows.");
    Strata result;
    passes.over(input.start.size(), [&](std::size_t w) {
        result.difficulty.push_back(
            input.label.empty() ? window_mean(input.residual, w, input.channels.size()) : input.label[w]);
        if (!std::isfinite(result.difficulty.back()))
            throw input_error("difficulty strata", input.label.empty()
                                                       ? Phrase("the residual of window %1 is not finite", w)
                                                       : Phrase("the label of window %1 is not finite", w));
    });
    const auto order = ranked(result.difficulty);
    const auto ranks = first_ranks(input, result.difficulty, count);
    result.stratum_of.resize(static_cast<std::size_t>(n));
    for (std::size_t i = 0; i + 1 < ranks.size(); ++i) {
        std::vector<std::int64_t> windows(order.begin() + ranks[i], order.begin() + ranks[i + 1]);
        std::sort(windows.begin(), windows.end());
        for (const auto w : windows)
            result.stratum_of[static_cast<std::size_t>(w)] = static_cast<std::int32_t>(i);
        result.strata.push_back(make_stratum(input, result.difficulty, std::move(windows), passes));
        result.edges.push_back(result.strata.back().lowest);
    }
    result.edges.push_back(result.strata.back().highest);
    return result;
}

}  // namespace

Strata strata_of(const StrataInput& input, std::int64_t count, const std::stop_token& stop,
                 const ProgressFn& progress) {
    Passes passes(Stage::difficulty_strata, passes_of(input) * input.start.size(), input.channels.size(),
                  stop, progress);
    return cut(input, number_of_strata(input, count), passes);
}

PairedStrata compare_strata(const StrataInput& a, const StrataInput& b, std::int64_t count,
                            const std::stop_token& stop, const ProgressFn& progress) {
    check_same_windows(a, b);
    const auto number = number_of_strata(a, count);
    if (number < 1) throw std::invalid_argument("strata: no strata requested");
    const auto n = a.start.size();
    const auto easy = std::max<std::int64_t>(1, number * 3 / 10);
    // One stratum is not read again.
    const auto easy_windows =
        easy == 1 ? 0 : static_cast<std::size_t>(easy) * n / static_cast<std::size_t>(number);
    const auto checked = b.retrieved.empty() ? 0 : n;
    const auto to_read = checked + passes_of(a) * n + passes_of(a, b) * (2 * n + easy_windows);
    Passes passes(Stage::comparing_strata, to_read, a.channels.size(), stop, progress);
    check_strata(b, passes);
    PairedStrata result;
    result.strata = cut(a, number, passes);
    std::vector<std::int64_t> all(n), easiest;
    std::iota(all.begin(), all.end(), 0);
    for (std::size_t i = 0; i < result.strata.strata.size(); ++i) {
        const auto& windows = result.strata.strata[i].windows;
        result.difference.push_back(difference_over(a, b, windows, passes));
        if (std::cmp_less(i, easy)) easiest.insert(easiest.end(), windows.begin(), windows.end());
    }
    result.all = difference_over(a, b, all, passes);
    result.easiest = easy == 1 ? result.difference.front() : difference_over(a, b, easiest, passes);
    result.hardest = result.difference.back();
    return result;
}

}  // namespace casp::analysis

#include "evidence/paired.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>
#include <numeric>
#include <stdexcept>

#include "util/mix.h"

namespace casp::evidence {

namespace {

PooledChange pooled_change(const std::vector<double>& changes) {
    PooledChange pooled;
    pooled.improved = std::count_if(changes.begin(), changes.end(), [](double c) { return c < 0; });
    if (!changes.empty())
        pooled.percent =
            std::accumulate(changes.begin(), changes.end(), 0.0) / static_cast<double>(changes.size());
    pooled.test = signed_rank(changes);
    return pooled;
}

constexpr double continuity_correction = 0.5;
constexpr std::int64_t longest_exact = 50;  // counts stay exact in 64 bits, and below 2^53 for a double

struct Ranks {
    std::int64_t n = 0;  ///< non-zero differences
    double plus = 0;     ///< W+
    double tied = 0;     ///< Σ(t³ − t)
    [[nodiscard]] double total() const { return static_cast<double>(n * (n + 1)) / 2; }
};

Ranks rank_sums(std::span<const double> differences) {
    std::vector<double> sorted;
    for (const double d : differences)
        if (d != 0) sorted.push_back(d);
    std::sort(sorted.begin(), sorted.end(), [](double a, double b) { return std::abs(a) < std::abs(b); });
    Ranks ranks;
    ranks.n = static_cast<std::int64_t>(sorted.size());
    for (std::size_t first = 0, last = 0; first < sorted.size(); first = last) {
        while (last < sorted.size() && std::abs(sorted[last]) == std::abs(sorted[first])) ++last;
        const double mean_rank = static_cast<double>(first + 1 + last) / 2;
        const auto ties = static_cast<double>(last - first);
        ranks.tied += ties * ties * ties - ties;
        for (auto i = first; i < last; ++i)
            if (sorted[i] > 0) ranks.plus += mean_rank;
    }
    return ranks;
}

/// P(W ≤ w) over all signs: the subsets of {1, …, n} with a sum of at most w, counted rank by rank.
double probability_up_to(std::int64_t n, std::int64_t w) {
    std::vector<std::uint64_t> subsets(static_cast<std::size_t>(w) + 1, 0);
    subsets[0] = 1;
    for (std::int64_t rank = 1; rank <= std::min(n, w); ++rank)
        for (auto sum = w; sum >= rank; --sum)
            subsets[static_cast<std::size_t>(sum)] += subsets[static_cast<std::size_t>(sum - rank)];
    const auto count = std::accumulate(subsets.begin(), subsets.end(), std::uint64_t{0});
    return std::ldexp(static_cast<double>(count), static_cast<int>(-n));
}

double approximate_p(const Ranks& ranks, double correction) {
    const auto n = static_cast<double>(ranks.n);
    const double variance = n * (n + 1) * (2 * n + 1) / 24 - ranks.tied / 48;
    const double distance = std::abs(ranks.plus - ranks.total() / 2);
    if (distance == 0) return 1;
    return std::erfc(std::abs(distance - correction) / std::sqrt(variance) / std::numbers::sqrt2);
}

/// The z with P(Z ≤ z) = p, for p in (0, 1).
double normal_quantile(double p) {
    double low = -40, high = 40;
    for (int i = 0; i < 100; ++i) {
        const double middle = (low + high) / 2;
        (std::erfc(middle / std::numbers::sqrt2) / 2 > 1 - p ? low : high) = middle;
    }
    return low;
}

/// Linear interpolation between the neighbours of rank q·(n − 1).
double quantile_of_sorted(const std::vector<double>& sorted, double q) {
    const double rank = q * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(rank);
    const auto above = std::min(below + 1, sorted.size() - 1);
    return sorted[below] + (rank - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

}  // namespace

SignedRank signed_rank(std::span<const double> differences) {
    if (!std::all_of(differences.begin(), differences.end(), [](double d) { return std::isfinite(d); }))
        throw std::invalid_argument("signed_rank: a difference is not finite");
    const auto ranks = rank_sums(differences);
    SignedRank test;
    test.pairs = static_cast<std::int64_t>(differences.size());
    test.zeros = test.pairs - ranks.n;
    if (ranks.n == 0) return test;
    test.w_plus = ranks.plus;
    test.w = std::min(ranks.plus, ranks.total() - ranks.plus);
    test.exact = test.zeros == 0 && ranks.tied == 0 && ranks.n <= longest_exact;
    test.p = test.exact ? std::min(1.0, 2 * probability_up_to(ranks.n, static_cast<std::int64_t>(test.w)))
                        : approximate_p(ranks, continuity_correction);
    if (!test.exact) test.p_uncorrected = approximate_p(ranks, 0);
    return test;
}

double smallest_p(std::int64_t pairs) {
    return pairs <= 1 ? 1 : std::pow(2.0, static_cast<double>(1 - pairs));
}

std::int64_t fewest_pairs(double alpha) {
    std::int64_t pairs = 1;
    while (smallest_p(pairs) >= alpha) ++pairs;
    return pairs;
}

std::vector<double> holm(std::span<const double> p) {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < p.size(); ++i)
        if (!std::isnan(p[i])) order.push_back(i);
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return p[a] < p[b]; });
    std::vector<double> adjusted(p.begin(), p.end());
    double largest = 0;
    for (std::size_t rank = 0; rank < order.size(); ++rank) {
        const auto hypotheses_left = static_cast<double>(order.size() - rank);
        largest = std::max(largest, std::min(1.0, hypotheses_left * p[order[rank]]));
        adjusted[order[rank]] = largest;
    }
    return adjusted;
}

Interval bootstrap_interval(std::span<const double> differences, const BootstrapSettings& settings) {
    if (!(settings.level > 0 && settings.level < 1) || settings.resamples < 1)
        throw std::invalid_argument("bootstrap_interval: level or resamples out of range");
    const auto n = static_cast<std::uint64_t>(differences.size());
    if (n < 2) return {};
    if (settings.block < 1 || settings.block > std::ssize(differences))
        throw std::invalid_argument("bootstrap_interval: blocks out of range");
    const auto block = static_cast<std::uint64_t>(settings.block);
    std::vector<double> sums{0};  // of the first 0, 1, …, n differences
    if (block > 1) std::partial_sum(differences.begin(), differences.end(), std::back_inserter(sums));
    std::vector<double> means(static_cast<std::size_t>(settings.resamples));
    std::uint64_t state = mix64(settings.seed + 1);
    for (auto& mean : means) {
        double sum = 0;
        for (std::uint64_t i = 0; i < n; i += block) {
            state += 0x9e3779b97f4a7c15ULL;  // SplitMix64
            const auto length = std::min(block, n - i);
            const auto first = ((mix64(state) >> 32) * (n - length + 1)) >> 32;
            sum += block == 1 ? differences[first] : sums[first + length] - sums[first];
        }
        mean = sum / static_cast<double>(n);
    }
    std::sort(means.begin(), means.end());
    const double tail = (1 - settings.level) / 2;
    return {quantile_of_sorted(means, tail), quantile_of_sorted(means, 1 - tail)};
}

std::int64_t pairs_needed(double effect, double sd, double alpha, double power) {
    if (!std::isfinite(effect) || !std::isfinite(sd) || effect == 0 || sd <= 0) return 0;
    const double z = normal_quantile(1 - alpha / 2) + normal_quantile(power);
    const double pairs = std::ceil(std::pow(z * sd / effect, 2) * std::numbers::pi / 3);
    if (!(pairs < 1e15)) return 0;
    return std::max(fewest_pairs(alpha), static_cast<std::int64_t>(pairs));
}

StrataChange strata_change(const analysis::PairedStrata& pair) {
    return {100 * pair.easiest.relative, 100 * pair.hardest.relative};
}

PooledStrata pool_strata(std::span<const StrataChange> pairs) {
    std::vector<double> easiest, hardest, contrast;
    for (const auto& pair : pairs) {
        if (!std::isfinite(pair.easiest) || !std::isfinite(pair.hardest)) continue;
        easiest.push_back(pair.easiest);
        hardest.push_back(pair.hardest);
        contrast.push_back(pair.hardest - pair.easiest);
    }
    return {std::ssize(easiest), pooled_change(easiest), pooled_change(hardest), pooled_change(contrast)};
}

}  // namespace casp::evidence

#include "data/split.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <system_error>

#include "config/text_utils.h"
#include "util/error.h"

namespace casp::data {

namespace {

constexpr std::array<const char*, 3> part_names{"training", "validation", "test"};

/// Python's int(fraction * n) on doubles, as the public data loaders compute it.
std::int64_t truncated(double fraction, std::int64_t n) {
    return static_cast<std::int64_t>(static_cast<double>(n) * fraction);
}

std::array<std::int64_t, 3> part_rows(const SplitRule& rule, std::int64_t rows) {
    constexpr std::int64_t month = 30 * 24;
    switch (rule.kind) {
        case SplitKind::ett_hourly:
            return {12 * month, 4 * month, 4 * month};
        case SplitKind::ett_minutely:
            return {48 * month, 16 * month, 16 * month};
        case SplitKind::rows:
            return rule.rows;
        case SplitKind::ratio:
            break;
    }
    const std::int64_t train = truncated(0.7, rows);
    const std::int64_t test = truncated(0.2, rows);
    return {train, rows - train - test, test};
}

/// End of the training slice for `percent`.
std::int64_t train_end(std::int64_t n_train, std::int64_t lookback, int percent) {
    return n_train < lookback ? n_train : (n_train - lookback) * percent / 100 + lookback;
}

/// Longest horizon that leaves a window in every part; 0 or less: none.
std::int64_t longest_horizon(const std::array<std::int64_t, 3>& parts, std::int64_t lookback, int percent) {
    return std::min({train_end(parts[0], lookback, percent) - lookback, parts[1], parts[2]});
}

/// Smallest number of rows that gives every part a window under the ratio rule; 0: more than 50 million.
std::int64_t rows_needed(const SplitRule& rule, std::int64_t lookback, std::int64_t horizon, int percent) {
    // Because of truncation, validation sometimes shrinks by a row as the file grows, with a period of ten
    // rows.
    constexpr int period = 10;
    int fitting = 0;
    for (std::int64_t n = lookback + horizon; n < 50'000'000; ++n) {
        fitting = longest_horizon(part_rows(rule, n), lookback, percent) >= horizon ? fitting + 1 : 0;
        if (fitting == period) return n - period + 1;
    }
    return 0;
}

bool read_rows(const std::string& text, std::array<std::int64_t, 3>& rows) {
    const char* p = text.data();
    const char* const end = p + text.size();
    const auto skip = [&] {
        while (p < end && (*p == ' ' || *p == '\t')) ++p;
    };
    skip();
    if (p == end || *p++ != '[') return false;
    for (std::size_t i = 0; i < 3; ++i) {
        skip();
        const auto result = std::from_chars(p, end, rows[i]);
        if (result.ec != std::errc()) return false;
        p = result.ptr;
        skip();
        if (p == end || *p++ != (i < 2 ? ',' : ']')) return false;
    }
    skip();
    return p == end;
}

std::string list(const std::array<std::int64_t, 3>& rows) {
    std::string text(1, '[');
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (i > 0) text.append(", ");
        text.append(std::to_string(rows[i]));
    }
    text.push_back(']');
    return text;
}

void check_fit(const SplitPlan& plan) {
    const auto& parts = plan.part_rows;
    const std::int64_t slice = train_end(parts[0], plan.lookback, plan.percent);
    const std::array<std::int64_t, 3> have{slice, parts[1], parts[2]};
    const std::array<std::int64_t, 3> need{plan.lookback + plan.horizon, plan.horizon, plan.horizon};
    for (std::size_t i = 0; i < 3; ++i) {
        if (have[i] >= need[i]) continue;
        const std::int64_t longest = longest_horizon(parts, plan.lookback, plan.percent);
        std::string advice = longest > 0 ? "The longest horizon that fits is " + std::to_string(longest) + "."
                                         : "No horizon fits this lookback: shorten data.lookback.";
        if (plan.rule.kind == SplitKind::ratio) {
            const std::int64_t rows = rows_needed(plan.rule, plan.lookback, plan.horizon, plan.percent);
            if (rows > 0)
                advice = "The file would need at least " + std::to_string(rows) + " rows; it has " +
                         std::to_string(plan.rows) + ". " + advice;
        }
        throw input_error(
            "data.split",
            "the " + std::string(part_names[i]) + " part has " + std::to_string(have[i]) + " rows" +
                (i == 0 && plan.percent < 100 ? " at data.percent = " + std::to_string(plan.percent)
                                              : std::string()) +
                " (" + plan.rule.name() + "), no window fits",
            "at least " + std::to_string(need[i]) +
                (i == 0 ? " rows (lookback " + std::to_string(plan.lookback) + " and horizon " +
                              std::to_string(plan.horizon) + ")"
                        : " rows (the horizon)"),
            advice);
    }
}

SplitPart make_part(std::int64_t target_begin, std::int64_t end, std::int64_t lookback,
                    std::int64_t horizon) {
    SplitPart part;
    part.begin = target_begin - lookback;
    part.end = end;
    part.target_begin = target_begin;
    part.windows = part.end - part.begin - lookback - horizon + 1;
    return part;
}

}  // namespace

std::string SplitRule::name() const {
    constexpr std::array names{"ett-hourly", "ett-minutely", "ratio"};
    return kind == SplitKind::rows ? list(rows) : names.at(static_cast<std::size_t>(kind));
}

SplitRule parse_split_rule(const std::string& text, const std::string& catalog_rule) {
    if (text == "auto") return catalog_rule.empty() ? SplitRule{} : parse_split_rule(catalog_rule);
    SplitRule rule;
    if (text == "ratio") return rule;
    if (text == "ett-hourly") {
        rule.kind = SplitKind::ett_hourly;
        return rule;
    }
    if (text == "ett-minutely") {
        rule.kind = SplitKind::ett_minutely;
        return rule;
    }
    if (read_rows(text, rule.rows)) {
        rule.kind = SplitKind::rows;
        if (*std::min_element(rule.rows.begin(), rule.rows.end()) < 1)
            throw input_error("data.split", text, "at least one row in each of [train, val, test]");
        return rule;
    }
    throw input_error("data.split", "\"" + text + "\" is not a split rule",
                      R"("auto", "ett-hourly", "ett-minutely", "ratio" or row counts [train, val, test])",
                      "The nearest name is \"" +
                          config::nearest_name(text, {"auto", "ett-hourly", "ett-minutely", "ratio"}) +
                          "\".");
}

SplitPlan plan_split(const SplitRule& rule, std::int64_t rows, std::int64_t lookback, std::int64_t horizon,
                     int percent) {
    constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
    if (lookback < 1 || lookback > most)
        throw input_error("data.lookback", std::to_string(lookback), "1 to " + std::to_string(most));
    if (horizon < 1 || horizon > most)
        throw input_error("data.horizon", std::to_string(horizon), "1 to " + std::to_string(most));
    if (percent < 1 || percent > 100) throw input_error("data.percent", std::to_string(percent), "1 to 100");

    SplitPlan plan;
    plan.rule = rule;
    plan.rows = rows;
    plan.lookback = lookback;
    plan.horizon = horizon;
    plan.percent = percent;
    plan.part_rows = part_rows(rule, rows);
    const auto [n_train, n_val, n_test] = plan.part_rows;
    if (std::max({n_train, n_val, n_test}) > rows || n_train + n_val + n_test > rows)
        throw input_error("data.split", "the file has " + std::to_string(rows) + " rows",
                          "at least " + std::to_string(n_train) + " + " + std::to_string(n_val) + " + " +
                              std::to_string(n_test) + " rows for " + rule.name(),
                          "Use data.split = \"ratio\" or smaller row counts.");
    check_fit(plan);
    plan.scaler_rows = n_train;
    plan.train = make_part(lookback, train_end(n_train, lookback, percent), lookback, horizon);
    plan.val = make_part(n_train, n_train + n_val, lookback, horizon);
    plan.test = make_part(n_train + n_val, n_train + n_val + n_test, lookback, horizon);
    return plan;
}

}  // namespace casp::data

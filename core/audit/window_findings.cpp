#include "audit/window_findings.h"

#include <algorithm>
#include <set>
#include <string>

#include "data/describe.h"
#include "util/phrase.h"

namespace casp::audit {

namespace {

using data::with_commas;

/// "1 window", "17 windows".
Phrase count_of_windows(std::int64_t n) {
    return n == 1 ? Phrase("%1 window", with_commas(n)) : Phrase("%1 windows", with_commas(n));
}

/// Usual batch sizes that leave this remainder: "32 or 64"; or empty.
std::string sizes_leaving(std::int64_t total, std::int64_t missing) {
    std::string sizes;
    for (const std::int64_t size : {4, 8, 16, 24, 32, 64, 96, 128, 256, 512, 1024, 2048})
        if (missing < size && total % size == missing)
            sizes += (sizes.empty() ? "" : " or ") + std::to_string(size);
    return sizes;
}

/// Windows that are missing, as ranges: "the last 17", "0 to 4, 9".
Phrase missing_text(const std::vector<std::int64_t>& missing, std::int64_t total) {
    const auto n = std::ssize(missing);
    if (missing.front() == total - n)
        return n > 1 ? Phrase("the last %1", with_commas(n)) : Phrase("the last");
    Phrase text;
    int ranges = 0;
    for (std::size_t i = 0; i < missing.size();) {
        std::size_t last = i;
        while (last + 1 < missing.size() && missing[last + 1] == missing[last] + 1) ++last;
        if (++ranges > 5) return text + ", …";
        text += text.empty() ? n > 1 ? Phrase("windows %1", with_commas(missing[i]))
                                     : Phrase("window %1", with_commas(missing[i]))
                             : Phrase(", %1", with_commas(missing[i]));
        if (last > i) text += " to " + with_commas(missing[last]);
        i = last + 1;
    }
    return text;
}

Finding dropped(const std::vector<std::int64_t>& missing, std::int64_t total) {
    const auto n = std::ssize(missing);
    const auto sizes = missing.front() == total - n ? sizes_leaving(total, n) : std::string();
    return {
        FindingCode::dropped_windows,
        n == 1 ? sizes.empty() ? Phrase("%1 of %2 test windows is missing: %3", with_commas(n),
                                        with_commas(total), missing_text(missing, total))
                               : Phrase("%1 of %2 test windows is missing: %3, the remainder of %4 by %5 (a "
                                        "dropped last batch)",
                                        with_commas(n), with_commas(total), missing_text(missing, total),
                                        with_commas(total), sizes)
        : sizes.empty()
            ? Phrase("%1 of %2 test windows are missing: %3", with_commas(n), with_commas(total),
                     missing_text(missing, total))
            : Phrase(
                  "%1 of %2 test windows are missing: %3, the remainder of %4 by %5 (a dropped last batch)",
                  with_commas(n), with_commas(total), missing_text(missing, total), with_commas(total),
                  sizes)};
}

/// Target rows of a part, named.
struct NamedPart {
    Phrase name;
    std::int64_t begin = 0, windows = 0;
};

std::vector<NamedPart> parts_of(const config::SplitSetting& rule, const Phrase& of,
                                const data::SplitPlan& expected) {
    try {
        const auto plan =
            data::plan_split(rule, expected.rows, expected.lookback, expected.horizon, /*percent=*/100);
        return {{Phrase("test windows%1", of), plan.test.target_begin, plan.test.windows},
                {Phrase("validation windows%1", of), plan.val.target_begin, plan.val.windows},
                {Phrase("training windows%1", of), plan.train.target_begin, plan.train.windows}};
    } catch (const std::exception&) {  // the file is too short for the rule
        return {};
    }
}

/// The part whose windows begin at `first`, up to a last batch, or that holds all of them.
Phrase part_of(std::int64_t first, std::int64_t end, const data::SplitPlan& plan) {
    constexpr std::int64_t max_dropped = 2048;
    // By its rows: dates cannot be planned again without the file's times.
    std::vector<NamedPart> parts = parts_of({"rows", plan.part_rows}, " of the expected split", plan);
    for (const auto& rule :
         {config::SplitSetting{"ratio"}, config::SplitSetting{"ett-hourly"},
          config::SplitSetting{"ett-minutely"},
          config::SplitSetting{
              "rows",
              {plan.rows * 6 / 10, plan.rows * 2 / 10, plan.rows - plan.rows * 6 / 10 - plan.rows * 2 / 10}},
          config::SplitSetting{
              "rows", {plan.rows * 8 / 10, plan.rows / 10, plan.rows - plan.rows * 8 / 10 - plan.rows / 10}}})
        for (auto& part : parts_of(rule, Phrase(" of the split %1", data::split_name(rule)), plan))
            parts.push_back(part);
    for (const auto& part : parts)
        if (part.begin == first && end <= part.begin + part.windows &&
            end + max_dropped >= part.begin + part.windows)
            return part.name;
    for (const auto& part :
         {parts.size() > 1 ? parts[1] : NamedPart{}, parts.size() > 2 ? parts[2] : NamedPart{}})
        if (part.windows > 0 && first >= part.begin && end <= part.begin + part.windows) return part.name;
    return {};
}

/// Where the windows are, against those of the test split.
struct Places {
    std::set<std::int64_t> rows;        ///< of found windows
    std::vector<std::int64_t> missing;  ///< test windows
    std::int64_t repeated = 0, outside = 0, unknown = 0, first_unknown = -1, turns = 0;
    std::int64_t begin = 0, total = 0;  ///< of the test split

    [[nodiscard]] std::int64_t first() const { return *rows.begin(); }
    [[nodiscard]] std::int64_t end() const { return *rows.rbegin() + 1; }
    [[nodiscard]] bool contiguous() const { return end() - first() == std::ssize(rows); }
    [[nodiscard]] std::int64_t inside() const { return std::ssize(rows) - outside; }
};

Places places_of(const Audit& audit, const data::PreparedData& data) {
    Places places;
    places.begin = data.plan.test.target_begin;
    places.total = data.plan.test.windows;
    std::int64_t before = -1;
    for (std::size_t w = 0; w < audit.row.size(); ++w) {
        const auto row = audit.row[w];
        if (row < 0) {
            if (places.unknown++ == 0) places.first_unknown = static_cast<std::int64_t>(w);
            continue;
        }
        if (!places.rows.insert(row).second) {
            ++places.repeated;
            continue;
        }
        places.outside += row < places.begin || row >= places.begin + places.total ? 1 : 0;
        places.turns += row < before ? 1 : 0;
        before = row;
    }
    for (std::int64_t i = 0; i < places.total; ++i)
        if (!places.rows.contains(places.begin + i)) places.missing.push_back(i);
    return places;
}

Finding extra(const Places& places) {
    Phrase text;
    if (places.repeated > 0) text = Phrase("%1 repeated", count_of_windows(places.repeated));
    if (places.outside > 0)
        text += text.empty() ? Phrase("%1 outside the test split", count_of_windows(places.outside))
                             : Phrase(", and %1 outside the test split", count_of_windows(places.outside));
    return {FindingCode::extra_windows, Phrase("%1, besides the %2 of its %3 windows", text,
                                               with_commas(places.inside()), with_commas(places.total))};
}

Finding wrong_split(const Places& places, const Phrase& part) {
    return {FindingCode::wrong_split,
            part.empty()
                ? Phrase("the targets begin at rows %1 to %2 of the file, not %3 to %4",
                         with_commas(places.first()), with_commas(places.end() - 1),
                         with_commas(places.begin), with_commas(places.begin + places.total - 1))
                : Phrase("the targets begin at rows %1 to %2 of the file, not %3 to %4: the %5",
                         with_commas(places.first()), with_commas(places.end() - 1),
                         with_commas(places.begin), with_commas(places.begin + places.total - 1), part)};
}

Finding shifted(const Places& places) {
    const auto by = places.first() - places.begin;
    const auto rows = std::abs(by);
    return {FindingCode::shifted_windows,
            rows == 1 ? by < 0
                            ? Phrase("the first window's target begins %1 row before the first test row, %2",
                                     with_commas(rows), with_commas(places.begin))
                            : Phrase("the first window's target begins %1 row after the first test row, %2",
                                     with_commas(rows), with_commas(places.begin))
            : by < 0 ? Phrase("the first window's target begins %1 rows before the first test row, %2",
                              with_commas(rows), with_commas(places.begin))
                      : Phrase("the first window's target begins %1 rows after the first test row, %2",
                               with_commas(rows), with_commas(places.begin))};
}

/// Findings where windows outside the test split take the place of some within it.
void add_misplaced(std::vector<Finding>& findings, const Places& places, const data::PreparedData& data) {
    const auto part = places.contiguous() ? part_of(places.first(), places.end(), data.plan) : "";
    if (!part.empty() || places.inside() * 2 < std::ssize(places.rows)) {
        findings.push_back(wrong_split(places, part));
    } else if (places.contiguous()) {
        findings.push_back(shifted(places));
    } else {
        findings.push_back(extra(places));
        findings.push_back(dropped(places.missing, places.total));
    }
}

}  // namespace

std::vector<Finding> window_findings(const Audit& audit, const data::PreparedData& data) {
    const auto places = places_of(audit, data);
    std::vector<Finding> findings;
    if (places.unknown > 0)
        findings.push_back(
            {FindingCode::truth_differs,
             places.unknown == 1
                 ? Phrase("%1 of true, window %2, is not in the data set", count_of_windows(places.unknown),
                          with_commas(places.first_unknown))
                 : Phrase("%1 of true, the first window %2, are not in the data set",
                          count_of_windows(places.unknown), with_commas(places.first_unknown))});
    if (places.rows.empty()) return findings;
    const bool misplaced = places.outside > 0 && !places.missing.empty();
    if (misplaced) {
        add_misplaced(findings, places, data);
        if (places.repeated > 0)
            findings.push_back(
                {FindingCode::extra_windows, Phrase("%1 repeated", count_of_windows(places.repeated))});
    } else {
        const bool late = !places.missing.empty() && places.contiguous() &&
                          places.end() == places.begin + places.total && places.unknown == 0;
        if (late)
            findings.push_back(shifted(places));
        else if (!places.missing.empty() && places.unknown < std::ssize(places.missing))
            findings.push_back(dropped(places.missing, places.total));
        if (places.repeated > 0 || places.outside > 0) findings.push_back(extra(places));
    }
    if (places.turns > 0)
        findings.push_back(
            {FindingCode::reordered_windows,
             places.turns == 1
                 ? Phrase("the windows are not in the order of the file: %1 is earlier than the one before",
                          with_commas(places.turns))
                 : Phrase("the windows are not in the order of the file: %1 are earlier than the one before",
                          with_commas(places.turns))});
    return findings;
}

std::vector<Finding> window_count_findings(const ForeignForecasts& forecasts, std::int64_t expected) {
    std::vector<Finding> findings;
    const auto windows = forecasts.prediction.windows();
    const auto& numbers = forecasts.window_numbers;
    std::vector<std::int64_t> missing;
    std::int64_t beyond = std::max<std::int64_t>(0, windows - expected);
    if (numbers.empty()) {
        for (auto i = windows; i < expected; ++i) missing.push_back(i);
    } else {
        for (std::int64_t i = 0; i < expected; ++i)
            if (!std::binary_search(numbers.begin(), numbers.end(), i)) missing.push_back(i);
        beyond = numbers.end() - std::lower_bound(numbers.begin(), numbers.end(), expected);
    }
    if (!missing.empty()) findings.push_back(dropped(missing, expected));
    if (beyond > 0)
        findings.push_back(
            {FindingCode::extra_windows, Phrase("%1 more than the %2 of the test split",
                                                count_of_windows(beyond), with_commas(expected))});
    return findings;
}

}  // namespace casp::audit

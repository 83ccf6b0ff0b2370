#include "data/missing.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>

#include "config/text_utils.h"
#include "data/scaler.h"
#include "data/table_checks.h"
#include "util/error.h"

namespace casp::data {

namespace {

constexpr std::array<std::pair<const char*, MissingPolicy>, 4> policies{
    {{"error", MissingPolicy::error},
     {"drop-column", MissingPolicy::drop_column},
     {"interpolate", MissingPolicy::interpolate},
     {"keep", MissingPolicy::keep}}};

bool is_listed(double value, const std::vector<double>& list) {
    return std::ranges::find(list, value) != list.end();
}

Phrase times(std::int64_t count) { return count == 1 ? Phrase("once") : Phrase("%1 times", count); }

Phrase cells(std::int64_t count) { return count == 1 ? Phrase("%1 cell", count) : Phrase("%1 cells", count); }

std::string rounded(double value) {
    char buffer[64];
    std::snprintf(buffer, sizeof buffer, "%.5g", value);
    return buffer;
}

std::string where(const Table& table) { return table.path.empty() ? "data.missing" : table.path.string(); }

std::int64_t first_missing(const Column& column) {
    const auto at = std::ranges::find_if(column.values, [](double v) { return std::isnan(v); });
    return at == column.values.end() ? -1 : at - column.values.begin();
}

/// Sentinels of a channel: listed values that occur, and suspected ones.
std::vector<SentinelHit> hits_of(const Column& column, const std::vector<double>& listed) {
    auto hits = find_sentinels(column.values);
    for (const double value : listed) {
        if (std::ranges::any_of(hits, [value](const SentinelHit& h) { return h.value == value; })) continue;
        SentinelHit hit{value, 0, -1};
        for (std::size_t i = 0; i < column.values.size(); ++i)
            if (column.values[i] == value && hit.count++ == 0) hit.first_row = static_cast<std::int64_t>(i);
        if (hit.count > 0) hits.push_back(hit);
    }
    return hits;
}

/// "the standard deviation of the 36887 training rows is 383.96 with and 18.18 without them".
Phrase effect_on_scaler(const Column& column, const std::vector<SentinelHit>& hits, std::size_t rows) {
    std::vector<double> all;
    std::vector<double> rest;
    for (std::size_t i = 0; i < rows; ++i) {
        const double v = column.values[i];
        if (std::isnan(v)) continue;
        all.push_back(v);
        if (std::ranges::none_of(hits, [v](const SentinelHit& h) { return h.value == v; })) rest.push_back(v);
    }
    return hits.size() == 1 && hits[0].count == 1
               ? Phrase("the standard deviation of the %1 rows of the scaler is %2 with and %3 without it",
                        rows, rounded(moments(all.data(), all.size()).std),
                        rounded(moments(rest.data(), rest.size()).std))
               : Phrase("the standard deviation of the %1 rows of the scaler is %2 with and %3 without them",
                        rows, rounded(moments(all.data(), all.size()).std),
                        rounded(moments(rest.data(), rest.size()).std));
}

void warn_kept(Table& table, const CleaningOptions& options, std::size_t rows) {
    for (const auto& column : table.columns) {
        auto hits = hits_of(column, options.sentinels);
        // Unless the policy is `keep`, listed sentinels are already missing; these are unlisted.
        if (hits.empty()) continue;
        Phrase values;
        std::int64_t count = 0;
        bool unlisted = false;
        for (const auto& hit : hits) {
            if (!values.empty()) values += ", ";
            values += number_text(hit.value) + " " + times(hit.count);
            count += hit.count;
            unlisted |= !is_listed(hit.value, options.sentinels);
        }
        Phrase text = count == 1 ? Phrase("column \"%1\": %2 kept as ordinary number; %3", column.name,
                                          values, effect_on_scaler(column, hits, rows))
                                 : Phrase("column \"%1\": %2 kept as ordinary numbers; %3", column.name,
                                          values, effect_on_scaler(column, hits, rows));
        if (unlisted && options.missing != MissingPolicy::keep)
            text += ". List it in data.sentinels if it stands for missing values";
        table.warnings.push_back(
            {WarningKind::policy, table.line_of(hits[0].first_row), column.name, count, text});
    }
}

void mark_sentinels(Table& table, const std::vector<double>& sentinels) {
    if (sentinels.empty()) return;
    for (auto& column : table.columns) {
        std::int64_t count = 0;
        std::int64_t first = -1;
        if (std::ranges::none_of(column.values, [&](double v) { return is_listed(v, sentinels); })) continue;
        auto& values = column.values.edit();
        for (std::size_t i = 0; i < values.size(); ++i)
            if (is_listed(values[i], sentinels)) {
                values[i] = std::numeric_limits<double>::quiet_NaN();
                if (count++ == 0) first = static_cast<std::int64_t>(i);
            }
        column.missing += count;
        table.warnings.push_back(
            {WarningKind::policy, table.line_of(first), column.name, count,
             Phrase("column \"%1\": %2 with a value of data.sentinels counted as missing", column.name,
                    cells(count))});
    }
}

/// Drops warnings about suspected sentinels for listed values; their treatment is reported instead.
void forget_listed(Table& table, const std::vector<double>& sentinels) {
    const auto is_known = [&](const Warning& warning) {
        const auto at = warning.kind == WarningKind::sentinel ? table.find_column(warning.column) : -1;
        if (at < 0) return false;
        const auto hits = find_sentinels(table.columns[static_cast<std::size_t>(at)].values);
        return std::ranges::any_of(hits, [&](const SentinelHit& hit) {
            return table.line_of(hit.first_row) == warning.line && is_listed(hit.value, sentinels);
        });
    };
    std::erase_if(table.warnings, is_known);
}

[[noreturn]] void refuse(const Table& table, bool keep) {
    std::int64_t columns = 0;
    std::int64_t all = 0;
    const Column* first = nullptr;
    for (const auto& column : table.columns)
        if (column.missing > 0) {
            ++columns;
            all += column.missing;
            if (first == nullptr) first = &column;
        }
    if (first == nullptr) throw std::logic_error("refuse() is for tables with missing cells");
    Phrase found = Phrase("column \"%1\" has %2 without a value, the first on line %3", first->name,
                          cells(first->missing), table.line_of(first_missing(*first)));
    if (columns > 1) found += Phrase(" (%1 in %2 columns)", cells(all), columns);
    if (keep)
        throw input_error(where(table),
                          Phrase("%1; data.missing = \"keep\" keeps numbers such as -9999, but training "
                                 "needs a number in every cell",
                                 found),
                          "a number in every cell", R"(Set data.missing to "interpolate" or "drop-column".)");
    throw input_error(
        where(table), found, "a value in every cell (data.missing = \"error\")",
        "Set data.missing to \"interpolate\" (linear between neighbouring values) or \"drop-column\" (leave "
        "out these columns); \"keep\" keeps numbers such as -9999 as they are, but not empty cells.");
}

void drop_columns(Table& table) {
    std::vector<Column> kept;
    for (auto& column : table.columns) {
        if (column.missing == 0) {
            kept.push_back(std::move(column));
            continue;
        }
        table.warnings.push_back(
            {WarningKind::policy, table.line_of(first_missing(column)), column.name, column.missing,
             Phrase("column \"%1\" left out: %2 without a value (data.missing = \"drop-column\")",
                    column.name, cells(column.missing))});
    }
    if (kept.empty())
        throw input_error(
            where(table), "every column has missing cells and data.missing = \"drop-column\" left none",
            "at least one column with a value in every cell", "Set data.missing to \"interpolate\".");
    table.columns = std::move(kept);
}

void interpolate(Table& table) {
    for (auto& column : table.columns) {
        if (column.missing == 0) continue;
        auto& v = column.values.edit();
        const std::int64_t line = table.line_of(first_missing(column));
        const std::size_t n = v.size();
        std::size_t longest = 0;
        for (std::size_t i = 0; i < n;) {
            if (!std::isnan(v[i])) {
                ++i;
                continue;
            }
            std::size_t after = i;
            while (after < n && std::isnan(v[after])) ++after;
            if (i == 0 && after == n)
                throw input_error(where(table), Phrase("column \"%1\" has no values", column.name),
                                  "at least one value to interpolate from",
                                  "Leave it out with data.columns or data.missing = \"drop-column\".");
            longest = std::max(longest, after - i);
            const double right = after < n ? v[after] : v[i - 1];
            const double left = i > 0 ? v[i - 1] : right;
            const auto steps = static_cast<double>(after - i + 1);
            for (std::size_t k = i; k < after; ++k) {
                const double t = static_cast<double>(k - i + 1) / steps;
                v[k] = left * (1 - t) + right * t;  // cannot overflow, unlike right - left
            }
            i = after;
        }
        table.warnings.push_back({WarningKind::policy, line, column.name, column.missing,
                                  Phrase("column \"%1\": %2 filled by interpolation, at most %3 in a row",
                                         column.name, cells(column.missing), longest)});
        column.missing = 0;
    }
}

}  // namespace

MissingPolicy parse_missing_policy(const std::string& text) {
    std::vector<std::string> names;
    for (const auto& [name, policy] : policies) {
        if (text == name) return policy;
        names.emplace_back(name);
    }
    throw input_error("data.missing", Phrase("\"%1\" is not a policy", text),
                      R"("error", "drop-column", "interpolate" or "keep")",
                      Phrase("The nearest name is \"%1\".", config::nearest_name(text, names)));
}

Table select_columns(Table table, const std::vector<std::string>& names) {
    if (names.empty()) return table;
    std::vector<bool> wanted(table.columns.size(), false);
    for (const auto& name : names) {
        const std::int64_t at = table.find_column(name);
        if (at < 0) {
            std::vector<std::string> known;
            for (const auto& column : table.columns) known.push_back(column.name);
            throw input_error("data.columns",
                              table.path.empty() ? Phrase("there is no numeric column \"%1\"", name)
                                                 : Phrase("there is no numeric column \"%1\" in %2", name,
                                                          table.path.string()),
                              "names of its numeric columns",
                              Phrase("The nearest name is \"%1\".", config::nearest_name(name, known)));
        }
        wanted[static_cast<std::size_t>(at)] = true;
    }
    std::vector<Column> kept;
    std::vector<std::string> others;
    for (std::size_t i = 0; i < wanted.size(); ++i)
        if (wanted[i])
            kept.push_back(std::move(table.columns[i]));
        else
            others.push_back(table.columns[i].name);
    table.columns = std::move(kept);
    const auto is_of_another = [&](const Warning& warning) {
        return std::ranges::find(others, warning.column) != others.end();
    };
    std::erase_if(table.warnings, is_of_another);
    return table;
}

Table apply_missing_policy(Table table, const CleaningOptions& options, std::int64_t scaler_rows) {
    table = select_columns(std::move(table), options.columns);
    const std::int64_t rows = scaler_rows > 0 ? std::min(scaler_rows, table.rows()) : table.rows();
    for (const double sentinel : options.sentinels) {
        const bool occurs = std::ranges::any_of(
            table.columns, [&](const Column& column) { return is_listed(sentinel, column.values); });
        if (!occurs)
            table.warnings.push_back(
                {WarningKind::policy, 0, "", 1,
                 Phrase("the value %1 of data.sentinels does not occur", number_text(sentinel))});
    }
    if (!options.sentinels.empty()) forget_listed(table, options.sentinels);
    if (options.missing != MissingPolicy::keep) mark_sentinels(table, options.sentinels);
    const bool any =
        std::ranges::any_of(table.columns, [](const Column& column) { return column.missing > 0; });
    if (any) {
        switch (options.missing) {
            case MissingPolicy::error:
                refuse(table, false);
            case MissingPolicy::keep:
                refuse(table, true);
            case MissingPolicy::drop_column:
                drop_columns(table);
                break;
            case MissingPolicy::interpolate:
                interpolate(table);
                break;
        }
    }
    warn_kept(table, options, static_cast<std::size_t>(rows));
    return table;
}

}  // namespace casp::data

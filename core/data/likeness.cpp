#include "data/likeness.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <optional>
#include <system_error>

#include "config/text_utils.h"
#include "data/csv_import.h"
#include "data/describe.h"
#include "util/digest.h"
#include "util/error.h"

namespace casp::data {

namespace {

using Values = std::vector<double>;

constexpr int most_decimals = 6;           ///< with more digits, a number is as computed
constexpr double single_precision = 2e-7;  ///< relative: of numbers that were stored in 32 bits

/// Digits after the point with which all values are written; most_decimals + 1: more.
int decimals_of(const Values& values) {
    static constexpr double powers[] = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6};
    int decimals = 0;
    for (const double value : values) {
        const auto is_whole = [&] {
            const double scaled = value * powers[decimals];
            return std::abs(scaled - std::nearbyint(scaled)) <= 1e-9 * std::max(1.0, std::abs(scaled));
        };
        while (!std::isnan(value) && !is_whole())
            if (++decimals > most_decimals) return decimals;
    }
    return decimals;
}

bool is_equal(double a, double b) { return std::abs(a - b) <= 1e-12 * std::max(1.0, std::abs(b)); }

/// Whether `value`, of a column with so many decimals, is `known`, rounded perhaps.
bool agrees(double value, double known, int decimals) {
    const double rounding = decimals > most_decimals ? 0 : 0.5 * std::pow(10.0, -decimals);
    return std::abs(value - known) <= rounding * (1 + 1e-6) + single_precision * std::abs(known);
}

/// A table and the data set that it may be. Channels are those of the data set, in its order.
class Comparison {
public:
    Comparison(const Table& table, const CatalogEntry& entry) : table_(table), entry_(entry) {
        find_columns();
    }

    [[nodiscard]] Likeness result() {
        const bool same_rows = table_.rows() == entry_.rows;
        if (shared_ == 0 || table_.rows() == 0 || (!same_rows && !is_part())) return {};
        compare_ends();
        Likeness likeness;
        likeness.agreeing = first_agreeing_ + last_agreeing_;
        if (!looks_alike(same_rows)) return {};
        likeness.difference = obvious_difference(likeness.agreeing);
        if (likeness.difference.empty()) compare_values(likeness);
        likeness.kind = likeness.difference.empty() ? Likeness::Kind::same : Likeness::Kind::similar;
        if (likeness.kind == Likeness::Kind::same) likeness.form = form(likeness);
        return likeness;
    }

private:
    [[nodiscard]] const Fingerprint& known() const { return *entry_.content; }
    [[nodiscard]] bool has_all_names() const { return named_ == known().channels.size(); }
    [[nodiscard]] bool has_same_channels() const {
        return shared_ == known().channels.size() && table_.columns.size() == shared_;
    }
    [[nodiscard]] const Values& values(std::size_t channel) const {
        return table_.columns[static_cast<std::size_t>(column_[channel])].values;
    }

    /// By name; where no name is known, by position.
    void find_columns() {
        for (const auto& name : known().channels) {
            column_.push_back(table_.find_column(name));
            named_ += column_.back() >= 0 ? 1 : 0;
        }
        if (!has_all_names() && table_.columns.size() == column_.size()) find_columns_without_names();
        shared_ =
            static_cast<std::size_t>(std::ranges::count_if(column_, [](std::int64_t c) { return c >= 0; }));
    }

    /// By their values in the first and last row; by position if these are not the known ones.
    void find_columns_without_names() {
        const auto& first = known().first_row;
        const auto& last = known().last_row;
        std::vector<std::int64_t> by_values;
        const auto is_free = [&](std::size_t i) {
            return std::ranges::find(by_values, static_cast<std::int64_t>(i)) == by_values.end();
        };
        const auto size = table_.rows() == entry_.rows ? std::min(first.size(), column_.size()) : 0;
        for (std::size_t c = 0; c < size && by_values.size() == c; ++c)
            for (std::size_t i = 0; i < table_.columns.size() && by_values.size() == c; ++i)
                if (const auto& values = table_.columns[i].values;
                    is_free(i) && is_equal(values.front(), first[c]) && is_equal(values.back(), last[c]))
                    by_values.push_back(static_cast<std::int64_t>(i));
        if (by_values.size() == column_.size())
            column_ = std::move(by_values);
        else
            std::iota(column_.begin(), column_.end(), 0);
    }

    [[nodiscard]] bool is_same_time(double a, double b) const { return std::abs(a - b) < 1; }
    [[nodiscard]] bool has_same_times() const {
        return !table_.time.empty() && is_same_time(table_.time.front(), known().first) &&
               is_same_time(table_.time.back(), known().last) && table_.step.seconds == entry_.step_seconds;
    }
    /// Whether rows of the data set may have been taken away, or appended.
    [[nodiscard]] bool is_part() const {
        if (table_.time.empty()) return true;
        const double first = table_.time.front(), last = table_.time.back();
        return table_.step.seconds == entry_.step_seconds && last >= known().first && first <= known().last;
    }

    void compare_ends() {
        for (std::size_t c = 0; c < column_.size(); ++c) {
            decimals_.push_back(column_[c] < 0 ? 0 : decimals_of(values(c)));
            if (column_[c] < 0 || c >= known().first_row.size()) continue;
            const auto compare = [&](double value, double expected) {
                exact_ = exact_ && is_equal(value, expected);
                return agrees(value, expected, decimals_[c]) ? 1U : 0U;
            };
            ++compared_;
            first_agreeing_ += compare(values(c).front(), known().first_row[c]);
            last_agreeing_ += compare(values(c).back(), known().last_row[c]);
        }
    }

    [[nodiscard]] bool looks_alike(bool same_rows) const {
        const bool end_agrees =
            compared_ > 0 && (first_agreeing_ == compared_ || last_agreeing_ == compared_);
        if (!same_rows) return end_agrees || (has_all_names() && has_same_channels() && !table_.time.empty());
        if (!has_same_channels()) return end_agrees && has_same_times();
        return first_agreeing_ + last_agreeing_ >= compared_ || (has_all_names() && has_same_times());
    }

    [[nodiscard]] std::string channels_difference() const {
        std::vector<std::string> missing, further;
        for (std::size_t c = 0; c < column_.size(); ++c)
            if (column_[c] < 0) missing.push_back(known().channels[c]);
        for (std::size_t i = 0; i < table_.columns.size(); ++i)
            if (std::ranges::find(column_, static_cast<std::int64_t>(i)) == column_.end())
                further.push_back(table_.columns[i].name);
        if (!missing.empty()) return "it has no channel " + config::listed(missing, 3);
        return "it has the further channel " + config::listed(further, 3);
    }

    /// What the fingerprint shows without a look at all values; empty: nothing.
    [[nodiscard]] std::string obvious_difference(std::size_t agreeing) const {
        if (!has_same_channels()) return channels_difference();
        if (const auto more = table_.rows() - entry_.rows; more != 0)
            return "it has " + with_commas(std::abs(more)) + (std::abs(more) == 1 ? " row" : " rows") +
                   (more > 0 ? " more" : " fewer");
        std::int64_t missing = 0;
        for (const auto& column : table_.columns) missing += column.missing;
        if (missing > 0)
            return with_commas(missing) + (missing == 1 ? " value is missing" : " values are missing");
        if (agreeing < 2 * compared_)
            return with_commas(static_cast<std::int64_t>(2 * compared_ - agreeing)) + " of the " +
                   with_commas(static_cast<std::int64_t>(2 * compared_)) +
                   " compared values of its first and last row differ";
        if (known().values.empty() && !table_.time.empty() && !has_same_times()) return "its times differ";
        return {};
    }

    /// Channels whose sums differ by more than rounding can explain. Sets whether all values are the known
    /// ones.
    [[nodiscard]] std::vector<std::string> differing_channels(bool& all_equal, bool& rounded) const {
        const auto channels = column_.size();
        const auto rows = static_cast<std::size_t>(table_.rows());
        std::vector<std::int64_t> sums(channels, 0), row(channels);
        std::vector<double> units;
        for (const auto decimals : known().decimals) units.push_back(std::pow(10.0, decimals));
        Digest digest;
        for (std::size_t r = 0; r < rows; ++r) {
            for (std::size_t c = 0; c < channels; ++c) {
                constexpr double largest = 1e15;
                const double value = std::round(values(c)[r] * units[c]);
                row[c] = std::abs(value) < largest ? static_cast<std::int64_t>(value) : 0;
                sums[c] += row[c];
            }
            digest.update(row.data(), channels * sizeof(std::int64_t));
        }
        all_equal = digest.finish() == known().values;
        rounded = false;
        std::vector<std::string> differing;
        if (all_equal) return differing;
        for (std::size_t c = 0; c < channels; ++c) {
            const bool coarse = decimals_[c] < known().decimals[c];
            rounded = rounded || coarse;
            const double unit = coarse ? units[c] * std::pow(10.0, -decimals_[c]) : 0;
            // Errors of rounding are even, and biased where halves are rounded up.
            const double n = static_cast<double>(rows);
            const double most = unit * (0.06 * n + 6 * std::sqrt(n / 12));
            if (std::abs(static_cast<double>(sums[c] - known().sums[c])) > most)
                differing.push_back(known().channels[c]);
        }
        return differing;
    }

    void compare_values(Likeness& likeness) const {
        const std::string ends = "rows, channels, first and last row";
        if (known().values.empty()) {
            likeness.compared = ends + (table_.time.empty() ? "" : " and times");
            likeness.rounded = !exact_;
        } else {
            bool all_equal = false;
            const auto differing = differing_channels(all_equal, likeness.rounded);
            if (all_equal) return;
            if (!differing.empty())
                likeness.difference = "values of " + config::listed(differing, 3) + " differ";
            else if (!likeness.rounded)
                likeness.difference = "values differ, or are in another order";
            likeness.compared = ends + " and the sums of the channels";
        }
        const auto count = differing_from_original();
        if (!count) return;
        likeness.compared.clear();
        likeness.difference.clear();
        if (*count > 0)
            likeness.difference = with_commas(*count) + (*count == 1 ? " value differs" : " values differ");
    }

    /// Number of values that are not those of the entry's file in the cache; nothing: it is not there.
    [[nodiscard]] std::optional<std::int64_t> differing_from_original() const {
        try {
            const auto file = catalog_path(entry_.name);
            std::error_code unknown;
            if (!std::filesystem::exists(file, unknown)) return {};
            const auto original = import_csv(file);
            if (original.sha256 != entry_.sha256 || original.columns.size() != column_.size()) return {};
            std::int64_t count = 0;
            for (std::size_t c = 0; c < column_.size(); ++c) {
                const auto& expected = original.columns[c].values;
                const int decimals =
                    known().decimals.empty() ? decimals_of(expected) : static_cast<int>(known().decimals[c]);
                const int own = decimals_[c] < decimals ? decimals_[c] : most_decimals + 1;
                for (std::size_t r = 0; r < expected.size(); ++r)
                    count += agrees(values(c)[r], expected[r], own) ? 0 : 1;
            }
            return count;
        } catch (const Error&) {
            return {};  // no cache, or no such data set in it
        }
    }

    [[nodiscard]] std::string rounding_text() const {
        const int most = *std::ranges::max_element(decimals_);
        if (most > most_decimals) return "numbers of other precision";
        return "values rounded to " + std::to_string(most) + (most == 1 ? " decimal" : " decimals");
    }

    [[nodiscard]] std::vector<std::string> form(const Likeness& likeness) const {
        std::vector<std::string> parts;
        const auto& format = table_.format;
        if (!known().line_ending.empty() && format.line_ending != known().line_ending)
            parts.push_back("other line endings (" + format.line_ending + ")");
        if (table_.row_numbers) parts.emplace_back("a column of row numbers");
        if (format.delimiter != ',') parts.emplace_back("another delimiter");
        if (format.decimal != '.') parts.emplace_back("decimal commas");
        if (format.bom || format.encoding != "UTF-8")
            parts.push_back("another encoding (" + format.encoding +
                            (format.bom ? " with byte-order mark)" : ")"));
        if (!format.has_header) parts.emplace_back("no header");
        if (!table_.file_rows.empty()) parts.emplace_back("rows in another order");
        if (format.has_header && !has_all_names()) parts.emplace_back("other column names");
        if (!std::ranges::is_sorted(column_)) parts.emplace_back("columns in another order");
        if (table_.time.empty())
            parts.emplace_back("no times");
        else if (!has_same_times())
            parts.emplace_back("other times");
        else if (!format.time_format.starts_with("ISO"))
            parts.push_back("other dates (" + format.time_format + ")");
        if (likeness.rounded || !exact_) parts.push_back(rounding_text());
        return parts;
    }

    const Table& table_;
    const CatalogEntry& entry_;
    std::vector<std::int64_t> column_;    ///< per channel, its column in the table; -1: none
    std::vector<int> decimals_;           ///< per channel, of its column
    std::size_t named_ = 0, shared_ = 0;  ///< channels with their name in the table; with a column
    std::size_t compared_ = 0, first_agreeing_ = 0, last_agreeing_ = 0;  ///< values of a row
    bool exact_ = true;                                                  ///< these agree to the last digit
};

}  // namespace

Likeness likeness_of(const Table& table, const CatalogEntry& entry) {
    return entry.content ? Comparison(table, entry).result() : Likeness();
}

}  // namespace casp::data

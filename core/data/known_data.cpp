#include "data/known_data.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <system_error>
#include <utility>
#include <vector>

#include "config/text_utils.h"
#include "data/describe.h"
#include "util/digest.h"
#include "util/error.h"

namespace casp::data {

namespace {

namespace fs = std::filesystem;
using Values = std::vector<double>;

constexpr int max_decimals = 6;            ///< with more digits, a number is as computed
constexpr double single_precision = 2e-7;  ///< relative: of numbers that were stored in 32 bits

/// Digits after the point with which all values are written; max_decimals + 1: more.
int decimals_of(const Values& values) {
    static constexpr double powers[] = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6};
    int decimals = 0;
    for (const double value : values) {
        const auto is_whole = [&] {
            const double scaled = value * powers[decimals];
            return std::abs(scaled - std::nearbyint(scaled)) <= 1e-9 * std::max(1.0, std::abs(scaled));
        };
        while (!std::isnan(value) && !is_whole())
            if (++decimals > max_decimals) return decimals;
    }
    return decimals;
}

bool is_equal(double a, double b) { return std::abs(a - b) <= 1e-12 * std::max(1.0, std::abs(b)); }

/// Whether `value`, of a column with so many decimals, is `known`, rounded perhaps.
bool agrees(double value, double known, int decimals) {
    const double rounding = decimals > max_decimals ? 0 : 0.5 * std::pow(10.0, -decimals);
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

    [[nodiscard]] Phrase channels_difference() const {
        std::vector<std::string> missing, further;
        for (std::size_t c = 0; c < column_.size(); ++c)
            if (column_[c] < 0) missing.push_back(known().channels[c]);
        for (std::size_t i = 0; i < table_.columns.size(); ++i)
            if (std::ranges::find(column_, static_cast<std::int64_t>(i)) == column_.end())
                further.push_back(table_.columns[i].name);
        if (!missing.empty()) return Phrase("it has no channel %1", config::listed(missing, 3));
        return Phrase("it has the further channel %1", config::listed(further, 3));
    }

    /// What the fingerprint shows without a look at all values; empty: nothing.
    [[nodiscard]] Phrase obvious_difference(std::size_t agreeing) const {
        if (!has_same_channels()) return channels_difference();
        if (const auto more = table_.rows() - entry_.rows; more != 0)
            return std::abs(more) == 1 ? more > 0 ? Phrase("it has %1 row more", with_commas(std::abs(more)))
                                                  : Phrase("it has %1 row fewer", with_commas(std::abs(more)))
                   : more > 0 ? Phrase("it has %1 rows more", with_commas(std::abs(more)))
                                       : Phrase("it has %1 rows fewer", with_commas(std::abs(more)));
        std::int64_t missing = 0;
        for (const auto& column : table_.columns) missing += column.missing;
        if (missing > 0)
            return missing == 1 ? Phrase("%1 value is missing", with_commas(missing))
                                : Phrase("%1 values are missing", with_commas(missing));
        if (agreeing < 2 * compared_)
            return Phrase("%1 of the %2 compared values of its first and last row differ",
                          with_commas(static_cast<std::int64_t>(2 * compared_ - agreeing)),
                          with_commas(static_cast<std::int64_t>(2 * compared_)));
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
        const Phrase ends = "rows, channels, first and last row";
        if (known().values.empty()) {
            likeness.compared = table_.time.empty() ? ends : Phrase("%1 and times", ends);
            likeness.rounded = !exact_;
        } else {
            bool all_equal = false;
            const auto differing = differing_channels(all_equal, likeness.rounded);
            if (all_equal) return;
            if (!differing.empty())
                likeness.difference = Phrase("values of %1 differ", config::listed(differing, 3));
            else if (!likeness.rounded)
                likeness.difference = "values differ, or are in another order";
            likeness.compared = Phrase("%1 and the sums of the channels", ends);
        }
    }

    const Table& table_;
    const CatalogEntry& entry_;
    std::vector<std::int64_t> column_;    ///< per channel, its column in the table; -1: none
    std::vector<int> decimals_;           ///< per channel, of its column
    std::size_t named_ = 0, shared_ = 0;  ///< channels with their name in the table; with a column
    std::size_t compared_ = 0, first_agreeing_ = 0, last_agreeing_ = 0;  ///< values of a row
    bool exact_ = true;                                                  ///< these agree to the last digit
};

/// The entry whose cache location is `path`.
const CatalogEntry* entry_in_place(const fs::path& path) {
    std::error_code problem;  // invalid path, or no current folder
    const auto whole = fs::absolute(path, problem).lexically_normal();
    if (problem) return nullptr;
    try {
        for (const auto& entry : catalog())
            if (entry.kind == "csv" && whole == catalog_path(entry.name).lexically_normal()) return &entry;
    } catch (const Error&) {
        // Without a home folder there is no cache.
    }
    return nullptr;
}

}  // namespace

Likeness likeness_of(const Table& table, const CatalogEntry& entry) {
    return entry.content ? Comparison(table, entry).result() : Likeness();
}

Phrase size_text(std::int64_t rows, std::int64_t channels) {
    return Phrase("%1 rows and %2 channels", with_commas(rows), with_commas(channels));
}

Phrase wrong_size(std::int64_t rows, std::int64_t channels, const CatalogEntry& entry) {
    const bool fits =
        (entry.rows == 0 || entry.rows == rows) && (entry.channels == 0 || entry.channels == channels);
    return fits ? Phrase() : Phrase("it has %1", size_text(rows, channels));
}

namespace {

/// The entries that the table may be, the most likely first: one that it is, or all that look alike equally.
struct Candidates {
    std::vector<const CatalogEntry*> entries;
    Likeness likeness;  ///< of the first one
};

Candidates candidates_of(const Table& table) {
    Candidates best;
    for (const auto& entry : catalog()) {
        auto likeness = likeness_of(table, entry);
        const auto is_worse = [](const Likeness& a, const Likeness& b) {
            return a.kind != b.kind ? a.kind < b.kind : a.agreeing < b.agreeing;
        };
        if (likeness.kind == Likeness::Kind::other || is_worse(likeness, best.likeness)) continue;
        if (is_worse(best.likeness, likeness)) best.entries.clear();
        if (best.entries.empty()) best.likeness = std::move(likeness);
        best.entries.push_back(&entry);
    }
    return best;
}

/// Of a data set whose values are in another file.
KnownData by_content(const CatalogEntry& entry, const Likeness& likeness) {
    KnownData known{&entry, KnownData::How::content, {}, {}};
    if (!likeness.compared.empty())
        known.doubt =
            Phrase("the file is taken as %1, since its %2 agree; other values could not be compared",
                   entry.name, likeness.compared);
    if (likeness.rounded)
        known.doubt += known.doubt.empty() ? Phrase(
                                                 "Its values have fewer digits than those of %1: errors "
                                                 "differ from those on the catalogue's file",
                                                 entry.name)
                                           : Phrase(
                                                 ". Its values have fewer digits than those of %1: errors "
                                                 "differ from those on the catalogue's file",
                                                 entry.name);
    return known;
}

/// "ETTh1 or ETTh2".
Phrase names_of(const std::vector<const CatalogEntry*>& entries) {
    std::vector<std::string> names;
    for (const auto* entry : entries) names.push_back(entry->name);
    return config::either(names);
}

/// A data set that is none of the catalogue, but looks like one.
KnownData alike(const Candidates& best) {
    KnownData known;
    const auto names = names_of(best.entries);
    known.like = Phrase("it looks like %1, but %2", names, best.likeness.difference);
    known.doubt = Phrase("the file looks like %1, but %2: it is not treated as that data set", names,
                         best.likeness.difference);
    const auto& entry = *best.entries.front();
    if (entry.split != "ratio") known.doubt += Phrase(", whose split is data.split = \"%1\"", entry.split);
    return known;
}

/// A data set of which the catalogue knows only the size.
KnownData of_that_size(const Table& table) {
    KnownData known;
    const auto looks_like = [&](const CatalogEntry& entry) {
        const bool has_step = table.step.seconds > 0;
        if (table.rows() != entry.rows || std::ssize(table.columns) != entry.channels ||
            (has_step && table.step.seconds != entry.step_seconds))
            return false;
        known.like =
            has_step
                ? Phrase("it looks like %1 by its rows and channels every %2; its values are not known here",
                         entry.name, frequency_name(entry.step_seconds))
                : Phrase("it looks like %1 by its rows and channels; its values are not known here",
                         entry.name);
        return true;
    };
    for (const auto& entry : catalog())
        if (entry.kind == "csv" && !entry.content) (void)looks_like(entry);
    for (const auto& size : known_sizes())
        if (looks_like(size) && !size.split.empty())
            known.doubt = Phrase(
                "the file looks like %1 by its rows and channels; published results on it have data.split = "
                "%2",
                size.name, size.split);
    return known;
}

/// A file in the cache location of an entry.
KnownData in_place(const CatalogEntry& entry, const std::string& path, const Phrase& problem,
                   const Phrase& difference) {
    if (!problem.empty())
        throw input_error(
            "catalog:" + entry.name,
            Phrase("the file in the cache (%1) is a different data set: %2", path, problem),
            size_text(entry.rows, entry.channels),
            entry.address.empty()
                ? Phrase("Replace it, or move it to another folder and use it by its path.")
                : Phrase(
                      "Move it to another folder and run caspstudio --fetch %1, or use it there by its path.",
                      entry.name));
    KnownData known{&entry, KnownData::How::place, {}, {}};
    if (!entry.sha256.empty())
        known.doubt = Phrase(
            "the digest is not that of %1 in the catalogue; rows and channels match, so it is used as %2",
            entry.name, entry.name);
    if (!difference.empty())
        known.doubt += Phrase(". Its values are not those of %1: %2", entry.name, difference);
    return known;
}

}  // namespace

KnownData known_data(const Table& table) {
    const auto* place = entry_in_place(table.path);
    const auto* by_digest = find_by_digest(table.sha256);
    if (by_digest != nullptr && (place == nullptr || place == by_digest))
        return {by_digest, KnownData::How::digest, {}, {}};
    if (by_digest != nullptr)
        return in_place(*place, table.path.string(), Phrase("it is %1", by_digest->name), {});
    const auto best = candidates_of(table);
    const bool is_known = best.likeness.kind == Likeness::Kind::same;
    if (is_known && (place == nullptr || place == best.entries.front()))
        return by_content(*best.entries.front(), best.likeness);
    if (place != nullptr) {
        const auto problem = is_known ? Phrase("it is %1", best.entries.front()->name)
                                      : Phrase(wrong_size(table.rows(), std::ssize(table.columns), *place));
        auto likeness = likeness_of(table, *place);
        if (place->content && likeness.kind == Likeness::Kind::other)
            likeness.difference = "its first and last row are others";
        return in_place(*place, table.path.string(), problem, likeness.difference);
    }
    return best.entries.empty() ? of_that_size(table) : alike(best);
}

const CatalogEntry* known_entry(const Table& table) {
    try {
        return known_data(table).entry;
    } catch (const Error&) {
        return nullptr;
    }
}

const CatalogEntry* known_entry(const fs::path& path, const std::optional<std::string>& dataset,
                                std::string_view sha256, std::int64_t rows, std::int64_t channels) {
    if (dataset) return find_by_name(*dataset);
    if (const auto* entry = find_by_digest(sha256)) return entry;
    const auto* place = entry_in_place(path);
    return place != nullptr && wrong_size(rows, channels, *place).empty() ? place : nullptr;
}

Phrase origin_text(const KnownData& known) {
    if (known.entry == nullptr)
        return known.like.empty() ? Phrase("not in the catalogue")
                                  : Phrase("not in the catalogue; %1", known.like);
    const auto name = known.entry->name + " (" + known.entry->title + ")";
    if (known.how == KnownData::How::digest) return Phrase("%1, by its digest", name);
    if (known.how == KnownData::How::place)
        return Phrase("%1, by its place in the cache, rows and channels", name);
    return Phrase("%1, by its content", name);
}

}  // namespace casp::data

#pragma once
// Long files: tables with a row per value of several series, and the columns that say which.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "data/csv_import.h"
#include "data/table.h"
#include "data/time_columns.h"
#include "util/phrase.h"

namespace casp::data {

/// Usual names of the columns of a long file, compared ignoring case. A new one is a line in
/// long_columns.cpp.
enum class LongRole {
    series,        ///< an id that only long files have: unique_id, item_id
    maybe_series,  ///< an id, or an ordinary column of a table: id, store, sensor
    time,          ///< ds, timestamp, date
    target,        ///< y, target
    maybe_target   ///< value, sales: the target if it is the only one
};
[[nodiscard]] bool has_role(std::string_view name, LongRole role);

/// "unique_id, item_id, series_id …": the usual names of series, times and targets, for advice.
[[nodiscard]] Phrase long_names();

/// The form of Unix times in whose range all values are; null: there is none.
[[nodiscard]] const NumberForm* unix_form(const std::vector<double>& values);

/// The texts of some columns, by row of a table.
struct Labels {
    struct Column {
        std::string name;
        std::vector<std::uint32_t> of_row;  ///< [rows] index of the row's text
        std::vector<std::string> texts;     ///< different texts, UTF-8, without surrounding blanks
    };
    std::vector<Column> columns;
};

/// Reads the columns for which `wanted(name)` is true. `table` was read from `text` (decode(),
/// csv_encoding.h): its rows are found by their lines. A column with more than `most` different texts is left
/// out.
[[nodiscard]] Labels read_labels(std::string_view text, const Table& table, std::size_t most,
                                 const std::function<bool(std::string_view)>& wanted);

/// The cell of a row in the column called `name`, as written; empty: there is none.
[[nodiscard]] std::string cell_of(std::string_view text, const Table& table, std::int64_t row,
                                  std::string_view name);

/// The columns whose texts divide the rows into at least two series, each of which has no time twice: one, or
/// two together. Empty: there are none, or the times show no sign of several series. A sign is that a quarter
/// of the rows repeat another row's time, or that the times go back wherever the column changes.
[[nodiscard]] std::vector<std::size_t> series_columns(const Table& table, const Labels& labels);

/// Throws an input Error for a table whose rows are of several series (series_columns()): names the columns,
/// and how to rename them. Opens the file at table.path only if the times repeat or go back.
void check_long_format(const Table& table);

/// Whether the file is a long one whose columns have usual names: a header with a name of LongRole::series
/// and one of a time; or one of LongRole::maybe_series and of a time, if series_columns() are so named.
/// `head`: the first head_bytes of the file. Reads the file only if the head leaves it open.
[[nodiscard]] bool is_long_csv(const std::filesystem::path& path, std::string_view head);

}  // namespace casp::data

#include "data/series_whole.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_map>
#include <utility>

#include "config/text_utils.h"
#include "data/calendar_step.h"
#include "data/csv_encoding.h"
#include "data/describe.h"
#include "data/file_bytes.h"
#include "data/long_columns.h"
#include "data/time_text.h"
#include "util/error.h"
#include "util/parallel.h"

namespace casp::data {

namespace {

constexpr const char* long_columns = "the columns unique_id, ds and y, or other usual names of them";

using Names = std::vector<std::string>;

bool holds(const Names& names, const std::string& name) {
    return std::ranges::find(names, name) != names.end();
}

Names with_role(const Names& names, LongRole role) {
    Names found;
    for (const auto& name : names)
        if (has_role(name, role)) found.push_back(name);
    return found;
}

/// The columns of a long file.
struct LongColumns {
    Names ids;
    std::string time;
    bool time_is_number = false;  ///< whole numbers instead of the table's time axis
    std::string target;
    Names others;  ///< left out
};

class LongReader {
public:
    LongReader(const std::filesystem::path& path, const CollectionOptions& options,
               const ProgressFn& progress, const std::stop_token& stop)
        : where_(path.string()),
          options_(options),
          stop_(stop),
          bytes_(read_file(path, thread_count(options.csv.threads), progress, stop)),
          table_(read_as_table(options.csv, progress)),
          text_(decode(bytes_.view(), where_, options.csv, scratch_)),
          labels_(read_ids()) {
        take_other_time(progress);
        find_columns();
    }

    WholeSeries read() {
        const auto times = row_times();
        number_rows(times);
        throw_if_stopped(stop_);
        sort_rows(times);
        WholeSeries whole;
        const auto& values = target().values;
        for (const auto& rows : rows_) {
            whole.file.lines.push_back(table_.line_of(rows.front()));
            for (const auto row : rows) {
                whole.file.values.push_back(values[static_cast<std::size_t>(row)]);
                whole.value_lines.push_back(table_.line_of(row));
            }
            whole.file.ids.push_back(ids_[whole.file.ids.size()]);
            whole.file.offsets.push_back(std::ssize(whole.file.values));
        }
        whole.file.sha256 = table_.sha256;
        whole.no_number = first_no_number();
        whole.frequency = frequency_of(times);
        add_findings(whole);
        return whole;
    }

private:
    Table read_as_table(CsvOptions options, const ProgressFn& progress) const {
        options.newest_first = false;  // rows are sorted within each series
        return parse_csv(bytes_.view(), where_, options, progress, stop_);
    }

    [[nodiscard]] Labels read_ids() const {
        return read_labels(
            text_.view, table_, static_cast<std::size_t>(table_.rows()), [](std::string_view name) {
                return has_role(name, LongRole::series) || has_role(name, LongRole::maybe_series);
            });
    }

    /// If the table's time axis is not the column that a long file calls its time, reads it with that one.
    /// Unix times and dates in digits begin anew with each series, which the reader of tables does not
    /// expect.
    void take_other_time(const ProgressFn& progress) {
        if (options_.csv.time_columns) return;
        const auto names = with_role(table_.header, LongRole::time);
        if (names.empty() || holds(table_.format.time_columns, names.front())) return;
        auto options = options_.csv;
        if (is_number(names.front())) {
            const auto style = number_style(names.front());
            if (style == TimeStyle::automatic || !table_.time.empty()) return;
            options.time_style = style;
        }
        options.time_columns = Names{names.front()};
        table_ = read_as_table(options, progress);
        labels_ = read_ids();
    }

    /// What the numbers of a time column mean; automatic: they are whole numbers.
    [[nodiscard]] TimeStyle number_style(const std::string& name) const {
        const auto at = table_.find_column(name);
        if (at < 0) return TimeStyle::automatic;
        const auto& values = table_.columns[static_cast<std::size_t>(at)].values;
        if (const auto* form = unix_form(values)) return form->style;
        const bool digits = std::ranges::all_of(values, [&](double value) {
            const bool day = value >= 19'000'101 && value <= 22'001'231;
            const bool month = value >= 190'001 && value <= 220'012;
            const bool year = value >= 1500 && value <= 2200 && part_of_name(name) == TimePart::year;
            if (!day && !month && !year) return false;
            TimeText time;
            return read_time(std::to_string(static_cast<std::int64_t>(value)), time, {.digits = true});
        });
        return digits ? TimeStyle::digits : TimeStyle::automatic;
    }

    [[nodiscard]] bool is_number(const std::string& name) const {
        return table_.find_column(name) >= 0 || (table_.row_numbers && table_.row_numbers->name == name);
    }

    void find_columns() {
        find_ids();
        const auto times = with_role(table_.header, LongRole::time);
        if (!table_.format.time_columns.empty() && !table_.time.empty()) {
            columns_.time = table_.format.time_columns.front();
        } else if (!times.empty() && is_number(times.front())) {
            columns_.time = times.front();
            columns_.time_is_number = true;
        } else {
            throw not_long();
        }
        find_target();
        for (const auto& name : table_.header)
            if (!holds(columns_.ids, name) && name != columns_.time && name != columns_.target &&
                !holds(table_.format.time_columns, name))
                columns_.others.push_back(name);
    }

    void find_ids() {
        const auto sure = with_role(table_.header, LongRole::series);
        if (!sure.empty()) {
            columns_.ids = {sure.front()};
            return;
        }
        for (const auto k : series_columns(table_, labels_)) columns_.ids.push_back(labels_.columns[k].name);
        if (columns_.ids.empty()) throw not_long();
    }

    void find_target() {
        Names numbers;
        for (const auto& column : table_.columns)
            if (!holds(columns_.ids, column.name) && column.name != columns_.time)
                numbers.push_back(column.name);
        if (!options_.columns.empty()) {
            if (options_.columns.size() > 1 || !holds(numbers, options_.columns.front()))
                throw input_error("data.columns",
                                  config::in_quotes(config::listed(options_.columns).english()),
                                  Phrase("the one column of the values: %1", config::either(numbers)));
            columns_.target = options_.columns.front();
            return;
        }
        for (const auto role : {LongRole::target, LongRole::maybe_target})
            if (const auto named = with_role(table_.header, role); !named.empty()) {
                const auto usable = with_role(numbers, role);
                if (usable.empty())
                    throw input_error(
                        where_, Phrase("the column %1 holds no numbers", config::in_quotes(named.front())),
                        "the values of the series");
                if (usable.size() == 1 || role == LongRole::target) {
                    columns_.target = usable.front();
                    return;
                }
                throw several_targets(usable);
            }
        if (numbers.empty()) throw not_long();
        if (numbers.size() > 1) throw several_targets(numbers);
        columns_.target = numbers.front();
    }

    [[nodiscard]] Error several_targets(const Names& names) const {
        return input_error(
            where_, Phrase("each of the columns %1 may hold the values of the series", config::listed(names)),
            "one column of values, or one of them called y",
            Phrase("Set data.columns to the one to forecast, as in data.columns = [%1].",
                   config::in_quotes(names.front())));
    }

    [[nodiscard]] Error not_long() const {
        return input_error(where_,
                           Phrase("this is no collection of series: its columns are %1",
                                  shown_text(config::listed(table_.header).english())),
                           long_columns, "For the files of M4, give the folder with Train and Test.");
    }

    [[nodiscard]] const Column& target() const {
        return table_.columns[static_cast<std::size_t>(table_.find_column(columns_.target))];
    }

    std::vector<double> row_times() const {
        if (!columns_.time_is_number) return table_.time;
        if (const auto at = table_.find_column(columns_.time); at >= 0)
            return table_.columns[static_cast<std::size_t>(at)].values;
        std::vector<double> numbers(static_cast<std::size_t>(table_.rows()));
        for (std::size_t i = 0; i < numbers.size(); ++i)
            numbers[i] = table_.row_numbers->first + static_cast<double>(i) * table_.row_numbers->step;
        return numbers;
    }

    [[nodiscard]] std::string time_text(double time) const {
        return columns_.time_is_number ? std::to_string(static_cast<std::int64_t>(time)) : format_time(time);
    }

    [[nodiscard]] Error bad_cell(std::int64_t row, const std::string& column, const Phrase& what,
                                 const Phrase& expected) const {
        return input_error(at_line(where_, table_.line_of(row)),
                           Phrase("%1, column %2: %3", shown_series(id_of_row(row)), column,
                                  shown_text(cell_of(text_.view, table_, row, column)) + what),
                           expected);
    }

    /// The id of a row: its label, or the labels of two columns with "/" between them.
    [[nodiscard]] std::string id_of_row(std::int64_t row) const {
        std::string id;
        for (const auto& name : columns_.ids)
            for (const auto& column : labels_.columns)
                if (column.name == name) {
                    const auto& text = column.texts[column.of_row[static_cast<std::size_t>(row)]];
                    id += (id.empty() ? "" : "/") + text;
                    break;
                }
        return id;
    }

    /// Fills `ids_` and `rows_`.
    void number_rows(const std::vector<double>& times) {
        std::unordered_map<std::string, std::size_t> known;
        std::size_t last = 0;
        for (std::int64_t row = 0; row < table_.rows(); ++row) {
            auto id = id_of_row(row);
            const auto i = static_cast<std::size_t>(row);
            if (id.empty()) {
                if (std::isnan(times[i]) && std::isnan(target().values[i])) continue;  // a row of empty cells
                throw input_error(at_line(where_, table_.line_of(row)),
                                  Phrase("the row has no %1", config::listed(columns_.ids)),
                                  "the id of a series");
            }
            if (std::isnan(times[i]))
                throw bad_cell(row, columns_.time,
                               columns_.time_is_number ? " is not an integer" : " is not a date",
                               "a date, or a whole number, in all rows");
            if (columns_.time_is_number && (times[i] != std::trunc(times[i]) || std::fabs(times[i]) > 9e15))
                throw bad_cell(row, columns_.time, " is not an integer",
                               "whole numbers, or dates, in all rows");
            if (ids_.empty() || ids_[last] != id) {
                const auto [at, added] = known.try_emplace(id, ids_.size());
                if (added) {
                    ids_.push_back(std::move(id));
                    rows_.emplace_back();
                }
                last = at->second;
            }
            rows_[last].push_back(row);
        }
        if (ids_.empty()) throw input_error(where_, "the file has a header and no rows", "a row per value");
    }

    void sort_rows(const std::vector<double>& times) {
        const auto at = [&](std::int64_t row) { return times[static_cast<std::size_t>(row)]; };
        for (std::size_t s = 0; s < rows_.size(); ++s) {
            auto& rows = rows_[s];
            const auto earlier = [&](std::int64_t a, std::int64_t b) { return at(a) < at(b); };
            if (!std::ranges::is_sorted(rows, earlier)) {
                std::ranges::stable_sort(rows, earlier);
                if (sorted_++ == 0) first_sorted_ = s;
            }
            const auto twice = std::ranges::adjacent_find(
                rows, [&](std::int64_t a, std::int64_t b) { return at(a) == at(b); });
            if (twice != rows.end())
                throw input_error(at_line(where_, table_.line_of(twice[1])),
                                  Phrase("%1 has %2 %3 twice, first in line %4", shown_series(ids_[s]),
                                         columns_.time, time_text(at(*twice)), table_.line_of(*twice)),
                                  "one row per series and time", "Remove one of the rows.");
        }
    }

    /// The Error for the first cell of the values that is no number, or infinite.
    [[nodiscard]] std::optional<Error> first_no_number() const {
        for (const auto& warning : table_.warnings) {
            const bool is_infinite = warning.kind == WarningKind::infinite;
            if (warning.column != columns_.target || warning.line == 0 ||
                (!is_infinite && warning.kind != WarningKind::bad_number))
                continue;
            std::int64_t row = 0;
            while (row + 1 < table_.rows() && table_.line_of(row) != warning.line) ++row;
            return number_error(is_infinite ? CellKind::infinite : CellKind::text,
                                cell_of(text_.view, table_, row, columns_.target),
                                at_line(where_, warning.line), id_of_row(row), columns_.target,
                                {.delimiter = table_.format.delimiter});
        }
        return std::nullopt;
    }

    /// That of the options, or of the median step. Notes the steps that differ.
    Frequency frequency_of(const std::vector<double>& times) {
        std::vector<double> steps;
        const auto each_step = [&](const auto& use) {
            for (std::size_t s = 0; s < rows_.size(); ++s)
                for (std::size_t i = 1; i < rows_[s].size(); ++i) {
                    const double before = times[static_cast<std::size_t>(rows_[s][i - 1])];
                    use(s, before, times[static_cast<std::size_t>(rows_[s][i])] - before);
                }
        };
        each_step([&](std::size_t, double, double step) { steps.push_back(step); });
        const auto* given = find_frequency(options_.frequency);
        if (steps.empty()) {
            if (given != nullptr) return *given;
            throw frequency_unknown(Phrase("the only time of each series of %1 does not give it", where_));
        }
        const auto median = steps.begin() + std::ssize(steps) / 2;
        std::nth_element(steps.begin(), median, steps.end());
        const double usual = *median;
        const Step step = columns_.time_is_number ? Step{} : step_of_longest(times);
        each_step([&](std::size_t s, double before, double length) {
            if (length > 0.5 * usual && length < 1.5 * usual) return;
            if (step.is_calendar() && step.leads(before, before + length)) return;  // a weekend
            if (uneven_++ == 0)
                first_uneven_ = Phrase("%1 after %2", shown_series(ids_[s]), time_text(before));
        });
        step_text_ =
            columns_.time_is_number ? Phrase(static_cast<std::int64_t>(usual)) : frequency_name(usual);
        if (given != nullptr) return *given;
        if (step.business_days && step.months == 0) return *frequency_of_name("B");
        if (columns_.time_is_number)
            throw frequency_unknown(
                Phrase("the column %1 (whole numbers) of %2 does not give it", columns_.time, where_));
        return frequency_of_step(usual);
    }

    [[nodiscard]] Step step_of_longest(const std::vector<double>& times) const {
        const auto& rows = *std::ranges::max_element(
            rows_, [](const auto& a, const auto& b) { return a.size() < b.size(); });
        std::vector<double> of_series;
        for (const auto row : rows) of_series.push_back(times[static_cast<std::size_t>(row)]);
        return detect_step(of_series);
    }

    void add_findings(WholeSeries& whole) const {
        const auto is_of_target = [&](const Warning& warning) {
            return warning.column.empty() || warning.column == columns_.target ||
                   holds(table_.format.time_columns, warning.column);
        };
        // Of a table with one row per time, or of other columns.
        static constexpr std::array of_tables{
            WarningKind::duplicate_time,  WarningKind::non_monotonic_time, WarningKind::gap,
            WarningKind::constant_column, WarningKind::missing_value,      WarningKind::not_a_number,
            WarningKind::text_column,     WarningKind::index_column};
        for (const auto& warning : table_.warnings)
            if (is_of_target(warning) && std::ranges::find(of_tables, warning.kind) == of_tables.end())
                whole.warnings.push_back(warning);
        if (!columns_.others.empty())
            whole.warnings.push_back({WarningKind::text_column, 0, columns_.others.front(),
                                      std::ssize(columns_.others),
                                      Phrase("left out: %1; a series has one column of values, %2",
                                             config::listed(columns_.others), columns_.target)});
        if (sorted_ > 0)
            whole.warnings.push_back(
                {WarningKind::non_monotonic_time, 0, columns_.time, sorted_,
                 sorted_ == 1 ? Phrase("the rows of %1 were not in the order of their times; they are sorted",
                                       shown_series(ids_[first_sorted_]))
                              : Phrase("the rows of %1 series, the first is %2, were not in the order of "
                                       "their times; they are sorted",
                                       sorted_, shown_text(ids_[first_sorted_]))});
        if (uneven_ > 0)
            whole.warnings.push_back({WarningKind::gap, 0, columns_.time, uneven_,
                                      uneven_ == 1
                                          ? Phrase("%1 step differs from the usual one (%2), the first in "
                                                   "%3; the values are taken as if they were evenly spaced",
                                                   uneven_, step_text_, first_uneven_)
                                          : Phrase("%1 steps differ from the usual one (%2), the first in "
                                                   "%3; the values are taken as if they were evenly spaced",
                                                   uneven_, step_text_, first_uneven_)});
        const auto because = [&](const std::string& name, bool usual) {
            return usual ? Phrase("its name") : Phrase("the only column that may be it: %1", name);
        };
        whole.readings = table_.readings;
        whole.readings.push_back({"series", config::listed(columns_.ids), "its name", {}});
        whole.readings.push_back(
            {"values", columns_.target,
             options_.columns.empty()
                 ? because(columns_.target, has_role(columns_.target, LongRole::target) ||
                                                has_role(columns_.target, LongRole::maybe_target))
                 : "data.columns",
             "data.columns"});
    }

    const std::string where_;
    const CollectionOptions& options_;
    const std::stop_token stop_;
    const Bytes bytes_;
    Table table_;
    Table scratch_;  ///< takes what decode() finds a second time
    const Text text_;
    Labels labels_;
    LongColumns columns_;
    Names ids_;                                    ///< [series]
    std::vector<std::vector<std::int64_t>> rows_;  ///< [series] rows of the table, by time
    std::int64_t sorted_ = 0;                      ///< series whose rows were not in order
    std::size_t first_sorted_ = 0;
    std::int64_t uneven_ = 0;  ///< steps unlike the usual one
    Phrase first_uneven_;
    Phrase step_text_;
};

}  // namespace

WholeSeries read_long_csv(const std::filesystem::path& path, const CollectionOptions& options,
                          const ProgressFn& progress, const std::stop_token& stop) {
    auto whole = LongReader(path, options, progress, stop).read();
    whole.path = path;
    return whole;
}

}  // namespace casp::data

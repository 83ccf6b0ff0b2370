// Forecasts in a CSV file with a row per value.
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "audit/foreign_forecasts.h"
#include "config/text_utils.h"
#include "data/file_bytes.h"
#include "data/series_csv.h"
#include "data/time_text.h"
#include "util/error.h"

namespace casp::audit {

namespace {

namespace fs = std::filesystem;

enum CellName : std::size_t { cell_window, cell_step, cell_channel, cell_prediction, cell_true };
using CellNames = std::array<std::string, 5>;
constexpr std::size_t no_column = std::numeric_limits<std::size_t>::max();
constexpr std::int64_t largest_index = std::int64_t{1} << 40;

struct ValueRow {
    std::int64_t line, window, step;
    std::size_t channel;
    double prediction, truth;
};

bool is_interval(std::string_view name) {
    return name.find("-lo-") != std::string_view::npos || name.find("-hi-") != std::string_view::npos;
}

/// Reads the rows of the file, in its order. Windows and steps have numbers, or times: `cutoff` and `ds`, in
/// files as --export writes them.
class ValueRows {
public:
    ValueRows(const data::SeriesText& text, const std::string& where)
        : dialect_(text.dialect), where_(where) {
        std::vector<std::string> header;
        each_cell(text.header.data(), text.header.data() + text.header.size(),
                  [&](std::size_t, const data::Cell& cell) {
                      header.emplace_back(data::trimmed(data::unescaped(cell, dialect_.quote)));
                  });
        const auto column_of = [&](std::string_view name) {
            const auto at = std::find_if(header.begin(), header.end(), [&](const std::string& one) {
                return config::same_name(one, name);
            });
            return at == header.end() ? no_column : static_cast<std::size_t>(at - header.begin());
        };
        has_times_ = column_of("window") == no_column && column_of("unique_id") != no_column;
        names_ = has_times_ ? CellNames{"cutoff", "ds", "unique_id", "", "y"}
                            : CellNames{"window", "step", "channel", "prediction", "true"};
        for (std::size_t k = 0; k < names_.size(); ++k)
            if (k != cell_prediction || !has_times_) columns_[k] = column_of(names_[k]);
        for (std::size_t k = 0; k < names_.size(); ++k)
            if (columns_[k] == no_column && !(has_times_ ? k == cell_prediction : k == cell_true))
                throw input_error(
                    where, Phrase("it has no column %1", names_[k]),
                    "the columns window, step, channel and prediction, or unique_id, ds, cutoff, y "
                    "and one of forecasts",
                    "Or give a folder with pred.npy and true.npy, or an .npz file.");
        if (has_times_) columns_[cell_prediction] = forecasts_in(header);
        names_[cell_prediction] = header[columns_[cell_prediction]];
    }

    [[nodiscard]] bool has_times() const { return has_times_; }
    [[nodiscard]] bool has_truth() const { return columns_[cell_true] != no_column; }

    void read(const char* p, const char* end, std::int64_t line, const std::stop_token& stop) {
        for (; p < end; ++line) {
            if (line % 65536 == 0) throw_if_stopped(stop);
            CellNames texts;
            bool empty = true;
            p = each_cell(p, end, [&](std::size_t column, const data::Cell& cell) {
                empty = empty && data::trimmed(cell.text).empty();
                for (std::size_t k = 0; k < columns_.size(); ++k)
                    if (columns_[k] == column)
                        texts[k] = data::trimmed(data::unescaped(cell, dialect_.quote));
            });
            if (!empty) rows.push_back(row_of(texts, line));
        }
    }

    std::vector<ValueRow> rows;
    std::vector<std::string> channels;  ///< in order of first appearance

    /// Numbers windows and steps by their times.
    void number_times() {
        std::map<std::int64_t, std::set<std::int64_t>> steps;  // of each window
        for (const auto& row : rows) steps[row.window].insert(row.step);
        std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> step_numbers;
        std::map<std::int64_t, std::int64_t> window_numbers;
        for (const auto& [window, times] : steps) {
            window_numbers.emplace(window, std::ssize(window_numbers));
            for (std::int64_t number = 0; const auto time : times) step_numbers[{window, time}] = number++;
        }
        for (auto& row : rows) {
            row.step = step_numbers[{row.window, row.step}];
            row.window = window_numbers[row.window];
        }
    }

private:
    /// The only column that is no other and no interval. Throws an input Error.
    [[nodiscard]] std::size_t forecasts_in(const std::vector<std::string>& header) const {
        std::vector<std::string> names;
        std::size_t found = no_column;
        for (std::size_t column = 0; column < header.size(); ++column) {
            const auto& name = header[column];
            if (std::find(columns_.begin(), columns_.end(), column) != columns_.end() || is_interval(name) ||
                name.empty() || config::same_name(name, "index") || name == "Unnamed: 0")
                continue;
            names.push_back(name);
            found = column;
        }
        if (names.size() != 1)
            throw input_error(
                where_,
                names.empty() ? Phrase("it has no column of forecasts")
                              : Phrase("it has the forecasts of several models: %1", config::listed(names)),
                "one column of forecasts beside unique_id, ds, cutoff and y",
                "Keep one, and audit or import each model on its own.");
        return found;
    }

    template <class Use>
    const char* each_cell(const char* p, const char* end, const Use& use) const {
        data::Cell cell;
        std::size_t column = 0;
        do {
            p = data::read_cell(p, end, dialect_, cell);
            use(column++, cell);
        } while (data::next_cell(p, end, dialect_));
        return p < end ? p + 1 : end;
    }

    ValueRow row_of(const CellNames& texts, std::int64_t line) {
        const auto number = [&](CellName cell) {
            return has_times_ ? time(texts[cell], cell, line) : index(texts[cell], cell, line);
        };
        ValueRow row{line, number(cell_window), number(cell_step), channel_of(texts[cell_channel]), 0, 0};
        row.prediction = value(texts[cell_prediction], cell_prediction, line);
        if (has_truth()) row.truth = value(texts[cell_true], cell_true, line);
        return row;
    }

    std::int64_t index(const std::string& text, CellName column, std::int64_t line) const {
        std::int64_t number = 0;
        const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
        if (problem != std::errc() || end != text.data() + text.size() || number < 0 ||
            number > largest_index)
            throw input_error(data::at_line(where_, line),
                              Phrase("column %1: %2 is not an index", names_[column], data::shown_text(text)),
                              "a whole number from 0 on");
        return number;
    }

    /// A number of a row, or milliseconds.
    std::int64_t time(const std::string& text, CellName column, std::int64_t line) const {
        std::int64_t number = 0;
        const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
        if (problem == std::errc() && end == text.data() + text.size()) return number;
        data::TimeText time;
        const double seconds =
            data::read_time(text, time) ? data::seconds_since_1970(time, false) : std::nan("");
        if (!std::isfinite(seconds))
            throw input_error(data::at_line(where_, line),
                              Phrase("column %1: %2 is no time", names_[column], data::shown_text(text)),
                              "the number of a row, or a time such as 2016-07-01 00:00:00");
        return std::llround(seconds * 1000);
    }

    double value(const std::string& text, CellName column, std::int64_t line) const {
        double number = 0;
        const auto kind = data::read_number(text, dialect_.decimal, number);
        if (kind == data::CellKind::text)
            throw input_error(data::at_line(where_, line),
                              Phrase("column %1: %2 is not a number", names_[column], data::shown_text(text)),
                              "a number");
        if (kind == data::CellKind::infinite) return std::numeric_limits<double>::infinity();
        return kind == data::CellKind::number ? number : std::nan("");
    }

    std::size_t channel_of(const std::string& name) {
        const auto [at, is_new] = numbers_.emplace(name, channels.size());
        if (is_new) channels.push_back(name);
        return at->second;
    }

    data::Dialect dialect_;
    const std::string& where_;
    bool has_times_ = false;
    CellNames names_;
    std::array<std::size_t, std::tuple_size_v<CellNames>> columns_{no_column, no_column, no_column, no_column,
                                                                   no_column};
    std::map<std::string, std::size_t> numbers_;
};

/// The Error for the first value without a row; there is one.
Error missing_value(const fs::path& path, const ValueRows& read, const std::vector<std::int64_t>& windows,
                    std::int64_t steps) {
    std::set<std::array<std::int64_t, 3>> present;
    for (const auto& row : read.rows)
        present.insert({row.window, row.step, static_cast<std::int64_t>(row.channel)});
    for (const auto window : windows)
        for (std::int64_t step = 0; step < steps; ++step)
            for (std::size_t k = 0; k < read.channels.size(); ++k)
                if (!present.contains({window, step, static_cast<std::int64_t>(k)}))
                    return input_error(path.string(),
                                       Phrase("window %1 has no step %2 of channel %3", window, step,
                                              data::shown_text(read.channels[k])),
                                       "every step of every channel in each window");
    return input_error(path.string(), "a value is missing");
}

ForeignForecasts to_arrays(const fs::path& path, ValueRows& read) {
    if (read.rows.empty())
        throw input_error(path.string(), "it has no row of values", "a row per window, step and channel");
    if (read.has_times()) read.number_times();
    std::set<std::int64_t> numbers;
    std::int64_t steps = 0;
    for (const auto& row : read.rows) {
        numbers.insert(row.window);
        steps = std::max(steps, row.step + 1);
    }
    const std::vector<std::int64_t> windows(numbers.begin(), numbers.end());
    const std::array<std::int64_t, 3> shape{std::ssize(windows), steps, std::ssize(read.channels)};
    // Before anything is allocated for indices that a short file may name.
    if (steps > std::ssize(read.rows) / (shape[0] * shape[2]))
        throw missing_value(path, read, windows, steps);
    const auto count = static_cast<std::size_t>(shape[0] * shape[1] * shape[2]);
    std::vector<double> prediction(count), truth(read.has_truth() ? count : 0);
    std::vector<std::int64_t> line(count, 0);
    for (const auto& row : read.rows) {
        const auto window = std::lower_bound(windows.begin(), windows.end(), row.window) - windows.begin();
        const auto at = static_cast<std::size_t>((window * shape[1] + row.step) * shape[2]) + row.channel;
        if (line[at] != 0)
            throw input_error(
                data::at_line(path.string(), row.line),
                Phrase("window %1, step %2 and channel %3 occur twice, first in line %4", row.window,
                       row.step, data::shown_text(read.channels[row.channel]), line[at]),
                "one row per window, step and channel");
        line[at] = row.line;
        prediction[at] = row.prediction;
        if (read.has_truth()) truth[at] = row.truth;
    }
    ForeignForecasts forecasts{path, WindowArray(shape, std::move(prediction)), {}, read.channels};
    forecasts.in_original_units = read.has_times();
    if (!read.has_times()) forecasts.window_numbers = windows;
    if (read.has_truth()) forecasts.truth = WindowArray(shape, std::move(truth));
    return forecasts;
}

}  // namespace

ForeignForecasts read_forecasts_csv(const fs::path& path, const std::stop_token& stop) {
    const auto bytes = data::read_file(path, 1, {}, stop);
    const auto where = path.string();
    const auto text = data::series_text(bytes.view(), where);
    ValueRows rows(text, where);
    const char* const begin = text.header.data() + text.header.size();
    const char* const end = text.all.data() + text.all.size();
    const char* first = std::find(begin, end, '\n');
    rows.read(first < end ? first + 1 : end, end, text.header_line + 1, stop);
    return to_arrays(path, rows);
}

}  // namespace casp::audit

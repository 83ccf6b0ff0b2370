#pragma once
// Column definitions of results.csv, also used for the Markdown table and run.json.

#include <charconv>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "store/results.h"

namespace casp::store {

struct ResultColumn {
    using Member = std::variant<std::string ResultRow::*, RunState ResultRow::*, std::int64_t ResultRow::*,
                                double ResultRow::*>;
    const char* name;
    Member member;
    const char* key = nullptr;  ///< dotted configuration key shown in this column; nullptr: none
    bool measured = false;      ///< a result (4 digits in Markdown); false: a setting (all digits)
};

/// The columns of every table, in their order.
[[nodiscard]] const std::vector<ResultColumn>& result_columns();

/// The last columns of tables with collections of series: test_smape, test_mase, test_owa,
/// val_smape.
[[nodiscard]] const std::vector<ResultColumn>& score_columns();

/// A row's text in a column of results.csv.
[[nodiscard]] std::string exact_text(const ResultRow& row, const ResultColumn& column);

/// Columns of measured numbers of both lists: what runs can be compared by.
[[nodiscard]] std::vector<ResultColumn> metric_columns();

/// Whether a row has the scores of a collection of series.
[[nodiscard]] bool has_scores(const ResultRow& row);

/// A column of summary.csv: mean and deviation of a column of results.csv.
struct StatisticColumn {
    const char* name;
    double ResultRow::*of_row;
    Statistic Cell::*of_cell;
};

/// All statistics of a cell, the scores of collections of series last.
[[nodiscard]] const std::vector<StatisticColumn>& statistic_columns();

/// Whether statistic_columns() shows the column for collections of series only.
[[nodiscard]] bool is_score(const StatisticColumn& column);

/// Column for a swept key: "loss.lambda_cov" -> "lambda_cov"; the key itself if it has no column.
[[nodiscard]] std::string column_for_key(const std::string& key);

/// std::to_chars(): independent of the locale.
[[nodiscard]] std::string digits(double value, std::chars_format format, int precision);
/// Shortest text that reads back to the same double; "nan", "inf", "-inf". Independent of the locale.
[[nodiscard]] std::string shortest(double value);
/// Four significant digits ("0.3721", "12.35", "13579"); "–" for NaN.
[[nodiscard]] std::string four_digits(double value);
/// "0.3721 ± 0.0012"; only the mean for n = 1; "–" for n = 0.
[[nodiscard]] std::string mean_and_sd(const Statistic& statistic);

/// A score of M4 as the competition prints it: three decimals, half to even. "–" for NaN.
[[nodiscard]] std::string score_text(double value);
/// "13.912 ± 0.104", as mean_and_sd().
[[nodiscard]] std::string score_and_sd(const Statistic& statistic);

/// A field of a CSV file, quoted if it has to be.
[[nodiscard]] std::string csv_cell(const std::string& text);
/// Lines of fields as CSV: RFC 4180 quoting, LF line ends.
[[nodiscard]] std::string csv(const std::vector<std::vector<std::string>>& lines);
/// The same as a Markdown table with aligned columns: equally long lines, the first one is the header. The
/// columns in `right` are aligned at the right.
[[nodiscard]] std::string markdown(std::vector<std::vector<std::string>> lines, std::vector<bool> right = {});
/// The same for a terminal, with two spaces between the columns.
[[nodiscard]] std::string aligned(const std::vector<std::vector<std::string>>& lines,
                                  std::vector<bool> right = {});

/// A line per series, `id,F1,…,F48`; NA beyond H. `forecasts`: [series, H]. Numbers have the shortest form
/// that reads back to the same double.
[[nodiscard]] std::string submission_csv(const std::vector<std::string>& ids, std::int64_t horizon,
                                         std::span<const double> forecasts);

/// A table as its columns: the head of each and the text of a row in it.
template <class Row>
class TextTable {
public:
    /// `right`: aligned at the right in Markdown and on a terminal.
    void add(std::string head, std::function<std::string(const Row&)> text, bool right = true) {
        heads_.push_back(std::move(head));
        texts_.push_back(std::move(text));
        right_.push_back(right);
    }
    [[nodiscard]] std::string csv(const std::vector<Row>& rows) const { return store::csv(lines(rows)); }
    [[nodiscard]] std::string markdown(const std::vector<Row>& rows) const {
        return store::markdown(lines(rows), right_);
    }
    [[nodiscard]] std::string aligned(const std::vector<Row>& rows) const {
        return store::aligned(lines(rows), right_);
    }

private:
    [[nodiscard]] std::vector<std::vector<std::string>> lines(const std::vector<Row>& rows) const {
        std::vector<std::vector<std::string>> lines{heads_};
        for (const auto& row : rows) {
            lines.emplace_back();
            for (const auto& text : texts_) lines.back().push_back(text(row));
        }
        return lines;
    }

    std::vector<std::string> heads_;
    std::vector<std::function<std::string(const Row&)>> texts_;
    std::vector<bool> right_;
};

}  // namespace casp::store

#pragma once
// From values to texts, and from texts to tables: CSV, Markdown, and for a terminal.

#include <charconv>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "store/results.h"

namespace casp::store {

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

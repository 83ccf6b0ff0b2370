#pragma once
// Column definitions of results.csv, also used for the Markdown table and run.json.

#include <string>
#include <string_view>
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

[[nodiscard]] const std::vector<ResultColumn>& result_columns();

/// Column for a swept key: "loss.lambda_cov" -> "lambda_cov"; the key itself if it has no column.
[[nodiscard]] std::string column_for_key(const std::string& key);

/// Shortest text that reads back to the same double; "nan", "inf", "-inf". Independent of the locale.
[[nodiscard]] std::string shortest(double value);
/// Four significant digits ("0.3721", "12.35", "13579"); "–" for NaN.
[[nodiscard]] std::string four_digits(double value);
/// "0.3721 ± 0.0012"; only the mean for n = 1; "–" for n = 0.
[[nodiscard]] std::string mean_and_sd(const Statistic& statistic);

/// Lines of fields as CSV: RFC 4180 quoting, LF line ends.
[[nodiscard]] std::string csv(const std::vector<std::vector<std::string>>& lines);
/// The same as a Markdown table with aligned columns: equally long lines, the first one is the header. The
/// columns in `right` are aligned at the right.
[[nodiscard]] std::string markdown(std::vector<std::vector<std::string>> lines, std::vector<bool> right = {});
/// The same for a terminal, with two spaces between the columns.
[[nodiscard]] std::string aligned(const std::vector<std::vector<std::string>>& lines,
                                  std::vector<bool> right = {});

}  // namespace casp::store

// CSV import, policies for missing cells, splits and the text of --describe.
#include <algorithm>
#include <cmath>
#include <functional>

#include "data/csv_import.h"
#include "data/describe.h"
#include "data/missing.h"
#include "data/scaler.h"
#include "data/split.h"
#include "fuzz_support.h"

using namespace casp;
using namespace casp::data;

namespace {

/// Chosen by the last byte, so that files that end with a line end are read as they are.
CsvOptions options_for(std::uint8_t choice) {
    CsvOptions options;
    options.threads = 1;
    options.digest = false;
    options.max_columns = 2000;
    options.max_line_bytes = 1u << 16u;
    if (choice == '\n') return options;
    if ((choice & 1u) != 0) options.delimiter = (choice & 2u) != 0 ? ';' : ' ';
    if ((choice & 4u) != 0) options.decimal = ',';
    if ((choice & 8u) != 0) options.header = (choice & 16u) != 0;
    if ((choice & 32u) != 0) options.quote = (choice & 2u) != 0 ? '\0' : '\'';
    if ((choice & 64u) != 0) options.encoding = (choice & 2u) != 0 ? "Latin-1" : "UTF-16LE";
    if ((choice & 128u) != 0)
        options.time_style = (choice & 2u) != 0 ? TimeStyle::month_first : TimeStyle::iso;
    return options;
}

void check(const Table& table) {
    const auto rows = table.rows();
    fuzz::must(!table.columns.empty() && rows > 0, "a table has channels and rows");
    for (const auto& column : table.columns) {
        fuzz::must(static_cast<std::int64_t>(column.values.size()) == rows, "channels are equally long");
        std::int64_t absent = 0;
        for (const double value : column.values) {
            fuzz::must(!std::isinf(value), "no infinite value gets through");
            absent += std::isnan(value) ? 1 : 0;
        }
        fuzz::must(absent == column.missing, "missing cells are counted");
    }
    fuzz::must(table.time.empty() || static_cast<std::int64_t>(table.time.size()) == rows,
               "a time for each row");
    std::vector<std::int64_t> lines;
    for (std::int64_t row = 0; row < std::min<std::int64_t>(rows, 1000); ++row)
        lines.push_back(table.line_of(row));
    if (!table.file_rows.empty()) std::sort(lines.begin(), lines.end());  // rows that were put in order
    fuzz::must(lines.front() > 0 &&
                   std::adjacent_find(lines.begin(), lines.end(), std::greater_equal<>()) == lines.end(),
               "every row has a line of its own, in the file's order");
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    Table table;
    if (!fuzz::accepts(
            [&] { table = parse_csv(bytes, "fuzz.csv", options_for(size == 0 ? 0 : data[size - 1])); }))
        return 0;
    check(table);
    SplitPlan plan;
    const bool fits = fuzz::accepts([&] { plan = plan_split({}, table.rows(), 8, 4); });
    for (const auto policy : {MissingPolicy::error, MissingPolicy::drop_column, MissingPolicy::interpolate,
                              MissingPolicy::keep}) {
        Table clean;
        if (!fuzz::accepts([&] {
                clean = apply_missing_policy(table, {policy, {-9999, 0}, {}}, fits ? plan.scaler_rows : 0);
            }))
            continue;
        check(clean);
        for (const auto& column : clean.columns)
            fuzz::must(column.missing == 0, "a clean table has every value");
        if (!fits) continue;
        const auto scaler = fit_scaler(clean, plan.scaler_rows);
        for (const double deviation : scaler.std)
            fuzz::must(std::isfinite(deviation) && deviation > 0, "every channel can be scaled");
    }
    fuzz::must(!describe(table, fits ? &plan : nullptr, {}).empty(), "every table can be described");
    return 0;
}

#include "data/table.h"

#include <algorithm>
#include <array>

namespace casp::data {

const char* to_string(WarningKind kind) {
    constexpr std::array names{"ragged_row",
                               "bad_number",
                               "missing_value",
                               "duplicate_column",
                               "duplicate_time",
                               "non_monotonic_time",
                               "gap",
                               "constant_column",
                               "sentinel",
                               "not_a_number",
                               "infinite",
                               "encoding",
                               "text_column",
                               "index_column",
                               "time_format",
                               "decimal_sign",
                               "no_row",
                               "order",
                               "clock_channel",
                               "asleep",
                               "catalog",
                               "policy"};
    static_assert(names.size() == static_cast<std::size_t>(WarningKind::policy) + 1);
    return names.at(static_cast<std::size_t>(kind));
}

std::int64_t Table::line_of(std::int64_t row) const {
    if (row >= 0 && row < std::ssize(file_rows)) row = file_rows[static_cast<std::size_t>(row)];
    const auto after = std::upper_bound(line_anchors.begin(), line_anchors.end(), row,
                                        [](std::int64_t r, const auto& anchor) { return r < anchor.first; });
    if (after == line_anchors.begin() || row >= rows() || row < 0) return 0;
    const auto& [first_row, first_line] = *(after - 1);
    return first_line + (row - first_row);
}

std::int64_t Table::find_column(const std::string& name) const {
    for (std::size_t i = 0; i < columns.size(); ++i)
        if (columns[i].name == name) return static_cast<std::int64_t>(i);
    return -1;
}

}  // namespace casp::data

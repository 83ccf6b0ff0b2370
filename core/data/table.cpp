#include "data/table.h"

#include <algorithm>

namespace casp::data {

const char* to_string(WarningKind kind) {
    switch (kind) {
        case WarningKind::ragged_row:
            return "ragged_row";
        case WarningKind::bad_number:
            return "bad_number";
        case WarningKind::missing_value:
            return "missing_value";
        case WarningKind::duplicate_column:
            return "duplicate_column";
        case WarningKind::duplicate_time:
            return "duplicate_time";
        case WarningKind::non_monotonic_time:
            return "non_monotonic_time";
        case WarningKind::gap:
            return "gap";
        case WarningKind::constant_column:
            return "constant_column";
        case WarningKind::sentinel:
            return "sentinel";
        case WarningKind::not_a_number:
            return "not_a_number";
        case WarningKind::infinite:
            return "infinite";
        case WarningKind::encoding:
            return "encoding";
        case WarningKind::text_column:
            return "text_column";
        case WarningKind::index_column:
            return "index_column";
        case WarningKind::time_format:
            return "time_format";
        case WarningKind::decimal_sign:
            return "decimal_sign";
        case WarningKind::catalog:
            return "catalog";
        case WarningKind::policy:
            return "policy";
    }
    return "unknown";
}

std::int64_t Table::line_of(std::int64_t row) const {
    const auto after = std::upper_bound(line_anchors.begin(), line_anchors.end(), row,
                                        [](std::int64_t r, const auto& anchor) { return r < anchor.first; });
    if (after == line_anchors.begin() || row >= rows()) return 0;
    const auto& [first_row, first_line] = *(after - 1);
    return first_line + (row - first_row);
}

std::int64_t Table::find_column(const std::string& name) const {
    for (std::size_t i = 0; i < columns.size(); ++i)
        if (columns[i].name == name) return static_cast<std::int64_t>(i);
    return -1;
}

}  // namespace casp::data

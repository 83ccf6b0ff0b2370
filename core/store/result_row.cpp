#include "store/result_row.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <type_traits>

#include "store/result_columns.h"
#include "util/units.h"

namespace casp::store {

namespace {

/// Calls one of four functions by the type of the value: text, state, count, real number.
template <class... Functions>
struct ByType : Functions... {
    using Functions::operator()...;
};
template <class... Functions>
ByType(Functions...) -> ByType<Functions...>;

const auto as_is = [](const std::string& text) { return text; };
const auto state_text = [](RunState state) { return std::string(to_string(state)); };

}  // namespace

double number_in(const ResultRow& row, const ResultColumn& column) {
    return visit_value(
        row, column,
        ByType{[](const std::string&) { return not_known; }, [](RunState) { return not_known; },
               [&](std::int64_t count) {
                   return column.is_result() && count < 0 ? not_known : static_cast<double>(count);
               },
               [](double number) { return number; }});
}

bool is_known(const ResultRow& row, const ResultColumn& column) {
    return visit_value(
        row, column,
        ByType{[](const std::string& text) { return !text.empty(); }, [](RunState) { return true; },
               [&](std::int64_t count) { return !column.is_result() || count >= 0; },
               [](double number) { return !std::isnan(number); }});
}

void forget(ResultRow& row, const ResultColumn& column) {
    const ResultRow unknown;
    std::visit([&](auto member) { row.*member = unknown.*member; }, column.member);
}

std::string exact_text(const ResultRow& row, const ResultColumn& column) {
    const auto count_text = [&](std::int64_t count) {
        return is_known(row, column) ? std::to_string(count) : std::string();
    };
    return visit_value(row, column,
                       ByType{as_is, state_text, count_text, [](double number) { return shortest(number); }});
}

std::string short_text(const ResultRow& row, const ResultColumn& column) {
    const auto count_text = [&](std::int64_t count) {
        if (!is_known(row, column)) return std::string("–");
        return column.has(ResultColumn::bytes) ? bytes_text(count) : std::to_string(count);
    };
    const auto number_text = [&](double number) {
        if (column.is_score()) return score_text(number);
        return column.is_result() || std::isnan(number) ? four_digits(number) : shortest(number);
    };
    return visit_value(row, column, ByType{as_is, state_text, count_text, number_text});
}

void set_from_text(ResultRow& row, const ResultColumn& column, const std::string& text) {
    const auto set_number = [&](auto& number) {
        auto value = number;
        const auto* end = text.data() + text.size();
        if (std::from_chars(text.data(), end, value).ptr == end && !text.empty()) number = value;
    };
    visit_value(
        row, column,
        ByType{[&](std::string& old) { old = text; },
               [&](RunState& state) { state = run_state_from(text).value_or(state); },
               [&](std::int64_t& count) { set_number(count); }, [&](double& number) { set_number(number); }});
}

bool equal_rows(const ResultRow& a, const ResultRow& b) {
    const auto equal = [&](const ResultColumn& column) {
        return std::visit(
            [&](auto member) {
                return a.*member == b.*member || (!is_known(a, column) && !is_known(b, column));
            },
            column.member);
    };
    return a.swept == b.swept && std::all_of(result_columns.begin(), result_columns.end(), equal) &&
           std::all_of(run_file_metrics.begin(), run_file_metrics.end(), equal);
}

bool has_scores(const ResultRow& row) { return !std::isnan(row.test_smape); }

const std::vector<const ResultColumn*>& metric_columns() {
    static const auto metrics = [] {
        std::vector<const ResultColumn*> found;
        for (const auto& column : result_columns)
            if (column.real() != nullptr) found.push_back(&column);
        return found;
    }();
    return metrics;
}

std::string column_for_key(const std::string& key) {
    for (const auto& column : result_columns)
        if (key == column.source.key) return column.name;
    return key;
}

std::string title_in_sentence(const ResultColumn& column) {
    std::string title = column.title;
    if (!title.empty()) title[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(title[0])));
    return title;
}

std::string axis_title(const ResultColumn& column) {
    const std::string unit = column.unit;
    return title_in_sentence(column) + (unit.empty() ? unit : " (" + unit + ")");
}

}  // namespace casp::store

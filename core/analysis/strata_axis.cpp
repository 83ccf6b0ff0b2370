#include "analysis/strata_axis.h"

#include <algorithm>
#include <cstddef>

#include "config/text_utils.h"
#include "util/error.h"

namespace casp::analysis {

namespace {

std::vector<std::string> factor_texts() {
    std::vector<std::string> texts;
    for (const double factor : penalty_factors) texts.push_back(config::shortest(factor));
    return texts;
}

/// Index of `name`. `what`: "label", "penalty".
std::size_t index_among(const std::vector<std::string>& names, const std::string& name,
                        const std::string& where, const std::string& what) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
    const auto nearest = config::nearest_name(name, names);
    throw input_error(where, "strata have no " + what + " \"" + name + "\"", config::either(names),
                      nearest.empty() ? "" : "Did you mean " + nearest + "?");
}

}  // namespace

const std::vector<std::string>& strata_label_names() {
    static const std::vector<std::string> names{"residual", "trend-change", "trend-change-union",
                                                "trend-strength", "low-frequency"};
    return names;
}

std::string name_of(const StrataAxis& axis) {
    auto name = strata_label_names()[static_cast<std::size_t>(axis.label)];
    if (axis.above_zero()) name += ':' + config::shortest(axis.penalty_factor);
    return name;
}

StrataAxis parse_strata_axis(const std::string& text, const std::string& where) {
    const auto colon = text.find(':');
    StrataAxis axis{
        static_cast<StrataLabel>(index_among(strata_label_names(), text.substr(0, colon), where, "label"))};
    if (colon == std::string::npos) return axis;
    if (!axis.above_zero())
        throw input_error(where, "the label " + text.substr(0, colon) + " has no penalty",
                          text.substr(0, colon));
    axis.penalty_factor =
        penalty_factors[index_among(factor_texts(), text.substr(colon + 1), where, "penalty")];
    return axis;
}

}  // namespace casp::analysis

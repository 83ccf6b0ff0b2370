#include "data/nearest_name.h"

#include <algorithm>
#include <cstddef>
#include <limits>

#include "config/text_utils.h"

namespace casp::data {

namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

}  // namespace

std::string nearest_name(std::string_view name, const std::vector<std::string>& candidates) {
    std::string best;
    std::size_t fewest = std::numeric_limits<std::size_t>::max();
    for (const auto& candidate : candidates) {
        const std::size_t distance =
            config::edit_distance(name.substr(0, 200), std::string_view(candidate).substr(0, 200));
        if (distance < fewest) {
            fewest = distance;
            best = candidate;
        }
    }
    return best;
}

bool same_name(std::string_view a, std::string_view b) {
    return a.size() == b.size() &&
           std::equal(a.begin(), a.end(), b.begin(), [](char x, char y) { return lower(x) == lower(y); });
}

}  // namespace casp::data

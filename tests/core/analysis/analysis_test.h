#pragma once
// What the tests of core/analysis share: comparisons that say what they found.

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <QtGlobal>

namespace casp::test {

inline bool near(double a, double b, double tolerance = 1e-12) { return std::abs(a - b) <= tolerance; }

/// The largest difference; infinite where the sizes differ.
template <class A, class B>
double farthest(const std::vector<A>& a, const std::vector<B>& b) {
    double most = a.size() == b.size() ? 0 : INFINITY;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
        const double difference = std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i]));
        most = difference <= most ? most : difference;  // NaN counts as far
    }
    return most;
}

inline bool says(const std::string& text, const char* part) {
    const bool found = text.find(part) != std::string::npos;
    if (!found) qWarning("\"%s\" is not in: %s", part, text.c_str());
    return found;
}

}  // namespace casp::test

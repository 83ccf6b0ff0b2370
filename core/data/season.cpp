#include "data/season.h"

#include <cmath>

namespace casp::data {

std::int64_t season_of(const Step& step) {
    constexpr double day = 86400;
    if (step.months > 0) return step.months % 12 == 0 ? 1 : 12 % step.months == 0 ? 12 / step.months : 0;
    if (step.business_days) return 5;
    if (!step.is_known()) return 0;
    if (step.seconds < day) {
        const double rows = day / step.seconds;
        return std::abs(rows - std::round(rows)) < 1e-6 ? std::llround(rows) : 0;
    }
    const double days = step.seconds / day;
    if (days == 1) return 7;
    if (days == 7) return 52;
    if (days >= 28 && days <= 31) return 12;
    if (days >= 89 && days <= 92) return 4;
    return days >= 365 && days <= 366 ? 1 : 0;
}

}  // namespace casp::data

#include "train/schedule.h"

#include <algorithm>
#include <cmath>

namespace casp::train {

double learning_rate(const std::string& schedule, double initial, std::int64_t epoch) {
    const auto exponent = static_cast<double>(std::max<std::int64_t>(0, epoch - 2));
    if (schedule == "exponential") return initial * std::pow(0.9, exponent);
    if (schedule == "halving") return initial * std::pow(0.5, exponent);
    return initial;
}

}  // namespace casp::train

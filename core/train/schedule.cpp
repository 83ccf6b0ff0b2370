#include "train/schedule.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace casp::train {

namespace {

/// Half a cosine from `start` (fraction 0) to `end` (fraction 1).
double annealed(double start, double end, double fraction) {
    return end + (start - end) / 2 * (1 + std::cos(std::numbers::pi * fraction));
}

double cosine_rate(const config::Config& config, std::int64_t epoch) {
    constexpr double lowest = 1e-8;
    const auto period = config.train.t_max > 0 ? config.train.t_max : config.train.epochs;
    return annealed(config.train.learning_rate, lowest,
                    static_cast<double>(epoch - 1) / static_cast<double>(period));
}

StepRates one_cycle(const config::Config& config, const TrainingPlace& place) {
    constexpr double first_divisor = 25, last_divisor = 1e4;
    constexpr double high_beta1 = 0.95, low_beta1 = 0.85;
    const double highest = config.train.learning_rate;
    const double first = highest / first_divisor, last = first / last_divisor;
    const double last_step = static_cast<double>(config.train.epochs * place.steps_per_epoch) - 1;
    const double step =
        std::min(static_cast<double>((place.epoch - 1) * place.steps_per_epoch + place.position), last_step);
    const double turn = config.train.pct_start * (last_step + 1) - 1;
    if (step <= turn) {
        const double fraction = turn > 0 ? step / turn : 1;
        return {annealed(first, highest, fraction), annealed(high_beta1, low_beta1, fraction)};
    }
    const double fraction = (step - turn) / (last_step - turn);
    return {annealed(highest, last, fraction), annealed(low_beta1, high_beta1, fraction)};
}

}  // namespace

StepRates rates_at(const config::Config& config, const TrainingPlace& place) {
    const auto& schedule = config.train.schedule;
    const double initial = config.train.learning_rate;
    const auto exponent = static_cast<double>(std::max<std::int64_t>(0, place.epoch - 2));
    if (schedule == "exponential") return {initial * std::pow(0.9, exponent)};
    if (schedule == "halving") return {initial * std::pow(0.5, exponent)};
    if (schedule == "cosine") return {cosine_rate(config, place.epoch)};
    if (schedule == "one-cycle" && place.steps_per_epoch > 0) return one_cycle(config, place);
    return {initial};
}

}  // namespace casp::train

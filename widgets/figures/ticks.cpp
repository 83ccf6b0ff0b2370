#include "figures/ticks.h"

#include <QDateTime>
#include <QLocale>
#include <QTimeZone>

#include <algorithm>
#include <array>
#include <cmath>

namespace casp::figures {
namespace {

constexpr QChar minus(0x2212);

QString with_minus(QString text) { return text.replace(QLatin1Char('-'), minus); }

QString without_zeros(QString text) {
    while (text.contains(QLatin1Char('.')) && (text.endsWith(QLatin1Char('0')))) text.chop(1);
    if (text.endsWith(QLatin1Char('.'))) text.chop(1);
    return with_minus(text);
}

/// "2.0e-05" → "2e−5"
QString scientific(double value, int digits) {
    const auto parts = QString::number(value, 'e', digits).split(QLatin1Char('e'));
    return without_zeros(parts[0]) + QLatin1Char('e') + with_minus(QString::number(parts[1].toInt()));
}

// The smallest nice step with at most `most` multiples in the range.
double nice_step(double min, double max, int most, bool integers) {
    const double span = max - min;
    double power = std::pow(10.0, std::floor(std::log10(span / (most + 1))));
    for (int round = 0; round < 4; ++round, power *= 10) {
        for (const double factor : {1.0, 2.0, 2.5, 5.0}) {
            const double step = factor * power;
            if (integers && (step < 1 || (factor == 2.5 && step < 25))) continue;
            const double count = std::floor(max / step + 1e-9) - std::ceil(min / step - 1e-9) + 1;
            if (count <= most) return step;
        }
    }
    return integers ? std::max(1.0, power) : power;
}

// Decimal digits needed to distinguish multiples of `step`.
int decimals_of(double step) {
    for (int digits = 0; digits < 15; ++digits) {
        const double scaled = step * std::pow(10.0, digits);
        if (std::abs(scaled - std::round(scaled)) < 1e-6 * scaled) return digits;
    }
    return 15;
}

struct Unit {
    double factor;
    const char* suffix;
};

Unit unit_of(double largest, double step) {
    if (largest < 99999) return {1, ""};
    for (const Unit unit : {Unit{1e9, "G"}, Unit{1e6, "M"}, Unit{1e3, "k"}}) {
        if (largest >= unit.factor && decimals_of(step / unit.factor) <= (largest / unit.factor < 10 ? 2 : 1))
            return unit;
    }
    return {1, ""};
}

QString label_of(double value, double step, double largest) {
    if (std::abs(value) < step * 1e-6) return QStringLiteral("0");
    if (largest >= 1e13 || (largest < 1e-3)) {
        const int digits = std::clamp(
            static_cast<int>(std::floor(std::log10(largest)) - std::floor(std::log10(step))), 0, 12);
        return scientific(
            value, digits + (decimals_of(step / std::pow(10.0, std::floor(std::log10(step)))) > 0 ? 1 : 0));
    }
    const Unit unit = unit_of(largest, step);
    return with_minus(QString::number(value / unit.factor, 'f', decimals_of(step / unit.factor))) +
           QLatin1String(unit.suffix);
}

enum class Part { second, day, month, year };

struct TimeStep {
    Part part;
    int count;
    /// About.
    [[nodiscard]] double seconds() const {
        constexpr double day = 86400, of[] = {1, day, 30.4 * day, 365.25 * day};
        return count * of[static_cast<int>(part)];
    }
};

constexpr std::array<TimeStep, 32> time_steps = {
    {{Part::second, 1},        {Part::second, 2},        {Part::second, 5},         {Part::second, 10},
     {Part::second, 30},       {Part::second, 60},       {Part::second, 120},       {Part::second, 300},
     {Part::second, 600},      {Part::second, 1800},     {Part::second, 3600},      {Part::second, 7200},
     {Part::second, 3 * 3600}, {Part::second, 6 * 3600}, {Part::second, 12 * 3600}, {Part::day, 1},
     {Part::day, 2},           {Part::day, 5},           {Part::day, 10},           {Part::day, 15},
     {Part::month, 1},         {Part::month, 2},         {Part::month, 3},          {Part::month, 6},
     {Part::year, 1},          {Part::year, 2},          {Part::year, 5},           {Part::year, 10},
     {Part::year, 20},         {Part::year, 50},         {Part::year, 100},         {Part::year, 500}}};

double seconds_of(const QDate& date) {
    return static_cast<double>(QDateTime(date, QTime(0, 0), Qt::UTC).toSecsSinceEpoch());
}

QDateTime moment(double seconds) {
    return QDateTime::fromMSecsSinceEpoch(std::llround(seconds * 1000), Qt::UTC);
}

// All moments of that step within [min, max].
std::vector<double> moments(double min, double max, const TimeStep& step) {
    std::vector<double> result;
    if (step.part == Part::second) {
        for (double at = std::ceil(min / step.count) * step.count; at <= max; at += step.count)
            result.push_back(at);
        return result;
    }
    QDate date = moment(min).date();
    if (step.part == Part::year)
        date = QDate(date.year() - ((date.year() % step.count) + step.count) % step.count, 1, 1);
    if (step.part == Part::month)
        date = QDate(date.year(), ((date.month() - 1) / step.count) * step.count + 1, 1);
    if (step.part == Part::day) date = QDate(date.year(), date.month(), 1);
    while (date.isValid() && seconds_of(date) <= max) {
        if (seconds_of(date) >= min) result.push_back(seconds_of(date));
        if (step.part == Part::year) date = date.addYears(step.count);
        if (step.part == Part::month) date = date.addMonths(step.count);
        if (step.part == Part::day) {
            // Steps of days restart on the 1st; a remainder of less than half a step is omitted.
            const QDate next = date.addDays(step.count);
            const QDate month = QDate(date.year(), date.month(), 1).addMonths(1);
            date = next >= month || next.daysTo(month) * 2 < step.count ? month : next;
        }
    }
    return result;
}

}  // namespace

QString number_text(double value, int digits) {
    if (std::isnan(value)) return QStringLiteral("–");
    if (std::isinf(value)) return value < 0 ? QString(minus) + QStringLiteral("∞") : QStringLiteral("∞");
    if (value == 0) return QStringLiteral("0");
    const double size = std::abs(value);
    if (size < 1e-4 || size >= 1e15) return scientific(value, digits - 1);
    const int before = static_cast<int>(std::floor(std::log10(size))) + 1;
    return without_zeros(QString::number(value, 'f', std::clamp(digits - before, 0, 12)));
}

QString power_text(int exponent) {
    static const QString digits = QStringLiteral("⁰¹²³⁴⁵⁶⁷⁸⁹");
    QString text = QStringLiteral("10");
    if (exponent < 0) text += QStringLiteral("⁻");
    for (const QChar digit : QString::number(std::abs(exponent))) text += digits.at(digit.digitValue());
    return text;
}

std::vector<Tick> linear_ticks(double min, double max, int most, bool integers) {
    std::vector<Tick> result;
    if (!(max > min) || !std::isfinite(max - min)) return result;
    const double step = nice_step(min, max, std::max(most, 2), integers);
    const double largest = std::max(std::abs(min), std::abs(max));
    const double slack = step * 1e-9;
    for (double index = std::ceil((min - slack) / step); index * step <= max + slack; ++index)
        result.push_back({index * step, label_of(index * step, step, largest), {}, false});
    return result;
}

std::vector<Tick> log_ticks(double min, double max, int most, bool integers) {
    std::vector<Tick> result;
    if (!(min > 0) || !(max > min)) return result;
    const double decades = std::log10(max / min);
    if (decades < 1) {
        // Less than a decade: linear ticks read better than a single power of ten.
        return linear_ticks(min, max, std::max(most, 2), integers);
    }
    const int first = static_cast<int>(std::floor(std::log10(min))),
              last = static_cast<int>(std::ceil(std::log10(max)));
    const int inside =
        static_cast<int>(std::floor(std::log10(max) + 1e-9) - std::ceil(std::log10(min) - 1e-9)) + 1;
    const int every = std::max(1, (inside + most - 1) / std::max(most, 1));
    const bool between = decades <= 2.5 && decades * 3 <= most;
    const bool plain = min >= 0.00099 && max <= 10001;
    for (int exponent = first; exponent <= last; ++exponent) {
        const double power = std::pow(10.0, exponent);
        for (int factor = 1; factor < 10; ++factor) {
            const double at = factor * power;
            if (at < min * (1 - 1e-9) || at > max * (1 + 1e-9)) continue;
            const bool decade = factor == 1 && ((exponent % every) + every) % every == 0;
            const bool label = decade || (between && (factor == 2 || factor == 5));
            if (every > 1 && !decade) continue;
            QString text;
            if (label) text = plain || between ? number_text(at) : power_text(exponent);
            result.push_back({at, text, {}, !label});
        }
    }
    return result;
}

std::vector<Tick> time_ticks(double min, double max, int most) {
    std::vector<Tick> result;
    if (!(max > min) || !std::isfinite(max - min) || std::abs(min) > 1e12 || std::abs(max) > 1e12)
        return result;
    if (max - min < 2) return linear_ticks(min, max, most);
    const TimeStep* step = &time_steps.back();
    for (const TimeStep& candidate : time_steps) {
        if ((max - min) / candidate.seconds() <= std::max(most - 1, 1)) {
            step = &candidate;
            break;
        }
    }
    const QLocale english(QLocale::English);
    QString before;
    for (const double at : moments(min, max, *step)) {
        const QDateTime time = moment(at);
        Tick tick{at, {}, {}, false};
        QString context;
        if (step->part == Part::second) {
            tick.label =
                time.toString(step->count < 60 ? QStringLiteral("HH:mm:ss") : QStringLiteral("HH:mm"));
            context = english.toString(time.date(), QStringLiteral("d MMM yyyy"));
        } else if (step->part == Part::day) {
            tick.label = english.toString(time.date(), QStringLiteral("d MMM"));
            context = QString::number(time.date().year());
        } else if (step->part == Part::month) {
            tick.label = english.toString(time.date(), QStringLiteral("MMM"));
            context = QString::number(time.date().year());
        } else {
            tick.label = QString::number(time.date().year());
        }
        if (context != before) tick.context = context;
        before = context;
        result.push_back(tick);
    }
    return result;
}

std::vector<Tick> category_ticks(const QStringList& names, double min, double max, int most) {
    std::vector<Tick> result;
    const auto first = std::max<std::int64_t>(0, static_cast<std::int64_t>(std::ceil(min)));
    const auto last = std::min<std::int64_t>(names.size() - 1, static_cast<std::int64_t>(std::floor(max)));
    const auto every = std::max<std::int64_t>(1, (last - first + most) / std::max(most, 1));
    for (std::int64_t i = first; i <= last; ++i) {
        if (i % every == 0) result.push_back({static_cast<double>(i), names.at(i), {}, false});
    }
    return result;
}

QString time_text(double seconds, bool clock) {
    if (!std::isfinite(seconds) || std::abs(seconds) > 1e12) return number_text(seconds);
    const QDateTime time = moment(seconds);
    if (!clock && time.time() == QTime(0, 0)) return time.toString(QStringLiteral("yyyy-MM-dd"));
    return time.toString(time.time().second() == 0 && time.time().msec() == 0
                             ? QStringLiteral("yyyy-MM-dd HH:mm")
                             : QStringLiteral("yyyy-MM-dd HH:mm:ss"));
}

bool has_clock(const std::vector<double>& moments) {
    constexpr double day = 86400;
    return std::any_of(moments.begin(), moments.end(),
                       [](double at) { return std::isfinite(at) && std::fmod(at, day) != 0; });
}

}  // namespace casp::figures

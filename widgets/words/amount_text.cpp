#include "words/amount_text.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <QObject>

namespace casp::widgets {

QString bytes_text(std::int64_t bytes) {
    constexpr std::array<const char*, 5> units{"B", "kB", "MB", "GB", "TB"};
    auto value = static_cast<double>(bytes);
    std::size_t unit = 0;
    while (value >= 999.5 && unit + 1 < units.size()) {
        value /= 1000;
        ++unit;
    }
    const int digits = value < 10 && unit > 0 ? 1 : 0;
    return QString::number(value, 'f', digits) + u' ' + QString::fromLatin1(units.at(unit));
}

QString duration_text(double seconds) {
    if (seconds < 1) return QObject::tr("under 1 s");
    const auto all = static_cast<std::int64_t>(std::llround(seconds));
    if (all < 60) return QObject::tr("%1 s").arg(all);
    if (all < 600 && all % 60 != 0) return QObject::tr("%1 min %2 s").arg(all / 60).arg(all % 60);
    const auto minutes = (all + 30) / 60;
    if (minutes < 60) return QObject::tr("%1 min").arg(minutes);
    if (minutes < 48 * 60)
        return minutes % 60 == 0 ? QObject::tr("%1 h").arg(minutes / 60)
                                 : QObject::tr("%1 h %2 min").arg(minutes / 60).arg(minutes % 60);
    return QObject::tr("%1 days").arg((minutes + 720) / 1440);
}

QString about_duration_text(double seconds) {
    const auto text = duration_text(seconds);
    return seconds < 1 ? text : QObject::tr("about %1").arg(text);
}

QString time_left_text(double seconds) {
    if (!(seconds > 0) || !std::isfinite(seconds)) return {};
    // From a minute on in whole minutes: estimates are no better.
    const double rounded = seconds < 60 ? std::max(1.0, std::round(seconds)) : 60 * std::round(seconds / 60);
    return QObject::tr("%1 left").arg(duration_text(rounded));
}

}  // namespace casp::widgets

#include "panels/data/data_text.h"

#include <array>
#include <cmath>

#include <QLocale>

#include "data/describe.h"
#include "data/table.h"
#include "data/time_text.h"
#include "figures/style.h"
#include "words/core_text.h"

namespace casp::widgets {
inline namespace data_page {

QString exact_text(double value) {
    return std::isnan(value) ? QString() : QString::number(value, 'g', QLocale::FloatingPointShortest);
}

QString short_text(double value) {
    if (std::isnan(value)) return QStringLiteral("–");
    const double size = std::fabs(value);
    if (size >= 1000 && size < 1e7) return QString::number(value, 'f', 0);
    return QString::number(value, 'g', 4);
}

QString count_text(std::int64_t count) { return QString::fromStdString(data::with_commas(count)); }

QString counted(std::int64_t count, const QString& one, const QString& several) {
    return count_text(count) + u' ' + (count == 1 ? one : several);
}

QString time_text(double seconds, bool clock_only) {
    if (std::isnan(seconds)) return {};
    QString text = QString::fromStdString(data::format_time(seconds));
    if (clock_only) return text.mid(text.indexOf(u' ') + 1);
    if (text.size() == 19 && text.endsWith(QStringLiteral(":00"))) text.chop(3);
    return text;
}

QString warning_kind_text(int kind) {
    constexpr std::array words{QT_TRANSLATE_NOOP("core", "ragged rows"),
                               QT_TRANSLATE_NOOP("core", "unreadable cells"),
                               QT_TRANSLATE_NOOP("core", "missing cells"),
                               QT_TRANSLATE_NOOP("core", "duplicate columns"),
                               QT_TRANSLATE_NOOP("core", "duplicate times"),
                               QT_TRANSLATE_NOOP("core", "times that decrease"),
                               QT_TRANSLATE_NOOP("core", "gaps in time"),
                               QT_TRANSLATE_NOOP("core", "constant channels"),
                               QT_TRANSLATE_NOOP("core", "suspicious markers"),
                               QT_TRANSLATE_NOOP("core", "NaN cells"),
                               QT_TRANSLATE_NOOP("core", "infinite cells"),
                               QT_TRANSLATE_NOOP("core", "encoding"),
                               QT_TRANSLATE_NOOP("core", "text columns"),
                               QT_TRANSLATE_NOOP("core", "row numbers"),
                               QT_TRANSLATE_NOOP("core", "date order"),
                               QT_TRANSLATE_NOOP("core", "decimal separator"),
                               QT_TRANSLATE_NOOP("core", "lines that are no rows"),
                               QT_TRANSLATE_NOOP("core", "order of rows"),
                               QT_TRANSLATE_NOOP("core", "clocks as channels"),
                               QT_TRANSLATE_NOOP("core", "channels asleep"),
                               QT_TRANSLATE_NOOP("core", "catalogue"),
                               QT_TRANSLATE_NOOP("core", "policy")};
    static_assert(words.size() == static_cast<std::size_t>(data::WarningKind::policy) + 1);
    return translated(words.at(static_cast<std::size_t>(kind)));
}

QString native_text(const std::string& text) { return QString::fromStdString(text); }

QColor blended(const QColor& under, const QColor& colour, double share) {
    const auto mix = [share](float a, float b) { return static_cast<float>(a + (b - a) * share); };
    return QColor::fromRgbF(mix(under.redF(), colour.redF()), mix(under.greenF(), colour.greenF()),
                            mix(under.blueF(), colour.blueF()));
}

}  // namespace data_page
}  // namespace casp::widgets

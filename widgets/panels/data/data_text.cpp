#include "panels/data/data_text.h"

#include <cmath>

#include <QLocale>

#include "data/describe.h"
#include "data/table.h"
#include "data/time_text.h"
#include "figures/style.h"

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

QString counted(std::int64_t count, const QString& word, const QString& plural) {
    return count_text(count) + u' ' +
           (count == 1         ? word
            : plural.isEmpty() ? word + QStringLiteral("s")
                               : plural);
}

QString time_text(double seconds, bool clock_only) {
    if (std::isnan(seconds)) return {};
    QString text = QString::fromStdString(data::format_time(seconds));
    if (clock_only) return text.mid(text.indexOf(u' ') + 1);
    if (text.size() == 19 && text.endsWith(QStringLiteral(":00"))) text.chop(3);
    return text;
}

QString warning_kind_text(int kind) {
    switch (static_cast<data::WarningKind>(kind)) {
        case data::WarningKind::ragged_row:
            return QStringLiteral("ragged rows");
        case data::WarningKind::bad_number:
            return QStringLiteral("unreadable cells");
        case data::WarningKind::missing_value:
            return QStringLiteral("missing cells");
        case data::WarningKind::duplicate_column:
            return QStringLiteral("duplicate columns");
        case data::WarningKind::duplicate_time:
            return QStringLiteral("duplicate times");
        case data::WarningKind::non_monotonic_time:
            return QStringLiteral("times that decrease");
        case data::WarningKind::gap:
            return QStringLiteral("gaps in time");
        case data::WarningKind::constant_column:
            return QStringLiteral("constant channels");
        case data::WarningKind::sentinel:
            return QStringLiteral("suspicious markers");
        case data::WarningKind::not_a_number:
            return QStringLiteral("NaN cells");
        case data::WarningKind::infinite:
            return QStringLiteral("infinite cells");
        case data::WarningKind::encoding:
            return QStringLiteral("encoding");
        case data::WarningKind::text_column:
            return QStringLiteral("text columns");
        case data::WarningKind::index_column:
            return QStringLiteral("row numbers");
        case data::WarningKind::time_format:
            return QStringLiteral("date order");
        case data::WarningKind::decimal_sign:
            return QStringLiteral("decimal sign");
        case data::WarningKind::catalog:
            return QStringLiteral("catalogue");
        case data::WarningKind::policy:
            return QStringLiteral("policy");
    }
    return QStringLiteral("other");
}

QString native_text(const std::string& text) { return QString::fromStdString(text); }

QColor blended(const QColor& under, const QColor& colour, double share) {
    const auto mix = [share](float a, float b) { return static_cast<float>(a + (b - a) * share); };
    return QColor::fromRgbF(mix(under.redF(), colour.redF()), mix(under.greenF(), colour.greenF()),
                            mix(under.blueF(), colour.blueF()));
}

QColor muted_text(const QPalette& palette) {
    return blended(palette.color(QPalette::Base), palette.color(QPalette::Text), 0.68);
}

QColor amber(const QPalette& palette) {
    return figures::is_dark(palette) ? QColor(0xF0B64A) : QColor(0x8A5A00);
}

QColor red(const QPalette& palette) {
    return figures::is_dark(palette) ? QColor(0xFF8A80) : QColor(0xB3261E);
}

}  // namespace data_page
}  // namespace casp::widgets

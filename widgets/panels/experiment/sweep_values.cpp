#include "panels/experiment/sweep_values.h"

#include <algorithm>
#include <cmath>

#include <QObject>
#include <QRegularExpression>

#include "panels/experiment/option_text.h"

namespace casp::widgets {

namespace {

constexpr int max_values = 10000;

struct SweepRange {
    double start = 0, stop = 0;
    int count = 0;
    bool log = false;
};

QString sweep_number(double number, int digits) {
    return value_text(config::Value(QString::number(number, 'g', digits).toDouble()));
}

SweepValues expanded(const config::OptionSpec& option, const SweepRange& range, const QString& typed) {
    SweepValues result;
    for (int i = 0; i < range.count; ++i) {
        const double share = static_cast<double>(i) / (range.count - 1);
        const bool end = i == 0 || i + 1 == range.count;
        double value = range.log ? range.start * std::pow(range.stop / range.start, share)
                                 : range.start + (range.stop - range.start) * share;
        if (i + 1 == range.count) value = range.stop;
        if (option.type == config::OptionType::integer) {
            const auto whole = std::round(value);
            if (std::abs(value - whole) > 1e-9 * std::max(1.0, std::abs(value)))
                return {
                    {},
                    QObject::tr("%1 gives %2; expected whole numbers").arg(typed, sweep_number(value, 6))};
            result.values.append(QString::number(static_cast<qint64>(whole)));
        } else {
            result.values.append(sweep_number(value, range.log && !end ? 4 : 12));
        }
    }
    return result;
}

SweepValues read_range(const config::OptionSpec& option, const QString& typed) {
    auto text = typed.trimmed();
    SweepRange range;
    static const QRegularExpression word(QStringLiteral("^(log|lin(?:ear)?)\\s+|\\s+(log|lin(?:ear)?)$"));
    if (const auto match = word.match(text); match.hasMatch()) {
        range.log = match.captured(0).trimmed() == QStringLiteral("log");
        text.remove(match.capturedStart(), match.capturedLength());
    }
    const auto parts = text.split(u':');
    const auto expected = QObject::tr("expected START:STOP:COUNT, e.g. 0:1:5 or 0.001:1:4 log");
    if (parts.size() != 3) return {{}, QObject::tr("“%1” is not a range; %2").arg(typed, expected)};
    bool good = true, all_good = true;
    range.start = parts[0].trimmed().toDouble(&good);
    all_good &= good && std::isfinite(range.start);
    range.stop = parts[1].trimmed().toDouble(&good);
    all_good &= good && std::isfinite(range.stop);
    range.count = parts[2].trimmed().toInt(&good);
    all_good &= good;
    if (!all_good) return {{}, QObject::tr("“%1” is not a range; %2").arg(typed, expected)};
    if (range.count < 2 || range.count > max_values)
        return {{},
                QObject::tr("“%1” has %2 values; expected 2 to %3")
                    .arg(typed, QString::number(range.count), QString::number(max_values))};
    if (range.start == range.stop)
        return {{},
                QObject::tr("“%1” starts and stops at the same value; expected different values").arg(typed)};
    if (range.log && (range.start <= 0 || range.stop <= 0))
        return {{},
                QObject::tr(
                    "“%1”: a log range needs a start and stop above 0; list 0 separately: 0, 0.001:1:4 log")
                    .arg(typed)};
    return expanded(option, range, typed);
}

bool is_list(const config::OptionSpec& option) {
    using config::OptionType;
    return option.type == OptionType::numbers || option.type == OptionType::strings ||
           option.type == OptionType::split;
}

/// As split_items(), but a list in brackets is one item, as TOML has it.
QStringList items_with_lists(const QString& typed) {
    QStringList items{QString()};
    int depth = 0;
    bool quoted = false;
    for (const auto c : typed) {
        quoted = quoted != (c == u'"');
        if (!quoted) depth += c == u'[' ? 1 : c == u']' ? -1 : 0;
        if (c == u',' && depth <= 0 && !quoted)
            items.append(QString());
        else
            items.back() += c;
    }
    for (auto& item : items) item = item.trimmed();
    if (items.back().isEmpty()) items.removeLast();
    return items;
}

}  // namespace

SweepValues parse_sweep(const config::OptionSpec& option, const QString& typed) {
    SweepValues result;
    const bool numeric =
        option.type == config::OptionType::integer || option.type == config::OptionType::number;
    for (const auto& item : is_list(option) ? items_with_lists(typed) : split_items(typed)) {
        if (item.isEmpty() && option.limits.no_empty_text)
            return {{}, QObject::tr("Empty entry between two commas; expected a value")};
        if (numeric && item.contains(u':')) {
            const auto range = read_range(option, item);
            if (!range.problem.isEmpty()) return range;
            result.values += range.values;
        } else if (option.type == config::OptionType::boolean) {
            const auto word = item.toLower();
            const bool yes = word == QStringLiteral("true") || word == QStringLiteral("on");
            if (!yes && word != QStringLiteral("false") && word != QStringLiteral("off"))
                return {{}, QObject::tr("“%1” is not on or off; expected on or off").arg(item)};
            result.values.append(yes ? QStringLiteral("true") : QStringLiteral("false"));
        } else {
            result.values.append(item);
        }
        if (result.values.size() > max_values)
            return {{}, QObject::tr("More than %1 values; expected at most %1").arg(max_values)};
    }
    // Reported for this field, before the product is formed.
    for (const auto& value : result.values) {
        if (!numeric) break;
        if (const auto parsed = parse_value(option, value); !parsed.value) return {{}, parsed.problem};
    }
    return result;
}

}  // namespace casp::widgets

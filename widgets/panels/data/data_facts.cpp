#include "panels/data/data_facts.h"

#include <algorithm>
#include <vector>

#include <QObject>
#include <QStringList>

#include "data/describe.h"
#include "panels/data/data_text.h"
#include "state/core_text.h"

namespace casp::widgets {

namespace {

QStringList facts_of_table(const DataFile& file) {
    const auto& table = *file.table;
    QStringList parts;
    parts << QStringLiteral("%1 × %2").arg(counted(table.rows(), QObject::tr("row"), QObject::tr("rows")),
                                           counted(static_cast<std::int64_t>(table.columns.size()),
                                                   QObject::tr("channel"), QObject::tr("channels")));
    if (!table.time.empty())
        parts << QStringLiteral("%1 – %2").arg(time_text(table.step.local.shown(table.time.front())),
                                               time_text(table.step.local.shown(table.time.back())));
    else
        parts << QObject::tr("no time column");
    if (table.step.local.zone != nullptr) parts << native_text(table.step.local.zone_name());
    if (table.step.is_known())
        parts
            << QObject::tr("every %1").arg(translated_amount(native_text(data::frequency_name(table.step))));
    if (file.entry != nullptr) parts << QObject::tr("recognised: %1").arg(native_text(file.entry->name));
    if (file.is_corrected()) parts << QObject::tr("read with corrections");
    return parts;
}

QString lengths_text(const data::SeriesCollection& collection) {
    std::vector<std::int64_t> lengths;
    for (std::int64_t series = 0; series < collection.size(); ++series)
        lengths.push_back(collection.length(series));
    const auto [least, most] = std::ranges::minmax_element(lengths);
    if (*least == *most)
        return QObject::tr("%1 each").arg(
            counted(*least, QObject::tr("training value"), QObject::tr("training values")));
    const auto shortest = count_text(*least), longest = count_text(*most);
    const auto middle = lengths.begin() + std::ssize(lengths) / 2;
    std::nth_element(lengths.begin(), middle, lengths.end());
    return QObject::tr("%1 to %2 training values each, median %3")
        .arg(shortest, longest, count_text(*middle));
}

QStringList facts_of_series(const data::SeriesCollection& collection) {
    const auto& frequency = collection.frequency;
    QStringList parts;
    parts << QObject::tr("%1 series").arg(count_text(collection.size())) << lengths_text(collection)
          << QObject::tr("%1 in total").arg(count_text(std::ssize(collection.values)))
          << QObject::tr("H = %1").arg(collection.horizon)
          << QObject::tr("%1, season %2").arg(native_text(frequency.name)).arg(frequency.season);
    if (const auto warnings = std::ssize(collection.warnings); warnings > 0)
        parts << counted(warnings, QObject::tr("warning"), QObject::tr("warnings"));
    return parts;
}

}  // namespace

QString describe_file(const DataFile& file) {
    if (!file.is_read()) return {};
    const auto parts = file.collection != nullptr ? facts_of_series(*file.collection) : facts_of_table(file);
    return parts.join(QStringLiteral("  ·  "));
}

}  // namespace casp::widgets

#include "panels/data/data_filter.h"

#include <QObject>
#include <QStringList>

#include "data/packed_file.h"
#include "data/reader.h"

namespace casp::widgets {

namespace {

QStringList patterns_of(const data::Reader& reader) {
    QStringList patterns;
    for (const auto& extension : reader.extensions)
        patterns << QStringLiteral("*.") + QString::fromStdString(extension);
    return patterns;
}

}  // namespace

QString data_file_patterns() {
    QStringList patterns;
    for (const auto& reader : data::readers()) patterns << patterns_of(reader);
    for (const auto& extension : data::packed_extensions())
        patterns << QStringLiteral("*.") + QString::fromStdString(extension);
    patterns.removeDuplicates();
    return patterns.join(u' ');
}

QString data_file_filters() {
    const auto& readers = data::readers();
    QStringList filters;
    filters << QObject::tr("Data files (%1)").arg(data_file_patterns());
    for (const auto& reader : readers)
        if (!reader.extensions.empty())
            filters << QObject::tr("%1 files (%2)")
                           .arg(QString::fromStdString(reader.title), patterns_of(reader).join(u' '));
    filters << QObject::tr("All files (*)");
    return filters.join(QStringLiteral(";;"));
}

}  // namespace casp::widgets

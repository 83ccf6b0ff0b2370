#include "panels/paper/paper_missing.h"

#include <QObject>
#include <QStringList>

#include "evidence/missing_time.h"
#include "util/embedded.h"

namespace casp::widgets {

using evidence::PaperTable;

QString missing_runs_text(const PaperTable& table) {
    QStringList sentences;
    if (table.missing > 0)
        sentences << (table.missing == 1 ? QObject::tr("1 run is missing.")
                                         : QObject::tr("%1 runs are missing.").arg(table.missing));
    if (table.not_offered > 0)
        sentences << QObject::tr("%1 runs need models or data that this version does not have.")
                         .arg(table.not_offered);
    if (sentences.isEmpty()) sentences << QObject::tr("All runs of this table are finished.");
    return sentences.join(u' ');
}

QString missing_runs_toml(const PaperTable& table, const std::string& name) {
    std::string text(embedded_file("resources/experiments/paper/" + name + ".toml"));
    for (const auto& [key, value] : settings_of_runs(table)) {
        const auto dot = key.find('.');
        const auto section = "\n[" + key.substr(0, dot) + "]\n";
        // A section that the file has cannot be extended from outside.
        if (const auto at = text.find(section); at != std::string::npos)
            text.insert(at + section.size(), key.substr(dot + 1) + " = " + value + "\n");
        else
            text.insert(text.find("\n[") + 1, key + " = " + value + "\n");
    }
    return QString::fromStdString(text);
}

}  // namespace casp::widgets

#include "panels/paper/paper_missing.h"

#include "state/amount_text.h"
#include "state/core_message.h"
#include "util/embedded.h"

namespace casp::widgets {

using evidence::PaperTable;

MissingTime time_of_missing(const PaperTable& table, const PreviewFunction& preview,
                            const std::stop_token& stop) {
    return evidence::time_of_missing(
        table,
        [&](const config::Config& config, const std::stop_token& stop_of_run) {
            const auto estimate = preview(config, stop_of_run);
            return evidence::RunTime{estimate.longest_seconds, estimate.problem.toStdString()};
        },
        stop);
}

QString missing_runs_text(const PaperTable& table, const std::optional<MissingTime>& time, bool pending) {
    QStringList sentences;
    if (table.missing > 0) {
        auto text = table.missing == 1 ? QObject::tr("1 run is missing")
                                       : QObject::tr("%1 runs are missing").arg(table.missing);
        if (pending) text += QObject::tr("; estimating the time…");
        if (time && time->seconds > 0)
            text += QObject::tr(", up to about %1 on this computer").arg(duration_text(time->seconds));
        sentences << (pending ? text : text + u'.');
        if (time && time->unknown > 0)
            sentences << (time->problem.empty()
                              ? QObject::tr("The time of %1 of them is unknown.").arg(time->unknown)
                              : QObject::tr("The time of %1 of them is unknown: %2")
                                    .arg(time->unknown)
                                    .arg(translated_message(time->problem)));
    }
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

#include "gui/session.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSaveFile>
#include <QStandardPaths>

namespace casp::gui {

namespace {

QStringList list_of(const QJsonValue& value) {
    QStringList list;
    for (const auto item : value.toArray()) list << item.toString();
    return list;
}

}  // namespace

SessionFile::SessionFile(const QString& path) : path_(path) {
    if (path_.isEmpty())
        path_ = QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) +
                QStringLiteral("/caspstudio/session.json");
}

SessionState SessionFile::read(QString* problem) const {
    SessionState state;
    QFile file(path_);
    if (!file.exists()) return state;
    QJsonParseError error{};
    QJsonObject root;
    if (file.open(QIODevice::ReadOnly)) root = QJsonDocument::fromJson(file.readAll(), &error).object();
    if (root.isEmpty()) {
        const auto kept = path_ + QStringLiteral(".damaged");
        QFile::remove(kept);
        QFile::rename(path_, kept);
        if (problem != nullptr)
            *problem = QObject::tr("The saved session could not be read (%1); it was kept as %2.")
                           .arg(error.errorString(), kept);
        return state;
    }
    state.output_folder = root["output_folder"].toString();
    state.open_files = list_of(root["open_files"]);
    state.shown_runs = list_of(root["shown_runs"]);
    state.recent_files = list_of(root["recent_files"]);
    state.recent_folders = list_of(root["recent_folders"]);
    state.theme = root["theme"].toString(state.theme);
    state.waiting_runs = list_of(root["waiting_runs"]);
    state.going_runs = list_of(root["going_runs"]);
    state.finishing_runs = list_of(root["finishing_runs"]);
    state.closed_properly = root["closed_properly"].toBool(true);
    const auto parts = root["parts"].toObject();
    for (auto it = parts.begin(); it != parts.end(); ++it)
        state.parts[it.key()] = QByteArray::fromBase64(it.value().toString().toLatin1());
    return state;
}

QString SessionFile::write(const SessionState& state) const {
    QJsonObject parts;
    for (auto it = state.parts.begin(); it != state.parts.end(); ++it)
        parts[it.key()] = QString::fromLatin1(it.value().toBase64());
    const QJsonObject root{{"format_version", 1},
                           {"output_folder", state.output_folder},
                           {"open_files", QJsonArray::fromStringList(state.open_files)},
                           {"shown_runs", QJsonArray::fromStringList(state.shown_runs)},
                           {"recent_files", QJsonArray::fromStringList(state.recent_files)},
                           {"recent_folders", QJsonArray::fromStringList(state.recent_folders)},
                           {"theme", state.theme},
                           {"waiting_runs", QJsonArray::fromStringList(state.waiting_runs)},
                           {"going_runs", QJsonArray::fromStringList(state.going_runs)},
                           {"finishing_runs", QJsonArray::fromStringList(state.finishing_runs)},
                           {"closed_properly", state.closed_properly},
                           {"parts", parts}};
    if (!QDir().mkpath(QFileInfo(path_).absolutePath()))
        return QObject::tr("The session cannot be saved: %1 cannot be made.")
            .arg(QFileInfo(path_).absolutePath());
    QSaveFile file(path_);
    if (!file.open(QIODevice::WriteOnly) || file.write(QJsonDocument(root).toJson()) < 0 || !file.commit())
        return QObject::tr("The session cannot be saved to %1: %2.").arg(path_, file.errorString());
    return {};
}

}  // namespace casp::gui

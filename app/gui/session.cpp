#include "gui/session.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSaveFile>
#include <QStandardPaths>
#include <QStorageInfo>

#include "charts/save_file.h"
#include "util/regular_file.h"
#include "words/plain_text.h"

namespace casp::gui {

namespace {

/// Lists of the session by their keys in the file.
constexpr std::pair<const char*, QStringList SessionState::*> session_lists[]{
    {"open_files", &SessionState::open_files},         {"shown_runs", &SessionState::shown_runs},
    {"recent_files", &SessionState::recent_files},     {"recent_folders", &SessionState::recent_folders},
    {"waiting_runs", &SessionState::waiting_runs},     {"going_runs", &SessionState::going_runs},
    {"finishing_runs", &SessionState::finishing_runs}, {"failed_runs", &SessionState::failed_runs}};

/// True also for a dangling link.
bool is_there(const QString& path) { return QFileInfo::exists(path) || QFileInfo(path).isSymLink(); }

/// Returns the problem, or "".
QString move_aside(const QString& path, const QString& kept) {
    QFile file(path);
    return file.rename(kept) ? QString() : file.errorString();
}

}  // namespace

QString free_name(const QString& name) {
    for (int number = 1;; ++number) {
        const auto tried = number == 1 ? name : QStringLiteral("%1-%2").arg(name, QString::number(number));
        if (!is_there(tried)) return tried;
    }
}

SessionFile::SessionFile(const QString& path) : path_(path) {
    if (path_.isEmpty())
        path_ = QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) +
                QStringLiteral("/caspstudio/session.json");
}

SessionFile SessionFile::of_window(int number) const {
    if (number < 2) return *this;
    const QFileInfo info(path_);
    return SessionFile(
        QStringLiteral("%1/%2-%3.%4")
            .arg(info.path(), info.completeBaseName(), QString::number(number), info.suffix()));
}

std::unique_ptr<QLockFile> SessionFile::lock(bool* impossible) const {
    auto lock = std::make_unique<QLockFile>(path_ + QStringLiteral(".lock"));
    lock->setStaleLockTime(0);  // take over the lock of a dead process only
    const bool mine = lock->tryLock(0);
    if (impossible != nullptr) *impossible = !mine && lock->error() != QLockFile::LockFailedError;
    return mine ? std::move(lock) : nullptr;
}

SessionState SessionFile::read(QString* problem, bool owner) {
    QString ignored;
    auto& message = problem != nullptr ? *problem : ignored;
    SessionState state;
    unread_ = false;
    if (!is_there(path_)) return state;
    QByteArray text;
    try {
        constexpr std::size_t longest = std::size_t{256} << 20;
        text = QByteArray::fromStdString(
            RegularFile(QFile::encodeName(path_).toStdString(), "the saved session").read_all(longest));
    } catch (const std::exception& error) {
        unread_ = owner;
        message = QObject::tr("The saved session could not be opened; starting with an empty session. %1")
                      .arg(widgets::plain_text(error));
        return state;
    }
    QJsonParseError error{};
    const auto root = QJsonDocument::fromJson(text, &error).object();
    if (root.isEmpty()) {
        const auto why =
            error.error != QJsonParseError::NoError ? error.errorString() : QObject::tr("the file is empty");
        message = QObject::tr("The saved session %1 could not be read (%2)").arg(path_, why);
        const auto kept = free_name(path_ + QStringLiteral(".damaged"));
        const auto failure = owner ? move_aside(path_, kept) : QString();
        if (!owner)
            message += '.';
        else if (failure.isEmpty())
            message += QObject::tr("; the file was kept as %1.").arg(kept);
        else
            message += QObject::tr(", and the file could not be kept as %1: %2.").arg(kept, failure);
        return state;
    }
    state.output_folder = root["output_folder"].toString();
    state.output_drive = root["output_drive"].toString();
    state.theme = root["theme"].toString(state.theme);
    for (const auto& [key, list] : session_lists) state.*list = root[key].toVariant().toStringList();
    state.closed_properly = root["closed_properly"].toBool(true);
    const auto parts = root["parts"].toObject();
    for (auto it = parts.begin(); it != parts.end(); ++it)
        state.parts[it.key()] = QByteArray::fromBase64(it.value().toString().toLatin1());
    return state;
}

QString SessionFile::write(const SessionState& state) {
    if (unread_ && is_there(path_)) {
        const auto kept = free_name(path_ + QStringLiteral(".unread"));
        if (const auto failure = move_aside(path_, kept); !failure.isEmpty())
            return QObject::tr(
                       "The session cannot be saved: the previous file, which could not be opened, "
                       "cannot be kept as %1: %2.")
                .arg(kept, failure);
    }
    unread_ = false;
    QJsonObject parts;
    for (auto it = state.parts.begin(); it != state.parts.end(); ++it)
        parts[it.key()] = QString::fromLatin1(it.value().toBase64());
    QJsonObject root{{"format_version", 1},
                     {"output_folder", state.output_folder},
                     {"output_drive", state.output_drive},
                     {"theme", state.theme},
                     {"closed_properly", state.closed_properly},
                     {"parts", parts}};
    for (const auto& [key, list] : session_lists) root[key] = QJsonArray::fromStringList(state.*list);
    if (!QDir().mkpath(QFileInfo(path_).absolutePath()))
        return QObject::tr("The session cannot be saved: %1 cannot be created.")
            .arg(QFileInfo(path_).absolutePath());
    QSaveFile file(path_);
    if (!file.open(QIODevice::WriteOnly) || file.write(QJsonDocument(root).toJson()) < 0 ||
        !widgets::commit_whole(file))
        return QObject::tr(
                   "The session cannot be saved to %1: %2. Free disk space, or grant write permission.")
            .arg(path_, file.errorString());
    return {};
}

QString drive_of(const QString& folder) {
    return QFileInfo(folder).isDir() ? QStorageInfo(folder).rootPath() : QString();
}

QString LeftSessions::take(int own) {
    own_ = own;
    left_.clear();
    cut_off_.clear();
    QStringList problems;
    for (int number = own + 1; number <= SessionFile::max_windows; ++number) {
        auto file = first_.of_window(number);
        if (!QFileInfo::exists(file.path())) continue;
        auto lock = file.lock();
        if (!lock) continue;  // its window is open
        QString problem;
        auto state = file.read(&problem);
        if (!problem.isEmpty()) {
            problems << problem;
            continue;
        }
        if (!state.closed_properly) cut_off_.push_back(number);
        if (!state.going_runs.isEmpty() || !state.waiting_runs.isEmpty())
            left_.push_back({std::move(file), std::move(state), std::move(lock)});
    }
    return problems.join(' ');
}

std::vector<const SessionState*> LeftSessions::states() const {
    std::vector<const SessionState*> states;
    for (const auto& left : left_) states.push_back(&left.state);
    return states;
}

void LeftSessions::release_runs() {
    for (auto& left : left_) {
        left.state.going_runs.clear();
        left.state.waiting_runs.clear();
        left.state.finishing_runs.clear();
        left.state.failed_runs.clear();
        // If this fails, the next start finds the runs twice and offers them once.
        (void)left.file.write(left.state);
    }
    left_.clear();
}

int LeftSessions::windows_to_open() const {
    int count = 0;
    for (int number = own_ + 1; !cut_off_.empty() && number <= cut_off_.back(); ++number)
        if (first_.of_window(number).lock()) ++count;
    return count;
}

void LeftSessions::forget_cut_off() {
    for (const int number : cut_off_) {
        auto file = first_.of_window(number);
        const auto lock = file.lock();
        if (!lock) continue;
        QString problem;
        auto state = file.read(&problem);
        state.closed_properly = true;
        if (problem.isEmpty()) (void)file.write(state);
    }
    cut_off_.clear();
}

}  // namespace casp::gui

#pragma once
// What the window remembers between starts, and what it saves all the time so that a crash loses nothing.

#include <memory>

#include <QByteArray>
#include <QHash>
#include <QLockFile>
#include <QString>
#include <QStringList>

namespace casp::gui {

/// Everything that was entered or arranged. Plain data; JSON on disk.
struct SessionState {
    QString output_folder;   ///< where runs are kept
    QString output_drive;    ///< what was mounted there, see drive_of(), when runs were seen in it last
    QStringList open_files;  ///< CSVs in the Data page
    QStringList shown_runs;  ///< selection
    QStringList recent_files, recent_folders;
    QString theme = QStringLiteral("system");
    QHash<QString, QByteArray> parts;  ///< state of each panel by name, window geometry and docks among them
    QStringList waiting_runs;          ///< folders of queued runs, in order
    QStringList going_runs;            ///< folders of runs that this program trained when it was saved
    QStringList finishing_runs;        ///< those of them that were asked to finish early
    QStringList failed_runs;           ///< those of them that failed and have a checkpoint
    bool closed_properly = true;       ///< false while the program runs
};

/// The file `session.json` in the user's data folder; written atomically.
class SessionFile {
public:
    /// Empty: the default place ($XDG_DATA_HOME/caspstudio/session.json).
    explicit SessionFile(const QString& path = {});

    /// Defaults where there is none, where it cannot be opened and where it is damaged; `problem` says why.
    /// `owner`: the caller holds the lock and writes this file from now on. What it could not read is then
    /// kept beside it: a damaged file at once as session.json.damaged; one that did not open, before write()
    /// replaces it, as session.json.unread, since it may open the next time (…-2, …-3 where one is kept
    /// already).
    [[nodiscard]] SessionState read(QString* problem = nullptr, bool owner = true);
    /// Returns what went wrong, or "".
    [[nodiscard]] QString write(const SessionState& state);
    [[nodiscard]] const QString& path() const { return path_; }
    /// The session of the `number`-th window that is open at the same time: session-2.json, …
    [[nodiscard]] SessionFile of_window(int number) const;
    static constexpr int most_windows = 20;
    /// Makes the caller its owner as long as the lock lives; a dead window's lock is taken over. Null:
    /// another window has it, or (`impossible`) no file can be made there.
    [[nodiscard]] std::unique_ptr<QLockFile> lock(bool* impossible = nullptr) const;

private:
    QString path_;
    bool unread_ = false;  ///< there is one that did not open
};

/// `name`, or `name`-2, -3, … where something stands there: what is kept must not take the place of what was
/// kept before.
[[nodiscard]] QString free_name(const QString& name);

/// The mount point of the file system that holds the folder: "/mnt/lab", "/", …; "" where there is no such
/// folder. A drive that is not mounted leaves an empty folder of another one.
[[nodiscard]] QString drive_of(const QString& folder);

}  // namespace casp::gui

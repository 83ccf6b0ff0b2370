#pragma once
// Session of a window: its state between starts, saved continuously so that a crash loses nothing.

#include <memory>
#include <utility>
#include <vector>

#include <QByteArray>
#include <QHash>
#include <QLockFile>
#include <QString>
#include <QStringList>

namespace casp::gui {

/// All input and the layout of the window. Plain data; JSON on disk.
struct SessionState {
    QString output_folder;   ///< folder of the runs
    QString output_drive;    ///< its mount point (drive_of()) when runs were last seen there
    QStringList open_files;  ///< CSV files on the Data page
    QStringList shown_runs;  ///< shown runs, in order
    QStringList recent_files, recent_folders;
    QString theme = QStringLiteral("system");
    QHash<QString, QByteArray> parts;  ///< state of each panel by name, including window geometry and docks
    QStringList waiting_runs;          ///< folders of queued runs, in order
    QStringList going_runs;            ///< folders of runs that were running when it was saved
    QStringList finishing_runs;        ///< the running ones that were to finish early
    QStringList failed_runs;           ///< the ones that failed and have a checkpoint
    bool closed_properly = true;       ///< false while the program is running
};

/// The file `session.json` in the user's data folder; written atomically.
class SessionFile {
public:
    /// Empty: the default place ($XDG_DATA_HOME/caspstudio/session.json).
    explicit SessionFile(const QString& path = {});

    /// Returns defaults if the file does not exist, cannot be opened or is damaged; `problem` gives the
    /// reason. `owner`: the caller holds the lock and will write this file. An unreadable file is then kept:
    /// a damaged one immediately as session.json.damaged; one that could not be opened as
    /// session.json.unread, only when write() replaces it, because it may be readable next time (…-2, …-3 if
    /// these names are taken).
    [[nodiscard]] SessionState read(QString* problem = nullptr, bool owner = true);
    /// Returns the problem, or "".
    [[nodiscard]] QString write(const SessionState& state);
    [[nodiscard]] const QString& path() const { return path_; }
    /// The session of the `number`-th simultaneously open window: session-2.json, …
    [[nodiscard]] SessionFile of_window(int number) const;
    static constexpr int max_windows = 20;
    /// Makes the caller the owner for the lifetime of the lock; the lock of a dead window is taken over. Null
    /// if another window holds it, or (`impossible`) if no file can be created there.
    [[nodiscard]] std::unique_ptr<QLockFile> lock(bool* impossible = nullptr) const;

private:
    QString path_;
    bool unread_ = false;  ///< the file exists but could not be opened
};

/// Returns `name`, or `name`-2, -3, … if it exists, so that kept files are not overwritten.
[[nodiscard]] QString free_name(const QString& name);

/// Mount point of the file system that contains the folder: "/mnt/lab", "/", …; "" if the folder does not
/// exist. An unmounted drive leaves an empty folder on another file system.
[[nodiscard]] QString drive_of(const QString& folder);

/// Adopts the sessions of further windows (session-2.json, …) that were closed or killed. Their runs move to
/// this window's session, because it is unknown when as many windows will be open again. Their input stays in
/// their files for those windows. GUI thread.
class LeftSessions {
public:
    explicit LeftSessions(SessionFile first) : first_(std::move(first)) {}

    /// Reads the sessions after that of the `own`-th window and locks them until release_runs(), so that no
    /// other window adopts the same runs. Returns the problem, or "".
    [[nodiscard]] QString take(int own);
    [[nodiscard]] std::vector<const SessionState*> states() const;
    /// Call after the runs were saved in another session: removes them from these sessions and unlocks the
    /// files.
    void release_runs();
    /// Sessions whose window was killed, until forget_cut_off().
    [[nodiscard]] int cut_off() const { return static_cast<int>(cut_off_.size()); }
    /// Number of windows to open so that all killed ones are open again.
    [[nodiscard]] int windows_to_open() const;
    /// Marks them as closed; their input is kept.
    void forget_cut_off();

private:
    struct Left {
        SessionFile file;
        SessionState state;
        std::unique_ptr<QLockFile> lock;
    };
    const SessionFile first_;
    int own_ = 1;
    std::vector<Left> left_;
    std::vector<int> cut_off_;  ///< window numbers, ascending
};

}  // namespace casp::gui

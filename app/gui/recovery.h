#pragma once
// Unfinished work of former windows: runs that can be resumed, runs on a drive that is away, windows that
// were cut off.

#include <QObject>
#include <QSet>
#include <QStringList>
#include <QTimer>

#include "gui/session.h"

namespace casp::widgets {
class RunLibrary;
}

namespace casp::gui {

class Launcher;
class Notices;
class RunQueue;
class SessionKeeper;

class Recovery : public QObject {
    Q_OBJECT
public:
    /// All must outlive it.
    Recovery(SessionKeeper& session, const widgets::RunLibrary& library, const RunQueue& queue,
             Launcher& launcher, Notices& notices, QObject* parent);

    /// The output folder of the session is open: looks for its drive.
    void begin();
    /// Offers the runs of this window's session and of those that other windows left behind.
    void offer(const SessionState& saved);
    void note_failed_run(const QString& run_folder);
    /// The program that is started for windows that were cut off; by default this one.
    void set_program(const QString& program, const QStringList& arguments) {
        program_ = program;
        program_arguments_ = arguments;
    }

Q_SIGNALS:
    void resumed();

private:
    /// Runs that may be resumed. `finishing`: only to be evaluated. `cut_off`: their window was not closed.
    struct Runs {
        QStringList going, waiting, finishing, failed, cut_off;
        [[nodiscard]] bool is_empty() const { return going.isEmpty() && waiting.isEmpty(); }
    };
    [[nodiscard]] static Runs unfinished_of(const SessionState& saved);
    /// Adds a folder with what `from` knows of it.
    static void keep(Runs& runs, const QString& folder, const Runs& from, bool going);
    /// Into the offered, away or damaged ones; finished and removed runs are dropped. `output_folder` and
    /// `drive` as in their session.
    void sort_out(const Runs& runs, const QString& output_folder, const QString& drive);
    void show_offer();
    void offer_windows();
    void open_windows();
    void report_away();
    /// Is the drive of the output folder there? Runs that were away are offered when they are back.
    void check_drive();
    void gather(SessionState& state);

    SessionKeeper& session_;
    const widgets::RunLibrary& library_;
    const RunQueue& queue_;
    Launcher& launcher_;
    Notices& notices_;
    Runs offered_;          ///< not answered yet
    Runs away_;             ///< not reachable, for example on a drive that is not mounted
    Runs damaged_;          ///< cannot be read
    QString drive_folder_;  ///< the output folder whose drive the session holds
    bool drive_is_away_ = false;
    QTimer drive_timer_;                    ///< many runs come and go at once
    QSet<QString> failed_with_checkpoint_;  ///< of this window
    QString program_;
    QStringList program_arguments_;
};

}  // namespace casp::gui

// What former windows left unfinished: runs that may go on, runs on a drive that is away, windows that were
// cut off.

#include <utility>

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QProcess>

#include "gui/info_bar.h"
#include "gui/launcher.h"
#include "gui/main_window.h"
#include "gui/notices.h"
#include "run/run.h"
#include "state/file_run_library.h"
#include "store/run_folder.h"

namespace casp::gui {

void MainWindow::tell_away() {
    QStringList texts, names;
    if (drive_is_away_)
        texts << tr("The drive of the runs is not there: %1 was on %2, and is an empty folder of another "
                    "drive now. "
                    "Its runs come back to the list with it; what is started before is written to the other "
                    "drive.")
                     .arg(QDir::toNativeSeparators(state_.output_folder),
                          QDir::toNativeSeparators(state_.output_drive));
    for (const auto& folder : away_.going + away_.waiting) names << QDir::toNativeSeparators(folder);
    if (!names.isEmpty())
        texts
            << (names.size() == 1
                    ? tr("A run that was not finished cannot be reached now: %1. It is offered again when "
                         "its "
                         "folder is back, at the latest when the window is opened again.")
                    : tr("Runs that were not finished cannot be reached now: %1. They are offered again when "
                         "their folders are back, at the latest when the window is opened again."))
                   .arg(names.join(QStringLiteral(", ")));
    if (texts.isEmpty()) return info_->remove(QStringLiteral("away"));
    std::vector<InfoButton> buttons;
    if (!names.isEmpty())
        buttons.push_back(
            {tr("Forget"), tr("They are not offered any more; their files stay as they are"), [this] {
                 away_ = {};
                 save_timer_.start();
             }});
    info_->show_message(QStringLiteral("away"), texts.join(' '), false, buttons);
}

void MainWindow::look_for_drive() {
    if (drive_folder_ != state_.output_folder) {  // another one was chosen
        drive_folder_ = state_.output_folder;
        state_.output_drive.clear();
    }
    const auto drive = drive_of(state_.output_folder);
    const bool has_runs = library_->size() > 0 && QFileInfo::exists(library_->at(0).folder);
    const bool was_away = drive_is_away_;
    drive_is_away_ =
        !has_runs && !drive.isEmpty() && !state_.output_drive.isEmpty() && drive != state_.output_drive;
    const auto waited_for = away_.going.size() + away_.waiting.size();
    if (waited_for > 0) {
        sort_out(std::exchange(away_, {}), state_.output_folder, state_.output_drive);
        if (away_.going.size() + away_.waiting.size() < waited_for) show_offer();
    }
    // What is waited for is recognised by the drive it was on.
    if (has_runs && away_.is_empty()) state_.output_drive = drive;
    if (drive_is_away_ != was_away || waited_for != away_.going.size() + away_.waiting.size()) tell_away();
}

MainWindow::OfferedRuns MainWindow::unfinished_of(const SessionState& saved) {
    return {saved.going_runs, saved.waiting_runs, saved.finishing_runs, saved.failed_runs,
            saved.closed_properly ? QStringList() : saved.going_runs};
}

void MainWindow::keep(OfferedRuns& runs, const QString& folder, const OfferedRuns& from, bool going) {
    auto& list = going ? runs.going : runs.waiting;
    if (runs.going.contains(folder) || runs.waiting.contains(folder)) return;
    list << folder;
    if (from.finishing.contains(folder)) runs.finishing << folder;
    if (from.failed.contains(folder)) runs.failed << folder;
    if (from.cut_off.contains(folder)) runs.cut_off << folder;
}

void MainWindow::sort_out(const OfferedRuns& runs, const QString& output_folder, const QString& drive) {
    /// By itself or with its batch a run was removed; with the folder of all runs, or with the drive that was
    /// mounted there, it may come back.
    const auto may_come_back = [&](const QString& folder) {
        const auto batch = QFileInfo(folder).path(), all = QFileInfo(batch).path();
        if (!QFileInfo::exists(all)) return true;
        if (all == output_folder && !drive.isEmpty()) return drive_of(all) != drive;
        return QDir(all).isEmpty(QDir::AllEntries | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot);
    };
    for (const auto& folder : runs.going + runs.waiting) {
        const bool was_going = runs.going.contains(folder);
        if (!QFileInfo::exists(folder)) {
            if (may_come_back(folder)) keep(away_, folder, runs, was_going);
            continue;
        }
        try {
            if (store::RunLock::holder(store::RunFolder(folder.toStdString())))
                continue;  // somebody else goes on
            switch (run::folder_content(folder.toStdString())) {
                case run::FolderContent::resumable:
                case run::FolderContent::started:
                    keep(offered_, folder, runs, true);
                    break;
                case run::FolderContent::empty:
                    if (QFileInfo::exists(folder + "/config.toml")) keep(offered_, folder, runs, false);
                    break;
                case run::FolderContent::complete:
                    break;
            }
        } catch (const std::exception& problem) {  // a damaged folder must not keep the window from opening
            notices_->log(QString::fromUtf8(problem.what()), Notices::Level::error, folder);
            keep(damaged_, folder, runs, was_going);
        }
    }
}

void MainWindow::offer_recovery(const SessionState& saved) {
    sort_out(unfinished_of(saved), saved.output_folder, saved.output_drive);
    for (const auto* left : left_sessions_.states()) {
        sort_out(unfinished_of(*left), left->output_folder, left->output_drive);
        save_timer_.start();  // they are this window's from now on
    }
    tell_away();
    offer_windows();
    show_offer();
}

void MainWindow::show_offer() {
    if (offered_.is_empty()) return;
    QStringList stopped, cut_off, failed, texts;
    for (const auto& folder : offered_.going) {
        auto& list = offered_.failed.contains(folder)    ? failed
                     : offered_.cut_off.contains(folder) ? cut_off
                                                         : stopped;
        list << QFileInfo(folder).dir().dirName() + '/' + QFileInfo(folder).fileName();
    }
    const auto say_of = [&](const QStringList& runs, const QString& text) {
        if (!runs.isEmpty()) texts << text.arg(runs.join(QStringLiteral(", ")));
    };
    say_of(cut_off, tr("%1 was cut off and can go on from its last checkpoint."));
    say_of(stopped, tr("%1 was stopped when the window closed and can go on from its checkpoint."));
    say_of(failed, tr("%1 failed, and can be tried again from its checkpoint."));
    if (const auto waiting = offered_.waiting.size(); waiting > 0)
        texts << (waiting == 1 ? tr("One run waited in the queue.")
                               : tr("%1 runs waited in the queue.").arg(waiting));
    const auto answered = [this] {
        save_timer_.start();
        return std::exchange(offered_, {});
    };
    info_->show_message(QStringLiteral("recovery"), texts.join(' '), false,
                        {{tr("Continue"), tr("Continues to the same bits as if it had never stopped"),
                          [this, answered] {
                              const auto runs = answered();
                              for (const auto& folder : runs.going + runs.waiting)
                                  launcher_->resume(folder, runs.finishing.contains(folder));
                              show_dock("training");
                          }},
                         {tr("Not now"), tr("The runs stay in the list; Continue is in their menu"),
                          [answered] { (void)answered(); }}});
}

void MainWindow::offer_windows() {
    const int count = left_sessions_.cut_off();
    if (count == 0) return;
    info_->show_message(
        QStringLiteral("windows"),
        count == 1 ? tr("Another window of CASP Studio was cut off. What was entered in it is kept.")
                   : tr("%1 other windows of CASP Studio were cut off. What was entered in them is kept.")
                         .arg(count),
        false,
        {{count == 1 ? tr("Open it again") : tr("Open them again"),
          tr("Starts CASP Studio once more, with what was entered there"), [this] { open_windows(); }},
         {tr("Not now"), tr("It comes back when as many windows are open again"), [this] {
              (void)save_session();  // lets their files go
              left_sessions_.forget_cut_off();
          }}});
}

void MainWindow::open_windows() {
    // Lets their files go; where that fails it is said, and they are offered at the next start.
    if (!save_session()) return;
    const auto program = program_.isEmpty() ? QCoreApplication::applicationFilePath() : program_;
    for (int left = left_sessions_.windows_to_open(); left > 0; --left)
        if (!QProcess::startDetached(program, program_arguments_))
            return say(
                tr("%1 could not be started. Start CASP Studio once more yourself: what was entered in the "
                   "other window is there.")
                    .arg(QDir::toNativeSeparators(program)),
                true);
}

}  // namespace casp::gui

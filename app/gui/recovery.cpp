#include "gui/recovery.h"

#include <utility>

#include <QDir>
#include <QFileInfo>
#include <QProcess>

#include "gui/info_bar.h"
#include "gui/launcher.h"
#include "gui/notices.h"
#include "gui/run_queue.h"
#include "gui/session_keeper.h"
#include "run/folder_content.h"
#include "run/resume_checks.h"
#include "state/run_library.h"
#include "store/run_folder.h"
#include "util/process.h"
#include "words/plain_text.h"

namespace casp::gui {

namespace {

bool has_checkpoint(const QString& run) {
    try {
        return store::current_checkpoint(store::RunFolder(run.toStdString())).has_value();
    } catch (const std::exception&) {
        return false;
    }
}

}  // namespace

Recovery::Recovery(SessionKeeper& session, const widgets::RunLibrary& library, const RunQueue& queue,
                   Launcher& launcher, Notices& notices, QObject* parent)
    : QObject(parent),
      session_(session),
      library_(library),
      queue_(queue),
      launcher_(launcher),
      notices_(notices) {
    session_.add_source([this](SessionState& state) { gather(state); });
    connect(&session_, &SessionKeeper::taken, this, &Recovery::offer);
    drive_timer_.setSingleShot(true);
    drive_timer_.setInterval(300);
    connect(&drive_timer_, &QTimer::timeout, this, &Recovery::check_drive);
    const auto check_soon = [this] { drive_timer_.start(); };
    connect(&library_, &widgets::RunLibrary::added, this, check_soon);
    connect(&library_, &widgets::RunLibrary::removed, this, check_soon);
    connect(&library_, &widgets::RunLibrary::reset, this, check_soon);
}

void Recovery::begin() {
    drive_folder_ = session_.state().output_folder;
    check_drive();
}

void Recovery::note_failed_run(const QString& run_folder) {
    // Looked up once: the session is saved all the time.
    if (has_checkpoint(run_folder))
        failed_with_checkpoint_.insert(run_folder);
    else
        failed_with_checkpoint_.remove(run_folder);
}

void Recovery::gather(SessionState& state) {
    if (drive_timer_.isActive()) {  // a first run may just have been started
        drive_timer_.stop();
        check_drive();
    }
    // An offer that was not answered yet is made again.
    state.waiting_runs = offered_.waiting + away_.waiting + damaged_.waiting;
    state.going_runs = offered_.going + away_.going + damaged_.going;
    state.finishing_runs = offered_.finishing + away_.finishing + damaged_.finishing;
    state.failed_runs = offered_.failed + away_.failed + damaged_.failed;
    for (const auto& item : queue_.items()) {
        const auto folder = item.folder();
        if (item.state == QueueState::waiting) state.waiting_runs << folder;
        const bool failed = item.state == QueueState::failed && failed_with_checkpoint_.contains(folder);
        if (is_going(item) || item.state == QueueState::interrupted || failed) state.going_runs << folder;
        if (failed) state.failed_runs << folder;
        if (item.finish_early && state.going_runs.contains(folder)) state.finishing_runs << folder;
    }
}

void Recovery::report_away() {
    QStringList texts, names;
    if (drive_is_away_)
        texts
            << tr("The drive of the runs is not there: %1 was on %2, and is now an empty folder of another "
                  "drive. Its runs are listed again when the drive is back. Until then, new runs are written "
                  "to the other drive.")
                   .arg(QDir::toNativeSeparators(session_.state().output_folder),
                        QDir::toNativeSeparators(session_.state().output_drive));
    for (const auto& folder : away_.going + away_.waiting) names << QDir::toNativeSeparators(folder);
    if (!names.isEmpty())
        texts << (names.size() == 1
                      ? tr("An unfinished run cannot be reached: %1. It is offered again when its folder is "
                           "back, or when the window is next opened.")
                      : tr("Unfinished runs cannot be reached: %1. They are offered again when their folders "
                           "are back, or when the window is next opened."))
                     .arg(names.join(QStringLiteral(", ")));
    if (texts.isEmpty()) return notices_.bar().remove(QStringLiteral("away"));
    std::vector<InfoButton> buttons;
    if (!names.isEmpty())
        buttons.push_back({tr("Forget"), tr("Stops offering these runs; their files are kept"), [this] {
                               away_ = {};
                               session_.save_soon();
                           }});
    notices_.bar().show_message(QStringLiteral("away"), texts.join(' '), false, buttons);
}

void Recovery::check_drive() {
    if (drive_folder_ != session_.state().output_folder) {  // another one was chosen
        drive_folder_ = session_.state().output_folder;
        session_.state().output_drive.clear();
    }
    const auto drive = drive_of(session_.state().output_folder);
    const bool has_runs = library_.size() > 0 && QFileInfo::exists(library_.at(0).folder);
    const bool was_away = drive_is_away_;
    drive_is_away_ = !has_runs && !drive.isEmpty() && !session_.state().output_drive.isEmpty() &&
                     drive != session_.state().output_drive;
    const auto waited_for = away_.going.size() + away_.waiting.size();
    if (waited_for > 0) {
        sort_out(std::exchange(away_, {}), session_.state().output_folder, session_.state().output_drive);
        if (away_.going.size() + away_.waiting.size() < waited_for) show_offer();
    }
    // What is waited for is recognised by the drive it was on.
    if (has_runs && away_.is_empty()) session_.state().output_drive = drive;
    if (drive_is_away_ != was_away || waited_for != away_.going.size() + away_.waiting.size()) report_away();
}

Recovery::Runs Recovery::unfinished_of(const SessionState& saved) {
    return {saved.going_runs, saved.waiting_runs, saved.finishing_runs, saved.failed_runs,
            saved.closed_properly ? QStringList() : saved.going_runs};
}

void Recovery::keep(Runs& runs, const QString& folder, const Runs& from, bool going) {
    auto& list = going ? runs.going : runs.waiting;
    if (runs.going.contains(folder) || runs.waiting.contains(folder)) return;
    list << folder;
    if (from.finishing.contains(folder)) runs.finishing << folder;
    if (from.failed.contains(folder)) runs.failed << folder;
    if (from.cut_off.contains(folder)) runs.cut_off << folder;
}

void Recovery::sort_out(const Runs& runs, const QString& output_folder, const QString& drive) {
    /// A run or batch that is missing was removed. If the output folder or its drive is missing, it may come
    /// back.
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
                continue;  // another process runs it
            switch (run::folder_content(folder.toStdString())) {
                case run::FolderContent::started:
                    run::check_no_checkpoint_lost(store::RunFolder(folder.toStdString()));
                    [[fallthrough]];
                case run::FolderContent::resumable:
                    keep(offered_, folder, runs, true);
                    break;
                case run::FolderContent::empty:
                    if (QFileInfo::exists(folder + "/config.toml")) keep(offered_, folder, runs, false);
                    break;
                case run::FolderContent::complete:
                    break;
            }
        } catch (const std::exception& problem) {  // a damaged folder must not keep the window from opening
            notices_.log(widgets::plain_text(problem), Notices::Level::error, folder);
            keep(damaged_, folder, runs, was_going);
        }
    }
}

void Recovery::offer(const SessionState& saved) {
    sort_out(unfinished_of(saved), saved.output_folder, saved.output_drive);
    for (const auto* left : session_.left().states()) {
        sort_out(unfinished_of(*left), left->output_folder, left->output_drive);
        session_.save_soon();  // they are this window's from now on
    }
    report_away();
    offer_windows();
    show_offer();
}

void Recovery::show_offer() {
    if (offered_.is_empty()) return;
    QStringList stopped, cut_off, failed, begun, texts;
    for (const auto& folder : offered_.going) {
        auto& list = !has_checkpoint(folder)             ? begun
                     : offered_.failed.contains(folder)  ? failed
                     : offered_.cut_off.contains(folder) ? cut_off
                                                         : stopped;
        list << QFileInfo(folder).dir().dirName() + '/' + QFileInfo(folder).fileName();
    }
    const auto add_text = [&](const QStringList& runs, const QString& text) {
        if (!runs.isEmpty()) texts << text.arg(runs.join(QStringLiteral(", ")));
    };
    add_text(cut_off, tr("%1 was interrupted and can be resumed from its last checkpoint."));
    add_text(stopped, tr("%1 was stopped when the window closed and can be resumed from its checkpoint."));
    add_text(failed, tr("%1 failed and can be tried again from its checkpoint."));
    add_text(begun,
             tr("%1 was interrupted before its first checkpoint and starts again from the beginning."));
    if (const auto waiting = offered_.waiting.size(); waiting > 0)
        texts << (waiting == 1 ? tr("One run waited in the queue.")
                               : tr("%1 runs waited in the queue.").arg(waiting));
    const auto answered = [this] {
        session_.save_soon();
        return std::exchange(offered_, {});
    };
    notices_.bar().show_message(
        QStringLiteral("recovery"), texts.join(' '), false,
        {{tr("Continue"), tr("Resumes the runs; results are identical to those of an uninterrupted run"),
          [this, answered] {
              const auto runs = answered();
              for (const auto& folder : runs.going + runs.waiting)
                  launcher_.resume(folder, runs.finishing.contains(folder));
              Q_EMIT resumed();
          }},
         {tr("Not now"), tr("The runs stay in the list; their menu has Continue"),
          [answered] { (void)answered(); }}});
}

void Recovery::offer_windows() {
    const int count = session_.left().cut_off();
    if (count == 0) return;
    notices_.bar().show_message(
        QStringLiteral("windows"),
        count == 1
            ? tr("Another window of CASP Studio ended unexpectedly. What was entered in it is saved.")
            : tr("%1 other windows of CASP Studio ended unexpectedly. What was entered in them is saved.")
                  .arg(count),
        false,
        {{count == 1 ? tr("Open it again") : tr("Open them again"),
          tr("Starts CASP Studio again with what was entered there"), [this] { open_windows(); }},
         {tr("Not now"), tr("Offered again when as many windows are open"), [this] {
              (void)session_.save();  // releases their files
              session_.left().forget_cut_off();
          }}});
}

void Recovery::open_windows() {
    // Releases their files. If that fails, it is reported, and they are offered at the next start.
    if (!session_.save()) return;
    const auto program = program_.isEmpty() ? QString::fromStdString(program_path().string()) : program_;
    for (int left = session_.left().windows_to_open(); left > 0; --left)
        if (!QProcess::startDetached(program, program_arguments_))
            return notices_.say(
                tr("%1 could not be started. Start CASP Studio again yourself: what was entered in the other "
                   "window is saved.")
                    .arg(QDir::toNativeSeparators(program)),
                true);
}

}  // namespace casp::gui

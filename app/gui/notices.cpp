#include "gui/notices.h"

#include <QObject>
#include <QScopedValueRollback>

#include "gui/info_bar.h"
#include "panels/messages/message_drawer.h"
#include "panels/runs/runs_delegate.h"

namespace casp::gui {

void Notices::log(const QString& text, Level level, const QString& run) {
    drawer_.add(static_cast<widgets::Severity>(level), text, run,
                run.isEmpty() ? QString() : widgets::run_title(library_, run));
}

void Notices::say(const QString& text, bool is_error, const QString& run) {
    log(text, is_error ? Level::error : Level::note, run);
    constexpr int note_seconds = 8, error_seconds = 30;
    if (is_error) error_run_ = run;
    bar_.show_message(is_error ? QStringLiteral("error") : QStringLiteral("note"), text, is_error, {},
                      is_error ? error_seconds : note_seconds);
}

void Notices::started(const QString& run) {
    if (error_run_ == run) bar_.remove(QStringLiteral("error"));
}

void Notices::report(const QString& text, bool is_error) {
    if (is_error)
        say(text, true);
    else
        log(text, Level::note);
}

bool Notices::report_unexpected(const QString& problem) {
    // A timer or a view that throws does so many times a second, and reporting it may throw again.
    if (reporting_ || (problem == unexpected_ && !unexpected_quiet_.hasExpired())) return false;
    const QScopedValueRollback reporting(reporting_, true);
    constexpr int quiet_ms = 5000;
    unexpected_ = problem;
    unexpected_quiet_.setRemainingTime(quiet_ms);
    say(QObject::tr("An unexpected error occurred: %1. What you entered is still there. If it happens again, "
                    "please report it with what you did before.")
            .arg(problem),
        true);
    return true;
}

}  // namespace casp::gui

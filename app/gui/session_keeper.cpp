#include "gui/session_keeper.h"

#include <utility>

#include <QDir>
#include <QFile>
#include <QFileInfo>

#include "gui/info_bar.h"
#include "gui/notices.h"

namespace casp::gui {

SessionKeeper::SessionKeeper(SessionFile first, Notices& notices, QObject* parent)
    : QObject(parent), first_(std::move(first)), file_(first_), left_(first_), notices_(notices) {
    regular_.setInterval(30'000);
    connect(&regular_, &QTimer::timeout, this, &SessionKeeper::save);
    soon_.setSingleShot(true);
    soon_.setInterval(800);
    connect(&soon_, &QTimer::timeout, this, &SessionKeeper::save);
}

QString SessionKeeper::take() {
    QDir().mkpath(QFileInfo(first_.path()).absolutePath());
    for (int number = 1; number <= SessionFile::max_windows; ++number) {
        const auto file = first_.of_window(number);
        bool impossible = false;
        lock_ = file.lock(&impossible);
        if (lock_) {
            file_ = file;
            owns_ = true;
            window_number_ = number;
            return {};
        }
        if (impossible)
            return tr("The session cannot be saved: no file can be created in %1. Free some space there, or "
                      "allow writing to it. Saving is tried again regularly.")
                .arg(QFileInfo(file.path()).absolutePath());
    }
    return tr("The session of this window is not saved: %1 windows are open. Close some; saving is tried "
              "again regularly.")
        .arg(SessionFile::max_windows);
}

void SessionKeeper::report(const QString& problem) {
    // Once: who has closed the message knows.
    if (problem == problem_) return;
    problem_ = problem;
    if (problem.isEmpty()) return notices_.bar().remove(QStringLiteral("saving"));
    notices_.log(problem, Notices::Level::error);
    notices_.bar().show_message(QStringLiteral("saving"), problem, true);
}

void SessionKeeper::begin() {
    regular_.start();
    report(take());
    state_ = file_.read(&unread_, owns_);
    if (window_number_ > 1 && !QFileInfo::exists(file_.path())) {
        // As the first window was when it was saved, without its runs.
        auto first = first_;
        state_ = first.read(nullptr, false);
        state_.going_runs.clear();
        state_.waiting_runs.clear();
    }
    if (owns_) unread_ = QStringList{unread_, left_.take(window_number_)}.join(' ').trimmed();
}

void SessionKeeper::add_part(const QString& key, std::function<QByteArray()> save,
                             std::function<bool(const QByteArray&)> restore) {
    parts_.push_back({key, std::move(save), std::move(restore)});
}

void SessionKeeper::restore_parts(const SessionState& saved) {
    QStringList unusable;
    for (const auto& part : parts_)
        if (!part.restore(saved.parts.value(part.key))) unusable << part.key;
    if (!unusable.isEmpty()) {
        const auto kept = free_name(file_.path() + QStringLiteral(".before"));
        QFile::copy(file_.path(), kept);
        unread_ += tr(" A part of the session could not be read (%1). The session as it was is saved as %2.")
                       .arg(unusable.join(QStringLiteral(", ")), kept);
    }
    if (!unread_.isEmpty()) notices_.bar().show_message(QStringLiteral("session"), unread_, true);
}

void SessionKeeper::report_second_window() {
    if (window_number_ == 1) return;
    notices_.bar().show_message(
        QStringLiteral("second"),
        tr("CASP Studio is already open. What you enter in this window is saved separately and comes back "
           "when %1 windows are open again.")
            .arg(window_number_));
}

bool SessionKeeper::write(bool closed_properly) {
    if (!owns_) {
        if (const auto problem = take(); !problem.isEmpty()) {
            report(problem);
            return false;
        }
        QString unread;
        const auto saved = file_.read(&unread);
        unread = QStringList{unread, left_.take(window_number_)}.join(' ').trimmed();
        if (!unread.isEmpty()) notices_.bar().show_message(QStringLiteral("session"), unread, true);
        Q_EMIT taken(saved);
    }
    for (const auto& part : parts_) state_.parts[part.key] = part.save();
    for (const auto& source : sources_) source(state_);
    state_.closed_properly = closed_properly;
    report(file_.write(state_));
    if (!problem_.isEmpty()) return false;
    left_.release_runs();  // they are in this session now
    return true;
}

void SessionKeeper::save_soon() {
    if (!closing_) soon_.start();
}

void SessionKeeper::end() {
    soon_.stop();
    regular_.stop();
}

}  // namespace casp::gui

#include "gui/status_bar.h"

#include <algorithm>
#include <utility>

#include <QDir>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QStatusBar>

#include "figures/recipe_input.h"
#include "gui/info_bar.h"
#include "gui/notices.h"
#include "panels/runs/runs_delegate.h"
#include "panels/training/training_progress.h"
#include "state/remote_folder.h"
#include "state/run_library.h"
#include "words/core_text.h"

namespace casp::gui {

namespace {

constexpr qsizetype max_named_runs = 64;  ///< whose channels give a selected one its names

}  // namespace

RunStatus::RunStatus(QStatusBar& bar, widgets::RunLibrary& library, const RunQueue& queue,
                     const widgets::Selection& selection, QObject* parent)
    : QObject(parent), library_(library), selection_(selection), current_(queue, selection) {
    pace_ = new QLabel(&bar);
    pace_->setAccessibleName(tr("Progress of the run"));
    progress_ = new QProgressBar(&bar);
    progress_->setAccessibleName(tr("Completed fraction of the run"));
    progress_->setToolTip(
        tr("Completed fraction of the training steps; early stopping may end the run sooner"));
    progress_->setMaximumWidth(160);
    progress_->setMaximumHeight(16);
    progress_->hide();
    selected_ = new QLabel(&bar);
    selected_->setAccessibleName(tr("Selection"));
    selected_->setToolTip(tr("What is selected in the views; Esc clears it"));
    // One widget: the hint of a button hides both, however often they are updated.
    auto* run = new QWidget(&bar);
    auto* row = new QHBoxLayout(run);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(progress_);
    row->addWidget(pace_, 1);
    bar.addWidget(run, 1);
    bar.addPermanentWidget(selected_);
    connect(&queue, &RunQueue::changed, this, &RunStatus::update);
    connect(&queue, &RunQueue::run_grew, this, &RunStatus::update);
    connect(&selection, &widgets::Selection::changed, this, &RunStatus::update);
    connect(&library, &widgets::RunLibrary::reset, this, &RunStatus::update);  // other runs are in the list
}

void RunStatus::update() {
    update_pace();
    std::vector<const store::DataSection*> sets;
    const auto& selected = selection_.state();
    for (qsizetype i = 0;
         !selected.channels.empty() && i < std::min<qsizetype>(selected.runs.size(), max_named_runs); ++i)
        if (const auto* shown = library_.data(selected.runs[i])) sets.push_back(&shown->record().data);
    const auto text = selection_.text(figures::channel_names_of(sets));
    selected_->setText(text.isEmpty() ? QString() : tr("selection: %1").arg(text));
}

void RunStatus::update_pace() {
    const auto folder = current_.folder();
    const auto* run = folder.isEmpty() ? nullptr : library_.data(folder);
    const bool elsewhere = run == nullptr && !folder.isEmpty();
    pace_->setToolTip(elsewhere ? QDir::toNativeSeparators(folder)
                                : tr("Device, epoch, step, speed, time left and memory of the running run"));
    if (run == nullptr) {
        pace_->setText(
            elsewhere
                ? tr("%1 is running in another folder of runs").arg(widgets::run_title(library_, folder))
                : tr("Nothing is running"));
        progress_->hide();
        return;
    }
    const auto& pace = run->pace();
    pace_->setText(widgets::pace_text(pace));
    const double share = pace.share();
    progress_->setRange(0, share >= 0 ? 1000 : 0);
    if (share >= 0) progress_->setValue(qRound(1000 * share));
    progress_->show();
}

namespace {

using State = remote::MirrorStatus::State;

const auto connection_key = QStringLiteral("remote");
const auto copying_key = QStringLiteral("remote-copying");

QString short_text(const remote::MirrorStatus& status, const QString& machine) {
    switch (status.state) {
        case State::connecting:
            return RemoteStatus::tr("%1: connecting…").arg(machine);
        case State::connected:
            if (status.complete)
                return RemoteStatus::tr("%1: connected, %2 runs").arg(machine).arg(status.runs);
            return RemoteStatus::tr("%1: listing runs, %2 of %3")
                .arg(machine)
                .arg(status.listed)
                .arg(status.runs);
        case State::waiting:
            return RemoteStatus::tr("%1: not connected, trying again in %2 s")
                .arg(machine)
                .arg(status.retry_seconds, 0, 'g', 2);
        case State::stopped:
            break;
    }
    return RemoteStatus::tr("%1: not connected").arg(machine);
}

}  // namespace

RemoteStatus::RemoteStatus(QStatusBar& bar, Notices& notices, QObject* parent)
    : QObject(parent), notices_(notices), info_(notices.bar()) {
    label_ = new QLabel(&bar);
    label_->setAccessibleName(tr("Connection to the remote folder"));
    label_->hide();
    bar.addPermanentWidget(label_);
}

void RemoteStatus::follow(widgets::RemoteFolder* remote) {
    if (remote_) remote_->disconnect(this);
    remote_ = remote;
    label_->setVisible(remote != nullptr);
    info_.remove(connection_key);
    info_.remove(copying_key);
    shown_.clear();
    if (remote == nullptr) return;
    connect(remote, &widgets::RemoteFolder::status_changed, this, &RemoteStatus::update);
    connect(remote, &widgets::RemoteFolder::copying_changed, this, &RemoteStatus::update_copying);
    update();
}

void RemoteStatus::update() {
    if (!remote_) return;
    const auto& status = remote_->status();
    label_->setText(short_text(status, remote_->machine()));
    const auto problem = widgets::translated(status.problem);
    label_->setToolTip(problem.isEmpty() ? remote_->address() : remote_->address() + '\n' + problem);
    // A connection that comes back at once needs no words.
    constexpr double brief_seconds = 2;
    if (status.state == State::stopped ||
        (status.state == State::waiting && status.retry_seconds > brief_seconds))
        show_problem();
    if (status.state != State::connected) return;
    info_.remove(connection_key);
    shown_.clear();
}

void RemoteStatus::show_problem() {
    const auto text = widgets::translated(remote_->status().problem);
    // Each attempt fails with the same words, which may have been closed.
    if (std::exchange(shown_, text) == text) return;
    notices_.log(text, Notices::Level::error);
    info_.show_message(
        connection_key, text, true,
        {{tr("Connect now"), tr("Tries to connect to %1 at once").arg(remote_->machine()), [this] {
              shown_.clear();
              if (remote_) remote_->connect_now();
          }}});
}

void RemoteStatus::update_copying() {
    if (!remote_) return;
    const auto text = remote_->copying();
    if (text.isEmpty()) return info_.remove(copying_key);
    if (info_.has(copying_key)) return info_.set_text(copying_key, text);
    info_.show_message(copying_key, text, false, {}, 0, false);
}

}  // namespace casp::gui

#include "gui/run_status.h"

#include <algorithm>

#include <QDir>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QStatusBar>

#include "figures/recipe_input.h"
#include "panels/runs/runs_delegate.h"
#include "panels/training/training_progress.h"
#include "state/run_library.h"

namespace casp::gui {

namespace {

constexpr qsizetype most_named_runs = 64;  ///< whose channels give a selected one its names

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
    connect(&queue, &RunQueue::run_steps, this, &RunStatus::update);
    connect(&queue, &RunQueue::run_progress, this, &RunStatus::update);
    connect(&selection, &widgets::Selection::changed, this, &RunStatus::update);
    connect(&library, &widgets::RunLibrary::reset, this, &RunStatus::update);  // other runs are in the list
}

void RunStatus::update() {
    update_pace();
    std::vector<const store::DataSection*> sets;
    const auto& selected = selection_.state();
    for (qsizetype i = 0;
         !selected.channels.empty() && i < std::min<qsizetype>(selected.runs.size(), most_named_runs); ++i)
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

}  // namespace casp::gui

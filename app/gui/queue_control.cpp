#include "gui/queue_control.h"

#include <utility>
#include <vector>

#include "gui/launcher.h"
#include "gui/notices.h"
#include "gui/run_queue.h"
#include "panels/queue/queue_panel.h"
#include "panels/runs/runs_delegate.h"
#include "panels/training/training_progress.h"
#include "state/file_run_library.h"
#include "state/plain_text.h"

namespace casp::gui {

QueueControl::QueueControl(RunQueue& queue, widgets::QueuePanel& panel, widgets::FileRunLibrary& library,
                           Launcher& launcher, Notices& notices, QObject* parent)
    : QObject(parent),
      queue_(queue),
      panel_(panel),
      library_(library),
      launcher_(launcher),
      notices_(notices) {
    timer_.setSingleShot(true);
    timer_.setInterval(50);
    connect(&timer_, &QTimer::timeout, this, &QueueControl::update);
    connect_queue();
    connect_panel();
}

void QueueControl::connect_queue() {
    connect(&queue_, &RunQueue::changed, this, &QueueControl::update_soon);
    connect(&queue_, &RunQueue::run_steps, this, &QueueControl::update_soon);
    connect(&queue_, &RunQueue::run_progress, this, &QueueControl::update_soon);
    // The title of a queued run is known when its settings have been read.
    connect(&library_, &widgets::FileRunLibrary::changed, this, &QueueControl::update_soon);
    connect(&library_, &widgets::FileRunLibrary::reset, this, &QueueControl::update_soon);
}

void QueueControl::connect_panel() {
    using Panel = widgets::QueuePanel;
    connect(&panel_, &Panel::move_requested, &queue_, &RunQueue::move);
    connect(&panel_, &Panel::remove_requested, &queue_, &RunQueue::remove);
    connect(&panel_, &Panel::retry_requested, this, &QueueControl::retry);
    connect(&panel_, &Panel::pause_requested, &queue_, &RunQueue::pause);
    connect(&panel_, &Panel::cancel_requested, &queue_, &RunQueue::cancel);
    connect(&panel_, &Panel::finish_early_requested, &queue_, &RunQueue::finish_early);
    connect(&panel_, &Panel::hold_requested, &queue_, &RunQueue::hold);
    connect(&panel_, &Panel::activated, this, [this](int id) { Q_EMIT run_requested(folder_of(id)); });
    // The panel shows the effect of a key before the next one comes.
    for (const auto request : {&Panel::remove_requested, &Panel::retry_requested, &Panel::cancel_requested,
                               &Panel::finish_early_requested})
        connect(&panel_, request, this, &QueueControl::update);
    connect(&panel_, &Panel::move_requested, this, &QueueControl::update);
    connect(&panel_, &Panel::pause_requested, this, &QueueControl::update);
}

QString QueueControl::folder_of(int id) const {
    for (const auto& item : queue_.items())
        if (item.id == id) return QString::fromStdString(item.request.folder.string());
    return {};
}

void QueueControl::retry(int id) {
    if (const auto folder = folder_of(id); !folder.isEmpty() && !launcher_.stays(folder)) return;
    try {
        queue_.retry(id);
    } catch (const std::exception& problem) {
        notices_.say(widgets::plain_text(problem), true);
    }
}

widgets::QueueEntry QueueControl::entry_of(const QueueItem& item) const {
    widgets::QueueEntry entry;
    entry.id = item.id;
    const auto folder = QString::fromStdString(item.request.folder.string());
    entry.name = widgets::run_title(library_, folder);
    entry.message = item.message;
    // The two enumerations are the same, in two layers.
    entry.state = static_cast<widgets::QueueEntryState>(item.state);
    entry.finishing = item.state == QueueState::stopping && queue_.can_cancel(item.id);
    if (const auto* run = is_going(item) ? library_.data(folder) : nullptr; run != nullptr) {
        const auto& pace = run->pace();
        entry.progress = pace.share();
        entry.seconds_left = widgets::shown_seconds_left(pace);
        entry.stage = widgets::stage_text(pace);
    }
    return entry;
}

void QueueControl::update() {
    timer_.stop();
    std::vector<widgets::QueueEntry> entries;
    for (const auto& item : queue_.items()) entries.push_back(entry_of(item));
    panel_.set_entries(std::move(entries));
    panel_.set_held(queue_.is_held());
}

}  // namespace casp::gui

#pragma once
// The running run that the window's actions and status bar are about: of several (one a device) the
// highlighted one, else a shown one.

#include <QString>

#include "gui/run_queue.h"
#include "state/selection.h"

namespace casp::gui {

class CurrentRun {
public:
    /// Both must outlive it.
    CurrentRun(const RunQueue& queue, const widgets::Selection& selection)
        : queue_(queue), selection_(selection) {}

    /// Null: nothing is running. Valid until the queue changes.
    [[nodiscard]] const QueueItem* item() const {
        const QueueItem *first = nullptr, *shown = nullptr;
        for (const auto& item : queue_.items()) {
            if (!is_going(item)) continue;
            const auto folder = item.folder();
            if (folder == selection_.highlighted()) return &item;
            if (shown == nullptr && selection_.state().runs.contains(folder)) shown = &item;
            if (first == nullptr) first = &item;
        }
        return shown != nullptr ? shown : first;
    }
    [[nodiscard]] int id() const {  ///< 0: nothing is running
        const auto* running = item();
        return running == nullptr ? 0 : running->id;
    }
    [[nodiscard]] QString folder() const {
        const auto* running = item();
        return running == nullptr ? QString() : running->folder();
    }

private:
    const RunQueue& queue_;
    const widgets::Selection& selection_;
};

}  // namespace casp::gui

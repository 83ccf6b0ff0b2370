#pragma once
// The queue and its panel: shows the items in the panel and carries out its requests.

#include <QObject>
#include <QTimer>

namespace casp::widgets {
class FileRunLibrary;
class QueuePanel;
struct QueueEntry;
}  // namespace casp::widgets

namespace casp::gui {

class Launcher;
class Notices;
class RunQueue;
struct QueueItem;

class QueueControl : public QObject {
    Q_OBJECT
public:
    /// All must outlive it.
    QueueControl(RunQueue& queue, widgets::QueuePanel& panel, widgets::FileRunLibrary& library,
                 Launcher& launcher, Notices& notices, QObject* parent);

Q_SIGNALS:
    /// A line was activated: its run is to be shown.
    void run_requested(const QString& run_folder);

private:
    void connect_queue();
    void connect_panel();
    void retry(int id);
    /// The run's folder; empty: there is no such item.
    [[nodiscard]] QString folder_of(int id) const;
    [[nodiscard]] widgets::QueueEntry entry_of(const QueueItem& item) const;
    void update();
    /// Soon and once: a sweep queues hundreds of runs one after another.
    void update_soon() {
        if (!timer_.isActive()) timer_.start();
    }

    RunQueue& queue_;
    widgets::QueuePanel& panel_;
    widgets::FileRunLibrary& library_;
    Launcher& launcher_;
    Notices& notices_;
    QTimer timer_;
};

}  // namespace casp::gui

#pragma once
// Queue of runs: one worker thread per device, one run on each at a time. Used from the GUI thread.

#include <memory>
#include <vector>

#include <QObject>
#include <QString>

#include "config/config.h"
#include "run/run.h"

namespace casp::gui {

enum class QueueState { waiting, running, paused, stopping, done, failed, cancelled, interrupted };

struct QueueItem {
    int id = 0;
    run::RunRequest request;  ///< folder, name, configuration, resume
    QueueState state = QueueState::waiting;
    QString message;  ///< why it failed
    /// Finishing early was requested. Kept if closing the window interrupts it, so that a retry completes it.
    bool finish_early = false;
};

/// Whether the run is active: running, paused, or about to stop.
[[nodiscard]] inline bool is_going(const QueueItem& item) {
    return item.state == QueueState::running || item.state == QueueState::paused ||
           item.state == QueueState::stopping;
}

class RunQueue : public QObject {
    Q_OBJECT
public:
    explicit RunQueue(QObject* parent = nullptr);
    ~RunQueue() override;  ///< interrupts active runs (writing checkpoints) and waits for them

    /// Appends a run, which starts when its device, or one of run.devices, is free. First writes config.toml
    /// and a run.json with state "queued" to its folder. Returns its id. Throws an input Error if the folder
    /// contains other work. `finish_early`: evaluates the checkpoint instead of training further.
    int add(const run::RunRequest& request, bool finish_early = false);
    [[nodiscard]] const std::vector<QueueItem>& items() const;
    /// Removes an item that is not active, and its folder if the run never started.
    void remove(int id);
    void move(int id, int position);  ///< among the waiting items
    void retry(int id);               ///< a failed, cancelled or interrupted one, from its checkpoint if any
    void hold(bool on);               ///< while on, no further run is started
    [[nodiscard]] bool is_held() const;

    void pause(int id, bool on);  ///< between two steps or two batches of an evaluation
    void finish_early(int id);
    void cancel(int id);  ///< a waiting item stays in the list, but its folder is restored
    /// Whether it is active and not already stopping for cancel or interrupt. The evaluation after finishing
    /// early can be cancelled; it may take minutes.
    [[nodiscard]] bool can_cancel(int id) const;
    [[nodiscard]] bool is_running() const;
    /// Holds the queue and interrupts active runs (cancelled ones stay cancelled); emits finished() when all
    /// have stopped. Used when the window closes. Waiting runs keep their state "queued".
    void interrupt_all();

Q_SIGNALS:
    void changed();                             ///< items or their states
    void run_added(const QString& run_folder);  ///< its files are written
    // Events of a run, delivered at most 20 times per second and run, together in this order.
    void run_message(const QString& run_folder, bool warning, const QString& text);
    /// Before the first step.
    void run_started(const QString& run_folder);
    /// Its log has grown.
    void run_grew(const QString& run_folder, std::shared_ptr<const casp::train::RunLog> log);
    /// The run ended without a failure; see row.state (may be cancelled or interrupted).
    void run_finished(const QString& run_folder, const casp::store::ResultRow& row);
    void run_failed(const QString& run_folder, const QString& text);
    void idle();      ///< no run is waiting or active
    void finished();  ///< after interrupt_all(): no run is active

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace casp::gui

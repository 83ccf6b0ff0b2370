#pragma once
// Runs that wait and the one that goes on: a worker thread per device, one run after another. GUI thread; the
// runs themselves go on in worker threads.

#include <memory>
#include <vector>

#include <QObject>
#include <QString>

#include "config/config.h"
#include "run/run.h"
#include "state/run_data.h"

namespace casp::gui {

enum class QueueState { waiting, running, paused, stopping, done, failed, cancelled, interrupted };

struct QueueItem {
    int id = 0;
    run::RunRequest request;  ///< folder, name, configuration, resume
    QueueState state = QueueState::waiting;
    QString message;  ///< why it failed
    /// It was asked to finish early. Kept when a closing window cut that off, so that a retry goes on with
    /// it.
    bool finish_early = false;
};

/// Whether its run is under way: it trains, stands still, or is about to stop.
[[nodiscard]] inline bool is_going(const QueueItem& item) {
    return item.state == QueueState::running || item.state == QueueState::paused ||
           item.state == QueueState::stopping;
}

class RunQueue : public QObject {
    Q_OBJECT
public:
    explicit RunQueue(QObject* parent = nullptr);
    ~RunQueue() override;  ///< interrupts what goes on (a checkpoint is written) and waits for it

    /// Adds a run at the end and starts it when its device is free. Writes config.toml and a run.json of
    /// state "queued" into its folder first. Returns its id. Throws an input Error where the folder holds
    /// other work.
    /// `finish_early`: evaluates what its checkpoint has instead of training on.
    int add(const run::RunRequest& request, bool finish_early = false);
    [[nodiscard]] const std::vector<QueueItem>& items() const;
    /// Takes an item that does not go on off the list. The folder of one that never began goes, too.
    void remove(int id);
    void move(int id, int position);  ///< among the waiting ones
    void retry(int id);  ///< a failed, cancelled or interrupted one, from its checkpoint where there is one
    void hold(bool on);  ///< nothing new is started while on
    [[nodiscard]] bool is_held() const;

    void pause(int id, bool on);  ///< between two steps or two batches of an evaluation
    void finish_early(int id);
    void cancel(int id);  ///< of a waiting one: as if it had not been added, but it stays in the list
    /// Whether it goes on and nothing stronger was asked of it than to finish early, whose evaluation may
    /// take minutes.
    [[nodiscard]] bool can_cancel(int id) const;
    [[nodiscard]] bool is_running() const;
    /// Holds the queue and interrupts what goes on (what was cancelled stays cancelled); finished() tells
    /// when nothing does any more. For a closing window. What waits keeps its folder in state "queued".
    void interrupt_all();

Q_SIGNALS:
    void changed();                             ///< items or their states
    void run_added(const QString& run_folder);  ///< its files are there
    // What a worker tells, at most 20 times a second and run; deltas are complete (no step is left out).
    // Those of one moment come in this order: messages, started, progress, steps, epochs, snapshots, probes,
    // the end.
    void run_message(const QString& run_folder, bool warning, const QString& text);
    void run_progress(const QString& run_folder, const casp::Progress& progress);
    void run_started(const QString& run_folder, const casp::train::RunStarted& started);
    void run_steps(const QString& run_folder, const std::vector<casp::train::StepReport>& steps);
    void run_epoch(const QString& run_folder, const casp::train::EpochReport& epoch);
    void run_snapshot(const QString& run_folder, std::shared_ptr<const casp::train::AnchorSnapshot> snapshot);
    void run_probe(const QString& run_folder, std::shared_ptr<const casp::train::Probe> probe);
    /// The run ended without a failure; row.state says how (also cancelled, interrupted).
    void run_finished(const QString& run_folder, const casp::store::ResultRow& row);
    void run_failed(const QString& run_folder, const QString& text);
    void idle();      ///< nothing waits and nothing runs
    void finished();  ///< after interrupt_all(): nothing runs any more

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace casp::gui

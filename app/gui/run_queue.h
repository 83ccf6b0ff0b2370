#pragma once
// Queue of runs: one worker thread per device, one run on each at a time. Used from the GUI thread.

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <QObject>
#include <QString>

#include "run/run.h"
#include "state/background.h"
#include "store/results.h"
#include "store/run_folder.h"
#include "train/run_log.h"

namespace casp::gui {

enum class QueueState { waiting, running, paused, stopping, done, failed, cancelled, interrupted };

struct RunEnd;
struct RunJob;

struct QueueItem {
    int id = 0;
    run::RunRequest request;
    QueueState state = QueueState::waiting;
    QString message;  ///< why it failed
    /// Finishing early was requested. Kept if closing the window interrupts it, so that a retry completes it.
    bool finish_early = false;
    std::optional<store::RunStatus> before = {};  ///< of run::queue_in_folder()
    std::shared_ptr<RunJob> job = {};             ///< while the run is active

    [[nodiscard]] QString folder() const { return QString::fromStdString(request.folder.string()); }
};

/// Whether the run is active: running, paused, or about to stop.
[[nodiscard]] inline bool is_going(const QueueItem& item) { return item.job != nullptr; }

/// More than 25 methods: signals and commands of one list of runs.
class RunQueue : public QObject {
    Q_OBJECT
public:
    explicit RunQueue(QObject* parent = nullptr);
    ~RunQueue() override;  ///< interrupts active runs (writing checkpoints) and waits for them

    /// Appends a run, which starts when its device, or one of run.devices, is free. First writes config.toml
    /// and a run.json with state "queued" to its folder. Returns its id. Throws an input Error if the folder
    /// contains other work. `finish_early`: evaluates the checkpoint instead of training further.
    int add(const run::RunRequest& request, bool finish_early = false);
    [[nodiscard]] const std::vector<QueueItem>& items() const { return items_; }
    /// Removes an item that is not active, and its folder if the run never started.
    void remove(int id);
    void move(int id, int position);  ///< among the waiting items
    void retry(int id);               ///< a failed, cancelled or interrupted one, from its checkpoint if any
    void hold(bool on);               ///< while on, no further run is started
    [[nodiscard]] bool is_held() const { return held_; }

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
    /// Its log has grown.
    void run_grew(const QString& run_folder, std::shared_ptr<const casp::train::RunLog> log);
    /// Before the first step.
    void run_started(const QString& run_folder);
    /// The run ended without a failure; see row.state (may be cancelled or interrupted).
    void run_finished(const QString& run_folder, const casp::store::ResultRow& row);
    void run_failed(const QString& run_folder, const QString& text);
    void idle();      ///< no run is waiting or active
    void finished();  ///< after interrupt_all(): no run is active

private:
    [[nodiscard]] QueueItem* find(int id);  ///< null: there is no such item
    [[nodiscard]] bool is_busy(const std::string& place) const;
    void check_not_queued(const run::RunRequest& request) const;
    void start_what_can();
    void start(QueueItem& item, const std::string& place, const std::string& device);
    void on_news(int id);
    void deliver(int id);
    void report(RunJob& job);
    void finish(int id, const RunEnd& end);
    void after_end();
    void interrupt_active();

    std::vector<QueueItem> items_;
    /// By place, a thread that makes one run after another: LibTorch keeps threads for each that computes.
    std::map<std::string, widgets::WorkPool> workers_;
    std::set<std::string> lost_;  ///< places whose device does not answer any more
    widgets::Inbox inbox_;
    int last_id_ = 0;
    bool held_ = false, closing_ = false;
};

}  // namespace casp::gui

#pragma once
// Queue panel: running and waiting runs with order, pause, hold and retry. Shows the given entries and emits
// requests; it starts and stops nothing itself.

#include <vector>

#include <QAbstractListModel>
#include <QLabel>
#include <QListView>
#include <QStackedWidget>
#include <QToolButton>
#include <QWidget>

namespace casp::widgets {

enum class QueueEntryState { waiting, running, paused, stopping, done, failed, cancelled, interrupted };

/// One entry of the queue.
struct QueueEntry {
    int id = 0;
    QString name;  ///< name of the run, as in the list of runs
    QueueEntryState state = QueueEntryState::waiting;
    double progress = -1;  ///< 0 … 1; negative: unknown
    QString message;       ///< why it failed
    double seconds_left = 0;
    QString stage;           ///< "evaluating test 32 %": stage of a running run other than training
    bool evaluates = false;  ///< it is evaluated
    bool finishing = false;  ///< finishing early: it can still be cancelled
    bool operator==(const QueueEntry&) const = default;
};

/// "waiting", "running", "paused", …
[[nodiscard]] QString queue_word(QueueEntryState state);
/// The state of an entry, or its stage other than training.
[[nodiscard]] QString queue_text(const QueueEntry& entry);
/// Whether the fraction of steps is shown: during the evaluation, that of the stage is shown instead.
[[nodiscard]] bool shows_share(const QueueEntry& entry);

class QueueModel : public QAbstractListModel {
    Q_OBJECT
public:
    using QAbstractListModel::QAbstractListModel;

    /// Sets the entries in order. Of the same entries, only lines that look different are signalled.
    void set_entries(std::vector<QueueEntry> entries);
    [[nodiscard]] const std::vector<QueueEntry>& entries() const { return entries_; }
    /// Position of a waiting entry among the waiting ones; −1 for others.
    [[nodiscard]] int waiting_position(int row) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;

private:
    std::vector<QueueEntry> entries_;
};

class QueuePanel : public QWidget {
    Q_OBJECT
public:
    explicit QueuePanel(QWidget* parent = nullptr);

    /// Sets the entries in the queue's order; shows running ones first, then waiting ones, then those that
    /// have ended, the newest first. Keeps the selected one and the scroll position.
    void set_entries(std::vector<QueueEntry> entries);
    /// Whether the queue is on hold: no new run is started.
    void set_held(bool held);

    [[nodiscard]] QListView* view() const { return view_; }
    [[nodiscard]] QueueModel* model() const { return model_; }
    [[nodiscard]] QList<QAction*> queue_actions() const { return actions(); }
    [[nodiscard]] QAction* action(const QString& name) const { return findChild<QAction*>(name); }

Q_SIGNALS:
    void move_requested(int id, int position);  ///< position among the waiting ones
    void pause_requested(int id, bool pause);
    void retry_requested(int id);
    void remove_requested(int id);  ///< a waiting entry, or one that has ended
    void cancel_requested(int id);
    void finish_early_requested(int id);
    void hold_requested(bool hold);
    void activated(int id);  ///< show the run

protected:
    void changeEvent(QEvent* event) override;

private:
    void build_actions();
    void update_controls();
    void update_icons();
    void move(int by);
    [[nodiscard]] const QueueEntry* current() const;

    QueueModel* model_;
    QStackedWidget* pages_;
    QListView* view_;
    QLabel* empty_;
    QLabel* summary_;
    QToolButton* hold_;
};

}  // namespace casp::widgets

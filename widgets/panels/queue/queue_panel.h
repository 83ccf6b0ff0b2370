#pragma once
// Runs that wait and the one that goes on: order, pause, hold, retry. Shows what it is given and says what is
// wanted; it starts and stops nothing itself.

#include <vector>

#include <QAbstractListModel>
#include <QByteArray>
#include <QLabel>
#include <QListView>
#include <QPushButton>
#include <QStackedWidget>
#include <QStyledItemDelegate>
#include <QToolButton>
#include <QWidget>

namespace casp::widgets {

enum class QueueEntryState { waiting, running, paused, stopping, done, failed, cancelled, interrupted };

/// One line of the queue.
struct QueueEntry {
    int id = 0;
    QString name;  ///< of the run, as in the list of runs
    QueueEntryState state = QueueEntryState::waiting;
    double progress = -1;  ///< 0 … 1; negative: not known
    QString message;       ///< why it failed
    double seconds_left = 0;
    QString stage;           ///< "evaluating test 32 %": what a run that goes on does beside training
    bool finishing = false;  ///< stopping because it finishes early: it can still be cancelled
    bool operator==(const QueueEntry&) const = default;
};

/// "waiting", "going on", "paused", …
[[nodiscard]] QString queue_word(QueueEntryState state);
/// The state of an entry, or what it does beside training.
[[nodiscard]] QString queue_text(const QueueEntry& entry);
/// Whether its share of the steps is told: all are made before a run is evaluated, the stage's counts then.
[[nodiscard]] bool shows_share(const QueueEntry& entry);

class QueueModel : public QAbstractListModel {
    Q_OBJECT
public:
    using QAbstractListModel::QAbstractListModel;

    /// What there is now, in order. Only lines that came, went, moved or look different are told of, so that
    /// selection, keyboard and scrolling of a view stay.
    void set_entries(std::vector<QueueEntry> entries);
    /// One line, known by its id, without a look at the others; false: it is not there.
    bool set_entry(QueueEntry entry);
    [[nodiscard]] const std::vector<QueueEntry>& entries() const { return entries_; }
    /// Place of a waiting entry among the waiting ones; −1 for others.
    [[nodiscard]] int waiting_position(int row) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    Qt::DropActions supportedDropActions() const override { return Qt::MoveAction; }
    QStringList mimeTypes() const override;
    QMimeData* mimeData(const QModelIndexList& indexes) const override;
    bool dropMimeData(const QMimeData* mime, Qt::DropAction action, int row, int column,
                      const QModelIndex& parent) override;

Q_SIGNALS:
    /// Waiting entry `id` shall stand at `position` among the waiting ones.
    void move_wanted(int id, int position);

private:
    void remove_others(const std::vector<QueueEntry>& wanted);
    void bring_into_order(const std::vector<QueueEntry>& wanted);

    std::vector<QueueEntry> entries_;
};

class QueuePanel : public QWidget {
    Q_OBJECT
public:
    explicit QueuePanel(QWidget* parent = nullptr);

    /// What there is now, in order; what is highlighted stays highlighted.
    void set_entries(std::vector<QueueEntry> entries);
    /// How far one of them is by now; unknown ids are passed over. Made to be called at each report of a run.
    void set_entry(QueueEntry entry);
    /// Nothing new is started.
    void set_held(bool held);

    [[nodiscard]] QListView* view() const { return view_; }
    [[nodiscard]] QueueModel* model() const { return model_; }
    [[nodiscard]] QList<QAction*> queue_actions() const { return actions(); }
    [[nodiscard]] QAction* action(const QString& name) const { return findChild<QAction*>(name); }

Q_SIGNALS:
    void move_requested(int id, int position);  ///< position among the waiting ones
    void pause_requested(int id, bool pause);
    void retry_requested(int id);
    void remove_requested(int id);  ///< a waiting one, or a line of one that has ended
    void cancel_requested(int id);
    void finish_early_requested(int id);
    void hold_requested(bool hold);
    void activated(int id);  ///< go to the run

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

/// The page in the window's list of pages (panels/view/page_spec.h).
struct PageSpec;
[[nodiscard]] PageSpec queue_page_spec();

}  // namespace casp::widgets

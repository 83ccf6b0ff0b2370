#include "panels/queue/queue_panel.h"

#include <algorithm>
#include <array>
#include <utility>

#include <QAction>
#include <QApplication>
#include <QHBoxLayout>
#include <QMenu>
#include <QPainter>
#include <QScrollBar>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

#include "panels/runs/runs_columns.h"
#include "panels/view/apart_names.h"
#include "panels/view/icons.h"
#include "panels/view/view_flow.h"
#include "words/amount_text.h"
#include "words/core_text.h"

namespace casp::widgets {

namespace {

/// Seconds and fractions change with each report; compare only their displayed form. A pixel of the bar
/// counts.
bool looks_the_same(const QueueEntry& a, const QueueEntry& b) {
    const auto pixels = [](const QueueEntry& entry) { return static_cast<int>(entry.progress * 2000); };
    return a.id == b.id && a.state == b.state && pixels(a) == pixels(b) && a.name == b.name &&
           a.message == b.message && a.stage == b.stage &&
           time_left_text(a.seconds_left) == time_left_text(b.seconds_left);
}

/// The state of a run with the same icon and colour.
store::RunState alike(QueueEntryState state) {
    using store::RunState;
    constexpr std::array states{RunState::queued,    RunState::running,    RunState::interrupted,
                                RunState::cancelled, RunState::finished,   RunState::failed,
                                RunState::cancelled, RunState::interrupted};
    return states.at(static_cast<std::size_t>(state));
}

/// Two lines: name; state, progress and time left, or the error.
class QueueDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const override {
        return {120, 2 * option.fontMetrics.height() + 14};
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        QStyleOptionViewItem o = option;
        initStyleOption(&o, index);
        const auto* model = qobject_cast<const QueueModel*>(index.model());
        if (model == nullptr) return;
        const auto& entry = model->entries()[static_cast<std::size_t>(index.row())];
        const QStyle* style = o.widget != nullptr ? o.widget->style() : QApplication::style();
        style->drawPrimitive(QStyle::PE_PanelItemViewItem, &o, painter, o.widget);
        const bool selected = (o.state & QStyle::State_Selected) != 0;
        const auto pick = [&](const QColor& colour) {
            return selected ? o.palette.color(QPalette::HighlightedText) : colour;
        };
        painter->save();
        painter->setFont(o.font);
        const QRect box = o.rect.adjusted(8, 4, -8, -5);
        const int line = o.fontMetrics.height();
        draw_glyph(*painter, QRectF(box.left(), box.top() + 2, 15, 15), glyph_of(alike(entry.state)),
                   pick(state_colour(alike(entry.state), o.palette)));
        const QRect first(box.left() + 23, box.top(), box.width() - 23, line);
        const QRect second(first.left(), first.bottom() + 3, first.width(), line);
        const auto draw = [&](const QRect& where, const QString& text, const QColor& colour) {
            painter->setPen(colour);
            painter->drawText(where, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
                              o.fontMetrics.elidedText(text, Qt::ElideRight, where.width()));
        };
        const auto name = names_.shown(o, index, first.width(),
                                       [](const QModelIndex& row) { return row.data().toString(); });
        draw(first, name, pick(o.palette.color(QPalette::Text)));
        QStringList parts{queue_text(entry)};
        if (const int position = model->waiting_position(index.row()); position >= 0)
            parts.front() += QueuePanel::tr(", position %1").arg(position + 1);
        if (shows_share(entry)) parts += QStringLiteral("%1 %").arg(static_cast<int>(entry.progress * 100));
        if (const QString left = time_left_text(entry.seconds_left); !left.isEmpty()) parts += left;
        if (!entry.message.isEmpty()) parts += entry.message;
        const bool failed = entry.state == QueueEntryState::failed;
        draw(second, parts.join(QStringLiteral(" · ")),
             pick(failed ? error_colour(o.palette) : muted_colour(o.palette)));
        if (entry.progress >= 0 && entry.state != QueueEntryState::done) {
            draw_progress(*painter, QRect(first.left(), o.rect.bottom() - 3, first.width(), 2),
                          entry.progress, pick(o.palette.color(QPalette::Highlight)));
        }
        painter->restore();
    }

private:
    ApartNames names_;
};

}  // namespace

QString queue_word(QueueEntryState state) {
    constexpr std::array words{
        QT_TRANSLATE_NOOP("core", "waiting"),   QT_TRANSLATE_NOOP("core", "running"),
        QT_TRANSLATE_NOOP("core", "paused"),    QT_TRANSLATE_NOOP("core", "stopping"),
        QT_TRANSLATE_NOOP("core", "finished"),  QT_TRANSLATE_NOOP("core", "failed"),
        QT_TRANSLATE_NOOP("core", "cancelled"), QT_TRANSLATE_NOOP("core", "interrupted")};
    return translated(words.at(static_cast<std::size_t>(state)));
}

QString queue_text(const QueueEntry& entry) {
    const bool is_active =
        entry.state == QueueEntryState::running || entry.state == QueueEntryState::stopping;
    return is_active && !entry.stage.isEmpty() ? entry.stage : queue_word(entry.state);
}

bool shows_share(const QueueEntry& entry) {
    return entry.progress >= 0 && entry.state != QueueEntryState::done && !entry.evaluates;
}

void QueueModel::set_entries(std::vector<QueueEntry> entries) {
    const bool same_lines = std::equal(entries.begin(), entries.end(), entries_.begin(), entries_.end(),
                                       [](const QueueEntry& a, const QueueEntry& b) { return a.id == b.id; });
    if (!same_lines) {
        beginResetModel();
        entries_ = std::move(entries);
        return endResetModel();
    }
    // "position 3": when a waiting entry leaves, the positions of those behind it change as well.
    bool moved_up = false;
    const auto before = std::exchange(entries_, std::move(entries));
    for (std::size_t i = 0; i < before.size(); ++i) {
        moved_up = moved_up || (entries_[i].state == QueueEntryState::waiting) !=
                                   (before[i].state == QueueEntryState::waiting);
        const auto line = index(static_cast<int>(i));
        if (moved_up || !looks_the_same(entries_[i], before[i])) Q_EMIT dataChanged(line, line);
    }
}

int QueueModel::waiting_position(int row) const {
    if (row < 0 || row >= rowCount() ||
        entries_[static_cast<std::size_t>(row)].state != QueueEntryState::waiting)
        return -1;
    int position = 0;
    for (int i = 0; i < row; ++i)
        position += entries_[static_cast<std::size_t>(i)].state == QueueEntryState::waiting ? 1 : 0;
    return position;
}

int QueueModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(entries_.size());
}

QVariant QueueModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const auto& entry = entries_[static_cast<std::size_t>(index.row())];
    if (role == Qt::DisplayRole) return entry.name;
    if (role == Qt::ToolTipRole || role == Qt::AccessibleTextRole) {
        QString text = entry.name + QStringLiteral(", ") + queue_text(entry);
        if (shows_share(entry)) text += QStringLiteral(" %1 %").arg(static_cast<int>(entry.progress * 100));
        if (const QString left = time_left_text(entry.seconds_left); !left.isEmpty())
            text += QStringLiteral(", ") + left;
        if (!entry.message.isEmpty()) text += QLatin1Char('\n') + entry.message;
        return text;
    }
    return {};
}

QueuePanel::QueuePanel(QWidget* parent)
    : QWidget(parent),
      model_(new QueueModel(this)),
      pages_(new QStackedWidget(this)),
      view_(new QListView(this)),
      empty_(new QLabel(this)),
      summary_(new QLabel(this)),
      hold_(new QToolButton(this)) {
    setAccessibleName(tr("Queue"));
    view_->setModel(model_);
    view_->setItemDelegate(new QueueDelegate(view_));
    view_->setUniformItemSizes(true);
    view_->setFrameShape(QFrame::NoFrame);
    view_->setAlternatingRowColors(true);
    view_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    view_->setContextMenuPolicy(Qt::CustomContextMenu);
    named(view_, tr("Runs in the queue"),
          tr("Running and waiting runs. Alt+Up and Alt+Down change the order"));
    empty_->setText(
        tr("The queue is empty.\n\nRun and “Queue a sweep…” add runs here. Each device trains "
           "one run at a time."));
    empty_->setWordWrap(true);
    empty_->setAlignment(Qt::AlignCenter);
    empty_->setMargin(12);
    hold_->setText(tr("&Hold"));
    hold_->setCheckable(true);
    hold_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    named(hold_, tr("Hold the queue"), tr("Pauses the queue. The current run continues."));
    named(summary_, tr("State of the queue"), tr("State of the queue"));
    add_widgets(pages_, {view_, empty_});
    auto* top = make_layout<QHBoxLayout>(nullptr, {8, 4, 4, 4});
    top->addWidget(summary_, 1);
    top->addWidget(hold_);
    auto* layout = make_layout<QVBoxLayout>(this, {}, 0);
    layout->addLayout(top);
    layout->addWidget(pages_, 1);
    setMinimumWidth(190);

    connect(hold_, &QToolButton::clicked, this, &QueuePanel::hold_requested);
    connect(view_->selectionModel(), &QItemSelectionModel::currentChanged, this,
            &QueuePanel::update_controls);
    connect(view_, &QAbstractItemView::activated, this, [this] {
        if (const auto* entry = current()) Q_EMIT activated(entry->id);
    });
    connect(view_, &QWidget::customContextMenuRequested, this, [this](const QPoint& at) {
        QMenu menu;
        menu.setToolTipsVisible(true);
        for (auto* action : actions())
            if (action->isEnabled()) menu.addAction(action);
        if (!menu.isEmpty()) menu.exec(view_->viewport()->mapToGlobal(at));
    });
    build_actions();
    update_icons();
    update_controls();
}

void QueuePanel::build_actions() {
    const auto add = [this](const char* name, const QString& text, const QKeySequence& key,
                            const QString& help, auto act) {
        auto* action = new QAction(text, this);
        action->setObjectName(QString::fromLatin1(name));
        action->setShortcut(key);
        // A held key must not remove or cancel one run after another.
        action->setAutoRepeat(key.matches(QKeySequence(Qt::Key_Delete)) == QKeySequence::NoMatch);
        action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        action->setToolTip(help);
        connect(action, &QAction::triggered, this, act);
        addAction(action);
    };
    add("queue_up", tr("Move &up"), QKeySequence(Qt::ALT | Qt::Key_Up), tr("Moves this run up in the queue"),
        [this] { move(-1); });
    add("queue_down", tr("Move &down"), QKeySequence(Qt::ALT | Qt::Key_Down),
        tr("Moves this run down in the queue"), [this] { move(1); });
    add("queue_pause", tr("&Pause"), QKeySequence(QStringLiteral("Ctrl+Space")),
        tr("Pauses the run between two steps or during its evaluation until it is resumed"), [this] {
            if (const auto* entry = current())
                Q_EMIT pause_requested(entry->id, entry->state == QueueEntryState::running);
        });
    add("queue_finish", tr("&Finish early and evaluate"), QKeySequence(QStringLiteral("Ctrl+Alt+E")),
        tr("Stops training now, then evaluates the run and keeps its results"), [this] {
            if (const auto* entry = current()) Q_EMIT finish_early_requested(entry->id);
        });
    add("queue_cancel", tr("&Cancel"), QKeySequence(QStringLiteral("Ctrl+Alt+.")),
        tr("Stops the run and keeps its last checkpoint"), [this] {
            if (const auto* entry = current()) Q_EMIT cancel_requested(entry->id);
        });
    add("queue_retry", tr("&Retry"), QKeySequence(QStringLiteral("Ctrl+Alt+R")),
        tr("Queues the run again, from its checkpoint if it has one"), [this] {
            if (const auto* entry = current()) Q_EMIT retry_requested(entry->id);
        });
    add("queue_remove", tr("Rem&ove from the queue"), QKeySequence(Qt::Key_Delete),
        tr("Removes the entry. The folder of a run that never started is deleted; files that a run has "
           "written "
           "are kept"),
        [this] {
            if (const auto* entry = current()) Q_EMIT remove_requested(entry->id);
        });
}

const QueueEntry* QueuePanel::current() const {
    const int row = view_->currentIndex().row();
    const auto& entries = model_->entries();
    return row < 0 || row >= static_cast<int>(entries.size()) ? nullptr
                                                              : &entries[static_cast<std::size_t>(row)];
}

void QueuePanel::move(int by) {
    const auto* entry = current();
    if (entry == nullptr) return;
    const int position = model_->waiting_position(view_->currentIndex().row());
    if (position >= 0) Q_EMIT move_requested(entry->id, position + by);
}

void QueuePanel::set_entries(std::vector<QueueEntry> entries) {
    // What runs is seen without scrolling, then what comes next, then what has ended, the newest first.
    const auto waiting = std::stable_partition(entries.begin(), entries.end(), [](const QueueEntry& entry) {
        return entry.state == QueueEntryState::running || entry.state == QueueEntryState::paused ||
               entry.state == QueueEntryState::stopping;
    });
    const auto ended = std::stable_partition(waiting, entries.end(), [](const QueueEntry& entry) {
        return entry.state == QueueEntryState::waiting;
    });
    std::reverse(ended, entries.end());
    const int id = current() != nullptr ? current()->id : 0, row = view_->currentIndex().row();
    const int scrolled = view_->verticalScrollBar()->value();
    model_->set_entries(std::move(entries));
    if (id != 0 && !view_->currentIndex().isValid() && !model_->entries().empty()) {
        const auto& now = model_->entries();
        const auto found =
            std::find_if(now.begin(), now.end(), [id](const auto& one) { return one.id == id; });
        const auto last = static_cast<int>(now.size()) - 1;  // of one that has gone, its neighbour
        view_->setCurrentIndex(
            model_->index(found != now.end() ? static_cast<int>(found - now.begin()) : std::min(row, last)));
        view_->verticalScrollBar()->setValue(scrolled);
    }
    update_controls();
}

void QueuePanel::set_held(bool held) {
    hold_->setChecked(held);
    hold_->setAccessibleDescription(held ? tr("held") : tr("not held"));
    update_controls();
}

void QueuePanel::update_controls() {
    const auto* entry = current();
    const auto state = entry != nullptr ? entry->state : QueueEntryState::stopping;
    const int position = entry != nullptr ? model_->waiting_position(view_->currentIndex().row()) : -1;
    int waiting = 0, running = 0, paused = 0, stopping = 0;
    for (const auto& e : model_->entries()) {
        waiting += e.state == QueueEntryState::waiting ? 1 : 0;
        running += e.state == QueueEntryState::running ? 1 : 0;
        paused += e.state == QueueEntryState::paused ? 1 : 0;
        stopping += e.state == QueueEntryState::stopping ? 1 : 0;
    }
    const bool is_active = state == QueueEntryState::running || state == QueueEntryState::paused;
    const bool ended = state == QueueEntryState::done || state == QueueEntryState::failed ||
                       state == QueueEntryState::cancelled || state == QueueEntryState::interrupted;
    const auto enable = [this](const char* name, bool on) { action(QLatin1String(name))->setEnabled(on); };
    enable("queue_up", position > 0);
    enable("queue_down", position >= 0 && position + 1 < waiting);
    enable("queue_pause", is_active);
    enable("queue_finish", is_active);
    enable("queue_cancel", is_active || (entry != nullptr && entry->finishing));
    enable("queue_retry", ended && state != QueueEntryState::done);
    enable("queue_remove", position >= 0 || ended);
    action(QStringLiteral("queue_pause"))
        ->setText(state == QueueEntryState::paused ? tr("Re&sume") : tr("&Pause"));
    pages_->setCurrentIndex(model_->entries().empty() ? 1 : 0);
    QStringList parts;
    if (running > 0) parts += tr("%1 running").arg(running);
    if (paused > 0) parts += tr("%1 paused").arg(paused);
    if (stopping > 0) parts += tr("%1 stopping").arg(stopping);
    if (waiting > 0) parts += tr("%1 waiting").arg(waiting);
    if (hold_->isChecked()) parts += tr("held");
    summary_->setText(parts.isEmpty() ? tr("Idle") : parts.join(QStringLiteral(" · ")));
}

void QueuePanel::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) update_icons();
}

void QueuePanel::update_icons() {
    hold_->setIcon(glyph_icon(Glyph::pause, palette().color(QPalette::ButtonText)));
}

}  // namespace casp::widgets

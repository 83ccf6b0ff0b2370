#include <algorithm>
#include <array>
#include <utility>

#include <QDataStream>
#include <QIODevice>
#include <QMimeData>

#include "panels/queue/queue_panel.h"
#include "panels/runs/runs_columns.h"
#include "state/amount_text.h"
#include "state/core_text.h"

namespace casp::widgets {

namespace {
const QString mime_type = QStringLiteral("application/x-casp-queue-entry");

/// Seconds and fractions change with each report; compare only their displayed form. A pixel of the bar
/// counts.
bool looks_the_same(const QueueEntry& a, const QueueEntry& b) {
    const auto pixels = [](const QueueEntry& entry) { return static_cast<int>(entry.progress * 2000); };
    return a.id == b.id && a.state == b.state && pixels(a) == pixels(b) && a.name == b.name &&
           a.message == b.message && a.stage == b.stage &&
           time_left_text(a.seconds_left) == time_left_text(b.seconds_left);
}
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
    return is_active && !entry.stage.isEmpty() ? translated_stage(entry.stage) : queue_word(entry.state);
}

bool shows_share(const QueueEntry& entry) {
    return entry.progress >= 0 && entry.state != QueueEntryState::done &&
           !entry.stage.startsWith(QLatin1String("evaluating"));
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

Qt::ItemFlags QueueModel::flags(const QModelIndex& index) const {
    // Drops are allowed between lines only, not onto one.
    if (!index.isValid()) return Qt::ItemIsDropEnabled;
    Qt::ItemFlags flags = Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemNeverHasChildren;
    if (waiting_position(index.row()) >= 0) flags |= Qt::ItemIsDragEnabled;
    return flags;
}

QStringList QueueModel::mimeTypes() const { return {mime_type}; }

QMimeData* QueueModel::mimeData(const QModelIndexList& indexes) const {
    if (indexes.isEmpty()) return nullptr;
    auto* mime = new QMimeData;
    mime->setData(mime_type,
                  QByteArray::number(entries_[static_cast<std::size_t>(indexes.front().row())].id));
    return mime;
}

/// Only requests the move: the queue answers with set_entries().
bool QueueModel::dropMimeData(const QMimeData* mime, Qt::DropAction action, int row, int,
                              const QModelIndex& parent) {
    if (action != Qt::MoveAction || !mime->hasFormat(mime_type)) return false;
    if (row < 0) row = parent.isValid() ? parent.row() : rowCount();
    const int id = mime->data(mime_type).toInt();
    int from = -1;
    for (int i = 0; i < rowCount(); ++i)
        if (entries_[static_cast<std::size_t>(i)].id == id) from = i;
    if (waiting_position(from) < 0) return false;
    int position = 0;
    for (int i = 0; i < row && i < rowCount(); ++i)
        if (i != from && entries_[static_cast<std::size_t>(i)].state == QueueEntryState::waiting) ++position;
    if (position != waiting_position(from)) Q_EMIT move_requested(id, position);
    return false;  // the view must not remove the line itself
}

}  // namespace casp::widgets

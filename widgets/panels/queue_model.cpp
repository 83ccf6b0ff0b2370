#include <QDataStream>
#include <QIODevice>
#include <QMimeData>

#include "panels/queue_panel.h"
#include "panels/runs_columns.h"

namespace casp::widgets {

namespace {
const QString mime_type = QStringLiteral("application/x-casp-queue-entry");
}

QString queue_word(QueueEntryState state) {
    switch (state) {
        case QueueEntryState::waiting:
            return QStringLiteral("waiting");
        case QueueEntryState::running:
            return QStringLiteral("running");
        case QueueEntryState::paused:
            return QStringLiteral("paused");
        case QueueEntryState::stopping:
            return QStringLiteral("stopping");
        case QueueEntryState::done:
            return QStringLiteral("finished");
        case QueueEntryState::failed:
            return QStringLiteral("failed");
        case QueueEntryState::cancelled:
            return QStringLiteral("cancelled");
        case QueueEntryState::interrupted:
            break;
    }
    return QStringLiteral("interrupted");
}

QString queue_text(const QueueEntry& entry) {
    const bool goes_on = entry.state == QueueEntryState::running || entry.state == QueueEntryState::stopping;
    return goes_on && !entry.stage.isEmpty() ? entry.stage : queue_word(entry.state);
}

bool shows_share(const QueueEntry& entry) {
    return entry.progress >= 0 && entry.state != QueueEntryState::done &&
           !entry.stage.startsWith(QLatin1String("evaluating"));
}

void QueueModel::set_entries(std::vector<QueueEntry> entries) {
    if (entries == entries_) return;
    bool same = entries.size() == entries_.size();
    for (std::size_t i = 0; same && i < entries.size(); ++i) same = entries[i].id == entries_[i].id;
    if (!same) {
        beginResetModel();
        entries_ = std::move(entries);
        endResetModel();
        return;
    }
    entries_ = std::move(entries);
    if (!entries_.empty()) Q_EMIT dataChanged(index(0), index(static_cast<int>(entries_.size()) - 1));
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
    // Dropped between lines only, never onto one.
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

/// Says what is wanted and changes nothing: the queue answers with set_entries().
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
    if (position != waiting_position(from)) Q_EMIT move_wanted(id, position);
    return false;  // the view must not remove the line itself
}

}  // namespace casp::widgets

#include "panels/messages/message_log.h"

namespace casp::widgets {

QString severity_word(Severity severity) {
    return severity == Severity::error     ? QObject::tr("error")
           : severity == Severity::warning ? QObject::tr("warning")
                                           : QObject::tr("note");
}

void MessageLog::count(const Message& message, int by) {
    if (message.severity == Severity::error) errors_ += by;
    if (message.severity == Severity::warning) warnings_ += by;
}

void MessageLog::add(Message message) {
    if (!message.time.isValid()) message.time = QDateTime::currentDateTime();
    if (!messages_.empty()) {
        auto& last = messages_.back();
        if (last.text == message.text && last.run == message.run && last.severity == message.severity) {
            ++last.repeats;
            last.time = message.time;
            const int row = rowCount() - 1;
            Q_EMIT dataChanged(index(row, 0), index(row, column_count - 1));
            return;
        }
    }
    if (messages_.size() == most) {
        beginRemoveRows({}, 0, 0);
        count(messages_.front(), -1);
        messages_.pop_front();
        endRemoveRows();
    }
    beginInsertRows({}, rowCount(), rowCount());
    count(message, 1);
    messages_.push_back(std::move(message));
    endInsertRows();
    Q_EMIT counts_changed();
}

void MessageLog::clear() {
    beginResetModel();
    messages_.clear();
    errors_ = warnings_ = 0;
    endResetModel();
    Q_EMIT counts_changed();
}

int MessageLog::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(messages_.size());
}

int MessageLog::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : column_count; }

QVariant MessageLog::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const auto& message = at(index.row());
    if (role == Qt::ToolTipRole) {
        QString text = message.text;
        if (!message.advice.isEmpty()) text += QStringLiteral("\n→ ") + message.advice;
        if (!message.run.isEmpty()) text += QLatin1Char('\n') + message.run;
        return text;
    }
    if (role == Qt::AccessibleTextRole && index.column() == text_column)
        return severity_word(message.severity) + QStringLiteral(": ") + message.text + QLatin1Char(' ') +
               message.advice;
    if (role != Qt::DisplayRole && role != Qt::AccessibleTextRole) return {};
    switch (index.column()) {
        case time_column:
            return message.time.toString(QStringLiteral("HH:mm:ss"));
        case severity_column:
            return severity_word(message.severity);
        case run_column:
            return message.name;
        default:
            return message.repeats > 1
                       ? QStringLiteral("%1  (%2 ×)").arg(message.text, QString::number(message.repeats))
                       : message.text;
    }
}

QVariant MessageLog::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
    switch (section) {
        case time_column:
            return tr("Time");
        case severity_column:
            return tr("Kind");
        case run_column:
            return tr("Run");
        default:
            return tr("Message");
    }
}

QString MessageLog::line(int row) const {
    const auto& message = at(row);
    QStringList fields{message.time.toString(Qt::ISODate), severity_word(message.severity), message.name,
                       QString(message.text).replace(QLatin1Char('\n'), QLatin1Char(' '))};
    if (!message.advice.isEmpty()) fields += message.advice;
    return fields.join(QLatin1Char('\t'));
}

}  // namespace casp::widgets

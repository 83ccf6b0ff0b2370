#include "panels/forecasts/series_edit.h"

#include <algorithm>

#include <QCompleter>
#include <QStringListModel>

namespace casp::widgets {

SeriesEdit::SeriesEdit(QWidget* parent) : QLineEdit(parent), completions_(new QStringListModel(this)) {
    setPlaceholderText(tr("Series"));
    setAccessibleName(tr("Series id"));
    setToolTip(tr("Id of the shown series. Type another one and press Enter to show it"));
    setMaximumWidth(16 * fontMetrics().averageCharWidth());
    auto* completer = new QCompleter(completions_, this);
    completer->setCaseSensitivity(Qt::CaseInsensitive);
    setCompleter(completer);
    connect(completer, qOverload<const QString&>(&QCompleter::activated), this, &SeriesEdit::jump,
            Qt::QueuedConnection);  // after the text is completed
    connect(this, &QLineEdit::returnPressed, this, &SeriesEdit::jump);
}

void SeriesEdit::set_ids(const std::vector<std::string>& ids) {
    if (ids == ids_) return;
    ids_ = ids;
    QStringList texts;
    for (const auto& id : ids_) texts << QString::fromStdString(id);
    completions_->setStringList(texts);
    current_ = -1;
}

void SeriesEdit::set_current(std::int64_t window) {
    if (window == current_ || (hasFocus() && isModified())) return;
    current_ = window;
    const bool known = window >= 0 && window < std::ssize(ids_);
    setText(known ? QString::fromStdString(ids_[static_cast<std::size_t>(window)]) : QString());
}

void SeriesEdit::jump() {
    const auto id = text().trimmed();
    if (id.isEmpty()) return;
    auto found = std::find(ids_.begin(), ids_.end(), id.toStdString());
    if (found == ids_.end())
        found = std::find_if(ids_.begin(), ids_.end(), [&](const std::string& one) {
            return id.compare(QString::fromStdString(one), Qt::CaseInsensitive) == 0;
        });
    if (found == ids_.end()) {
        Q_EMIT not_found(id);
        return;
    }
    setModified(false);
    Q_EMIT chosen(found - ids_.begin());
}

}  // namespace casp::widgets

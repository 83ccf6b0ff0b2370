#include "panels/data/data_jump.h"

#include <algorithm>

#include <QAbstractItemView>
#include <QCompleter>
#include <QHBoxLayout>
#include <QLabel>

namespace casp::widgets {

namespace {

constexpr int most_lines = 12;
constexpr int field_digits = 34;

/// Shows elided names of the list in full.
class ColumnNames : public QStringListModel {
public:
    using QStringListModel::QStringListModel;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override {
        return QStringListModel::data(index, role == Qt::ToolTipRole ? Qt::DisplayRole : role);
    }
};

}  // namespace

ChannelJump::ChannelJump(QWidget* parent)
    : QWidget(parent), field_(new QLineEdit(this)), names_(new ColumnNames(this)) {
    field_->setAccessibleName(tr("Go to channel"));
    field_->setToolTip(tr(
        "Part of a channel's name. Enter goes to its column, Enter again to the next match (Ctrl+Shift+N)"));
    field_->setPlaceholderText(tr("part of the name"));
    field_->setClearButtonEnabled(true);
    field_->setMaximumWidth(fontMetrics().horizontalAdvance(u'0') * field_digits);
    auto* completer = new QCompleter(names_, field_);
    completer->setFilterMode(Qt::MatchContains);
    completer->setCaseSensitivity(Qt::CaseInsensitive);
    completer->setMaxVisibleItems(most_lines);
    completer->popup()->setTextElideMode(Qt::ElideMiddle);  // long names differ at their ends
    completer->popup()->setAccessibleName(tr("Channels found"));
    completer->popup()->setToolTip(tr("Channels whose name contains the text"));
    field_->setCompleter(completer);
    auto* label = new QLabel(tr("Go to channe&l"), this);
    label->setBuddy(field_);
    label->setToolTip(field_->toolTip());
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(label);
    row->addWidget(field_, 1);
    row->addStretch();
    connect(field_, &QLineEdit::returnPressed, this, &ChannelJump::go);
    connect(completer, qOverload<const QString&>(&QCompleter::activated), this, [this](const QString& name) {
        if (const int at = exact(name); at >= 0) Q_EMIT chosen(at);
    });
    set_channels({});
}

void ChannelJump::set_channels(const QStringList& names) {
    if (names != names_->stringList()) {
        names_->setStringList(names);
        field_->clear();
        searched_.clear();
        found_ = -1;
    }
    setEnabled(!names.isEmpty());
}

void ChannelJump::take_keyboard() {
    field_->setFocus(Qt::ShortcutFocusReason);
    field_->selectAll();
}

int ChannelJump::find(const QString& text, int first, Qt::MatchFlags how) const {
    const auto found = names_->match(names_->index(first % std::max(1, names_->rowCount())), Qt::DisplayRole,
                                     text, 1, how | Qt::MatchWrap);
    return found.isEmpty() ? -1 : found.front().row();
}

int ChannelJump::exact(const QString& text) const {
    const int at = find(text, 0, Qt::MatchExactly | Qt::MatchCaseSensitive);
    return at >= 0 ? at : find(text, 0, Qt::MatchFixedString);
}

void ChannelJump::go() {
    const auto text = field_->text().trimmed();
    if (text.isEmpty()) return;
    const int named = exact(text);
    found_ = named >= 0 ? named : find(text, text == searched_ ? found_ + 1 : 0, Qt::MatchContains);
    searched_ = text;
    if (found_ >= 0) {
        Q_EMIT chosen(found_);
        return;
    }
    Q_EMIT message(tr("No channel name contains “%1”.").arg(text), false);
    field_->selectAll();
}

}  // namespace casp::widgets

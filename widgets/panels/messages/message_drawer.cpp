#include "panels/messages/message_drawer.h"

#include <set>

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QPainter>
#include <QScrollBar>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

#include "panels/view/icons.h"

namespace casp::widgets {

namespace {

/// By severity, and by words in text, advice and run.
class MessageFilter : public QSortFilterProxyModel {
public:
    using QSortFilterProxyModel::QSortFilterProxyModel;

    void set(Severity least, const QString& words) {
        least_ = least;
        words_ = words.split(QLatin1Char(' '), Qt::SkipEmptyParts);
        invalidateFilter();
    }

protected:
    bool filterAcceptsRow(int row, const QModelIndex&) const override {
        const auto* log = qobject_cast<const MessageLog*>(sourceModel());
        const auto& message = log->at(row);
        if (message.severity < least_) return false;
        for (const auto& word : words_)
            if (!message.text.contains(word, Qt::CaseInsensitive) &&
                !message.advice.contains(word, Qt::CaseInsensitive) &&
                !message.name.contains(word, Qt::CaseInsensitive))
                return false;
        return true;
    }

private:
    Severity least_ = Severity::note;
    QStringList words_;
};

/// Icon and word for the severity.
class SeverityDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        QStyleOptionViewItem o = option;
        initStyleOption(&o, index);
        const QStyle* style = o.widget != nullptr ? o.widget->style() : QApplication::style();
        style->drawPrimitive(QStyle::PE_PanelItemViewItem, &o, painter, o.widget);
        const bool error = o.text == severity_word(Severity::error),
                   warning = o.text == severity_word(Severity::warning);
        QColor colour = error     ? error_colour(o.palette)
                        : warning ? warning_colour(o.palette)
                                  : muted_colour(o.palette);
        if ((o.state & QStyle::State_Selected) != 0) colour = o.palette.color(QPalette::HighlightedText);
        const QRect box = o.rect.adjusted(5, 0, -3, 0);
        draw_glyph(*painter, QRectF(box.left(), box.center().y() - 6.5, 14, 14),
                   error     ? Glyph::cross
                   : warning ? Glyph::warning
                             : Glyph::info,
                   colour);
        painter->save();
        painter->setFont(o.font);
        painter->setPen(colour);
        painter->drawText(box.adjusted(19, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, o.text);
        painter->restore();
    }
};

}  // namespace

MessageDrawer::MessageDrawer(QWidget* parent)
    : QWidget(parent),
      log_(new MessageLog(this)),
      proxy_(new MessageFilter(this)),
      pages_(new QStackedWidget(this)),
      view_(new QTableView(this)),
      empty_(new QLabel(this)),
      details_(new QLabel(this)),
      filter_(new QLineEdit(this)),
      least_(new QComboBox(this)),
      copy_(new QPushButton(tr("&Copy"), this)),
      clear_(new QPushButton(tr("C&lear"), this)) {
    setAccessibleName(tr("Messages"));
    proxy_->setSourceModel(log_);
    view_->setModel(proxy_);
    view_->setItemDelegateForColumn(MessageLog::severity_column, new SeverityDelegate(view_));
    view_->setSelectionBehavior(QAbstractItemView::SelectRows);
    view_->setSelectionMode(QAbstractItemView::ExtendedSelection);
    view_->setTabKeyNavigation(false);
    view_->setShowGrid(false);
    view_->setAlternatingRowColors(true);
    view_->setWordWrap(false);
    view_->setFrameShape(QFrame::NoFrame);
    view_->verticalHeader()->hide();
    view_->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    view_->verticalHeader()->setDefaultSectionSize(view_->fontMetrics().height() + 8);
    view_->horizontalHeader()->setStretchLastSection(true);
    view_->horizontalHeader()->setHighlightSections(false);
    view_->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    const QFontMetrics metrics = view_->fontMetrics();
    view_->setColumnWidth(MessageLog::time_column,
                          metrics.horizontalAdvance(QStringLiteral("00:00:00")) + 16);
    view_->setColumnWidth(MessageLog::severity_column,
                          metrics.horizontalAdvance(QStringLiteral("warning")) + 38);
    view_->setColumnWidth(MessageLog::run_column, 180);
    view_->setAccessibleName(tr("Messages"));
    view_->setToolTip(tr("Messages. Click a run, or press Enter, to show it"));
    empty_->setWordWrap(true);
    empty_->setAlignment(Qt::AlignCenter);
    empty_->setMargin(12);
    pages_->addWidget(view_);
    pages_->addWidget(empty_);
    details_->setWordWrap(true);
    details_->setTextFormat(Qt::PlainText);
    details_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    details_->setContentsMargins(8, 4, 8, 4);
    details_->setAutoFillBackground(true);
    details_->setBackgroundRole(QPalette::AlternateBase);
    details_->setAccessibleName(tr("Full text of the selected message"));
    details_->setToolTip(tr("Full text of the selected message, and what to do"));
    details_->hide();
    filter_->setPlaceholderText(tr("Filter messages"));
    filter_->setClearButtonEnabled(true);
    filter_->setAccessibleName(tr("Filter messages"));
    filter_->setToolTip(tr("Words to find in the message, its advice or its run"));
    least_->addItems({tr("All messages"), tr("Warnings and errors"), tr("Errors")});
    least_->setAccessibleName(tr("Message level"));
    least_->setToolTip(tr("Lowest level of listed messages"));
    copy_->setAccessibleName(tr("Copy messages"));
    copy_->setToolTip(tr("Copies the selected messages, or all listed ones if none are selected (Ctrl+C)"));
    clear_->setAccessibleName(tr("Clear messages"));
    clear_->setToolTip(tr("Clears this list; each run keeps its log.txt"));

    auto* top = new QHBoxLayout;
    top->setContentsMargins(4, 4, 4, 2);
    top->setSpacing(6);
    top->addWidget(filter_, 1);
    top->addWidget(least_);
    top->addWidget(copy_);
    top->addWidget(clear_);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(top);
    layout->addWidget(pages_, 1);
    layout->addWidget(details_);

    auto* copy_action = new QAction(tr("Copy messages"), view_);
    copy_action->setShortcut(QKeySequence::Copy);
    copy_action->setShortcutContext(Qt::WidgetShortcut);
    view_->addAction(copy_action);
    connect(copy_action, &QAction::triggered, this, &MessageDrawer::copy);
    connect(copy_, &QPushButton::clicked, this, &MessageDrawer::copy);
    connect(clear_, &QPushButton::clicked, this, &MessageDrawer::clear);
    connect(filter_, &QLineEdit::textChanged, this, &MessageDrawer::apply_filter);
    connect(least_, &QComboBox::currentIndexChanged, this, &MessageDrawer::apply_filter);
    connect(log_, &MessageLog::counts_changed, this,
            [this] { Q_EMIT counts_changed(log_->errors(), log_->warnings()); });
    connect(view_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            &MessageDrawer::show_details);
    const auto go = [this](const QModelIndex& index) {
        const auto& message = log_->at(proxy_->mapToSource(index).row());
        if (!message.run.isEmpty()) Q_EMIT run_requested(message.run);
    };
    connect(view_, &QAbstractItemView::clicked, this, [go](const QModelIndex& index) {
        if (index.column() == MessageLog::run_column) go(index);
    });
    connect(view_, &QAbstractItemView::activated, this, [go](const QModelIndex& index) {
        if (index.column() != MessageLog::run_column) go(index);  // the click has handled it
    });
    update_page();
}

void MessageDrawer::add(Message message) {
    auto* bar = view_->verticalScrollBar();
    const bool at_end = bar->value() == bar->maximum();
    log_->add(std::move(message));
    update_page();
    if (at_end) view_->scrollToBottom();
}

void MessageDrawer::apply_filter() {
    static_cast<MessageFilter*>(proxy_)->set(static_cast<Severity>(least_->currentIndex()), filter_->text());
    update_page();
}

void MessageDrawer::show_details(const QModelIndex& index) {
    details_->setVisible(index.isValid());
    if (!index.isValid()) return;
    const auto& message = log_->at(proxy_->mapToSource(index).row());
    details_->setText(message.advice.isEmpty() ? message.text
                                               : message.text + QStringLiteral("\n→ ") + message.advice);
}

void MessageDrawer::update_page() {
    const bool any = log_->rowCount() > 0;
    pages_->setCurrentIndex(proxy_->rowCount() > 0 ? 0 : 1);
    empty_->setText(any ? tr("No message matches the filter.")
                        : tr("No messages.\n\nData warnings, and errors with advice, are listed here."));
    if (proxy_->rowCount() == 0) details_->hide();
    copy_->setEnabled(proxy_->rowCount() > 0);
    clear_->setEnabled(any);
}

void MessageDrawer::copy() {
    std::set<int> rows;
    for (const auto& range : view_->selectionModel()->selection())
        for (int row = range.top(); row <= range.bottom(); ++row) rows.insert(row);
    if (rows.empty())
        for (int row = 0; row < proxy_->rowCount(); ++row) rows.insert(row);
    QString text;
    for (const int row : rows)
        text += log_->line(proxy_->mapToSource(proxy_->index(row, 0)).row()) + QLatin1Char('\n');
    if (!text.isEmpty()) QApplication::clipboard()->setText(text);
}

void MessageDrawer::clear() {
    log_->clear();
    details_->hide();
    update_page();
}

void MessageDrawer::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        view_->verticalHeader()->setDefaultSectionSize(view_->fontMetrics().height() + 8);
}

}  // namespace casp::widgets

#include "panels/messages/message_drawer.h"

#include <algorithm>
#include <array>

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QDateTime>
#include <QHBoxLayout>
#include <QScrollBar>
#include <QVBoxLayout>

#include "panels/view/icons.h"
#include "panels/view/view_flow.h"

namespace casp::widgets {

namespace {

/// Data of a line's columns: its time, severity, folder of the run, and text with the number of repetitions.
constexpr int data_role = Qt::UserRole, repeats_role = Qt::UserRole + 1;

QString severity_word(Severity severity) {
    return severity == Severity::error     ? QObject::tr("error")
           : severity == Severity::warning ? QObject::tr("warning")
                                           : QObject::tr("note");
}

Severity severity_of(const QTreeWidgetItem& line) {
    return static_cast<Severity>(line.data(MessageDrawer::severity_column, data_role).toInt());
}

QString message_text(const QTreeWidgetItem& line) {
    return line.data(MessageDrawer::text_column, data_role).toString();
}

QString run_of(const QTreeWidgetItem& line) {
    return line.data(MessageDrawer::run_column, data_role).toString();
}

}  // namespace

MessageDrawer::MessageDrawer(QWidget* parent)
    : QWidget(parent),
      pages_(new QStackedWidget(this)),
      view_(new QTreeWidget(this)),
      empty_(new QLabel(this)),
      details_(new QLabel(this)),
      filter_(new QLineEdit(this)),
      least_(new QComboBox(this)),
      copy_(new QPushButton(tr("&Copy"), this)),
      clear_(new QPushButton(tr("C&lear"), this)) {
    setAccessibleName(tr("Messages"));
    fill_view();
    fill_controls();
    auto* top = make_layout<QHBoxLayout>(nullptr, {4, 4, 4, 2}, 6);
    top->addWidget(filter_, 1);
    add_widgets(top, {least_, copy_, clear_});
    auto* layout = make_layout<QVBoxLayout>(this, {}, 0);
    layout->addLayout(top);
    layout->addWidget(pages_, 1);
    layout->addWidget(details_);
    connect_parts();
    update_page();
}

void MessageDrawer::fill_view() {
    view_->setHeaderLabels({tr("Time"), tr("Kind"), tr("Run"), tr("Message")});
    view_->setRootIsDecorated(false);
    view_->setUniformRowHeights(true);
    view_->setAllColumnsShowFocus(true);
    view_->setSelectionMode(QAbstractItemView::ExtendedSelection);
    view_->setAlternatingRowColors(true);
    view_->setFrameShape(QFrame::NoFrame);
    const auto width = [this](const QString& text) { return view_->fontMetrics().horizontalAdvance(text); };
    view_->setColumnWidth(time_column, width(QStringLiteral("00:00:00")) + 16);
    view_->setColumnWidth(severity_column, width(severity_word(Severity::warning)) + 38);
    view_->setColumnWidth(run_column, 180);
    named(view_, tr("Messages"), tr("Messages. Click a run, or press Enter, to show it"));
    empty_->setWordWrap(true);
    empty_->setAlignment(Qt::AlignCenter);
    empty_->setMargin(12);
    add_widgets(pages_, {view_, empty_});
    details_->setWordWrap(true);
    details_->setTextFormat(Qt::PlainText);
    details_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    details_->setContentsMargins(8, 4, 8, 4);
    details_->setAutoFillBackground(true);
    details_->setBackgroundRole(QPalette::AlternateBase);
    named(details_, tr("Full text of the selected message"), tr("Full text of the selected message"));
    details_->hide();
}

void MessageDrawer::fill_controls() {
    filter_->setPlaceholderText(tr("Filter messages"));
    filter_->setClearButtonEnabled(true);
    named(filter_, tr("Filter messages"), tr("Words to find in the message or its run"));
    least_->addItems({tr("All messages"), tr("Warnings and errors"), tr("Errors")});
    named(least_, tr("Message level"), tr("Lowest level of listed messages"));
    named(copy_, tr("Copy messages"),
          tr("Copies the selected messages, or all listed ones if none are selected (Ctrl+C)"));
    named(clear_, tr("Clear messages"), tr("Clears this list; each run keeps its log.txt"));
}

void MessageDrawer::connect_parts() {
    auto* copy_action = new QAction(tr("Copy messages"), view_);
    copy_action->setShortcut(QKeySequence::Copy);
    copy_action->setShortcutContext(Qt::WidgetShortcut);
    view_->addAction(copy_action);
    connect(copy_action, &QAction::triggered, this, &MessageDrawer::copy);
    connect(copy_, &QPushButton::clicked, this, &MessageDrawer::copy);
    connect(clear_, &QPushButton::clicked, this, &MessageDrawer::clear);
    connect(filter_, &QLineEdit::textChanged, this, &MessageDrawer::apply_filter);
    connect(least_, &QComboBox::currentIndexChanged, this, &MessageDrawer::apply_filter);
    connect(view_, &QTreeWidget::currentItemChanged, this, &MessageDrawer::show_details);
    const auto go = [this](const QTreeWidgetItem* line) {
        if (const auto run = run_of(*line); !run.isEmpty()) Q_EMIT run_requested(run);
    };
    connect(view_, &QTreeWidget::itemClicked, this, [go](const QTreeWidgetItem* line, int column) {
        if (column == run_column) go(line);
    });
    connect(view_, &QTreeWidget::itemActivated, this, [go](const QTreeWidgetItem* line, int column) {
        if (column != run_column) go(line);  // the click has handled it
    });
}

void MessageDrawer::add(Severity severity, const QString& text, const QString& run, const QString& name) {
    auto* bar = view_->verticalScrollBar();
    const bool at_end = bar->value() == bar->maximum();
    auto* line = view_->topLevelItem(view_->topLevelItemCount() - 1);
    if (line == nullptr || message_text(*line) != text || run_of(*line) != run ||
        severity_of(*line) != severity) {
        if (view_->topLevelItemCount() == most) delete view_->takeTopLevelItem(0);
        line = new QTreeWidgetItem(view_, {{}, severity_word(severity), name, text});
        line->setData(severity_column, data_role, static_cast<int>(severity));
        line->setData(run_column, data_role, run);
        line->setData(text_column, data_role, text);
        line->setData(text_column, Qt::AccessibleTextRole,
                      severity_word(severity) + QStringLiteral(": ") + text);
        for (int column = 0; column < view_->columnCount(); ++column)
            line->setToolTip(column, run.isEmpty() ? text : text + QLatin1Char('\n') + run);
        show_severity(*line);
        line->setHidden(!matches(*line));
    }
    const int times = line->data(text_column, repeats_role).toInt() + 1;
    line->setData(text_column, repeats_role, times);
    if (times > 1) line->setText(text_column, QStringLiteral("%1  (%2 ×)").arg(text, QString::number(times)));
    const auto now = QDateTime::currentDateTime();
    line->setText(time_column, now.toString(QStringLiteral("HH:mm:ss")));
    line->setData(time_column, data_role, now.toString(Qt::ISODate));
    update_page();
    if (at_end) view_->scrollToBottom();
}

QStringList MessageDrawer::texts() const {
    QStringList texts;
    for (int row = 0; row < view_->topLevelItemCount(); ++row)
        texts << message_text(*view_->topLevelItem(row));
    return texts;
}

void MessageDrawer::show_severity(QTreeWidgetItem& line) const {
    const auto severity = severity_of(line);
    const auto colour = severity == Severity::error     ? error_colour(palette())
                        : severity == Severity::warning ? warning_colour(palette())
                                                        : muted_colour(palette());
    constexpr std::array glyphs{Glyph::info, Glyph::warning, Glyph::cross};
    line.setForeground(severity_column, colour);
    line.setIcon(severity_column, glyph_icon(glyphs.at(static_cast<std::size_t>(severity)), colour));
}

bool MessageDrawer::matches(const QTreeWidgetItem& line) const {
    const auto words = filter_->text().split(QLatin1Char(' '), Qt::SkipEmptyParts);
    return static_cast<int>(severity_of(line)) >= least_->currentIndex() &&
           std::all_of(words.begin(), words.end(), [&](const QString& word) {
               return message_text(line).contains(word, Qt::CaseInsensitive) ||
                      line.text(run_column).contains(word, Qt::CaseInsensitive);
           });
}

void MessageDrawer::apply_filter() {
    for (int row = 0; row < view_->topLevelItemCount(); ++row) {
        auto* line = view_->topLevelItem(row);
        line->setHidden(!matches(*line));
    }
    update_page();
}

void MessageDrawer::show_details(const QTreeWidgetItem* line) {
    details_->setVisible(line != nullptr);
    if (line != nullptr) details_->setText(message_text(*line));
}

void MessageDrawer::update_page() {
    const bool any = view_->topLevelItemCount() > 0;
    bool visible = false;
    for (int row = view_->topLevelItemCount() - 1; row >= 0 && !visible; --row)
        visible = !view_->topLevelItem(row)->isHidden();
    pages_->setCurrentIndex(visible ? 0 : 1);
    empty_->setText(any ? tr("No message matches the filter.")
                        : tr("No messages.\n\nData warnings, and errors with advice, are listed here."));
    if (!visible) details_->hide();
    copy_->setEnabled(visible);
    clear_->setEnabled(any);
}

void MessageDrawer::copy() {
    const bool chosen = !view_->selectedItems().isEmpty();
    QString text;
    for (int row = 0; row < view_->topLevelItemCount(); ++row) {
        const auto& line = *view_->topLevelItem(row);
        if (chosen ? line.isSelected() : !line.isHidden())
            text += QStringList{line.data(time_column, data_role).toString(), line.text(severity_column),
                                line.text(run_column), message_text(line)}
                        .join(QLatin1Char('\t')) +
                    QLatin1Char('\n');
    }
    if (!text.isEmpty()) QApplication::clipboard()->setText(text);
}

void MessageDrawer::clear() {
    view_->clear();
    details_->hide();
    update_page();
}

void MessageDrawer::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() != QEvent::PaletteChange) return;
    for (int row = 0; row < view_->topLevelItemCount(); ++row) show_severity(*view_->topLevelItem(row));
}

}  // namespace casp::widgets

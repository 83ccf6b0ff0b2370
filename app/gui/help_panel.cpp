#include "gui/help_panel.h"

#include <vector>

#include <QListWidget>
#include <QSplitter>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTextCursor>
#include <QVBoxLayout>

#include "config/experiment.h"
#include "config/options.h"
#include "config/scheduler.h"
#include "gui/language.h"
#include "gui/pages.h"
#include "words/core_text.h"

namespace casp::gui {

namespace {

/// The description of an option in the list of options.
QString option_text(const QString& key) {
    const auto* option = config::find_option(key.toStdString());
    if (option == nullptr) option = config::find_scheduler_option(key.toStdString());
    if (option == nullptr) return {};
    const auto text = [](const std::string& s) { return QString::fromStdString(s); };
    const auto item = [](const QString& words) { return QStringLiteral("- %1\n").arg(words); };
    QString page = QStringLiteral("# %1\n\n%2.\n\n").arg(key, widgets::translated(option->help));
    if (!option->symbol.empty()) page += item(QObject::tr("Symbol: %1").arg(text(option->symbol)));
    page += item(QObject::tr("Default: `%1`").arg(text(config::to_toml(option->default_value))));
    page += item(QObject::tr("Expected: %1").arg(widgets::translated(config::expected_text(*option))));
    if (!option->unit.empty()) page += item(QObject::tr("Unit: %1").arg(widgets::translated(option->unit)));
    return page + QLatin1Char('\n') +
           QObject::tr("In an experiment file: section `[%1]`, key `%2`. On the command line: `--set %3=…`.")
               .arg(text(option->section), text(option->member), key) +
           QLatin1Char('\n');
}

}  // namespace

void colour_links(const QTextEdit& page, const QPalette& palette) {
    std::vector<QTextCursor> links;  // first all: a change of format invalidates the iterators
    for (auto block = page.document()->begin(); block.isValid(); block = block.next())
        for (auto it = block.begin(); !it.atEnd(); ++it)
            if (const auto piece = it.fragment(); piece.charFormat().isAnchor()) {
                QTextCursor link(page.document());
                link.setPosition(piece.position());
                link.setPosition(piece.position() + piece.length(), QTextCursor::KeepAnchor);
                links.push_back(link);
            }
    QTextCharFormat format;
    format.setForeground(palette.link());
    for (auto& link : links) link.mergeCharFormat(format);
}

HelpPanel::HelpPanel(QWidget* parent)
    : QWidget(parent), contents_(new QListWidget(this)), page_(new QTextBrowser(this)) {
    setAccessibleName(tr("Help"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    auto* split = new QSplitter(Qt::Horizontal, this);
    split->addWidget(contents_);
    split->addWidget(page_);
    split->setStretchFactor(1, 1);
    split->setSizes({130, 420});
    layout->addWidget(split);
    contents_->setAccessibleName(tr("Help topics"));
    contents_->setToolTip(tr("Help topics"));
    page_->setAccessibleName(tr("Help text"));
    page_->setToolTip(tr("Explanation; the text can be selected"));
    page_->setOpenLinks(false);  // nothing touches the network
    for (const auto& page : help_contents()) {
        auto* item = new QListWidgetItem(page.title, contents_);
        item->setData(Qt::UserRole, page.topic);
    }
    connect(contents_, &QListWidget::currentItemChanged, this, [this](const QListWidgetItem* item) {
        if (item != nullptr) show_topic(item->data(Qt::UserRole).toString());
    });
    connect(page_, &QTextBrowser::anchorClicked, this,
            [this](const QUrl& link) { show_topic(link.toString()); });
    show_topic(QStringLiteral("start"));
}

void HelpPanel::show_topic(const QString& wanted) {
    const auto topic = wanted.startsWith(QLatin1String("options/")) ? wanted.mid(8) : wanted;
    auto text = help_page(topic).replace(QStringLiteral("[actions]\n"), keyboard_tables_);
    if (text.isEmpty()) text = option_text(topic);
    topic_ = text.isEmpty() ? QStringLiteral("start") : topic;
    if (text.isEmpty()) text = help_page(topic_);
    page_->setMarkdown(text);
    colour_links(*page_, palette());
    for (int row = 0; row < contents_->count(); ++row)
        if (contents_->item(row)->data(Qt::UserRole).toString() == topic_ && contents_->currentRow() != row)
            contents_->setCurrentRow(row);
}

void HelpPanel::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && page_ != nullptr) colour_links(*page_, palette());
}

void HelpPanel::set_keyboard_tables(const QString& tables) {
    keyboard_tables_ = tables;
    if (topic_ == QLatin1String("keyboard")) show_topic(topic_);
}

QString HelpPanel::text() const { return page_->toPlainText(); }

}  // namespace casp::gui

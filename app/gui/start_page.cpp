#include "gui/start_page.h"

#include <QCommandLinkButton>
#include <QEvent>
#include <QFileInfo>
#include <QGridLayout>
#include <QLabel>
#include <QListWidget>
#include <QScrollArea>
#include <QVBoxLayout>

#include "config/presets.h"
#include "config/text_utils.h"
#include "data/catalog.h"
#include "panels/view/icons.h"
#include "remote/address.h"

namespace casp::gui {

namespace {

QLabel* heading(const QString& text, double factor, QWidget* parent) {
    auto* label = new QLabel(text, parent);
    auto font = label->font();
    font.setPointSizeF(font.pointSizeF() * factor);
    font.setBold(true);
    label->setFont(font);
    label->setWordWrap(true);
    return label;
}

/// In the accent colour; the style's arrow is green in every theme.
QIcon arrow(const QPalette& palette) {
    return widgets::glyph_icon(widgets::Glyph::forward, palette.color(QPalette::Highlight));
}

QCommandLinkButton* command(const QString& name, const QString& text, const QString& what, QWidget* parent) {
    auto* button = new QCommandLinkButton(text, what, parent);
    button->setObjectName(name);
    button->setAccessibleName(text);
    button->setAccessibleDescription(what);
    button->setToolTip(what);
    button->setIcon(arrow(parent->palette()));
    button->setIconSize({16, 16});
    button->setMinimumHeight(64);
    return button;
}

/// How many presets the paper's model has, and on which data sets.
QString presets_text() {
    qsizetype cells = 0;
    QStringList data_sets;
    for (const auto& preset : config::preset_names()) {
        const auto dash = preset.find('-');
        if (preset.find('-', dash + 1) != std::string::npos) continue;  // of another model
        const auto key = preset.substr(0, dash);
        QString name = QString::fromStdString(key).toUpper();
        for (const auto& entry : data::catalog())
            if (config::same_name(entry.name, key)) name = QString::fromStdString(entry.name);
        if (!data_sets.contains(name)) data_sets << name;
        ++cells;
    }
    return StartPage::tr("Settings of %1 cells (data set × horizon): %2")
        .arg(cells)
        .arg(data_sets.join(QStringLiteral(", ")));
}

QListWidget* recent_list(const QString& name, const QString& title, QWidget* parent) {
    auto* list = new QListWidget(parent);
    list->setObjectName(name);
    list->setAccessibleName(title);
    list->setToolTip(title + QStringLiteral(": ") + QObject::tr("open with Enter or a double click"));
    list->setAlternatingRowColors(true);
    list->setTextElideMode(Qt::ElideMiddle);
    list->setMinimumHeight(110);
    return list;
}

void fill(QListWidget* list, const QStringList& paths, const QString& nothing) {
    list->clear();
    for (const auto& path : paths) {
        const QFileInfo info(path);
        const bool remote = remote::is_address(path.toStdString());
        auto* item = new QListWidgetItem(
            remote ? path : info.fileName() + QStringLiteral("   –  ") + info.absolutePath(), list);
        item->setData(Qt::UserRole, path);
        item->setToolTip(path);
        if (!remote && !info.exists()) {
            item->setFlags(item->flags() & ~Qt::ItemIsEnabled);
            item->setToolTip(path + QObject::tr(" no longer exists"));
        }
    }
    if (paths.isEmpty()) {
        auto* item = new QListWidgetItem(nothing, list);
        item->setFlags(Qt::NoItemFlags);
    }
}

}  // namespace

StartPage::StartPage(QWidget* parent) : QWidget(parent) {
    setAccessibleName(tr("Start"));
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    auto* scroll = new QScrollArea(this);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->viewport()->setAutoFillBackground(false);
    outer->addWidget(scroll);
    auto* page = new QWidget;
    page->setAutoFillBackground(false);
    scroll->setWidget(page);

    auto* grid = new QGridLayout(page);
    grid->setContentsMargins(36, 28, 36, 28);
    grid->setHorizontalSpacing(28);
    grid->setVerticalSpacing(10);
    grid->addWidget(heading(tr("Drop a CSV anywhere in this window"), 1.9, page), 0, 0, 1, 2);
    auto* what = new QLabel(tr("One row per time step, one column per channel, and an optional date column. "
                               "CASP Studio detects the format and shows what it found."),
                            page);
    what->setWordWrap(true);
    grid->addWidget(what, 1, 0, 1, 2);
    grid->setRowMinimumHeight(2, 8);

    grid->addLayout(make_commands(page), 3, 0);
    grid->addLayout(make_recent(page), 3, 1);
    grid->setColumnStretch(0, 1);
    grid->setColumnStretch(1, 1);
    grid->setRowStretch(3, 1);
    set_recent({}, {});
}

QLayout* StartPage::make_commands(QWidget* page) {
    auto* left = new QVBoxLayout;
    left->setSpacing(4);
    auto* try_it =
        command("start.try", tr("Try it"),
                tr("Trains a small model on the sample data with λ_cov 0 and 0.1, three seeds each, in "
                   "one to two minutes and without a download"),
                page);
    auto* open =
        command("start.open", tr("Open…"),
                tr("Opens a CSV or an experiment file (TOML); drop a folder of runs here to open it"), page);
    auto* sample =
        command("start.sample", tr("Sample data set"),
                tr("Two years of hourly values, 7 channels, with seasons, breaks and rare events"), page);
    auto* presets = command("start.presets", tr("The paper's presets"), presets_text(), page);
    auto* fetch = command(
        "start.fetch", tr("Get data or GPT-2…"),
        tr("Downloads benchmark data sets or the backbone from their public addresses, on request"), page);
    for (auto* button : {try_it, open, sample, presets, fetch}) left->addWidget(button);
    left->addStretch(1);
    connect(try_it, &QAbstractButton::clicked, this, &StartPage::try_requested);
    connect(open, &QAbstractButton::clicked, this, &StartPage::open_requested);
    connect(sample, &QAbstractButton::clicked, this, &StartPage::sample_requested);
    connect(presets, &QAbstractButton::clicked, this, &StartPage::presets_requested);
    connect(fetch, &QAbstractButton::clicked, this, &StartPage::fetch_requested);
    return left;
}

QLayout* StartPage::make_recent(QWidget* page) {
    auto* right = new QVBoxLayout;
    right->setSpacing(6);
    right->addWidget(heading(tr("Recent files"), 1.15, page));
    recent_files_ = recent_list("start.recent-files", tr("Recent files"), page);
    right->addWidget(recent_files_, 1);
    right->addWidget(heading(tr("Recent folders of runs"), 1.15, page));
    recent_folders_ = recent_list("start.recent-folders", tr("Recent folders of runs"), page);
    right->addWidget(recent_folders_, 1);
    auto* keys = new QLabel(tr("Ctrl+K finds every action · F1 explains the current panel"), page);
    keys->setWordWrap(true);
    right->addWidget(keys);
    for (auto* list : {recent_files_, recent_folders_})
        connect(list, &QListWidget::itemActivated, this, [this](const QListWidgetItem* item) {
            const auto path = item->data(Qt::UserRole).toString();
            if (!path.isEmpty()) Q_EMIT path_requested(path);
        });
    return right;
}

void StartPage::set_recent(const QStringList& files, const QStringList& folders) {
    fill(recent_files_, files, tr("Opened files are listed here"));
    fill(recent_folders_, folders, tr("Folders of runs are listed here"));
}

void StartPage::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() != QEvent::PaletteChange) return;
    for (auto* button : findChildren<QCommandLinkButton*>()) button->setIcon(arrow(palette()));
}

void StartPage::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    QColor line = palette().color(QPalette::Mid);
    painter.setPen(QPen(line, 2, Qt::DashLine));
    painter.drawRoundedRect(QRectF(rect()).adjusted(12, 12, -12, -12), 12, 12);
}

}  // namespace casp::gui

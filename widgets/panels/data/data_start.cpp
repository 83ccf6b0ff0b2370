#include "panels/data/data_start.h"

#include <QHBoxLayout>
#include <QPainter>
#include <QVBoxLayout>

#include "data/catalog.h"
#include "panels/data/data_text.h"
#include "state/core_text.h"
#include "state/mnemonic.h"

namespace casp::widgets {

DataStart::DataStart(QWidget* parent) : QWidget(parent) {
    auto* title = new QLabel(tr("Drop a CSV file here"), this);
    QFont font = title->font();
    font.setPointSizeF(font.pointSizeF() * 1.6);
    title->setFont(font);
    title->setAlignment(Qt::AlignCenter);
    auto* text = new QLabel(
        tr("This page then shows the table, how it was read and how to correct that, warnings with their "
           "lines, every channel over the whole file with the borders of training, validation and test, and "
           "the effect of the scaler and the missing-value policy.\n\nAny delimiter, decimal separator and "
           "encoding; a date column is detected automatically, whatever its name. A folder with the files of "
           "M4, or a CSV file with the columns unique_id, ds and y, is a collection of series."),
        this);
    text->setWordWrap(true);
    text->setAlignment(Qt::AlignCenter);
    text->setMaximumWidth(fontMetrics().horizontalAdvance(u'0') * 80);
    auto* open = new QPushButton(tr("&Open CSV…"), this);
    open->setDefault(true);
    open->setToolTip(tr("Open one or more CSV files"));
    auto* folder = new QPushButton(tr("Open &folder…"), this);
    folder->setToolTip(tr("Open the collections of series in a folder of M4 (Train and Test)"));
    auto* sample = new QPushButton(tr("&Sample data set"), this);
    sample->setToolTip(tr("Two years of hourly values in seven channels, included with the program"));
    auto* fetch = new QPushButton(tr("&Get data"), this);
    fetch->setToolTip(tr("Download a benchmark data set; nothing is downloaded until you choose one"));
    fetch->setObjectName(QStringLiteral("data.fetch"));
    auto* menu = new QMenu(fetch);
    menu->setToolTipsVisible(true);
    fill(*menu);
    fetch->setMenu(menu);
    for (QPushButton* button : {open, folder, sample, fetch})
        button->setAccessibleName(without_mnemonic(button->text()));
    connect(open, &QPushButton::clicked, this, &DataStart::open_requested);
    connect(folder, &QPushButton::clicked, this, &DataStart::folder_requested);
    connect(sample, &QPushButton::clicked, this, &DataStart::sample_requested);
    auto* buttons = new QHBoxLayout;
    buttons->addStretch();
    for (QPushButton* button : {open, folder, sample, fetch}) buttons->addWidget(button);
    buttons->addStretch();
    auto* all = new QVBoxLayout(this);
    all->setSpacing(18);
    all->addStretch();
    all->addWidget(title);
    auto* middle = new QHBoxLayout;
    middle->addStretch(1);
    middle->addWidget(text, 100);
    middle->addStretch(1);
    all->addLayout(middle);
    all->addLayout(buttons);
    all->addStretch();
}

void DataStart::fill(QMenu& menu) {
    auto* collections = new QMenu(tr("M4 competition"), &menu);
    collections->setToolTipsVisible(true);
    for (const auto& entry : data::catalog()) {
        if (!data::is_data_set(entry)) continue;
        const QString name = native_text(entry.name);
        QString label = tr("%1: %2").arg(name, translated(entry.title));
        if (entry.address.empty()) label += tr(" (manual download)");
        auto* action = (entry.kind == "series" ? collections : &menu)->addAction(label);
        action->setToolTip(native_text(entry.licence.empty() ? entry.home : entry.licence));
        connect(action, &QAction::triggered, this, [this, name] { Q_EMIT fetch_requested(name); });
    }
    menu.addMenu(collections);
}

void DataStart::paintEvent(QPaintEvent* /*event*/) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(
        QPen(blended(palette().color(QPalette::Window), palette().color(QPalette::WindowText), 0.3), 1.5,
             Qt::DashLine));
    painter.drawRoundedRect(QRectF(rect()).adjusted(16, 16, -16, -16), 10, 10);
}

}  // namespace casp::widgets

// Start view of the Data page: what it will show, and how to open or download a file.
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QVBoxLayout>

#include "data/catalog.h"
#include "panels/data/data_panel.h"
#include "panels/data/data_text.h"
#include "panels/view/view_flow.h"
#include "words/core_text.h"
#include "words/mnemonic.h"

namespace casp::widgets {

QWidget* DataPanel::build_start() {
    auto* start = new QWidget(this);
    auto* title = new QLabel(tr("Drop a CSV file here"), start);
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
        start);
    text->setWordWrap(true);
    text->setAlignment(Qt::AlignCenter);
    text->setMaximumWidth(fontMetrics().horizontalAdvance(u'0') * 80);
    auto* buttons = new QHBoxLayout;
    buttons->addStretch();
    const auto add = [&](const QString& label, const QString& tip) {
        auto* button = named(new QPushButton(label, start), without_mnemonic(label), tip);
        buttons->addWidget(button);
        return button;
    };
    auto* open = add(tr("&Open CSV…"), tr("Open one or more CSV files"));
    open->setDefault(true);
    connect(open, &QPushButton::clicked, this, &DataPanel::choose_files);
    connect(add(tr("Open &folder…"), tr("Open the collections of series in a folder of M4 (Train and Test)")),
            &QPushButton::clicked, this, &DataPanel::choose_folder);
    connect(add(tr("&Sample data set"),
                tr("Two years of hourly values in seven channels, included with the program")),
            &QPushButton::clicked, this, &DataPanel::sample_requested);
    auto* fetch =
        add(tr("&Get data"), tr("Download a benchmark data set; nothing is downloaded until you choose one"));
    fetch->setObjectName(QStringLiteral("data.fetch"));
    auto* menu = new QMenu(fetch);
    auto* collections = new QMenu(tr("M4 competition"), menu);
    for (const auto& entry : data::catalog()) {
        if (!data::is_data_set(entry)) continue;
        const QString name = native_text(entry.name);
        QString label = tr("%1: %2").arg(name, translated(entry.title));
        if (entry.address.empty()) label += tr(" (manual download)");
        auto* action = (entry.kind == "series" ? collections : menu)->addAction(label);
        action->setToolTip(native_text(entry.licence.empty() ? entry.home : entry.licence));
        connect(action, &QAction::triggered, this, [this, name] { Q_EMIT fetch_requested(name); });
    }
    menu->addMenu(collections);
    for (auto* one : {menu, collections}) one->setToolTipsVisible(true);
    fetch->setMenu(menu);
    buttons->addStretch();
    auto* all = new QVBoxLayout(start);
    all->setSpacing(18);
    all->addStretch();
    all->addWidget(title);
    // Between stretches, not aligned: an aligned label gets a height for another width.
    auto* middle = new QHBoxLayout;
    middle->addStretch(1);
    middle->addWidget(text, 100);
    middle->addStretch(1);
    all->addLayout(middle);
    all->addLayout(buttons);
    all->addStretch();
    return start;
}

}  // namespace casp::widgets

#include "panels/view/reading.h"

#include <QHeaderView>
#include <QLabel>
#include <QTableWidget>

namespace casp::widgets {

QLabel* note_label(QWidget* parent, const QString& name) {
    auto* label = new QLabel(parent);
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    label->setContentsMargins(6, 0, 6, 0);
    label->setAccessibleName(name);
    label->hide();
    return label;
}

void show_note(QLabel* label, const QString& text) {
    label->setText(text);
    label->setVisible(!text.isEmpty());
}

QTableWidget* reading_table(QWidget* parent, const QString& name, const QString& help) {
    auto* table = new QTableWidget(parent);
    table->setAccessibleName(name);
    table->setToolTip(help);
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table->setAlternatingRowColors(true);
    table->setShowGrid(false);
    table->setTabKeyNavigation(false);
    table->setFrameShape(QFrame::NoFrame);
    table->setWordWrap(false);
    table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    table->verticalHeader()->hide();
    table->horizontalHeader()->setHighlightSections(false);
    return table;
}

}  // namespace casp::widgets

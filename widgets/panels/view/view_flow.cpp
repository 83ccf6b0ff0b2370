#include "panels/view/view_flow.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QTableWidget>
#include <QToolButton>
#include <QWidget>

namespace casp::widgets {

FlowLayout::FlowLayout(QWidget* parent, int spacing) : QLayout(parent) {
    setSpacing(spacing);
    setContentsMargins(0, 0, 0, 0);
}

FlowLayout::~FlowLayout() {
    while (!items_.isEmpty()) delete items_.takeLast();
}

void FlowLayout::addItem(QLayoutItem* item) { items_.append(item); }

QLayoutItem* FlowLayout::takeAt(int index) {
    return index >= 0 && index < items_.size() ? items_.takeAt(index) : nullptr;
}

int FlowLayout::heightForWidth(int width) const { return arrange(QRect(0, 0, width, 0), false); }

QSize FlowLayout::sizeHint() const {
    int width = 0, height = 0;
    for (const auto* item : items_) {
        if (item->isEmpty()) continue;
        width += item->sizeHint().width() + spacing();
        height = std::max(height, item->sizeHint().height());
    }
    const auto m = contentsMargins();
    return {std::max(0, width - spacing()) + m.left() + m.right(), height + m.top() + m.bottom()};
}

QSize FlowLayout::minimumSize() const {
    QSize size;
    for (const auto* item : items_)
        if (!item->isEmpty()) size = size.expandedTo(item->minimumSize());
    const auto m = contentsMargins();
    return size + QSize(m.left() + m.right(), m.top() + m.bottom());
}

void FlowLayout::setGeometry(const QRect& rect) {
    QLayout::setGeometry(rect);
    arrange(rect, true);
}

int FlowLayout::arrange(const QRect& rect, bool apply) const {
    const auto m = contentsMargins();
    const auto inner = rect.marginsRemoved(m);
    int x = inner.x(), y = inner.y(), line = 0;
    QList<QPair<QLayoutItem*, QRect>> row;
    const auto finish_row = [&] {
        for (const auto& [item, place] : row)
            if (apply) item->setGeometry(place.translated(0, (line - place.height()) / 2));
        row.clear();
    };
    for (auto* item : items_) {
        if (item->isEmpty()) continue;
        const auto size = item->sizeHint().boundedTo(
            QSize(std::max(inner.width(), item->minimumSize().width()), item->sizeHint().height()));
        if (x > inner.x() && x + size.width() > inner.x() + inner.width()) {
            finish_row();
            x = inner.x();
            y += line + spacing();
            line = 0;
        }
        row.append({item, QRect(QPoint(x, y), size)});
        x += size.width() + spacing();
        line = std::max(line, size.height());
    }
    finish_row();
    return y + line - rect.y() + m.bottom();
}

FlowLayout* make_flow(QWidget* bar) {
    constexpr int between_controls = 12;
    auto policy = bar->sizePolicy();
    policy.setHeightForWidth(true);
    policy.setVerticalPolicy(QSizePolicy::Minimum);  // Fixed would keep one line
    bar->setSizePolicy(policy);
    return new FlowLayout(bar, between_controls);
}

QWidget* add_labelled(QLayout* flow, const QString& label, QWidget* control) {
    auto* box = new QWidget;
    auto* row = make_layout<QHBoxLayout>(box, {}, 5);
    auto* name = new QLabel(label);
    name->setBuddy(control);
    name->setToolTip(control->toolTip());
    add_widgets(row, {name, control});
    flow->addWidget(box);
    return box;
}

void set_choice_tip(QComboBox* box, const QString& tip) {
    constexpr const char* key = "choice_tip";
    const auto update = [box] {
        box->setToolTip(QStringLiteral("%1: %2").arg(box->property(key).toString(), box->currentText()));
    };
    if (!box->property(key).isValid()) QObject::connect(box, &QComboBox::currentTextChanged, box, update);
    box->setProperty(key, tip);
    update();
}

QToolButton* text_button(QWidget* parent, const QString& text, const QString& name, const QString& tip) {
    auto* button = named(new QToolButton(parent), name, tip);
    button->setText(text);
    button->setFocusPolicy(Qt::StrongFocus);
    return button;
}

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

void make_reading(QTableView* table) {
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table->setAlternatingRowColors(true);
    table->setTabKeyNavigation(false);
    table->setWordWrap(false);
    table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    table->verticalHeader()->hide();
    table->verticalHeader()->setDefaultSectionSize(table->fontMetrics().height() + 8);
    table->horizontalHeader()->setHighlightSections(false);
}

QTableWidget* reading_table(QWidget* parent, const QString& name, const QString& help) {
    auto* table = named(new QTableWidget(parent), name, help);
    make_reading(table);
    table->setShowGrid(false);
    table->setFrameShape(QFrame::NoFrame);
    return table;
}

}  // namespace casp::widgets

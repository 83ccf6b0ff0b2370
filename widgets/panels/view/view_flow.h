#pragma once
// Flow layout that wraps controls to new lines, so that nothing is clipped in a narrow dock; controls with
// names, notes and tables that are only read.

#include <initializer_list>

#include <QLayout>
#include <QList>
#include <QMargins>

class QComboBox;
class QLabel;
class QString;
class QTableView;
class QTableWidget;
class QToolButton;
class QWidget;

namespace casp::widgets {

class FlowLayout : public QLayout {
public:
    explicit FlowLayout(QWidget* parent = nullptr, int spacing = 8);
    ~FlowLayout() override;

    void addItem(QLayoutItem* item) override;
    [[nodiscard]] int count() const override { return static_cast<int>(items_.size()); }
    [[nodiscard]] QLayoutItem* itemAt(int index) const override { return items_.value(index); }
    QLayoutItem* takeAt(int index) override;
    [[nodiscard]] Qt::Orientations expandingDirections() const override { return {}; }
    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSize() const override;
    void setGeometry(const QRect& rect) override;

private:
    int arrange(const QRect& rect, bool apply) const;
    QList<QLayoutItem*> items_;
};

/// A layout of the widget, or of none yet, with these margins and this spacing (-1: the style's).
template <class Layout>
Layout* make_layout(QWidget* widget, const QMargins& margins = {}, int spacing = -1) {
    auto* layout = new Layout(widget);
    layout->setContentsMargins(margins);
    if (spacing >= 0) layout->setSpacing(spacing);
    return layout;
}

/// Adds widgets to a layout, a splitter or a stack, one after another.
template <class Container>
void add_widgets(Container* container, std::initializer_list<QWidget*> widgets) {
    for (auto* widget : widgets) container->addWidget(widget);
}

/// Gives a bar of controls a flow layout and a height depending on its width.
FlowLayout* make_flow(QWidget* bar);
/// Adds a control with its label at the left as one item; the label is its buddy. Returns the item.
QWidget* add_labelled(QLayout* flow, const QString& label, QWidget* control);
/// Adds the current choice to a box's tooltip, since a narrow box elides it. Call again to change `tip`.
void set_choice_tip(QComboBox* box, const QString& tip);

/// Sets what a screen reader calls the widget, and its tool tip.
template <class Widget>
Widget* named(Widget* widget, const QString& name, const QString& tip) {
    widget->setAccessibleName(name);
    widget->setToolTip(tip);
    return widget;
}

/// A button that takes the focus on a click, too.
[[nodiscard]] QToolButton* text_button(QWidget* parent, const QString& text, const QString& name,
                                       const QString& tip);

/// A hidden label for sentences, whose text can be selected.
[[nodiscard]] QLabel* note_label(QWidget* parent, const QString& name);
/// Shows the text; hides the label if it is empty.
void show_note(QLabel* label, const QString& text);

/// Makes a table one that is only read: without editing and row names, in alternating colours; the tab key
/// leaves it.
void make_reading(QTableView* table);
/// Such a table, without a grid.
[[nodiscard]] QTableWidget* reading_table(QWidget* parent, const QString& name, const QString& help);

}  // namespace casp::widgets

#pragma once
// Delegate drawing a run in the list: cells of the wide table, or two lines in the narrow dock.

#include <QStyledItemDelegate>

#include "panels/view/apart_names.h"
#include "state/run_names.h"

namespace casp::widgets {

/// run_title() for the text of an action, where & would mark a mnemonic.
[[nodiscard]] QString action_title(const RunLibrary& library, const QString& folder);

class RunsDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    /// Narrow: the name's column shows the whole run.
    void set_compact(bool on) { compact_ = on; }
    /// Height of every row, in pixels of `font`.
    [[nodiscard]] int row_height(const QFont& font) const;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    bool editorEvent(QEvent* event, QAbstractItemModel* model, const QStyleOptionViewItem& option,
                     const QModelIndex& index) override;

private:
    void paint_compact(QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index) const;
    bool compact_ = false;
    ApartNames names_;
};

}  // namespace casp::widgets

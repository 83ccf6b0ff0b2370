#pragma once
// How a run looks in the list: a cell of the wide table, or the two lines of the narrow dock.

#include <QStyledItemDelegate>

#include "state/run_data.h"

namespace casp::widgets {

/// First line of a run in the narrow list: the experiment and what was swept besides λ_cov and the seed,
/// which stand in the second line.
[[nodiscard]] QString compact_title(const RunSummary& run);

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
    QWidget* createEditor(QWidget* parent, const QStyleOptionViewItem& option,
                          const QModelIndex& index) const override;

private:
    void paint_compact(QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index) const;
    bool compact_ = false;
};

}  // namespace casp::widgets

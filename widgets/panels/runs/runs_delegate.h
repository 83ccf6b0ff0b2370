#pragma once
// Delegate drawing a run in the list: cells of the wide table, or two lines in the narrow dock.

#include <QStyledItemDelegate>

#include "state/run_data.h"
#include "state/run_library.h"

namespace casp::widgets {

/// First line of a run in the narrow list: the experiment and swept settings except λ_cov and the seed, which
/// are in the second line.
[[nodiscard]] QString compact_title(const RunSummary& run);

/// The same with λ_cov and the seed: a run's name in the queue and in messages.
[[nodiscard]] QString run_title(const RunSummary& run);
/// For a run that may not be in the list: then the last two parts of its folder.
[[nodiscard]] QString run_title(const RunLibrary& library, const QString& folder);

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

Q_SIGNALS:
    void note_typed() const;  ///< in a cell's editor, or that editor was closed

private:
    void paint_compact(QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index) const;
    bool compact_ = false;
};

}  // namespace casp::widgets

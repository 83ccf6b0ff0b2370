#pragma once
// Table of the runs: two lines per run, or columns that the user chooses, moves and sorts.
//
// Both are one view with one selection, so nothing is lost when the dock is resized.

#include <vector>

#include <QByteArray>
#include <QMenu>
#include <QSet>
#include <QTableView>

#include "panels/runs/runs_delegate.h"
#include "panels/runs/runs_model.h"

namespace casp::widgets {

class RunsTable : public QTableView {
    Q_OBJECT
public:
    /// The model must outlive the table.
    RunsTable(RunsModel& model, QWidget* parent);

    /// Columns with order and widths, and sorting; restore_state() returns false and changes nothing for
    /// other data.
    [[nodiscard]] QByteArray save_state() const;
    bool restore_state(const QByteArray& state);

    /// Folders of the selected rows, from top to bottom.
    [[nodiscard]] QStringList selected_runs() const;
    void select_runs(const QStringList& folders);

    /// Two lines per run, at first, or columns.
    void set_compact(bool compact);
    [[nodiscard]] bool is_compact() const { return compact_; }
    void set_column_visible(RunsColumn column, bool on);
    [[nodiscard]] bool is_column_visible(RunsColumn column) const;
    /// The visible columns from left to right, also while the table is compact.
    [[nodiscard]] std::vector<RunsColumn> chosen_columns() const;
    [[nodiscard]] QMenu* sort_menu() const { return sort_menu_; }
    [[nodiscard]] QMenu* columns_menu() const { return columns_menu_; }

Q_SIGNALS:
    void open_requested();    ///< Enter
    void toggle_requested();  ///< Space

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void fill_columns_menu();
    void fill_sort_menu();
    void order_columns();
    void apply_columns();
    /// Columns of scores are offered while a run has scores.
    void offer_scores();
    [[nodiscard]] bool is_offered(RunsColumn column) const { return has_scores_ || !is_score(column); }

    RunsModel& model_;
    RunsDelegate* delegate_;
    QMenu *sort_menu_ = nullptr, *columns_menu_ = nullptr;
    QSet<int> hidden_;
    QStringList kept_selection_;
    bool compact_ = false;
    bool has_scores_ = false;
};

}  // namespace casp::widgets

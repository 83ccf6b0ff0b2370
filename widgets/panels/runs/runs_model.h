#pragma once
// Model of the list of runs: RunLibrary's summaries, filtered and sorted. GUI thread.

#include <QSortFilterProxyModel>
#include <QStringList>

#include "panels/runs/runs_columns.h"
#include "panels/runs/runs_filter.h"
#include "state/run_library.h"
#include "state/selection.h"

namespace casp::widgets {

/// Its source keeps a copy of the summaries, so that rows do not change before the view is notified. Ties are
/// in the order of arrival: a total order, so that a live list does not flicker.
class RunsModel : public QSortFilterProxyModel {
    Q_OBJECT
public:
    enum Role {
        SummaryRole = Qt::UserRole,  ///< const RunSummary* as void*; valid until control returns
        ProgressRole,                ///< 0 … 1 for a running run; −1 for others or if unknown
        PaceRole,                    ///< "epoch 2/100 · 4 min left" for a running run
        ShownRole,                   ///< bool
        StateRole,  ///< state text: "finished", "paused", "evaluating test 32 %", "not started"
        AsideRole,  ///< an Aside as int: what a running run does instead of training
        DamageRole  ///< why a finished run's files cannot be read; empty if they can
    };

    /// Both must outlive the model. A check mark in the column `shown` corresponds to Selection::runs, in
    /// both directions.
    RunsModel(RunLibrary& library, Selection& selection, QObject* parent = nullptr);

    /// Shows only matching runs; resets the rows (the view's owner restores the selection).
    void set_filter(const RunsFilter& filter);
    [[nodiscard]] int total() const;
    /// Whether any run has the scores of a collection of series.
    [[nodiscard]] bool has_scores() const;
    /// Number of shown runs in this list; others may be shown as well.
    [[nodiscard]] int shown_count() const;
    /// Folders of the runs waiting in this window's queue; other queued runs are "not started".
    void set_queued(const QStringList& folders);
    [[nodiscard]] bool is_queued(const QString& folder) const;

    [[nodiscard]] const RunSummary& run(int row) const;
    [[nodiscard]] int row_of(const QString& folder) const;  ///< −1: unknown or filtered out
    [[nodiscard]] bool is_shown(const QString& folder) const;
    /// Adds runs to the selection or removes them, as one step of its history.
    void set_shown(const QStringList& folders, bool on);

    [[nodiscard]] RunsColumn sort_column() const { return static_cast<RunsColumn>(sortColumn()); }
    [[nodiscard]] Qt::SortOrder sort_order() const { return sortOrder(); }

Q_SIGNALS:
    void counts_changed();  ///< rows, total or shown runs

protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override;
    bool lessThan(const QModelIndex& a, const QModelIndex& b) const override;

private:
    class Table;
    Table* table_;
    Selection& selection_;
    RunsFilter filter_;
};

}  // namespace casp::widgets

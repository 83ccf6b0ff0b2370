#pragma once
// Model of the list of runs: RunLibrary's summaries, filtered and sorted.
//
// Keeps a copy of the summaries, so that rows do not change before the view is notified. Filtering and
// sorting 10,000 runs takes a few milliseconds, without a proxy model. GUI thread.

#include <vector>

#include <QAbstractTableModel>
#include <QHash>
#include <QPointer>
#include <QSet>

#include "panels/runs/runs_columns.h"
#include "panels/runs/runs_filter.h"
#include "state/run_library.h"
#include "state/selection.h"

namespace casp::widgets {

class RunsModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Role {
        SummaryRole = Qt::UserRole,  ///< const RunSummary* as void*; valid until control returns
        ProgressRole,                ///< 0 … 1 for a running run; −1 for others or if unknown
        PaceRole,                    ///< "epoch 2/100 · 4 min left" for a running run
        ShownRole,                   ///< bool
        StateRole,  ///< "finished", "paused", "evaluating test 32 %", "not started": state text
        DamageRole  ///< why a finished run's files cannot be read; empty if they can
    };

    /// Both must outlive the model. A check mark in the column `shown` corresponds to Selection::runs, in
    /// both directions.
    RunsModel(RunLibrary& library, Selection& selection, QObject* parent = nullptr);

    /// Shows only matching runs; resets the rows (the view's owner restores the selection).
    void set_filter(const RunsFilter& filter);
    [[nodiscard]] int total() const { return static_cast<int>(runs_.size()); }
    /// Whether any run has the scores of a collection of series.
    [[nodiscard]] bool has_scores() const;
    /// Number of shown runs in this list; others may be shown as well.
    [[nodiscard]] int shown_count() const;
    /// Folders of the runs waiting in this window's queue; other queued runs are "not started".
    void set_queued(const QStringList& folders);
    [[nodiscard]] bool is_queued(const QString& folder) const { return queued_.contains(folder); }

    [[nodiscard]] const RunSummary& run(int row) const;
    [[nodiscard]] int row_of(const QString& folder) const;  ///< −1: unknown or filtered out
    [[nodiscard]] bool is_shown(const QString& folder) const { return shown_.contains(folder); }
    /// Adds runs to the selection or removes them, as one step of its history.
    void set_shown(const QStringList& folders, bool on);

    [[nodiscard]] RunsColumn sort_column() const { return sort_column_; }
    [[nodiscard]] Qt::SortOrder sort_order() const { return sort_order_; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    void sort(int column, Qt::SortOrder order) override;

Q_SIGNALS:
    void counts_changed();  ///< rows, total or shown runs

private:
    void read_all();
    void add(int first, int last);
    void update(int index);
    void remove(const QString& folder);
    void follow(int index);
    void selection_changed();

    [[nodiscard]] bool accepts(int index) const;
    [[nodiscard]] bool before(int a, int b) const;
    [[nodiscard]] std::vector<int> matching_rows() const;
    void number_rows();
    void place(int index);
    void place_again(const QSet<QString>& shown_before);
    void take_rows(std::vector<int> rows);
    [[nodiscard]] double progress_of(const RunSummary& run) const;
    [[nodiscard]] QString pace_of(const RunSummary& run) const;
    [[nodiscard]] QString state_text(const RunSummary& run) const;
    [[nodiscard]] QString damage_of(const RunSummary& run) const;
    [[nodiscard]] QString tooltip(const RunSummary& run, RunsColumn column) const;

    RunLibrary& library_;
    Selection& selection_;
    std::vector<RunSummary> runs_;  ///< as in the library
    std::vector<int> rows_;         ///< row → index of runs_
    std::vector<int> row_of_;       ///< index → row, −1: filtered out
    QHash<QString, int> index_of_;
    QHash<QString, QPointer<RunData>> followed_;  ///< of running or shown runs
    QSet<QString> shown_, queued_;
    RunsFilter filter_;
    RunsColumn sort_column_ = RunsColumn::created;
    Qt::SortOrder sort_order_ = Qt::DescendingOrder;
};

}  // namespace casp::widgets

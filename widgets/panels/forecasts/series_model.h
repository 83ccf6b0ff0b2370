#pragma once
// Table of the series of a collection: id, sMAPE and MASE of the shown runs, sorted by any of them.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <QAbstractTableModel>
#include <QColor>
#include <QStringList>

#include "store/run_record.h"

namespace casp::widgets {

/// Rows are the series whose id contains the filter. Column 0 is the id, sorted in the order of the file;
/// then two columns per run. Series without a score come last in either order. GUI thread.
class SeriesModel : public QAbstractTableModel {
    Q_OBJECT
public:
    struct Run {
        QString label;
        QColor colour;
        std::shared_ptr<const store::SeriesScores> scores;  ///< a value per id; not null
        bool operator==(const Run&) const = default;
    };
    using QAbstractTableModel::QAbstractTableModel;

    /// All runs are on one collection, whose ids are in the order of the windows. Keeps order and filter; no
    /// effect if the runs are the same as before.
    void set_runs(const std::vector<std::string>& ids, const std::vector<Run>& runs);
    void set_filter(const QString& text);

    /// Number of all series, including those that are filtered out.
    [[nodiscard]] std::int64_t total() const { return ids_.size(); }
    [[nodiscard]] const QString& id(std::int64_t window) const { return ids_[window]; }
    [[nodiscard]] std::int64_t window(int row) const { return rows_[static_cast<std::size_t>(row)]; }
    /// −1: filtered out.
    [[nodiscard]] int row_of(std::int64_t window) const;
    [[nodiscard]] const std::vector<Run>& runs() const { return runs_; }
    /// NaN for column 0.
    [[nodiscard]] double score(std::int64_t window, int column) const;
    [[nodiscard]] int sort_column() const { return column_; }
    /// "sMAPE (%)", "MASE"
    [[nodiscard]] static QString score_name(int column);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    void sort(int column, Qt::SortOrder order) override;

private:
    void find_rows();
    void sort_rows();
    void number_rows();

    QStringList ids_;
    std::vector<Run> runs_;
    QString filter_;
    std::vector<std::int32_t> rows_;    ///< row → window
    std::vector<std::int32_t> row_of_;  ///< window → row, −1: filtered out
    int column_ = 1;
    Qt::SortOrder order_ = Qt::DescendingOrder;
};

}  // namespace casp::widgets

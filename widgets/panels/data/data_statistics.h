#pragma once
// Table of channel statistics and their treatment by a run.

#include <optional>

#include <QAbstractTableModel>
#include <QTableView>

#include "panels/data/data_review.h"

namespace casp::widgets {

/// Model with a row per channel of a DataReview.
class ChannelStatisticsModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column {
        name_column,
        target_column,
        min_column,
        max_column,
        mean_column,
        deviation_column,
        missing_column,
        marker_column,
        fate_column,
        columns
    };
    enum Role { sort_role = Qt::UserRole + 1 };
    using QAbstractTableModel::QAbstractTableModel;

    void set_review(std::optional<DataReview> review);
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    /// A channel was checked or unchecked: requests data.columns or data.targets with or without it.
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;

Q_SIGNALS:
    /// Names in file order; empty: all.
    void columns_requested(const QStringList& names);
    void targets_requested(const QStringList& names);

private:
    std::optional<DataReview> review_;
};

class ChannelStatistics : public QTableView {
    Q_OBJECT
public:
    explicit ChannelStatistics(QWidget* parent = nullptr);
    void set_review(std::optional<DataReview> review);

Q_SIGNALS:
    void columns_requested(const QStringList& names);
    void targets_requested(const QStringList& names);

protected:
    void keyPressEvent(QKeyEvent* event) override;  ///< Ctrl+C copies the whole table or the selected rows

private:
    ChannelStatisticsModel* model_;
};

}  // namespace casp::widgets

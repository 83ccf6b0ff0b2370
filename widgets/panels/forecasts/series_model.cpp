#include "panels/forecasts/series_model.h"

#include <cmath>
#include <utility>

#include <QAbstractTableModel>
#include <QSignalBlocker>

#include "panels/view/icons.h"
#include "store/result_columns.h"

namespace casp::widgets {

/// All series, in the order of the windows.
class SeriesModel::Table : public QAbstractTableModel {
public:
    using QAbstractTableModel::QAbstractTableModel;
    QStringList ids;
    std::vector<Run> runs;

    void set(const std::vector<std::string>& of, const std::vector<Run>& by) {
        beginResetModel();
        ids.clear();
        for (const auto& id : of) ids << QString::fromStdString(id);
        runs = by;
        endResetModel();
    }
    [[nodiscard]] double score(std::int64_t window, int column) const {
        if (column < 1) return store::not_known;
        const auto& scores = *runs[static_cast<std::size_t>((column - 1) / 2)].scores;
        return (column % 2 == 1 ? scores.smape : scores.mase)[static_cast<std::size_t>(window)];
    }
    [[nodiscard]] int rowCount(const QModelIndex& parent) const override {
        return parent.isValid() ? 0 : static_cast<int>(ids.size());
    }
    [[nodiscard]] int columnCount(const QModelIndex& parent) const override {
        return parent.isValid() ? 0 : 1 + 2 * static_cast<int>(runs.size());
    }
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override {
        if (!index.isValid()) return {};
        if (role == Qt::TextAlignmentRole && index.column() > 0)
            return QVariant::fromValue(Qt::AlignRight | Qt::AlignVCenter);
        if (role != Qt::DisplayRole) return {};
        if (index.column() == 0) return ids[index.row()];
        return QString::fromStdString(store::four_digits(score(index.row(), index.column())));
    }
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override {
        if (orientation == Qt::Vertical || section < 0 || section >= columnCount({})) return {};
        if (section == 0)
            return role == Qt::DisplayRole   ? SeriesModel::tr("Series")
                   : role == Qt::ToolTipRole ? SeriesModel::tr("Id; sorts in the order of the file")
                                             : QVariant();
        const auto& run = runs[static_cast<std::size_t>((section - 1) / 2)];
        switch (role) {
            case Qt::DisplayRole:
                return runs.size() > 1 ? run.label + QLatin1Char('\n') + SeriesModel::score_name(section)
                                       : SeriesModel::score_name(section);
            case Qt::DecorationRole:
                return swatch_icon(run.colour);
            case Qt::ToolTipRole:
                return SeriesModel::tr("%1 of the test forecast, %2")
                    .arg(SeriesModel::score_name(section), run.label);
            default:
                return {};
        }
    }
};

SeriesModel::SeriesModel(QObject* parent) : QSortFilterProxyModel(parent), table_(new Table(this)) {
    setSourceModel(table_);
    setFilterKeyColumn(0);
    setFilterCaseSensitivity(Qt::CaseInsensitive);
    sort(1, Qt::DescendingOrder);
}

void SeriesModel::set_runs(const std::vector<std::string>& ids, const std::vector<Run>& runs) {
    if (runs == table_->runs && std::cmp_equal(ids.size(), table_->ids.size())) return;
    table_->set(ids, runs);
    sort(sortColumn() < columnCount() ? sortColumn() : 1, sortOrder());
}

void SeriesModel::set_filter(const QString& text) {
    beginResetModel();
    {
        const QSignalBlocker block(this);  // every stretch of rows would be a signal of its own
        setFilterFixedString(text);
    }
    endResetModel();
}

std::int64_t SeriesModel::total() const { return table_->ids.size(); }
const QString& SeriesModel::id(std::int64_t window) const { return table_->ids[window]; }
const std::vector<SeriesModel::Run>& SeriesModel::runs() const { return table_->runs; }
double SeriesModel::score(std::int64_t window, int column) const { return table_->score(window, column); }

int SeriesModel::row_of(std::int64_t window) const {
    return mapFromSource(table_->index(static_cast<int>(window), 0)).row();
}

QString SeriesModel::score_name(int column) { return column % 2 == 1 ? tr("sMAPE (%)") : tr("MASE"); }

bool SeriesModel::lessThan(const QModelIndex& a, const QModelIndex& b) const {
    if (a.column() == 0) return a.row() < b.row();
    const double one = score(a.row(), a.column()), other = score(b.row(), b.column());
    if (!std::isnan(one) && !std::isnan(other)) return one < other;
    // Last in either order.
    return sortOrder() == Qt::AscendingOrder ? std::isnan(other) && !std::isnan(one)
                                             : std::isnan(one) && !std::isnan(other);
}

}  // namespace casp::widgets

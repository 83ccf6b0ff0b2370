#include "panels/forecasts/series_model.h"

#include <algorithm>
#include <cmath>

#include "panels/view/icons.h"
#include "store/result_columns.h"

namespace casp::widgets {

void SeriesModel::set_runs(const std::vector<std::string>& ids, const std::vector<Run>& runs) {
    if (runs == runs_ && std::cmp_equal(ids.size(), ids_.size())) return;
    beginResetModel();
    ids_.clear();
    for (const auto& id : ids) ids_ << QString::fromStdString(id);
    runs_ = runs;
    if (column_ >= columnCount()) column_ = 1;
    find_rows();
    sort_rows();
    endResetModel();
}

void SeriesModel::set_filter(const QString& text) {
    if (text == filter_) return;
    beginResetModel();
    filter_ = text;
    find_rows();
    sort_rows();
    endResetModel();
}

void SeriesModel::find_rows() {
    rows_.clear();
    for (std::int32_t window = 0; window < ids_.size(); ++window)
        if (ids_[window].contains(filter_, Qt::CaseInsensitive)) rows_.push_back(window);
}

void SeriesModel::sort_rows() {
    std::sort(rows_.begin(), rows_.end());
    if (column_ > 0 && column_ < columnCount()) {
        std::vector<std::pair<double, std::int32_t>> keys;
        keys.reserve(rows_.size());
        const double sign = order_ == Qt::AscendingOrder ? 1 : -1;
        for (const auto window : rows_) keys.emplace_back(sign * score(window, column_), window);
        const auto known = std::stable_partition(keys.begin(), keys.end(),
                                                 [](const auto& key) { return !std::isnan(key.first); });
        std::sort(keys.begin(), known);
        for (std::size_t i = 0; i < keys.size(); ++i) rows_[i] = keys[i].second;
    } else if (order_ == Qt::DescendingOrder) {
        std::reverse(rows_.begin(), rows_.end());
    }
    number_rows();
}

void SeriesModel::number_rows() {
    row_of_.assign(static_cast<std::size_t>(ids_.size()), -1);
    for (std::size_t row = 0; row < rows_.size(); ++row)
        row_of_[static_cast<std::size_t>(rows_[row])] = static_cast<std::int32_t>(row);
}

void SeriesModel::sort(int column, Qt::SortOrder order) {
    if (column < 0 || column >= columnCount()) return;
    Q_EMIT layoutAboutToBeChanged({}, QAbstractItemModel::VerticalSortHint);
    const auto before = persistentIndexList();
    std::vector<std::int64_t> windows;
    for (const auto& index : before) windows.push_back(window(index.row()));
    column_ = column;
    order_ = order;
    sort_rows();
    QModelIndexList after;
    for (qsizetype i = 0; i < before.size(); ++i)
        after << index(row_of(windows[static_cast<std::size_t>(i)]), before[i].column());
    changePersistentIndexList(before, after);
    Q_EMIT layoutChanged({}, QAbstractItemModel::VerticalSortHint);
}

int SeriesModel::row_of(std::int64_t window) const {
    return window < 0 || window >= std::ssize(row_of_) ? -1 : row_of_[static_cast<std::size_t>(window)];
}

double SeriesModel::score(std::int64_t window, int column) const {
    if (column < 1) return store::not_known;
    const auto& scores = *runs_[static_cast<std::size_t>((column - 1) / 2)].scores;
    const auto& values = column % 2 == 1 ? scores.smape : scores.mase;
    return values[static_cast<std::size_t>(window)];
}

QString SeriesModel::score_name(int column) { return column % 2 == 1 ? tr("sMAPE (%)") : tr("MASE"); }

int SeriesModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int SeriesModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : 1 + 2 * static_cast<int>(runs_.size());
}

QVariant SeriesModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    if (role == Qt::TextAlignmentRole && index.column() > 0)
        return QVariant::fromValue(Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole) return {};
    const auto number = window(index.row());
    if (index.column() == 0) return ids_[number];
    return QString::fromStdString(store::four_digits(score(number, index.column())));
}

QVariant SeriesModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation == Qt::Vertical || section < 0 || section >= columnCount()) return {};
    if (section == 0)
        return role == Qt::DisplayRole   ? tr("Series")
               : role == Qt::ToolTipRole ? tr("Id; sorts in the order of the file")
                                         : QVariant();
    const auto& run = runs_[static_cast<std::size_t>((section - 1) / 2)];
    switch (role) {
        case Qt::DisplayRole:
            return runs_.size() > 1 ? run.label + QLatin1Char('\n') + score_name(section)
                                    : score_name(section);
        case Qt::DecorationRole:
            return swatch_icon(run.colour);
        case Qt::ToolTipRole:
            return tr("%1 of the test forecast, %2").arg(score_name(section), run.label);
        default:
            return {};
    }
}

}  // namespace casp::widgets

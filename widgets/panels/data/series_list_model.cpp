#include "panels/data/series_list_model.h"

#include <algorithm>
#include <utility>

#include <QRegularExpression>
#include <QStringList>

#include "panels/data/data_text.h"

namespace casp::widgets {

namespace {

QString id_text(const data::SeriesCollection& collection, std::int64_t series) {
    return QString::fromStdString(collection.ids[static_cast<std::size_t>(series)]);
}

double last_value(const data::SeriesCollection& collection, std::int64_t series) {
    return collection.training_of(series).back();
}

/// A limit for the number of training values.
struct LengthLimit {
    QString sign;
    std::int64_t n = 0;

    [[nodiscard]] bool holds(std::int64_t length) const {
        if (length == n) return sign.endsWith(u'=');
        return length < n ? sign.startsWith(u'<') : sign.startsWith(u'>');
    }
};

struct SeriesFilter {
    std::vector<LengthLimit> limits;
    QStringList parts;  ///< of the id

    explicit SeriesFilter(QString text) {
        static const QRegularExpression blanks_at_sign(QStringLiteral("\\s*(<=|>=|<|>|=)\\s*"));
        static const QRegularExpression limit(QStringLiteral("^n(<=|>=|<|>|=)(\\d{1,12})$"),
                                              QRegularExpression::CaseInsensitiveOption);
        text.replace(blanks_at_sign, QStringLiteral("\\1"));
        for (const auto& word : text.split(u' ', Qt::SkipEmptyParts)) {
            if (const auto match = limit.match(word); match.hasMatch())
                limits.push_back({match.captured(1), match.captured(2).toLongLong()});
            else
                parts << word;
        }
    }

    [[nodiscard]] bool accepts(const data::SeriesCollection& collection, std::int64_t series) const {
        const auto length = collection.length(series);
        if (!std::ranges::all_of(limits, [&](const LengthLimit& one) { return one.holds(length); }))
            return false;
        if (parts.isEmpty()) return true;
        const auto id = id_text(collection, series);
        return std::ranges::all_of(
            parts, [&](const QString& part) { return id.contains(part, Qt::CaseInsensitive); });
    }
};

}  // namespace

void SeriesListModel::set_collection(std::shared_ptr<const data::SeriesCollection> collection) {
    beginResetModel();
    collection_ = std::move(collection);
    select_rows();
    endResetModel();
}

void SeriesListModel::set_filter(const QString& text) {
    beginResetModel();
    filter_ = text;
    select_rows();
    endResetModel();
}

void SeriesListModel::sort(int column, Qt::SortOrder order) {
    beginResetModel();
    sort_column_ = column;
    order_ = order;
    sort_rows();
    endResetModel();
}

void SeriesListModel::select_rows() {
    rows_.clear();
    if (collection_ == nullptr) return;
    const SeriesFilter filter(filter_);
    for (std::int64_t series = 0; series < collection_->size(); ++series)
        if (filter.accepts(*collection_, series)) rows_.push_back(series);
    sort_rows();
}

void SeriesListModel::sort_rows() {
    if (collection_ == nullptr) return;
    const auto sort_by = [this](auto value) {
        std::ranges::sort(rows_, [&](std::int64_t a, std::int64_t b) {
            const auto of_a = value(a), of_b = value(b);
            if (of_a == of_b) return a < b;
            return order_ == Qt::AscendingOrder ? of_a < of_b : of_a > of_b;
        });
    };
    if (sort_column_ == length_column)
        sort_by([this](std::int64_t series) { return collection_->length(series); });
    else if (sort_column_ == last_column)
        sort_by([this](std::int64_t series) { return last_value(*collection_, series); });
    else
        sort_by([](std::int64_t series) { return series; });
}

std::int64_t SeriesListModel::series_at(int row) const {
    return row >= 0 && row < rowCount() ? rows_[static_cast<std::size_t>(row)] : -1;
}

int SeriesListModel::row_of(std::int64_t series) const {
    const auto found = std::ranges::find(rows_, series);
    return found == rows_.end() ? -1 : static_cast<int>(found - rows_.begin());
}

int SeriesListModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int SeriesListModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : columns; }

QVariant SeriesListModel::data(const QModelIndex& index, int role) const {
    const auto series = series_at(index.row());
    if (series < 0) return {};
    const bool is_id = index.column() == id_column;
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(Qt::AlignVCenter | (is_id ? Qt::AlignLeft : Qt::AlignRight));
    if (role != Qt::DisplayRole) return {};
    if (is_id) return id_text(*collection_, series);
    if (index.column() == length_column) return count_text(collection_->length(series));
    return exact_text(last_value(*collection_, series));
}

QVariant SeriesListModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(Qt::AlignVCenter |
                                   (section == id_column ? Qt::AlignLeft : Qt::AlignRight));
    const bool is_tip = role == Qt::ToolTipRole;
    if (!is_tip && role != Qt::DisplayRole) return {};
    switch (section) {
        case id_column:
            return is_tip ? tr("Id of the series; sorts in the order of the file") : tr("Series");
        case length_column:
            return is_tip ? tr("Number of training values") : tr("n");
        default:
            return is_tip ? tr("Last training value: the persistence forecast") : tr("Last value");
    }
}

}  // namespace casp::widgets

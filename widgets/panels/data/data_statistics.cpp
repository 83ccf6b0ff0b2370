#include "panels/data/data_statistics.h"

#include <set>

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QKeyEvent>
#include <QSortFilterProxyModel>

#include "panels/data/data_text.h"
#include "panels/view/icons.h"
#include "panels/view/view_flow.h"
#include "words/core_text.h"

namespace casp::widgets {

namespace {

QString fate_text(const ChannelReview& channel) {
    switch (channel.fate) {
        case ChannelFate::filled:
            return QObject::tr("used, %1 filled")
                .arg(counted(channel.gone, QObject::tr("cell"), QObject::tr("cells")));
        case ChannelFate::left_out:
            return QObject::tr("left out");
        case ChannelFate::refused:
            return QObject::tr("stops the run");
        case ChannelFate::not_selected:
            return QObject::tr("not selected");
        case ChannelFate::used:
            break;
    }
    if (channel.constant) return QObject::tr("used, constant: scale 1");
    if (!channel.suspects.empty() || channel.listed > 0) return QObject::tr("used, markers kept");
    return QObject::tr("used");
}

QString markers_text(const ChannelReview& channel) {
    QStringList parts;
    for (const auto& hit : channel.suspects)
        parts << QStringLiteral("%1 × %2").arg(count_text(hit.count), exact_text(hit.value));
    if (channel.listed > 0) parts << QObject::tr("%1 listed").arg(count_text(channel.listed));
    return parts.isEmpty() ? QStringLiteral("0") : parts.join(QStringLiteral(", "));
}

bool is_number(int column) {
    return column != ChannelStatisticsModel::name_column && column != ChannelStatisticsModel::target_column &&
           column != ChannelStatisticsModel::fate_column;
}

/// Used by a run, or counted in its errors.
bool is_checked(const ChannelReview& channel, int column) {
    const bool selected = channel.fate != ChannelFate::not_selected;
    return column == ChannelStatisticsModel::name_column ? selected : selected && channel.target;
}

}  // namespace

void ChannelStatisticsModel::set_review(std::optional<DataReview> review) {
    beginResetModel();
    review_ = std::move(review);
    endResetModel();
}

int ChannelStatisticsModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() || !review_ ? 0 : static_cast<int>(review_->channels.size());
}

int ChannelStatisticsModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : columns;
}

QVariant ChannelStatisticsModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || !review_) return {};
    const auto& channel = review_->channels[static_cast<std::size_t>(index.row())];
    const auto number = [role](double value) {
        return role == sort_role ? QVariant(value) : QVariant(short_text(value));
    };
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(Qt::AlignVCenter |
                                   (is_number(index.column()) ? Qt::AlignRight : Qt::AlignLeft));
    if (role == Qt::CheckStateRole && (index.column() == name_column || index.column() == target_column))
        return is_checked(channel, index.column()) ? Qt::Checked : Qt::Unchecked;
    if (role == Qt::ForegroundRole && channel.fate == ChannelFate::not_selected)
        return QApplication::palette().brush(QPalette::Disabled, QPalette::Text);
    if (role == Qt::ForegroundRole && index.column() == fate_column &&
        (channel.fate == ChannelFate::refused || channel.fate == ChannelFate::left_out))
        return QBrush(channel.fate == ChannelFate::refused ? error_colour(QApplication::palette())
                                                           : warning_colour(QApplication::palette()));
    if (role == Qt::ForegroundRole && index.column() == marker_column && !channel.suspects.empty())
        return QBrush(warning_colour(QApplication::palette()));
    if (role == Qt::ToolTipRole) {
        if (index.column() == fate_column && !channel.remark.isEmpty()) return channel.remark;
        switch (index.column()) {
            case min_column:
                return exact_text(channel.min);
            case max_column:
                return exact_text(channel.max);
            case mean_column:
                return exact_text(channel.mean);
            case deviation_column:
                return exact_text(channel.deviation);
            default:
                return data(index, Qt::DisplayRole);
        }
    }
    if (role != Qt::DisplayRole && role != sort_role) return {};
    switch (index.column()) {
        case name_column:
            return channel.name;
        case target_column:
            return is_checked(channel, target_column) ? tr("yes") : tr("no");
        case min_column:
            return number(channel.min);
        case max_column:
            return number(channel.max);
        case mean_column:
            return number(channel.mean);
        case deviation_column:
            return number(channel.deviation);
        case missing_column:
            if (role == sort_role) return qint64{channel.gone};
            return count_text(channel.gone);
        case marker_column: {
            if (role != sort_role) return markers_text(channel);
            std::int64_t count = channel.listed;
            for (const auto& hit : channel.suspects) count += hit.count;
            return qint64{count};
        }
        default:
            return fate_text(channel);
    }
}

QVariant ChannelStatisticsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    static const std::array<const char*, columns> titles{
        QT_TRANSLATE_NOOP("core", "Channel"),   QT_TRANSLATE_NOOP("core", "Target"),
        QT_TRANSLATE_NOOP("core", "Train min"), QT_TRANSLATE_NOOP("core", "Train max"),
        QT_TRANSLATE_NOOP("core", "Train μ"),   QT_TRANSLATE_NOOP("core", "Train σ"),
        QT_TRANSLATE_NOOP("core", "Missing"),   QT_TRANSLATE_NOOP("core", "Markers"),
        QT_TRANSLATE_NOOP("core", "In a run")};
    static const std::array<const char*, columns> tips{
        QT_TRANSLATE_NOOP("core", "Channel name; checked: used by a run (data.columns)"),
        QT_TRANSLATE_NOOP("core",
                          "Checked: losses, errors, tables and plots are over this channel (data.targets)"),
        QT_TRANSLATE_NOOP(
            "core", "Minimum over the training rows (rows of the scaler), after the missing-value policy"),
        QT_TRANSLATE_NOOP(
            "core", "Maximum over the training rows (rows of the scaler), after the missing-value policy"),
        QT_TRANSLATE_NOOP("core",
                          "Mean over the training rows (rows of the scaler), subtracted by the scaler"),
        QT_TRANSLATE_NOOP("core",
                          "Population standard deviation over the training rows; the scaler divides by it "
                          "(by 1 if it is 0)"),
        QT_TRANSLATE_NOOP(
            "core",
            "Cells of the whole file without a number, and those with a listed sentinel unless sentinels are "
            "kept"),
        QT_TRANSLATE_NOOP(
            "core",
            "Values that look like sentinels (markers for “no value”), and those listed in data.sentinels"),
        QT_TRANSLATE_NOOP("core", "How a run treats the channel with the settings above")};
    const auto i = static_cast<std::size_t>(section);
    if (role == Qt::DisplayRole) return translated(titles.at(i));
    if (role == Qt::ToolTipRole) return translated(tips.at(i));
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(Qt::AlignVCenter | (is_number(section) ? Qt::AlignRight : Qt::AlignLeft));
    return {};
}

Qt::ItemFlags ChannelStatisticsModel::flags(const QModelIndex& index) const {
    const auto flags = QAbstractTableModel::flags(index);
    const bool checkable = index.column() == name_column || index.column() == target_column;
    return checkable ? flags | Qt::ItemIsUserCheckable : flags;
}

bool ChannelStatisticsModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (role != Qt::CheckStateRole || !review_ || !(flags(index) & Qt::ItemIsUserCheckable)) return false;
    const bool on = value.toInt() == Qt::Checked, targets = index.column() == target_column;
    QStringList names;
    qsizetype all = 0;
    for (std::size_t i = 0; i < review_->channels.size(); ++i) {
        const auto& channel = review_->channels[i];
        const bool clicked = static_cast<int>(i) == index.row();
        const bool available = !targets || channel.fate != ChannelFate::not_selected;
        if (clicked && !available) return false;
        all += available ? 1 : 0;
        if (clicked ? on : is_checked(channel, index.column())) names << channel.name;
    }
    if (names.isEmpty()) return false;  // a run needs at least one channel
    if (names.size() == all) names.clear();
    if (targets)
        Q_EMIT targets_requested(names);
    else
        Q_EMIT columns_requested(names);
    return true;
}

ChannelStatistics::ChannelStatistics(QWidget* parent)
    : QTableView(parent), model_(new ChannelStatisticsModel(this)) {
    auto* sorted = new QSortFilterProxyModel(this);
    sorted->setSourceModel(model_);
    sorted->setSortRole(ChannelStatisticsModel::sort_role);
    setModel(sorted);
    setAccessibleName(tr("Statistics per channel"));
    setToolTip(tr("Statistics per channel; click a header to sort, Ctrl+C copies"));
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setSortingEnabled(true);
    sortByColumn(-1, Qt::AscendingOrder);
    connect(model_, &ChannelStatisticsModel::columns_requested, this, &ChannelStatistics::columns_requested);
    connect(model_, &ChannelStatisticsModel::targets_requested, this, &ChannelStatistics::targets_requested);
    make_reading(this);
    setTextElideMode(Qt::ElideMiddle);  // long names of channels differ at their ends
    horizontalHeader()->setStretchLastSection(true);
    const int digit = fontMetrics().horizontalAdvance(u'0');
    for (int c = 0; c < ChannelStatisticsModel::columns; ++c)
        setColumnWidth(c, digit * (c == ChannelStatisticsModel::name_column     ? 18
                                   : c == ChannelStatisticsModel::marker_column ? 16
                                                                                : 12));
}

void ChannelStatistics::set_review(std::optional<DataReview> review) {
    model_->set_review(std::move(review));
}

void ChannelStatistics::keyPressEvent(QKeyEvent* event) {
    if (!event->matches(QKeySequence::Copy)) {
        QTableView::keyPressEvent(event);
        return;
    }
    std::set<int> rows;
    for (const auto& index : selectionModel()->selectedRows()) rows.insert(index.row());
    if (rows.size() <= 1)
        for (int r = 0; r < model()->rowCount(); ++r) rows.insert(r);
    QString text;
    for (int c = 0; c < model()->columnCount(); ++c)
        text += (c > 0 ? QStringLiteral("\t") : QString()) +
                model()->headerData(c, Qt::Horizontal, Qt::DisplayRole).toString();
    text += u'\n';
    for (const int r : rows)
        for (int c = 0; c < model()->columnCount(); ++c) {
            // Numbers at full precision, not rounded for display.
            const QModelIndex cell = model()->index(r, c);
            const bool rounded =
                c >= ChannelStatisticsModel::min_column && c <= ChannelStatisticsModel::deviation_column;
            text += rounded ? exact_text(cell.data(ChannelStatisticsModel::sort_role).toDouble())
                            : cell.data().toString();
            text += c + 1 < model()->columnCount() ? u'\t' : u'\n';
        }
    QApplication::clipboard()->setText(text);
}

}  // namespace casp::widgets

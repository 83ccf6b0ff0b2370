#include "panels/forecasts/series_panel.h"

#include <cmath>
#include <utility>

#include <QAbstractTableModel>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QTableView>
#include <QVBoxLayout>

#include "figures/numbers.h"
#include "panels/view/icons.h"
#include "panels/view/view_flow.h"
#include "state/embedding_set.h"
#include "store/result_columns.h"

namespace casp::widgets {

namespace {

constexpr std::size_t max_highlighted = 1000;  ///< rows; more would be ranges of one row each

}  // namespace

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

SeriesPanel::SeriesPanel(QWidget* parent)
    : QWidget(parent),
      model_(new SeriesModel(this)),
      filter_(new QLineEdit(this)),
      counts_(new QLabel(this)),
      table_(new QTableView(this)) {
    filter_->setPlaceholderText(tr("Filter by id"));
    filter_->setAccessibleName(tr("Filter series by id"));
    filter_->setToolTip(tr("Lists only series whose id contains this text"));
    filter_->setClearButtonEnabled(true);
    counts_->setAccessibleName(tr("Number of listed series"));
    table_->setModel(model_);
    table_->setAccessibleName(tr("Worst and best series"));
    table_->setToolTip(tr("Click a header to sort. Select rows to show their forecasts"));
    table_->setSelectionBehavior(QAbstractItemView::SelectRows);
    table_->setSelectionMode(QAbstractItemView::ExtendedSelection);
    make_reading(table_);
    table_->setShowGrid(false);
    table_->setFrameShape(QFrame::NoFrame);
    table_->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    auto* header = table_->horizontalHeader();
    header->setDefaultSectionSize(24 * fontMetrics().averageCharWidth());
    header->setTextElideMode(Qt::ElideMiddle);
    header->setSortIndicator(1, Qt::DescendingOrder);
    table_->setSortingEnabled(true);

    auto* top = new QHBoxLayout;
    add_widgets(top, {filter_, counts_});
    top->addStretch(1);
    auto* layout = make_layout<QVBoxLayout>(this);
    layout->addLayout(top);
    layout->addWidget(table_, 1);
    setFocusProxy(table_);

    connect(filter_, &QLineEdit::textChanged, this, &SeriesPanel::filter_rows);
    connect(table_->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            &SeriesPanel::take_selection);
}

void SeriesPanel::filter_rows(const QString& text) {
    const QSignalBlocker block(this);
    const auto selected = selected_;  // filtered rows stay selected elsewhere
    model_->set_filter(text.trimmed());
    selected_ = selected;
    show_counts();
    highlight();
}

void SeriesPanel::set_runs(const std::vector<std::string>& ids, const std::vector<SeriesModel::Run>& runs) {
    model_->set_runs(ids, runs);
    auto* header = table_->horizontalHeader();
    const QSignalBlocker block(header);  // the model is sorted
    header->setSortIndicator(model_->sortColumn(), header->sortIndicatorOrder());
    show_counts();
    highlight();
}

void SeriesPanel::show_counts() {
    counts_->setText(model_->rowCount() == model_->total()
                         ? tr("%1 series").arg(counted(model_->total()))
                         : tr("%1 of %2 series").arg(counted(model_->rowCount()), counted(model_->total())));
}

void SeriesPanel::take_selection() {
    std::set<std::int64_t> windows;
    for (const auto& range : table_->selectionModel()->selection())
        for (int row = range.top(); row <= range.bottom(); ++row) windows.insert(model_->window(row));
    if (windows == selected_) return;
    selected_ = windows;
    Q_EMIT chosen(windows);
}

void SeriesPanel::show_selected(const std::set<std::int64_t>& windows) {
    if (windows == selected_) return;
    selected_ = windows;
    highlight();
}

void SeriesPanel::highlight() {
    QItemSelection rows;
    int first = -1;
    if (selected_.size() <= max_highlighted)
        for (const auto window : selected_)
            if (const int row = model_->row_of(window); row >= 0) {
                if (first < 0 || row < first) first = row;
                rows.append({model_->index(row, 0), model_->index(row, model_->columnCount() - 1)});
            }
    const QSignalBlocker block(this);
    const auto selected = selected_;  // filtered rows stay selected elsewhere
    table_->selectionModel()->select(rows, QItemSelectionModel::ClearAndSelect);
    selected_ = selected;
    if (first < 0) return;
    table_->selectionModel()->setCurrentIndex(model_->index(first, 0), QItemSelectionModel::NoUpdate);
    table_->scrollTo(model_->index(first, 0));
}

figures::Figure SeriesPanel::figure() const {
    figures::Figure figure{QStringLiteral("series"), QStringLiteral("Worst and best series")};
    if (model_->runs().empty()) return figure;
    figures::Numbers numbers;
    numbers.columns = {QStringLiteral("series"), QStringLiteral("window")};
    for (const auto& run : model_->runs())
        numbers.columns << run.label + QStringLiteral(", sMAPE") << run.label + QStringLiteral(", MASE");
    for (int row = 0; row < model_->rowCount(); ++row) {
        const auto window = model_->window(row);
        QStringList cells{model_->id(window), QString::number(window)};
        for (int column = 1; column < model_->columnCount(); ++column)
            cells << figures::exact_text(model_->score(window, column));
        numbers.rows.push_back(std::move(cells));
    }
    figure.numbers = std::move(numbers);
    return figure;
}

}  // namespace casp::widgets

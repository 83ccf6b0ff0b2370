#include "panels/forecasts/series_panel.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QTableView>
#include <QVBoxLayout>

#include "figures/numbers.h"
#include "state/embedding_set.h"

namespace casp::widgets {

namespace {

constexpr std::size_t most_highlighted = 1000;  ///< rows; more would be ranges of one row each

}  // namespace

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
    table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table_->setTabKeyNavigation(false);
    table_->setAlternatingRowColors(true);
    table_->setShowGrid(false);
    table_->setWordWrap(false);
    table_->setFrameShape(QFrame::NoFrame);
    table_->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    table_->verticalHeader()->hide();
    table_->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    table_->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 8);
    auto* header = table_->horizontalHeader();
    header->setHighlightSections(false);
    header->setDefaultSectionSize(24 * fontMetrics().averageCharWidth());
    header->setTextElideMode(Qt::ElideMiddle);
    header->setSortIndicator(1, Qt::DescendingOrder);
    table_->setSortingEnabled(true);

    auto* top = new QHBoxLayout;
    top->addWidget(filter_);
    top->addWidget(counts_);
    top->addStretch(1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
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
    if (selected_.size() <= most_highlighted)
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

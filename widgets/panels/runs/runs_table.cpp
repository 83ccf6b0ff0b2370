#include "panels/runs/runs_table.h"

#include <set>
#include <utility>

#include <QHeaderView>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QKeyEvent>

#include "panels/runs/runs_panel.h"
#include "panels/view/view_flow.h"

namespace casp::widgets {

namespace {

int section(RunsColumn column) { return static_cast<int>(column); }

}  // namespace

RunsTable::RunsTable(RunsModel& model, QWidget* parent)
    : QTableView(parent), model_(model), delegate_(new RunsDelegate(this)) {
    setModel(&model_);
    setItemDelegate(delegate_);
    named(
        this, RunsPanel::tr("Runs"),
        RunsPanel::tr(
            "Runs of the output folder. Space shows or hides a run in the views, Enter shows only this run"));
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setSelectionMode(QAbstractItemView::ExtendedSelection);
    make_reading(this);  // a note is edited by F2 and the menu: a click must not
    setShowGrid(false);
    setFrameShape(QFrame::NoFrame);
    setContextMenuPolicy(Qt::CustomContextMenu);
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    auto* header = horizontalHeader();
    header->setSectionsMovable(true);
    header->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    header->setContextMenuPolicy(Qt::CustomContextMenu);
    header->setAccessibleName(RunsPanel::tr("Columns of the runs"));
    order_columns();
    for (const auto& info : runs_columns()) {
        header->resizeSection(section(info.column), info.width);
        if (!info.by_default) hidden_.insert(section(info.column));
    }
    header->setSortIndicatorShown(true);
    header->setSectionsClickable(true);
    header->setSortIndicator(section(RunsColumn::created), Qt::DescendingOrder);
    connect(header, &QHeaderView::sortIndicatorChanged, &model_, &RunsModel::sort);
    connect(header, &QHeaderView::customContextMenuRequested, this,
            [this](const QPoint& at) { columns_menu_->popup(horizontalHeader()->mapToGlobal(at)); });
    // A reset would lose the selection.
    connect(&model_, &QAbstractItemModel::modelAboutToBeReset, this,
            [this] { kept_selection_ = selected_runs(); });
    connect(&model_, &QAbstractItemModel::modelReset, this, [this] { select_runs(kept_selection_); });
    connect(&model_, &RunsModel::counts_changed, this, &RunsTable::offer_scores);
    connect(&model_, &QAbstractItemModel::dataChanged, this, &RunsTable::offer_scores);
    fill_sort_menu();
    fill_columns_menu();
    set_compact(true);
    offer_scores();
}

void RunsTable::keyPressEvent(QKeyEvent* event) {
    // QTableView would use Space for its selection, and Enter for the default button.
    if (event->modifiers() == Qt::NoModifier) {
        if (event->key() == Qt::Key_Space) return Q_EMIT toggle_requested();
        if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) return Q_EMIT open_requested();
    }
    QTableView::keyPressEvent(event);
}

void RunsTable::changeEvent(QEvent* event) {
    QTableView::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        verticalHeader()->setDefaultSectionSize(delegate_->row_height(font()));
}

void RunsTable::fill_columns_menu() {
    columns_menu_ = new QMenu(RunsPanel::tr("Col&umns of the runs"), this);
    columns_menu_->setToolTipsVisible(true);
    columns_menu_->setToolTip(RunsPanel::tr("Columns shown when the list of runs is wide enough"));
    for (const auto& info : runs_columns()) {
        if (info.column == RunsColumn::name) continue;
        auto* action = columns_menu_->addAction(info.title);
        action->setCheckable(true);
        action->setToolTip(info.help);
        const auto show = [this, action, column = info.column] {
            action->setChecked(is_column_visible(column));
            action->setVisible(is_offered(column));
        };
        connect(columns_menu_, &QMenu::aboutToShow, action, show);
        connect(action, &QAction::triggered, this, [this, column = info.column, show] {
            set_column_visible(column, !is_column_visible(column));
            show();
        });
    }
    columns_menu_->addSeparator();
    auto* usual = columns_menu_->addAction(RunsPanel::tr("Default columns"));
    usual->setToolTip(RunsPanel::tr("Restores the default columns, order and widths"));
    connect(usual, &QAction::triggered, this, [this] {
        auto* header = horizontalHeader();
        order_columns();
        for (const auto& info : runs_columns()) {
            const int logical = static_cast<int>(info.column);
            setColumnHidden(logical, false);
            header->resizeSection(logical, info.width);
            set_column_visible(info.column, info.by_default);
        }
    });
}

void RunsTable::fill_sort_menu() {
    sort_menu_ = new QMenu(RunsPanel::tr("Sor&t the runs by"), this);
    sort_menu_->setToolTipsVisible(true);
    sort_menu_->setToolTip(RunsPanel::tr("Sort order of the list of runs"));
    const auto entry = [&](const QString& text, RunsColumn column, Qt::SortOrder order) {
        auto* action = sort_menu_->addAction(text);
        action->setCheckable(true);
        action->setToolTip(info_of(column).help);
        const auto show = [this, action, column, order] {
            action->setChecked(model_.sort_column() == column && model_.sort_order() == order);
        };
        connect(sort_menu_, &QMenu::aboutToShow, action, show);
        connect(action, &QAction::triggered, this, [this, column, order, show] {
            horizontalHeader()->setSortIndicator(static_cast<int>(column), order);
            show();
        });
    };
    entry(RunsPanel::tr("Newest first"), RunsColumn::created, Qt::DescendingOrder);
    entry(RunsPanel::tr("Last changed first"), RunsColumn::updated, Qt::DescendingOrder);
    entry(RunsPanel::tr("Name"), RunsColumn::name, Qt::AscendingOrder);
    entry(RunsPanel::tr("Experiment"), RunsColumn::batch, Qt::AscendingOrder);
    entry(RunsPanel::tr("Model"), RunsColumn::model, Qt::AscendingOrder);
    entry(RunsPanel::tr("State"), RunsColumn::state, Qt::AscendingOrder);
    entry(RunsPanel::tr("Shown first"), RunsColumn::shown, Qt::AscendingOrder);
    entry(RunsPanel::tr("λ_cov, smallest first"), result_column("lambda_cov"), Qt::AscendingOrder);
    entry(RunsPanel::tr("Validation MSE, best first"), result_column("val_mse"), Qt::AscendingOrder);
    entry(RunsPanel::tr("Best (★) first"), RunsColumn::best, Qt::AscendingOrder);
    entry(RunsPanel::tr("Test MSE, best first"), result_column("test_mse"), Qt::AscendingOrder);
    entry(RunsPanel::tr("Key cosine, lowest first"), result_column("key_cosine"), Qt::AscendingOrder);
    entry(RunsPanel::tr("Entropy, highest first"), result_column("usage_entropy"), Qt::DescendingOrder);
}

void RunsTable::set_compact(bool compact) {
    auto* header = horizontalHeader();
    compact_ = compact;
    delegate_->set_compact(compact);
    header->setVisible(!compact);
    setHorizontalScrollBarPolicy(compact ? Qt::ScrollBarAlwaysOff : Qt::ScrollBarAsNeeded);
    verticalHeader()->setDefaultSectionSize(delegate_->row_height(font()));
    const int name = section(RunsColumn::name);
    if (compact) {
        for (int i = 0; i < header->count(); ++i) setColumnHidden(i, i != name);
        header->setSectionResizeMode(name, QHeaderView::Stretch);
    } else {
        header->setSectionResizeMode(name, QHeaderView::Interactive);
        header->resizeSection(name, info_of(RunsColumn::name).width);
        apply_columns();
    }
    const QModelIndex current = currentIndex();
    if (current.isValid() && isColumnHidden(current.column()))
        selectionModel()->setCurrentIndex(current.siblingAtColumn(name), QItemSelectionModel::NoUpdate);
    if (current.isValid()) scrollTo(current);
}

/// The default order.
void RunsTable::order_columns() {
    auto* header = horizontalHeader();
    int visual = 0;
    for (const auto& info : runs_columns())
        header->moveSection(header->visualIndex(section(info.column)), visual++);
}

void RunsTable::apply_columns() {
    if (compact_) return;
    for (int i = 0; i < model_.columnCount(); ++i)
        setColumnHidden(i, hidden_.contains(i) || !is_offered(static_cast<RunsColumn>(i)));
}

void RunsTable::offer_scores() {
    const bool before = std::exchange(has_scores_, model_.has_scores());
    if (has_scores_ != before) apply_columns();
}

void RunsTable::set_column_visible(RunsColumn column, bool on) {
    if (column == RunsColumn::name) return;  // the name column cannot be hidden
    if (on)
        hidden_.remove(section(column));
    else
        hidden_.insert(section(column));
    apply_columns();
}

bool RunsTable::is_column_visible(RunsColumn column) const { return !hidden_.contains(section(column)); }

QByteArray RunsTable::save_state() const {
    const auto* header = horizontalHeader();
    QJsonArray columns;
    for (int visual = 0; visual < header->count(); ++visual) {
        const int logical = header->logicalIndex(visual);
        const auto& info = info_of(static_cast<RunsColumn>(logical));
        // A hidden section has size 0, and the narrow list stretches the name.
        const bool sized = !compact_ && header->sectionSize(logical) > 0;
        columns.append(QJsonObject{{"key", info.key},
                                   {"shown", !hidden_.contains(logical)},
                                   {"width", sized ? header->sectionSize(logical) : info.width}});
    }
    const QJsonObject root{
        {QStringLiteral("runs_panel"), 1},
        {QStringLiteral("columns"), columns},
        {QStringLiteral("sort"), QString::fromLatin1(info_of(model_.sort_column()).key)},
        {QStringLiteral("descending"), model_.sort_order() == Qt::DescendingOrder},
    };
    return QJsonDocument(root).toJson(QJsonDocument::Compact);
}

bool RunsTable::restore_state(const QByteArray& state) {
    const auto root = QJsonDocument::fromJson(state).object();
    if (root.value(QStringLiteral("runs_panel")).toInt() != 1) return false;
    auto* header = horizontalHeader();
    int visual = 0;
    for (const auto& value : root.value(QStringLiteral("columns")).toArray()) {
        const auto column = value.toObject();
        const auto which = runs_column_named(column.value(QStringLiteral("key")).toString());
        if (!which) continue;  // from another version
        const int logical = section(*which);
        header->moveSection(header->visualIndex(logical), visual++);
        const int width = column.value(QStringLiteral("width")).toInt();
        if (width >= 24 && width <= 2000 && (!compact_ || *which != RunsColumn::name))
            header->resizeSection(logical, width);
        if (*which == RunsColumn::name || column.value(QStringLiteral("shown")).toBool())
            hidden_.remove(logical);
        else
            hidden_.insert(logical);
    }
    apply_columns();
    const auto sort = runs_column_named(root.value(QStringLiteral("sort")).toString());
    if (sort)
        header->setSortIndicator(section(*sort), root.value(QStringLiteral("descending")).toBool()
                                                     ? Qt::DescendingOrder
                                                     : Qt::AscendingOrder);
    return true;
}

QStringList RunsTable::selected_runs() const {
    // By ranges: selectedIndexes() of 10,000 rows would be 250,000 indices.
    std::set<int> rows;
    for (const auto& range : selectionModel()->selection())
        for (int row = range.top(); row <= range.bottom(); ++row) rows.insert(row);
    QStringList folders;
    for (const int row : rows)
        if (row < model_.rowCount()) folders += model_.run(row).folder;
    return folders;
}

void RunsTable::select_runs(const QStringList& folders) {
    std::set<int> rows;
    for (const auto& folder : folders)
        if (const int row = model_.row_of(folder); row >= 0) rows.insert(row);
    QItemSelection selection;
    const int last = model_.columnCount() - 1;
    for (auto it = rows.begin(); it != rows.end();) {
        const int top = *it;
        int bottom = top;
        while (++it != rows.end() && *it == bottom + 1) ++bottom;
        selection.append(QItemSelectionRange(model_.index(top, 0), model_.index(bottom, last)));
    }
    selectionModel()->select(selection, QItemSelectionModel::ClearAndSelect);
    if (!rows.empty()) {
        const QModelIndex first = model_.index(*rows.begin(), section(RunsColumn::name));
        selectionModel()->setCurrentIndex(first, QItemSelectionModel::NoUpdate);
        scrollTo(first);
    }
}

std::vector<RunsColumn> RunsTable::chosen_columns() const {
    std::vector<RunsColumn> columns;
    for (int visual = 0; visual < horizontalHeader()->count(); ++visual) {
        const auto column = static_cast<RunsColumn>(horizontalHeader()->logicalIndex(visual));
        if (is_column_visible(column) && is_offered(column)) columns.push_back(column);
    }
    return columns;
}

}  // namespace casp::widgets

#include "panels/runs/runs_panel.h"

#include <set>
#include <utility>

#include <QDir>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QKeyEvent>
#include <QMenu>
#include <QPushButton>
#include <QScrollBar>
#include <QVBoxLayout>

#include "panels/view/icons.h"
#include "panels/view/view_flow.h"
#include "state/embedding_set.h"

namespace casp::widgets {

namespace {

constexpr int filter_delay_ms = 120;

int section(RunsColumn column) { return static_cast<int>(column); }

QToolButton* tool_button(QWidget* parent, const QString& name, const QString& help) {
    auto* button = text_button(parent, {}, name, help);
    button->setAutoRaise(true);
    button->setPopupMode(QToolButton::InstantPopup);
    button->setIconSize({16, 16});
    return button;
}

}  // namespace

RunsPanel::RunsPanel(RunLibrary& library, Selection& selection, QWidget* parent)
    : QWidget(parent),
      library_(library),
      selection_(selection),
      model_(new RunsModel(library, selection, this)),
      delegate_(new RunsDelegate(this)),
      filter_(new QLineEdit(this)),
      filter_problem_(note_label(this, tr("Problem of the filter"))),
      sort_button_(tool_button(this, tr("Sort runs"), tr("Sort order of the list"))),
      columns_button_(tool_button(this, tr("Columns"), tr("Columns shown in the table"))),
      basket_button_(
          tool_button(this, tr("Wastebasket"), tr("Deleted runs: restore them, or empty the wastebasket"))),
      folder_(new QToolButton(this)),
      pages_(new QStackedWidget(this)),
      view_(new QTableView(this)),
      empty_(new QLabel(this)),
      empty_button_(new QPushButton(this)),
      wastebasket_(new RunsWastebasket(library, this)),
      counts_(new QLabel(this)),
      cluster_(note_label(this, tr("Jobs on the cluster"))),
      banner_(new RunsBanner(this)) {
    setAccessibleName(tr("Runs"));
    fill_controls();
    build_view();
    add_widgets(pages_, {view_, make_empty_page(), wastebasket_});
    arrange();
    fill_sort_menu();
    sort_button_->setMenu(sort_menu_);
    fill_columns_menu();
    columns_button_->setMenu(columns_menu_);
    connect_controls();
    connect_runs();
    connect_wastebasket();
    build_actions();
    update_icons();
    model_->sort(section(RunsColumn::created), Qt::DescendingOrder);
    set_compact(true);
    offer_scores();
    update_counts();
    update_folder();
}

void RunsPanel::fill_controls() {
    filter_->setPlaceholderText(tr("Filter: etth1 lambda_cov>0.05"));
    filter_->setClearButtonEnabled(true);
    named(filter_, tr("Filter runs"), RunsFilter::help());
    filter_problem_->setToolTip(RunsFilter::help());
    counts_->setContentsMargins(8, 2, 8, 3);
    counts_->setWordWrap(true);
    named(counts_, tr("Number of runs"), tr("Numbers of listed, shown and selected runs"));
    cluster_->setToolTip(tr("Tasks of the submitted job arrays, asked for every half minute"));
    // The folder of these and future runs is shown above the list.
    folder_->setAutoRaise(true);
    folder_->setFocusPolicy(Qt::StrongFocus);
    folder_->setToolButtonStyle(Qt::ToolButtonTextOnly);
    folder_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
}

/// An empty list explains what it will show and what to do.
QWidget* RunsPanel::make_empty_page() {
    auto* empty_page = new QWidget(pages_);
    auto* empty_layout = new QVBoxLayout(empty_page);
    empty_->setWordWrap(true);
    empty_->setAlignment(Qt::AlignCenter);
    empty_->setToolTip(tr("How to fill this list"));
    empty_layout->addStretch(1);
    empty_layout->addWidget(empty_);
    empty_layout->addWidget(empty_button_, 0, Qt::AlignHCenter);
    empty_layout->addStretch(2);
    named(empty_button_, tr("Open a folder of runs"), tr("Opens another output folder"));
    return empty_page;
}

void RunsPanel::arrange() {
    auto* top = make_layout<QHBoxLayout>(nullptr, {4, 4, 4, 2}, 2);
    top->addWidget(filter_, 1);
    add_widgets(top, {sort_button_, columns_button_, basket_button_});
    auto* layout = make_layout<QVBoxLayout>(this, {}, 0);
    layout->addWidget(folder_);
    layout->addLayout(top);
    layout->addWidget(filter_problem_);
    layout->addWidget(pages_, 1);
    add_widgets(layout, {cluster_, banner_, counts_});
    setMinimumWidth(190);
}

void RunsPanel::connect_controls() {
    connect(folder_, &QToolButton::clicked, this, &RunsPanel::open_folder_requested);
    connect(basket_button_, &QToolButton::clicked, this,
            [this] { show_wastebasket(pages_->currentWidget() != wastebasket_); });
    filter_timer_.setSingleShot(true);
    filter_timer_.setInterval(filter_delay_ms);
    connect(filter_, &QLineEdit::textChanged, &filter_timer_, qOverload<>(&QTimer::start));
    connect(filter_, &QLineEdit::returnPressed, this, [this] {
        apply_filter();
        view_->setFocus();
    });
    connect(&filter_timer_, &QTimer::timeout, this, &RunsPanel::apply_filter);
    connect(empty_button_, &QPushButton::clicked, this, [this] {
        if (filter_->text().isEmpty())
            Q_EMIT open_folder_requested();
        else
            set_filter_text({});
    });
}

void RunsPanel::connect_runs() {
    connect(&library_, &RunLibrary::reset, this, &RunsPanel::update_folder);
    // A reset would lose the selection.
    connect(model_, &QAbstractItemModel::modelAboutToBeReset, this,
            [this] { kept_selection_ = selected_runs(); });
    connect(model_, &QAbstractItemModel::modelReset, this, [this] { select_runs(kept_selection_); });
    connect(model_, &RunsModel::counts_changed, this, &RunsPanel::update_counts);
    connect(model_, &QAbstractItemModel::dataChanged, this, &RunsPanel::update_actions);
    connect(model_, &RunsModel::counts_changed, this, &RunsPanel::offer_scores);
    connect(model_, &QAbstractItemModel::dataChanged, this, &RunsPanel::offer_scores);
    connect(&library_, &RunLibrary::moving, this, &RunsPanel::show_moving);
    connect(&library_, &RunLibrary::moves_ended, this, &RunsPanel::end_moves);
    connect(&library_, &RunLibrary::loading, this, [this](int done, int all) {
        loading_ = done < all ? tr("reading %1 of %2").arg(counted(done), counted(all)) : QString();
        update_counts();
    });
    connect(&library_, &RunLibrary::problem, this,
            [this](const QString& text) { banner_->show_text(text, true); });
}

void RunsPanel::connect_wastebasket() {
    connect(wastebasket_, &RunsWastebasket::problem, this,
            [this](const QString& text) { banner_->show_text(text, true); });
    connect(wastebasket_, &RunsWastebasket::restored, this, [this](const QStringList& folders) {
        banner_->hide();  // its offer to undo no longer applies
        Q_EMIT restored(folders);
    });
    connect(wastebasket_, &RunsWastebasket::changed, this, &RunsPanel::update_counts);
    connect(wastebasket_, &RunsWastebasket::back_requested, this, [this] { show_wastebasket(false); });
}

void RunsPanel::set_cluster_state(const QString& text) {
    show_note(cluster_, text);
    cluster_->setAccessibleDescription(text);
}

void RunsPanel::build_view() {
    view_->setModel(model_);
    view_->setItemDelegate(delegate_);
    named(
        view_, tr("Runs"),
        tr("Runs of the output folder. Space shows or hides a run in the views, Enter shows only this run"));
    view_->setSelectionBehavior(QAbstractItemView::SelectRows);
    view_->setSelectionMode(QAbstractItemView::ExtendedSelection);
    make_reading(view_);  // a note is edited by F2 and the menu: a click must not
    view_->setShowGrid(false);
    view_->setFrameShape(QFrame::NoFrame);
    view_->setContextMenuPolicy(Qt::CustomContextMenu);
    view_->installEventFilter(this);
    view_->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    auto* header = view_->horizontalHeader();
    header->setSectionsMovable(true);
    header->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    header->setContextMenuPolicy(Qt::CustomContextMenu);
    header->setAccessibleName(tr("Columns of the runs"));
    order_columns();
    for (const auto& info : runs_columns()) {
        header->resizeSection(section(info.column), info.width);
        if (!info.by_default) hidden_.insert(section(info.column));
    }
    header->setSortIndicatorShown(true);
    header->setSectionsClickable(true);
    header->setSortIndicator(section(RunsColumn::created), Qt::DescendingOrder);
    connect(header, &QHeaderView::sortIndicatorChanged, model_, &RunsModel::sort);
    connect(header, &QHeaderView::customContextMenuRequested, this,
            [this](const QPoint& at) { columns_menu_->popup(view_->horizontalHeader()->mapToGlobal(at)); });
    connect(view_, &QWidget::customContextMenuRequested, this, &RunsPanel::show_menu);
    connect(view_, &QAbstractItemView::doubleClicked, this, [this](const QModelIndex& index) {
        if (index.column() == section(RunsColumn::note))
            edit_note();
        else if (index.column() == section(RunsColumn::colour) && !compact_)
            show_menu(QPoint());
        else if (index.column() != section(RunsColumn::shown))
            open_current();
    });
    connect(view_->selectionModel(), &QItemSelectionModel::selectionChanged, this, &RunsPanel::update_counts);
    connect(view_->selectionModel(), &QItemSelectionModel::currentChanged, this, &RunsPanel::update_actions);
}

bool RunsPanel::eventFilter(QObject* object, QEvent* event) {
    if (event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        // QTableView would use Space for its selection, and Enter for the default button.
        if (object == view_ && key->modifiers() == Qt::NoModifier) {
            if (key->key() == Qt::Key_Space) {
                toggle_shown();
                return true;
            }
            if (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter) {
                open_current();
                return true;
            }
        }
    }
    return QWidget::eventFilter(object, event);
}

void RunsPanel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    const int border = wide_from * logicalDpiX() / 96;
    if ((width() < border) != compact_) set_compact(width() < border);
    update_folder();
}

void RunsPanel::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) update_icons();
    // Another program may have restored a checkpoint.
    if (event->type() == QEvent::ActivationChange && isActiveWindow()) look_for_checkpoints();
    if (event->type() == QEvent::FontChange)
        view_->verticalHeader()->setDefaultSectionSize(delegate_->row_height(view_->font()));
}

void RunsPanel::update_icons() {
    const QColor colour = palette().color(QPalette::ButtonText);
    sort_button_->setIcon(
        glyph_icon(model_->sort_order() == Qt::AscendingOrder ? Glyph::up : Glyph::down, colour));
    columns_button_->setIcon(glyph_icon(Glyph::columns, colour));
    basket_button_->setIcon(glyph_icon(Glyph::wastebasket, colour));
    QPalette p = filter_problem_->palette();
    const QColor error = error_colour(palette());
    if (p.color(QPalette::WindowText) == error) return;
    p.setColor(QPalette::WindowText, error);
    filter_problem_->setPalette(p);
}

void RunsPanel::set_compact(bool compact) {
    auto* header = view_->horizontalHeader();
    compact_ = compact;
    delegate_->set_compact(compact);
    header->setVisible(!compact);
    sort_button_->setVisible(compact);
    columns_button_->setVisible(!compact);
    view_->setHorizontalScrollBarPolicy(compact ? Qt::ScrollBarAlwaysOff : Qt::ScrollBarAsNeeded);
    view_->verticalHeader()->setDefaultSectionSize(delegate_->row_height(view_->font()));
    const int name = section(RunsColumn::name);
    if (compact) {
        for (int i = 0; i < header->count(); ++i) view_->setColumnHidden(i, i != name);
        header->setSectionResizeMode(name, QHeaderView::Stretch);
    } else {
        header->setSectionResizeMode(name, QHeaderView::Interactive);
        header->resizeSection(name, info_of(RunsColumn::name).width);
        apply_columns();
    }
    const QModelIndex current = view_->currentIndex();
    if (current.isValid() && view_->isColumnHidden(current.column()))
        view_->selectionModel()->setCurrentIndex(current.siblingAtColumn(name),
                                                 QItemSelectionModel::NoUpdate);
    if (current.isValid()) view_->scrollTo(current);
}

/// The default order.
void RunsPanel::order_columns() {
    auto* header = view_->horizontalHeader();
    int visual = 0;
    for (const auto& info : runs_columns())
        header->moveSection(header->visualIndex(section(info.column)), visual++);
}

void RunsPanel::apply_columns() {
    if (compact_) return;
    for (int i = 0; i < model_->columnCount(); ++i)
        view_->setColumnHidden(i, hidden_.contains(i) || !is_offered(static_cast<RunsColumn>(i)));
}

void RunsPanel::offer_scores() {
    const bool before = std::exchange(has_scores_, model_->has_scores());
    if (has_scores_ != before) apply_columns();
}

void RunsPanel::set_column_visible(RunsColumn column, bool on) {
    if (column == RunsColumn::name) return;  // the name column cannot be hidden
    if (on)
        hidden_.remove(section(column));
    else
        hidden_.insert(section(column));
    apply_columns();
}

bool RunsPanel::is_column_visible(RunsColumn column) const { return !hidden_.contains(section(column)); }

QByteArray RunsPanel::save_state() const {
    const auto* header = view_->horizontalHeader();
    QJsonArray columns;
    for (int visual = 0; visual < header->count(); ++visual) {
        const int logical = header->logicalIndex(visual);
        const auto& info = info_of(static_cast<RunsColumn>(logical));
        QJsonObject column{{QStringLiteral("key"), QString::fromLatin1(info.key)},
                           {QStringLiteral("shown"), !hidden_.contains(logical)}};
        // A hidden section has size 0, and the narrow list stretches the name.
        const bool sized = !compact_ && header->sectionSize(logical) > 0;
        column[QStringLiteral("width")] = sized ? header->sectionSize(logical) : info.width;
        columns.append(column);
    }
    const QJsonObject root{
        {QStringLiteral("runs_panel"), 1},
        {QStringLiteral("columns"), columns},
        {QStringLiteral("sort"), QString::fromLatin1(info_of(model_->sort_column()).key)},
        {QStringLiteral("descending"), model_->sort_order() == Qt::DescendingOrder},
    };
    return QJsonDocument(root).toJson(QJsonDocument::Compact);
}

bool RunsPanel::restore_state(const QByteArray& state) {
    const auto root = QJsonDocument::fromJson(state).object();
    if (root.value(QStringLiteral("runs_panel")).toInt() != 1) return false;
    auto* header = view_->horizontalHeader();
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
    update_icons();
    return true;
}

QStringList RunsPanel::selected_runs() const {
    // By ranges: selectedIndexes() of 10,000 rows would be 250,000 indices.
    std::set<int> rows;
    for (const auto& range : view_->selectionModel()->selection())
        for (int row = range.top(); row <= range.bottom(); ++row) rows.insert(row);
    QStringList folders;
    for (const int row : rows)
        if (row < model_->rowCount()) folders += model_->run(row).folder;
    return folders;
}

void RunsPanel::select_runs(const QStringList& folders) {
    std::set<int> rows;
    for (const auto& folder : folders)
        if (const int row = model_->row_of(folder); row >= 0) rows.insert(row);
    QItemSelection selection;
    const int last = model_->columnCount() - 1;
    for (auto it = rows.begin(); it != rows.end();) {
        const int top = *it;
        int bottom = top;
        while (++it != rows.end() && *it == bottom + 1) ++bottom;
        selection.append(QItemSelectionRange(model_->index(top, 0), model_->index(bottom, last)));
    }
    view_->selectionModel()->select(selection, QItemSelectionModel::ClearAndSelect);
    if (!rows.empty()) {
        const QModelIndex first = model_->index(*rows.begin(), section(RunsColumn::name));
        view_->selectionModel()->setCurrentIndex(first, QItemSelectionModel::NoUpdate);
        view_->scrollTo(first);
    }
    update_counts();
}

void RunsPanel::set_filter_text(const QString& text) {
    filter_->setText(text);
    apply_filter();
}

void RunsPanel::apply_filter() {
    filter_timer_.stop();
    const RunsFilter filter(filter_->text());
    show_note(filter_problem_, filter.problem());
    model_->set_filter(filter);
    update_counts();
}

void RunsPanel::show_wastebasket(bool on) {
    if (on) {
        wastebasket_->refresh();
        pages_->setCurrentWidget(wastebasket_);
        wastebasket_->list()->setFocus();
    } else {
        pages_->setCurrentWidget(view_);
        update_counts();
        view_->setFocus();
    }
}

void RunsPanel::set_queued(const QStringList& folders) {
    model_->set_queued(folders);
    update_actions();
}

void RunsPanel::update_folder() {
    const auto path = library_.shown_folder();
    auto shown = library_.folder_title();
    // The end of a path says most, but not without its machine.
    const auto elided = library_.machine().isEmpty() ? Qt::ElideLeft : Qt::ElideMiddle;
    if (const auto home = QDir::homePath(); home.size() > 1 && shown.startsWith(home + QLatin1Char('/')))
        shown.replace(0, home.size(), QStringLiteral("~"));
    if (shown.isEmpty()) shown = tr("Choose a folder of runs…");
    folder_->setText(folder_->fontMetrics()
                         .elidedText(shown, elided, std::max(60, width() - 24))
                         .replace(QLatin1Char('&'), QLatin1String("&&")));
    named(folder_, tr("Folder of runs: ") + path,
          path.isEmpty()
              ? tr("Chooses the output folder for runs")
              : tr("Output folder: %1. New runs are stored here as well. Click to open another folder")
                    .arg(path));
}

void RunsPanel::update_counts() {
    const int rows = model_->rowCount(), all = model_->total();
    QStringList parts;
    if (!loading_.isEmpty()) parts += loading_;
    if (rows == all)
        parts += all == 1 ? tr("1 run") : tr("%1 runs").arg(counted(all));
    else
        parts += (all == 1 ? tr("%1 of 1 run") : tr("%1 of %2 runs").arg(QStringLiteral("%1"), counted(all)))
                     .arg(counted(rows));
    if (model_->shown_count() > 0) parts += tr("%1 shown").arg(counted(model_->shown_count()));
    int selected = 0;
    for (const auto& range : view_->selectionModel()->selection()) selected += range.height();
    if (selected > 1) parts += tr("%1 selected").arg(counted(selected));
    counts_->setText(parts.join(QStringLiteral(" · ")));

    if (pages_->currentWidget() != wastebasket_) {
        pages_->setCurrentIndex(rows == 0 ? 1 : 0);
        if (rows == 0 && all > 0) {
            empty_->setText(tr("No run matches the filter."));
            empty_button_->setText(tr("Show all runs"));
            empty_button_->setToolTip(tr("Clears the filter"));
        } else if (rows == 0) {
            const QString why = library_.why_empty();
            empty_->setText(!why.isEmpty() ? why
                            : loading_.isEmpty()
                                ? tr("Your runs will be listed here, with their λ_cov, error and "
                                     "state.\n\nPress Run, or open a folder of earlier runs.")
                                : tr("Reading the runs of this folder…"));
            empty_button_->setText(tr("Open a folder of runs…"));
            empty_button_->setToolTip(tr("Opens another output folder"));
        }
        if (rows == 0) empty_button_->setAccessibleName(empty_button_->text());
        empty_button_->setVisible(loading_.isEmpty());
    }
    update_actions();
}

}  // namespace casp::widgets

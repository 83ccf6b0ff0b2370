#include "panels/runs/runs_panel.h"

#include <algorithm>

#include <QDir>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QMenu>
#include <QPushButton>
#include <QVBoxLayout>

#include "panels/view/icons.h"
#include "panels/view/view_flow.h"
#include "state/embedding_set.h"

namespace casp::widgets {

namespace {

constexpr int filter_delay_ms = 120;

QToolButton* tool_button(QWidget* parent, const QString& name, const QString& help) {
    auto* button = text_button(parent, {}, name, help);
    button->setAutoRaise(true);
    button->setPopupMode(QToolButton::InstantPopup);
    button->setIconSize({16, 16});
    return button;
}

/// An empty list explains what it will show and what to do.
QWidget* empty_page(QWidget* parent, QLabel* text, QPushButton* button) {
    auto* page = new QWidget(parent);
    auto* layout = new QVBoxLayout(page);
    text->setWordWrap(true);
    text->setAlignment(Qt::AlignCenter);
    text->setToolTip(RunsPanel::tr("How to fill this list"));
    layout->addStretch(1);
    layout->addWidget(text);
    layout->addWidget(button, 0, Qt::AlignHCenter);
    layout->addStretch(2);
    named(button, RunsPanel::tr("Open a folder of runs"), RunsPanel::tr("Opens another output folder"));
    return page;
}

}  // namespace

RunsPanel::RunsPanel(RunLibrary& library, Selection& selection, QWidget* parent)
    : QWidget(parent),
      library_(library),
      model_(new RunsModel(library, selection, this)),
      filter_(new QLineEdit(this)),
      filter_problem_(note_label(this, tr("Problem of the filter"))),
      sort_button_(tool_button(this, tr("Sort runs"), tr("Sort order of the list"))),
      columns_button_(tool_button(this, tr("Columns"), tr("Columns shown in the table"))),
      basket_button_(
          tool_button(this, tr("Wastebasket"), tr("Deleted runs: restore them, or empty the wastebasket"))),
      folder_(new QToolButton(this)),
      pages_(new QStackedWidget(this)),
      view_(new RunsTable(*model_, this)),
      empty_(new QLabel(this)),
      empty_button_(new QPushButton(this)),
      wastebasket_(new RunsWastebasket(library, this)),
      counts_(new QLabel(this)),
      cluster_(note_label(this, tr("Jobs on the cluster"))),
      banner_(new RunsBanner(this)),
      removal_(new RunsRemoval(library, *model_, *wastebasket_, *banner_, this)),
      commands_(new RunsCommands({library, selection, *model_, *view_, *removal_, *banner_, *this})) {
    setAccessibleName(tr("Runs"));
    fill_controls();
    add_widgets(pages_, {view_, empty_page(pages_, empty_, empty_button_), wastebasket_});
    arrange();
    sort_button_->setMenu(view_->sort_menu());
    columns_button_->setMenu(view_->columns_menu());
    columns_button_->hide();
    connect_controls();
    connect_runs();
    update_icons();
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
    connect(model_, &QAbstractItemModel::modelReset, this, &RunsPanel::update_counts);
    connect(model_, &RunsModel::counts_changed, this, &RunsPanel::update_counts);
    connect(view_->selectionModel(), &QItemSelectionModel::selectionChanged, this, &RunsPanel::update_counts);
    connect(view_->horizontalHeader(), &QHeaderView::sortIndicatorChanged, this, &RunsPanel::update_icons);
    connect(wastebasket_, &RunsWastebasket::changed, this, &RunsPanel::update_counts);
    connect(wastebasket_, &RunsWastebasket::back_requested, this, [this] { show_wastebasket(false); });
    connect(&library_, &RunLibrary::loading, this, [this](int done, int all) {
        loading_ = done < all ? tr("reading %1 of %2").arg(counted(done), counted(all)) : QString();
        update_counts();
    });
    connect(&library_, &RunLibrary::problem, this,
            [this](const QString& text) { banner_->show_text(text, true); });
}

void RunsPanel::set_cluster_state(const QString& text) {
    show_note(cluster_, text);
    cluster_->setAccessibleDescription(text);
}

void RunsPanel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    const int border = wide_from * logicalDpiX() / 96;
    if (const bool compact = width() < border; compact != view_->is_compact()) {
        view_->set_compact(compact);
        sort_button_->setVisible(compact);
        columns_button_->setVisible(!compact);
    }
    update_folder();
}

void RunsPanel::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) update_icons();
    // Another program may have restored a checkpoint.
    if (event->type() == QEvent::ActivationChange && isActiveWindow()) commands_->look_for_checkpoints();
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

void RunsPanel::select_runs(const QStringList& folders) {
    view_->select_runs(folders);
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
    commands_->update();
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
    commands_->update();
}

}  // namespace casp::widgets

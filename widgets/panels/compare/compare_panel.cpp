#include "panels/compare/compare_panel.h"

#include <algorithm>
#include <utility>

#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QJsonDocument>
#include <QJsonObject>
#include <QPushButton>
#include <QSet>
#include <QSignalBlocker>
#include <QTabBar>
#include <QVBoxLayout>

#include "charts/figure_view.h"
#include "charts/view_frame.h"
#include "evidence/batch_comparisons.h"
#include "figures/comparison.h"
#include "panels/compare/ranks_table.h"
#include "panels/experiment/option_text.h"
#include "panels/runs/runs_columns.h"
#include "panels/view/view_flow.h"
#include "store/result_columns.h"
#include "words/core_text.h"

namespace casp::widgets {

using figures::CompareMetric;
using figures::CompareRun;
using figures::key_title;

namespace {

constexpr int delay_ms = 60;
constexpr std::int64_t max_waited = 300;  ///< pairs that are tested at once; more of them on another thread
constexpr qsizetype max_sentences = 3;
const QString seed_key = QStringLiteral("train.seed");
const QString lambda_key = QStringLiteral("loss.lambda_cov");

/// The first axis of the page: the cases, the first swept setting, λ_cov, or another one: that differs.
QString first_axis(const std::vector<CompareRun>& finished, const QStringList& differing, bool cases) {
    if (cases) return figures::case_key;
    QStringList wanted;
    if (!finished.empty())
        for (const auto& [key, text] : finished.front().row.swept) wanted += QString::fromStdString(key);
    wanted += lambda_key;
    wanted += differing;
    for (const auto& key : wanted)
        if (differing.contains(key) && evidence::is_comparable(key.toStdString())) return key;
    return lambda_key;
}

/// Refill only on changes: filling closes an open list.
void fill(QComboBox& box, const std::vector<std::pair<QString, QString>>& items, int current) {
    const QSignalBlocker block(box);
    bool as_before = box.count() == static_cast<int>(items.size());
    for (int i = 0; as_before && i < box.count(); ++i)
        as_before = box.itemData(i).toString() == items[static_cast<std::size_t>(i)].second;
    if (!as_before) {
        box.clear();
        for (const auto& [text, key] : items) box.addItem(text, key);
    }
    if (box.currentIndex() != current) box.setCurrentIndex(current);
}

}  // namespace

ComparePanel::ComparePanel(RunLibrary& library, Selection& selection, QWidget* parent)
    : QWidget(parent),
      library_(library),
      selection_(selection),
      settings_(RunsSettings::of(library)),
      metric_(named(new QComboBox(this), tr("Metric"), tr("Metric to compare"))),
      x_(named(new QComboBox(this), tr("Against"),
               tr("Setting on the horizontal axis: λ_cov, or any other in which the runs differ"))),
      base_(named(new QComboBox(this), tr("Base"),
                  tr("Value that every other one is tested against, by pairs of runs with the same seed"))),
      colour_(
          named(new QComboBox(this), tr("Colour by"),
                tr("Lines with the same value of this setting share a colour and differ in marker shape"))),
      scope_(
          named(new QComboBox(this), tr("Runs to compare"), tr("The shown runs, or all runs of the folder"))),
      log_x_(named(new QCheckBox(tr("&Log X"), this), tr("Logarithmic horizontal axis"),
                   tr("Logarithmic horizontal axis; 0 is placed separately at the left"))),
      singles_(named(new QCheckBox(tr("&Single runs"), this), tr("Single runs"),
                     tr("Plots the runs behind each mean as faint marks; thin lines join runs of a seed"))),
      last_value_(named(
          new QCheckBox(tr("&Persistence"), this), tr("Persistence forecast"),
          tr("Plots the error of the persistence forecast, which repeats the last value of the look-back"))),
      difference_(named(new QCheckBox(tr("&Difference"), this), tr("Difference from the base"),
                        tr("Plots the mean of the paired differences from the base with its 95 % interval. "
                           "Hollow marks: p ≥ 0.05 after Holm's correction"))),
      note_(note_label(this, tr("Runs omitted from the comparison"))),
      verdict_(note_label(this, tr("Result of the paired tests"))),
      frame_(new ViewFrame(tr("Compare"), QStringLiteral("compare"), this)),
      view_(new FigureView),
      table_(reading_table(this, tr("Mean and spread"),
                           tr("Number of runs, mean and sample standard deviation (n − 1) of each point; "
                              "early: number of its runs finished early"))),
      ranks_(new RanksTable(this)),
      tabs_(new QTabWidget(this)),
      splitter_(new QSplitter(Qt::Horizontal, this)) {
    setAccessibleName(tr("Compare"));
    fill_controls();
    fill_tables();
    arrange();
    connect_controls();
    connect_runs();
    connect_views();
    refresh();
}

void ComparePanel::fill_controls() {
    for (const auto* metric : figures::compare_metrics())
        metric_->addItem(translated(metric->title), QString::fromUtf8(metric->name));
    scope_->addItem(tr("Shown runs"));
    scope_->addItem(tr("All runs"));
    x_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    colour_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    singles_->setChecked(true);
    last_value_->setChecked(true);
    difference_->setChecked(true);
    base_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    view_->setAccessibleName(tr("Comparison of runs"));
    frame_->set_content(view_);
    note_->setObjectName(QStringLiteral("problems"));
    verdict_->setObjectName(QStringLiteral("verdict"));
    verdict_->setToolTip(
        tr("Paired tests: runs with the same seed in the same task, one value against the base.\n"
           "p: two-sided Wilcoxon signed-rank test; probability of ranks at least as extreme if the value "
           "made no difference.\n"
           "p after Holm's correction: accounts for the number of tests.\n"
           "95 % interval: of the mean difference, bootstrap over the pairs."));
}

void ComparePanel::fill_tables() {
    table_->setSelectionBehavior(QAbstractItemView::SelectRows);
    auto* copy = named(new QPushButton(tr("Copy as &Markdown"), this), tr("Copy as Markdown"),
                       tr("Copies the table of means and tests for notes and papers"));
    connect(copy, &QPushButton::clicked, this, &ComparePanel::copy_markdown);
    auto* side = new QWidget(this);
    auto* side_layout = make_layout<QVBoxLayout>(side, {6, 4, 4, 4});
    side_layout->addWidget(table_, 1);
    side_layout->addWidget(copy, 0, Qt::AlignRight);
    tabs_->setDocumentMode(true);
    tabs_->setAccessibleName(tr("Tables of the comparison"));
    tabs_->addTab(side, tr("Means and &tests"));
    tabs_->addTab(ranks_, tr("M&odels × tasks"));
    tabs_->setTabToolTip(0, tr("Means of the plotted points and their paired tests"));
    tabs_->setTabToolTip(1, tr("Errors and ranks of the models in each task, wall time and memory"));
    tabs_->tabBar()->hide();
    // The tab bar takes the focus itself; as the proxy of its widget it would keep it while it is hidden.
    tabs_->setFocusProxy(nullptr);
    tabs_->setFocusPolicy(Qt::NoFocus);
}

void ComparePanel::arrange() {
    auto* top = new FlowLayout;  // wraps on a narrow page
    top->setContentsMargins(6, 6, 6, 2);
    top->addWidget(metric_);
    add_labelled(top, tr("&Against"), x_);
    add_labelled(top, tr("&Base"), base_);
    add_labelled(top, tr("&Colour by"), colour_);
    add_labelled(top, tr("R&uns"), scope_);
    add_widgets(top, {log_x_, singles_, last_value_, difference_});
    add_widgets(splitter_, {frame_, tabs_});
    splitter_->setStretchFactor(0, 3);
    splitter_->setStretchFactor(1, 1);
    splitter_->setChildrenCollapsible(false);
    table_->setMinimumHeight(60);  // small screens
    splitter_->setSizes({420, 200});
    auto* layout = make_layout<QVBoxLayout>(this);
    layout->addLayout(top);
    add_widgets(layout, {note_, verdict_});
    layout->addWidget(splitter_, 1);
}

void ComparePanel::connect_controls() {
    connect(metric_, &QComboBox::activated, this, [this] { metric_chosen_ = true; });
    connect(metric_, &QComboBox::currentIndexChanged, this,
            [this] { needs_records() ? refresh() : compare(); });
    connect(x_, &QComboBox::currentIndexChanged, this, [this] { set_x_key(x_->currentData().toString()); });
    connect(base_, &QComboBox::currentIndexChanged, this, [this] {
        base_value_ = base_->currentData().toString();
        compare();
    });
    connect(colour_, &QComboBox::currentIndexChanged, this, [this] {
        colour_by_ = colour_->currentData().toString();
        draw();
    });
    connect(scope_, &QComboBox::currentIndexChanged, this, &ComparePanel::refresh);
    for (auto* box : {log_x_, singles_, difference_})
        connect(box, &QCheckBox::toggled, this, &ComparePanel::draw);
    connect(last_value_, &QCheckBox::toggled, this, &ComparePanel::refresh);
}

void ComparePanel::connect_views() {
    connect(table_, &QTableWidget::itemSelectionChanged, this, &ComparePanel::show_verdict);
    connect(ranks_, &RanksTable::message, this, &ComparePanel::message);
    connect(ranks_, &RanksTable::changed, this, [this] {
        const bool ranked = evidence::has_ranks(ranks_->ranks());
        tabs_->tabBar()->setVisible(ranked);
        tabs_->setCurrentIndex(ranked && shows_ranks_ ? 1 : 0);
    });
    connect(tabs_, &QTabWidget::currentChanged, this, [this](int index) {
        if (evidence::has_ranks(ranks_->ranks())) shows_ranks_ = index == 1;
    });
    connect(frame_, &ViewFrame::help_requested, this, &ComparePanel::help_requested);
    connect(frame_, &ViewFrame::maximise_requested, this, &ComparePanel::maximise_requested);
    connect(frame_, &ViewFrame::message, this, &ComparePanel::message);
    connect(view_, &FigureView::picked, this,
            [this](const std::vector<std::int64_t>& ids, Qt::KeyboardModifiers) {
                if (ids.size() != 1 || ids[0] < 0 || ids[0] >= static_cast<std::int64_t>(runs_.size()))
                    return;
                Q_EMIT run_picked(runs_[static_cast<std::size_t>(ids[0])].folder);
            });
}

void ComparePanel::connect_runs() {
    timer_.setSingleShot(true);
    timer_.setInterval(delay_ms);
    connect(&timer_, &QTimer::timeout, this, [this] {
        if (!read()) return;
        fill_choices();
        compare();
    });
    connect(&selection_, &Selection::changed, this, [this] {
        if (scope_->currentIndex() == 0) later();
    });
    connect(&library_, &RunLibrary::reset, this, &ComparePanel::later);
    connect(&library_, &RunLibrary::added, this, &ComparePanel::later);
    connect(&library_, &RunLibrary::changed, this, &ComparePanel::later);
    connect(&library_, &RunLibrary::removed, this, &ComparePanel::later);
    connect(&settings_, &RunsSettings::changed, this, &ComparePanel::later);
    connect(&common_, &CommonErrors::changed, this, &ComparePanel::later);
}

/// Combines frequent changes (a folder being read, 20 messages a second) into one update; none while hidden.
void ComparePanel::later() {
    stale_ = true;
    if (isVisible() && !timer_.isActive()) timer_.start();
}

void ComparePanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (stale_ || settings_.has_problems()) refresh();
}

QStringList ComparePanel::folders() const {
    if (scope_->currentIndex() == 0) return selection_.state().runs;
    QStringList all;
    for (int i = 0; i < library_.size(); ++i)
        if (store::is_complete(library_.at(i).row.state)) all += library_.at(i).folder;
    return all;
}

void ComparePanel::refresh() {
    (void)read();
    fill_choices();
    compare();
}

CompareMetric ComparePanel::metric() const {
    return figures::metric_named(metric_->currentData().toString().toStdString());
}

void ComparePanel::choose_default_metric() {
    if (metric_chosen_ || runs_.empty()) return;
    const bool all = std::all_of(runs_.begin(), runs_.end(),
                                 [](const CompareRun& run) { return store::has_scores(run.row); });
    const QSignalBlocker block(metric_);
    metric_->setCurrentIndex(
        metric_->findData(all ? QStringLiteral("test_smape") : QStringLiteral("test_mse")));
}

void ComparePanel::fill_choices() {
    choose_default_metric();
    std::vector<CompareRun> finished;
    finished.reserve(runs_.size());
    for (const auto& run : runs_)
        if (store::is_complete(run.row.state)) finished.push_back(run);
    const auto differing = differing_keys(finished);
    const bool cases = std::any_of(finished.begin(), finished.end(), [&](const CompareRun& run) {
        return setting_of(run, figures::case_key) != setting_of(finished.front(), figures::case_key);
    });
    if (!x_chosen_) x_key_ = first_axis(finished, differing, cases);
    QStringList keys{lambda_key};
    if (cases) keys += figures::case_key;
    for (const auto& key : differing)
        if (key != lambda_key && key != seed_key) keys += key;
    if (differing.contains(seed_key)) keys += seed_key;
    // Keep the choice while its runs come and go.
    if (!keys.contains(x_key_)) keys += x_key_;
    std::vector<std::pair<QString, QString>> axes, colours{{tr("Each line"), QString()}};
    for (const auto& key : keys) axes.emplace_back(setting_title(key), key);
    for (const auto& key : differing)
        if (key != seed_key) colours.emplace_back(setting_title(key), key);
    const auto place = [](const auto& items, const QString& key) {
        const auto at =
            std::find_if(items.begin(), items.end(), [&](const auto& item) { return item.second == key; });
        return at == items.end() ? 0 : static_cast<int>(at - items.begin());
    };
    fill(*x_, axes, place(axes, x_key_));
    fill(*colour_, colours, place(colours, colour_by_));
}

void ComparePanel::fill_bases() {
    std::vector<std::pair<QString, QString>> items;
    int current = 0;
    for (const auto& x : comparison_.x_values) {
        if (x.text == comparison_.base) current = static_cast<int>(items.size());
        items.emplace_back(x.text, x.text);
    }
    fill(*base_, items, items.empty() ? -1 : current);
    base_->setEnabled(!comparison_.base.isEmpty());
}

void ComparePanel::rank_models() {
    const auto* shown = metric();
    const bool ranked = shown->is_error() && !figures::is_only_in_run_file(shown) &&
                        shown->real() != &store::ResultRow::last_value_mse;
    ranks_->set_runs(runs_, ranked ? shown->name : "test_mse");
}

void ComparePanel::compare() {
    rank_models();
    periods_.cancel();
    comparison_ = figures::compare(runs_, metric(), x_key_);
    figures::set_base(comparison_, base_value_);
    const bool waits = figures::max_pairs(comparison_) > max_waited;
    if (waits) draw();
    tests_.set_synchronous(!waits);
    tests_.start(
        [untested = comparison_](const JobContext& /*context*/) {
            auto tested = untested;
            add_paired_tests(tested);
            return tested;
        },
        {.done = [this](figures::Comparison tested) {
            comparison_ = std::move(tested);
            draw();
            test_periods();
        }});
}

void ComparePanel::test_periods() {
    if (comparison_.tests.empty()) return;
    periods_.start(
        [tested = comparison_, runs = runs_](const JobContext& job) {
            auto with_periods = tested;
            add_period_tests(with_periods, runs, job.stop);
            return with_periods;
        },
        {.done = [this](figures::Comparison tested) {
            comparison_ = std::move(tested);
            draw();
        }});
}

void ComparePanel::draw() {
    show_notes();
    view_->set_busy(settings_.is_pending() || common_.is_pending() || !comparison_.tested);
    view_->set_figure(figure());
    frame_->set_title(
        tr("%1 against %2").arg(translated(comparison_.metric->title), translated_title(key_title(x_key_))));
    fill_bases();
    fill_table();
    show_verdict();
}

void ComparePanel::show_verdict() {
    const auto tests = tests_of_rows(comparison_);
    QStringList lines;
    for (const auto& index : table_->selectionModel()->selectedRows())
        if (const auto row = static_cast<std::size_t>(index.row());
            row < tests.size() && tests[row] != nullptr)
            lines << translated(test_sentence(comparison_, *tests[row]));
    if (lines.isEmpty())
        for (const auto& sentence : test_summary(comparison_, max_sentences)) lines << translated(sentence);
    if (!comparison_.tested && !comparison_.base.isEmpty()) lines << tr("Testing pairs of runs…");
    show_note(verdict_, lines.join(QLatin1Char('\n')));
}

figures::Figure ComparePanel::figure() const {
    return compare_figure(comparison_, {colour_by_, log_x_->isChecked(), singles_->isChecked(),
                                        last_value_->isChecked(), difference_->isChecked()});
}

void ComparePanel::fill_table() {
    const auto header = comparison_header(comparison_, false);
    const auto rows = comparison_rows(comparison_, false);
    const auto first_number = static_cast<int>(comparison_.line_keys.size()) + (comparison_.numbers ? 0 : 1);
    const int early = comparison_.early > 0 ? static_cast<int>(header.indexOf(QStringLiteral("early"))) : -1;
    const QSignalBlocker block(table_);
    // Rows of the same settings stay selected while the table has the same axis.
    const auto settings = comparison_.line_keys.size() + 1;
    QSet<QStringList> selected;
    if (std::exchange(table_x_, comparison_.x_key) == comparison_.x_key)
        for (const auto& index : table_->selectionModel()->selectedRows()) {
            QStringList texts;
            for (int c = 0; c < table_->columnCount(); ++c)
                if (const auto* item = table_->item(index.row(), c)) texts << item->text();
            selected << texts.mid(0, settings);
        }
    table_->clear();
    table_->setColumnCount(static_cast<int>(header.size()));
    table_->setRowCount(static_cast<int>(rows.size()));
    QStringList titles;
    for (const auto& title : header) titles << translated_title(title);
    table_->setHorizontalHeaderLabels(titles);
    for (int r = 0; r < static_cast<int>(rows.size()); ++r) {
        const auto& row = rows[static_cast<std::size_t>(r)];
        for (int c = 0; c < static_cast<int>(row.size()); ++c) {
            auto* item = new QTableWidgetItem(row[c]);
            item->setTextAlignment((c >= first_number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
            if (c == early)
                item->setToolTip(row[c].isEmpty()
                                     ? tr("None of these runs were finished early")
                                     : tr("%1 finished early, excluded from the mean").arg(row[c]));
            else
                item->setToolTip(titles[c] + QStringLiteral(" = ") + row[c]);
            table_->setItem(r, c, item);
        }
    }
    for (int r = 0; r < table_->rowCount(); ++r)
        if (selected.contains(rows[static_cast<std::size_t>(r)].mid(0, settings)))
            table_->selectionModel()->select(table_->model()->index(r, 0),
                                             QItemSelectionModel::Select | QItemSelectionModel::Rows);
    table_->resizeColumnsToContents();
    table_->verticalHeader()->setDefaultSectionSize(table_->fontMetrics().height() + 8);
}

void ComparePanel::copy_markdown() {
    if (comparison_.lines.empty()) return;
    QStringList heading{figure().title};
    for (const auto& run : runs_)
        heading << QStringLiteral("%1 · H %2").arg(QString::fromStdString(run.row.data)).arg(run.row.horizon);
    heading.removeDuplicates();
    QGuiApplication::clipboard()->setText(
        heading.join(QStringLiteral(", ")) + QStringLiteral("\n\n") +
        table_markdown(comparison_header(comparison_, false), comparison_rows(comparison_, false)));
    Q_EMIT message(tr("Table copied as Markdown."));
}

void ComparePanel::set_metric(CompareMetric metric) {
    metric_chosen_ = true;
    metric_->setCurrentIndex(metric_->findData(QString::fromUtf8(metric->name)));
}

void ComparePanel::set_x_key(const QString& key) {
    x_key_ = key;
    x_chosen_ = true;
    base_value_.clear();
    fill_choices();
    compare();
}

void ComparePanel::set_base(const QString& value) {
    base_value_ = value;
    compare();
}

QByteArray ComparePanel::save_state() const {
    return QJsonDocument(
               QJsonObject{
                   {QStringLiteral("compare_panel"), 1},
                   {QStringLiteral("metric"), figures::title_of(metric())},  // in every language
                   {QStringLiteral("metric_chosen"), metric_chosen_},
                   {QStringLiteral("x"), x_key_},
                   {QStringLiteral("x_chosen"), x_chosen_},
                   {QStringLiteral("colour_by"), colour_by_},
                   {QStringLiteral("all_runs"), scope_->currentIndex() == 1},
                   {QStringLiteral("log_x"), log_x_->isChecked()},
                   {QStringLiteral("singles"), singles_->isChecked()},
                   {QStringLiteral("last_value"), last_value_->isChecked()},
                   {QStringLiteral("base"), base_value_},
                   {QStringLiteral("difference"), difference_->isChecked()},
                   {QStringLiteral("ranks"), shows_ranks_},
                   {QStringLiteral("splitter"), QString::fromLatin1(splitter_->saveState().toBase64())}})
        .toJson(QJsonDocument::Compact);
}

bool ComparePanel::restore_state(const QByteArray& state) {
    const auto root = QJsonDocument::fromJson(state).object();
    if (root.value(QStringLiteral("compare_panel")).toInt() != 1) return false;
    for (const auto* metric : figures::compare_metrics())
        if (figures::title_of(metric) == root.value(QStringLiteral("metric")).toString()) set_metric(metric);
    metric_chosen_ = root.value(QStringLiteral("metric_chosen"))
                         .toBool(metric() != figures::metric_named("test_mse"));  // older sessions
    x_key_ = root.value(QStringLiteral("x")).toString(lambda_key);
    x_chosen_ = root.value(QStringLiteral("x_chosen"))
                    .toBool(x_key_ != lambda_key && x_key_ != figures::case_key);  // older sessions
    base_value_ = root.value(QStringLiteral("base")).toString();
    colour_by_ = root.value(QStringLiteral("colour_by")).toString();
    scope_->setCurrentIndex(root.value(QStringLiteral("all_runs")).toBool() ? 1 : 0);
    log_x_->setChecked(root.value(QStringLiteral("log_x")).toBool());
    singles_->setChecked(root.value(QStringLiteral("singles")).toBool(true));
    last_value_->setChecked(root.value(QStringLiteral("last_value")).toBool(true));
    difference_->setChecked(root.value(QStringLiteral("difference")).toBool(true));
    shows_ranks_ = root.value(QStringLiteral("ranks")).toBool();
    splitter_->restoreState(
        QByteArray::fromBase64(root.value(QStringLiteral("splitter")).toString().toLatin1()));
    splitter_->setOrientation(Qt::Vertical);  // before 1.0 the table was beside the plot
    refresh();
    return true;
}

}  // namespace casp::widgets

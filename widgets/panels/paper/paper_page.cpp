#include "panels/paper/paper_page.h"

#include <algorithm>
#include <cstdint>
#include <exception>
#include <string>
#include <tuple>
#include <utility>

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMenu>
#include <QObject>
#include <QString>
#include <QStringList>
#include <QVBoxLayout>

#include "evidence/missing_time.h"
#include "evidence/paper_runs.h"
#include "evidence/paper_table.h"
#include "evidence/paper_table_text.h"
#include "panels/runs/runs_delegate.h"
#include "panels/view/icons.h"
#include "panels/view/view_flow.h"
#include "util/embedded.h"
#include "util/error.h"
#include "words/core_text.h"
#include "words/mnemonic.h"
#include "words/plain_text.h"

namespace casp::widgets {

using evidence::Mark;
using evidence::PaperTable;

namespace {

/// "32 runs are missing."
QString missing_runs_text(const PaperTable& table) {
    QStringList sentences;
    if (table.missing > 0)
        sentences << (table.missing == 1 ? QObject::tr("1 run is missing.")
                                         : QObject::tr("%1 runs are missing.").arg(table.missing));
    if (table.not_offered > 0)
        sentences << QObject::tr("%1 runs need models or data that this version does not have.")
                         .arg(table.not_offered);
    if (sentences.isEmpty()) sentences << QObject::tr("All runs of this table are finished.");
    return sentences.join(u' ');
}

constexpr int fill_delay_ms = 60;
constexpr qint64 quiet_ms = 300;  ///< shorter work shows no progress
constexpr qsizetype max_run_problems = 2;
/// Choices of lines, in the order of the list; saved by name.
const QStringList line_choices{QStringLiteral("both"), QStringLiteral("ours"), QStringLiteral("paper"),
                               QStringLiteral("difference")};

/// Rich text, which wraps.
QString tooltip_of(const QStringList& lines) {
    QStringList escaped;
    for (const auto& line : lines) escaped << line.toHtmlEscaped();
    return QStringLiteral("<p>%1</p>").arg(escaped.join(QStringLiteral("<br>")));
}

}  // namespace

QString missing_runs_toml(const evidence::PaperTable& table, const std::string& name) {
    std::string text(embedded_file("resources/experiments/paper/" + name + ".toml"));
    for (const auto& [key, value] : settings_of_runs(table)) {
        const auto dot = key.find('.');
        const auto section = "\n[" + key.substr(0, dot) + "]\n";
        // A section that the file has cannot be extended from outside.
        if (const auto at = text.find(section); at != std::string::npos)
            text.insert(at + section.size(), key.substr(dot + 1) + " = " + value + "\n");
        else
            text.insert(text.find("\n[") + 1, key + " = " + value + "\n");
    }
    return QString::fromStdString(text);
}

PaperPage::PaperPage(RunLibrary& library, Selection& selection, QWidget* parent)
    : QWidget(parent),
      library_(library),
      selection_(selection),
      settings_(RunsSettings::of(library)),
      tables_(new QComboBox(this)),
      lines_(new QComboBox(this)),
      settings_text_(note_label(this, tr("Backbone and settings of our runs"))),
      missing_text_(note_label(this, tr("Missing runs"))),
      problems_(note_label(this, tr("Runs that cannot be read"))),
      progress_(new QWidget(this)),
      bar_(new QProgressBar(progress_)) {
    setAccessibleName(tr("Paper"));
    auto* layout = make_layout<QVBoxLayout>(this);
    make_controls();
    for (auto* label : {settings_text_, missing_text_, problems_}) layout->addWidget(label);
    auto* row = make_layout<QHBoxLayout>(progress_, {6, 0, 6, 0});
    row->addWidget(bar_, 1);
    bar_->setAccessibleName(tr("Progress of reading runs"));
    auto* cancel = button(tr("Cancel"), tr("Stops reading the runs; the table stays as it is"));
    row->addWidget(cancel);
    progress_->hide();
    layout->addWidget(progress_);
    make_view();
    connect(cancel, &QPushButton::clicked, this, [this] {
        fill_.cancel();
        progress_->hide();
        show_note(problems_, tr("Cancelled. Select the table again to fill it."));
    });
    follow_library();
}

QPushButton* PaperPage::button(const QString& text, const QString& help) {
    auto* made = named(new QPushButton(text, this), without_mnemonic(text), help);
    return made;
}

void PaperPage::make_controls() {
    auto* bar = new QWidget(this);
    auto* flow = make_flow(bar);
    flow->setContentsMargins(6, 6, 6, 2);
    for (const auto& name : evidence::paper_table_names())
        tables_->addItem(translated(evidence::paper_table_title(name)), QString::fromStdString(name));
    // Titles are long: the tooltip has the whole one.
    tables_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    tables_->setMinimumContentsLength(32);
    named(tables_, tr("Table of the paper"), tables_->currentText());
    lines_->addItems({tr("Ours and paper"), tr("Ours"), tr("Paper"), tr("Difference")});
    named(lines_, tr("Values to show"), tr("Our values, the paper's, or ours minus the paper's"));
    add_labelled(flow, tr("&Table"), tables_);
    add_labelled(flow, tr("&Show"), lines_);
    const auto add = [&](const QString& text, const QString& help, auto what) {
        auto* made = button(text, help);
        flow->addWidget(made);
        connect(made, &QPushButton::clicked, this, what);
        return made;
    };
    add(tr("Copy as &LaTeX"),
        tr("Copies the table with paper, ours and difference; needs booktabs and graphicx"),
        [this] { copy(tr("LaTeX"), evidence::paper_table_latex); });
    add(tr("Copy as &Markdown"), tr("Copies the table with paper, ours and difference for notes"),
        [this] { copy(tr("Markdown"), evidence::paper_table_markdown); });
    add(tr("Copy as CS&V"), tr("Copies one line per cell, with all digits, for a spreadsheet"),
        [this] { copy(tr("CSV"), evidence::paper_table_csv); });
    run_ = add(tr("Run &what is missing…"),
               tr("Opens the table's experiment on the page Sweep; its Queue button queues the missing runs"),
               [this] { run_missing(); });
    layout()->addWidget(bar);
    connect(tables_, &QComboBox::activated, this, [this] {
        wanted_ = true;
        read();
    });
    connect(tables_, &QComboBox::currentTextChanged, tables_, &QWidget::setToolTip);
    connect(lines_, &QComboBox::currentIndexChanged, this, &PaperPage::show_table);
}

void PaperPage::make_view() {
    // Made after the controls above them: that is the tab order.
    view_ = reading_table(this, tr("Values of the paper and ours"),
                          tr("Click a value, or press Enter, to select its runs"));
    view_->setAlternatingRowColors(false);
    view_->setShowGrid(true);
    view_->verticalHeader()->show();
    notes_ = new QPlainTextEdit(this);
    view_->setSelectionMode(QAbstractItemView::SingleSelection);
    view_->verticalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    view_->setMinimumHeight(60);  // small screens
    view_->setContextMenuPolicy(Qt::ActionsContextMenu);
    auto* select = new QAction(tr("Select the runs of this value"), view_);
    auto* compare = new QAction(tr("Compare the runs of this value"), view_);
    view_->addActions({select, compare});
    connect(select, &QAction::triggered, this, [this] { pick(view_->currentRow(), view_->currentColumn()); });
    connect(compare, &QAction::triggered, this, &PaperPage::compare_current);
    connect(view_, &QTableWidget::cellClicked, this, &PaperPage::pick);
    connect(view_, &QTableWidget::cellActivated, this, &PaperPage::pick);
    notes_->setReadOnly(true);
    notes_->setTabChangesFocus(true);
    notes_->setFrameShape(QFrame::NoFrame);
    named(notes_, tr("Notes and printed faults"),
          tr("Notes on the table; † marks printed faults and other remarks"));
    notes_->setFixedHeight(5 * fontMetrics().lineSpacing());
    add_widgets(layout(), {view_, notes_});
    static_cast<QVBoxLayout*>(layout())->setStretchFactor(view_, 1);
}

void PaperPage::follow_library() {
    timer_.setSingleShot(true);
    timer_.setInterval(fill_delay_ms);
    connect(&timer_, &QTimer::timeout, this, &PaperPage::read);
    connect(&library_, &RunLibrary::reset, this, &PaperPage::later);
    connect(&library_, &RunLibrary::added, this, &PaperPage::later);
    connect(&library_, &RunLibrary::changed, this, &PaperPage::later);
    connect(&library_, &RunLibrary::removed, this, &PaperPage::later);
    connect(&settings_, &RunsSettings::changed, this, &PaperPage::later);
}

void PaperPage::later() {
    stale_ = true;
    if (isVisible() && !timer_.isActive()) timer_.start();
}

void PaperPage::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (stale_) read();
}

void PaperPage::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) show_table();
}

void PaperPage::set_table(const QString& name) {
    const int index = tables_->findData(name);
    if (index < 0) return;
    tables_->setCurrentIndex(index);
    wanted_ = true;
    later();
}

std::vector<PaperPage::Source> PaperPage::finished_runs() {
    std::vector<Source> sources;
    QStringList folders;
    for (int i = 0; i < library_.size(); ++i) {
        const auto& run = library_.at(i);
        if (run.row.state != store::RunState::finished) continue;
        folders << run.folder;
        sources.push_back({run.row, nullptr, run.folder, run.created, run.updated});
    }
    settings_.want(folders);
    for (auto& source : sources) source.config = settings_.find(source.folder);
    std::erase_if(sources, [](const Source& source) { return source.config == nullptr; });
    // Of equal runs the first counts, as in --table.
    std::sort(sources.begin(), sources.end(), [](const Source& a, const Source& b) {
        return std::tie(a.created, a.folder) < std::tie(b.created, b.folder);
    });
    return sources;
}

void PaperPage::read() {
    stale_ = false;
    auto sources = finished_runs();
    const bool as_before = std::equal(sources.begin(), sources.end(), sources_.begin(), sources_.end(),
                                      [](const Source& a, const Source& b) { return a.same_run(b); });
    if (as_before && !wanted_) return;
    sources_ = std::move(sources);
    wanted_ = false;
    start_fill();
}

/// Runs are read one by one: the table is filled without damaged ones.
PaperPage::Filled PaperPage::fill_table(const std::string& name, const std::vector<Source>& sources,
                                        const JobContext& job) {
    Filled filled;
    auto table = evidence::paper_table(name);
    evidence::RunMeasures measures(table);
    std::vector<evidence::PaperRun> runs;
    std::int64_t done = 0;
    for (const auto& source : sources) {
        const evidence::SettledRun settled{source.row, *source.config, source.folder.toStdString()};
        try {
            runs.push_back(measures.of(settled, job.stop));
            filled.folders << source.folder;
        } catch (const Cancelled&) {
            throw;
        } catch (const std::exception& error) {
            filled.problems << plain_text(error);
        }
        job.progress({Stage::reading_runs, ++done, std::ssize(sources), "runs"});
    }
    filled.table = evidence::fill(std::move(table), runs);
    return filled;
}

void PaperPage::start_fill() {
    fill_.start([name = tables_->currentData().toString().toStdString(),
                 sources = sources_](const JobContext& job) { return fill_table(name, sources, job); },
                {.done = [this](Filled filled) { take(std::move(filled)); },
                 .failed =
                     [this](const std::exception& error) {
                         progress_->hide();
                         show_note(problems_, plain_text(error));
                     },
                 .progress =
                     [this](const Progress& progress) {
                         progress_->setVisible(fill_.elapsed() > quiet_ms);
                         bar_->setMaximum(static_cast<int>(progress.total));
                         bar_->setValue(static_cast<int>(progress.done));
                     }});
}

void PaperPage::take(Filled filled) {
    progress_->hide();
    filled_ = std::move(filled);
    show_table();
}

std::vector<PaperLine> PaperPage::lines() const {
    switch (lines_->currentIndex()) {
        case 1:
            return {PaperLine::ours};
        case 2:
            return {PaperLine::paper};
        case 3:
            return {PaperLine::difference};
        default:
            return {PaperLine::ours, PaperLine::paper};
    }
}

void PaperPage::show_headers() {
    QStringList columns, rows;
    for (const auto& column : table().columns)
        columns << paper_label(column).replace(QStringLiteral(" · "), QStringLiteral("\n"));
    view_->setHorizontalHeaderLabels(columns);
    for (int i = 0; i < columns.size(); ++i)
        view_->horizontalHeaderItem(i)->setToolTip(paper_label(table().columns[static_cast<std::size_t>(i)]));
    const auto shown = lines();
    for (const auto& row : table().rows) {
        rows << paper_label(row);
        if (shown.size() > 1) rows << tr("paper");
    }
    view_->setVerticalHeaderLabels(rows);
}

void PaperPage::show_cell(int view_row, std::size_t row, std::size_t column, PaperLine line) {
    const auto& cell = table().cell(row, column);
    if (!cell) return;
    auto* item = new QTableWidgetItem(paper_line_text(table(), *cell, line));
    item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
    auto font = view_->font();
    const auto mark = paper_line_mark(*cell, line);
    font.setBold(mark == Mark::bold);
    font.setUnderline(mark == Mark::underline);
    item->setFont(font);
    const bool second = line == PaperLine::paper && lines().size() > 1;
    const bool no_value = line != PaperLine::paper && !(cell->n > 0);
    if (second || no_value) item->setForeground(muted_colour(palette()));
    const auto description = paper_cell_description(table(), row, column);
    item->setToolTip(tooltip_of(description));
    item->setData(Qt::AccessibleTextRole, description.join(QStringLiteral(". ")));
    view_->setItem(view_row, static_cast<int>(column), item);
}

void PaperPage::show_table() {
    const auto shown = lines();
    const auto rows = static_cast<int>(table().rows.size() * shown.size());
    const auto columns = static_cast<int>(table().columns.size());
    const bool same_size = view_->rowCount() == rows && view_->columnCount() == columns;
    const auto current = std::pair(view_->currentRow(), view_->currentColumn());
    view_->clear();
    view_->setRowCount(rows);
    view_->setColumnCount(columns);
    show_headers();
    for (std::size_t row = 0; row < table().rows.size(); ++row)
        for (std::size_t line = 0; line < shown.size(); ++line)
            for (std::size_t column = 0; column < table().columns.size(); ++column)
                show_cell(static_cast<int>(row * shown.size() + line), row, column, shown[line]);
    view_->resizeColumnsToContents();
    view_->verticalHeader()->setDefaultSectionSize(view_->fontMetrics().height() + 6);
    if (same_size) view_->setCurrentCell(current.first, current.second);
    show_texts();
}

void PaperPage::show_texts() {
    if (table().name.empty()) return;
    QStringList settings;
    for (const auto& note : evidence::paper_settings_notes(table())) settings << translated(note);
    const bool untrained = table().backbone == "untrained";
    show_note(settings_text_, (untrained ? QStringLiteral("⚠ ") : QString()) + settings.join(u' '));
    QPalette colours;
    colours.setColor(QPalette::WindowText,
                     untrained ? warning_colour(palette()) : palette().color(QPalette::WindowText));
    settings_text_->setPalette(colours);
    show_note(missing_text_, missing_runs_text(table()));
    run_->setEnabled(table().missing > 0);
    QStringList problems;
    for (const auto& source : filled_.problems.mid(0, max_run_problems))
        problems << tr("⚠ A run is not in the table: %1").arg(source);
    for (int i = 0; settings_.has_problems() && i < library_.size() && problems.size() < max_run_problems;
         ++i)
        if (const auto why = settings_.problem(library_.at(i).folder); !why.isEmpty())
            problems << tr("⚠ %1 is not in the table: its settings cannot be read (%2)")
                            .arg(run_title(library_.at(i)), why);
    show_note(problems_, problems.join(u'\n'));
    notes_->setPlainText(paper_footnotes(table()).join(u'\n'));
}

QStringList PaperPage::runs_at(int row, int column) const {
    const auto lines_of_row = static_cast<int>(lines().size());
    if (row < 0 || column < 0 || row >= view_->rowCount() || column >= view_->columnCount()) return {};
    const auto& cell =
        table().cell(static_cast<std::size_t>(row / lines_of_row), static_cast<std::size_t>(column));
    QStringList folders;
    if (!cell) return folders;
    for (const auto run : paper_cell_runs(table(), *cell))
        folders << filled_.folders.at(static_cast<qsizetype>(run));
    // Runs that were removed since the table was filled.
    folders.removeIf([this](const QString& folder) { return library_.index_of(folder) < 0; });
    return folders;
}

void PaperPage::pick(int row, int column) {
    const auto folders = runs_at(row, column);
    if (folders.isEmpty()) {
        Q_EMIT message(tr("No finished run belongs to this value."), false);
        return;
    }
    selection_.set_runs(folders);
    Q_EMIT runs_picked(folders);
}

void PaperPage::compare_current() {
    const auto folders = runs_at(view_->currentRow(), view_->currentColumn());
    if (folders.isEmpty())
        Q_EMIT message(tr("No finished run belongs to this value."), false);
    else
        Q_EMIT compare_requested(folders);
}

void PaperPage::copy(const QString& what, std::string (*text)(const PaperTable&)) {
    if (table().name.empty()) return;
    QGuiApplication::clipboard()->setText(QString::fromStdString(text(table())));
    Q_EMIT message(tr("Table copied as %1.").arg(what), false);
}

void PaperPage::run_missing() {
    const auto open = [this](const std::string& name) {
        Q_EMIT experiment_requested(missing_runs_toml(table(), name), QString::fromStdString(name));
    };
    const auto& experiments = table().experiments;
    if (experiments.size() == 1) return open(experiments.front());
    auto* menu = new QMenu(run_);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    for (const auto& name : experiments)
        menu->addAction(QStringLiteral("paper:") + QString::fromStdString(name), this,
                        [open, name] { open(name); });
    menu->popup(run_->mapToGlobal(run_->rect().bottomLeft()));
}

QByteArray PaperPage::save_state() const {
    return QJsonDocument(QJsonObject{{QStringLiteral("paper_page"), 1},
                                     {QStringLiteral("table"), tables_->currentData().toString()},
                                     {QStringLiteral("show"), line_choices.at(lines_->currentIndex())}})
        .toJson(QJsonDocument::Compact);
}

bool PaperPage::restore_state(const QByteArray& state) {
    const auto root = QJsonDocument::fromJson(state).object();
    if (root.value(QStringLiteral("paper_page")).toInt() != 1) return false;
    const auto choice = line_choices.indexOf(root.value(QStringLiteral("show")).toString());
    lines_->setCurrentIndex(std::max(0, static_cast<int>(choice)));
    set_table(root.value(QStringLiteral("table")).toString());
    return true;
}

}  // namespace casp::widgets

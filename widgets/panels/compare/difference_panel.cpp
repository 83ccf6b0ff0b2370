#include "panels/compare/difference_panel.h"

#include <algorithm>
#include <cmath>

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QVBoxLayout>

#include "config/experiment.h"
#include "config/options.h"
#include "panels/experiment/option_text.h"
#include "panels/runs/runs_columns.h"
#include "panels/view/icons.h"
#include "panels/view/view_flow.h"
#include "store/result_columns.h"
#include "words/core_text.h"

namespace casp::widgets {

namespace {

QString change_text(double from, double to) {
    if (!std::isfinite(from) || !std::isfinite(to)) return {};
    const double change = to - from;
    if (change == 0) return QStringLiteral("=");
    const QString sign = change < 0 ? QStringLiteral("−") : change > 0 ? QStringLiteral("+") : QString();
    QString text = sign + QString::fromStdString(store::four_digits(std::abs(change)));
    if (from != 0)
        text += QStringLiteral(" (%1%2 %)").arg(sign).arg(std::abs(change / from) * 100, 0, 'f', 1);
    return text;
}

QStringList header_of(const std::vector<DifferenceRun>& runs, const std::vector<DifferenceRow>& rows) {
    QStringList header{QObject::tr("setting")};
    for (const auto& run : runs) header += run.summary.batch + QLatin1Char('/') + run.summary.name;
    for (const auto& row : rows)
        if (!row.change.isEmpty()) {
            header += QObject::tr("change");
            break;
        }
    return header;
}

std::vector<QStringList> cells_of(const std::vector<DifferenceRow>& rows, qsizetype columns) {
    std::vector<QStringList> cells;
    for (const auto& row : rows) {
        QStringList line{row.key.isEmpty() ? row.name : row.key};
        line += row.values;
        while (line.size() < columns) line += row.change;
        cells.push_back(line);
    }
    return cells;
}

}  // namespace

std::vector<DifferenceRow> difference_rows(const std::vector<DifferenceRun>& runs, bool all) {
    std::vector<DifferenceRow> rows;
    std::vector<const config::Config*> configs;
    for (const auto& run : runs)
        if (run.config != nullptr) configs.push_back(run.config.get());
    for (const auto* option : config::settings_in(configs)) {
        const bool differs = std::any_of(configs.begin(), configs.end(), [&](const config::Config* config) {
            return option->get(*config) != option->get(*configs.front());
        });
        if (!differs && !all) continue;
        DifferenceRow row;
        row.key = QString::fromStdString(option->key);
        row.name = setting_title(row.key);
        row.help = translated(option->help);
        row.differs = differs;
        for (const auto& run : runs) {
            if (run.config != nullptr)
                row.values += QString::fromStdString(config::to_toml(option->get(*run.config)));
            else
                row.values += run.problem.isEmpty() ? QStringLiteral("…") : QObject::tr("not readable");
        }
        rows.push_back(std::move(row));
    }
    const bool scored = std::any_of(runs.begin(), runs.end(), [](const DifferenceRun& run) {
        return store::has_scores(run.summary.row);
    });
    for (const auto& info : runs_columns()) {
        const auto column = info.column;
        const bool is_result = info.result != nullptr && info.result->role != store::ColumnRole::setting;
        if ((column != RunsColumn::state && !is_result) || (is_score(column) && !scored)) continue;
        DifferenceRow row;
        row.name = info.title;
        row.help = info.help;
        row.result = true;
        for (const auto& run : runs) row.values += display_text(run.summary, column);
        row.differs = row.values.count(row.values.value(0)) != row.values.size();
        if (runs.size() == 2 && info.number && column != result_column("best_epoch") &&
            !info.result->has(store::ResultColumn::bytes))
            row.change = change_text(number_of(runs[0].summary, column), number_of(runs[1].summary, column));
        rows.push_back(std::move(row));
    }
    return rows;
}

QString difference_markdown(const std::vector<DifferenceRun>& runs, const std::vector<DifferenceRow>& rows) {
    const auto header = header_of(runs, rows);
    return table_markdown(header, cells_of(rows, header.size()));
}

QString difference_csv(const std::vector<DifferenceRun>& runs, const std::vector<DifferenceRow>& rows) {
    const auto header = header_of(runs, rows);
    return table_csv(header, cells_of(rows, header.size()));
}

DifferencePanel::DifferencePanel(RunLibrary& library, QWidget* parent)
    : QWidget(parent),
      library_(library),
      settings_(RunsSettings::of(library)),
      all_(new QCheckBox(tr("&Equal settings too"), this)),
      markdown_(new QPushButton(tr("Copy as &Markdown"), this)),
      csv_(new QPushButton(tr("Copy as CS&V"), this)),
      table_(reading_table(this, tr("Settings in which the runs differ, and their results"),
                           tr("Settings in which the runs differ, and their results"))),
      note_(note_label(this, tr("Notes on this table"))) {
    setAccessibleName(tr("Difference of settings"));
    named(all_, tr("Equal settings too"), tr("Also lists the settings that all selected runs share"));
    named(markdown_, tr("Copy as Markdown"), tr("Copies this table for notes and papers"));
    named(csv_, tr("Copy as CSV"), tr("Copies this table for a spreadsheet"));
    table_->setSelectionMode(QAbstractItemView::ContiguousSelection);
    table_->horizontalHeader()->setStretchLastSection(true);
    table_->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    note_->setToolTip(tr("Notes on this table"));

    auto* top = new QHBoxLayout;
    top->addWidget(all_);
    top->addStretch(1);
    add_widgets(top, {markdown_, csv_});
    auto* layout = make_layout<QVBoxLayout>(this, {6, 6, 6, 6});
    layout->addLayout(top);
    layout->addWidget(note_);
    layout->addWidget(table_, 1);

    connect(all_, &QCheckBox::toggled, this, &DifferencePanel::fill);
    connect(markdown_, &QPushButton::clicked, this, &DifferencePanel::copy_markdown);
    connect(csv_, &QPushButton::clicked, this, &DifferencePanel::copy_csv);
    connect(&settings_, &RunsSettings::changed, this, &DifferencePanel::fill);
    connect(&library, &RunLibrary::changed, this, [this](int index) {
        if (folders_.contains(library_.at(index).folder)) fill();
    });
    connect(&library, &RunLibrary::removed, this, [this](const QString& folder) {
        if (folders_.removeAll(folder) > 0) fill();
    });
    connect(&library, &RunLibrary::reset, this, &DifferencePanel::fill);
    fill();
}

void DifferencePanel::set_runs(const QStringList& folders) {
    folders_ = folders;
    fill();
}

void DifferencePanel::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) fill();
}

void DifferencePanel::fill() {
    runs_.clear();
    QStringList known;
    for (const auto& folder : folders_.mid(0, max_runs))
        if (library_.index_of(folder) >= 0) known << folder;
    settings_.want(known);  // discarded when the library is reloaded
    for (const auto& folder : known) {
        const int index = library_.index_of(folder);
        runs_.push_back({library_.at(index), settings_.find(folder), settings_.problem(folder)});
    }
    const bool enough = !runs_.empty(), one = runs_.size() == 1;
    rows_ = enough ? difference_rows(runs_, one || all_->isChecked()) : std::vector<DifferenceRow>();
    all_->setEnabled(!one);
    markdown_->setEnabled(enough);
    csv_->setEnabled(enough);
    table_->setVisible(enough);

    QStringList notes;
    if (!enough) {
        notes += tr(
            "This table lists the settings in which runs differ, beside their results.\nSelect two or more "
            "runs in the list, then choose “Difference of settings”.");
    } else {
        if (folders_.size() > max_runs)
            notes += tr("Only the first %1 of %2 runs are listed.").arg(max_runs).arg(folders_.size());
        for (const auto& run : runs_)
            if (!run.problem.isEmpty())
                notes += tr("%1: settings cannot be read (%2)").arg(run.summary.label(), run.problem);
        if (one) notes += tr("Only one run: all of its settings and results are listed.");
        const bool all_read =
            std::all_of(runs_.begin(), runs_.end(), [](const auto& run) { return run.config != nullptr; });
        if (all_read && !rows_.empty() && rows_.front().result)
            notes += tr("These runs have the same settings.");
    }
    show_note(note_, notes.join(QLatin1Char('\n')));
    note_->setAlignment(enough ? Qt::AlignLeft : Qt::AlignCenter);

    bool with_change = false;
    for (const auto& row : rows_) with_change = with_change || !row.change.isEmpty();
    const int columns = static_cast<int>(runs_.size()) + 1 + static_cast<int>(with_change);
    const int shown = enough ? columns : 0;
    table_->clear();
    table_->setColumnCount(shown);
    table_->setRowCount(static_cast<int>(rows_.size()));
    if (!enough) return;
    table_->setHorizontalHeaderItem(0, new QTableWidgetItem(tr("Setting")));
    for (int i = 0; i < static_cast<int>(runs_.size()); ++i) {
        const auto& summary = runs_[static_cast<std::size_t>(i)].summary;
        auto* head = new QTableWidgetItem(swatch_icon(summary.colour), summary.label());
        head->setToolTip(summary.folder);
        table_->setHorizontalHeaderItem(i + 1, head);
    }
    if (with_change) table_->setHorizontalHeaderItem(columns - 1, new QTableWidgetItem(tr("Change")));
    QFont bold = table_->font();
    bold.setBold(true);
    for (int r = 0; r < static_cast<int>(rows_.size()); ++r) {
        const auto& row = rows_[static_cast<std::size_t>(r)];
        const auto put = [&](int column, const QString& text) {
            auto* item = new QTableWidgetItem(text);
            item->setToolTip(column == 0 || column == columns - static_cast<int>(with_change) ? row.help
                                                                                              : text);
            if (!row.differs && !one)
                item->setForeground(muted_colour(palette()));
            else if (!row.result && !one && column > 0)
                item->setFont(bold);
            table_->setItem(r, column, item);
        };
        put(0, row.name);
        for (int i = 0; i < row.values.size(); ++i) put(i + 1, row.values[i]);
        if (with_change) put(columns - 1, row.change);
    }
    table_->resizeColumnsToContents();
    for (int i = 0; i < columns; ++i)
        table_->setColumnWidth(i, std::clamp(table_->columnWidth(i) + 12, 90, 320));
    table_->verticalHeader()->setDefaultSectionSize(table_->fontMetrics().height() + 10);
}

void DifferencePanel::copy_markdown() {
    QGuiApplication::clipboard()->setText(difference_markdown(runs_, rows_));
    Q_EMIT message(tr("Differences copied as Markdown."));
}

void DifferencePanel::copy_csv() {
    QGuiApplication::clipboard()->setText(difference_csv(runs_, rows_));
    Q_EMIT message(tr("Differences copied as CSV."));
}

}  // namespace casp::widgets

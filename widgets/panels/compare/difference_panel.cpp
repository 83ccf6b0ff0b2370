#include "panels/compare/difference_panel.h"

#include <algorithm>

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QVBoxLayout>

#include "panels/view/icons.h"
#include "panels/view/reading.h"

namespace casp::widgets {

DifferencePanel::DifferencePanel(RunLibrary& library, QWidget* parent)
    : QWidget(parent),
      library_(library),
      settings_(library),
      all_(new QCheckBox(tr("&Equal settings too"), this)),
      markdown_(new QPushButton(tr("Copy as &Markdown"), this)),
      csv_(new QPushButton(tr("Copy as CS&V"), this)),
      table_(reading_table(this, tr("Settings in which the runs differ, and their results"),
                           tr("Settings in which the runs differ, and their results"))),
      note_(note_label(this, tr("Notes on this table"))),
      new_theme_(new WhenShown(this, [this] { fill(); })) {
    setAccessibleName(tr("Difference of settings"));
    all_->setAccessibleName(tr("Equal settings too"));
    all_->setToolTip(tr("Also lists the settings that all selected runs share"));
    markdown_->setAccessibleName(tr("Copy as Markdown"));
    markdown_->setToolTip(tr("Copies this table for notes and papers"));
    csv_->setAccessibleName(tr("Copy as CSV"));
    csv_->setToolTip(tr("Copies this table for a spreadsheet"));
    table_->setSelectionMode(QAbstractItemView::ContiguousSelection);
    table_->horizontalHeader()->setStretchLastSection(true);
    table_->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    note_->setToolTip(tr("Notes on this table"));

    auto* top = new QHBoxLayout;
    top->addWidget(all_);
    top->addStretch(1);
    top->addWidget(markdown_);
    top->addWidget(csv_);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(6, 6, 6, 6);
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
    if (event->type() == QEvent::PaletteChange) new_theme_->ask();
}

void DifferencePanel::fill() {
    runs_.clear();
    QStringList known;
    for (const auto& folder : folders_.mid(0, most_runs))
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
        if (folders_.size() > most_runs)
            notes += tr("Only the first %1 of %2 runs are listed.").arg(most_runs).arg(folders_.size());
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

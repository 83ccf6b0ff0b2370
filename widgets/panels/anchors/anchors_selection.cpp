#include "panels/anchors/anchors_selection.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <QAction>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QEvent>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLabel>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QTableWidget>
#include <QVBoxLayout>

#include "charts/figure_view.h"
#include "charts/view_frame.h"
#include "figures/ticks.h"
#include "panels/view/icons.h"
#include "panels/view/view_flow.h"

namespace casp::widgets {

namespace {

constexpr int max_visible_rows = 8;
/// Height of the overlap heatmaps with their names, for few and for many rows.
constexpr int min_map_height = 230, max_map_height = 420, map_row_height = 10;

/// Key of a row in the session.
QString key(const RetrievalRow& row) {
    return row.folder + QLatin1Char('\n') + QString::number(static_cast<int>(row.of));
}

/// Relation of the usage entropy to its minimum and maximum.
QString entropy_text(const RetrievalRow& row) {
    auto text = AnchorSelection::tr("Effective number of anchors, exp(entropy): %1.")
                    .arg(figures::number_text(row.usage.effective, 4));
    if (row.top_k > 0)
        text += AnchorSelection::tr(" Floor ln K = %1 (K = %2), ceiling ln V' = %3.")
                    .arg(figures::number_text(std::log(static_cast<double>(row.top_k)), 5))
                    .arg(row.top_k)
                    .arg(figures::number_text(std::log(static_cast<double>(row.counts.size())), 5));
    return text;
}

}  // namespace

AnchorSelection::AnchorSelection(QWidget* parent) : QWidget(parent) {
    auto* column = make_layout<QVBoxLayout>(this, {6, 0, 6, 4}, 4);
    text_ = new QLabel;
    text_->setWordWrap(true);
    text_->setAlignment(Qt::AlignCenter);
    text_->setAccessibleName(tr("How to fill the table of retrieval statistics"));
    column->addWidget(text_, 1);
    table_ = reading_table(
        this, tr("Retrieval statistics"),
        tr("One row per run and usage. Return or a double click selects the anchors of a row in all views"));
    table_->setColumnCount(static_cast<int>(retrieval_columns().size()));
    table_->setSelectionBehavior(QAbstractItemView::SelectRows);
    table_->setSelectionMode(QAbstractItemView::SingleSelection);
    // Sized by fill_table() and fit_table(): Qt would measure all rows again for every cell set.
    table_->horizontalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    table_->horizontalHeader()->setMinimumSectionSize(60);
    for (int c = 0; c < table_->columnCount(); ++c) {
        const auto& about = retrieval_columns()[static_cast<std::size_t>(c)];
        auto* head = new QTableWidgetItem(about.title + QLatin1Char(' '));  // off the border
        head->setToolTip(about.help);
        head->setTextAlignment((about.number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
        table_->setHorizontalHeaderItem(c, head);
    }
    column->addWidget(table_);
    note_ = note_label(this, tr("Notes on the retrieval statistics"));
    column->addWidget(note_);
    overlaps_ = new FigureView;
    overlaps_->setAccessibleName(tr("Pairwise overlap of retrieved anchors"));
    column->addWidget(overlaps_, 1);

    both_ = new QCheckBox(tr("Training and &test"), this);
    both_->setChecked(true);
    named(both_, tr("Retrievals in training and over the test windows side by side"),
          tr("Two rows per run: training, and the test windows at the best checkpoint. Unchecked: only the "
             "usage selected under Count"));
    reference_ = named(new QComboBox(this), tr("Reference for the comparison"),
                       tr("The row with which the table's last three columns compare all others"));
    reference_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    connect(both_, &QCheckBox::toggled, this, &AnchorSelection::options_changed);
    connect(reference_, &QComboBox::activated, this, [this] {
        wanted_reference_ = reference_->currentData().toString();
        fill_table();
    });
    connect(table_, &QTableWidget::cellActivated, this, [this](int row, int) {
        if (row < 0 || static_cast<std::size_t>(row) >= statistics_.rows.size()) return;
        const auto& shown = statistics_.rows[static_cast<std::size_t>(row)];
        Q_EMIT picked(shown.folder, analysis::retrieved_set(shown.counts), Qt::NoModifier);
    });
    connect(overlaps_, &FigureView::cells_picked, this, &AnchorSelection::pick_cells);
    connect(overlaps_, &FigureView::needed_height_changed, this, &AnchorSelection::fit_height);
    fill();
    setBackgroundRole(QPalette::Base);  // common background of text, table and heatmaps
    setAutoFillBackground(true);
}

void AnchorSelection::join(ViewFrame& frame) {
    frame.add_control(both_);
    frame.add_control(reference_);
    auto* markdown = new QAction(tr("Copy table as &Markdown"), &frame);
    auto* latex = new QAction(tr("Copy table as &LaTeX"), &frame);
    connect(markdown, &QAction::triggered, this, &AnchorSelection::copy_markdown);
    connect(latex, &QAction::triggered, this, &AnchorSelection::copy_latex);
    frame.add_action(markdown);
    frame.add_action(latex);
    connect(this, &AnchorSelection::message, &frame, &ViewFrame::message);
    frame.set_figure_source([this] { return figure(); });
    frame.set_picture_source([this] { return statistics_.rows.empty() ? QImage() : grab().toImage(); });
    frame.set_busy_source([] { return false; });  // available immediately
}

void AnchorSelection::show_runs(const std::vector<figures::RunInput>& runs, figures::UsageOf of,
                                std::optional<std::int64_t> step, const QString& empty_text) {
    statistics_ = retrieval_statistics(runs, of, step, both_->isChecked());
    text_->setText(empty_text);
    fill();
}

std::size_t AnchorSelection::reference() const {
    const auto& rows = statistics_.rows;
    const auto at = std::find_if(rows.begin(), rows.end(),
                                 [this](const RetrievalRow& row) { return key(row) == wanted_reference_; });
    return at == rows.end() ? 0 : static_cast<std::size_t>(at - rows.begin());
}

void AnchorSelection::fill() {
    const bool any = !statistics_.rows.empty();
    text_->setVisible(!any);
    table_->setVisible(any);
    overlaps_->setVisible(any);
    note_->setText(statistics_.notes.join(QLatin1Char('\n')));
    note_->setVisible(any && !statistics_.notes.isEmpty());
    fill_references();
    fill_table();
    auto figure = this->figure();
    figure.empty_text =
        tr("The overlap of the anchors retrieved by any two runs appears here. Show a second run: select it "
           "in the list on the left as well.");
    overlaps_->set_figure(std::move(figure));
    fit_height();
}

void AnchorSelection::fill_references() {
    const QSignalBlocker block(reference_);
    reference_->clear();
    for (const auto& row : statistics_.rows) {
        reference_->addItem(swatch_icon(row.colour, 14, devicePixelRatioF()),
                            tr("reference: %1").arg(row.name), key(row));
        reference_->setItemData(reference_->count() - 1, row.run, Qt::ToolTipRole);
    }
    reference_->setCurrentIndex(statistics_.rows.empty() ? -1 : static_cast<int>(reference()));
    reference_->setVisible(statistics_.rows.size() > 1);
}

void AnchorSelection::fill_table() {
    const auto& rows = statistics_.rows;
    const auto against = reference();
    const int current = table_->currentRow();
    table_->setRowCount(static_cast<int>(rows.size()));
    for (std::size_t r = 0; r < rows.size(); ++r) {
        const auto& row = rows[r];
        const auto cells = retrieval_cells(statistics_, r, against);
        for (int c = 0; c < cells.size(); ++c) {
            auto* item = new QTableWidgetItem(cells[c]);
            const auto& about = retrieval_columns()[static_cast<std::size_t>(c)];
            item->setTextAlignment((about.number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
            item->setToolTip(about.help);
            if (c == 0) {
                item->setIcon(swatch_icon(row.colour, 14, devicePixelRatioF()));
                item->setToolTip(row.run);
            } else if (c == 1) {
                item->setToolTip(
                    row.step < 0
                        ? tr("%1 retrievals over the test windows at the best checkpoint")
                              .arg(figures::number_text(static_cast<double>(row.usage.retrievals), 12))
                        : tr("%1 retrievals up to step %2")
                              .arg(figures::number_text(static_cast<double>(row.usage.retrievals), 12))
                              .arg(row.step));
            } else if (c == 3) {
                item->setToolTip(about.help + QLatin1Char('\n') + entropy_text(row));
            } else if (c >= 8) {
                item->setToolTip(about.help + QLatin1Char('\n') +
                                 retrieval_comparison_text(statistics_, r, against));
                if (r == against || cells[9].isEmpty()) item->setForeground(muted_colour(palette()));
            }
            table_->setItem(static_cast<int>(r), c, item);
        }
    }
    for (int c = 1; c < table_->columnCount(); ++c) table_->resizeColumnToContents(c);
    if (current >= 0 && current < table_->rowCount()) table_->selectRow(current);
    fit_table();
}

/// As high as its rows, plus the scroll bar on a narrow page; many rows scroll.
void AnchorSelection::fit_table() {
    const int row = table_->fontMetrics().height() + 8;
    table_->verticalHeader()->setDefaultSectionSize(row);
    // The run's name takes the remaining width; Qt's stretching would keep a previous width.
    int others = 0;
    for (int c = 1; c < table_->columnCount(); ++c) others += table_->columnWidth(c);
    const int run = static_cast<QAbstractItemView*>(table_)->sizeHintForColumn(0) + 8,
              room = table_->viewport()->width();
    table_->setColumnWidth(0, std::max(run, room - others));
    const int bar = run + others > room ? table_->horizontalScrollBar()->sizeHint().height() : 0;
    table_->setFixedHeight(table_->horizontalHeader()->sizeHint().height() +
                           std::min(max_visible_rows, table_->rowCount()) * row + bar + 2);
    fit_height();
}

/// The heatmaps keep their height however many rows the table has: the page scrolls.
void AnchorSelection::fit_height() {
    int height = 0;
    if (!statistics_.rows.empty()) {
        const auto margins = layout()->contentsMargins();
        height = margins.top() + margins.bottom() + table_->height() + layout()->spacing() +
                 std::max(overlaps_->needed_height(),
                          std::clamp(130 + map_row_height * static_cast<int>(statistics_.rows.size()),
                                     min_map_height, max_map_height));
        if (!statistics_.notes.isEmpty())
            height += layout()->spacing() +
                      note_->heightForWidth(std::max(1, width() - margins.left() - margins.right()));
    }
    if (height == minimumHeight()) return;
    setMinimumHeight(height);
    Q_EMIT height_changed();
}

void AnchorSelection::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fit_table();
}

void AnchorSelection::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    // A font also changes the height used by the page.
    if (table_ != nullptr && (event->type() == QEvent::FontChange || event->type() == QEvent::PaletteChange))
        fill_table();
}

void AnchorSelection::pick_cells(const std::vector<std::int64_t>& rows,
                                 const std::vector<std::int64_t>& columns, Qt::KeyboardModifiers modifiers) {
    std::set<std::int64_t> anchors;
    QString run;
    const auto& all = statistics_.rows;
    for (const auto r : rows)
        for (const auto c : columns) {
            const auto i = static_cast<std::size_t>(r), j = static_cast<std::size_t>(c);
            if (i >= all.size() || j >= all.size()) continue;
            const auto &a = all[i].counts, &b = all[j].counts;
            run = all[i].folder;
            for (std::size_t k = 0; k < a.size() && a.size() == b.size(); ++k)
                if (a[k] > 0 && b[k] > 0) anchors.insert(static_cast<std::int64_t>(k));
        }
    Q_EMIT picked(run, {anchors.begin(), anchors.end()}, modifiers);
}

void AnchorSelection::copy_markdown() { copy(retrieval_markdown(statistics_, reference()), tr("Markdown")); }

void AnchorSelection::copy_latex() { copy(retrieval_latex(statistics_, reference()), tr("LaTeX")); }

void AnchorSelection::copy(const QString& text, const QString& what) {
    if (statistics_.rows.empty()) {
        Q_EMIT message(tr("The table is empty: nothing was copied"));
        return;
    }
    QGuiApplication::clipboard()->setText(text);
    Q_EMIT message(tr("Retrieval statistics copied as %1").arg(what));
}

void AnchorSelection::save(QJsonObject& object) const {
    object[QStringLiteral("selection_both")] = both_->isChecked();
    if (!wanted_reference_.isEmpty()) object[QStringLiteral("selection_reference")] = wanted_reference_;
}

void AnchorSelection::restore(const QJsonObject& object) {
    wanted_reference_ = object.value(QStringLiteral("selection_reference")).toString();
    both_->setChecked(object.value(QStringLiteral("selection_both")).toBool(true));
    fill();
}

}  // namespace casp::widgets

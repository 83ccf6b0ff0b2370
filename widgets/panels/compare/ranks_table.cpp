#include "panels/compare/ranks_table.h"

#include <set>
#include <utility>

#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QPushButton>
#include <QVBoxLayout>

#include "data/catalog_rules.h"
#include "evidence/run_settings.h"
#include "panels/view/view_flow.h"

namespace casp::widgets {

using evidence::RankTable;

namespace {

constexpr std::size_t most_ranked = 100;  ///< runs that are ranked at once; more of them on another thread

std::vector<figures::CompareRun> rankable(const std::vector<figures::CompareRun>& runs) {
    std::vector<figures::CompareRun> found;
    for (const auto& run : runs)
        if (run.row.state == store::RunState::finished && run.config) found.push_back(run);
    std::set<std::string> models;
    for (const auto& run : found) models.insert(run.row.model);
    if (models.size() < 2) found.clear();
    return found;
}

RankTable ranks_of_runs(const std::vector<figures::CompareRun>& runs, const std::string& metric) {
    std::vector<evidence::SettledRun> settled;
    for (const auto& run : runs)
        settled.push_back({run.row, data::with_catalog_rules(*run.config), run.folder.toStdString()});
    return evidence::ranks_of(evidence::as_one_sweep(settled, "preset"), metric);
}

QString place_text(std::int64_t place) {
    if (place == 1) return QObject::tr(", best");
    return place == 2 ? QObject::tr(", second-best") : QString();
}

QString title_of(const std::string& metric) {
    for (const auto& info : figures::compare_metrics())
        if (info.column == metric) return info.name;
    return QString::fromStdString(metric);
}

}  // namespace

RanksTable::RanksTable(QWidget* parent)
    : QWidget(parent), note_(new QLabel(this)), view_(new QTableWidget(this)) {
    setAccessibleName(tr("Models and tasks"));
    note_->setWordWrap(true);
    note_->setTextFormat(Qt::PlainText);
    note_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    note_->setAccessibleName(tr("About the table of models and tasks"));
    view_->setAccessibleName(tr("Errors and ranks of models"));
    view_->setToolTip(tr("Mean error of each model in each task, with its rank in the task"));
    view_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    view_->setAlternatingRowColors(true);
    view_->setShowGrid(false);
    view_->setTabKeyNavigation(false);
    view_->setFrameShape(QFrame::NoFrame);
    view_->setWordWrap(false);
    view_->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    view_->verticalHeader()->hide();
    view_->horizontalHeader()->setHighlightSections(false);
    auto* bar = new QWidget(this);
    auto* flow = make_flow(bar);
    const auto add = [&](const QString& text, const QString& format, const QString& help, auto write) {
        auto* button = new QPushButton(text, bar);
        button->setAccessibleName(QString(text).remove(u'&'));
        button->setToolTip(help);
        flow->addWidget(button);
        connect(button, &QPushButton::clicked, this, [this, format, write] { copy(format, write); });
    };
    add(tr("Copy as LaTe&X"), tr("LaTeX"), tr("Copies the table of models; needs booktabs only"),
        evidence::ranks_latex);
    add(tr("Copy as Mar&kdown"), tr("Markdown"), tr("Copies the table of models for notes"),
        evidence::ranks_markdown);
    add(tr("Copy as CS&V"), tr("CSV"), tr("Copies one line per model and task, with all digits"),
        evidence::ranks_csv);
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Ignored);  // small screens: the page may be lower
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(6, 4, 4, 4);
    layout->addWidget(note_);
    layout->addWidget(view_, 1);
    layout->addWidget(bar);
}

void RanksTable::set_runs(const std::vector<figures::CompareRun>& runs, const std::string& metric) {
    auto ranked = rankable(runs);
    job_.set_synchronous(ranked.size() <= most_ranked);
    job_.start([ranked = std::move(ranked),
                metric](const JobContext& /*context*/) { return ranks_of_runs(ranked, metric); },
               {.done = [this](RankTable ranks) { show_ranks(std::move(ranks)); }});
}

void RanksTable::show_ranks(RankTable ranks) {
    ranks_ = std::move(ranks);
    note_->setText(title_of(ranks_.metric) + QStringLiteral(". ") +
                   QString::fromStdString(evidence::rank_note(ranks_)));
    const auto lines = evidence::rank_lines(ranks_);
    const auto& header = lines.front();
    view_->clear();
    view_->setColumnCount(static_cast<int>(header.size()));
    view_->setRowCount(static_cast<int>(ranks_.rows.size()));
    for (std::size_t column = 0; column < header.size(); ++column)
        view_->setHorizontalHeaderItem(static_cast<int>(column),
                                       new QTableWidgetItem(QString::fromStdString(header[column])));
    for (std::size_t row = 0; row < ranks_.rows.size(); ++row)
        for (std::size_t column = 0; column < header.size(); ++column) {
            const auto text = QString::fromStdString(lines[row + 1][column]);
            auto* item = new QTableWidgetItem(text);
            item->setTextAlignment((column > 0 ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
            auto about = QString::fromStdString(header[column]) + QStringLiteral(" = ") + text;
            if (column > 0 && column <= ranks_.tasks.size()) {
                const auto& cell = ranks_.rows[row].cells[column - 1];
                about += tr(" (runs: %1)%2").arg(cell.n).arg(place_text(cell.place));
                auto font = item->font();
                font.setBold(cell.place == 1);
                font.setUnderline(cell.place == 2);
                item->setFont(font);
            }
            item->setToolTip(about);
            item->setData(Qt::AccessibleTextRole,
                          QString::fromStdString(ranks_.rows[row].model) + QStringLiteral(", ") + about);
            view_->setItem(static_cast<int>(row), static_cast<int>(column), item);
        }
    view_->resizeColumnsToContents();
    view_->verticalHeader()->setDefaultSectionSize(view_->fontMetrics().height() + 8);
    Q_EMIT changed();
}

void RanksTable::copy(const QString& format, std::string (*text)(const std::vector<RankTable>&)) {
    if (ranks_.rows.empty()) return;
    QGuiApplication::clipboard()->setText(QString::fromStdString(text({ranks_})));
    Q_EMIT message(tr("Table copied as %1.").arg(format));
}

}  // namespace casp::widgets

#include "panels/compare/ranks_table.h"

#include <set>
#include <utility>

#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QPushButton>
#include <QVBoxLayout>

#include "evidence/ranks.h"
#include "evidence/run_settings.h"
#include "panels/view/view_flow.h"
#include "words/core_text.h"
#include "words/mnemonic.h"

namespace casp::widgets {

using evidence::RankTable;

namespace {

constexpr std::size_t max_ranked = 100;  ///< runs that are ranked at once; more of them on another thread
constexpr const char* percent_key = "data.percent";

bool is_finished(const figures::CompareRun& run) { return run.row.state == store::RunState::finished; }

bool have_several_models(const std::vector<figures::CompareRun>& runs) {
    std::set<std::string> models;
    for (const auto& run : runs)
        if (is_finished(run) && run.config) models.insert(run.row.model);
    return models.size() > 1;
}

/// Rows of one sweep. The fraction of the training data is always a part of the task: few-shot runs are not
/// ranked against others, even if it follows from their presets.
std::vector<store::ResultRow> swept_rows(const std::vector<evidence::SettledRun>& runs) {
    auto rows = evidence::as_one_sweep(runs, "preset");
    for (std::size_t i = 0; i < rows.size(); ++i) {
        auto& swept = rows[i].swept;
        std::erase_if(swept, [](const auto& setting) { return setting.first == percent_key; });
        swept.emplace_back(percent_key, std::to_string(runs[i].config.data.percent));
    }
    return rows;
}

RankTable ranks_of_runs(const std::vector<figures::CompareRun>& runs, const std::string& metric) {
    std::vector<evidence::SettledRun> settled;
    std::vector<store::ResultRow> unfinished;
    std::int64_t without_settings = 0;
    for (const auto& run : runs)
        if (!is_finished(run))
            unfinished.push_back(run.row);
        else if (run.config)
            settled.push_back({run.row, *run.config, run.folder.toStdString()});
        else
            ++without_settings;
    auto rows = swept_rows(settled);
    rows.insert(rows.end(), unfinished.begin(), unfinished.end());
    auto ranks = evidence::ranks_of(rows, metric);
    if (without_settings > 0) ranks.omitted["without readable settings"] = without_settings;
    return ranks;
}

QString place_text(std::int64_t place) {
    if (place == 1) return QObject::tr(", best");
    return place == 2 ? QObject::tr(", second-best") : QString();
}

QString title_of(const std::string& metric) {
    const auto* column = store::find_column(metric);
    return column == nullptr ? QString::fromStdString(metric) : translated(column->title);
}

}  // namespace

RanksTable::RanksTable(QWidget* parent)
    : QWidget(parent),
      note_(note_label(this, tr("About the table of models and tasks"))),
      view_(reading_table(this, tr("Errors and ranks of models"),
                          tr("Mean error of each model in each task, with its rank in the task"))) {
    setAccessibleName(tr("Models and tasks"));
    note_->setContentsMargins(0, 0, 0, 0);
    auto* bar = new QWidget(this);
    auto* flow = make_flow(bar);
    const auto add = [&](const QString& text, const QString& format, const QString& help, auto write) {
        auto* button = named(new QPushButton(text, bar), without_mnemonic(text), help);
        flow->addWidget(button);
        connect(button, &QPushButton::clicked, this, [this, format, write] { copy(format, write); });
    };
    add(tr("Copy as LaTe&X"), tr("LaTeX"),
        tr("Copies the table of models; its first line lists the LaTeX packages"), evidence::ranks_latex);
    add(tr("Copy as Mar&kdown"), tr("Markdown"), tr("Copies the table of models for notes"),
        evidence::ranks_markdown);
    add(tr("Copy as CS&V"), tr("CSV"), tr("Copies one line per model and task, with all digits"),
        evidence::ranks_csv);
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Ignored);  // small screens: the page may be lower
    auto* layout = make_layout<QVBoxLayout>(this, {6, 4, 4, 4});
    layout->addWidget(note_);
    layout->addWidget(view_, 1);
    layout->addWidget(bar);
}

void RanksTable::set_runs(const std::vector<figures::CompareRun>& runs, const std::string& metric) {
    if (!have_several_models(runs)) {
        job_.cancel();
        show_ranks({});
        return;
    }
    job_.set_synchronous(runs.size() <= max_ranked);
    job_.start([runs, metric](const JobContext& /*context*/) { return ranks_of_runs(runs, metric); },
               {.done = [this](RankTable ranks) { show_ranks(std::move(ranks)); }});
}

void RanksTable::show_ranks(RankTable ranks) {
    ranks_ = std::move(ranks);
    show_note(note_,
              title_of(ranks_.metric) + QStringLiteral(". ") + translated(evidence::rank_note(ranks_)));
    const auto lines = evidence::rank_lines(ranks_);
    const auto& header = lines.front();
    view_->clear();
    view_->setColumnCount(static_cast<int>(header.size()));
    view_->setRowCount(static_cast<int>(ranks_.rows.size()));
    for (std::size_t column = 0; column < header.size(); ++column)
        view_->setHorizontalHeaderItem(static_cast<int>(column),
                                       new QTableWidgetItem(translated(header[column])));
    for (std::size_t row = 0; row < ranks_.rows.size(); ++row)
        for (std::size_t column = 0; column < header.size(); ++column) {
            const auto text = QString::fromStdString(lines[row + 1][column]);
            auto* item = new QTableWidgetItem(text);
            item->setTextAlignment((column > 0 ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
            auto about = translated(header[column]) + QStringLiteral(" = ") + text;
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

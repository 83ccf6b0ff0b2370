// The table of explained variance on the Embeddings page: a separate PCA of each kind, as in the paper.
#include <algorithm>
#include <limits>

#include <QHeaderView>
#include <QTableWidget>

#include "charts/view_frame.h"
#include "figures/ticks.h"
#include "panels/embeddings/embeddings_page.h"
#include "panels/view/view_flow.h"
#include "words/core_text.h"

namespace casp::widgets {

namespace {

const QString course_id = QStringLiteral("variance-course");
const QString table_id = QStringLiteral("variance-table");

}  // namespace

void EmbeddingsPage::make_variance_table() {
    variances_ = reading_table(
        nullptr, tr("Explained variance of each kind"),
        tr("Fraction of the variance of each kind on its own first two principal components, from a separate "
           "PCA of each kind. Centred: around the mean; uncentred: around zero, as in the paper's formula"));
    variances_->setSelectionBehavior(QAbstractItemView::SelectRows);
    auto* frame = add_content(
        table_id, tr("Explained variance of each kind"), QStringLiteral("embeddings"),
        {RunPart::probe, RunPart::embeddings}, variances_,
        [this](const std::vector<figures::RunInput>& runs) { show_variances(runs); }, 190, 2);
    frame->set_figure_source([this] {
        const auto runs = shown_runs().inputs();
        return figures::pca_variance(QStringLiteral("shown runs"), variances(runs));
    });
    set_available(table_id, false);
}

void EmbeddingsPage::offer_variances(const std::vector<figures::RunInput>& runs) {
    set_available(table_id, !shown_.empty());
    set_available(course_id, shown_.empty() || std::any_of(runs.begin(), runs.end(), [](const auto& run) {
                                 return !run.probes.empty();
                             }));
}

std::vector<figures::PlanesOfRun> EmbeddingsPage::variances(
    const std::vector<figures::RunInput>& runs) const {
    constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
    std::vector<figures::PlanesOfRun> planes;
    for (const auto& one : shown_)
        for (const auto& run : runs) {
            if (run.folder != one.folder) continue;
            figures::PlanesOfRun of;
            of.of = {short_label(run, runs), &run, {one.set, &one.set->values}};
            const auto& centred = one.pca->variance_ratio;
            const auto& uncentred = one.set->uncentred;
            for (const auto point_kind : all_kinds) {
                const auto kind = static_cast<std::size_t>(point_kind);
                const auto at = kind * static_cast<std::size_t>(one.pca->components);
                if (at + 1 >= centred.size()) continue;
                figures::KindPlane plane;
                plane.kind = static_cast<int>(kind);
                plane.rows = std::count(one.pca->kind.begin(), one.pca->kind.end(), plane.kind);
                if (plane.rows == 0) continue;
                plane.centred = {centred[at], centred[at + 1]};
                plane.uncentred = {unknown, unknown};
                if (2 * kind + 1 < uncentred.size())
                    plane.uncentred = {uncentred[2 * kind], uncentred[2 * kind + 1]};
                of.kinds.push_back(std::move(plane));
            }
            planes.push_back(std::move(of));
        }
    return planes;
}

void EmbeddingsPage::show_variances(const std::vector<figures::RunInput>& runs) {
    const auto planes = variances(runs);
    variances_->clear();
    variances_->setRowCount(0);
    const QStringList header{tr("Run"),
                             tr("Kind"),
                             QStringLiteral("n"),
                             tr("PC1, centred (%)"),
                             QStringLiteral("PC2"),
                             tr("Total"),
                             tr("PC1, uncentred (%)"),
                             QStringLiteral("PC2"),
                             tr("Total")};
    variances_->setColumnCount(static_cast<int>(header.size()));
    variances_->setHorizontalHeaderLabels(header);
    const auto percent = [](double share) { return figures::number_text(100 * share, 4); };
    for (const auto& run : planes)
        for (const auto& plane : run.kinds) {
            const auto& c = plane.centred;
            const auto& u = plane.uncentred;
            const QStringList cells{run.of.label,        translated(figures::kind_name(plane.kind)),
                                    counted(plane.rows), percent(c[0]),
                                    percent(c[1]),       percent(c[0] + c[1]),
                                    percent(u[0]),       percent(u[1]),
                                    percent(u[0] + u[1])};
            const int row = variances_->rowCount();
            variances_->insertRow(row);
            for (int column = 0; column < static_cast<int>(cells.size()); ++column) {
                auto* item = new QTableWidgetItem(cells[column]);
                item->setTextAlignment((column > 1 ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
                variances_->setItem(row, column, item);
            }
        }
    variances_->resizeColumnsToContents();
    variances_->verticalHeader()->setDefaultSectionSize(variances_->fontMetrics().height() + 8);
}

}  // namespace casp::widgets

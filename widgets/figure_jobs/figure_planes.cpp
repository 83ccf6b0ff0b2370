// Principal planes and fractions of variance for the figures, computed from all rows; a sample is plotted.
#include <algorithm>
#include <utility>

#include "figure_jobs/figure_embeddings.h"
#include "inspect/window_embeddings.h"
#include "util/error.h"

namespace casp::figure_jobs {

namespace {

/// Rows of stored embeddings between two checks for a stop request.
constexpr std::size_t rows_at_once = 8192;

void add_all(analysis::StreamedPca& series, analysis::StreamedPca& prompts, const store::Embeddings& all,
             const ProgressFn& progress, const std::stop_token& stop) {
    const auto d = static_cast<std::size_t>(all.dimension), total = all.series.size() / d;
    for (std::size_t row = 0; row < total; row += rows_at_once) {
        if (stop.stop_requested()) throw Cancelled();
        const auto count = std::min(rows_at_once, total - row);
        series.add(std::span(all.series).subspan(row * d, count * d));
        prompts.add(std::span(all.prompt).subspan(row * d, count * d));
        progress({"embedding test", static_cast<std::int64_t>(row + count), static_cast<std::int64_t>(total),
                  "rows read"});
    }
}

}  // namespace

std::array<analysis::PrincipalAxes, 3> FigureSource::axes_of_all(const figures::EmbeddedRun& run) {
    constexpr std::int64_t components = 2;
    const auto& v = *run.values;
    analysis::StreamedPca anchors(v.dimension), series(v.dimension), prompts(v.dimension);
    anchors.add(v.anchors);
    const auto progress = progress_of(run);
    if (v.is_whole()) {
        series.add(v.series);
        prompts.add(v.prompt);
    } else {
        std::optional<store::Embeddings> all;
        try {
            all = stored_rows(*run.run);
        } catch (const Cancelled&) {
            throw;
        } catch (const Error&) {
            // Computed instead; if that also fails, it reports the reason.
        }
        if (all) {
            add_all(series, prompts, *all, progress, stop_);
        } else {
            inspect::EmbeddingRequest request;
            request.run = run.run->folder.toStdString();
            request.errors = false;
            request.similarity = false;
            inspect::stream_embeddings(
                request,
                [&](const store::Embeddings&, const store::Embeddings& part) {
                    series.add(part.series);
                    prompts.add(part.prompt);
                },
                progress, stop_);
        }
    }
    if (stop_.stop_requested()) throw Cancelled();
    return {anchors.axes(components), series.axes(components), prompts.axes(components)};
}

std::vector<figures::PlanesOfRun> FigureSource::planes(const figures::PaperCell& cell) {
    return of_each(embedded(cell), "principal components", [this](const figures::EmbeddedRun& run) {
        const auto axes = axes_of_all(run);
        const auto& v = *run.values;
        figures::PlanesOfRun planes;
        planes.of = run;
        planes.whole_split = true;
        for (const auto& [kind, values] :
             {std::pair{figures::kind_anchor, &v.anchors}, std::pair{figures::kind_series, &v.series},
              std::pair{figures::kind_prompt, &v.prompt}}) {
            const auto& of_kind = axes[planes.kinds.size()];
            figures::KindPlane plane;
            plane.kind = kind;
            plane.rows = of_kind.rows;
            plane.points = of_kind.points(*values);
            plane.centred = {of_kind.shares.centred.at(0), of_kind.shares.centred.at(1)};
            plane.uncentred = {of_kind.shares.uncentred.at(0), of_kind.shares.uncentred.at(1)};
            planes.kinds.push_back(std::move(plane));
        }
        return planes;
    });
}

}  // namespace casp::figure_jobs

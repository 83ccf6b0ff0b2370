#pragma once
// The figures of --figures LIST and the menu Figures by name.

#include <string>
#include <vector>

#include <QString>

#include "figure_jobs/figure_runs.h"
#include "figures/figure.h"

namespace casp::figure_jobs {

class FigureSource;

struct FigureInfo {
    std::string name;      ///< of --figures: "tsne"
    const char* title;     ///< "t-SNE over λ_cov", in English
    const char* tip;       ///< what it shows
    char key = 0;          ///< of the menu's shortcut, Ctrl+J and this letter: the figures of the paper
    bool weights = false;  ///< needs best.safetensors (or stored embeddings) and may take a while
};

/// All figures, in the order of "all".
[[nodiscard]] const std::vector<FigureInfo>& figure_list();
/// Their names.
[[nodiscard]] const std::vector<std::string>& figure_names();

/// The list with "all" expanded. "sensitivity" can be followed by a metric and a setting:
/// "sensitivity:test_mae:model.top_k"; "strata" by a label, for trend changes also by the penalty:
/// "strata:low-frequency", "strata:trend-change:4" (analysis/window_labels.h). Throws an input Error that
/// names the nearest figure, metric, setting, label or penalty.
[[nodiscard]] std::vector<std::string> checked_figures(const std::vector<std::string>& names);

/// Part of a file name: "etth1-h-336" for "ETTh1 · H 336". Empty if no character is allowed in file names.
[[nodiscard]] QString slug(const QString& text);

/// Draws the figures of one name from checked_figures(); empty if the runs have no data for it. The `id` of
/// each is its file name: "tsne" for the first cell of a sweep over tasks, "tsne-etth1-336" for the next, and
/// "pca-variance" for additional parts. Problems of a run, a cell or the whole figure become notes of
/// `source`, and everything else is drawn. Any thread. Throws Cancelled.
[[nodiscard]] std::vector<figures::Figure> make_figures(const std::string& name, const FigureRuns& runs,
                                                        FigureSource& source);

}  // namespace casp::figure_jobs

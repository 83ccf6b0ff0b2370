#pragma once
// The figures of the paper by name: caspstudio --batch FILE --figures LIST writes them as files, the window's
// menu Figures shows them. By the recipes and the painter of the window; needs no display.

#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

#include <QString>

#include "figures/figure.h"
#include "gui/figure_runs.h"
#include "util/progress.h"

namespace casp::gui {

class FigureSource;

struct FigureInfo {
    std::string name;      ///< of --figures: "tsne"
    QString title;         ///< "t-SNE over λ_cov"
    QString tip;           ///< what it shows
    bool of_paper = true;  ///< false: a view of the window that a batch may want as well
    bool weights = false;  ///< needs best.safetensors (or stored embeddings) and may take a while
};

/// All figures, in the order in which "all" makes them.
[[nodiscard]] const std::vector<FigureInfo>& figure_list();
/// Their names.
[[nodiscard]] const std::vector<std::string>& figure_names();

/// The list with "all" written out. "sensitivity" may be followed by a metric, a setting and the word early:
/// "sensitivity:test_mae:model.top_k:early". Throws an input Error that names the nearest figure, metric or
/// setting.
[[nodiscard]] std::vector<std::string> checked_figures(const std::vector<std::string>& names);

/// "etth1-h-336" of "ETTh1 · H 336": part of a file's name. Empty where no sign of it can stand there.
[[nodiscard]] QString slug(const QString& text);

/// The figures of one name, as checked_figures gives it; empty where the runs hold no numbers for it. `id` of
/// each is its file's name: "tsne" of the first cell of a sweep over tasks, "tsne-etth1-336" of the next, and
/// parts of its own, "pca-variance". What is wrong with a run, a cell or all of the figure is a note of
/// `source`, and the rest is made. Any thread. Throws Cancelled.
[[nodiscard]] std::vector<figures::Figure> make_figures(const std::string& name, const FigureRuns& runs,
                                                        FigureSource& source);

/// `batch_folder`/figures, which need not be there. Throws an input Error where a link stands in its place:
/// no file of a batch goes where a link leads (docs/security.md).
[[nodiscard]] std::filesystem::path figures_folder(const std::filesystem::path& batch_folder);

/// Writes `batch_folder`/figures/<figure>.{png,svg,pdf,csv} and the caption as .txt from the runs' files (of
/// pca also the table as .tex and .md); returns the files. What could not be drawn, and why, is told in
/// `notes`; the progress is that of FigureWork. Makes a QApplication of the offscreen platform where there is
/// none. Throws the first run Error about a file that could not be written, when all other figures are;
/// Cancelled on a stop, with the files so far in place.
std::vector<std::filesystem::path> write_figures(const std::filesystem::path& batch_folder,
                                                 const std::vector<std::string>& runs,
                                                 const std::vector<std::string>& figures,
                                                 std::vector<std::string>& notes,
                                                 const ProgressFn& progress = {},
                                                 const std::stop_token& stop = {});

}  // namespace casp::gui

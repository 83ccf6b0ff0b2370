#pragma once
// Computing figures from run folders as a job: in the background for the menu Figures, synchronously for
// --figures.

#include <exception>
#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

#include "evidence/verify.h"
#include "figures/figure.h"
#include "state/job.h"
#include "util/progress.h"

namespace casp::figure_jobs {

struct FigureRequest {
    std::vector<std::filesystem::path> runs;  ///< folders
    std::vector<std::string> names;           ///< from checked_figures()
    /// Where the figures are written as soon as they are drawn; empty: they are returned.
    std::filesystem::path folder = {};
};

struct DrawnFigures {
    std::vector<figures::Figure> figures = {};
    std::vector<std::filesystem::path> files = {};
    std::vector<Phrase> notes = {};  ///< what could not be drawn, and why
    /// Cancelled after a stop request; the first run Error if files could not be written, after all other
    /// figures are written.
    std::exception_ptr failure = {};
};

using FigureJob = widgets::Job<DrawnFigures>;

/// The work of a FigureJob. It does not throw: notes and written files remain known. Progress is reported as
/// by FigureWork. Files are
/// folder/<figure>.{png,svg,pdf,csv} and the caption as .txt (for pca also the table as .tex).
[[nodiscard]] FigureJob::Work figure_work(FigureRequest request);

/// `batch_folder`/figures, which need not exist. Throws an input Error if it is a link, because a batch never
/// writes through links (docs/security.md).
[[nodiscard]] std::filesystem::path figures_folder(const std::filesystem::path& batch_folder);

/// Writes figures of runs in `batch_folder` into figures_folder() with a synchronous FigureJob. Returns the
/// files and appends to `notes`; throws DrawnFigures::failure. Creates an offscreen QApplication if none
/// exists.
std::vector<std::filesystem::path> write_figures(const std::filesystem::path& batch_folder,
                                                 const std::vector<std::string>& runs,
                                                 const std::vector<std::string>& figures,
                                                 std::vector<Phrase>& notes, const ProgressFn& progress = {},
                                                 const std::stop_token& stop = {});

/// The same figures, which are returned instead of written.
[[nodiscard]] std::vector<figures::Figure> draw_figures(const std::filesystem::path& batch_folder,
                                                        const std::vector<std::string>& runs,
                                                        const std::vector<std::string>& figures,
                                                        std::vector<Phrase>& notes,
                                                        const ProgressFn& progress = {},
                                                        const std::stop_token& stop = {});

/// Draws the figures again whose CSV files are in `batch_folder`/figures, and adds a finding for each cell
/// that differs. Figures that need the weights (FigureInfo::weights) are not checked. Writes nothing. Throws
/// Cancelled.
void verify_figures(const std::filesystem::path& batch_folder, evidence::Verification& result,
                    const ProgressFn& progress = {}, const std::stop_token& stop = {});

}  // namespace casp::figure_jobs

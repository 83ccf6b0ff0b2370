#pragma once
// What figures need of a run beyond its tables: embeddings of a sample of its test windows and what follows
// from them, computed when a figure first asks, and kept for the next one.

#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "figures/recipe_paper_embeddings.h"
#include "figures/recipe_paper_scores.h"
#include "figures/recipe_paper_strata.h"
#include "gui/figure_runs.h"
#include "util/progress.h"

namespace casp::gui {

/// Rows (windows × channels) of a run that embedding figures show: some 1,000 with the 1,000 anchors of the
/// paper give a plot that can be read. Channels: eight at most, evenly spaced, the last among them.
inline constexpr std::int64_t figure_rows = 1024, figure_channels = 8;
/// Rows of the alignment's cosine map.
inline constexpr std::int64_t map_rows = 224;
/// Of every t-SNE in a figure.
inline constexpr double figure_perplexity = 30;
inline constexpr std::int64_t figure_seed = 2021;

/// One thread. Every function throws Cancelled on a stop; what cannot be had is nothing and a note.
class FigureSource {
public:
    FigureSource(std::vector<std::string>& notes, ProgressFn progress, std::stop_token stop);

    /// The sample: out of arrays.h5 where all rows are stored there (prompts as the mean of all their
    /// tokens), else from best.safetensors. Null (and a note that names the run) where neither can be had,
    /// and for runs without prompts.
    std::shared_ptr<const train::RunEmbeddings> embeddings(const figures::RunInput& run);

    /// The first run of each condition for which embeddings can be had.
    [[nodiscard]] std::vector<figures::EmbeddedRun> embedded(const figures::PaperCell& cell);

    [[nodiscard]] std::vector<figures::PlanesOfRun> planes(const figures::PaperCell& cell);
    [[nodiscard]] std::vector<figures::LayoutOfRun> layouts(const figures::PaperCell& cell);
    [[nodiscard]] std::vector<figures::AlignmentOfRun> alignments(const figures::PaperCell& cell);
    [[nodiscard]] std::vector<figures::ScoresOfRun> scores(const figures::PaperCell& cell);
    [[nodiscard]] std::vector<figures::DistributionOfRun> distributions(const figures::PaperCell& cell);
    [[nodiscard]] std::vector<figures::StrataOfCondition> strata(const figures::PaperCell& cell);

    [[nodiscard]] const std::stop_token& stop() const { return stop_; }
    [[nodiscard]] const ProgressFn& progress() const { return progress_; }

private:
    void note(const std::string& text);
    [[nodiscard]] ProgressFn about(const figures::RunInput& run) const;
    std::shared_ptr<const train::RunEmbeddings> stored(const figures::RunInput& run);
    std::shared_ptr<const train::RunEmbeddings> computed(const figures::RunInput& run);
    void add_cosine_map(figures::AlignmentOfRun& alignment, const train::RunEmbeddings& values);

    std::vector<std::string>& notes_;
    ProgressFn progress_;
    std::stop_token stop_;
    std::map<QString, std::shared_ptr<const train::RunEmbeddings>> kept_;
};

}  // namespace casp::gui

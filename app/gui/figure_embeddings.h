#pragma once
// What figures need of a run beyond its tables: embeddings of a sample of its test windows and what follows
// from them, computed when a figure first asks, and kept for the next one.

#include <array>
#include <exception>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "analysis/streamed_pca.h"
#include "figures/recipe_paper_embeddings.h"
#include "figures/recipe_paper_scores.h"
#include "figures/recipe_paper_strata.h"
#include "gui/figure_runs.h"
#include "gui/figure_work.h"
#include "util/error.h"

namespace casp::gui {

/// Rows (windows × channels) of a run that embedding figures show: some 1,000 with the 1,000 anchors of the
/// paper give a plot that can be read. Channels: eight at most, evenly spaced, the last among them.
inline constexpr std::int64_t figure_rows = 1024, figure_channels = 8;
/// Rows of the alignment's cosine map.
inline constexpr std::int64_t map_rows = 224;
/// Of every t-SNE in a figure.
inline constexpr double figure_perplexity = 30;
inline constexpr std::int64_t figure_seed = 2021;

/// What of a run's test windows stands in its arrays.h5 and need not be computed.
struct StoredParts {
    bool embeddings = false;  ///< of every window and channel, by the best weights
    bool errors = false;      ///< with the forecasts
};

/// Opens arrays.h5 for a moment; what cannot be read is not there. Any thread.
[[nodiscard]] StoredParts stored_parts(const figures::RunInput& run);

/// One thread. Every function throws Cancelled on a stop; what cannot be had is nothing and a note, whatever
/// is wrong with it: other runs and other figures are made all the same.
class FigureSource {
public:
    /// Tells `work` what it does; both must outlive it.
    FigureSource(std::vector<std::string>& notes, FigureWork& work, std::stop_token stop);

    /// The sample: out of arrays.h5 where all rows are stored there (prompts as the mean of all their
    /// tokens), else from best.safetensors. Null (and a note that names the run) where neither can be had,
    /// and for runs without prompts.
    std::shared_ptr<const inspect::RunEmbeddings> embeddings(const figures::RunInput& run);

    /// A run of each condition for which embeddings can be had (figures::runs_to_show).
    [[nodiscard]] std::vector<figures::EmbeddedRun> embedded(const figures::PaperCell& cell);

    /// Axes and shares are of every test window and channel, however many (StreamedPca: nothing grows with
    /// them but time); the points are the sample's.
    [[nodiscard]] std::vector<figures::PlanesOfRun> planes(const figures::PaperCell& cell);
    [[nodiscard]] std::vector<figures::LayoutOfRun> layouts(const figures::PaperCell& cell);
    [[nodiscard]] std::vector<figures::AlignmentOfRun> alignments(const figures::PaperCell& cell);
    [[nodiscard]] std::vector<figures::ScoresOfRun> scores(const figures::PaperCell& cell);
    [[nodiscard]] std::vector<figures::DistributionOfRun> distributions(const figures::PaperCell& cell);
    [[nodiscard]] std::vector<figures::StrataOfCondition> strata(const figures::PaperCell& cell);

    /// Once each.
    void note(const std::string& text);
    /// The note of a run that something is wrong with: "seed-1 stands in no figure of scores: …".
    void left_out(const figures::RunInput& run, const std::string& what, const std::exception& problem);
    void left_out(const figures::RunInput& run, const std::string& what, const std::string& why);

    [[nodiscard]] const std::stop_token& stop() const { return stop_; }
    [[nodiscard]] FigureWork& work() const { return work_; }

private:
    /// What `make` returns for each run; those that it fails for are left out and told (`what`: "scores").
    template <class Make>
    auto of_each(const std::vector<figures::EmbeddedRun>& runs, const std::string& what, Make make) {
        std::vector<decltype(make(runs.front()))> result;
        for (const auto& run : runs) {
            try {
                result.push_back(make(run));
            } catch (const Cancelled&) {
                throw;
            } catch (const std::exception& problem) {
                left_out(*run.run, what, problem);
            }
        }
        return result;
    }
    /// One layout; `what`: " of series".
    [[nodiscard]] store::EmbeddingLayout layout_of(const figures::EmbeddedRun& run, const std::string& what,
                                                   std::span<const float> anchors,
                                                   std::span<const float> series,
                                                   std::span<const float> prompts);
    /// Embeddings of every test window and channel out of arrays.h5, in their order; nothing where it has
    /// them not, has them by another definition or in another order, or has more than fits into memory.
    [[nodiscard]] static std::optional<store::EmbeddingArrays> stored_rows(const figures::RunInput& run);
    std::shared_ptr<const inspect::RunEmbeddings> stored(const figures::RunInput& run);
    std::shared_ptr<const inspect::RunEmbeddings> computed(const figures::RunInput& run);
    /// Of anchors, series and prompts, every one of them. Throws casp::Errors.
    [[nodiscard]] std::array<analysis::PrincipalAxes, 3> axes_of_all(const figures::EmbeddedRun& run,
                                                                     FigureWork::Step& step);
    void add_cosine_map(figures::AlignmentOfRun& alignment, const inspect::RunEmbeddings& values,
                        FigureWork::Step& step);

    std::vector<std::string>& notes_;
    FigureWork& work_;
    std::stop_token stop_;
    std::map<QString, std::shared_ptr<const inspect::RunEmbeddings>> kept_;
};

}  // namespace casp::gui

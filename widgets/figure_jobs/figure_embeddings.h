#pragma once
// Data source for the paper's figures: embeddings of a sample of each run's test windows and results derived
// from them, computed on first use and cached; and the figures of stored forecasts.

#include <array>
#include <chrono>
#include <cstddef>
#include <exception>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "analysis/pca.h"
#include "figure_jobs/figure_runs.h"
#include "figures/figure.h"
#include "figures/recipe_gate.h"
#include "figures/recipe_paper_embeddings.h"
#include "figures/recipe_strata.h"
#include "util/error.h"
#include "util/progress.h"

namespace casp::figure_jobs {

/// Number of rows (windows × channels) per run in figures of embeddings: about 1,000, so that the plot is
/// readable next to the paper's 1,000 anchors. At most eight channels, evenly spaced, including the last.
inline constexpr std::int64_t figure_rows = 1024, figure_channels = 8;
/// Number of rows in the cosine map of the alignment figure.
inline constexpr std::int64_t map_rows = 224;
/// Parameters of every t-SNE in a figure.
inline constexpr double figure_perplexity = 30;
inline constexpr std::int64_t figure_seed = 2021;

/// Progress of computing several figures. One thread: that of the FigureJob.
class FigureWork {
public:
    /// `titles`: of all figures, for users. `listener` gets a line as the stage ("Figure 8 of 20: t-SNE of
    /// series (λ_cov 0), 300 of 750 iterations") and the completed figures in per cent, at most ten times a
    /// second and once for each figure and stage.
    FigureWork(std::vector<std::string> titles, ProgressFn listener)
        : titles_(std::move(titles)), listener_(std::move(listener)) {}

    void begin_figure(std::size_t number);
    /// All figures are done.
    void finish();
    /// Progress of one task of the current figure. `subject`: "λ_cov 0"; `of` is appended to the stage:
    /// " of series". Must not outlive this.
    [[nodiscard]] ProgressFn progress(std::string subject, std::string of = {});

private:
    void report(const std::string& doing, std::size_t done);

    std::vector<std::string> titles_;
    ProgressFn listener_;
    std::size_t figure_ = 0;
    std::string stage_;
    std::chrono::steady_clock::time_point reported_;
};

/// Not thread-safe. Every function throws Cancelled on a stop request. Any other failure yields an empty
/// result and a note, so that other runs and figures are still drawn.
class FigureSource {
public:
    /// Reports progress to `work`; `notes` and `work` must outlive this object.
    FigureSource(std::vector<Phrase>& notes, FigureWork& work, std::stop_token stop);

    /// Embeddings of the sample: read from arrays.h5 if all rows are stored there (prompts as the mean of all
    /// their tokens), else computed from best.safetensors. Null (with a note that names the run) if neither
    /// is available, and for runs without prompts.
    std::shared_ptr<const store::Embeddings> embeddings(const figures::RunInput& run);

    /// One run per condition for which embeddings are available (figures::runs_to_show).
    [[nodiscard]] std::vector<figures::EmbeddedRun> embedded(const figures::PaperCell& cell);

    /// Axes and fractions of variance use every test window and channel (StreamedPca needs constant memory);
    /// the points are those of the sample.
    [[nodiscard]] std::vector<figures::PlanesOfRun> planes(const figures::PaperCell& cell);
    [[nodiscard]] std::vector<figures::LayoutOfRun> layouts(const figures::PaperCell& cell);
    [[nodiscard]] std::vector<figures::AlignmentOfRun> alignments(const figures::PaperCell& cell);
    [[nodiscard]] std::vector<figures::ScoresOfRun> scores(const figures::PaperCell& cell);
    [[nodiscard]] std::vector<figures::DistributionOfRun> distributions(const figures::PaperCell& cell);
    /// Of runs with the paper's gate and a snapshot of c̃ at the best step.
    [[nodiscard]] std::vector<figures::GateOfRun> gates(const figures::PaperCell& cell);
    [[nodiscard]] std::vector<figures::StrataOfCondition> strata(const figures::PaperCell& cell,
                                                                 const analysis::StrataAxis& axis);

    /// Adds a note, unless it exists already.
    void note(const Phrase& text);
    /// Notes that a run is omitted: "seed-1 is omitted from figures of scores: …".
    void left_out(const figures::RunInput& run, const Phrase& what, const std::exception& problem);
    void left_out(const figures::RunInput& run, const Phrase& what, const Phrase& why);

    [[nodiscard]] const std::stop_token& stop() const { return stop_; }

private:
    /// The results of `make` for each run; runs for which it throws are omitted with a note (`what`:
    /// "scores").
    template <class Make>
    auto of_each(const std::vector<figures::EmbeddedRun>& runs, const Phrase& what, Make make) {
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
    [[nodiscard]] ProgressFn progress_of(const figures::EmbeddedRun& run, const std::string& of = {}) {
        return work_.progress(run.run->label.toStdString(), of);
    }
    /// One t-SNE layout; `what`: " of series".
    [[nodiscard]] store::EmbeddingLayout layout_of(const figures::EmbeddedRun& run, const Phrase& what,
                                                   std::span<const float> anchors,
                                                   std::span<const float> series,
                                                   std::span<const float> prompts);
    /// Stored embeddings of every test window and channel from arrays.h5. Empty if they are not stored, or
    /// use another definition. Throws Errors.
    [[nodiscard]] std::optional<store::Embeddings> stored_rows(const figures::RunInput& run) const;
    [[nodiscard]] std::shared_ptr<const store::Embeddings> stored(const figures::RunInput& run) const;
    std::shared_ptr<const store::Embeddings> computed(const figures::RunInput& run);
    /// Principal axes of all anchors, series and prompts. Throws Errors.
    [[nodiscard]] std::array<analysis::PrincipalAxes, 3> axes_of_all(const figures::EmbeddedRun& run);
    void add_cosine_map(figures::AlignmentOfRun& alignment);

    std::vector<Phrase>& notes_;
    FigureWork& work_;
    std::stop_token stop_;
    std::map<QString, std::shared_ptr<const store::Embeddings>> kept_;
};

/// Draws the test window with the median error of the first run, forecast by one run of each condition
/// (figures::runs_to_show). Runs on other data get a separate figure with the median window of their first
/// run: "forecast", "forecast-preset-etth2-96". Only the errors and that window are read from arrays.h5. Runs
/// with a damaged file are omitted with a note and replaced by another seed.
[[nodiscard]] std::vector<figures::Figure> forecast_figures(const figures::PaperCell& cell,
                                                            FigureSource& source);

/// Draws one run of each condition (figures::runs_to_show), from the scores in arrays.h5. Runs with a damaged
/// file are omitted with a note and replaced by another seed. Empty for runs on tables.
[[nodiscard]] std::vector<figures::Figure> series_error_figures(const figures::PaperCell& cell,
                                                                FigureSource& source);

}  // namespace casp::figure_jobs

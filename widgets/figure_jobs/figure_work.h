#pragma once
// Progress of computing several figures.

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

#include "util/progress.h"

namespace casp::figure_jobs {

/// One thread: that of the FigureJob.
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

}  // namespace casp::figure_jobs

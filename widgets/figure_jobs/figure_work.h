#pragma once
// Progress of computing several figures: current figure, current task, and estimated rest.

#include <array>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "figure_jobs/figure_runs.h"
#include "util/progress.h"

namespace casp::figure_jobs {

struct StoredParts;

/// The slow tasks of a figure.
enum class FigureTask { reading, embeddings, scores, components, tsne, cosines, strata, drawing };

/// Plans the tasks of all figures in advance, measures the time of each kind on this machine, and estimates
/// the rest. One thread: that of the FigureJob.
class FigureWork {
public:
    /// Seconds of a monotonic clock.
    using Clock = std::function<double()>;

    /// `names` as for make_figures(); `titles`: their titles for users. `listener` gets a line as the stage
    /// ("Figure 8 of 20, about 3 min left: t-SNE of series (λ_cov 0), 300 of 750 iterations") and the
    /// completed fraction as done / total (100, "%"), which never decreases. `files`: the figures are drawn
    /// into files as well.
    FigureWork(const std::vector<std::string>& names, std::vector<std::string> titles, const FigureRuns& runs,
               bool files, ProgressFn listener, Clock clock = {});

    /// A part of a task with its own progress from 0 to its end.
    struct Part {
        std::string of = {};       ///< appended to the stage: " of series"
        double from = 0, to = 1;   ///< range in the task
        std::string counted = {};  ///< only stages with this prefix count; others are only shown
    };

    /// One task, until the destructor.
    class Step {
    public:
        /// `of`: its subject, "λ_cov 0".
        Step(FigureWork& work, FigureTask task, std::string of);
        ~Step();
        Step(const Step&) = delete;
        Step& operator=(const Step&) = delete;
        /// Progress of a part. Must not outlive the step.
        [[nodiscard]] ProgressFn progress(Part part);

    private:
        FigureWork& work_;
        int failing_;  ///< uncaught exceptions at its start
    };

    /// The tasks of all figures before this one are done or not needed.
    void begin_figure(std::size_t number);
    /// All tasks are done.
    void finish();

    [[nodiscard]] double share() const;         ///< of the whole, 0 … 1
    [[nodiscard]] double seconds_left() const;  ///< negative: unknown

private:
    static constexpr std::size_t task_count = 8;
    struct Planned {
        std::size_t figure = 0;
        FigureTask task = FigureTask::drawing;
        double seconds = 0;  ///< initial estimate
        bool done = false;
    };
    /// Expected and measured seconds of the completed tasks of one kind.
    struct Measured {
        double expected = 0, taken = 0;
    };

    using StoredOf = std::function<StoredParts(const figures::RunInput&)>;
    void plan(std::size_t figure, const std::string& full_name, const FigureRuns& runs,
              const StoredOf& stored_of, bool& embedded);
    void begin(FigureTask task, std::string of);
    void advance(const Progress& progress, const Part& part);
    void end(bool failed);
    void report(const std::string& doing);

    std::vector<std::string> titles_;
    ProgressFn listener_;
    Clock clock_;
    std::vector<Planned> steps_;
    std::array<Measured, task_count> measured_{};
    std::size_t figure_ = 0;
    int current_ = -1;  ///< in steps_; −1: none
    std::string of_;    ///< subject of the current one: "λ_cov 0"
    double since_ = 0, begun_ = 0, within_ = 0, reported_share_ = 0;
};

}  // namespace casp::figure_jobs

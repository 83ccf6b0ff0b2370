#pragma once
// Where the making of some figures stands: which of how many, what is done for it, and how long the rest
// will take.

#include <array>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "gui/figure_runs.h"
#include "util/progress.h"

namespace casp::gui {

struct StoredParts;

/// What takes time in a figure.
enum class FigureTask { reading, embeddings, scores, components, tsne, cosines, strata, drawing };

/// Plans the work of all figures before the first, measures what each sort of it takes here, and says what is
/// left. One thread.
class FigureWork {
public:
    /// Seconds on a clock that only goes on.
    using Clock = std::function<double()>;

    /// `names` as make_figures() takes them; `titles`: what people call them, as many. `listener` gets one
    /// line as the stage ("Figure 8 of 20, about 3 min left: t-SNE of series (λ_cov 0), 300 of 750
    /// iterations") and the share of the whole as done / total (a hundred, of "%"), which never goes back.
    /// `files`: the figures are drawn into files as well.
    FigureWork(const std::vector<std::string>& names, std::vector<std::string> titles, const FigureRuns& runs,
               bool files, ProgressFn listener, Clock clock = {});

    /// A part of a piece of work that reports from 0 to its end.
    struct Part {
        std::string of = {};       ///< put behind what is done: " of series"
        double from = 0, to = 1;   ///< of the piece
        std::string counted = {};  ///< only stages that begin like this are counted, others told
    };

    /// One piece of work; it is done when this goes, however it ends.
    class Step {
    public:
        /// `of`: what it is about, "λ_cov 0".
        Step(FigureWork& work, FigureTask task, std::string of);
        ~Step();
        Step(const Step&) = delete;
        Step& operator=(const Step&) = delete;
        /// Hears where a part of the piece stands. Must not outlive the step.
        [[nodiscard]] ProgressFn progress(Part part);

    private:
        FigureWork& work_;
        int failing_;  ///< exceptions that were on their way when it began
    };

    /// All that was planned for the figures before this one is done or not needed.
    void begin_figure(std::size_t number);
    /// Everything is done.
    void finish();

    [[nodiscard]] double share() const;         ///< of the whole, 0 … 1
    [[nodiscard]] double seconds_left() const;  ///< negative: not known yet

private:
    static constexpr std::size_t task_count = 8;
    struct Planned {
        std::size_t figure = 0;
        FigureTask task = FigureTask::drawing;
        double seconds = 0;  ///< expected before anything was measured
        bool done = false;
    };
    /// Of a sort of work that was done here: what was expected of it, and what it took.
    struct Measured {
        double expected = 0, taken = 0;
    };

    using StoredOf = std::function<StoredParts(const figures::RunInput&)>;
    void plan(std::size_t figure, const std::string& name, const FigureRuns& runs, const StoredOf& stored_of,
              bool& embedded);
    void begin(FigureTask task, std::string of);
    void advance(const Progress& progress, const Part& part);
    void end(bool failed);
    void tell(const std::string& doing);

    std::vector<std::string> titles_;
    ProgressFn listener_;
    Clock clock_;
    std::vector<Planned> steps_;
    std::array<Measured, task_count> measured_{};
    std::size_t figure_ = 0;
    int current_ = -1;  ///< in steps_; −1: none
    std::string of_;    ///< what the current one is about: "λ_cov 0"
    double since_ = 0, begun_ = 0, within_ = 0, told_share_ = 0;
};

}  // namespace casp::gui

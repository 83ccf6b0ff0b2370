#include "figure_jobs/figure_work.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <exception>
#include <map>
#include <numeric>
#include <utility>

#include "figure_jobs/figure_embeddings.h"
#include "figure_jobs/figure_recipes.h"
#include "state/amount_text.h"

namespace casp::figure_jobs {

namespace {

/// Rough seconds, before anything was measured on this machine.
constexpr double reading_seconds = 0.5, embeddings_seconds = 4, scores_seconds = 0.5,
                 components_seconds = 0.5, tsne_seconds = 12, half_tsne_seconds = 3, cosines_seconds = 0.2,
                 drawing_seconds = 0.6;
/// Fraction of a forecast's time for embedding; the rest is the backbone.
constexpr double without_backbone = 1.0 / 80;
/// No estimates before.
constexpr double least_seconds = 2, least_share = 0.01;

double steady_seconds() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double sum(const std::vector<std::int64_t>& counts) {
    return static_cast<double>(std::accumulate(counts.begin(), counts.end(), std::int64_t{0}));
}

/// Seconds for forecasting all test windows: a third of training on as many (forward, no backward). The
/// counts of selected anchors give the numbers of windows.
double forecast_seconds(const figures::RunInput& run) {
    constexpr double guess = 30;
    if (run.record == nullptr) return guess;
    const auto& seconds = run.record->steps.seconds;
    const double trained = sum(run.record->anchors.usage_train), tested = sum(run.record->anchors.usage_test);
    double taken = 0;
    for (const double s : seconds)
        if (std::isfinite(s)) taken += s;
    return trained > 0 && tested > 0 && taken > 0 ? taken * tested / trained / 3 : guess;
}

}  // namespace

FigureWork::FigureWork(const std::vector<std::string>& names, std::vector<std::string> titles,
                       const FigureRuns& runs, bool files, ProgressFn listener, Clock clock)
    : titles_(std::move(titles)),
      listener_(std::move(listener)),
      clock_(clock ? std::move(clock) : steady_seconds) {
    titles_.resize(names.size());
    bool embedded = false;
    std::map<const figures::RunInput*, StoredParts> stored;
    const StoredOf stored_of = [&stored](const figures::RunInput& run) {
        const auto [found, is_new] = stored.try_emplace(&run);
        if (is_new) found->second = stored_parts(run);
        return found->second;
    };
    for (std::size_t i = 0; i < names.size(); ++i) {
        plan(i, names[i], runs, stored_of, embedded);
        if (files) steps_.push_back({i, FigureTask::drawing, drawing_seconds});
    }
    begun_ = clock_();
}

void FigureWork::plan(std::size_t figure, const std::string& full_name, const FigureRuns& runs,
                      const StoredOf& stored_of, bool& embedded) {
    const auto name = full_name.substr(0, full_name.find(':'));
    const auto add = [&](FigureTask task, double seconds) { steps_.push_back({figure, task, seconds}); };
    const auto& list = figure_list();
    const auto info =
        std::find_if(list.begin(), list.end(), [&](const FigureInfo& one) { return one.name == name; });
    if (info != list.end() && info->weights) {
        for (const auto& cell : runs.cells)
            for (const auto& condition : cell.conditions) {
                if (name == "strata") {
                    // With stored errors the backbone is not needed.
                    for (const auto* run : condition.runs)
                        add(FigureTask::strata,
                            (stored_of(*run).errors ? without_backbone : 1) * forecast_seconds(*run));
                    continue;
                }
                const auto& run = *condition.runs.front();
                const bool stored = stored_of(run).embeddings;
                // Cached by the first figure that needs them.
                if (!embedded && stored)
                    add(FigureTask::reading, reading_seconds);
                else if (!embedded)
                    add(FigureTask::embeddings, embeddings_seconds);
                if (name == "score-heatmap" || name == "score-distribution")
                    add(FigureTask::scores, scores_seconds);
                if (name == "pca")
                    add(FigureTask::components,
                        components_seconds +
                            (stored ? reading_seconds : without_backbone * forecast_seconds(run)));
                if (name == "tsne") add(FigureTask::tsne, tsne_seconds);
                if (name != "alignment") continue;
                add(FigureTask::tsne, half_tsne_seconds);
                add(FigureTask::tsne, half_tsne_seconds);
                add(FigureTask::cosines, cosines_seconds);
            }
        embedded = embedded || name != "strata";
    } else {
        add(FigureTask::reading, reading_seconds);
    }
}

void FigureWork::begin_figure(std::size_t number) {
    figure_ = number;
    for (auto& step : steps_) step.done = step.done || step.figure < number;
    report({});
}

void FigureWork::finish() {
    for (auto& step : steps_) step.done = true;
    figure_ = titles_.empty() ? 0 : titles_.size() - 1;
    report({});
}

void FigureWork::begin(FigureTask task, std::string of) {
    const auto wanted = [&](const Planned& step) {
        return step.figure == figure_ && step.task == task && !step.done;
    };
    auto found = std::find_if(steps_.begin(), steps_.end(), wanted);
    // Not planned: another run replaces one that could not be read. Takes as long as others of its kind.
    if (found == steps_.end()) found = steps_.insert(steps_.end(), Planned{figure_, task, 1, false});
    current_ = static_cast<int>(found - steps_.begin());
    of_ = std::move(of);
    since_ = clock_();
    within_ = 0;
}

void FigureWork::advance(const Progress& progress, const Part& part) {
    if (current_ < 0) return;
    if (progress.total > 0 && progress.stage.rfind(part.counted, 0) == 0) {
        const double done =
            std::clamp(static_cast<double>(progress.done) / static_cast<double>(progress.total), 0.0, 1.0);
        within_ = std::max(within_, part.from + done * (part.to - part.from));
    }
    auto text = progress.stage + part.of;
    if (!of_.empty()) text += " (" + of_ + ")";
    if (progress.total > 0)
        text += ", " + std::to_string(progress.done) + " of " + std::to_string(progress.total) + " " +
                progress.unit;
    report(text);
}

void FigureWork::end(bool failed) {
    if (current_ < 0) return;
    auto& step = steps_[static_cast<std::size_t>(current_)];
    step.done = true;
    auto& measured = measured_[static_cast<std::size_t>(step.task)];
    if (!failed) {
        measured.expected += step.seconds;
        measured.taken += clock_() - since_;
    }
    current_ = -1;
    within_ = 0;
}

double FigureWork::share() const {
    double whole = 0, done = 0;
    for (std::size_t i = 0; i < steps_.size(); ++i) {
        const auto& step = steps_[i];
        whole += step.seconds;
        done += step.done ? step.seconds : static_cast<int>(i) == current_ ? within_ * step.seconds : 0;
    }
    return whole > 0 ? done / whole : 0;
}

double FigureWork::seconds_left() const {
    auto measured = measured_;
    const double now = clock_();
    if (current_ >= 0 && within_ > 0.05) {
        const auto& step = steps_[static_cast<std::size_t>(current_)];
        auto& of_task = measured[static_cast<std::size_t>(step.task)];
        of_task.expected += within_ * step.seconds;
        of_task.taken += now - since_;
    }
    Measured all;
    for (const auto& one : measured) {
        all.expected += one.expected;
        all.taken += one.taken;
    }
    if (now - begun_ < least_seconds || share() < least_share || !(all.expected > 0)) return -1;
    double left = 0;
    for (std::size_t i = 0; i < steps_.size(); ++i) {
        const auto& step = steps_[i];
        if (step.done) continue;
        const auto& own = measured[static_cast<std::size_t>(step.task)];
        // A slow machine is slow at everything, but a fast embedding of a small model does not mean that a
        // t-SNE will be fast.
        const double pace =
            own.expected > 0 ? own.taken / own.expected : std::max(1.0, all.taken / all.expected);
        const double rest = static_cast<int>(i) == current_ ? 1 - within_ : 1;
        left += rest * step.seconds * pace;
    }
    return left;
}

void FigureWork::report(const std::string& doing) {
    if (!listener_) return;
    std::vector<std::string> head;
    if (titles_.size() > 1)
        head.push_back("Figure " + std::to_string(figure_ + 1) + " of " + std::to_string(titles_.size()));
    if (const auto left = widgets::time_left_text(seconds_left()); !left.isEmpty())
        head.push_back("about " + left.toStdString());
    std::string line;
    for (const auto& part : head) line += (line.empty() ? "" : ", ") + part;
    const std::string title = figure_ < titles_.size() ? titles_[figure_] : std::string();
    // Avoids "t-SNE: t-SNE of series".
    std::string rest = title;
    if (!doing.empty()) rest = title.empty() || doing.rfind(title, 0) == 0 ? doing : title + " · " + doing;
    if (!rest.empty()) line += (line.empty() ? "" : ": ") + rest;
    // A task that was not needed makes the rest larger; the shown fraction must not decrease.
    reported_share_ = std::max(reported_share_, share());
    listener_({line, static_cast<std::int64_t>(100 * reported_share_), 100, "%"});
}

FigureWork::Step::Step(FigureWork& work, FigureTask task, std::string of)
    : work_(work), failing_(std::uncaught_exceptions()) {
    work_.begin(task, std::move(of));
}

FigureWork::Step::~Step() { work_.end(std::uncaught_exceptions() > failing_); }

ProgressFn FigureWork::Step::progress(Part part) {
    return
        [work = &work_, part = std::move(part)](const Progress& progress) { work->advance(progress, part); };
}

}  // namespace casp::figure_jobs

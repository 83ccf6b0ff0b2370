#include "panels/embeddings/layout_work.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <limits>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <utility>

#include "analysis/pca.h"
#include "analysis/tsne.h"
#include "util/error.h"
#include "words/core_text.h"
#include "words/plain_text.h"

namespace casp::widgets {

namespace {

using Clock = std::chrono::steady_clock;
using Sets = EmbeddingSets;
using Layouts = std::vector<std::shared_ptr<const store::EmbeddingLayout>>;

constexpr std::int64_t pca_components = 3;
constexpr std::chrono::milliseconds between_pictures{50};
/// The divergence takes as long as an iteration, so it is not computed after each.
constexpr std::int64_t iterations_per_kl = 25;

/// Kind and row of each point of a set, in the order of the kinds.
struct Part {
    std::vector<std::int32_t> kind, row;
};

Part kinds_and_rows(const EmbeddingSet& set, const std::vector<PointKind>& kinds) {
    Part part;
    for (const auto kind : all_kinds) {
        if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end()) continue;
        const auto n = static_cast<std::size_t>(set.points_of(kind));
        part.kind.insert(part.kind.end(), n, static_cast<std::int32_t>(kind));
        const auto first = part.row.size();
        part.row.resize(first + n);
        std::iota(part.row.begin() + static_cast<std::ptrdiff_t>(first), part.row.end(), 0);
    }
    return part;
}

void append_vectors(std::vector<float>& into, const EmbeddingSet& set, const std::vector<PointKind>& kinds) {
    for (const auto kind : all_kinds) {
        if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end()) continue;
        const auto values = set.vectors_of(kind);
        into.insert(into.end(), values.begin(), values.end());
    }
}

std::vector<float> joined(const Sets& sets, PointKind kind) {
    std::vector<float> values;
    for (const auto& set : sets) {
        const auto more = set->vectors_of(kind);
        values.insert(values.end(), more.begin(), more.end());
    }
    return values;
}

/// The principal components of all sets together, cut into the sets' layouts; with the orientation of
/// `before`, if those are of the same points: the axes of a live picture must not flip.
Layouts common_pca(const Sets& sets, const Layouts& before, const std::stop_token& stop,
                   const ProgressFn& progress) {
    const auto anchors = joined(sets, PointKind::anchor), series = joined(sets, PointKind::series),
               prompts = joined(sets, PointKind::prompt);
    const auto whole = analysis::joint_layout(anchors, series, prompts, sets.front()->values.dimension,
                                              pca_components, stop, progress);
    const auto c = static_cast<std::size_t>(whole.components);
    Layouts layouts;
    std::array<std::int64_t, 3> first{};  // of each kind, in the joined rows
    const std::array<std::int64_t, 3> all{
        0, static_cast<std::int64_t>(anchors.size()) / sets.front()->values.dimension,
        static_cast<std::int64_t>(anchors.size() + series.size()) / sets.front()->values.dimension};
    for (const auto& set : sets) {
        auto layout = std::make_shared<store::EmbeddingLayout>();
        layout->components = whole.components;
        layout->explained = whole.explained;
        auto part = kinds_and_rows(*set, {all_kinds.begin(), all_kinds.end()});
        layout->points.reserve(part.kind.size() * c);
        for (std::size_t k = 0; k < all_kinds.size(); ++k) {
            const auto n = set->points_of(all_kinds[k]);
            const auto from = static_cast<std::size_t>(all[k] + first[k]) * c;
            layout->points.insert(
                layout->points.end(), whole.points.begin() + static_cast<std::ptrdiff_t>(from),
                whole.points.begin() + static_cast<std::ptrdiff_t>(from + static_cast<std::size_t>(n) * c));
            first[k] += n;
        }
        layout->kind = std::move(part.kind);
        layout->row = std::move(part.row);
        // The variance of each kind is a property of the run.
        if (set->values.pca.components == whole.components)
            layout->variance_ratio = set->values.pca.variance_ratio;
        if (before.size() == sets.size()) analysis::keep_orientation(*layout, *before[layouts.size()]);
        layouts.push_back(std::move(layout));
    }
    return layouts;
}

}  // namespace

/// A t-SNE under way, for one request.
struct LayoutWork::Course {
    struct Group {
        std::vector<std::size_t> sets;  ///< which, in Course::sets
        std::optional<analysis::Tsne> tsne = {};
        double kl = std::numeric_limits<double>::quiet_NaN();
        std::int64_t kl_at = -1;
    };
    LayoutOptions options;
    Sets sets;
    std::vector<Group> groups;
    std::vector<Part> parts;  ///< of each set

    Course(const LayoutOptions& of, const Sets& points) : options(of), sets(points) {
        for (std::size_t i = 0; i < sets.size(); ++i) {
            parts.push_back(kinds_and_rows(*sets[i], options.kinds));
            if (groups.empty() || !options.common) groups.emplace_back();
            groups.back().sets.push_back(i);
        }
    }

    /// Starts with the values of `now`, or continues with them. On a stop request throws Cancelled.
    void prepare(const Sets& now, const JobContext& job) {
        for (auto& group : groups) {
            std::vector<float> values;
            for (const auto i : group.sets) append_vectors(values, *now[i], options.kinds);
            if (group.tsne) {
                group.tsne->follow(std::move(values), job.progress, job.stop);
            } else {
                analysis::TsneOptions o;
                o.components = options.components;
                o.perplexity = options.perplexity;
                o.early_exaggeration = options.early_exaggeration;
                o.iterations = options.iterations;
                o.early_iterations = std::min<std::int64_t>(o.early_iterations, options.iterations / 3);
                o.seed = options.seed;
                const auto d = now.front()->values.dimension;
                const auto rows = static_cast<std::int64_t>(values.size()) / d;
                analysis::Tsne tsne(std::move(values), rows, d, std::move(o));
                tsne.prepare(job.progress, job.stop);
                group.tsne = std::move(tsne);
            }
            group.kl_at = -1;
        }
        sets = now;
    }

    /// Some iterations; whether any is left.
    bool advance(const std::stop_token& stop) {
        const auto end = Clock::now() + between_pictures;
        while (!stop.stop_requested()) {
            std::int64_t done = 0;
            for (auto& group : groups) done += group.tsne->advance(1, stop);
            if (done == 0) return false;
            if (Clock::now() >= end) break;
        }
        return true;
    }

    Picture picture(bool with_kl, bool complete) {
        auto made = std::make_shared<LayoutPicture>();
        made->options = options;
        made->sets = sets;
        made->layouts.resize(sets.size());
        made->complete = complete;
        for (auto& group : groups) {
            const auto done = group.tsne->iteration();
            if (with_kl || group.kl_at < 0 || done - group.kl_at >= iterations_per_kl) {
                if (group.kl_at != done) group.kl = group.tsne->kl();
                group.kl_at = done;
            }
            made->iteration = std::max(made->iteration, done);
            made->planned = std::max(made->planned, group.tsne->planned());
            made->kl.push_back(group.kl);
            const auto points = group.tsne->layout();
            auto from = points.begin();
            for (const auto i : group.sets) {
                auto layout = std::make_shared<store::EmbeddingLayout>();
                layout->components = options.components;
                layout->kind = parts[i].kind;
                layout->row = parts[i].row;
                const auto to = from + static_cast<std::ptrdiff_t>(parts[i].kind.size()) * options.components;
                layout->points.assign(from, to);
                from = to;
                layout->kl = group.kl;
                layout->perplexity = group.tsne->perplexity();
                layout->iterations = done;
                layout->seed = options.seed;
                layout->common_runs = std::ssize(group.sets);
                if (layout->common_runs > 1) layout->common_points = group.tsne->rows();
                made->layouts[i] = std::move(layout);
            }
        }
        return made;
    }
};

LayoutWork::LayoutWork() = default;
LayoutWork::~LayoutWork() = default;

void LayoutWork::set_state(State state) {
    if (state == State::running && state_ != State::running) {
        since_running_.start();
        first_iteration_ = picture_ ? picture_->iteration : 0;
    }
    state_ = state;
    Q_EMIT state_changed();
}

void LayoutWork::start(Sets sets, const LayoutOptions& options) {
    if (sets.empty()) throw std::invalid_argument("layout: no embeddings");
    for (const auto& set : sets)
        if (!set || !set->values.has_vectors() || set->values.dimension != sets.front()->values.dimension)
            throw std::invalid_argument("layout: embeddings without vectors, or of several widths");
    clear();
    options_ = options;
    auto course = options.method == LayoutMethod::tsne ? std::make_shared<Course>(options, sets) : nullptr;
    prepare(course, std::move(sets));
}

void LayoutWork::follow(Sets sets) {
    if (!picture_ || state_ == State::failed || !have_same_points(picture_->sets, sets)) {
        start(std::move(sets), options_);
        return;
    }
    next_ = std::move(sets);
    if (!job_.is_running()) go_on();
}

/// Computes neighbours, or the principal components if `course` is null.
void LayoutWork::prepare(const std::shared_ptr<Course>& course, Sets sets) {
    stage_ = course ? tr("finding neighbours") : tr("principal components");
    share_ = -1;
    if (wanted_ == State::stopped) wanted_ = State::running;
    course_ = course;
    if (course) {
        run(
            [course, sets = std::move(sets)](const JobContext& job) {
                course->prepare(sets, job);
                return course->picture(true, false);
            },
            [this](const Picture& picture) {
                picture_ = picture;
                for (const auto& group : course_->groups)
                    for (const auto& note : group.tsne->notes())
                        if (const auto text = translated(note); !notes_.contains(text)) notes_ << text;
                go_on();
            });
    } else {
        run(
            [sets = std::move(sets), options = options_, before = picture_](const JobContext& job) {
                auto made = std::make_shared<LayoutPicture>();
                made->options = options;
                made->layouts =
                    common_pca(sets, before ? before->layouts : Layouts(), job.stop, job.progress);
                made->sets = sets;
                made->complete = true;
                return Picture(std::move(made));
            },
            [this](const Picture& picture) {
                picture_ = picture;
                if (next_)
                    go_on();
                else
                    set_state(State::finished);
            });
    }
    set_state(State::preparing);
}

/// Some iterations, or none and the last picture before a pause or stop.
void LayoutWork::advance(bool hold) {
    run(
        [course = course_, hold](const JobContext& job) {
            const bool complete = !hold && !course->advance(job.stop);
            return course->picture(hold || complete, complete);
        },
        [this, hold](const Picture& picture) {
            picture_ = picture;
            if (!next_ && picture->complete) {
                wanted_ = State::running;
                set_state(State::finished);
            } else if (!next_ && hold && wanted_ != State::running) {
                set_state(wanted_);
            } else {
                go_on();
            }
        });
}

void LayoutWork::run(Job<Picture>::Work work, std::function<void(Picture)> done) {
    job_.start(std::move(work), {.done =
                                     [this, done = std::move(done)](Picture picture) {
                                         done(std::move(picture));
                                         Q_EMIT moved();
                                     },
                                 .failed =
                                     [this](const std::exception& failure) {
                                         problem_ = plain_text(failure);
                                         set_state(State::failed);
                                     },
                                 .cancelled = [this] { set_state(State::stopped); },
                                 .progress =
                                     [this](const Progress& p) {
                                         stage_ = translated_stage(p.stage).toLower();
                                         share_ = job_.fraction();
                                         Q_EMIT state_changed();
                                     }});
}

/// The next piece of work.
void LayoutWork::go_on() {
    if (next_)
        prepare(course_, *std::exchange(next_, std::nullopt));
    else if (wanted_ != State::running)
        advance(true);
    else {
        advance(false);
        set_state(State::running);
    }
}

void LayoutWork::pause() {
    if (state_ == State::running) wanted_ = State::paused;
}

void LayoutWork::resume() {
    wanted_ = State::running;
    if (state_ == State::paused) go_on();
}

void LayoutWork::stop() {
    if (!is_busy()) return;
    wanted_ = State::stopped;
    next_.reset();
    if (state_ == State::preparing) job_.request_stop();
    if (state_ == State::paused) go_on();
}

void LayoutWork::clear() {
    job_.cancel();
    next_.reset();
    course_.reset();
    picture_.reset();
    problem_.clear();
    notes_.clear();
    wanted_ = State::running;
    set_state(State::idle);
}

double LayoutWork::seconds_left() const {
    if (state_ != State::running || !picture_) return -1;
    const auto done = picture_->iteration - first_iteration_;
    if (done < 5) return -1;
    return static_cast<double>(since_running_.elapsed()) / 1000 / static_cast<double>(done) *
           static_cast<double>(picture_->planned - picture_->iteration);
}

}  // namespace casp::widgets

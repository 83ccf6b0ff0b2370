#include "state/layout_work.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <limits>
#include <mutex>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <utility>

#include "analysis/pca.h"
#include "analysis/tsne.h"
#include "state/core_message.h"
#include "state/core_text.h"
#include "state/plain_text.h"
#include "util/error.h"

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

Part part_of(const EmbeddingSet& set, const std::vector<PointKind>& kinds) {
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

/// The principal components of all sets together, cut into the sets' layouts.
Layouts common_pca(const Sets& sets, const std::stop_token& stop, const ProgressFn& progress) {
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
        auto part = part_of(*set, {all_kinds.begin(), all_kinds.end()});
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
        layouts.push_back(std::move(layout));
    }
    return layouts;
}

Layouts own_pca(const Sets& sets, const std::stop_token& stop, const ProgressFn& progress) {
    Layouts layouts;
    for (const auto& set : sets) {
        if (!set->values.pca.empty()) {
            layouts.push_back(std::make_shared<store::EmbeddingLayout>(set->values.pca));
            continue;
        }
        const auto& v = set->values;
        // Progress over all sets.
        const auto done = static_cast<std::int64_t>(layouts.size()),
                   count = static_cast<std::int64_t>(sets.size());
        const auto of_all = [&](Progress p) {
            p.done += done * p.total;
            p.total *= count;
            progress(p);
        };
        layouts.push_back(std::make_shared<store::EmbeddingLayout>(analysis::joint_layout(
            v.anchors, v.series, v.prompt, v.dimension, pca_components, stop, of_all)));
    }
    return layouts;
}

}  // namespace

/// One request, shared by the GUI thread (which changes it) and the pool's thread (which computes).
class LayoutWork::Job {
public:
    Job(Sets sets, LayoutOptions options, std::shared_ptr<Inbox::Link> link)
        : sets_(std::move(sets)), options_(std::move(options)), link_(std::move(link)) {}

    // GUI thread.
    void set_paused(bool on) {
        ask([&] { paused_ = on; });
    }
    void quit() {
        ask([&] {
            quit_ = true;
            stop_.request_stop();
        });
    }
    /// Ends iterations or preparation; the job then waits for the next request.
    void end() {
        ask([&] {
            end_ = true;
            stop_.request_stop();
        });
    }
    void follow(Sets sets) {
        ask([&] { next_ = std::move(sets); });
    }
    void extend(std::int64_t iterations) {
        ask([&] { more_ += iterations; });
    }
    Report report() {
        const std::lock_guard lock(mutex_);
        posted_ = false;
        auto report = report_;
        report_.new_picture = false;
        return report;
    }

    /// The pool's thread.
    void run(LayoutWork* owner, const std::shared_ptr<Job>& self);

private:
    struct Group {
        std::vector<std::size_t> sets;  ///< which, in sets_
        std::optional<analysis::Tsne> tsne;
        double kl = std::numeric_limits<double>::quiet_NaN();
        std::int64_t kl_at = -1;
    };

    template <class Change>
    void ask(Change change) {
        {
            const std::lock_guard lock(mutex_);
            change();
        }
        asked_.notify_all();
    }
    void set_state(State state, const QString& stage = {}, double share = -1);
    /// Reports progress of the preparation.
    ProgressFn preparation_progress() {
        return [this](const Progress& p) {
            set_state(State::preparing, translated_stage(QString::fromStdString(p.stage)).toLower(),
                      p.total > 0 ? static_cast<double>(p.done) / static_cast<double>(p.total) : -1);
        };
    }
    void show(Layouts layouts, bool complete);
    void post();
    void do_pca();
    void do_tsne();
    void prepare(Group& group, std::vector<float> values, bool again);
    /// Prepares a new t-SNE on the device, or on the CPU if the device fails.
    void prepare_on_device(Group& group, std::vector<float> values, std::int64_t rows,
                           analysis::TsneOptions options);
    [[nodiscard]] std::vector<float> values_of(const Group& group) const;
    void picture(bool with_kl, bool complete);
    void iterate();
    /// Waits for the next request; false: quit.
    bool wait();
    std::stop_token token() {
        const std::lock_guard lock(mutex_);
        return stop_.get_token();
    }

    Sets sets_;
    const LayoutOptions options_;
    std::shared_ptr<Inbox::Link> link_;
    LayoutWork* owner_ = nullptr;
    std::weak_ptr<Job> self_;
    std::vector<Group> groups_;
    std::vector<Part> parts_;
    Layouts before_;  ///< latest PCA, to keep its orientation
    QStringList notes_;

    std::mutex mutex_;
    std::condition_variable asked_;
    std::stop_source stop_;
    bool paused_ = false, quit_ = false, end_ = false, posted_ = false;
    std::optional<Sets> next_;
    std::int64_t more_ = 0;
    Report report_;
};

void LayoutWork::Job::post() {
    // At most one event: a busy GUI thread gets the latest state only.
    {
        const std::lock_guard lock(mutex_);
        if (std::exchange(posted_, true)) return;
    }
    link_->post([owner = owner_, self = self_] {
        if (const auto job = self.lock()) owner->take(job);
    });
}

void LayoutWork::Job::set_state(State state, const QString& stage, double share) {
    {
        const std::lock_guard lock(mutex_);
        report_.state = state;
        report_.stage = stage;
        report_.share = share;
        report_.notes = notes_;
    }
    post();
}

void LayoutWork::Job::show(Layouts layouts, bool complete) {
    auto made = std::make_shared<LayoutPicture>();
    made->options = options_;
    made->sets = sets_;
    made->layouts = std::move(layouts);
    made->complete = complete;
    for (const auto& group : groups_) {
        made->iteration = std::max(made->iteration, group.tsne->iteration());
        made->planned = std::max(made->planned, group.tsne->planned());
        made->kl.push_back(group.kl);
    }
    {
        const std::lock_guard lock(mutex_);
        report_.picture = std::move(made);
        report_.new_picture = true;
    }
    post();
}

void LayoutWork::Job::do_pca() {
    set_state(State::preparing, QObject::tr("principal components"));
    const auto progress = preparation_progress();
    auto layouts = options_.common && sets_.size() > 1 ? common_pca(sets_, token(), progress)
                                                       : own_pca(sets_, token(), progress);
    // The axes of a live picture must not flip.
    if (before_.size() == layouts.size())
        for (std::size_t i = 0; i < layouts.size(); ++i) {
            auto turned = *layouts[i];
            analysis::keep_orientation(turned, *before_[i]);
            layouts[i] = std::make_shared<store::EmbeddingLayout>(std::move(turned));
        }
    before_ = layouts;
    show(std::move(layouts), true);
    set_state(State::finished);
}

std::vector<float> LayoutWork::Job::values_of(const Group& group) const {
    std::vector<float> values;
    for (const auto i : group.sets) append_vectors(values, *sets_[i], options_.kinds);
    return values;
}

void LayoutWork::Job::prepare(Group& group, std::vector<float> values, bool again) {
    const auto progress = preparation_progress();
    if (again) {
        group.tsne->follow(std::move(values), progress, token());
    } else {
        analysis::TsneOptions o;
        o.components = options_.components;
        o.perplexity = options_.perplexity;
        o.early_exaggeration = options_.early_exaggeration;
        o.iterations = options_.iterations;
        o.early_iterations = std::min<std::int64_t>(o.early_iterations, options_.iterations / 3);
        o.seed = options_.seed;
        const auto d = sets_.front()->values.dimension;
        const auto rows = static_cast<std::int64_t>(values.size()) / d;
        o.device = analysis::tsne_device(options_.device, rows, d);
        if (o.device == "cpu") {
            group.tsne.emplace(std::move(values), rows, d, std::move(o));
            group.tsne->prepare(progress, token());
        } else {
            prepare_on_device(group, std::move(values), rows, std::move(o));
        }
    }
    for (const auto& note : group.tsne->notes())
        if (const auto text = translated_message(note.text); !notes_.contains(text)) notes_ << text;
    group.kl_at = -1;
}

void LayoutWork::Job::prepare_on_device(Group& group, std::vector<float> values, std::int64_t rows,
                                        analysis::TsneOptions options) {
    const auto note = [this](const QString& text) {
        if (!notes_.contains(text)) notes_ << text;
    };
    const auto d = sets_.front()->values.dimension;
    const auto name = QString::fromStdString(options.device);
    try {
        group.tsne.emplace(values, rows, d, options);
        group.tsne->prepare(preparation_progress(), token());
        return note(QObject::tr("on %1").arg(name));
    } catch (const Cancelled&) {
        throw;
    } catch (const Error&) {
        throw;
    } catch (const std::exception&) {
        // E.g. another process has taken the memory meanwhile.
        note(QObject::tr("on the CPU, because %1 failed").arg(name));
    }
    options.device = "cpu";
    group.tsne.emplace(std::move(values), rows, d, std::move(options));
    group.tsne->prepare(preparation_progress(), token());
}

void LayoutWork::Job::picture(bool with_kl, bool complete) {
    Layouts layouts(sets_.size());
    for (auto& group : groups_) {
        const auto done = group.tsne->iteration();
        if (with_kl && group.kl_at != done) {
            group.kl = group.tsne->kl();
            group.kl_at = done;
        }
        const auto points = group.tsne->layout();
        const auto c = static_cast<std::size_t>(options_.components);
        std::size_t first = 0;
        const auto all = static_cast<std::int64_t>(points.size() / c);
        for (const auto i : group.sets) {
            auto layout = std::make_shared<store::EmbeddingLayout>();
            layout->components = options_.components;
            layout->kind = parts_[i].kind;
            layout->row = parts_[i].row;
            const auto n = parts_[i].kind.size() * c;
            layout->points.assign(points.begin() + static_cast<std::ptrdiff_t>(first),
                                  points.begin() + static_cast<std::ptrdiff_t>(first + n));
            first += n;
            layout->kl = group.kl;
            layout->perplexity = group.tsne->perplexity();
            layout->iterations = done;
            layout->seed = options_.seed;
            layout->common_runs = static_cast<std::int64_t>(group.sets.size());
            if (layout->common_runs > 1) layout->common_points = all;
            layouts[i] = std::move(layout);
        }
    }
    show(std::move(layouts), complete);
}

void LayoutWork::Job::do_tsne() {
    if (groups_.empty()) {
        for (std::size_t i = 0; i < sets_.size(); ++i) {
            parts_.push_back(part_of(*sets_[i], options_.kinds));
            if (groups_.empty() || !options_.common) groups_.emplace_back();
            groups_.back().sets.push_back(i);
        }
        for (auto& group : groups_) prepare(group, values_of(group), false);
    }
    picture(true, false);
    iterate();
}

void LayoutWork::Job::iterate() {
    set_state(State::running);
    auto shown = Clock::now();
    while (true) {
        bool paused = false;
        {
            const std::lock_guard lock(mutex_);
            if (quit_) throw Cancelled();
            if (end_ || next_) break;
            paused = paused_;
        }
        if (paused) {
            picture(true, false);
            set_state(State::paused);
            std::unique_lock lock(mutex_);
            asked_.wait(lock, [&] { return !paused_ || quit_ || end_ || next_; });
            lock.unlock();
            set_state(State::running);
            continue;
        }
        std::int64_t done = 0;
        bool kl = false;
        for (auto& group : groups_) {
            done += group.tsne->advance(1, token());
            kl = kl || (done > 0 && group.tsne->iteration() - group.kl_at >= iterations_per_kl);
        }
        if (done == 0) break;
        const auto now = Clock::now();
        if (now - shown < between_pictures) continue;
        picture(kl, false);
        shown = Clock::now();
    }
    {
        const std::lock_guard lock(mutex_);
        if (next_) return;
    }
    picture(true, true);
    bool stopped = false;
    {
        const std::lock_guard lock(mutex_);
        stopped = end_;
    }
    set_state(stopped ? State::stopped : State::finished);
}

bool LayoutWork::Job::wait() {
    std::unique_lock lock(mutex_);
    asked_.wait(lock, [&] { return quit_ || next_ || more_ > 0; });
    end_ = false;
    stop_ = {};
    if (quit_) return false;
    return true;
}

void LayoutWork::Job::run(LayoutWork* owner, const std::shared_ptr<Job>& self) {
    owner_ = owner;
    self_ = self;
    {
        const std::lock_guard lock(mutex_);
        if (quit_) return;
    }
    bool ready = false;  // there is a layout to continue
    do {
        Sets before;  // the sets of the layout until it has followed
        try {
            Sets next;
            std::int64_t more = 0;
            {
                const std::lock_guard lock(mutex_);
                if (next_) next = std::move(*std::exchange(next_, std::nullopt));
                more = std::exchange(more_, 0);
            }
            if (!next.empty()) before = std::exchange(sets_, std::move(next));
            if (options_.method == LayoutMethod::pca) {
                do_pca();
            } else {
                for (auto& group : groups_) {
                    if (!ready) break;
                    if (more > 0)
                        group.tsne->extend(more);
                    else
                        prepare(group, values_of(group), true);
                }
                before.clear();
                if (!ready) {
                    groups_.clear();
                    parts_.clear();
                }
                do_tsne();
                ready = true;
            }
        } catch (const Cancelled&) {
            bool quit = false;
            {
                const std::lock_guard lock(mutex_);
                quit = quit_;
            }
            if (quit) return;
            if (ready && !groups_.empty()) {
                if (!before.empty()) sets_ = std::move(before);
                picture(true, true);
            }
            set_state(State::stopped);
        } catch (const std::exception& failure) {
            {
                const std::lock_guard lock(mutex_);
                report_.problem = plain_text(failure);
            }
            set_state(State::failed);
        }
    } while (wait());
}

LayoutWork::LayoutWork(QObject* parent) : QObject(parent) {}

LayoutWork::~LayoutWork() { end_job(); }

void LayoutWork::end_job() {
    if (job_) job_->quit();
    job_.reset();
}

void LayoutWork::start(Sets sets, const LayoutOptions& options) {
    if (sets.empty()) throw std::invalid_argument("layout: no embeddings");
    for (const auto& set : sets)
        if (!set || !set->values.has_vectors() || set->values.dimension != sets.front()->values.dimension)
            throw std::invalid_argument("layout: embeddings without vectors, or of several widths");
    end_job();
    options_ = options;
    picture_.reset();
    problem_.clear();
    notes_.clear();
    state_ = State::preparing;
    stage_ = options.method == LayoutMethod::pca ? tr("principal components") : tr("finding neighbours");
    share_ = -1;
    job_ = std::make_shared<Job>(std::move(sets), options, inbox_.link());
    pool_.start([job = job_, this] { job->run(this, job); });
    Q_EMIT state_changed();
}

void LayoutWork::follow(Sets sets) {
    if (!job_ || !picture_ || state_ == State::failed || !have_same_points(picture_->sets, sets)) {
        start(std::move(sets), options_);
        return;
    }
    job_->follow(std::move(sets));
}

void LayoutWork::pause() {
    if (job_) job_->set_paused(true);
}
void LayoutWork::resume() {
    if (job_) job_->set_paused(false);
}
void LayoutWork::stop() {
    if (!job_ || !is_busy()) return;
    job_->set_paused(false);
    job_->end();
}
void LayoutWork::extend(std::int64_t iterations) {
    if (job_ && (state_ == State::finished || state_ == State::stopped) && picture_ &&
        options_.method == LayoutMethod::tsne)
        job_->extend(iterations);
}

void LayoutWork::clear() {
    end_job();
    picture_.reset();
    problem_.clear();
    notes_.clear();
    state_ = State::idle;
    Q_EMIT state_changed();
}

double LayoutWork::seconds_left() const {
    if (state_ != State::running || !picture_) return -1;
    const auto done = picture_->iteration - first_iteration_;
    if (done < 5) return -1;
    return static_cast<double>(since_running_.elapsed()) / 1000 / static_cast<double>(done) *
           static_cast<double>(picture_->planned - picture_->iteration);
}

void LayoutWork::take(const std::shared_ptr<Job>& job) {
    if (job != job_) return;  // of a superseded request
    const auto report = job->report();
    if (report.state == State::running && state_ != State::running) {
        since_running_.start();
        first_iteration_ = report.picture ? report.picture->iteration : 0;
    }
    state_ = report.state;
    stage_ = report.stage;
    share_ = report.share;
    notes_ = report.notes;
    problem_ = report.problem;
    if (report.picture) picture_ = report.picture;
    if (report.new_picture) Q_EMIT moved();
    Q_EMIT state_changed();
}

}  // namespace casp::widgets

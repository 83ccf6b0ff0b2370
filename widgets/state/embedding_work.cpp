#include "state/embedding_work.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

#include "analysis/pca.h"
#include "inspect/stored_embeddings.h"
#include "util/error.h"
#include "words/plain_text.h"

namespace casp::widgets {

namespace {

void add_components(EmbeddingSet& set, const std::stop_token& stop, const ProgressFn& progress = {}) {
    auto& v = set.values;
    if (!v.has_vectors()) return;
    // Also where a layout of version 1.0.0 lacks the variance on its axes.
    if (v.pca.explained.empty())
        v.pca = analysis::joint_layout(v.anchors, v.series, v.prompt, v.dimension, layout_components, stop,
                                       progress);
    for (const auto kind : all_kinds) {
        std::vector<double> fractions(2, std::numeric_limits<double>::quiet_NaN());
        if (const auto n = set.points_of(kind); n > 1 && v.dimension > 1)
            fractions = analysis::principal_axes(set.vectors_of(kind), n, v.dimension, 2, stop, progress)
                            .shares.uncentred;
        fractions.resize(2, std::numeric_limits<double>::quiet_NaN());
        set.uncentred.insert(set.uncentred.end(), fractions.begin(), fractions.end());
    }
}

/// "952 windows × 21 channels": what to compute for this layout.
QString rows_text(const store::EmbeddingLayout& layout) {
    const auto count = [](const std::vector<std::int64_t>& list, const QString& unit) {
        return unit.arg(list.empty() ? QObject::tr("all") : counted(std::ssize(list)));
    };
    auto text = count(layout.windows, QObject::tr("%1 windows")) + QStringLiteral(" × ") +
                count(layout.channels, QObject::tr("%1 channels"));
    if (layout.patches > 1) text += QObject::tr(" × %1 patches").arg(layout.patches);
    if (layout.prefix_only) text += QObject::tr(", prefix only");
    return text;
}

/// Adds the run's stored t-SNE to `set` if it has the same rows; else sets `other_tsne`.
void add_stored_tsne(EmbeddingSet& set) {
    auto layout = inspect::read_stored_tsne(set.folder.toStdString(), set.values.split, set.moment().step);
    if (set.values.fits(layout))
        set.values.tsne = std::move(layout);
    else if (!layout.empty())
        set.other_tsne = rows_text(layout);
}

}  // namespace

std::shared_ptr<EmbeddingHost> EmbeddingHost::shared() {
    static std::weak_ptr<EmbeddingHost> known;
    auto host = known.lock();
    if (!host) known = host = std::make_shared<EmbeddingHost>();
    return host;
}

void EmbeddingHost::trim() {
    std::size_t sum = 0;
    for (const auto* work : works_) sum += work->bytes();
    for (auto it = works_.rbegin(); it != works_.rend() && sum > max_bytes_; ++it) {
        auto& work = **it;
        const bool asked_last = std::next(it) == works_.rend();
        const auto before = work.sets_.size();
        for (auto i = before; i-- > 0 && sum > max_bytes_;) {
            const auto& [set, since_asked] = work.sets_[i];
            if (set.use_count() > 1 || since_asked.elapsed() < idle_ms_)
                continue;  // used by a view, or about to be
            // Sets of snapshots can be computed again, and there may be any number of them.
            if (asked_last && (i == 0 || !(set->stored || set->moment().step))) continue;
            sum -= set->bytes();
            work.sets_.erase(work.sets_.begin() + static_cast<std::ptrdiff_t>(i));
        }
        if (work.sets_.size() == before) continue;
        work.looked_for_.clear();
        work.changed_(false);
    }
}

EmbeddingWork::EmbeddingWork(QString run_folder, std::shared_ptr<EmbeddingHost> host,
                             std::function<void(bool)> changed)
    : folder_(std::move(run_folder)),
      host_(std::move(host)),
      place_(host_->works_.insert(host_->works_.end(), this)),
      changed_(std::move(changed)),
      job_(host_->pool_) {}

EmbeddingWork::~EmbeddingWork() { host_->works_.erase(place_); }

std::shared_ptr<const EmbeddingSet> EmbeddingWork::set() {
    const auto best = std::ranges::find_if(sets_, [](const Kept& kept) { return !kept.set->moment().step; });
    return ask(best == sets_.end() ? nullptr : &*best);
}

std::shared_ptr<const EmbeddingSet> EmbeddingWork::set_of(const EmbeddingMoment& moment) {
    return ask(find(moment));
}

std::shared_ptr<const EmbeddingSet> EmbeddingWork::ask(Kept* kept) {
    host_->works_.splice(host_->works_.begin(), host_->works_, place_);
    if (kept == nullptr) return nullptr;
    kept->since_asked.start();
    return kept->set;
}

EmbeddingWork::Kept* EmbeddingWork::find(const EmbeddingMoment& moment) {
    const auto found =
        std::ranges::find_if(sets_, [&](const Kept& kept) { return kept.set->moment() == moment; });
    return found == sets_.end() ? nullptr : &*found;
}

std::size_t EmbeddingWork::bytes() const {
    std::size_t sum = 0;
    for (const auto& kept : sets_) sum += kept.set->bytes();
    return sum;
}

void EmbeddingWork::begin(EmbeddingStatus::Phase phase, Stage stage, Job<Outcome>::Work work) {
    status_ = {};
    reading_ = phase == EmbeddingStatus::Phase::reading;
    status_.phase = reading_ ? phase : EmbeddingStatus::Phase::waiting;
    status_.stage = Stage::waiting;
    job_.start(
        [work = std::move(work), stage](const JobContext& job) {
            job.progress({stage, 0, 0, {}});
            return work(job);
        },
        {.done = [this](Outcome outcome) { end(std::move(outcome)); },
         .failed =
             [this](const std::exception& failure) {
                 end({nullptr, plain_text(failure)});
             },
         .cancelled = [this] { end({}); },
         .progress =
             [this, phase, first = true](const Progress& progress) mutable {
                 status_.phase = phase;
                 status_.stage = progress.stage;
                 status_.share = job_.fraction();
                 status_.seconds_left = job_.seconds_left();
                 changed_(!std::exchange(first, false));
             }});
    changed_(false);
}

void EmbeddingWork::end(Outcome outcome) {
    status_ = {};
    status_.problem = outcome.problem;
    const QString problem = outcome.problem;
    if (outcome.set) keep(std::move(outcome));
    host_->trim();
    if (next_layout_) {
        auto waiting = std::move(*std::exchange(next_layout_, std::nullopt));
        begin_storing(std::move(waiting), problem);
        return;
    }
    if (next_) {
        auto request = std::move(*std::exchange(next_, std::nullopt));
        (void)compute(std::move(request));
        return;
    }
    changed_(false);
}

void EmbeddingWork::keep(Outcome outcome) {
    if (outcome.former) {
        if (next_layout_ && next_layout_->set == outcome.former) next_layout_->set = outcome.set;
        for (auto& kept : sets_)
            if (kept.set == outcome.former) kept.set = outcome.set;
        return;
    }
    std::erase_if(sets_, [&](const Kept& kept) { return kept.set->moment() == outcome.set->moment(); });
    sets_.insert(sets_.begin(), Kept{std::move(outcome.set), {}});
    sets_.front().since_asked.start();
}

void EmbeddingWork::read_stored(const EmbeddingMoment& moment) {
    if (find(moment) != nullptr || status_.is_busy() || looked_for_.contains(moment.name())) return;
    looked_for_.insert(moment.name());
    begin(EmbeddingStatus::Phase::reading, Stage::reading_embeddings,
          [folder = folder_, moment](const JobContext& job) {
              auto found = inspect::read_stored_embeddings(folder.toStdString(), moment.split.toStdString(),
                                                           moment.step, job.stop);
              if (!found) return Outcome{};
              auto set = std::make_shared<EmbeddingSet>();
              set->folder = folder;
              set->stored = true;
              set->values = std::move(*found);
              add_stored_tsne(*set);
              add_components(*set, job.stop);
              return Outcome{std::move(set)};
          });
}

bool EmbeddingWork::compute(inspect::EmbeddingRequest request) {
    if (status_.is_busy()) {
        if (!reading_) return false;
        next_ = std::move(request);
        return true;
    }
    request.run = folder_.toStdString();
    begin(EmbeddingStatus::Phase::computing, Stage::reading_weights,
          [folder = folder_, request = std::move(request)](const JobContext& job) {
              auto set = std::make_shared<EmbeddingSet>();
              set->folder = folder;
              set->values = inspect::compute_embeddings(request, job.progress, job.stop);
              add_components(*set, job.stop, job.progress);
              Outcome outcome{set};
              try {
                  add_stored_tsne(*set);
              } catch (const std::exception& failure) {  // the computed set is still useful
                  outcome.problem = plain_text(failure);
              }
              return outcome;
          });
    return true;
}

void EmbeddingWork::cancel() {
    next_.reset();
    job_.request_stop();
}

void EmbeddingWork::store(const EmbeddingMoment& moment) {
    const auto* kept = find(moment);
    if (status_.is_busy() || kept == nullptr) return;
    begin(EmbeddingStatus::Phase::storing, Stage::storing_embeddings,
          [folder = folder_, set = kept->set](const JobContext&) {
              inspect::store_embeddings(folder.toStdString(), set->values);
              if (!set->values.pca.empty())
                  inspect::store_layout(folder.toStdString(), set->values, "pca", set->values.pca);
              auto now = std::make_shared<EmbeddingSet>(*set);
              now->stored = true;
              return Outcome{std::move(now), {}, set};
          });
}

void EmbeddingWork::store_layout(const EmbeddingMoment& moment, const QString& name,
                                 const store::EmbeddingLayout& layout) {
    const auto* kept = find(moment);
    if (kept == nullptr) return;
    WaitingLayout waiting{kept->set, name.toStdString(), layout};
    if (status_.is_busy())
        next_layout_ = std::move(waiting);
    else
        begin_storing(std::move(waiting), {});
}

void EmbeddingWork::begin_storing(WaitingLayout waiting, const QString& problem) {
    begin(EmbeddingStatus::Phase::storing, Stage::storing_layout,
          [folder = folder_, waiting = std::move(waiting), problem](const JobContext&) {
              inspect::store_layout(folder.toStdString(), waiting.set->values, waiting.name, waiting.layout);
              if (waiting.name != "tsne") return Outcome{nullptr, problem};
              auto now = std::make_shared<EmbeddingSet>(*waiting.set);
              now->other_tsne.clear();
              auto& v = now->values;
              v.tsne = waiting.layout;
              // As in the file now.
              v.tsne.windows = v.windows;
              v.tsne.channels = v.channels;
              v.tsne.patches = v.patches;
              v.tsne.prefix_only = v.prefix_only;
              return Outcome{std::move(now), problem, waiting.set};
          });
}

void EmbeddingWork::forget() {
    job_.cancel();
    const bool was_busy = std::exchange(status_, {}).is_busy();
    looked_for_.clear();
    next_.reset();
    next_layout_.reset();
    sets_.clear();
    if (was_busy) changed_(false);
}

}  // namespace casp::widgets

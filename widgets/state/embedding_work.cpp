#include "state/embedding_work.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <limits>
#include <utility>

#include "analysis/pca.h"
#include "run/preparation.h"
#include "state/stored_embeddings.h"
#include "util/error.h"

namespace casp::widgets {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds between_reports{50};

void add_components(EmbeddingSet& set, const std::stop_token& stop, const ProgressFn& progress = {}) {
    const auto& v = set.values;
    if (!set.has_vectors()) return;
    if (set.pca.points.empty())
        set.pca = analysis::joint_layout(v.anchors, v.series, v.prompt, v.dimension, layout_components, stop,
                                         progress);
    for (const auto kind : all_kinds) {
        std::vector<double> shares(2, std::numeric_limits<double>::quiet_NaN());
        if (const auto n = set.points_of(kind); n > 1 && v.dimension > 1)
            shares = analysis::explained_variance(set.vectors_of(kind), n, v.dimension, 2, stop, progress)
                         .uncentred;
        shares.resize(2, std::numeric_limits<double>::quiet_NaN());
        set.uncentred.insert(set.uncentred.end(), shares.begin(), shares.end());
    }
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
    for (auto it = works_.rbegin(); it != works_.rend() && sum > most_bytes_; ++it) {
        auto& work = **it;
        const bool asked_last = std::next(it) == works_.rend();
        const auto before = work.sets_.size();
        for (auto i = before; i-- > 0 && sum > most_bytes_;) {
            const auto& [set, since_asked] = work.sets_[i];
            if (set.use_count() > 1 || since_asked.elapsed() < idle_ms_)
                continue;  // a view shows it, or will
            // Of snapshots there may be any number, which can be computed again.
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
      changed_(std::move(changed)) {}

EmbeddingWork::~EmbeddingWork() {
    stop_.request_stop();
    host_->works_.erase(place_);
}

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

void EmbeddingWork::begin(EmbeddingStatus::Phase phase, const QString& stage,
                          std::function<Outcome(const ProgressFn&, const std::stop_token&)> work) {
    status_ = {};
    reading_ = phase == EmbeddingStatus::Phase::reading;
    status_.phase = reading_ ? phase : EmbeddingStatus::Phase::waiting;
    status_.stage = QStringLiteral("waiting for other work");
    stop_ = {};
    const auto started = [this, phase, stage] {
        status_.phase = phase;
        status_.stage = stage;
        since_begin_.start();
        changed_(false);
    };
    const auto told = [this](const Progress& p) {
        if (!status_.is_busy()) return;
        // Each stage has a pace of its own.
        if (const auto now = QString::fromStdString(p.stage); now != status_.stage) {
            status_.stage = now;
            since_begin_.start();
        }
        status_.share = p.total > 0 ? static_cast<double>(p.done) / static_cast<double>(p.total) : -1;
        const double seconds = static_cast<double>(since_begin_.elapsed()) / 1000;
        status_.seconds_left =
            status_.share > 0.02 && seconds > 1 ? seconds * (1 - status_.share) / status_.share : -1;
        changed_(true);
    };
    inbox_.run(
        host_->pool_,
        [link = inbox_.link(), stop = stop_.get_token(), work = std::move(work), started, told] {
            Outcome outcome;
            link->post(started);
            auto last = Clock::time_point{};
            std::string told_stage;
            const auto progress = [&](const Progress& p) {
                const auto now = Clock::now();
                if (p.stage == told_stage && now - last < between_reports) return;
                told_stage = p.stage;
                last = now;
                link->post([told, p] { told(p); });
            };
            try {
                if (stop.stop_requested()) throw Cancelled();
                outcome = work(progress, stop);
            } catch (const Cancelled&) {
                outcome.cancelled = true;
            } catch (const std::exception& failure) {
                outcome.problem = QString::fromStdString(run::plain_message(failure));
            }
            return outcome;
        },
        [this, times = times_forgotten_](Outcome outcome) {
            if (times != times_forgotten_) outcome.set.reset();  // it was done before it could be stopped
            end(std::move(outcome));
        });
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
    begin(EmbeddingStatus::Phase::reading, QStringLiteral("reading stored embeddings"),
          [folder = folder_, moment](const ProgressFn&, const std::stop_token& stop) {
              auto set = read_stored_embeddings(folder, moment, stop);
              if (set) add_components(*set, stop);
              return Outcome{std::move(set), {}, false, nullptr};
          });
}

bool EmbeddingWork::compute(inspect::EmbeddingRequest request) {
    if (status_.is_busy()) {
        if (!reading_) return false;
        next_ = std::move(request);
        return true;
    }
    request.run = folder_.toStdString();
    begin(EmbeddingStatus::Phase::computing, QStringLiteral("reading the weights"),
          [folder = folder_, request = std::move(request)](const ProgressFn& progress,
                                                           const std::stop_token& stop) {
              auto set = std::make_shared<EmbeddingSet>();
              set->folder = folder;
              set->values = inspect::compute_embeddings(request, progress, stop);
              add_components(*set, stop, progress);
              Outcome outcome{set, {}, false, nullptr};
              try {
                  add_stored_tsne(*set);
              } catch (const std::exception& failure) {  // what was computed is there all the same
                  outcome.problem = QString::fromStdString(run::plain_message(failure));
              }
              return outcome;
          });
    return true;
}

void EmbeddingWork::cancel() {
    next_.reset();
    stop_.request_stop();
}

void EmbeddingWork::store(const EmbeddingMoment& moment) {
    const auto* kept = find(moment);
    if (status_.is_busy() || kept == nullptr) return;
    begin(EmbeddingStatus::Phase::storing, QStringLiteral("storing in the run"),
          [folder = folder_, set = kept->set](const ProgressFn&, const std::stop_token&) {
              inspect::store_embeddings(folder.toStdString(), set->values);
              if (!set->pca.points.empty())
                  inspect::store_layout(folder.toStdString(), set->values, "pca", set->pca);
              auto now = std::make_shared<EmbeddingSet>(*set);
              now->stored = true;
              return Outcome{std::move(now), {}, false, set};
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
    begin(
        EmbeddingStatus::Phase::storing, QStringLiteral("storing the layout in the run"),
        [folder = folder_, waiting = std::move(waiting), problem](const ProgressFn&, const std::stop_token&) {
            inspect::store_layout(folder.toStdString(), waiting.set->values, waiting.name, waiting.layout);
            if (waiting.name != "tsne") return Outcome{nullptr, problem, false, nullptr};
            auto now = std::make_shared<EmbeddingSet>(*waiting.set);
            now->other_tsne.clear();
            now->tsne = waiting.layout;
            // As the file tells it now.
            now->tsne->windows = now->values.windows;
            now->tsne->channels = now->values.channels;
            now->tsne->patches = now->values.patches;
            now->tsne->prefix_only = now->values.prefix_only;
            return Outcome{std::move(now), problem, false, waiting.set};
        });
}

void EmbeddingWork::forget() {
    ++times_forgotten_;
    looked_for_.clear();
    next_.reset();
    next_layout_.reset();
    stop_.request_stop();
    sets_.clear();
}

}  // namespace casp::widgets

#include "state/embedding_work.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <limits>
#include <utility>

#include "analysis/pca.h"
#include "state/stored_embeddings.h"
#include "train/preparation.h"
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
        if (std::next(it) == works_.rend()) return;                    // who asked last
        if (work.bytes() == 0 || work.set_.use_count() > 1) continue;  // a view shows it: nothing to gain
        if (work.since_asked_.elapsed() < idle_ms_) return;            // so all the others
        sum -= work.bytes();
        work.set_ = nullptr;
        work.read_split_.clear();
        work.changed_(false);
    }
}

EmbeddingWork::EmbeddingWork(QString run_folder, std::shared_ptr<EmbeddingHost> host,
                             std::function<void(bool)> changed)
    : folder_(std::move(run_folder)),
      host_(std::move(host)),
      place_(host_->works_.insert(host_->works_.end(), this)),
      changed_(std::move(changed)) {
    since_asked_.start();
}

EmbeddingWork::~EmbeddingWork() {
    stop_.request_stop();
    host_->works_.erase(place_);
}

std::shared_ptr<const EmbeddingSet> EmbeddingWork::set() {
    since_asked_.start();
    host_->works_.splice(host_->works_.begin(), host_->works_, place_);
    return set_;
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
                outcome.problem = QString::fromStdString(train::plain_message(failure));
            }
            return outcome;
        },
        [this](Outcome outcome) { end(std::move(outcome)); });
    changed_(false);
}

void EmbeddingWork::end(Outcome outcome) {
    status_ = {};
    status_.problem = outcome.problem;
    if (outcome.set) {
        set_ = std::move(outcome.set);
        since_asked_.start();
    }
    host_->trim();
    if (next_layout_) {
        auto waiting = std::move(*std::exchange(next_layout_, std::nullopt));
        begin_storing(std::move(waiting), outcome.problem);
        return;
    }
    if (next_) {
        auto request = std::move(*std::exchange(next_, std::nullopt));
        (void)compute(std::move(request));
        return;
    }
    changed_(false);
}

void EmbeddingWork::read_stored(const QString& split) {
    if (status_.is_busy() || read_split_ == split) return;
    if (set_ && !set_->live && set_->values.split == split.toStdString()) return;
    read_split_ = split;
    begin(EmbeddingStatus::Phase::reading, QStringLiteral("reading stored embeddings"),
          [folder = folder_, split](const ProgressFn&, const std::stop_token& stop) {
              auto set = read_stored_embeddings(folder, split, stop);
              if (set) add_components(*set, stop);
              return Outcome{std::move(set), {}, false};
          });
}

bool EmbeddingWork::compute(train::EmbeddingRequest request) {
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
              set->values = train::compute_embeddings(request, progress, stop);
              add_components(*set, stop, progress);
              Outcome outcome{set, {}, false};
              try {
                  add_stored_tsne(*set);
              } catch (const Error& failure) {  // what was computed is there all the same
                  outcome.problem = QString::fromStdString(train::plain_message(failure));
              }
              return outcome;
          });
    return true;
}

void EmbeddingWork::cancel() {
    next_.reset();
    stop_.request_stop();
}

void EmbeddingWork::store() {
    if (status_.is_busy() || !set_ || set_->live) return;
    begin(EmbeddingStatus::Phase::storing, QStringLiteral("storing in the run"),
          [folder = folder_, set = set_](const ProgressFn&, const std::stop_token&) {
              train::store_embeddings(folder.toStdString(), set->values);
              if (!set->pca.points.empty())
                  train::store_layout(folder.toStdString(), set->values, "pca", set->pca);
              auto kept = std::make_shared<EmbeddingSet>(*set);
              kept->stored = true;
              return Outcome{std::move(kept), {}, false};
          });
}

void EmbeddingWork::store_layout(const QString& name, const store::EmbeddingLayout& layout) {
    if (!set_ || set_->live) return;
    WaitingLayout waiting{set_, name.toStdString(), layout};
    if (status_.is_busy())
        next_layout_ = std::move(waiting);
    else
        begin_storing(std::move(waiting), {});
}

void EmbeddingWork::begin_storing(WaitingLayout waiting, const QString& problem) {
    begin(
        EmbeddingStatus::Phase::storing, QStringLiteral("storing the layout in the run"),
        [folder = folder_, waiting = std::move(waiting), problem](const ProgressFn&, const std::stop_token&) {
            train::store_layout(folder.toStdString(), waiting.set->values, waiting.name, waiting.layout);
            return Outcome{nullptr, problem, false};
        });
}

void EmbeddingWork::forget() {
    read_split_.clear();
    next_layout_.reset();
    stop_.request_stop();
    set_ = nullptr;
}

}  // namespace casp::widgets

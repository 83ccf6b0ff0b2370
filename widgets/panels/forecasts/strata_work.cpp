#include "panels/forecasts/strata_work.h"

#include <algorithm>
#include <utility>

#include <QObject>

#include "util/error.h"

namespace casp::widgets {

namespace {

constexpr std::int64_t strata = 10;  ///< deciles
constexpr qint64 between_reports_ms = 100;

analysis::StrataInput input_of(const EmbeddingSet& set) {
    const auto& v = set.values;
    return {v.start, v.channels, v.residual, v.mse, v.mae, v.selected, v.top_k, v.pool_size};
}

std::int64_t rows_of(const EmbeddingSet& set) {
    return static_cast<std::int64_t>(set.values.start.size() * set.values.channels.size());
}

}  // namespace

StrataWork::StrataWork(std::function<void(bool)> changed) : changed_(std::move(changed)) {}

StrataWork::~StrataWork() {
    for (auto& [run, of] : known_) of.stop.request_stop();
}

const StrataWork::Of& StrataWork::cut(const QString& run, const Set& set) {
    auto& of = known_[run];
    if (of.set == set) return of;
    leave(of);
    of = {};
    of.set = set;
    begin(run, rows_of(*set), [set](Made& made, const std::stop_token& stop, const ProgressFn& progress) {
        made.strata = analysis::strata_of(input_of(*set), strata, stop, progress);
    });
    return of;
}

const StrataWork::Of& StrataWork::compare(const QString& run, const Set& base, const QString& mismatch) {
    auto& of = known_[run];
    if (of.base == base) return of;
    leave(of);
    of.base = base;
    of.pair = {};
    of.mismatch = mismatch;
    if (mismatch.isEmpty())
        begin(run, rows_of(*base) + rows_of(*of.set),
              [base, set = of.set](Made& made, const std::stop_token& stop, const ProgressFn& progress) {
                  made.pair =
                      analysis::compare_strata(input_of(*base), input_of(*set), strata, stop, progress);
              });
    return of;
}

const StrataWork::Of* StrataWork::find(const QString& run) const {
    const auto found = known_.find(run);
    return found == known_.end() ? nullptr : &found->second;
}

void StrataWork::keep_only(const QStringList& runs) {
    for (auto& [run, of] : known_)
        if (!runs.contains(run)) leave(of);
    std::erase_if(known_, [&](const auto& entry) { return !runs.contains(entry.first); });
}

int StrataWork::count(State state) const {
    return static_cast<int>(std::count_if(known_.begin(), known_.end(),
                                          [&](const auto& entry) { return entry.second.state == state; }));
}

QString StrataWork::text() const {
    const int left = pending();
    if (left == 0 || since_begin_.elapsed() < told_after_ms_) return {};
    auto text = QObject::tr("Sorting windows by difficulty");
    if (told_.total > 0) text += QObject::tr(": %1 %").arg(100 * told_.done / told_.total);
    if (left > 1) text += QObject::tr(", then %1 more").arg(left - 1);
    return text;
}

void StrataWork::cancel() {
    if (pending() == 0) return;
    for (auto& [run, of] : known_) {
        if (of.state != State::pending) continue;
        leave(of);
        of.state = State::cancelled;
    }
    changed_(false);
}

void StrataWork::forget_cancelled() {
    std::erase_if(known_, [](const auto& entry) { return entry.second.state == State::cancelled; });
    changed_(false);
}

StrataWork::Made StrataWork::make(const Job& job, const std::stop_token& stop, const ProgressFn& progress) {
    Made made;
    try {
        job(made, stop, progress);
    } catch (const Cancelled&) {  // nobody waits for it any more
    } catch (const std::exception& failure) {
        made.problem = QString::fromUtf8(failure.what());
    }
    return made;
}

void StrataWork::take(Of& of, Made made) {
    of.state = State::known;
    (of.base ? of.mismatch : of.problem) = made.problem;
    if (of.base)
        of.pair = std::move(made.pair);
    else
        of.strata = std::move(made.strata);
}

void StrataWork::leave(Of& of) {
    of.stop.request_stop();
    of.stop = {};
    of.number = 0;
    of.state = State::known;
}

void StrataWork::begin(const QString& run, std::int64_t rows, Job job) {
    auto& of = known_[run];
    if (rows <= most_at_once) return take(of, make(job, {}, {}));
    if (pending() == 0) {
        told_ = {};
        since_begin_.start();
    }
    of.state = State::pending;
    const auto number = of.number = ++number_;
    const auto told = [this, run, number, link = inbox_.link(),
                       last = std::make_shared<QElapsedTimer>()](const Progress& progress) {
        if (last->isValid() && last->elapsed() < between_reports_ms) return;
        last->start();
        link->post([this, run, number, progress] {
            if (const auto* waiting = find(run); !waiting || waiting->number != number) return;
            told_ = progress;
            changed_(true);
        });
    };
    inbox_.run(
        pool_, [job = std::move(job), told, stop = of.stop.get_token()] { return make(job, stop, told); },
        [this, run, number](Made made) { finished(run, number, std::move(made)); });
}

void StrataWork::finished(const QString& run, std::uint64_t number, Made made) {
    const auto found = known_.find(run);
    if (found == known_.end() || found->second.number != number) return;
    take(found->second, std::move(made));
    told_ = {};
    changed_(false);
}

}  // namespace casp::widgets

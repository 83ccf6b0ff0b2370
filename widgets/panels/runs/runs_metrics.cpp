#include "panels/runs/runs_metrics.h"

#include <algorithm>
#include <exception>
#include <filesystem>
#include <utility>

#include <QSet>

#include "store/run_file.h"
#include "store/run_folder.h"

namespace casp::widgets {

namespace {

constexpr qsizetype at_once = 8;       ///< runs in one piece of work
constexpr int pieces_under_way = 3;    ///< as many as stop() has to wait out
constexpr qint64 told_every_ms = 300;  ///< each time all of them are compared and drawn

std::int64_t time_of(const QString& folder) {
    std::error_code problem;
    const auto time =
        std::filesystem::last_write_time(store::RunFolder(folder.toStdString()).run_file(), problem);
    return problem ? 0 : static_cast<std::int64_t>(time.time_since_epoch().count());
}

}  // namespace

struct RunsMetrics::Job {
    QString folder;
    quint64 number = 0;
};

struct RunsMetrics::Outcome {
    Job job;
    RunMetrics metrics;
    QString problem;
    std::int64_t file_time = 0;
};

RunMetrics metrics_of(const store::RunRecord& record) {
    RunMetrics metrics;
    if (record.test) metrics.last_value_mae = record.test->last_value_mae;
    if (!record.val) return metrics;
    metrics.val_mae = record.val->mae;
    metrics.val_entropy = record.val->usage_entropy;
    metrics.val_key_cosine = record.val->key_cosine;
    return metrics;
}

RunsMetrics::RunsMetrics(RunLibrary& library, QObject* parent)
    : QObject(parent), library_(library), library_folder_(library.folder()) {
    connect(&library, &RunLibrary::reset, this, &RunsMetrics::library_reset);
    connect(&library, &RunLibrary::changed, this, &RunsMetrics::run_changed);
    connect(&library, &RunLibrary::removed, this, &RunsMetrics::drop);
}

/// Many runs that go at once are told as a reset, too: the others stay as they are.
void RunsMetrics::library_reset() {
    const auto before = std::exchange(library_folder_, library_.folder());
    if (before != library_folder_) {
        stop();
        known_.clear();
        problems_.clear();
        return;
    }
    for (const auto& folder : known_.keys() + problems_.keys() + pending_.keys())
        if (library_.index_of(folder) < 0) drop(folder);  // it may be taken by another run
}

void RunsMetrics::run_changed(int index) {
    const auto& run = library_.at(index);
    if (store::is_complete(run.row.state)) {
        // Notes and colours change, too.
        const auto known = known_.constFind(run.folder);
        if (known == known_.cend() || known->file_time == time_of(run.folder)) return;
    }
    drop(run.folder);
}

void RunsMetrics::drop(const QString& folder) {
    known_.remove(folder);
    problems_.remove(folder);
    if (pending_.remove(folder) && pending_.isEmpty()) stop();
}

const RunMetrics* RunsMetrics::find(const QString& folder) const {
    const auto found = known_.constFind(folder);
    return found == known_.cend() ? nullptr : &found->metrics;
}

double RunsMetrics::seconds_left() const {
    if (!is_pending() || done() <= 0) return 0;
    return static_cast<double>(since_begun_.elapsed()) / 1000 * static_cast<double>(pending_.size()) /
           static_cast<double>(done());
}

void RunsMetrics::stop() {
    ++generation_;
    pending_.clear();
    waiting_.clear();
    wanted_ = 0;
}

void RunsMetrics::want(const QStringList& folders) {
    const QSet<QString> now(folders.begin(), folders.end());
    if (std::any_of(pending_.keyBegin(), pending_.keyEnd(),
                    [&](const QString& folder) { return !now.contains(folder); }))
        stop();
    QStringList missing;
    for (const auto& folder : folders) {
        if (known_.contains(folder) || pending_.contains(folder)) continue;
        if (const auto problem = problems_.constFind(folder);
            problem != problems_.cend() && problem->file_time == time_of(folder))
            continue;
        missing << folder;
    }
    if (missing.isEmpty()) return;
    const bool idle = pending_.isEmpty();
    if (idle) {
        wanted_ = 0;
        since_begun_.start();
        since_told_.start();
    }
    wanted_ += missing.size();
    for (const auto& folder : std::as_const(missing)) pending_.insert(folder, ++asked_);
    waiting_ << missing;
    for (int i = 0; idle && i < pieces_under_way; ++i) read_some();
}

void RunsMetrics::read_some() {
    std::vector<Job> piece;
    qsizetype taken = 0;
    while (taken < waiting_.size() && std::ssize(piece) < at_once) {
        const auto& folder = waiting_[taken++];
        if (const auto number = pending_.value(folder); number != 0) piece.push_back({folder, number});
    }
    waiting_.remove(0, taken);
    if (piece.empty()) return;
    const auto stopped = pool_.stop_token();
    inbox_.run(
        pool_,
        [piece, stopped] {
            std::vector<Outcome> outcomes;
            for (const auto& job : piece) {
                if (stopped.stop_requested()) break;
                // Before the reading: a file that is replaced meanwhile is read again.
                Outcome outcome{job, {}, {}, time_of(job.folder)};
                try {
                    outcome.metrics = metrics_of(
                        store::read_run_file(store::RunFolder(job.folder.toStdString()).run_file()));
                } catch (const std::exception& failure) {
                    outcome.problem = QString::fromUtf8(failure.what());
                }
                outcomes.push_back(std::move(outcome));
            }
            return outcomes;
        },
        [this, generation = generation_](const std::vector<Outcome>& outcomes) {
            if (generation == generation_) take(outcomes);
        });
}

void RunsMetrics::take(const std::vector<Outcome>& outcomes) {
    for (const auto& outcome : outcomes) {
        const auto& folder = outcome.job.folder;
        if (pending_.value(folder) != outcome.job.number) continue;
        pending_.remove(folder);
        problems_.remove(folder);
        if (outcome.problem.isEmpty())
            known_.insert(folder, {outcome.metrics, outcome.file_time});
        else
            problems_.insert(folder, {outcome.problem, outcome.file_time});
    }
    read_some();
    if (is_pending() && since_told_.elapsed() < told_every_ms) return;
    since_told_.start();
    Q_EMIT changed();
}

}  // namespace casp::widgets

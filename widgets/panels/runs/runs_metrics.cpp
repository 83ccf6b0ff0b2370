#include "panels/runs/runs_metrics.h"

#include <algorithm>
#include <exception>
#include <filesystem>
#include <utility>

#include <QSet>

#include "state/plain_text.h"
#include "store/run_file.h"
#include "store/run_folder.h"

namespace casp::widgets {

namespace {

constexpr qsizetype batch_size = 8;       ///< runs per piece of work
constexpr int pieces_at_once = 3;         ///< submitted at a time
constexpr qint64 changed_every_ms = 300;  ///< every change compares and draws all of them

std::int64_t metrics_time(const QString& folder) {
    std::error_code problem;
    const auto time =
        std::filesystem::last_write_time(store::RunFolder(folder.toStdString()).run_file(), problem);
    return problem ? 0 : static_cast<std::int64_t>(time.time_since_epoch().count());
}

}  // namespace

struct RunsMetrics::Request {
    QString folder;
    quint64 number = 0;
};

struct RunsMetrics::Outcome {
    Request request;
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

/// The library also resets when many runs are removed at once; the metrics of the others stay.
void RunsMetrics::library_reset() {
    const auto before = std::exchange(library_folder_, library_.folder());
    if (before != library_folder_) {
        stop();
        known_.clear();
        problems_.clear();
        return;
    }
    for (const auto& folder : known_.keys() + problems_.keys() + pending_.keys())
        if (library_.index_of(folder) < 0) drop(folder);  // another run may take over the folder
}

void RunsMetrics::run_changed(int index) {
    const auto& run = library_.at(index);
    if (store::is_complete(run.row.state)) {
        // Changes of notes and colours do not matter here.
        const auto known = known_.constFind(run.folder);
        if (known == known_.cend() || known->file_time == metrics_time(run.folder)) return;
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
    return static_cast<double>(since_start_.elapsed()) / 1000 * static_cast<double>(pending_.size()) /
           static_cast<double>(done());
}

void RunsMetrics::stop() {
    job_.cancel();
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
            problem != problems_.cend() && problem->file_time == metrics_time(folder))
            continue;
        missing << folder;
    }
    if (missing.isEmpty()) return;
    const bool idle = pending_.isEmpty();
    if (idle) {
        wanted_ = 0;
        since_start_.start();
        since_changed_.start();
    }
    wanted_ += missing.size();
    for (const auto& folder : std::as_const(missing)) pending_.insert(folder, ++last_request_);
    waiting_ << missing;
    for (int i = 0; idle && i < pieces_at_once; ++i) read_some();
}

void RunsMetrics::read_some() {
    std::vector<Request> piece;
    qsizetype taken = 0;
    while (taken < waiting_.size() && std::ssize(piece) < batch_size) {
        const auto& folder = waiting_[taken++];
        if (const auto number = pending_.value(folder); number != 0) piece.push_back({folder, number});
    }
    waiting_.remove(0, taken);
    if (piece.empty()) return;
    job_.add(
        [piece = std::move(piece)](const JobContext& job) {
            std::vector<Outcome> outcomes;
            for (const auto& request : piece) {
                if (job.stop.stop_requested()) break;
                // Before reading: a file that is replaced meanwhile is read again.
                Outcome outcome{request, {}, {}, metrics_time(request.folder)};
                try {
                    outcome.metrics = metrics_of(
                        store::read_run_file(store::RunFolder(request.folder.toStdString()).run_file()));
                } catch (const std::exception& failure) {
                    outcome.problem = plain_text(failure);
                }
                outcomes.push_back(std::move(outcome));
            }
            return outcomes;
        },
        {.done = [this](const std::vector<Outcome>& outcomes) { take(outcomes); }});
}

void RunsMetrics::take(const std::vector<Outcome>& outcomes) {
    for (const auto& outcome : outcomes) {
        const auto& folder = outcome.request.folder;
        if (pending_.value(folder) != outcome.request.number) continue;
        pending_.remove(folder);
        problems_.remove(folder);
        if (outcome.problem.isEmpty())
            known_.insert(folder, {outcome.metrics, outcome.file_time});
        else
            problems_.insert(folder, {outcome.problem, outcome.file_time});
    }
    read_some();
    if (is_pending() && since_changed_.elapsed() < changed_every_ms) return;
    since_changed_.start();
    Q_EMIT changed();
}

}  // namespace casp::widgets

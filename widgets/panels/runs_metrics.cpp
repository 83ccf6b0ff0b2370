#include "panels/runs_metrics.h"

#include <exception>

#include "store/run_file.h"
#include "store/run_folder.h"

namespace casp::widgets {

namespace {

constexpr qsizetype at_once = 8;       ///< runs in one piece of work
constexpr int pieces_under_way = 3;    ///< as many as stop() has to wait out
constexpr qint64 told_every_ms = 300;  ///< each time all of them are compared and drawn

}  // namespace

struct RunsMetrics::Outcome {
    QString folder;
    RunMetrics metrics;
    QString problem;
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

RunsMetrics::RunsMetrics(RunLibrary& library, QObject* parent) : QObject(parent) {
    // A folder may be taken by another run.
    connect(&library, &RunLibrary::reset, this, [this] {
        stop();
        known_.clear();
        problems_.clear();
    });
    connect(&library, &RunLibrary::removed, this, [this](const QString& folder) {
        known_.remove(folder);
        problems_.remove(folder);
    });
}

const RunMetrics* RunsMetrics::find(const QString& folder) const {
    const auto found = known_.constFind(folder);
    return found == known_.cend() ? nullptr : &*found;
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
    if (!now.contains(pending_)) stop();
    QStringList missing;
    for (const auto& folder : folders)
        if (!known_.contains(folder) && !problems_.contains(folder) && !pending_.contains(folder))
            missing << folder;
    if (missing.isEmpty()) return;
    const bool idle = pending_.isEmpty();
    if (idle) {
        wanted_ = 0;
        since_begun_.start();
        since_told_.start();
    }
    wanted_ += missing.size();
    for (const auto& folder : std::as_const(missing)) pending_.insert(folder);
    waiting_ << missing;
    for (int i = 0; idle && i < pieces_under_way; ++i) read_some();
}

void RunsMetrics::read_some() {
    if (waiting_.isEmpty()) return;
    const auto piece = waiting_.mid(0, at_once);
    waiting_.remove(0, piece.size());
    const auto stopped = pool_.stop_token();
    inbox_.run(
        pool_,
        [piece, stopped] {
            std::vector<Outcome> outcomes;
            for (const auto& folder : piece) {
                if (stopped.stop_requested()) break;
                Outcome outcome{folder, {}, {}};
                try {
                    outcome.metrics =
                        metrics_of(store::read_run_file(store::RunFolder(folder.toStdString()).run_file()));
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
        pending_.remove(outcome.folder);
        if (outcome.problem.isEmpty())
            known_.insert(outcome.folder, outcome.metrics);
        else
            problems_.insert(outcome.folder, outcome.problem);
    }
    read_some();
    if (is_pending() && since_told_.elapsed() < told_every_ms) return;
    since_told_.start();
    Q_EMIT changed();
}

}  // namespace casp::widgets

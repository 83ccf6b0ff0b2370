#pragma once
// Metrics from the run.h5 of many runs, read in the background and cached: for comparisons of too many runs
// for one RunData each, which holds whole histories.

#include <cstdint>
#include <memory>
#include <vector>

#include <QElapsedTimer>
#include <QHash>
#include <QObject>
#include <QStringList>

#include "state/job.h"
#include "state/run_library.h"
#include "store/run_record.h"

namespace casp::widgets {

/// NaN: unknown.
struct RunMetrics {
    double last_value_mae = store::not_known, val_mae = store::not_known;
    double val_entropy = store::not_known, val_key_cosine = store::not_known;
};

/// Metrics in a run's record.
[[nodiscard]] RunMetrics metrics_of(const store::RunRecord& record);

/// Reads run.h5 of finished runs, a few at a time. A run that was resumed, or whose file has changed when the
/// library reports a change, is read again. GUI thread.
class RunsMetrics : public QObject {
    Q_OBJECT
public:
    explicit RunsMetrics(RunLibrary& library, QObject* parent = nullptr);

    /// Reads missing metrics of these runs and stops reading those of others. changed() follows a few times a
    /// second, and at the end. Metrics that could not be read are read again after their run.h5 has changed.
    void want(const QStringList& folders);
    /// Null until read.
    [[nodiscard]] const RunMetrics* find(const QString& folder) const;
    /// Why it cannot be read; empty: it can, or it was not read yet.
    [[nodiscard]] QString problem(const QString& folder) const { return problems_.value(folder).text; }
    [[nodiscard]] bool has_problems() const { return !problems_.isEmpty(); }
    [[nodiscard]] bool is_pending() const { return !pending_.isEmpty(); }
    /// Number of runs to read, number of those that are done, and the estimated rest.
    [[nodiscard]] qsizetype wanted() const { return wanted_; }
    [[nodiscard]] qsizetype done() const { return wanted_ - pending_.size(); }
    [[nodiscard]] double seconds_left() const;

Q_SIGNALS:
    void changed();

private:
    struct Outcome;
    struct Request;
    struct Known {
        RunMetrics metrics;
        std::int64_t file_time = 0;  ///< of run.h5
    };
    struct Problem {
        QString text;
        std::int64_t file_time = 0;  ///< of run.h5; 0: no such file
    };
    void stop();
    /// Drops the metrics of a run, and those that are being read.
    void drop(const QString& folder);
    void library_reset();
    void run_changed(int index);
    void read_some();
    void take(const std::vector<Outcome>& outcomes);

    RunLibrary& library_;
    QString library_folder_;
    QHash<QString, Known> known_;
    QHash<QString, Problem> problems_;
    QHash<QString, quint64> pending_;  ///< number of the latest request; outcomes of others are dropped
    quint64 last_request_ = 0;
    QStringList waiting_;  ///< part of pending_, not given to the job yet
    qsizetype wanted_ = 0;
    QElapsedTimer since_start_, since_changed_;
    Job<std::vector<Outcome>> job_{2};
};

}  // namespace casp::widgets

#pragma once
// Metrics of many runs that only run.h5 has, read beside the GUI thread and kept: for comparisons of more
// runs than a RunData could be made for, which keeps whole histories.

#include <cstdint>
#include <memory>
#include <stop_token>
#include <vector>

#include <QElapsedTimer>
#include <QHash>
#include <QObject>
#include <QStringList>

#include "state/background.h"
#include "state/run_library.h"
#include "store/run_record.h"

namespace casp::widgets {

/// NaN: not known.
struct RunMetrics {
    double last_value_mae = store::not_known, val_mae = store::not_known;
    double val_entropy = store::not_known, val_key_cosine = store::not_known;
};

/// What a record has of them.
[[nodiscard]] RunMetrics metrics_of(const store::RunRecord& record);

/// Reads run.h5 of finished runs, a few at a time; of a run that goes on after all, or whose file is another
/// when the library tells of a change, once more. GUI thread.
class RunsMetrics : public QObject {
    Q_OBJECT
public:
    explicit RunsMetrics(RunLibrary& library, QObject* parent = nullptr);

    /// Begins to read what is not there yet, and leaves off reading others: none wanted stops it. changed()
    /// comes a few times a second, and at the end. What could not be read is read again once its run.h5 is
    /// another.
    void want(const QStringList& folders);
    /// Null until read.
    [[nodiscard]] const RunMetrics* find(const QString& folder) const;
    /// Why it cannot be read; empty where it can or was not tried yet.
    [[nodiscard]] QString problem(const QString& folder) const { return problems_.value(folder).text; }
    [[nodiscard]] bool has_problems() const { return !problems_.isEmpty(); }
    [[nodiscard]] bool is_pending() const { return !pending_.isEmpty(); }
    /// Of those that were to be read: how many there are, how many are done, and for how long it goes on.
    [[nodiscard]] qsizetype wanted() const { return wanted_; }
    [[nodiscard]] qsizetype done() const { return wanted_ - pending_.size(); }
    [[nodiscard]] double seconds_left() const;

Q_SIGNALS:
    void changed();

private:
    struct Outcome;
    struct Job;
    struct Known {
        RunMetrics metrics;
        std::int64_t file_time = 0;  ///< of run.h5
    };
    struct Problem {
        QString text;
        std::int64_t file_time = 0;  ///< of run.h5; 0: it was not there
    };
    void stop();
    /// What is known of a run, or is being read, is of the past.
    void drop(const QString& folder);
    void library_reset();
    void run_changed(int index);
    void read_some();
    void take(const std::vector<Outcome>& outcomes);

    RunLibrary& library_;
    QString library_folder_;
    QHash<QString, Known> known_;
    QHash<QString, Problem> problems_;
    QHash<QString, quint64>
        pending_;  ///< by which number it was asked for: an outcome of another is no answer
    quint64 asked_ = 0;
    QStringList waiting_;  ///< of pending_: not given to the pool yet
    qsizetype wanted_ = 0;
    quint64 generation_ = 0;  ///< of stop()
    QElapsedTimer since_begun_, since_told_;
    Inbox inbox_;
    WorkPool pool_{2};  // goes first: its work posts to the inbox
};

}  // namespace casp::widgets

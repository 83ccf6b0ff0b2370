#pragma once
// Metrics and settings of many runs, read in the background and kept: for comparisons of too many runs for
// one RunData each, which holds whole histories.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <QElapsedTimer>
#include <QHash>
#include <QObject>
#include <QStringList>

#include "config/config.h"
#include "state/job.h"
#include "state/run_library.h"
#include "store/run_record.h"

namespace casp::widgets {

/// Reads one file of each run, a few runs at a time. GUI thread.
class RunsReader : public QObject {
    Q_OBJECT
public:
    /// Reads what is missing of these runs and stops reading others. changed() follows a few times a second,
    /// and at the end. What could not be read is read again after its file has changed.
    void want(const QStringList& folders);
    /// Why it cannot be read; empty: it can, or it was not read yet.
    [[nodiscard]] QString problem(const QString& folder) const { return known_.value(folder).problem; }
    [[nodiscard]] bool has_problems() const;
    [[nodiscard]] bool is_pending() const { return !pending_.isEmpty(); }
    /// Number of runs to read, number of those that are done, and the estimated rest.
    [[nodiscard]] qsizetype wanted() const { return wanted_; }
    [[nodiscard]] qsizetype done() const { return wanted_ - pending_.size(); }
    [[nodiscard]] double seconds_left() const;

Q_SIGNALS:
    void changed();

protected:
    using Value = std::shared_ptr<const void>;
    /// Any thread; throws. `text`: the content of the file where it is known already; empty: it is not.
    using Read = std::function<Value(const QString& folder, const std::string& text)>;
    /// `file`: name of the file in the run's folder.
    RunsReader(RunLibrary& library, std::string file, Read read, QObject* parent);
    [[nodiscard]] Value value(const QString& folder) const { return known_.value(folder).value; }
    /// The content of a run's file if it is in memory. Asked for a few runs only.
    [[nodiscard]] virtual std::string text_of(const QString& /*folder*/) const { return {}; }
    /// Drops what was read of a run, unless its file is the same.
    void run_changed(int index);

    RunLibrary& library_;

private:
    struct Known {
        Value value;  ///< null: problem
        QString problem;
        std::int64_t file_time = 0;  ///< 0: no such file
    };
    struct Request;
    struct Outcome;
    [[nodiscard]] std::int64_t file_time(const QString& folder) const;
    void stop();
    /// Drops what is known of a run, and what is being read.
    void drop(const QString& folder);
    void library_reset();
    void read_some();
    void take(const std::vector<Outcome>& outcomes);

    const std::string file_;
    const Read read_;
    QString library_folder_;
    QHash<QString, Known> known_;
    QHash<QString, quint64> pending_;  ///< number of the latest request; outcomes of others are dropped
    quint64 last_request_ = 0;
    QStringList waiting_;  ///< part of pending_, not given to the job yet
    qsizetype wanted_ = 0;
    bool few_ = false;
    QElapsedTimer since_start_, since_changed_;
    Job<std::vector<Outcome>> job_{2};
};

/// NaN: unknown.
struct RunMetrics {
    double last_value_mae = store::not_known, val_mae = store::not_known;
    double val_entropy = store::not_known, val_key_cosine = store::not_known;
};

/// Metrics in a run's record.
[[nodiscard]] RunMetrics metrics_of(const store::RunRecord& record);

/// From run.h5 of finished runs; read again when a run was resumed.
class RunsMetrics : public RunsReader {
public:
    explicit RunsMetrics(RunLibrary& library, QObject* parent = nullptr);
    /// Null until read.
    [[nodiscard]] const RunMetrics* find(const QString& folder) const {
        return static_cast<const RunMetrics*>(value(folder).get());
    }
};

/// The resolved settings: the loaded record's configuration, else config.toml.
class RunsSettings : public RunsReader {
public:
    explicit RunsSettings(RunLibrary& library, QObject* parent = nullptr);
    /// Null until read.
    [[nodiscard]] std::shared_ptr<const config::Config> find(const QString& folder) const {
        return std::static_pointer_cast<const config::Config>(value(folder));
    }

private:
    [[nodiscard]] std::string text_of(const QString& folder) const override;
};

}  // namespace casp::widgets

#pragma once
// Settings of runs (evidence::settled_settings), read in the background and kept: for the settings difference
// and for comparisons, which list every setting in which runs differ, and for the paper's tables.

#include <cstdint>
#include <memory>
#include <vector>

#include <QHash>
#include <QObject>
#include <QSet>
#include <QStringList>

#include "config/config.h"
#include "state/job.h"
#include "state/run_library.h"

namespace casp::widgets {

class RunsSettings : public QObject {
    Q_OBJECT
public:
    /// Those of the library's runs, for all pages.
    [[nodiscard]] static RunsSettings& of(RunLibrary& library);

    /// Reads missing settings; changed() follows if some were missing. Those that could not be read are read
    /// again after their config.toml has changed.
    void want(const QStringList& folders);
    /// Null until read, or if it cannot be read.
    [[nodiscard]] std::shared_ptr<const config::Config> find(const QString& folder) const;
    /// Why it cannot be read; empty: it can, or it was not read yet.
    [[nodiscard]] QString problem(const QString& folder) const { return problems_.value(folder).text; }
    [[nodiscard]] bool has_problems() const { return !problems_.isEmpty(); }
    [[nodiscard]] bool is_pending() const { return !pending_.isEmpty(); }

Q_SIGNALS:
    void changed();

private:
    struct Source;
    struct Outcome;
    struct Problem {
        QString text;
        std::int64_t file_time = 0;  ///< of config.toml; 0: no such file
    };
    explicit RunsSettings(RunLibrary& library);
    [[nodiscard]] static Outcome read(const Source& source);
    void drop(const QString& folder);
    void take(const std::vector<Outcome>& outcomes);

    RunLibrary& library_;
    QString library_folder_;
    QHash<QString, std::shared_ptr<const config::Config>> known_;
    QHash<QString, Problem> problems_;
    QSet<QString> pending_, before_end_;  ///< the latter: read from a run that had not ended
    Job<std::vector<Outcome>> job_;
};

}  // namespace casp::widgets

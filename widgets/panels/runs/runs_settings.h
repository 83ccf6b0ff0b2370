#pragma once
// Resolved settings of runs, read and parsed beside the GUI thread and kept: for the difference of settings
// and for comparisons, which must know every setting in which runs differ.

#include <cstdint>
#include <memory>

#include <QHash>
#include <QObject>
#include <QSet>
#include <QStringList>

#include "config/config.h"
#include "state/background.h"
#include "state/run_library.h"

namespace casp::widgets {

class RunsSettings : public QObject {
    Q_OBJECT
public:
    explicit RunsSettings(RunLibrary& library, QObject* parent = nullptr);

    /// Begins to read what is not there yet: the loaded record's configuration, else the folder's
    /// config.toml. changed() follows where something was missing. What could not be read is read again once
    /// its config.toml is another.
    void want(const QStringList& folders);
    /// Null until read, or where it cannot be read.
    [[nodiscard]] std::shared_ptr<const config::Config> find(const QString& folder) const;
    /// Why it cannot be read; empty where it can or was not tried yet.
    [[nodiscard]] QString problem(const QString& folder) const { return problems_.value(folder).text; }
    [[nodiscard]] bool has_problems() const { return !problems_.isEmpty(); }
    [[nodiscard]] bool is_pending() const { return !pending_.isEmpty(); }

Q_SIGNALS:
    void changed();

private:
    struct Problem {
        QString text;
        std::int64_t file_time = 0;  ///< of config.toml; 0: it was not there
    };
    void drop(const QString& folder);
    RunLibrary& library_;
    QString library_folder_;
    QHash<QString, std::shared_ptr<const config::Config>> known_;
    QHash<QString, Problem> problems_;
    QSet<QString> pending_;
    Inbox inbox_;
    WorkPool pool_{1};  // goes first: its work posts to the inbox
};

}  // namespace casp::widgets

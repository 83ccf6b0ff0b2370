#pragma once
// A folder of runs on another machine: its local copy, the connection, and what views need of its files.

#include <functional>
#include <memory>

#include <QHash>
#include <QObject>
#include <QSet>
#include <QString>
#include <QStringList>

#include "remote/mirror.h"

namespace casp::widgets {

/// GUI thread; no call waits. Run folders are those of the local copy.
/// More than 25 methods: queries and signals of one connection and its copies.
class RemoteFolder : public QObject {
    Q_OBJECT
public:
    /// Connects at once. Throws an Error if the address is none, or the local copy cannot be written.
    explicit RemoteFolder(const QString& address, QObject* parent = nullptr);
    ~RemoteFolder() override;

    [[nodiscard]] QString address() const;  ///< "ssh://…"
    [[nodiscard]] QString machine() const;  ///< for messages
    [[nodiscard]] QString title() const;    ///< "login1: ~/runs"
    [[nodiscard]] QString folder() const;   ///< the local copy
    [[nodiscard]] bool has(const QString& run_folder) const { return !run_of(run_folder).empty(); }
    [[nodiscard]] const remote::MirrorStatus& status() const { return status_; }
    /// Path of a run on the other machine; empty: not known before the first connection.
    [[nodiscard]] QString path_there(const QString& run_folder) const;

    /// The run is looked at: its numbers are kept in step until other runs are shown.
    void look_at(const QString& run_folder);
    /// These runs are shown; others that were looked at need not be kept in step.
    void show(const QStringList& run_folders);
    /// Whether the local copy of a file is as good as it can be now. If not, it is copied, and file_changed()
    /// follows.
    [[nodiscard]] bool provide(const QString& run_folder, const char* name);
    [[nodiscard]] bool is_paused(const QString& run_folder) const { return paused_.contains(run_folder); }
    /// "arrays.h5 of lambda_cov-0.1_seed-1: 12 of 190 MB"; empty: no large file is being copied.
    [[nodiscard]] QString copying() const;

    void send(const QString& run_folder, store::RunCommand command);
    /// Where a fork of the run would begin. problem() reports why there is no such place.
    void ask_fork_place(const QString& run_folder, std::function<void(const run::ForkPlace&)> found);
    /// Trains an experiment there. `started` is called when it runs; otherwise problem() reports why not.
    void start(const std::string& toml, std::function<void()> started);
    void connect_now();

Q_SIGNALS:
    void status_changed();
    void connected();  ///< for the first time
    void runs_changed(const QStringList& run_folders);
    /// A file of a run was replaced or removed, or cannot be copied.
    void file_changed(const QString& run_folder, const QString& name);
    void copying_changed();
    void problem(const QString& text);

private:
    using File = std::pair<QString, QString>;
    [[nodiscard]] std::string run_of(const QString& run_folder) const;
    [[nodiscard]] QString folder_of(const std::string& run) const;
    void take_file(const QString& run_folder, const QString& name, const remote::MirroredFile& file,
                   bool paused);
    void follow();
    [[nodiscard]] std::function<void(const std::string&)> when_answered(std::function<void()> done);

    remote::MirrorStatus status_;
    QStringList shown_, looked_at_;
    QSet<QString> paused_;
    QHash<File, remote::MirroredFile> copies_;  ///< under way
    std::unique_ptr<remote::Mirror> mirror_;    ///< the last member: its events use the others
};

}  // namespace casp::widgets

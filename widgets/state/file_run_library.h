#pragma once
// The runs of an output folder, read from their files and updated by this process's own workers.

#include <memory>
#include <vector>

#include "state/folder_scan.h"
#include "state/job.h"
#include "state/live_runs.h"
#include "state/remote_folder.h"
#include "state/run_library.h"
#include "state/run_marks_keeper.h"
#include "state/run_mover.h"
#include "state/run_rows.h"

namespace casp::widgets {

/// Puts together the rows (RunRows), looks at the files (FolderScan), reports of workers (LiveRuns), notes
/// and colours (RunMarksKeeper) and the wastebasket (RunMover). GUI thread.
/// More than 25 methods: most implement RunLibrary and forward to one of these parts.
class FileRunLibrary : public RunLibrary {
    Q_OBJECT
public:
    explicit FileRunLibrary(QObject* parent = nullptr);
    /// Waits until the user's notes and colours are written and the run that is being moved has arrived.
    ~FileRunLibrary() override;

    [[nodiscard]] QString folder() const override { return rows_.folder(); }
    [[nodiscard]] QString folder_title() const override { return remote_ ? remote_->title() : folder(); }
    [[nodiscard]] QString shown_folder() const override { return remote_ ? remote_->address() : folder(); }
    [[nodiscard]] QString machine() const override { return remote_ ? remote_->machine() : QString(); }
    void open(const QString& folder) override { open(folder, nullptr); }
    /// Opens the local copy of a remote folder, which must outlive it or the next open().
    void open_remote(RemoteFolder& remote) { open(remote.folder(), &remote); }
    /// Null: the folder is on this machine.
    [[nodiscard]] RemoteFolder* remote() const { return remote_; }
    /// Request to a run that another process trains, here or there; problem() reports a failure.
    void send(const QString& run_folder, store::RunCommand command);
    /// Whether such a run was asked to pause.
    [[nodiscard]] bool is_paused(const QString& run_folder) const;
    void refresh() override { scan_.scan(); }
    [[nodiscard]] QString why_empty() const override;
    [[nodiscard]] int size() const override { return rows_.size(); }
    [[nodiscard]] const RunSummary& at(int index) const override { return rows_.at(index).summary; }
    [[nodiscard]] int index_of(const QString& run_folder) const override {
        return rows_.index_of(run_folder);
    }
    [[nodiscard]] RunData* data(const QString& run_folder) override;
    [[nodiscard]] bool provide(const QString& run_folder, const char* name) override {
        return !remote_ || remote_->provide(run_folder, name);
    }
    bool set_note(const QString& run_folder, const QString& note) override;
    bool set_colour(const QString& run_folder, const QColor& colour) override;
    void start_discard(const QStringList& run_folders) override;
    [[nodiscard]] QStringList discarded() const override { return mover_.discarded(); }
    void start_restore(const QStringList& run_folders) override { mover_.start(run_folders, true); }
    void cancel_moves() override { mover_.cancel(); }
    [[nodiscard]] bool is_moving() const override { return mover_.is_moving(); }
    [[nodiscard]] bool is_leaving(const QString& run_folder) const override {
        return mover_.is_leaving(run_folder);
    }
    void empty_wastebasket() override { mover_.empty_wastebasket(); }

    /// What the workers of this process report; runs of other folders are ignored.
    [[nodiscard]] LiveRuns& live() { return live_; }

Q_SIGNALS:
    /// The folder has been read once since open().
    void loaded();

private:
    void open(const QString& folder, RemoteFolder* remote);
    void connect_parts();
    void connect_remote();
    void show_pause(RunRow& row);
    void take(const std::vector<store::ScannedRun>& found);
    /// Returns whether anything that is shown has changed.
    bool update(RunRow& row, const store::ScannedRun& run);
    void remove(const QStringList& run_folders);
    void take_moved(const QStringList& run_folders, bool back);
    void folder_lost(bool was_there);
    void folder_found();
    void scan_ended(bool first);
    void scan_open_runs();

    std::shared_ptr<WorkPool> readers_;
    std::unique_ptr<WorkPool> writer_;
    std::unique_ptr<WorkPool> cleaner_;
    RunRows rows_;
    FolderScan scan_;
    RunMarksKeeper marks_;
    RunMover mover_;
    LiveRuns live_;
    QString gone_text_;  ///< why the list is empty: the folder is gone
    QPointer<RemoteFolder> remote_;
    QSet<QString> paused_;  ///< runs of other processes on this machine, by this window
    using FileTimes = std::vector<std::pair<std::string, std::int64_t>>;  ///< of run.h5, by run folder
    Job<FileTimes> times_;
    Job<QString> commands_;
};

}  // namespace casp::widgets

#pragma once
// Scans of an output folder's files: every two seconds, less often if that takes long.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <vector>

#include <QObject>
#include <QStringList>
#include <QTimer>

#include "state/job.h"
#include "store/run_store.h"

namespace casp::widgets {

/// What an older scan read does not replace newer knowledge (store::RunStore). GUI thread; the files are read
/// on `readers`.
class FolderScan : public QObject {
    Q_OBJECT
public:
    static constexpr int threads = 2;

    /// `readers` must outlive it.
    explicit FolderScan(WorkPool& readers);

    /// Empty: stops.
    void open(const QString& folder);
    /// Drops what is being read.
    void stop();
    /// Scans now, or again after the current scan.
    void scan();
    /// Scans single runs now.
    void scan_runs(const QStringList& run_folders);
    /// Files of the run were written or moved: what was read of it before does not count.
    void outdate(const QString& run_folder);

Q_SIGNALS:
    /// Runs that are new or have changed.
    void found(const std::vector<casp::store::ScannedRun>& runs);
    void missing(const QStringList& run_folders);
    void loading(int done, int total);
    /// The output folder is gone; `was_there`: it was found before.
    void folder_lost(bool was_there);
    void folder_found();
    /// The folder cannot be read, for another reason than at the previous scan.
    void problem(const QString& text);
    /// A scan is complete; `first`: since open(), and `found` has reported every run.
    void ended(bool first);

private:
    struct Look;
    [[nodiscard]] static Look look(store::RunStore& runs, const ProgressFn& progress,
                                   const std::stop_token& stop);
    void make_store();
    void take(std::vector<store::ScannedRun> runs);
    /// What was read of a run did not count: it may be missing in the list.
    void look_again();
    void lose(const std::vector<std::filesystem::path>& run_folders);
    void lose_folder(std::uint64_t version);
    void end(double seconds);

    QString folder_;
    QString problem_;  ///< reported already
    std::shared_ptr<store::RunStore> runs_;
    bool again_ = false, first_ = false;
    bool incomplete_ = false;   ///< look_again() was called during this scan
    bool folder_seen_ = false;  ///< since open() or its loss
    QTimer tick_;
    Job<double> scan_job_;  ///< its result: duration of a look in seconds
    Job<std::vector<store::ScannedRun>> runs_job_;
};

}  // namespace casp::widgets

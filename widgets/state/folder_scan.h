#pragma once
// Scans of an output folder's files: every two seconds, less often if that takes long.

#include <functional>
#include <memory>
#include <vector>

#include <QObject>
#include <QStringList>
#include <QTimer>

#include "state/job.h"
#include "store/run_scan.h"

namespace casp::widgets {

/// Scans are numbered, so that the result of an older scan does not replace newer knowledge. GUI thread; the
/// files are read on `readers`.
class FolderScan : public QObject {
    Q_OBJECT
public:
    static constexpr int threads = 2;

    /// `readers` must outlive it. `unwatched`: run folders that the scanner does not know and that are to be
    /// checked with each scan.
    FolderScan(WorkPool& readers, std::function<QStringList()> unwatched);

    /// Empty: stops.
    void open(const QString& folder);
    /// Drops what is being read.
    void stop();
    /// Scans now, or again after the current scan.
    void scan();
    /// Scans single runs now.
    void scan_runs(const QStringList& run_folders);
    /// Number of the scan that began last.
    [[nodiscard]] quint64 last_scan() const { return scans_; }

Q_SIGNALS:
    /// Runs that are new or have changed. `by_scanner`: it reports when one of them is gone.
    void found(const std::vector<casp::store::ScannedRun>& runs, quint64 look, bool by_scanner);
    void missing(const QStringList& run_folders, quint64 look);
    void loading(int done, int total);
    /// The output folder is gone; `was_there`: it was found before.
    void folder_lost(quint64 look, bool was_there);
    void folder_found();
    /// The folder cannot be read, for another reason than at the previous scan.
    void problem(const QString& text);
    /// A scan is complete; `first`: since open().
    void ended(bool first);

private:
    struct Look;
    [[nodiscard]] static Look look(store::RunScanner& scanner, const ProgressFn& progress,
                                   const std::stop_token& stop);
    void make_scanner();
    void take(const std::vector<store::ScannedRun>& runs, quint64 look, bool by_scanner);
    void lose_folder(quint64 look);
    void end(double seconds);

    const std::function<QStringList()> unwatched_;
    QString folder_;
    QString problem_;  ///< reported already
    std::shared_ptr<store::RunScanner> scanner_;
    bool again_ = false, first_ = false;
    quint64 scans_ = 0;        ///< begun so far
    quint64 folder_seen_ = 0;  ///< the newest scan that found the folder; 0: none since open() or its loss
    QTimer tick_;
    Job<double> scan_job_;  ///< its result: duration of a look in seconds
    Job<std::vector<store::ScannedRun>> runs_job_;
};

}  // namespace casp::widgets

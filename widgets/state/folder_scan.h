#pragma once
// Looks at the files of an output folder: every two seconds (less often if that takes long) and when the
// system reports a change.

#include <functional>
#include <memory>
#include <vector>

#include <QFileSystemWatcher>
#include <QObject>
#include <QSet>
#include <QStringList>
#include <QTimer>

#include "state/job.h"
#include "store/run_scan.h"

namespace casp::widgets {

/// Looks are numbered, so that what an older look saw does not replace what is known since. GUI thread; the
/// files are read on `readers`.
class FolderScan : public QObject {
    Q_OBJECT
public:
    static constexpr int threads = 2;

    /// `readers` must outlive it. `unwatched`: run folders that the scanner does not know and that are to be
    /// checked with each look.
    FolderScan(WorkPool& readers, std::function<QStringList()> unwatched);

    /// Empty: stops.
    void open(const QString& folder);
    /// Drops what is being read.
    void stop();
    /// Looks now, or again after the current look.
    void scan();
    /// Looks at single runs now.
    void scan_runs(const QStringList& run_folders);
    /// Watches the output folder and these folders of batches for changes.
    void watch(const QSet<QString>& batches);
    /// Number of the look that began last.
    [[nodiscard]] quint64 last_look() const { return looks_; }

Q_SIGNALS:
    /// Runs that are new or have changed. `by_scanner`: it reports when one of them is gone.
    void found(const std::vector<casp::store::ScannedRun>& runs, quint64 look, bool by_scanner);
    void missing(const QStringList& run_folders, quint64 look);
    void loading(int done, int total);
    /// The output folder is gone; `was_there`: it was found before.
    void folder_lost(quint64 look, bool was_there);
    void folder_there();
    /// The folder cannot be read, for another reason than at the look before.
    void problem(const QString& text);
    /// A look is complete; `first`: since open().
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
    quint64 looks_ = 0;        ///< begun so far
    quint64 folder_seen_ = 0;  ///< the newest look that found the folder; 0: none since open() or its loss
    QTimer tick_, soon_;
    QFileSystemWatcher watcher_;
    Job<double> scan_job_;  ///< its result: duration of a look in seconds
    Job<std::vector<store::ScannedRun>> runs_job_;
};

}  // namespace casp::widgets

#pragma once
// Writing a file on a thread of its own, with cancel: an archive of a run, a copy of its weights.

#include <functional>
#include <stop_token>
#include <thread>

#include <QObject>
#include <QString>
#include <QStringList>

#include "util/progress.h"

namespace casp::gui {

/// Returns what to say when it is done; throws where it fails, Cancelled where it was stopped.
using FileWork = std::function<QString(const ProgressFn& progress, const std::stop_token& stop)>;

class FileJob : public QObject {
    Q_OBJECT
public:
    /// `work` runs on the job's thread.
    FileJob(FileWork work, QObject* parent);

    void start();
    void cancel() { thread_.request_stop(); }

Q_SIGNALS:
    /// What is being written, and its share, 0 … 1; at most five times a second.
    void progress(const QString& stage, double share);
    void finished(const QString& text, bool is_error);  ///< also after cancel

private:
    FileWork work_;
    std::jthread thread_;  ///< the last member: joined before the others go
};

/// Copies a file under a temporary name and renames it; throws casp::Errors, and Cancelled.
void copy_file(const QString& from, const QString& to, const std::stop_token& stop,
               const ProgressFn& progress = {});

/// Where a run goes in a folder of archives: batch-run.tar.gz, with a number where that is there already.
[[nodiscard]] QString archive_file_in(const QString& folder, const QString& run_folder);

/// Packs one run; the text says so, and what is not in the archive. Throws casp::Errors, and Cancelled.
QString write_archive(const QString& run_folder, const QString& file, const ProgressFn& progress,
                      const std::stop_token& stop);

/// Packs runs one after another into a folder. One that cannot be packed does not keep the others from it:
/// what went wrong is thrown when all were tried. Stopped, it says how many are written.
QString write_archives(const QStringList& run_folders, const QString& folder, const ProgressFn& progress,
                       const std::stop_token& stop);

}  // namespace casp::gui

#pragma once
// Files that leave the program beside figures: archives of runs, weights and forecasts, written in the
// background.

#include <cstdint>
#include <functional>
#include <map>
#include <stop_token>

#include <QObject>
#include <QStringList>

#include "state/job.h"
#include "util/progress.h"

class QWidget;

namespace casp::widgets {
class RunLibrary;
}

namespace casp::gui {

class Notices;

/// Returns the message to show at the end. Throws on failure, and Cancelled after a requested stop.
using FileWork = std::function<QString(const ProgressFn& progress, const std::stop_token& stop)>;

/// Copies a file under a temporary name and renames it; throws casp::Errors, and Cancelled.
void copy_file(const QString& from, const QString& to, const std::stop_token& stop,
               const ProgressFn& progress = {});

class FileExports : public QObject {
    Q_OBJECT
public:
    /// Both must outlive it; `window` is the parent of dialogs, whose titles name the run.
    FileExports(const widgets::RunLibrary& library, Notices& notices, QWidget* window);

    /// One run or batch into a chosen file, several runs one after another into a chosen folder.
    void archive(const QStringList& folders);
    /// The weights at the best validation MSE; `run_folder` empty: no run is highlighted.
    void weights(const QString& run_folder);
    /// The stored test forecasts, as a long table or as arrays; `run_folder` empty: none is
    /// highlighted.
    void forecasts(const QString& run_folder);

private:
    /// Bytes that the work will write; on a worker thread. A failure is left to the work, which reports it.
    using Size = std::function<std::int64_t(const std::stop_token& stop)>;
    /// Asks before a large export.
    void start(Size size, double bytes_per_second, const QString& name, const QString& text, FileWork work);

    const widgets::RunLibrary& library_;
    Notices& notices_;
    QWidget* window_;
    std::map<QString, widgets::Job<QString>> jobs_;  ///< by key in the bar
    widgets::Job<std::int64_t> sizes_;
};

}  // namespace casp::gui

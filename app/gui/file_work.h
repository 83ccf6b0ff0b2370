#pragma once
// Work that writes files: an archive of a run, a copy of its weights, its forecasts. Any thread.

#include <functional>
#include <stop_token>

#include <QString>
#include <QStringList>

#include "util/progress.h"

namespace casp::gui {

/// Returns the message to show at the end. Throws on failure, and Cancelled after a requested stop.
using FileWork = std::function<QString(const ProgressFn& progress, const std::stop_token& stop)>;

/// Copies a file under a temporary name and renames it; throws casp::Errors, and Cancelled.
void copy_file(const QString& from, const QString& to, const std::stop_token& stop,
               const ProgressFn& progress = {});

/// Name of the archive of a run or a batch, without suffix: "batch-run" or "batch".
[[nodiscard]] QString archive_name(const QString& run_or_batch);

/// File name for a run in a folder of archives: batch-run.tar.gz, with a number if that file exists.
[[nodiscard]] QString archive_file_in(const QString& folder, const QString& run_folder);

/// Packs a run or a batch; the message names what the archive omits. Throws casp::Errors, and Cancelled.
QString write_archive(const QString& folder, const QString& file, const ProgressFn& progress,
                      const std::stop_token& stop);

/// Packs runs one after another into a folder. Failures are thrown at the end, after all runs were tried.
/// After a requested stop the message says how many are written.
QString write_archives(const QStringList& run_folders, const QString& folder, const ProgressFn& progress,
                       const std::stop_token& stop);

/// Writes the stored test forecasts of a run as a long table. Throws casp::Errors, and Cancelled.
QString write_forecast_table(const QString& run_folder, const QString& file, const ProgressFn& progress,
                             const std::stop_token& stop);

/// Writes them as pred.npy and true.npy to a folder, which is created. Throws as write_forecast_table().
QString write_forecast_arrays(const QString& run_folder, const QString& folder, const ProgressFn& progress,
                              const std::stop_token& stop);

}  // namespace casp::gui

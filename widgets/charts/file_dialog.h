#pragma once
// Before files are read or written: dialogs that begin in the last folder used for the same kind of files,
// and the question before large files.

#include <cstdint>

#include <QFileDialog>

namespace casp::widgets {

/// Each kind has its last folder.
enum class FileKind { data, experiments, runs, exports };

/// A dialog for one use: it deletes itself when it is closed. It begins in the last folder, and what is
/// chosen in it becomes the next one. Open it with open().
[[nodiscard]] QFileDialog* file_dialog(QWidget* parent, FileKind kind, const QString& title,
                                       QFileDialog::FileMode mode);
/// The same to save to a file of this suffix, proposing `name`.
[[nodiscard]] QFileDialog* save_dialog(QWidget* parent, FileKind kind, const QString& title,
                                       const QStringList& filters, const QString& suffix,
                                       const QString& name);

/// Empty: none yet, or it no longer exists.
[[nodiscard]] QString last_folder(FileKind kind);
void set_last_folder(FileKind kind, const QString& folder);

/// More than this many bytes are not written without a question.
inline constexpr std::int64_t large_export_bytes = 50'000'000;
/// Asks before a large export, with its size and how long it takes at `bytes_per_second`. False: the user
/// declines. True without a question for a small one.
[[nodiscard]] bool may_export(QWidget* parent, std::int64_t bytes, double bytes_per_second);

}  // namespace casp::widgets

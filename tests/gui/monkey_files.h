#pragma once
// Bad files and folders that only look like runs, for the monkey to drop on the window.

#include <QString>
#include <QStringList>

#include "monkey_base.h"

namespace casp::monkey {

/// Writes bad files of every kind into `folder`, which it makes: the fuzzers' corpora (all of CSV, run files,
/// run.json and safetensors; of the experiments those that are refused), and what does not fit into a corpus:
/// long lines, many columns, a pipe, a folder, links, a file without permission. Returns their paths; none of
/// them changes the experiment when it is dropped. Needs the source tree.
[[nodiscard]] QStringList write_bad_files(const QString& folder);

/// Folders of runs below `output` (run.json in output/experiment/run), in the order of their names.
[[nodiscard]] QStringList run_folders(const QString& output);
/// Those of them that say that they are complete.
[[nodiscard]] QStringList complete_runs(const QString& output);
/// What is wrong with a complete run that nobody may have harmed, or "": run.json or run.h5 cannot be read.
/// One that is not there any more is fine: the monkey may have thrown it away.
[[nodiscard]] QString damage_of(const QString& run);

/// Makes `folder` one of the things that are no run of this program, or no longer one; `samples`: runs to
/// copy from, may be empty. Returns what it is.
QString make_foreign_run(const QString& folder, const QStringList& samples, Choices& choices);

/// All bytes of a file; empty where it cannot be read.
[[nodiscard]] QByteArray bytes_of(const QString& path);
/// False: not, or not all, written.
bool write_bytes(const QString& path, const QByteArray& bytes);

}  // namespace casp::monkey

#pragma once
// Runs to the wastebasket and back, many at a time: the files' side. Any thread.

#include <functional>
#include <stop_token>

#include <QStringList>

namespace casp::widgets {

/// What became of runs that were to be moved. Those in neither list a stop came before: they are where they
/// were.
struct RunMoves {
    QString folder;        ///< the output folder
    bool back = false;     ///< out of the wastebasket
    QStringList moved;     ///< folders of the runs, as they were given
    QStringList failed;    ///< likewise
    QStringList problems;  ///< why those failed, a line each
    qsizetype left = 0;    ///< how many a stop came before
};

/// Moves runs of an output folder to its wastebasket, or the newest of each name back. `piece`
/// receives, every few runs, those moved since its last call; `progress` the number of processed runs.
[[nodiscard]] RunMoves move_runs(const QString& output_folder, bool back, const QStringList& run_folders,
                                 const std::function<void(const QStringList&)>& piece = {},
                                 const std::function<void(qsizetype)>& progress = {},
                                 const std::stop_token& stop = {});

}  // namespace casp::widgets

#include "state/run_mover.h"

#include <algorithm>
#include <utility>

#include "state/plain_text.h"
#include "store/wastebasket.h"

namespace casp::widgets {

RunMover::RunMover(const RunRows& rows, const RunMarksKeeper& marks, WorkPool& writer, WorkPool& cleaner)
    : rows_(rows), marks_(marks), writer_(writer), moves_(cleaner), emptying_(cleaner) {}

QStringList RunMover::movable(const QStringList& run_folders, QStringList& problems) const {
    QStringList free;
    for (const auto& folder : run_folders) {
        if (leaving_.contains(folder)) continue;  // requested twice
        const auto* row = rows_.find(folder);
        if (row == nullptr || !(row->summary.ours || row->queued_here)) {
            free << folder;
            continue;
        }
        problems << (row->summary.ours ? QObject::tr("%1 is running. Cancel it first.")
                                       : QObject::tr("%1 waits in the queue. Cancel it first."))
                        .arg(row->summary.name);
    }
    return free;
}

void RunMover::take(const QStringList& run_folders, bool back) {
    if (!back)
        for (const auto& folder : run_folders) leaving_.remove(folder);
    Q_EMIT moved(run_folders, back);
}

QStringList RunMover::move(const QStringList& run_folders, bool back) {
    QStringList problems;
    if (rows_.folder().isEmpty()) return problems;
    const auto free = back ? run_folders : movable(run_folders, problems);
    // A note that is still being written must find the run where it is.
    if (!back && std::any_of(free.begin(), free.end(),
                             [this](const QString& folder) { return marks_.has_unwritten(folder); }))
        writer_.finish();
    const auto moves = move_runs(rows_.folder(), back, free);
    take(moves.moved, back);
    return problems + moves.problems;
}

void RunMover::start(const QStringList& run_folders, bool back) {
    QStringList problems;
    const auto free = back ? run_folders : movable(run_folders, problems);
    if (rows_.folder().isEmpty()) return;
    if (!back)
        for (const auto& run : free) leaving_.insert(run);
    const auto end = [this, back, free](const RunMoves& moves) {
        if (!back)
            for (const auto& run : free) leaving_.remove(run);
        Q_EMIT moves_ended(moves);
    };
    const RunMoves none{rows_.folder(), back, {}, {}, problems, free.size()};
    moves_.add(
        [this, &writer = writer_, folder = rows_.folder(), free, back, problems](const JobContext& job) {
            writer.finish();  // a note that is still being written must find the run where it is
            const auto piece = [this, &job, back](const QStringList& runs) {
                job.post([this, runs, back] { take(runs, back); });
            };
            const auto progress = [&](qsizetype done) { job.progress({{}, done, free.size(), {}}); };
            auto moves = move_runs(folder, back, free, piece, progress, job.stop);
            moves.problems = problems + moves.problems;
            return moves;
        },
        {.done = end,
         .failed =
             [end, none](const std::exception& failure) {
                 auto moves = none;
                 moves.problems << plain_text(failure);
                 end(moves);
             },
         .cancelled = [end, none] { end(none); },
         .progress =
             [this, back](const Progress& p) {
                 Q_EMIT moving(back, static_cast<int>(p.done), static_cast<int>(p.total));
             }});
    Q_EMIT moving(back, 0, static_cast<int>(free.size()));
}

QStringList RunMover::discarded() const {
    QStringList folders;
    if (rows_.folder().isEmpty()) return folders;
    for (const auto& run : store::Wastebasket(rows_.folder().toStdString()).list())
        folders << QString::fromStdString(run.folder.string());
    return folders;
}

void RunMover::empty_wastebasket() {
    if (rows_.folder().isEmpty()) return;
    emptying_.add([folder = rows_.folder().toStdString()](
                      const JobContext&) { return store::Wastebasket(folder).empty(); },
                  {.failed = [this](const std::exception& failure) { Q_EMIT problem(plain_text(failure)); }});
}

}  // namespace casp::widgets

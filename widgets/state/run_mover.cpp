#include "state/run_mover.h"

#include <filesystem>
#include <map>
#include <utility>

#include "store/wastebasket.h"
#include "util/error.h"
#include "words/plain_text.h"

namespace casp::widgets {

namespace {

/// A list takes this many out at once in about the time that it takes for a few.
constexpr qsizetype runs_in_piece = 128;

/// What is in the wastebasket by where it was, the newest of each place: read once, whatever is restored.
std::map<std::filesystem::path, store::DiscardedRun> newest_by_place(const store::Wastebasket& basket) {
    std::map<std::filesystem::path, store::DiscardedRun> newest;
    for (auto& run : basket.list()) {
        auto place = run.folder;
        newest.emplace(std::move(place), std::move(run));
    }
    return newest;
}

}  // namespace

RunMoves move_runs(const QString& output_folder, bool back, const QStringList& run_folders,
                   const std::function<void(const QStringList&)>& piece,
                   const std::function<void(qsizetype)>& progress, const std::stop_token& stop) {
    RunMoves moves;
    moves.folder = output_folder;
    moves.back = back;
    const store::Wastebasket basket(output_folder.toStdString());
    const auto in_basket = back ? newest_by_place(basket) : decltype(newest_by_place(basket)){};
    const auto move = [&](const QString& folder) {
        const std::filesystem::path place = folder.toStdString();
        if (!back) return (void)basket.discard(place);
        const auto found = in_basket.find(place);
        if (found == in_basket.end()) throw input_error(place.string(), "it is not in the wastebasket");
        basket.restore(found->second);
    };
    QStringList since;
    const auto tell = [&] {
        if (piece && !since.isEmpty()) piece(std::exchange(since, {}));
    };
    qsizetype looked_at = 0;
    for (const auto& folder : run_folders) {
        if (stop.stop_requested()) break;
        try {
            move(folder);
            moves.moved << folder;
            since << folder;
        } catch (const std::exception& failure) {
            moves.failed << folder;
            moves.problems << plain_text(failure);
        }
        ++looked_at;
        if (progress) progress(looked_at);
        if (since.size() == runs_in_piece) tell();
    }
    tell();
    moves.left = run_folders.size() - looked_at;
    return moves;
}

RunMover::RunMover(RunLibrary& library, const RunRows& rows, WorkPool& writer, WorkPool& cleaner)
    : library_(library), rows_(rows), writer_(writer), moves_(cleaner), emptying_(cleaner) {}

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

void RunMover::start(const QStringList& run_folders, bool back) {
    QStringList problems;
    const auto free = back ? run_folders : movable(run_folders, problems);
    if (rows_.folder().isEmpty()) return;
    if (!back)
        for (const auto& run : free) leaving_.insert(run);
    const auto end = [this, back, free](const RunMoves& moves) {
        if (!back)
            for (const auto& run : free) leaving_.remove(run);
        Q_EMIT library_.moves_ended(moves);
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
                 Q_EMIT library_.moving(back, static_cast<int>(p.done), static_cast<int>(p.total));
             }});
    Q_EMIT library_.moving(back, 0, static_cast<int>(free.size()));
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
    emptying_.add(
        [folder = rows_.folder().toStdString()](const JobContext&) {
            return store::Wastebasket(folder).empty();
        },
        {.failed = [this](const std::exception& failure) { Q_EMIT library_.problem(plain_text(failure)); }});
}

}  // namespace casp::widgets

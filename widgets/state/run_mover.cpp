#include "state/run_mover.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "store/wastebasket.h"

namespace casp::widgets {

namespace {

constexpr std::chrono::milliseconds move_report_interval{100};

}  // namespace

RunMover::RunMover(const RunRows& rows, const RunMarksKeeper& marks, Inbox& inbox, WorkPool& writer,
                   WorkPool& cleaner)
    : rows_(rows), marks_(marks), inbox_(inbox), writer_(writer), cleaner_(cleaner) {}

QStringList RunMover::movable(const QStringList& run_folders, QStringList& problems) const {
    QStringList free;
    for (const auto& folder : run_folders) {
        if (leaving_.contains(folder)) continue;  // requested twice
        const auto* row = rows_.find(folder);
        if (row == nullptr || !(row->summary.ours || row->queued_here)) {
            free << folder;
            continue;
        }
        const auto why =
            row->summary.ours ? QStringLiteral("is running") : QStringLiteral("waits in the queue");
        problems << QStringLiteral("%1 %2. Cancel it first.").arg(row->summary.name, why);
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
    ++moves_;
    if (!back)
        for (const auto& run : free) leaving_.insert(run);
    Q_EMIT moving(back, 0, static_cast<int>(free.size()));
    cleaner_.start([this, link = inbox_.link(), &writer = writer_, folder = rows_.folder(), free, back,
                    problems, stop = stop_.get_token()] {
        writer.finish();  // a note that is still being written must find the run where it is
        const int total = static_cast<int>(free.size());
        const auto piece = [this, &link, back](const QStringList& runs) {
            link->post([this, runs, back] { take(runs, back); });
        };
        auto told = std::chrono::steady_clock::now();
        const auto progress = [this, &link, &told, back, total](qsizetype done) {
            const auto now = std::chrono::steady_clock::now();
            if (now - told < move_report_interval) return;
            told = now;
            link->post([this, back, done, total] { Q_EMIT moving(back, static_cast<int>(done), total); });
        };
        auto moves = move_runs(folder, back, free, piece, progress, stop);
        moves.problems = problems + moves.problems;
        link->post([this, back, free, moves = std::move(moves)] {
            --moves_;
            if (!back)
                for (const auto& run : free) leaving_.remove(run);
            Q_EMIT moves_ended(moves);
        });
    });
}

void RunMover::cancel() {
    stop_.request_stop();
    stop_ = std::stop_source();  // for later requests
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
    inbox_.run(
        cleaner_,
        [folder = rows_.folder().toStdString()] {
            try {
                (void)store::Wastebasket(folder).empty();
            } catch (const std::exception& failure) {
                return QString::fromUtf8(failure.what());
            }
            return QString();
        },
        [this](const QString& failure) {
            if (!failure.isEmpty()) Q_EMIT problem(failure);
        });
}

}  // namespace casp::widgets

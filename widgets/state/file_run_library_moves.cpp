// The wastebasket of FileRunLibrary: runs on their way to it and back.
#include <algorithm>
#include <chrono>
#include <utility>

#include "state/file_run_entry.h"
#include "store/wastebasket.h"

namespace casp::widgets {

namespace {

constexpr std::chrono::milliseconds tell_every{100};
constexpr qsizetype scanned_at_once = 256;  ///< runs that come back: what the window shows at a time

}  // namespace

/// Those that may be moved; why the others may not goes to `problems`.
QStringList FileRunLibrary::movable(const QStringList& run_folders, QStringList& problems) const {
    QStringList free;
    for (const auto& folder : run_folders) {
        if (leaving_.contains(folder)) continue;  // twice the same gesture
        const auto* entry = find(folder);
        if (entry == nullptr || !(entry->summary.ours || entry->queued_here)) {
            free << folder;
            continue;
        }
        const auto why =
            entry->summary.ours ? QStringLiteral("goes on") : QStringLiteral("waits in the queue");
        problems << QStringLiteral("%1 %2. Cancel it first.").arg(entry->summary.name, why);
    }
    return free;
}

/// The files are where they go to: the list follows.
void FileRunLibrary::take_moved(const QStringList& run_folders, bool back) {
    for (const auto& folder : run_folders) {
        // Written; another run may come to stand there.
        if (const auto unwritten = unwritten_marks_.find(folder);
            !back && unwritten != unwritten_marks_.end() && !unwritten->failed)
            unwritten_marks_.erase(unwritten);
        moved_looks_[folder] = scans_;
        if (!back) leaving_.remove(folder);
    }
    if (!back) return remove(run_folders, scans_ + 1);
    // Another folder may be open by now.
    if (run_folders.isEmpty() || !is_here(run_folders.front())) return;
    // A run that came back before it was missed is nothing new to the scanner.
    for (qsizetype i = 0; i < run_folders.size(); i += scanned_at_once)
        scan_runs(run_folders.mid(i, scanned_at_once));
}

QStringList FileRunLibrary::discard(const QStringList& run_folders) {
    QStringList problems;
    if (folder_.isEmpty()) return problems;
    const auto free = movable(run_folders, problems);
    // A note that is still on its way must find the run where it is.
    if (std::any_of(free.begin(), free.end(),
                    [this](const QString& folder) { return unwritten_marks_.contains(folder); }))
        writer_->finish();
    const auto moves = move_runs(folder_, false, free);
    take_moved(moves.moved, false);
    return problems + moves.problems;
}

QStringList FileRunLibrary::restore(const QStringList& run_folders) {
    if (folder_.isEmpty()) return {};
    const auto moves = move_runs(folder_, true, run_folders);
    take_moved(moves.moved, true);
    return moves.problems;
}

void FileRunLibrary::start_discard(const QStringList& run_folders) {
    QStringList problems;
    const auto free = movable(run_folders, problems);
    start_moves(free, false, problems);
}

void FileRunLibrary::start_restore(const QStringList& run_folders) { start_moves(run_folders, true, {}); }

void FileRunLibrary::start_moves(const QStringList& run_folders, bool back, const QStringList& problems) {
    if (folder_.isEmpty()) return;
    ++moves_;
    if (!back)
        for (const auto& run : run_folders) leaving_.insert(run);
    Q_EMIT moving(back, 0, static_cast<int>(run_folders.size()));
    // On the thread that empties the wastebasket: one thing after another, in the order of the gestures.
    cleaner_->start([this, link = inbox_->link(), writer = writer_.get(), folder = folder_, run_folders, back,
                     problems, stop = move_stop_.get_token()] {
        writer->finish();  // a note that is still on its way must find the run where it is
        const int total = static_cast<int>(run_folders.size());
        const auto piece = [this, &link, back](const QStringList& moved) {
            link->post([this, moved, back] { take_moved(moved, back); });
        };
        auto told = std::chrono::steady_clock::now();
        const auto progress = [this, &link, &told, back, total](qsizetype done) {
            const auto now = std::chrono::steady_clock::now();
            if (now - told < tell_every) return;
            told = now;
            link->post([this, back, done, total] { Q_EMIT moving(back, static_cast<int>(done), total); });
        };
        auto moves = move_runs(folder, back, run_folders, piece, progress, stop);
        moves.problems = problems + moves.problems;
        link->post([this, back, run_folders, moves = std::move(moves)] {
            --moves_;
            if (!back)
                for (const auto& run : run_folders) leaving_.remove(run);
            Q_EMIT moves_ended(moves);
        });
    });
}

void FileRunLibrary::cancel_moves() {
    move_stop_.request_stop();
    move_stop_ = std::stop_source();  // for those that come after
}

QStringList FileRunLibrary::discarded() const {
    QStringList folders;
    if (folder_.isEmpty()) return folders;
    for (const auto& run : store::Wastebasket(folder_.toStdString()).list())
        folders << QString::fromStdString(run.folder.string());
    return folders;
}

void FileRunLibrary::empty_wastebasket() {
    if (folder_.isEmpty()) return;
    inbox_->run(
        *cleaner_,
        [folder = folder_.toStdString()] {
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

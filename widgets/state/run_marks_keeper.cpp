#include "state/run_marks_keeper.h"

#include <filesystem>
#include <utility>

#include "figures/style.h"
#include "words/plain_text.h"

namespace casp::widgets {

namespace {

/// A window that closes meanwhile need not wait for thousands.
constexpr std::size_t colours_at_once = 32;

std::filesystem::path path_of(const QString& text) { return text.toStdString(); }

}  // namespace

/// One marks.json that is to be written, and the outcome.
struct RunMarksKeeper::Write {
    QString folder;
    Unwritten what;
    QString problem = {};  ///< why it was not written; empty: it was, or there was nothing to do
    bool gone = false;     ///< the run no longer exists
    bool away = false;     ///< nor does the output folder

    /// Another window may have written since: only what was changed here is replaced.
    void run(bool by_user) {
        const auto run = path_of(folder);
        std::error_code ignored;
        // An error is reported by write_marks.
        const auto is_gone = [&] { return !std::filesystem::exists(run / "run.json", ignored) && !ignored; };
        if (is_gone()) {
            away = !std::filesystem::exists(run.parent_path().parent_path(), ignored);
            gone = away || is_gone();  // the folder may just have come back
            if (gone) return;
        }
        store::RunMarks stored;
        try {
            stored = store::read_marks(run);
        } catch (const std::exception&) {
            stored = what.marks;  // damaged
        }
        if (what.note) stored.note = what.marks.note;
        if (what.colour) stored.colour = what.marks.colour;
        if (stored.colour_index < 0) stored.colour_index = what.marks.colour_index;
        store::write_marks(run, stored, by_user);
        what.marks = stored;
    }
};

RunMarksKeeper::RunMarksKeeper(RunLibrary& library, RunRows& rows, FolderScan& scan, WorkPool& writer)
    : library_(library), rows_(rows), scan_(scan), writing_(writer) {}

void RunMarksKeeper::open() {
    ++generation_;
    taken_colours_.clear();
    lowest_free_colour_ = 0;
    unsaved_colours_.clear();
    saving_colours_ = false;
}

void RunMarksKeeper::adopt(RunRow& row) {
    if (const auto unwritten = unwritten_.constFind(row.summary.folder); unwritten != unwritten_.cend())
        take(row, unwritten->marks);
}

void RunMarksKeeper::take(RunRow& row, const store::RunMarks& marks) {
    row.summary.note = QString::fromStdString(marks.note);
    row.own_colour = QString::fromStdString(marks.colour);
    if (marks.colour_index >= 0)
        row.colour_index = marks.colour_index;
    else if (row.colour_index >= 0 && !row.marks_known)
        unsaved_colours_.push_back(row.summary.folder);  // given before marks.json had been read
    row.marks_known = true;
    if (row.colour_index >= 0) taken_colours_.insert(row.colour_index);
    give_colour(row);
}

void RunMarksKeeper::give_colour(RunRow& row) {
    if (row.colour_index < 0) {
        row.colour_index = next_free_colour();
        taken_colours_.insert(row.colour_index);
        unsaved_colours_.push_back(row.summary.folder);
    }
    row.summary.colour = row.own_colour.isEmpty() ? QColor(figures::run_colour(row.colour_index).rgb())
                                                  : QColor(row.own_colour);
}

/// The lowest that no run here has had.
int RunMarksKeeper::next_free_colour() {
    while (taken_colours_.count(lowest_free_colour_) > 0) ++lowest_free_colour_;
    return lowest_free_colour_;
}

bool RunMarksKeeper::update(RunRow& row, const store::ScannedRun& run) {
    // What the user has just changed is newer than what was read before it reached the disk.
    const auto& s = row.summary;
    if (unwritten_.contains(s.folder)) return false;
    const auto before = std::make_pair(s.note, s.colour);
    if (run.problem.empty())
        take(row, run.marks);
    else  // unread is not empty: nothing of it may be overwritten
        give_colour(row);
    return before != std::make_pair(s.note, s.colour);
}

void RunMarksKeeper::set_note(RunRow& row, const QString& note) {
    if (row.summary.note == note) return;
    row.summary.note = note;
    write({&row}, Mark::note);
    rows_.touch(row);
}

void RunMarksKeeper::set_colour(RunRow& row, const QColor& colour) {
    if (!colour.isValid() || row.summary.colour == colour) return;
    row.own_colour = colour.name();
    row.summary.colour = QColor(row.own_colour);
    write({&row}, Mark::colour);
    rows_.touch(row);
}

void RunMarksKeeper::save_colours() {
    if (saving_colours_ || unsaved_colours_.empty()) return;
    saving_colours_ = true;
    std::vector<RunRow*> rows;
    while (rows.size() < colours_at_once && !unsaved_colours_.empty()) {
        auto* row = rows_.find(unsaved_colours_.front());
        // A marks.json that has not been read yet may hold a note and a colour.
        if (row != nullptr && row->marks_known) rows.push_back(row);
        unsaved_colours_.pop_front();
    }
    write(rows, Mark::nothing);
}

void RunMarksKeeper::write(const std::vector<RunRow*>& rows, Mark changed) {
    std::vector<Write> writes;
    for (const auto* row : rows) {
        auto& unwritten = unwritten_[row->summary.folder];
        unwritten.write = ++writes_;
        unwritten.marks = {row->summary.note.toStdString(), row->colour_index, row->own_colour.toStdString()};
        unwritten.note = unwritten.note || changed == Mark::note;
        unwritten.colour = unwritten.colour || changed == Mark::colour;
        unwritten.failed = false;
        writes.push_back({row->summary.folder, unwritten});
    }
    write(std::move(writes), changed != Mark::nothing, false);
}

void RunMarksKeeper::retry() {
    std::vector<Write> writes;
    for (auto unwritten = unwritten_.begin(); unwritten != unwritten_.end(); ++unwritten) {
        if (!unwritten->failed) continue;
        unwritten->failed = false;
        writes.push_back({unwritten.key(), *unwritten});
    }
    if (!writes.empty()) write(std::move(writes), true, true);
}

void RunMarksKeeper::write(std::vector<Write> writes, bool by_user, bool again) {
    writing_.add(
        [writes = std::move(writes), by_user](const JobContext&) mutable {
            for (auto& write : writes) {
                try {
                    write.run(by_user);
                } catch (const std::exception& thrown) {
                    write.problem = plain_text(thrown);
                }
            }
            return std::move(writes);
        },
        {.done = [this, by_user, again, generation = generation_](const std::vector<Write>& writes_done) {
            written(writes_done, again);
            if (by_user || generation != generation_) return;
            saving_colours_ = false;
            save_colours();
        }});
}

bool RunMarksKeeper::keep_failed(const Write& write, Unwritten& unwritten, bool again) {
    // In a read-only folder colours are given anew each time, which nobody needs to know.
    const bool entered = write.what.note || write.what.colour;
    if (!entered) return false;
    if (!write.problem.isEmpty()) {
        unwritten.failed = true;
        if (!again)
            Q_EMIT library_.problem(write.problem +
                                    tr(" The list keeps the change and saves it as soon as possible."));
        return true;
    }
    if (!write.gone) return false;
    // If the whole output folder is gone, the run may return, and its note is written then.
    unwritten.failed = write.away;
    if ((!again || !write.away) && write.what.note && !write.what.marks.note.empty())
        Q_EMIT library_.problem((unwritten.failed
                                     ? tr("%1 no longer exists; the note “%2” is saved when the folder "
                                          "is back.")
                                     : tr("%1 no longer exists; the note “%2” was not saved."))
                                    .arg(write.folder, QString::fromStdString(write.what.marks.note)));
    return unwritten.failed;
}

void RunMarksKeeper::written(const std::vector<Write>& writes, bool again) {
    for (const auto& write : writes) {
        const auto unwritten = unwritten_.find(write.folder);
        if (unwritten == unwritten_.end() || unwritten->write != write.what.write) continue;
        if (keep_failed(write, *unwritten, again)) continue;
        unwritten_.erase(unwritten);
        if (!write.problem.isEmpty() || write.gone) continue;
        scan_.outdate(write.folder);
        // Another window may have written there meanwhile.
        if (auto* row = rows_.find(write.folder); row != nullptr && (write.what.note || write.what.colour)) {
            take(*row, write.what.marks);
            rows_.touch(*row);
        }
    }
}

void RunMarksKeeper::forget(const QString& run_folder) {
    if (const auto unwritten = unwritten_.find(run_folder);
        unwritten != unwritten_.end() && !unwritten->failed)
        unwritten_.erase(unwritten);
}

}  // namespace casp::widgets

// Notes and colours of FileRunLibrary.
#include <algorithm>
#include <filesystem>
#include <utility>

#include "figures/style.h"
#include "state/file_run_entry.h"
#include "store/run_marks.h"

namespace casp::widgets {

namespace {

constexpr std::size_t colours_at_once = 32;

std::filesystem::path path_of(const QString& text) { return text.toStdString(); }

}  // namespace

void FileRunLibrary::take_marks(Entry& entry, const store::RunMarks& marks) {
    entry.summary.note = QString::fromStdString(marks.note);
    entry.own_colour = QString::fromStdString(marks.colour);
    if (marks.colour_index >= 0)
        entry.colour_index = marks.colour_index;
    else if (entry.colour_index >= 0 && !entry.marks_known)
        unsaved_colours_.push_back(entry.summary.folder);  // given before marks.json had been read
    entry.marks_known = true;
    if (entry.colour_index >= 0) taken_colours_.insert(entry.colour_index);
    give_colour(entry);
}

void FileRunLibrary::give_colour(Entry& entry) {
    if (entry.colour_index < 0) {
        entry.colour_index = next_free_colour();
        taken_colours_.insert(entry.colour_index);
        unsaved_colours_.push_back(entry.summary.folder);
    }
    entry.summary.colour = entry.own_colour.isEmpty() ? QColor(figures::run_colour(entry.colour_index).rgb())
                                                      : QColor(entry.own_colour);
}

/// The lowest that no run here has had.
int FileRunLibrary::next_free_colour() {
    while (taken_colours_.count(lowest_free_colour_) > 0) ++lowest_free_colour_;
    return lowest_free_colour_;
}

/// A few at a time: a window that closes meanwhile need not wait for thousands.
void FileRunLibrary::save_colours() {
    if (saving_colours_ || unsaved_colours_.empty()) return;
    saving_colours_ = true;
    std::vector<Entry*> entries;
    while (entries.size() < colours_at_once && !unsaved_colours_.empty()) {
        auto* entry = find(unsaved_colours_.front());
        // Whose marks.json is still to be read may have a note and a colour there.
        if (entry != nullptr && entry->marks_known) entries.push_back(entry);
        unsaved_colours_.pop_front();
    }
    write_marks(entries, Mark::nothing);
}

/// One marks.json that is to be written, and what became of it.
struct FileRunLibrary::MarksWrite {
    QString folder;
    Unwritten what;
    QString problem;    ///< why it could not be; empty: it was, or there was nothing to do
    bool gone = false;  ///< the run is not there any more

    /// Another window may have written since: only what was changed here is replaced.
    void write(bool by_user) {
        const auto run = path_of(folder);
        std::error_code ignored;
        // An error is write_marks' to tell.
        if (!std::filesystem::exists(run / "run.json", ignored) && !ignored) {
            gone = true;
            return;
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

void FileRunLibrary::write_marks(const std::vector<Entry*>& entries, Mark changed) {
    std::vector<MarksWrite> writes;
    for (auto* entry : entries) {
        auto& unwritten = unwritten_marks_[entry->summary.folder];
        unwritten.write = ++marks_written_;
        unwritten.marks = {entry->summary.note.toStdString(), entry->colour_index,
                           entry->own_colour.toStdString()};
        unwritten.note = unwritten.note || changed == Mark::note;
        unwritten.colour = unwritten.colour || changed == Mark::colour;
        unwritten.failed = false;
        writes.push_back({entry->summary.folder, unwritten, {}, false});
    }
    write_marks(std::move(writes), changed != Mark::nothing, false);
}

/// What did not reach the disk, once more: it may have room again.
void FileRunLibrary::write_failed_marks() {
    std::vector<MarksWrite> writes;
    for (auto unwritten = unwritten_marks_.begin(); unwritten != unwritten_marks_.end(); ++unwritten) {
        if (!unwritten->failed) continue;
        unwritten->failed = false;
        writes.push_back({unwritten.key(), *unwritten, {}, false});
    }
    if (!writes.empty()) write_marks(std::move(writes), true, true);
}

void FileRunLibrary::write_marks(std::vector<MarksWrite> writes, bool by_user, bool again) {
    inbox_->run(
        *writer_,
        [writes = std::move(writes), by_user]() mutable {
            for (auto& write : writes) {
                try {
                    write.write(by_user);
                } catch (const std::exception& thrown) {
                    write.problem = QString::fromUtf8(thrown.what());
                }
            }
            return std::move(writes);
        },
        [this, by_user, again, generation = generation_](const std::vector<MarksWrite>& written) {
            marks_written(written, again);
            if (by_user || generation != generation_) return;
            saving_colours_ = false;
            save_colours();
        });
}

void FileRunLibrary::marks_written(const std::vector<MarksWrite>& writes, bool again) {
    for (const auto& write : writes) {
        const auto unwritten = unwritten_marks_.find(write.folder);
        if (unwritten == unwritten_marks_.end() || unwritten->write != write.what.write) continue;
        // A folder that may only be read: colours are given anew each time, which nobody must be told.
        const bool entered = write.what.note || write.what.colour;
        if (!write.problem.isEmpty() && entered) {
            unwritten->failed = true;
            if (!again)
                Q_EMIT problem(write.problem +
                               QStringLiteral(" It stays in this list and is written as soon as that can "
                                              "be done."));
            continue;
        }
        if (write.gone && entered) {
            // With the whole folder the run may come back, and its note is written then.
            std::error_code ignored;
            const bool comes_back =
                !std::filesystem::exists(path_of(write.folder).parent_path().parent_path(), ignored);
            if (!again && write.what.note && !write.what.marks.note.empty())
                Q_EMIT problem(
                    (comes_back ? QStringLiteral("%1 is not there any more; the note “%2” is written when "
                                                 "its folder is back.")
                                : QStringLiteral("%1 is not there any more; the note “%2” was not kept."))
                        .arg(write.folder, QString::fromStdString(write.what.marks.note)));
            unwritten->failed = comes_back;
            if (comes_back) continue;
        }
        unwritten_marks_.erase(unwritten);
        if (!write.problem.isEmpty() || write.gone) continue;
        written_marks_[write.folder] = {scans_, write.what.marks};
        // What another window had written there meanwhile.
        if (auto* entry = find(write.folder); entry != nullptr && entered) {
            take_marks(*entry, write.what.marks);
            touch(*entry);
        }
    }
}

bool FileRunLibrary::set_note(const QString& run_folder, const QString& note) {
    auto* entry = find(run_folder);
    if (entry == nullptr || leaving_.contains(run_folder)) return false;
    if (entry->summary.note == note) return true;
    entry->summary.note = note;
    write_marks({entry}, Mark::note);
    touch(*entry);
    return true;
}

bool FileRunLibrary::set_colour(const QString& run_folder, const QColor& colour) {
    auto* entry = find(run_folder);
    if (entry == nullptr || leaving_.contains(run_folder)) return false;
    if (!colour.isValid() || entry->summary.colour == colour) return true;
    entry->own_colour = colour.name();
    entry->summary.colour = QColor(entry->own_colour);
    write_marks({entry}, Mark::colour);
    touch(*entry);
    return true;
}

}  // namespace casp::widgets

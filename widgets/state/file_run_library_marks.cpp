// Notes, colours and the wastebasket of FileRunLibrary.
#include <algorithm>
#include <filesystem>
#include <utility>

#include "figures/style.h"
#include "state/file_run_entry.h"
#include "store/run_marks.h"
#include "store/wastebasket.h"
#include "util/error.h"

namespace casp::widgets {

namespace {

constexpr std::size_t colours_at_once = 32;

std::filesystem::path path_of(const QString& text) { return text.toStdString(); }

/// `marks` of a run whose marks.json was not known: what stands there and was not replaced stays.
store::RunMarks with_stored(store::RunMarks marks, const std::filesystem::path& folder) {
    store::RunMarks stored;
    try {
        stored = store::read_marks(folder);
    } catch (const std::exception&) {
        return marks;  // damaged
    }
    if (marks.note.empty()) marks.note = stored.note;
    if (marks.colour.empty()) marks.colour = stored.colour;
    if (stored.colour_index >= 0) marks.colour_index = stored.colour_index;
    return marks;
}

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
    write_marks(entries, false);
}

void FileRunLibrary::write_marks(const std::vector<Entry*>& entries, bool by_user) {
    struct Write {
        QString folder;
        quint64 number;
        store::RunMarks marks;
        bool whole;  ///< otherwise marks.json has not been read yet
    };
    std::vector<Write> all;
    for (auto* entry : entries) {
        const store::RunMarks marks{entry->summary.note.toStdString(), entry->colour_index,
                                    entry->own_colour.toStdString()};
        all.push_back({entry->summary.folder, ++marks_written_, marks, entry->marks_known});
        unwritten_marks_[entry->summary.folder] = {marks_written_, marks};
    }
    inbox_->run(
        *writer_,
        [all, by_user]() mutable {
            QString failure;
            for (auto& write : all) {
                try {
                    const auto folder = path_of(write.folder);
                    std::error_code problem;
                    // An error is write_marks' to tell.
                    if (!std::filesystem::exists(folder / "run.json", problem) && !problem) continue;
                    if (!write.whole) write.marks = with_stored(write.marks, folder);
                    store::write_marks(folder, write.marks, by_user);
                } catch (const std::exception& thrown) {
                    failure = QString::fromUtf8(thrown.what());
                }
            }
            return std::make_pair(failure, std::move(all));
        },
        [this, by_user, generation = generation_](const std::pair<QString, std::vector<Write>>& done) {
            const auto& [failure, written] = done;
            // A folder that may only be read: colours are given anew each time, which nobody must be told.
            if (by_user && !failure.isEmpty()) Q_EMIT problem(failure);
            for (const auto& write : written) {
                const auto unwritten = unwritten_marks_.constFind(write.folder);
                if (unwritten == unwritten_marks_.cend() || unwritten->write != write.number) continue;
                unwritten_marks_.erase(unwritten);
                written_marks_[write.folder] = {scans_, write.marks};
            }
            if (by_user || generation != generation_) return;
            saving_colours_ = false;
            save_colours();
        });
}

void FileRunLibrary::set_note(const QString& run_folder, const QString& note) {
    auto* entry = find(run_folder);
    if (entry == nullptr || entry->summary.note == note) return;
    entry->summary.note = note;
    write_marks({entry}, true);
    touch(*entry);
}

void FileRunLibrary::set_colour(const QString& run_folder, const QColor& colour) {
    auto* entry = find(run_folder);
    if (entry == nullptr || !colour.isValid() || entry->summary.colour == colour) return;
    entry->own_colour = colour.name();
    entry->summary.colour = QColor(entry->own_colour);
    write_marks({entry}, true);
    touch(*entry);
}

QStringList FileRunLibrary::discard(const QStringList& run_folders) {
    QStringList problems;
    if (folder_.isEmpty()) return problems;
    const store::Wastebasket basket(path_of(folder_));
    // A note that is still on its way must find the run where it is. A small file or two: no wait to notice.
    if (std::any_of(run_folders.begin(), run_folders.end(),
                    [this](const QString& folder) { return unwritten_marks_.contains(folder); }))
        writer_->finish();
    QStringList gone;
    for (const auto& folder : run_folders) {
        auto* entry = find(folder);
        if (entry != nullptr && (entry->summary.ours || entry->queued_here)) {
            const auto why =
                entry->summary.ours ? QStringLiteral("goes on") : QStringLiteral("waits in the queue");
            problems << QStringLiteral("%1 %2. Cancel it first.").arg(entry->summary.name, why);
            continue;
        }
        try {
            (void)basket.discard(path_of(folder));
            gone << folder;
            unwritten_marks_.remove(folder);  // written; another run may come to stand there
            moved_looks_[folder] = scans_;
        } catch (const std::exception& failure) {
            problems << QString::fromUtf8(failure.what());
        }
    }
    remove(gone, scans_ + 1);
    return problems;
}

QStringList FileRunLibrary::discarded() const {
    QStringList folders;
    if (folder_.isEmpty()) return folders;
    for (const auto& run : store::Wastebasket(path_of(folder_)).list())
        folders << QString::fromStdString(run.folder.string());
    return folders;
}

QStringList FileRunLibrary::restore(const QStringList& run_folders) {
    QStringList problems;
    if (folder_.isEmpty()) return problems;
    const store::Wastebasket basket(path_of(folder_));
    QStringList back;
    for (const auto& folder : run_folders) {
        try {
            const auto all = basket.list();  // the newest first
            const auto found = std::find_if(all.begin(), all.end(), [&](const store::DiscardedRun& run) {
                return run.folder == path_of(folder);
            });
            if (found == all.end()) throw input_error(folder.toStdString(), "it is not in the wastebasket");
            basket.restore(*found);
            back << folder;
            moved_looks_[folder] = scans_;
        } catch (const std::exception& failure) {
            problems << QString::fromUtf8(failure.what());
        }
    }
    // A run that came back before it was missed is nothing new to the scanner.
    if (!back.isEmpty()) scan_runs(back);
    return problems;
}

void FileRunLibrary::empty_wastebasket() {
    if (folder_.isEmpty()) return;
    inbox_->run(
        *cleaner_,
        [folder = path_of(folder_)] {
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

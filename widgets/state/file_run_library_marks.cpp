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

}  // namespace

void FileRunLibrary::take_marks(Entry& entry, const store::RunMarks& marks) {
    entry.summary.note = QString::fromStdString(marks.note);
    entry.own_colour = QString::fromStdString(marks.colour);
    if (marks.colour_index >= 0) entry.colour_index = marks.colour_index;
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
        if (auto* entry = find(unsaved_colours_.front())) entries.push_back(entry);
        unsaved_colours_.pop_front();
    }
    write_marks(entries, false);
}

void FileRunLibrary::write_marks(const std::vector<Entry*>& entries, bool by_user) {
    std::vector<std::pair<QString, store::RunMarks>> all;
    for (auto* entry : entries) {
        ++entry->marks_writes;
        all.emplace_back(entry->summary.folder,
                         store::RunMarks{entry->summary.note.toStdString(), entry->colour_index,
                                         entry->own_colour.toStdString()});
    }
    inbox_->run(
        *writer_,
        [all] {
            QString failure;
            for (const auto& [folder, marks] : all) {
                try {
                    if (std::filesystem::exists(path_of(folder) / "run.json"))
                        store::write_marks(path_of(folder), marks);
                } catch (const std::exception& thrown) {
                    failure = QString::fromUtf8(thrown.what());
                }
            }
            return failure;
        },
        [this, all, by_user, generation = generation_](const QString& failure) {
            // A folder that may only be read: colours are given anew each time, which nobody must be told.
            if (by_user && !failure.isEmpty()) Q_EMIT problem(failure);
            if (generation != generation_) return;
            for (const auto& [folder, marks] : all) {
                auto* entry = find(folder);
                if (entry == nullptr || entry->marks_writes == 0) continue;
                --entry->marks_writes;
                entry->marks_scan = scans_;
            }
            if (by_user) return;
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
        } catch (const std::exception& failure) {
            problems << QString::fromUtf8(failure.what());
        }
    }
    remove(gone);
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
        *writer_,
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

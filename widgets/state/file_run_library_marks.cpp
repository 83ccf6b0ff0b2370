// Notes, colours and the wastebasket of FileRunLibrary.
#include "figures/style.h"
#include "state/file_run_entry.h"
#include "state/run_files.h"

namespace casp::widgets {

namespace {

std::filesystem::path path_of(const QString& text) { return text.toStdString(); }

}  // namespace

void FileRunLibrary::give_colour(Entry& entry, const std::string& stored) {
    const QColor colour(QString::fromStdString(stored));
    if (colour.isValid()) {
        entry.summary.colour = colour;
        entry.has_colour = true;
        taken_colours_.insert(colour.rgb());
    } else if (!entry.has_colour) {
        entry.summary.colour = free_colour();
        entry.has_colour = true;
        taken_colours_.insert(entry.summary.colour.rgb());
        write_marks(entry, false);
    }
}

void FileRunLibrary::write_marks(const Entry& entry, bool flushed) {
    RunMarks marks{entry.summary.note.toStdString(), entry.summary.colour.name().toStdString()};
    writer_->start([this, link = inbox_->link(), folder = path_of(entry.summary.folder),
                    marks = std::move(marks), flushed] {
        try {
            widgets::write_marks(folder, marks, flushed);
        } catch (const std::exception& failure) {
            // A folder that may only be read: colours are then given anew each time, which nobody must be
            // told.
            if (flushed)
                link->post([this, text = QString::fromUtf8(failure.what())] { Q_EMIT problem(text); });
        }
    });
}

void FileRunLibrary::set_note(const QString& run_folder, const QString& note) {
    auto* entry = find(run_folder);
    if (entry == nullptr || entry->summary.note == note) return;
    entry->summary.note = note;
    write_marks(*entry, true);
    touch(*entry);
}

void FileRunLibrary::set_colour(const QString& run_folder, const QColor& colour) {
    auto* entry = find(run_folder);
    if (entry == nullptr || !colour.isValid() || entry->summary.colour == colour) return;
    entry->summary.colour = colour;
    entry->has_colour = true;
    write_marks(*entry, true);
    touch(*entry);
}

QStringList FileRunLibrary::discard(const QStringList& run_folders) {
    QStringList problems;
    const Wastebasket basket(path_of(folder_));
    std::vector<std::string> gone;
    for (const auto& folder : run_folders) {
        auto* entry = find(folder);
        if (entry != nullptr && (entry->summary.ours || entry->queued_here)) {
            problems << QStringLiteral("%1 %2. Cancel it first.")
                            .arg(entry->summary.name, entry->summary.ours
                                                          ? QStringLiteral("goes on")
                                                          : QStringLiteral("waits in the queue"));
            continue;
        }
        try {
            basket.discard(path_of(folder));
            gone.push_back(folder.toStdString());
        } catch (const std::exception& failure) {
            problems << QString::fromUtf8(failure.what());
        }
    }
    forgotten_.insert(forgotten_.end(), gone.begin(), gone.end());
    remove(gone);
    if (!gone.empty()) scan(true);
    return problems;
}

QStringList FileRunLibrary::discarded() const {
    QStringList folders;
    if (folder_.isEmpty()) return folders;
    for (const auto& run : Wastebasket(path_of(folder_)).content())
        folders << QString::fromStdString(run.string());
    return folders;
}

QStringList FileRunLibrary::restore(const QStringList& run_folders) {
    QStringList problems;
    const Wastebasket basket(path_of(folder_));
    for (const auto& folder : run_folders) {
        try {
            basket.restore(path_of(folder));
        } catch (const std::exception& failure) {
            problems << QString::fromUtf8(failure.what());
        }
    }
    scan(true);
    return problems;
}

void FileRunLibrary::empty_wastebasket() {
    if (folder_.isEmpty()) return;
    writer_->start([this, link = inbox_->link(), folder = path_of(folder_)] {
        try {
            Wastebasket(folder).empty();
        } catch (const std::exception& failure) {
            link->post([this, text = QString::fromUtf8(failure.what())] { Q_EMIT problem(text); });
        }
    });
}

}  // namespace casp::widgets

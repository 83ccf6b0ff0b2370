#include "state/folder_scan.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <utility>

#include "util/error.h"
#include "words/plain_text.h"

namespace casp::widgets {

namespace {

constexpr int tick_ms = 2000;
constexpr double tick_per_scan = 50;  ///< times the duration of the last look
constexpr std::size_t runs_at_once = 256;

/// In pieces that do not hold up the window.
std::vector<std::vector<store::ScannedRun>> pieces_of(std::vector<store::ScannedRun> runs) {
    std::vector<std::vector<store::ScannedRun>> pieces;
    for (auto& run : runs) {
        if (pieces.empty() || pieces.back().size() == runs_at_once) pieces.emplace_back();
        pieces.back().push_back(std::move(run));
    }
    return pieces;
}

}  // namespace

struct FolderScan::Look {
    store::ScanChanges changes;
    double seconds = 0;
    bool folder_gone = false;
    QString problem;  ///< the folder exists, or may exist, but could not be read
};

FolderScan::FolderScan(WorkPool& readers) : scan_job_(readers), runs_job_(readers) {
    tick_.setSingleShot(true);
    connect(&tick_, &QTimer::timeout, this, &FolderScan::scan);
}

void FolderScan::open(const QString& folder) {
    stop();
    again_ = false;
    tick_.stop();
    folder_ = folder;
    problem_.clear();
    if (folder_.isEmpty()) return;
    make_store();
    first_ = true;
}

void FolderScan::stop() {
    scan_job_.cancel();
    runs_job_.cancel();
}

void FolderScan::make_store() {
    folder_seen_ = false;
    runs_ = std::make_shared<store::RunStore>(folder_.toStdString(), threads);
}

FolderScan::Look FolderScan::look(store::RunStore& runs, const ProgressFn& progress,
                                  const std::stop_token& stop) {
    const auto begin = std::chrono::steady_clock::now();
    Look seen;
    try {
        seen.changes = runs.scan(progress, stop);
    } catch (const Cancelled&) {
        // The folder was closed.
    } catch (const std::exception& failure) {
        // The first run makes the output folder. A network drive that does not answer for a moment has not
        // lost its runs.
        std::error_code problem;
        const auto type = std::filesystem::status(runs.dir(), problem).type();
        seen.folder_gone =
            type != std::filesystem::file_type::none && type != std::filesystem::file_type::directory;
        if (!seen.folder_gone) seen.problem = plain_text(failure);
    }
    seen.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return seen;
}

void FolderScan::scan() {
    if (folder_.isEmpty()) return;
    if (scan_job_.is_running()) {
        again_ = true;
        return;
    }
    incomplete_ = false;
    Job<double>::Handlers handlers{.done = [this](double seconds) { end(seconds); },
                                   .failed =
                                       [this](const std::exception& failure) {
                                           Q_EMIT problem(plain_text(failure));
                                           end(0);
                                       }};
    if (first_)
        handlers.progress = [this](const Progress& p) {
            Q_EMIT loading(static_cast<int>(p.done), static_cast<int>(p.total));
        };
    scan_job_.start(
        [this, runs = runs_](const JobContext& job) {
            const auto version = runs->version();
            auto seen = look(*runs, job.progress, job.stop);
            if (seen.folder_gone)
                job.post([this, version] { lose_folder(version); });
            else if (seen.problem.isEmpty())
                job.post([this] {
                    folder_seen_ = true;
                    Q_EMIT folder_found();
                });
            job.post([this, text = seen.problem] {
                if (std::exchange(problem_, text) != text && !text.isEmpty()) Q_EMIT problem(text);
            });
            if (!seen.changes.removed.empty())
                job.post([this, gone = std::move(seen.changes.removed)] { lose(gone); });
            for (auto* changed : {&seen.changes.added, &seen.changes.changed})
                for (auto& piece : pieces_of(std::move(*changed)))
                    job.post([this, piece = std::move(piece)]() mutable { take(std::move(piece)); });
            if (!seen.changes.omitted.empty()) job.post([this] { look_again(); });
            return seen.seconds;
        },
        std::move(handlers));
}

void FolderScan::scan_runs(const QStringList& run_folders) {
    runs_job_.add(
        [run_folders, runs = runs_](const JobContext&) {
            std::vector<std::filesystem::path> folders;
            for (const auto& folder : run_folders) folders.emplace_back(folder.toStdString());
            return runs->scan(folders);
        },
        {.done = [this](std::vector<store::ScannedRun> found_runs) { take(std::move(found_runs)); },
         // The next look at the whole folder reports it.
         .failed = [](const std::exception&) {}});
}

void FolderScan::outdate(const QString& run_folder) { runs_->outdate(run_folder.toStdString()); }

/// Something newer may have become known since they were read.
void FolderScan::take(std::vector<store::ScannedRun> runs) {
    if (std::erase_if(runs, [this](const auto& run) { return !runs_->is_newest(run); }) > 0) look_again();
    folder_seen_ = folder_seen_ || !runs.empty();
    Q_EMIT found(runs);
}

void FolderScan::look_again() {
    incomplete_ = true;
    scan();
}

void FolderScan::lose(const std::vector<std::filesystem::path>& run_folders) {
    QStringList gone;
    for (const auto& folder : run_folders)
        if (!runs_->has(folder)) gone << QString::fromStdString(folder.string());
    Q_EMIT missing(gone);
}

void FolderScan::lose_folder(std::uint64_t version) {
    if (version != runs_->version()) return;  // it has been seen since
    const bool was_there = folder_seen_;
    // When the folder is back, all its runs are new, even if no file has changed.
    make_store();
    Q_EMIT folder_lost(was_there);
}

void FolderScan::end(double seconds) {
    tick_.start(std::max(tick_ms, static_cast<int>(seconds * 1000 * tick_per_scan)));
    if (!first_ || !incomplete_) Q_EMIT ended(std::exchange(first_, false));
    if (std::exchange(again_, false)) scan();
}

}  // namespace casp::widgets

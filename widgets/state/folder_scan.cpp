#include "state/folder_scan.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <utility>

#include "state/plain_text.h"
#include "util/error.h"

namespace casp::widgets {

namespace {

constexpr int tick_ms = 2000;
constexpr double tick_per_scan = 50;  ///< times the duration of the last look
constexpr std::size_t runs_at_once = 256;

/// False if the drive does not answer.
bool is_surely_gone(const QString& run_folder) {
    std::error_code problem;
    const auto type = std::filesystem::status(run_folder.toStdString() + "/run.json", problem).type();
    return type == std::filesystem::file_type::not_found;
}

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

FolderScan::FolderScan(WorkPool& readers, std::function<QStringList()> unwatched)
    : unwatched_(std::move(unwatched)), scan_job_(readers), runs_job_(readers) {
    tick_.setSingleShot(true);
    connect(&tick_, &QTimer::timeout, this, &FolderScan::scan);
}

void FolderScan::open(const QString& folder) {
    stop();
    again_ = false;
    tick_.stop();
    folder_ = folder;
    problem_.clear();
    folder_seen_ = 0;
    if (folder_.isEmpty()) return;
    make_scanner();
    first_ = true;
}

void FolderScan::stop() {
    scan_job_.cancel();
    runs_job_.cancel();
}

void FolderScan::make_scanner() {
    scanner_ = std::make_shared<store::RunScanner>(folder_.toStdString(), threads);
}

FolderScan::Look FolderScan::look(store::RunScanner& scanner, const ProgressFn& progress,
                                  const std::stop_token& stop) {
    const auto begin = std::chrono::steady_clock::now();
    Look seen;
    try {
        seen.changes = scanner.scan(progress, stop);
    } catch (const Cancelled&) {
        // The folder was closed.
    } catch (const std::exception& failure) {
        // The first run makes the output folder. A network drive that does not answer for a moment has not
        // lost its runs.
        std::error_code problem;
        const auto type = std::filesystem::status(scanner.dir(), problem).type();
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
        [this, scanner = scanner_, number = ++scans_, unwatched = unwatched_()](const JobContext& job) {
            auto seen = look(*scanner, job.progress, job.stop);
            if (seen.folder_gone)
                job.post([this, number] { lose_folder(number); });
            else if (seen.problem.isEmpty())
                job.post([this, number] {
                    folder_seen_ = std::max(folder_seen_, number);
                    Q_EMIT folder_found();
                });
            job.post([this, text = seen.problem] {
                if (std::exchange(problem_, text) != text && !text.isEmpty()) Q_EMIT problem(text);
            });
            QStringList gone;
            for (const auto& folder : seen.changes.removed) gone << QString::fromStdString(folder.string());
            if (seen.problem.isEmpty() && !seen.folder_gone)
                for (const auto& folder : unwatched)
                    if (is_surely_gone(folder) && !gone.contains(folder)) gone << folder;
            if (!gone.isEmpty()) job.post([this, gone, number] { Q_EMIT missing(gone, number); });
            for (auto* runs : {&seen.changes.added, &seen.changes.changed})
                for (auto& piece : pieces_of(std::move(*runs)))
                    job.post([this, number, piece = std::move(piece)] { take(piece, number, true); });
            return seen.seconds;
        },
        std::move(handlers));
}

void FolderScan::scan_runs(const QStringList& run_folders) {
    runs_job_.add(
        [run_folders](const JobContext&) {
            std::vector<store::ScannedRun> runs;
            for (const auto& folder : run_folders) {
                try {
                    auto run = store::scan_run(folder.toStdString());
                    std::error_code problem;
                    if (std::filesystem::exists(run.folder / "run.json", problem))
                        runs.push_back(std::move(run));
                } catch (const std::exception&) {
                    // The next look at the whole folder reports it.
                }
            }
            return runs;
        },
        {.done = [this, number = ++scans_](const std::vector<store::ScannedRun>& runs) {
            take(runs, number, false);
        }});
}

void FolderScan::take(const std::vector<store::ScannedRun>& runs, quint64 look, bool by_scanner) {
    if (!runs.empty()) folder_seen_ = std::max(folder_seen_, look);
    Q_EMIT found(runs, look, by_scanner);
}

void FolderScan::lose_folder(quint64 look) {
    if (look < folder_seen_) return;  // it has been seen since
    // When the folder is back, all its runs are new, even if no file has changed.
    make_scanner();
    Q_EMIT folder_lost(look, std::exchange(folder_seen_, 0) > 0);
}

void FolderScan::end(double seconds) {
    tick_.start(std::max(tick_ms, static_cast<int>(seconds * 1000 * tick_per_scan)));
    Q_EMIT ended(std::exchange(first_, false));
    if (std::exchange(again_, false)) scan();
}

}  // namespace casp::widgets

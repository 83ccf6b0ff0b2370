#include "gui/run_folder_setup.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

#include "config/experiment.h"
#include "run/preparation.h"
#include "store/atomic_file.h"
#include "util/error.h"

namespace casp::gui {

namespace {

namespace fs = std::filesystem;

/// Files of a queued run.
constexpr std::array<std::string_view, 5> waiting_files{"config.toml", "run.json", "marks.json", "log.txt",
                                                        ".lock"};

bool is_waiting_file(const std::string& name) {
    return name.ends_with(".tmp") ||
           std::find(waiting_files.begin(), waiting_files.end(), name) != waiting_files.end();
}

void check_no_strangers(const fs::path& folder) {
    std::error_code problem;
    for (const auto& entry : fs::directory_iterator(folder, problem)) {
        const auto name = entry.path().filename().string();
        if (!is_waiting_file(name))
            throw input_error(folder.string(), "the folder contains other files (such as " + name + ")",
                              "an empty or a new folder", "Choose another name for the run.");
    }
}

/// Whether there is a checkpoint or a history, which must never be removed with a queue entry.
bool holds_work(const store::RunFolder& folder) {
    std::error_code problem;
    return store::current_checkpoint(folder).has_value() || fs::exists(folder.run_file(), problem);
}

/// Whether a run with other settings is queued there. One with the same settings may be from an earlier
/// session of this window.
bool waits_for_others(const run::RunRequest& request) {
    // A batch marks its runs before it writes their settings; such a run also counts as different.
    return store::read_run_status(store::RunFolder(request.folder)) &&
           !run::same_settings(request.folder, request.config);
}

void check_content(const run::RunRequest& request) {
    const auto where = request.folder.string();
    if (const auto holder = store::RunLock::holder(store::RunFolder(request.folder)))
        throw input_error(where, "this run is being written by " + *holder, {},
                          "Wait until it ends, stop it, or choose another name.");
    switch (run::folder_content(request.folder)) {
        case run::FolderContent::complete:
            throw input_error(where, "the folder contains a finished run", {},
                              "Choose another name, or move that run to the wastebasket first.");
        case run::FolderContent::resumable:
        case run::FolderContent::started:
            if (!request.resume)
                throw input_error(where, "the folder contains an unfinished run", {},
                                  "Resume that run, or choose another name.");
            return;
        case run::FolderContent::empty:
            check_no_strangers(request.folder);
            if (!request.resume && waits_for_others(request))
                throw input_error(where, "the folder is queued by another window or batch", {},
                                  "Choose another name.");
    }
}

}  // namespace

QueuedFolder queue_in_folder(const run::RunRequest& request) {
    check_content(request);
    const store::RunFolder folder(request.folder);
    QueuedFolder queued;
    queued.before = store::read_run_status(folder);
    if (queued.before && queued.before->row.state == store::RunState::queued) {
        // It was queued, perhaps to be resumed, when the window was closed; keep its progress.
        if (holds_work(folder))
            queued.before->row.state = store::RunState::interrupted;
        else
            queued.before.reset();
    }
    folder.create();
    // A resumed run keeps its settings until run::run has compared them.
    if (!queued.before) store::write_file_atomically(folder.config(), config::to_toml(request.config));
    auto row = queued.before ? queued.before->row
                             : run::queued_row({request.config, request.folder, request.name, request.swept});
    row.state = store::RunState::queued;
    store::write_run_status(folder, {row, {}, {}});
    return queued;
}

void take_from_folder(const run::RunRequest& request, const QueuedFolder& queued) noexcept {
    try {
        const store::RunFolder folder(request.folder);
        const auto now = store::read_run_status(folder);
        if (!now || now->row.state != store::RunState::queued || store::RunLock::holder(folder)) return;
        if (queued.before) return store::write_run_status(folder, *queued.before);
        if (holds_work(folder)) return;
        std::error_code problem;
        for (const auto name : waiting_files) fs::remove(folder.path() / name, problem);
        fs::remove(folder.path(), problem);                // only if it is empty
        fs::remove(folder.path().parent_path(), problem);  // likewise
    } catch (const std::exception&) {
        // The run stays in the list as queued; nothing is lost.
    }
}

}  // namespace casp::gui

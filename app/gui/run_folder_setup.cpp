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

/// Files that a run which only waits may have.
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
            throw input_error(folder.string(), "the folder holds other files (" + name + ", for one)",
                              "an empty or a new folder", "Choose another name for the run.");
    }
}

/// A checkpoint, or numbers of steps: never to be removed with a place in the queue.
bool holds_work(const store::RunFolder& folder) {
    std::error_code problem;
    return store::current_checkpoint(folder).has_value() || fs::exists(folder.run_file(), problem);
}

/// Whether a run of other settings waits there. One of these settings may be of an earlier session of this
/// window.
bool waits_for_others(const run::RunRequest& request) {
    // A batch marks its runs before it writes their settings: these are not the same either.
    return store::read_run_status(store::RunFolder(request.folder)) &&
           !run::same_settings(request.folder, request.config);
}

void check_content(const run::RunRequest& request) {
    const auto where = request.folder.string();
    if (const auto holder = store::RunLock::holder(store::RunFolder(request.folder)))
        throw input_error(where, "this run is being written by " + *holder, {},
                          "Wait until it ends or stop it, or choose another name.");
    switch (run::folder_content(request.folder)) {
        case run::FolderContent::complete:
            throw input_error(where, "a finished run is there", {},
                              "Choose another name, or move that run to the wastebasket first.");
        case run::FolderContent::resumable:
        case run::FolderContent::started:
            if (!request.resume)
                throw input_error(where, "an unfinished run is there", {},
                                  "Continue that run, or choose another name.");
            return;
        case run::FolderContent::empty:
            check_no_strangers(request.folder);
            if (!request.resume && waits_for_others(request))
                throw input_error(where, "another run waits there, of another window or a batch", {},
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
        // It waited already, perhaps to be continued, when the window was closed: what it has done counts.
        if (holds_work(folder))
            queued.before->row.state = store::RunState::interrupted;
        else
            queued.before.reset();
    }
    folder.create();
    // A run that is continued keeps its settings until run::run has compared them.
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
        fs::remove(folder.path(), problem);                // only where nothing else is in it
        fs::remove(folder.path().parent_path(), problem);  // likewise
    } catch (const std::exception&) {
        // The run stays in the list as one that waits; nothing is lost.
    }
}

}  // namespace casp::gui

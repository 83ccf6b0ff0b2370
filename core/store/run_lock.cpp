#include <filesystem>
#include <string>
#include <system_error>

#include "store/atomic_file.h"
#include "store/run_folder.h"
#include "store/staged_files.h"
#include "util/error.h"

namespace casp::store {

namespace {

/// Writing a run also cleans up in last/, so last/ must not lead elsewhere.
const std::filesystem::path& without_links(const RunFolder& folder) {
    std::error_code ignored;
    if (std::filesystem::is_symlink(folder.last(), ignored))
        throw input_error(folder.last().string(), "this is a link", "a folder of this run",
                          "Remove it: a run is written only in its own folder.");
    return folder.path();
}

}  // namespace

RunLock::RunLock(const RunFolder& folder, const LockRule& rule)
    : lock_(without_links(folder), rule), folder_(folder.path()) {
    finish_replacing(folder);
    remove_temporaries(folder.path());
    remove_temporaries(folder.last());
}

void RunLock::check_ours() const {
    if (!lock_.is_ours()) throw TakenOver(folder_);
}

TakenOver::TakenOver(const std::filesystem::path& run)
    : Error(ErrorKind::run,
            {run.string(),
             "another process has taken over this run, because no sign of life of this one reached it",
             {},
             "Nothing is lost: the other process continues from the last checkpoint. If this machine was "
             "suspended or the network was slow, set run.lease_seconds higher."}) {}

std::optional<std::string> RunLock::holder(const RunFolder& folder) {
    return FolderLock::holder(folder.path());
}

void RunLock::check_free(const RunFolder& folder) {
    if (const auto owner = holder(folder)) throw HeldError(folder.path(), *owner);
}

}  // namespace casp::store

#include "store/staged_files.h"

#include <array>
#include <fstream>
#include <system_error>

#include "store/atomic_file.h"
#include "util/error.h"

namespace casp::store {

namespace {

namespace fs = std::filesystem;

constexpr std::array<const char*, 5> staged_names{"config.toml", "audit.json", "arrays.h5", "run.h5",
                                                  "run.json"};
constexpr const char* replacing_name = ".replacing";

/// Marker beside the new files: there is no new file of that name, and the previous one is removed.
fs::path gone_mark(const fs::path& folder, const char* name) {
    return folder / (std::string(name) + ".gone");
}

fs::path former(const fs::path& folder, const char* name) { return folder / "former" / name; }

bool is_file(const fs::path& path) {
    std::error_code ignored;
    return fs::symlink_status(path, ignored).type() == fs::file_type::regular;
}

/// Also a single rename: `.replacing` is always complete.
void drop(const fs::path& folder, const fs::path& run) {
    std::error_code problem;
    const auto temporary = temporary_name_for(run / "new");
    fs::rename(folder, temporary, problem);
    if (!problem) fs::remove_all(temporary, problem);
}

Error not_replaced(const fs::path& path, const std::error_code& problem, const char* advice) {
    return run_error(path.string(), Phrase("cannot be replaced: %1", problem.message()), {}, advice);
}

}  // namespace

LockedFolder::LockedFolder(const RunFolder& run)
    : run_(run.path()), is_new_(!fs::exists(run.path())), made_(run.path()), lock_(run) {}

LockedFolder::~LockedFolder() {
    std::error_code problem;
    for (const auto& entry : fs::directory_iterator(run_.path(), problem))
        is_new_ = is_new_ && entry.path() == run_.lock();
    if (is_new_ && !problem) fs::remove(run_.lock(), problem);
}

StagedFiles::StagedFiles(const RunFolder& run)
    : run_(run.path()),
      staged_(temporary_name_for(run.path() / "new")),
      replacing_(run.path() / replacing_name) {
    std::error_code problem;
    fs::create_directory(staged_, problem);
    if (!problem) fs::create_directory(staged_ / "former", problem);
    if (problem)
        throw run_error(staged_.string(), Phrase("the folder cannot be created: %1", problem.message()), {},
                        "Check the free space and your permissions there.");
}

StagedFiles::~StagedFiles() {
    std::error_code ignored;
    fs::remove_all(staged_, ignored);
}

/// Writes everything finish_replacing() needs to disk before any file moves.
void StagedFiles::prepare() const {
    for (const char* name : staged_names) {
        const auto mark = gone_mark(staged_, name);
        if (!is_file(staged_ / name) && !(std::ofstream(mark) << std::flush))
            throw run_error(mark.string(), "cannot be written", {},
                            "Check the free space and your permissions there.");
    }
    sync_path(staged_);
}

void StagedFiles::put(const fs::path& from, const fs::path& to) {
    std::error_code problem;
    if (!fs::exists(fs::symlink_status(from, problem))) return;
    fs::rename(from, to, problem);
    if (problem) throw not_replaced(run_ / from.filename(), problem, "The previous files are kept.");
    moves_.push_back({from, to});
}

/// Undoes the moves in reverse order, so that finish_replacing() finds every new file at any time.
void StagedFiles::undo() noexcept {
    bool all = true;
    for (auto done = moves_.rbegin(); done != moves_.rend(); ++done) {
        std::error_code problem;
        fs::rename(done->to, done->from, problem);
        all = all && !problem;
    }
    moves_.clear();
    if (all) drop(replacing_, run_);
}

void StagedFiles::commit() {
    prepare();
    std::error_code problem;
    fs::rename(staged_, replacing_, problem);
    if (problem) throw not_replaced(run_, problem, "The previous files are kept.");
    try {
        sync_path(run_);
        for (auto name = staged_names.rbegin(); name != staged_names.rend(); ++name)
            put(run_ / *name, former(replacing_, *name));
        for (const char* name : staged_names) put(replacing_ / name, run_ / name);
        sync_path(run_);
    } catch (...) {
        undo();
        throw;
    }
    drop(replacing_, run_);
}

bool is_replacing(const RunFolder& run) {
    std::error_code ignored;
    return fs::exists(fs::symlink_status(run.path() / replacing_name, ignored));
}

void finish_replacing(const RunFolder& run) {
    if (!is_replacing(run)) return;
    const auto folder = run.path() / replacing_name;
    std::error_code problem;
    if (!fs::is_directory(fs::symlink_status(folder, problem)))
        throw input_error(folder.string(), "this is a link or a file", "a folder of this run",
                          "Remove it: a run is written only in its own folder.");
    // As in commit(): old numbers must not be taken for those of the new arrays.
    if (is_file(folder / "run.json") || is_file(gone_mark(folder, "run.json")))
        fs::remove(run.run_json(), problem);
    for (const char* name : staged_names) {
        problem.clear();
        if (is_file(folder / name))
            fs::rename(folder / name, run.path() / name, problem);
        else if (is_file(gone_mark(folder, name)))
            fs::remove(run.path() / name, problem);
        if (problem)
            throw not_replaced(run.path() / name, problem,
                               "An earlier replacement was interrupted; it is completed when this succeeds.");
    }
    sync_path(run.path());
    drop(folder, run.path());
}

}  // namespace casp::store

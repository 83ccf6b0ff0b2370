#include "store/staged_files.h"

#include <array>
#include <system_error>

#include "store/atomic_file.h"
#include "util/error.h"

namespace casp::store {

namespace {

namespace fs = std::filesystem;

constexpr std::array<const char*, 4> names{"config.toml", "arrays.h5", "run.h5", "run.json"};

}  // namespace

StagedFiles::StagedFiles(const RunFolder& run)
    : run_(run.path()), staged_(temporary_name_for(run.path() / "new")) {
    std::error_code problem;
    fs::create_directory(staged_, problem);
    if (!problem) fs::create_directory(staged_ / "former", problem);
    if (problem)
        throw run_error(staged_.string(), "the folder cannot be made: " + problem.message(), {},
                        "Is there room, and may you write there?");
}

StagedFiles::~StagedFiles() {
    std::error_code ignored;
    fs::remove_all(staged_, ignored);
}

void StagedFiles::put(const fs::path& from, const fs::path& to) {
    std::error_code problem;
    if (!fs::exists(fs::symlink_status(from, problem))) return;
    fs::rename(from, to, problem);
    if (problem)
        throw run_error((run_ / from.filename()).string(), "cannot be replaced: " + problem.message(), {},
                        "What was there before is kept.");
    moves_.push_back({from, to});
}

void StagedFiles::commit() {
    try {
        for (auto name = names.rbegin(); name != names.rend(); ++name)
            put(run_ / *name, staged_ / "former" / *name);
        for (const char* name : names) put(staged_ / name, run_ / name);
        sync_path(run_);
    } catch (...) {
        std::error_code ignored;
        for (auto done = moves_.rbegin(); done != moves_.rend(); ++done)
            fs::rename(done->to, done->from, ignored);
        moves_.clear();
        throw;
    }
}

}  // namespace casp::store

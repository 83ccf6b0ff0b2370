#include "util/new_folders.h"

#include <system_error>

#include "util/error.h"
#include "util/whole_path.h"

namespace casp {

namespace fs = std::filesystem;

namespace {

void remove_empty(const std::vector<fs::path>& parents_first) {
    std::error_code kept;  // not empty, or gone
    for (auto it = parents_first.rbegin(); it != parents_first.rend(); ++it) fs::remove(*it, kept);
}

}  // namespace

NewFolders::NewFolders(const fs::path& folder) {
    std::vector<fs::path> missing;
    std::error_code problem;
    for (auto path = folder.empty() ? fs::path() : whole_path(folder);
         !path.empty() && !fs::exists(path, problem) && path != path.parent_path(); path = path.parent_path())
        missing.push_back(path);
    problem.clear();
    for (auto it = missing.rbegin(); it != missing.rend() && !problem; ++it)
        if (fs::create_directory(*it, problem)) made_.push_back(*it);
    if (!problem && !folder.empty() && !fs::is_directory(folder, problem) && !problem)
        problem = std::make_error_code(std::errc::not_a_directory);
    if (!problem) return;
    remove_empty(made_);  // the destructor is not called
    throw input_error(folder.string(), Phrase("the folder cannot be created: %1", problem.message()),
                      "a folder that can be written", "Choose another one.");
}

NewFolders::~NewFolders() { remove_empty(made_); }

}  // namespace casp

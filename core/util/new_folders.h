#pragma once
// Folders that a command makes for its files and does not leave behind when it fails.

#include <filesystem>
#include <vector>

namespace casp {

/// Makes a folder with its parents, as far as they are missing. The destructor removes those it has made that
/// are still empty: declare it before whatever writes into the folder.
class NewFolders {
public:
    /// An empty path is the current folder. Throws an input Error if it cannot be created.
    explicit NewFolders(const std::filesystem::path& folder);
    NewFolders(const NewFolders&) = delete;
    NewFolders& operator=(const NewFolders&) = delete;
    ~NewFolders();

    /// Empty folders remain, too.
    void keep() { made_.clear(); }

private:
    std::vector<std::filesystem::path> made_;  ///< parents first
};

}  // namespace casp

#include "model/trusted_files.h"

#include <fstream>
#include <mutex>
#include <set>

#include "data/catalog.h"
#include "util/error.h"

namespace casp::model {

namespace {

std::filesystem::path list_file() { return data::cache_folder() / "caspstudio" / "trusted-models.txt"; }

struct Trusted {
    std::mutex mutex;
    std::set<std::string> chosen;  ///< in this process
    bool everything = false;
};

Trusted& trusted() {
    static Trusted known;
    return known;
}

/// A missing list is an empty one: the question is asked once more.
bool is_listed(const std::string& sha256) {
    std::ifstream list(list_file());
    for (std::string line; std::getline(list, line);)
        if (line == sha256) return true;
    return false;
}

}  // namespace

void trust(const std::string& sha256) {
    auto& known = trusted();
    const std::scoped_lock lock(known.mutex);
    if (!known.chosen.insert(sha256).second) return;
    try {
        if (is_listed(sha256)) return;
        std::filesystem::create_directories(list_file().parent_path());
        std::ofstream(list_file(), std::ios::app) << sha256 + "\n";
    } catch (const std::exception&) {
        // Without a cache it is known in this process only.
    }
}

void trust_everything() {
    auto& known = trusted();
    const std::scoped_lock lock(known.mutex);
    known.everything = true;
}

bool is_trusted(const std::string& sha256) {
    auto& known = trusted();
    {
        const std::scoped_lock lock(known.mutex);
        if (known.everything || known.chosen.count(sha256) > 0) return true;
    }
    try {
        return is_listed(sha256);
    } catch (const Error&) {  // no cache, no list
        return false;
    }
}

void require_trusted(const std::filesystem::path& file, const std::string& sha256) {
    if (!is_trusted(sha256))
        throw input_error(file.string(),
                          "this run is of a Python file that was not run here before, and using it executes "
                          "the file",
                          "a file that you have read and trust", "Then add --trust-model.");
}

}  // namespace casp::model

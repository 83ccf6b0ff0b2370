#include "model/trusted_files.h"

#include <fstream>
#include <mutex>
#include <set>

#include "data/catalog.h"
#include "model/descriptor.h"
#include "util/digest.h"
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

std::string digest_of_interpreter(const std::string& interpreter) {
    return sha256_of("interpreter " + interpreter);
}

std::string digest_of_folder(const std::filesystem::path& file, const std::string& sha256) {
    return sha256_of("folder " + file.parent_path().string() + " " + sha256);
}

void trust_plan(const config::Config& config) {
    if (!capabilities(config).own_process) return;
    const auto& python = config.python;
    trust(python.sha256);
    trust(digest_of_interpreter(python.interpreter));
    trust(digest_of_folder(python.file, python.sha256));
}

void trust_run(const config::Config& config, const std::filesystem::path& run) {
    trust(config.python.sha256);
    trust(digest_of_interpreter(config.python.interpreter));
    std::error_code problem;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(run, problem))
        if (entry.path().extension() == ".state" && entry.is_regular_file(problem))
            trust(sha256_of_file(entry.path()));
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

void require_trusted(const std::filesystem::path& file, const std::string& digest) {
    if (!is_trusted(digest))
        throw input_error(file.string(),
                          "this run is of a Python model that was not run here before, and using it "
                          "executes code",
                          "code that you have read and trust", "Then add --trust-model.");
}

}  // namespace casp::model

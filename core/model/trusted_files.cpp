#include "model/trusted_files.h"

#include <fcntl.h>

#include <fstream>
#include <mutex>
#include <random>
#include <set>

#include "config/experiment.h"
#include "data/catalog.h"
#include "model/descriptor.h"
#include "util/descriptor.h"
#include "util/digest.h"
#include "util/error.h"

namespace casp::model {

namespace {

std::filesystem::path list_file() { return data::cache_folder() / "caspstudio" / "trusted-models.txt"; }

/// A random number that is made at first use; if it cannot be kept, it is one of this process.
std::string make_key() {
    constexpr std::size_t shortest_key = 40;
    std::random_device random;
    std::string text;
    for (int i = 0; i < 8; ++i) text += std::to_string(random()) + " ";
    try {
        const auto file = data::cache_folder() / "caspstudio" / "seal-key";
        std::filesystem::create_directories(file.parent_path());
        const casp::Descriptor made(::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
        if (made.is_open() && write_all(made.get(), text) == 0) return text;
        std::ifstream stream(file);
        std::string kept;
        // A file that another process is just making, or that a full disk left empty, is no key.
        if (std::getline(stream, kept) && kept.size() >= shortest_key) return kept;
    } catch (const std::exception&) {
    }
    return text;
}

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

std::string digest_of_options(const config::Config::Python& python) {
    return sha256_of("options " + python.sha256 + " " + config::to_toml(config::Value(python.options)));
}

bool is_trusted_run(const config::Config& config) {
    const auto& python = config.python;
    return !capabilities(config).own_process ||
           (is_trusted(python.sha256) && is_trusted(digest_of_interpreter(python.interpreter)) &&
            is_trusted(digest_of_options(python)));
}

std::string digest_of_folder(const std::filesystem::path& file, const std::string& sha256) {
    return sha256_of("folder " + file.parent_path().string() + " " + sha256);
}

void trust_plan(const config::Config& config) {
    if (!capabilities(config).own_process) return;
    const auto& python = config.python;
    trust(python.sha256);
    trust(digest_of_interpreter(python.interpreter));
    trust(digest_of_options(python));
    trust(digest_of_folder(python.file, python.sha256));
}

void trust_run(const config::Config& config, const std::filesystem::path& run) {
    trust(config.python.sha256);
    trust(digest_of_interpreter(config.python.interpreter));
    trust(digest_of_options(config.python));
    std::error_code problem;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(run, problem))
        if (entry.path().extension() == ".state" && entry.is_regular_file(problem))
            trust(sha256_of_file(entry.path()));
}

std::string seal_of(const std::string& digest) {
    static const auto key = make_key();
    return sha256_of(key + digest);
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

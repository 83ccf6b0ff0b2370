#include "remote/started_runs.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <system_error>

#include "store/atomic_file.h"
#include "util/descriptor.h"
#include "util/error.h"
#include "util/json_text.h"
#include "util/process.h"

namespace casp::remote {

namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds failing_time{5};
constexpr std::size_t most_message_bytes = 2000;

/// Starts the program in its own session: the end of this one, or of the connection, does not concern it.
pid_t spawn_detached(const std::vector<std::string>& command, const fs::path& log) {
    const auto nothing = open_nothing();
    const Descriptor out(::open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0666));
    if (!out.is_open())
        throw run_error(log.string(), "cannot be written: " + std::generic_category().message(errno));
    return start_process(command, {nothing.get(), out.get(), out.get()}, true);
}

/// The end of the log: the program's message.
std::string message_in(const fs::path& log) {
    try {
        auto text = store::read_small_file(log);
        while (!text.empty() && text.back() == '\n') text.pop_back();
        const auto line = text.rfind('\n');
        return beginning_of(line == std::string::npos ? text : text.substr(line + 1), most_message_bytes);
    } catch (const Error&) {
        return {};
    }
}

}  // namespace

void start_experiment(const fs::path& folder, const fs::path& program, const std::string& key,
                      const std::string& toml) {
    const bool good =
        !key.empty() && key.size() <= 64 &&
        std::all_of(key.begin(), key.end(), [](unsigned char c) { return std::isalnum(c) != 0; });
    if (!good) throw input_error("start", "the key is not made of letters and digits");
    const auto kept = folder / ".remote";
    if (std::error_code ignored; fs::is_symlink(kept, ignored))
        throw input_error(kept.string(), "this is a link", "a folder", "Remove it.");
    fs::create_directories(kept);
    const auto file = kept / (key + ".toml"), log = kept / (key + ".log");
    if (fs::exists(file)) return;
    store::write_file_atomically(file, toml);
    const auto child = spawn_detached(
        {program.string(), "--batch", file.string(), "--out", folder.string(), "--resume", "--no-tables"},
        log);
    const auto status = wait_for_end(child, failing_time);
    if (!status || *status == 0) return;
    const auto message = message_in(log);
    throw input_error({},
                      message.empty() ? "the run ended at once; its output is in " + log.string() : message);
}

}  // namespace casp::remote

#include "util/process.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <sstream>
#include <system_error>
#include <thread>

#include "util/descriptor.h"
#include "util/error.h"

namespace casp {

namespace {

constexpr std::size_t max_output = std::size_t{64} << 20U;
constexpr int poll_milliseconds = 50;

/// Appends what is there; closes the end at the end of the output.
void read_to(std::string& text, Descriptor& end) {
    std::array<char, 65536> buffer;
    const auto count = repeated([&] { return ::read(end.get(), buffer.data(), buffer.size()); });
    if (count > 0)
        text.append(buffer.data(), static_cast<std::size_t>(count));
    else
        end = Descriptor();
}

/// A child process; killed on destruction if it has not been waited for.
class ChildProcess {
public:
    explicit ChildProcess(pid_t id) : id_(id) {}
    ChildProcess(const ChildProcess&) = delete;
    ChildProcess& operator=(const ChildProcess&) = delete;
    ~ChildProcess() {
        if (id_ <= 0) return;
        ::kill(id_, SIGKILL);
        wait();
    }

    int wait() {
        int state = 0;
        repeated([&] { return ::waitpid(id_, &state, 0); });
        id_ = -1;
        return exit_status(state);
    }

private:
    pid_t id_;
};

}  // namespace

ProcessResult run_process(const std::vector<std::string>& command, std::chrono::seconds limit,
                          const std::stop_token& stop) {
    const auto end = std::chrono::steady_clock::now() + limit;
    ProcessResult result;
    Pipe output, errors;
    const auto nothing = open_nothing();
    ChildProcess child(start_process(command, {nothing.get(), output.writing.get(), errors.writing.get()}));
    output.writing = Descriptor();
    errors.writing = Descriptor();
    while (output.reading.is_open() || errors.reading.is_open()) {
        throw_if_stopped(stop);
        if (std::chrono::steady_clock::now() > end)
            throw run_error(command.front(), Phrase("has not answered within %1 s", limit.count()));
        std::array<pollfd, 2> ends{{{output.reading.get(), POLLIN, 0}, {errors.reading.get(), POLLIN, 0}}};
        if (poll(ends.data(), ends.size(), poll_milliseconds) <= 0) continue;
        if (ends[0].revents != 0) read_to(result.output, output.reading);
        if (ends[1].revents != 0) read_to(result.errors, errors.reading);
        if (result.output.size() + result.errors.size() > max_output)
            throw run_error(command.front(), "prints more than 64 MiB");
    }
    result.status = child.wait();
    return result;
}

pid_t start_process(const std::vector<std::string>& command, const StandardStreams& streams, bool own_session,
                    const Phrase& hint) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, streams.in, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, streams.out, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, streams.err, STDERR_FILENO);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    // A child would inherit that this program ignores SIGPIPE, and signals that the calling thread blocks.
    sigset_t signals;
    sigemptyset(&signals);
    posix_spawnattr_setsigmask(&attributes, &signals);
    sigaddset(&signals, SIGPIPE);
    posix_spawnattr_setsigdefault(&attributes, &signals);
    const int session = own_session ? POSIX_SPAWN_SETSID : 0;
    posix_spawnattr_setflags(&attributes,
                             static_cast<short>(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | session));
    auto words = command;
    const auto arguments = pointers_to(words);
    pid_t process = -1;
    const int code = posix_spawnp(&process, arguments[0], &actions, &attributes, arguments.data(), environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    if (code != 0)
        throw input_error(command.front(),
                          Phrase("cannot be started: %1", std::generic_category().message(code)), {}, hint);
    return process;
}

std::optional<int> wait_for_end(pid_t process, std::chrono::milliseconds limit, const std::stop_token& stop) {
    constexpr std::chrono::milliseconds interval{20};
    const auto until = std::chrono::steady_clock::now() + limit;
    int status = 0;
    while (repeated([&] { return ::waitpid(process, &status, WNOHANG); }) == 0) {
        if (stop.stop_requested() || std::chrono::steady_clock::now() >= until) return std::nullopt;
        std::this_thread::sleep_for(interval);
    }
    return exit_status(status);
}

int exit_status(int wait_status) {
    return WIFSIGNALED(wait_status) ? 128 + WTERMSIG(wait_status) : WEXITSTATUS(wait_status);
}

std::vector<char*> pointers_to(std::vector<std::string>& words) {
    std::vector<char*> pointers;
    pointers.reserve(words.size() + 1);
    for (auto& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    return pointers;
}

std::vector<std::string> replaced_in(const std::vector<std::string>& environment,
                                     const std::vector<std::string>& replaced) {
    std::vector<std::string> all;
    for (const auto& text : environment) {
        const auto name = text.substr(0, text.find('=') + 1);
        if (std::none_of(replaced.begin(), replaced.end(),
                         [&](const auto& r) { return r.starts_with(name); }))
            all.push_back(text);
    }
    all.insert(all.end(), replaced.begin(), replaced.end());
    return all;
}

std::vector<std::string> environment_with(const std::vector<std::string>& replaced) {
    std::vector<std::string> all;
    for (char** entry = environ; *entry != nullptr; ++entry) all.emplace_back(*entry);
    return replaced_in(all, replaced);
}

std::filesystem::path executed_file() {
    std::error_code problem;
    auto path = std::filesystem::read_symlink("/proc/self/exe", problem);
    if (problem) throw run_error("/proc/self/exe", problem.message());
    return path;
}

bool is_loader(const std::filesystem::path& file) { return file.filename().string().starts_with("ld-linux"); }

std::filesystem::path program_folder() {
    const auto executed = executed_file();
    return is_loader(executed) ? executed.parent_path().parent_path() : executed.parent_path();
}

std::filesystem::path program_path() {
    const auto folder = program_folder();
    // Both are inherited: those of another program must not count.
    const char* script = std::getenv("CASPSTUDIO_STARTED_AS");
    const char* tree = std::getenv("CASPSTUDIO_TREE");
    if (script != nullptr && tree != nullptr && *tree != '\0' &&
        folder.string().starts_with(std::string(tree) + "/"))
        return script;
    return folder / "caspstudio";
}

std::optional<std::filesystem::path> find_program(const std::string& name) {
    const char* folders = std::getenv("PATH");
    std::istringstream stream(folders == nullptr ? "" : folders);
    for (std::string folder; std::getline(stream, folder, ':');) {
        const auto file = std::filesystem::path(folder.empty() ? "." : folder) / name;
        std::error_code unknown;
        if (std::filesystem::is_regular_file(file, unknown) && access(file.c_str(), X_OK) == 0) return file;
    }
    return std::nullopt;
}

}  // namespace casp

#include "util/process.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <utility>

#include "util/error.h"

namespace casp {

namespace {

constexpr std::size_t most_output = std::size_t{64} << 20U;
constexpr int poll_milliseconds = 50;

/// The reading end of a pipe whose other end a child writes.
class OutputPipe {
public:
    OutputPipe() {
        if (pipe2(ends_.data(), O_CLOEXEC) != 0)
            throw run_error("pipe", std::strerror(errno), {}, "Close other programs and try again.");
    }
    OutputPipe(const OutputPipe&) = delete;
    OutputPipe& operator=(const OutputPipe&) = delete;
    ~OutputPipe() {
        close_end(ends_[0]);
        close_end(ends_[1]);
    }

    [[nodiscard]] int reading() const { return ends_[0]; }
    [[nodiscard]] int writing() const { return ends_[1]; }
    [[nodiscard]] bool is_open() const { return ends_[0] >= 0; }
    void close_writing() { close_end(ends_[1]); }

    /// Appends what is there; closes at the end of the output.
    void read_to(std::string& text) {
        std::array<char, 65536> buffer;
        const auto count = read(ends_[0], buffer.data(), buffer.size());
        if (count > 0)
            text.append(buffer.data(), static_cast<std::size_t>(count));
        else if (count == 0 || errno != EINTR)
            close_end(ends_[0]);
    }

private:
    static void close_end(int& end) {
        if (end >= 0) close(end);
        end = -1;
    }
    std::array<int, 2> ends_{-1, -1};
};

/// A child process; killed on destruction if it has not been waited for.
class ChildProcess {
public:
    ChildProcess(const std::vector<std::string>& command, const OutputPipe& output,
                 const OutputPipe& errors) {
        posix_spawn_file_actions_t actions;
        posix_spawn_file_actions_init(&actions);
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
        posix_spawn_file_actions_adddup2(&actions, output.writing(), STDOUT_FILENO);
        posix_spawn_file_actions_adddup2(&actions, errors.writing(), STDERR_FILENO);
        // This program ignores SIGPIPE, which a child would inherit.
        posix_spawnattr_t attributes;
        posix_spawnattr_init(&attributes);
        sigset_t defaults;
        sigemptyset(&defaults);
        sigaddset(&defaults, SIGPIPE);
        posix_spawnattr_setsigdefault(&attributes, &defaults);
        posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
        std::vector<char*> arguments;
        for (const auto& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
        arguments.push_back(nullptr);
        const int problem =
            posix_spawnp(&id_, arguments[0], &actions, &attributes, arguments.data(), environ);
        posix_spawnattr_destroy(&attributes);
        posix_spawn_file_actions_destroy(&actions);
        if (problem != 0) {
            id_ = -1;
            throw input_error(command.front(), std::string("cannot be started: ") + std::strerror(problem));
        }
    }
    ChildProcess(const ChildProcess&) = delete;
    ChildProcess& operator=(const ChildProcess&) = delete;
    ~ChildProcess() {
        if (id_ <= 0) return;
        kill(id_, SIGKILL);
        wait();
    }

    int wait() {
        int state = 0;
        while (waitpid(id_, &state, 0) < 0 && errno == EINTR) {
        }
        id_ = -1;
        return WIFSIGNALED(state) ? 128 + WTERMSIG(state) : WEXITSTATUS(state);
    }

private:
    pid_t id_ = -1;
};

}  // namespace

ProcessResult run_process(const std::vector<std::string>& command, std::chrono::seconds limit,
                          const std::stop_token& stop) {
    const auto end = std::chrono::steady_clock::now() + limit;
    ProcessResult result;
    OutputPipe output;
    OutputPipe errors;
    ChildProcess child(command, output, errors);
    output.close_writing();
    errors.close_writing();
    while (output.is_open() || errors.is_open()) {
        throw_if_stopped(stop);
        if (std::chrono::steady_clock::now() > end)
            throw run_error(command.front(),
                            "has not answered within " + std::to_string(limit.count()) + " s");
        std::array<pollfd, 2> ends{{{output.reading(), POLLIN, 0}, {errors.reading(), POLLIN, 0}}};
        if (poll(ends.data(), ends.size(), poll_milliseconds) <= 0) continue;
        if (ends[0].revents != 0) output.read_to(result.output);
        if (ends[1].revents != 0) errors.read_to(result.errors);
        if (result.output.size() + result.errors.size() > most_output)
            throw run_error(command.front(), "prints more than 64 MiB");
    }
    result.status = child.wait();
    return result;
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

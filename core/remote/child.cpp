#include "remote/child.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <system_error>
#include <thread>
#include <utility>

#include "util/error.h"

namespace casp::remote {

namespace {

struct Pipe {
    Descriptor read, write;
    Pipe() {
        std::array<int, 2> ends{-1, -1};
        if (::pipe2(ends.data(), O_CLOEXEC) != 0)
            throw run_error("ssh", "no pipe: " + std::generic_category().message(errno));
        read = Descriptor(ends[0]);
        write = Descriptor(ends[1]);
    }
};

void do_not_block(const Descriptor& end) {
    ::fcntl(end.get(), F_SETFL, ::fcntl(end.get(), F_GETFL) | O_NONBLOCK);
}

}  // namespace

Child::Child(const std::vector<std::string>& command) {
    Pipe in, out, err;
    std::vector<char*> argv;
    argv.reserve(command.size() + 1);
    for (const auto& word : command) argv.push_back(const_cast<char*>(word.c_str()));
    argv.push_back(nullptr);
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    ::posix_spawn_file_actions_init(&files);
    ::posix_spawnattr_init(&attributes);
    ::posix_spawn_file_actions_adddup2(&files, in.read.get(), STDIN_FILENO);
    ::posix_spawn_file_actions_adddup2(&files, out.write.get(), STDOUT_FILENO);
    ::posix_spawn_file_actions_adddup2(&files, err.write.get(), STDERR_FILENO);
    // A session of its own: Ctrl+C in the window's terminal is not meant for it, and it has no terminal to
    // ask in.
    ::posix_spawnattr_setflags(&attributes,
                               POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
    sigset_t signals;
    sigemptyset(&signals);
    ::posix_spawnattr_setsigmask(&attributes, &signals);
    sigaddset(&signals, SIGPIPE);
    ::posix_spawnattr_setsigdefault(&attributes, &signals);
    const int code =
        ::posix_spawnp(&process_, command.front().c_str(), &files, &attributes, argv.data(), environ);
    ::posix_spawnattr_destroy(&attributes);
    ::posix_spawn_file_actions_destroy(&files);
    if (code != 0)
        throw run_error(command.front(), "cannot be started: " + std::generic_category().message(code), {},
                        "Install OpenSSH's client (openssh-client).");
    in_ = std::move(in.write);
    out_ = std::move(out.read);
    err_ = std::move(err.read);
    for (const auto* end : {&in_, &out_, &err_}) do_not_block(*end);
}

bool Child::has_ended() {
    if (!ended_ && ::waitpid(process_, &status_, WNOHANG) == process_) ended_ = true;
    return ended_;
}

int Child::wait(double seconds) {
    constexpr std::chrono::milliseconds interval{10};
    in_ = Descriptor();
    const auto wait_for = [&](std::chrono::duration<double> time) {
        const auto until = std::chrono::steady_clock::now() + time;
        while (!has_ended() && std::chrono::steady_clock::now() < until)
            std::this_thread::sleep_for(interval);
    };
    wait_for(std::chrono::duration<double>(seconds));
    if (!has_ended()) {
        ::kill(process_, SIGTERM);
        wait_for(std::chrono::seconds(1));
    }
    if (!has_ended()) {
        ::kill(process_, SIGKILL);
        ::waitpid(process_, &status_, 0);
        ended_ = true;
    }
    return WIFEXITED(status_) ? WEXITSTATUS(status_) : 128 + WTERMSIG(status_);
}

Child::~Child() { wait(0); }

}  // namespace casp::remote

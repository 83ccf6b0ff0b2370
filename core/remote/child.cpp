#include "remote/child.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>

#include <chrono>
#include <thread>
#include <utility>

#include "util/process.h"

namespace casp::remote {

namespace {

void do_not_block(const Descriptor& end) {
    ::fcntl(end.get(), F_SETFL, ::fcntl(end.get(), F_GETFL) | O_NONBLOCK);
}

}  // namespace

Child::Child(const std::vector<std::string>& command) {
    Pipe in, out, err;
    process_ = start_process(command, {in.reading.get(), out.writing.get(), err.writing.get()}, true,
                             "Install OpenSSH's client (openssh-client).");
    in_ = std::move(in.writing);
    out_ = std::move(out.reading);
    err_ = std::move(err.reading);
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
    return exit_status(status_);
}

Child::~Child() { wait(0); }

}  // namespace casp::remote

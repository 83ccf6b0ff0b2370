#include "remote/child.h"

#include <fcntl.h>
#include <signal.h>

#include <chrono>
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

int Child::wait(std::chrono::milliseconds limit) {
    in_ = Descriptor();
    if (!status_) status_ = wait_for_end(process_, limit);
    for (const int signal : {SIGTERM, SIGKILL}) {
        if (status_) break;
        ::kill(process_, signal);
        status_ = wait_for_end(process_, std::chrono::seconds(1));
    }
    return status_.value_or(128 + SIGKILL);
}

Child::~Child() { wait(std::chrono::milliseconds(0)); }

}  // namespace casp::remote

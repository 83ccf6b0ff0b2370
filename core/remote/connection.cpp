#include "remote/connection.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <utility>

#include "util/error.h"
#include "util/json_text.h"
#include "util/process.h"
#include "util/shell_word.h"

namespace casp::remote {

namespace {

constexpr std::size_t max_before_greeting = 64u << 10u;  ///< text of the shell there
constexpr std::size_t max_errors = 16u << 10u;
constexpr int ssh_failed = 255, not_found = 127, bad_input = 2;

/// Appends what can be read now. False: the other end is closed.
bool read_available(int from, std::string& to) {
    std::array<char, 1u << 16u> buffer;
    while (true) {
        const auto got = ::read(from, buffer.data(), buffer.size());
        if (got > 0) {
            to.append(buffer.data(), static_cast<std::size_t>(got));
            if (static_cast<std::size_t>(got) < buffer.size()) return true;
        } else if (got == 0) {
            return false;
        } else if (errno != EINTR) {
            return errno == EAGAIN || errno == EWOULDBLOCK;
        }
    }
}

/// Without a full stop: it becomes part of a sentence.
std::string last_line(std::string text) {
    while (!text.empty() && std::string_view("\n\r .").find(text.back()) != std::string_view::npos)
        text.pop_back();
    const auto line = text.rfind('\n');
    return beginning_of(line == std::string::npos ? text : text.substr(line + 1));
}

bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

Connection::End explained(const Address& address, int status, const std::string& errors) {
    const auto login = "ssh " + (address.port == 0 ? "" : "-p " + std::to_string(address.port) + " ") +
                       (address.user.empty() ? "" : shell_word(address.user) + "@") +
                       shell_word(address.host);
    const auto said = last_line(errors);
    const auto problem = [&](const Phrase& found, const Phrase& advice) {
        return input_error(address.machine(), found, {}, advice).phrase();
    };
    if (status == ssh_failed) {
        if (has(errors, "Permission denied") || has(errors, "authentication failures"))
            return {problem(Phrase("ssh could not log in without a password (%1)", said),
                            Phrase("Set up a key or an agent, so that \"%1\" in a terminal asks nothing.",
                                   login)),
                    false};
        if (has(errors, "Host key verification failed") || has(errors, "REMOTE HOST IDENTIFICATION"))
            return {problem("ssh does not know this machine's key, or it has changed",
                            Phrase("Type \"%1\" in a terminal once and check the key it shows.", login)),
                    false};
        if (has(errors, "Could not resolve hostname"))
            return {problem("there is no machine of this name", "Check the name, and your network."), false};
        return {problem(said.empty() ? "the connection was lost" : said, {}), true};
    }
    if (status == not_found || status == not_found - 1)
        return {problem(Phrase("there is no program %1 (%2)", address.program, said),
                        "Install caspstudio there, or add its path: ssh://…?program=/path/to/caspstudio"),
                false};
    if (has(errors, "unknown flag --serve"))
        return {problem("the program there is older and cannot serve folders", "Install this version there."),
                false};
    if (status == bad_input) return {problem(said, {}), false};
    return {problem(said.empty() ? "the connection was lost" : said, {}), true};
}

}  // namespace

Connection::Connection(const Address& address, Pushed pushed)
    : address_(address), pushed_(std::move(pushed)) {
    Pipe in, out, err;
    process_ = start_process(ssh_command(address), {in.reading.get(), out.writing.get(), err.writing.get()},
                             true, "Install OpenSSH's client (openssh-client).");
    in_ = std::move(in.writing);
    out_ = std::move(out.reading);
    err_ = std::move(err.reading);
    for (const auto* end : {&in_, &out_, &err_})
        ::fcntl(end->get(), F_SETFL, ::fcntl(end->get(), F_GETFL) | O_NONBLOCK);
}

Connection::~Connection() { wait(std::chrono::milliseconds(0)); }

int Connection::wait(std::chrono::milliseconds limit) {
    in_ = Descriptor();
    if (!status_) status_ = wait_for_end(process_, limit);
    for (const int signal : {SIGTERM, SIGKILL}) {
        if (status_) break;
        ::kill(process_, signal);
        status_ = wait_for_end(process_, std::chrono::seconds(1));
    }
    return status_.value_or(128 + SIGKILL);
}

void Connection::request(nlohmann::json header, std::string body, Answered answered) {
    header["id"] = ++ids_;
    open_requests_.emplace(ids_, std::move(answered));
    unsent_ += packed({std::move(header), std::move(body)});
}

void Connection::write_requests() {
    while (sent_ < unsent_.size()) {
        const auto written = ::write(in_.get(), unsent_.data() + sent_, unsent_.size() - sent_);
        if (written < 0 && errno == EINTR) continue;
        // A closed pipe is noticed by the reading side, which may still have an explanation.
        if (written < 0) return;
        sent_ += static_cast<std::size_t>(written);
    }
    unsent_.clear();
    sent_ = 0;
}

void Connection::read_greeting() {
    const auto at = before_greeting_.find(any_greeting);
    const auto end = at == std::string::npos ? at : before_greeting_.find('\n', at);
    if (end == std::string::npos) {
        if (before_greeting_.size() > max_before_greeting)
            throw run_error(
                address_.machine(), "the shell there prints text without end", {},
                Phrase("Type ssh %1 true in a terminal: it must print nothing.", address_.machine()));
        return;
    }
    const auto line = before_greeting_.substr(at, end + 1 - at);
    if (line != greeting)
        throw run_error(
            address_.machine(), Phrase("the program there is another version (%1)", last_line(line)),
            last_line(std::string(greeting)), "Use the same version of caspstudio on both machines.");
    open_ = true;
    frames_.add(std::string_view(before_greeting_).substr(end + 1));
    before_greeting_.clear();
}

void Connection::read_messages() {
    std::string bytes;
    if (!read_available(out_.get(), bytes)) ended_ = true;
    if (!open_) {
        before_greeting_ += bytes;
        read_greeting();
    } else {
        frames_.add(bytes);
    }
    while (auto frame = open_ ? frames_.next() : std::nullopt) {
        if (frame->header.contains("push")) {
            pushed_(*frame);
            continue;
        }
        const auto request = open_requests_.find(frame->header.value("id", std::uint64_t{0}));
        if (request == open_requests_.end()) continue;
        const auto answered = std::move(request->second);
        open_requests_.erase(request);
        answered(frame->header, frame->body);
    }
}

void Connection::read_errors() {
    std::string bytes;
    (void)read_available(err_.get(), bytes);
    errors_ += bytes;
    if (errors_.size() > max_errors) errors_.erase(0, errors_.size() - max_errors);
}

bool Connection::step(int wake) {
    constexpr int longest_ms = 1000;
    const bool writes = open_ && sent_ < unsent_.size();
    std::array<pollfd, 4> watched{pollfd{out_.get(), POLLIN, 0}, pollfd{err_.get(), POLLIN, 0},
                                  pollfd{wake, POLLIN, 0}, pollfd{writes ? in_.get() : -1, POLLOUT, 0}};
    if (::poll(watched.data(), watched.size(), longest_ms) < 0 && errno != EINTR) return false;
    if (watched[1].revents != 0) read_errors();
    if (watched[0].revents != 0) read_messages();
    if (open_ && !ended_) write_requests();
    return !ended_;
}

Connection::End Connection::end() {
    const int status = wait(std::chrono::seconds(1));
    read_errors();
    return explained(address_, status, errors_);
}

}  // namespace casp::remote

#include "model/python_worker.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <system_error>

#include "config/text_utils.h"
#include "util/embedded.h"
#include "util/error.h"
#include "util/json_text.h"
#include "util/process.h"

namespace casp::model {

namespace {

constexpr std::chrono::milliseconds look_interval{50}, patience_at_stop{700}, patience_for_states{60000},
    patience_at_end{2000};
constexpr std::size_t longest_line = 1000;
constexpr std::size_t longest_answer = std::size_t{16} << 20U;
constexpr std::int64_t most_lines = 5000;

/// Reads the worker's text, whose length is its argument, from its standard input. Modules are not looked for
/// in the working folder.
constexpr const char* bootstrap =
    "import sys\n"
    "sys.path[:]=[p for p in sys.path if p]\n"
    "import os\n"
    "n=int(sys.argv.pop());b=b''\n"
    "while len(b)<n:\n"
    " p=os.read(0,n-len(b))\n"
    " if not p: sys.exit(1)\n"
    " b+=p\n"
    "exec(compile(b,'casp_worker.py','exec'))\n";

std::string system_message() { return std::generic_category().message(errno); }

}  // namespace

std::size_t SharedArray::count() const {
    std::size_t count = 1;
    for (const auto length : shape) count *= static_cast<std::size_t>(length);
    return count;
}

nlohmann::json SharedArray::json() const { return {{"at", at}, {"shape", shape}}; }

PythonWorker::PythonWorker(const std::string& interpreter, std::filesystem::path file,
                           std::chrono::seconds limit, Hosting hosting)
    : file_(std::move(file)), limit_(limit), hosting_(std::move(hosting)) {
    std::array<int, 2> ends{-1, -1};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
        throw run_error(file_.filename().string(), Phrase("no connection can be made: %1", system_message()));
    socket_ = casp::Descriptor(ends[0]);
    const casp::Descriptor theirs(ends[1]);
    memory_file_ = casp::Descriptor(memfd_create("caspstudio", MFD_CLOEXEC));
    if (!memory_file_.is_open())
        throw run_error(file_.filename().string(), Phrase("no memory can be shared: %1", system_message()));
    Pipe output;
    const auto code = embedded_file("resources/python/worker.py");
    // Sets and dictionaries in one order in every process; what is printed is seen at once.
    process_ = start_process({"/usr/bin/env", "PYTHONHASHSEED=0", "PYTHONUNBUFFERED=1", interpreter, "-c",
                              bootstrap, std::to_string(code.size())},
                             {theirs.get(), output.writing.get(), output.writing.get()}, true);
    output_ = std::move(output.reading);
    fcntl(socket_.get(), F_SETFL, O_NONBLOCK);
    fcntl(output_.get(), F_SETFL, O_NONBLOCK);
    output.writing = casp::Descriptor();
    send(code, Clock::now());
}

PythonWorker::~PythonWorker() {
    end();
    if (!memory_.empty()) munmap(memory_.data(), memory_.size());
}

std::span<std::byte> PythonWorker::memory(std::size_t bytes) {
    constexpr std::size_t page = 4096;
    off_t size = lseek(memory_file_.get(), 0, SEEK_END);  // the other side may have made it larger
    const auto wanted = (std::max(bytes, memory_.size()) + page - 1) / page * page;
    if (static_cast<std::size_t>(size) < wanted) {
        if (ftruncate(memory_file_.get(), static_cast<off_t>(wanted)) != 0) throw std::bad_alloc();
        size = static_cast<off_t>(wanted);
    }
    if (memory_.size() < static_cast<std::size_t>(size)) {
        if (!memory_.empty()) munmap(memory_.data(), memory_.size());
        memory_ = {};
        void* begin = mmap(nullptr, static_cast<std::size_t>(size), PROT_READ | PROT_WRITE, MAP_SHARED,
                           memory_file_.get(), 0);
        if (begin == MAP_FAILED) throw std::bad_alloc();
        memory_ = {static_cast<std::byte*>(begin), static_cast<std::size_t>(size)};
    }
    return memory_;
}

std::string PythonWorker::memory_name() const {
    return "/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(memory_file_.get());
}

nlohmann::json PythonWorker::call(const nlohmann::json& request, bool wrong_input) {
    if (ended()) fail_ended();
    stop_seen_ = {};
    const auto name = request.at("request").get<std::string>();
    patience_ = name.find("weights") != std::string::npos || name.find("optimizer") != std::string::npos
                    ? patience_for_states
                    : patience_at_stop;
    const auto begin = Clock::now();
    const auto text = request.dump();
    const auto length = static_cast<std::uint32_t>(text.size());
    std::string message(sizeof length, '\0');
    std::memcpy(message.data(), &length, sizeof length);
    send(message + text, begin);

    std::uint32_t size = 0;
    std::memcpy(&size, receive(sizeof size, begin).data(), sizeof size);
    if (size > longest_answer) {
        end();
        throw run_error(file_.filename().string(), "its process sends what is no answer");
    }
    const auto answer = receive(size, begin);
    read_output();
    has_answered_ = true;
    const auto reply = parse_json(answer);
    if (const auto problem = reply.find("error"); problem != reply.end()) fail(*problem, wrong_input);
    if (const auto memory = reply.find("memory"); memory != reply.end()) {
        peak_memory_ = std::max(peak_memory_, memory->at(0).get<std::int64_t>());
        peak_gpu_memory_ = std::max(peak_gpu_memory_, memory->at(1).get<std::int64_t>());
    }
    return reply;
}

void PythonWorker::wait_for(short events, const Clock::time_point& begin) {
    while (true) {
        std::array<pollfd, 2> ends{{{socket_.get(), events, 0}, {output_.get(), POLLIN, 0}}};
        const auto count = poll(ends.data(), ends.size(), static_cast<int>(look_interval.count()));
        if (ends[1].revents != 0) read_output();
        if (count > 0 && ends[0].revents != 0) return;
        const auto now = Clock::now();
        if (hosting_.must_stop && hosting_.must_stop()) {
            if (stop_seen_ == Clock::time_point()) stop_seen_ = now;
            if (now - stop_seen_ >= patience_) {
                end();
                throw Cancelled();
            }
        }
        if (limit_.count() > 0 && now - begin > limit_) {
            end();
            throw run_error(file_.filename().string(), Phrase("no answer within %1 s", limit_.count()), {},
                            "It waits for something, or needs more time: see python.answer_seconds.");
        }
    }
}

void PythonWorker::send(std::string_view bytes, const Clock::time_point& begin) {
    while (!bytes.empty()) {
        const auto sent =
            repeated([&] { return ::send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL); });
        if (sent > 0)
            bytes.remove_prefix(static_cast<std::size_t>(sent));
        else if (errno == EAGAIN)
            wait_for(POLLOUT, begin);
        else
            fail_ended();
    }
}

std::string PythonWorker::receive(std::size_t size, const Clock::time_point& begin) {
    std::string bytes(size, '\0');
    std::size_t received = 0;
    while (received < size) {
        const auto count =
            repeated([&] { return ::recv(socket_.get(), bytes.data() + received, size - received, 0); });
        if (count > 0)
            received += static_cast<std::size_t>(count);
        else if (count < 0 && errno == EAGAIN)
            wait_for(POLLIN, begin);
        else
            fail_ended();
    }
    return bytes;
}

void PythonWorker::read_output() {
    std::array<char, 65536> buffer;
    if (!output_.is_open()) return;
    const auto count = repeated([&] { return ::read(output_.get(), buffer.data(), buffer.size()); });
    if (count == 0) output_ = casp::Descriptor();
    for (const char c :
         std::string_view(buffer.data(), static_cast<std::size_t>(std::max<ssize_t>(count, 0)))) {
        if (c == '\n' || c == '\r') {
            if (!line_.empty()) print(line_);
            line_.clear();
        } else if (line_.size() < longest_line) {
            line_ += c;
        }
    }
}

void PythonWorker::print(std::string_view line) {
    const auto text = config::is_utf8(line) ? std::string(line) : std::string("(no text)");
    last_line_ = text;
    if (!hosting_.print || ++lines_ > most_lines) return;
    hosting_.print(text, true);
    if (lines_ == most_lines)
        hosting_.print(
            Phrase("%1 printed %2 lines; further ones are not kept", file_.filename().string(), most_lines),
            false);
}

int PythonWorker::end() {
    if (ended()) return 0;
    socket_ = casp::Descriptor();
    auto status = wait_for_end(process_, patience_at_end);
    kill(-process_, SIGKILL);
    if (!status) {
        kill(process_, SIGKILL);
        status = wait_for_end(process_, patience_at_end);
    }
    process_ = -1;
    return status.value_or(0);
}

void PythonWorker::fail_ended() {
    const bool was_running = !ended();
    const int status = end();
    while (output_.is_open()) {
        const auto before = lines_;
        read_output();
        if (lines_ == before) break;
    }
    if (!line_.empty()) print(line_);
    line_.clear();
    constexpr int by_signal = 128;
    const auto name = file_.filename().string();
    if (!was_running) throw run_error(name, "its process has ended");
    if (status > by_signal)
        throw run_error(name, Phrase("its process was killed (signal %1)", status - by_signal), {},
                        status - by_signal == SIGKILL
                            ? Phrase("Memory may have run out: try a smaller train.batch_size.")
                            : Phrase());
    const auto last = config::abbreviated(last_line_, 300);
    const auto found = last.empty() ? Phrase("its process ended with status %1", status)
                                    : Phrase("its process ended with status %1: %2", status, last);
    if (has_answered_) throw run_error(name, found);
    throw input_error(name, found, {},
                      "python.interpreter names the Python to use: 3.9 or later, with numpy.");
}

void PythonWorker::fail(const nlohmann::json& problem, bool wrong_input) {
    const auto trace = problem.value("trace", std::string());
    for (std::size_t begin = 0; begin < trace.size() && hosting_.print;) {
        const auto end_of_line = std::min(trace.find('\n', begin), trace.size());
        if (end_of_line > begin) hosting_.print(trace.substr(begin, end_of_line - begin), true);
        begin = end_of_line + 1;
    }
    const auto file = std::filesystem::path(problem.value("file", file_.string())).filename().string();
    const auto line = problem.value("line", std::int64_t{0});
    const auto where = line > 0 ? Phrase("%1, line %2", file, line) : Phrase(file);
    const auto found = config::abbreviated(problem.value("text", std::string()), 600);
    const Phrase advice = problem.value("memory", false)
                              ? Phrase("Memory ran out: set a smaller train.batch_size.")
                          : trace.empty() || wrong_input ? Phrase()
                                                         : Phrase("The whole trace is in the log.");
    throw wrong_input ? input_error(where, found, {}, advice) : run_error(where, found, {}, advice);
}

}  // namespace casp::model

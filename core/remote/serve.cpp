#include "remote/serve.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "remote/frames.h"
#include "remote/run_files.h"
#include "remote/watched_runs.h"
#include "run/fork.h"
#include "store/atomic_file.h"
#include "store/run_control.h"
#include "store/run_file.h"
#include "util/descriptor.h"
#include "util/error.h"
#include "util/json_text.h"
#include "util/phrase_json.h"
#include "util/process.h"
#include "util/whole_path.h"

namespace casp::remote {

namespace {

using Clock = std::chrono::steady_clock;
using nlohmann::json;
namespace fs = std::filesystem;

constexpr std::chrono::milliseconds look_interval{200}, shortest_scan_interval{500};
constexpr int scan_rest = 10;  ///< times a scan's duration between scans: file servers are shared
constexpr std::int64_t max_part_bytes = 4 << 20;

fs::path served_folder(const std::string& folder) {
    const bool home = folder == "~" || folder.starts_with("~/");
    if (!home) return whole_path(folder);
    const char* path = std::getenv("HOME");
    if (path == nullptr || path[0] == '\0')
        throw input_error(folder, "HOME is not set on that machine", "the full path of a folder");
    return whole_path(path + folder.substr(1));
}

constexpr std::chrono::seconds failing_time{5};
constexpr std::size_t max_message_bytes = 2000;

/// Starts the program in its own session: the end of this one, or of the connection, does not concern it.
pid_t spawn_detached(const std::vector<std::string>& command, const fs::path& log) {
    const auto nothing = open_nothing();
    const Descriptor out(::open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0666));
    if (!out.is_open())
        throw run_error(log.string(),
                        Phrase("cannot be written: %1", std::generic_category().message(errno)));
    return start_process(command, {nothing.get(), out.get(), out.get()}, true);
}

/// The end of the log: the program's message.
std::string message_in(const fs::path& log) {
    try {
        auto text = store::read_small_file(log);
        while (!text.empty() && text.back() == '\n') text.pop_back();
        const auto line = text.rfind('\n');
        return beginning_of(line == std::string::npos ? text : text.substr(line + 1), max_message_bytes);
    } catch (const Error&) {
        return {};
    }
}

/// Keeps the experiment as <folder>/.remote/<key>.toml and starts `program --batch` with it, detached from
/// this process, with its output in <key>.log. Waits a moment for a failure, which it throws as an input
/// Error with the program's message. A key that exists already has been started: nothing is done. `key`:
/// letters and digits.
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
    throw input_error({}, message.empty() ? Phrase("the run ended at once; its output is in %1", log.string())
                                          : Phrase(message));
}

/// `words` under that key, with what the other machine translates.
json with_phrase(const char* key, const Phrase& words) {
    auto phrases = nlohmann::ordered_json::object();
    keep(phrases, words);
    return {{key, words.english()}, {"phrases", json(phrases)}};
}

json error_of(const std::exception& problem) { return with_phrase("error", phrase_of(problem)); }

class Server {
public:
    Server(const fs::path& folder, int in, int out, fs::path program)
        : folder_(folder),
          in_(in),
          out_(out),
          program_(std::move(program)),
          files_(folder),
          runs_(folder, files_) {}

    void go();

private:
    void take(const Frame& frame);
    json answer(const Frame& frame, std::string& body);
    [[nodiscard]] json read(const json& request, std::string& body) const;
    json control(const json& request);
    [[nodiscard]] json fork_place(const json& request) const;
    void send(const Frame& frame, bool deflate = false);
    void watch(const std::stop_token& stop);

    const fs::path folder_;
    const int in_, out_;
    const fs::path program_;
    const RunFiles files_;
    std::mutex out_mutex_;
    std::atomic<bool> closed_{false};  ///< the reader has closed the output

    std::mutex mutex_;  ///< of what the watching thread takes over
    std::condition_variable_any wake_;
    std::optional<WatchedRuns::Known> opened_;
    std::optional<std::vector<std::string>> follow_;
    WatchedRuns runs_;
    std::jthread watcher_;  ///< the last member: it uses the others
};

void Server::send(const Frame& frame, bool deflate) {
    const auto bytes = packed(frame, deflate);
    const std::lock_guard lock(out_mutex_);
    if (!closed_ && write_all(out_, bytes) != 0) closed_ = true;
}

void Server::watch(const std::stop_token& stop) {
    const auto push = [this](const Frame& frame, bool deflate) { send(frame, deflate); };
    bool open = false, first = true;
    Phrase problem;
    auto next_scan = Clock::now(), next_look = next_scan;
    while (!stop.stop_requested() && !closed_) {
        {
            std::unique_lock lock(mutex_);
            wake_.wait_for(lock, stop, look_interval, [this] { return opened_ || follow_; });
            if (opened_) {
                runs_.open(std::move(*std::exchange(opened_, std::nullopt)));
                open = true;
                next_scan = Clock::now();
            }
            if (follow_) runs_.follow(*std::exchange(follow_, std::nullopt));
        }
        try {
            if (Clock::now() >= next_look) {
                const auto began = Clock::now();
                runs_.look_at_followed(push);
                next_look = Clock::now() + scan_rest * (Clock::now() - began);
            }
            const auto begin = Clock::now();
            if (!open || begin < next_scan) continue;
            runs_.list(push, stop);
            const auto took = Clock::now() - begin;
            // The first one reads every file, and says nothing of later ones.
            next_scan =
                Clock::now() + std::max<Clock::duration>(shortest_scan_interval, std::exchange(first, false)
                                                                                     ? Clock::duration()
                                                                                     : scan_rest * took);
            if (!std::exchange(problem, Phrase()).empty()) send({{{"push", "problem"}, {"text", ""}}, {}});
        } catch (const Cancelled&) {
        } catch (const std::exception& failure) {
            next_scan = Clock::now() + std::chrono::seconds(2);
            const auto words = phrase_of(failure);
            if (std::exchange(problem, words) == words) continue;
            auto header = with_phrase("text", words);
            header["push"] = "problem";
            send({std::move(header), {}});
        }
    }
}

json Server::read(const json& request, std::string& body) const {
    const auto file =
        files_.open(request.at("run").get<std::string>(), request.at("name").get<std::string>());
    const Stamp wanted{request.at("time").get<std::int64_t>(), request.at("size").get<std::int64_t>()};
    if (!file) return {{"changed", {0, -1}}};
    if (file->stamp != wanted) return {{"changed", {file->stamp.time, file->stamp.size}}};
    const auto offset = request.at("offset").get<std::int64_t>(),
               count = request.at("count").get<std::int64_t>();
    if (offset < 0 || count < 0 || count > max_part_bytes)
        throw input_error("read", "the part is out of range");
    body = read_part(file->file, offset, static_cast<std::size_t>(count));
    return json::object();
}

json Server::control(const json& request) {
    const auto run = request.at("run").get<std::string>();
    const auto command = store::run_command_from(request.at("command").get<std::string>());
    if (!command || !files_.has(run)) throw input_error(run, "there is no such run, or no such command");
    store::send_command(folder_ / run, *command);
    return json::object();
}

json Server::fork_place(const json& request) const {
    const auto name = request.at("run").get<std::string>();
    if (!files_.has(name)) throw input_error(name, "there is no such run");
    const store::RunFolder run(folder_ / name);
    store::RunRecord record;
    const auto place = run::fork_place(run, [&] {
        record = store::read_run_file(run.run_file());
        return &record;
    });
    return {{"from", static_cast<int>(place.from)}, {"step", place.step}, {"epoch", place.epoch}};
}

void Server::take(const Frame& frame) {
    const auto& request = frame.header;
    std::string body;
    json header;
    try {
        header = answer(frame, body);
    } catch (const std::exception& problem) {
        header = error_of(problem);
    }
    header["id"] = request.at("id");
    send({std::move(header), std::move(body)});
}

json Server::answer(const Frame& frame, std::string& body) {
    const auto& request = frame.header;
    const auto op = request.at("op").get<std::string>();
    if (op == "read") return read(request, body);
    if (op == "control") return control(request);
    if (op == "fork-place") return fork_place(request);
    if (op == "start") {
        start_experiment(folder_, program_, request.at("key").get<std::string>(), frame.body);
        return json::object();
    }
    if (op == "open") {
        WatchedRuns::Known known;
        for (const auto& [run, stamps] : request.at("known").items())
            for (std::size_t i = 0; i < listed_files.size(); ++i)
                known[run][i] = {stamps.at(2 * i).get<std::int64_t>(),
                                 stamps.at(2 * i + 1).get<std::int64_t>()};
        const std::lock_guard lock(mutex_);
        opened_ = std::move(known);
        wake_.notify_all();
        return {{"folder", folder_.string()}};
    }
    if (op == "follow") {
        const std::lock_guard lock(mutex_);
        follow_ = request.at("runs").get<std::vector<std::string>>();
        wake_.notify_all();
        return json::object();
    }
    throw input_error("caspstudio --serve", Phrase("unknown request \"%1\"", op), {},
                      "Use the same version of caspstudio on both machines.");
}

void Server::go() {
    watcher_ = std::jthread([this](const std::stop_token& stop) { watch(stop); });
    FrameReader reader;
    std::string buffer(std::size_t{1} << 16U, '\0');
    while (!closed_) {
        // The output is watched as well: a reader that is gone is noticed before the next message.
        std::array<pollfd, 2> both{pollfd{in_, POLLIN, 0}, pollfd{out_, 0, 0}};
        if (::poll(both.data(), both.size(), -1) < 0 && errno != EINTR) break;
        if ((both[1].revents & (POLLERR | POLLHUP)) != 0) break;
        if (both[0].revents == 0) continue;
        const auto got = ::read(in_, buffer.data(), buffer.size());
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) break;
        reader.add(std::string_view(buffer).substr(0, static_cast<std::size_t>(got)));
        while (auto frame = reader.next()) {
            try {
                take(*frame);
            } catch (const json::exception& problem) {
                throw run_error("caspstudio --serve",
                                Phrase("a request cannot be understood: %1", phrase_of(problem)));
            }
        }
    }
    closed_ = true;
}

}  // namespace

void serve(const std::string& folder, int in, int out, const fs::path& program) {
    const auto path = served_folder(folder);
    Server server(path, in, out, program);
    if (write_all(out, greeting) == 0) server.go();
}

}  // namespace casp::remote

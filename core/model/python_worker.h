#pragma once
// The process in which a model in Python works, and how this program talks with it. docs/python-worker.md
// describes the protocol; resources/python/worker.py is the other side.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>

#include <sys/types.h>
#include <nlohmann/json.hpp>

#include "util/descriptor.h"
#include "util/phrase.h"

namespace casp::model {

/// What a process of the user's code needs of the run for which it works.
struct Hosting {
    /// Takes a line that it printed (`printed`), or a remark about it. Empty: nobody reads them.
    std::function<void(const Phrase& line, bool printed)> print = {};
    /// Whether the run must stop; empty: never.
    std::function<bool()> must_stop = {};
};

/// Arrays in memory that both processes see: where, and how many values.
struct SharedArray {
    std::size_t at = 0;  ///< bytes from the beginning
    std::vector<std::int64_t> shape;

    [[nodiscard]] std::size_t count() const;
    [[nodiscard]] std::size_t end() const { return at + sizeof(float) * count(); }
    [[nodiscard]] nlohmann::json json() const;
};

/// A Python process that serves one request after the other. It ends with this object, with all processes
/// that it started. One thread at a time.
class PythonWorker {
public:
    /// Starts the process. `file`: the user's, for messages. `limit`: for each answer; 0: none. Throws an
    /// input Error if the interpreter cannot be started.
    PythonWorker(const std::string& interpreter, std::filesystem::path file, std::chrono::seconds limit,
                 Hosting hosting);
    PythonWorker(const PythonWorker&) = delete;
    PythonWorker& operator=(const PythonWorker&) = delete;
    ~PythonWorker();

    /// Sends a request and waits for its answer. `wrong_input`: a failure is one of the file, and not of a
    /// run that had begun. Throws an Error with the line of the user's file, the trace being in the log;
    /// Cancelled if the run must stop and the answer does not come within 0.7 s, or a minute where it is a
    /// state to be kept (`request` is not a step, a fit or a forecast). After both Cancelled and the
    /// end of the process it has ended().
    nlohmann::json call(const nlohmann::json& request, bool wrong_input = false);

    /// The shared memory, of at least so many bytes, and its name for the other process. Valid until the next
    /// call of memory() or call().
    [[nodiscard]] std::span<std::byte> memory(std::size_t bytes);
    [[nodiscard]] std::string memory_name() const;

    [[nodiscard]] bool ended() const { return process_ <= 0; }
    /// Highest use so far, in bytes: of the process, and of its GPU memory.
    [[nodiscard]] std::int64_t peak_memory() const { return peak_memory_; }
    [[nodiscard]] std::int64_t peak_gpu_memory() const { return peak_gpu_memory_; }

private:
    using Clock = std::chrono::steady_clock;

    void send(std::string_view bytes, const Clock::time_point& begin);
    [[nodiscard]] std::string receive(std::size_t size, const Clock::time_point& begin);
    /// Until the socket is ready, or has ended. Reads what is printed meanwhile.
    void wait_for(short events, const Clock::time_point& begin);
    void read_output();
    void print(std::string_view line);
    /// Ends the process; its exit status.
    int end();
    [[noreturn]] void fail_ended();
    [[noreturn]] void fail(const nlohmann::json& problem, bool wrong_input);

    std::filesystem::path file_;
    std::chrono::seconds limit_;
    Hosting hosting_;
    casp::Descriptor socket_, output_, memory_file_;
    std::span<std::byte> memory_;
    pid_t process_ = -1;
    std::string line_;  ///< of the output, not yet complete
    std::string last_line_;
    std::int64_t lines_ = 0;
    bool has_answered_ = false;
    std::int64_t peak_memory_ = 0, peak_gpu_memory_ = 0;
    Clock::time_point stop_seen_{};
    std::chrono::milliseconds patience_{};  ///< after a stop, for the present request
};

}  // namespace casp::model

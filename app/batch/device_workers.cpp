#include "batch/device_workers.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <utility>

#include "batch/batch_runner.h"
#include "batch/full_program.h"
#include "config/text_utils.h"
#include "util/descriptor.h"
#include "util/error.h"
#include "util/process.h"
#include "util/threads.h"

namespace casp::batch {

namespace {

/// A child process and the pipe of its messages.
struct Worker {
    std::string device;
    pid_t pid = -1;
    Descriptor messages;
    std::string line;  ///< the beginning of one
    int status = 0;    ///< of waitpid, after its end
};

std::vector<std::string> arguments_of(const CommandLine& line) {
    std::vector<std::string> words{"caspstudio", "--batch", line.target, "--worker", "--out", line.out};
    for (const auto& set : line.sets) {
        words.emplace_back("--set");
        words.push_back(set);
    }
    words.insert(words.end(), {"--set", "run.devices=[]"});
    if (line.part.of > 1)
        words.insert(words.end(),
                     {"--runs", std::to_string(line.part.number) + "/" + std::to_string(line.part.of)});
    if (line.log_format == LogFormat::json) words.insert(words.end(), {"--log-format", "json"});
    return words;
}

Worker start_worker(const std::string& device, const std::vector<std::string>& arguments,
                    const std::vector<std::string>& environment) {
    Pipe messages;
    const auto nothing = open_nothing();
    // Ctrl+C reaches it through this process, once.
    const ChildSetup setup{{-1, nothing.get(), messages.writing.get()}, SIGTERM, /*own_group=*/true};
    const auto pid = start_child(arguments, environment, setup, "run.devices");
    return {device, pid, std::move(messages.reading), {}, 0};
}

void pass_on(const Worker& worker, const std::string& line, LogFormat format) {
    if (line.empty()) return;
    if (format == LogFormat::json && line.front() == '{')
        std::fprintf(stderr, "{\"device\":\"%s\",%s\n", worker.device.c_str(), line.c_str() + 1);
    else
        std::fprintf(stderr, "%s | %s\n", worker.device.c_str(), line.c_str());
}

/// Reads what is there; false at the end.
bool read_messages(Worker& worker, LogFormat format) {
    std::array<char, 4096> buffer{};
    const auto size = repeated([&] { return ::read(worker.messages.get(), buffer.data(), buffer.size()); });
    if (size <= 0) {
        pass_on(worker, worker.line, format);
        return false;
    }
    worker.line.append(buffer.data(), static_cast<std::size_t>(size));
    for (auto end = worker.line.find('\n'); end != std::string::npos; end = worker.line.find('\n')) {
        pass_on(worker, worker.line.substr(0, end), format);
        worker.line.erase(0, end + 1);
    }
    return true;
}

/// After the end of its messages.
void end_worker(Worker& worker, const WorkerDied& died) {
    worker.messages = Descriptor();
    repeated([&] { return ::waitpid(worker.pid, &worker.status, 0); });
    if (!WIFSIGNALED(worker.status)) return;
    const int signal = WTERMSIG(worker.status);
    died(worker.pid, "the worker on " + worker.device + " was ended by signal " + std::to_string(signal) +
                         " (" + ::strsignal(signal) + ")");
}

void signal_all(const std::vector<Worker>& workers, int signal) {
    for (const auto& worker : workers)
        if (worker.messages.is_open()) ::kill(worker.pid, signal);
}

int status_of(const std::vector<Worker>& workers) {
    const auto ended_with = [](const Worker& worker, int status) {
        return WIFEXITED(worker.status) && WEXITSTATUS(worker.status) == status;
    };
    if (std::all_of(workers.begin(), workers.end(),
                    [&](const auto& w) { return ended_with(w, exit_bad_input); }))
        return exit_bad_input;
    const bool all_well = std::all_of(workers.begin(), workers.end(), [&](const auto& w) {
        return ended_with(w, exit_done) || ended_with(w, exit_interrupted);
    });
    return all_well ? exit_done : exit_run_failed;
}

void check_device_setting(const config::Config& config) {
    for (const auto& device : config.run.devices) {
        if (device == "auto" || device == "cuda")
            throw input_error("run.devices", config::in_quotes(device) + " names no single device",
                              "\"cpu\" or \"cuda:N\"");
        const bool fits = config.run.device == "auto" || config.run.device == device ||
                          (config.run.device == "cuda" && device != "cpu");
        if (!fits)
            throw input_error("run.devices",
                              "it has " + config::in_quotes(device) + ", but run.device is " +
                                  config::in_quotes(config.run.device),
                              "run.device = \"auto\"");
    }
}

/// Threads of each worker: the CPU's, shared out among all; 0: as run.threads and the environment say.
int threads_of_each(const config::Config& config) {
    if (config.run.threads > 0 || std::getenv("OMP_NUM_THREADS") != nullptr) return 0;
    return std::max(1, usable_processors() / static_cast<int>(config.run.devices.size()));
}

}  // namespace

std::vector<std::string> environment_of_device(const std::string& device, const char* visible, int threads) {
    std::vector<std::string> variables;
    if (threads > 0) variables.push_back("OMP_NUM_THREADS=" + std::to_string(threads));
    if (device == "cpu") {
        variables.emplace_back("CUDA_VISIBLE_DEVICES=");
        return variables;
    }
    const auto number = static_cast<std::size_t>(std::stoul(device.substr(device.find(':') + 1)));
    std::string shown = std::to_string(number);
    if (visible != nullptr) {
        std::vector<std::string> names;
        std::istringstream list(visible);
        for (std::string name; std::getline(list, name, ',');) names.push_back(name);
        if (number >= names.size())
            throw input_error(
                "run.devices", "there is no " + device,
                "at most " + std::to_string(names.size()) + " of the GPUs in CUDA_VISIBLE_DEVICES");
        shown = names[number];
    }
    variables.push_back("CUDA_VISIBLE_DEVICES=" + shown);
    return variables;
}

int work_on_devices(const CommandLine& line, const config::Config& config, train::TrainObserver& console,
                    train::StopControl& stop, const WorkerDied& died) {
    check_device_setting(config);
    const auto arguments = arguments_of(line);
    const int threads = threads_of_each(config);
    std::vector<std::vector<std::string>> environments;  // all checked before one is started
    for (const auto& device : config.run.devices)
        environments.push_back(
            environment_with(environment_of_device(device, std::getenv("CUDA_VISIBLE_DEVICES"), threads)));
    std::vector<Worker> workers;
    for (std::size_t i = 0; i < environments.size(); ++i)
        workers.push_back(start_worker(config.run.devices[i], arguments, environments[i]));
    console.on_message(train::MessageLevel::info,
                       "one worker on each of " + std::to_string(workers.size()) + " devices");
    bool told = false;
    while (true) {
        std::vector<pollfd> open;
        for (const auto& worker : workers)
            if (worker.messages.is_open()) open.push_back({worker.messages.get(), POLLIN, 0});
        if (open.empty()) return status_of(workers);
        constexpr int milliseconds = 100;
        (void)::poll(open.data(), open.size(), milliseconds);
        if (stop.must_stop() && !std::exchange(told, true)) signal_all(workers, SIGTERM);
        if (stop.request() == train::StopRequest::finish_early) {
            stop.forget_finish_early();
            signal_all(workers, SIGUSR2);
        }
        for (const auto& ready : open)
            for (auto& worker : workers)
                if (ready.revents != 0 && worker.messages.get() == ready.fd &&
                    !read_messages(worker, line.log_format))
                    end_worker(worker, died);
    }
}

}  // namespace casp::batch

#include "batch/processes.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <charconv>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include "batch/full_program.h"
#include "run/run.h"
#include "util/descriptor.h"
#include "util/error.h"
#include "util/process.h"

namespace casp::batch {

namespace {

constexpr int first_port = 20000, ports = 10000;  // below those that systems hand out themselves

std::optional<std::int64_t> number_of(const Environment& variable, const char* name) {
    const char* text = variable(name);
    if (text == nullptr || *text == '\0') return std::nullopt;
    std::int64_t value = 0;
    const auto* const end = text + std::strlen(text);
    const auto [stopped, problem] = std::from_chars(text, end, value);
    if (problem != std::errc() || stopped != end || value < 0)
        throw input_error(name, "\"" + std::string(text) + "\" is not a number of processes", {},
                          "Unset this environment variable, or start the program with its launcher.");
    return value;
}

std::int64_t required(const Environment& variable, const char* name, const std::string& beside) {
    if (const auto value = number_of(variable, name)) return *value;
    throw input_error(name, "this environment variable is not set, but " + beside + " is", {},
                      "Set it, or unset " + beside + " to run in one process.");
}

std::string text_of(const Environment& variable, const char* name) {
    const char* text = variable(name);
    return text != nullptr ? text : "";
}

int port_from(std::int64_t number) { return first_port + static_cast<int>(number % ports); }

/// A task of srun. The shell of a batch script has a rank, too, but starts one process.
bool is_slurm_task(const Environment& variable) {
    if (variable("SLURM_PROCID") == nullptr) return false;
    return variable("SLURM_STEP_ID") != nullptr || text_of(variable, "ENVIRONMENT") != "BATCH";
}

bool is_independent(const CommandLine& line) { return line.worker || line.part.of > 1; }

train::ProcessPlace checked(train::ProcessPlace place, const Environment& variable) {
    if (place.size < 1 || place.rank >= place.size)
        throw input_error("run.processes",
                          "the launcher gives this process rank " + std::to_string(place.rank) + " of " +
                              std::to_string(place.size),
                          "a rank below the number of processes", "Check RANK and WORLD_SIZE.");
    if (const auto host = text_of(variable, "MASTER_ADDR"); !host.empty()) place.host = host;
    if (const auto port = number_of(variable, "MASTER_PORT")) place.port = static_cast<int>(*port);
    if (place.size > 1 && (place.host.empty() || place.port < 1 || place.port > 65535))
        throw input_error("run.processes",
                          std::to_string(place.size) + " processes were started, but not where they meet", {},
                          "Set MASTER_ADDR to the host of rank 0, and MASTER_PORT to a free port there.");
    return place;
}

/// The environment of the process at `place`; its own launcher, if any, is none of the child's business.
std::vector<std::string> environment_at(const train::ProcessPlace& place) {
    return environment_with({"RANK=" + std::to_string(place.rank), "LOCAL_RANK=" + std::to_string(place.rank),
                             "WORLD_SIZE=" + std::to_string(place.size), "MASTER_ADDR=" + place.host,
                             "MASTER_PORT=" + std::to_string(place.port),
                             "TORCHELASTIC_USE_AGENT_STORE=False"});
}

}  // namespace

std::string first_host(const std::string& list) {
    const auto open = list.find('['), comma = list.find(',');
    if (open == std::string::npos || comma < open) return list.substr(0, comma);
    const auto close = list.find(']', open);
    if (close == std::string::npos) return {};
    const auto number = list.substr(open + 1, list.find_first_of("-,]", open) - open - 1);
    const auto rest = list.substr(close + 1);
    return list.substr(0, open) + number + rest.substr(0, rest.find(','));
}

std::optional<train::ProcessPlace> place_from_environment(const Environment& variable, bool independent) {
    train::ProcessPlace place;
    if (const auto size = number_of(variable, "WORLD_SIZE")) {
        place.host.clear();
        place.size = static_cast<int>(*size);
        place.rank = static_cast<int>(required(variable, "RANK", "WORLD_SIZE"));
        place.hosted = text_of(variable, "TORCHELASTIC_USE_AGENT_STORE") == "True";
    } else if (!independent && is_slurm_task(variable)) {
        place.rank = static_cast<int>(required(variable, "SLURM_PROCID", "SLURM_PROCID"));
        const auto step = number_of(variable, "SLURM_STEP_NUM_TASKS");
        place.size = static_cast<int>(step ? *step : required(variable, "SLURM_NTASKS", "SLURM_PROCID"));
        const auto hosts = text_of(variable, "SLURM_STEP_NODELIST");
        place.host = first_host(hosts.empty() ? text_of(variable, "SLURM_JOB_NODELIST") : hosts);
        if (place.host.empty()) place.host = text_of(variable, "SLURM_LAUNCH_NODE_IPADDR");
        place.port = port_from(number_of(variable, "SLURM_JOB_ID").value_or(0) * 8 +
                               number_of(variable, "SLURM_STEP_ID").value_or(0));
    } else if (const auto ranks = number_of(variable, "OMPI_COMM_WORLD_SIZE"); ranks && !independent) {
        place.size = static_cast<int>(*ranks);
        place.rank = static_cast<int>(required(variable, "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"));
        if (number_of(variable, "OMPI_COMM_WORLD_LOCAL_SIZE").value_or(*ranks) == *ranks)
            place.port = port_from(::getppid());  // mpirun's, the same for all
        else
            place.host.clear();
    } else {
        return std::nullopt;
    }
    if (place.size == 1) return std::nullopt;
    return checked(place, variable);
}

std::optional<int> follow_batch(const CommandLine& line, train::StopControl& stop) {
    const auto place = place_from_environment(std::getenv, is_independent(line));
    if (!place || place->rank == 0) return std::nullopt;
    train::Processes processes(*place);
    return run::follow(processes, stop);
}

BatchProcesses::BatchProcesses(const CommandLine& line) {
    const auto place = place_from_environment(std::getenv, is_independent(line));
    if (!place) return;
    size_ = place->size;
    processes_ = std::make_unique<train::Processes>(*place);
}

BatchProcesses::~BatchProcesses() { end(1); }

int BatchProcesses::use(std::int64_t wanted) {
    if (processes_ && wanted != 1 && wanted != size_)
        throw input_error(
            "run.processes",
            std::to_string(wanted) + " processes are wanted, but " + std::to_string(size_) +
                " were started (WORLD_SIZE, SLURM_NTASKS)",
            "the same number",
            "Omit run.processes, which then is the number of processes that the launcher starts.");
    if (!processes_) size_ = static_cast<int>(wanted);
    return size_;
}

train::Processes* BatchProcesses::connect() {
    if (size_ > 1 && !processes_) start_children();
    return processes_.get();
}

void BatchProcesses::start_children() {
    train::ProcessPlace place;
    place.size = size_;
    processes_ = std::make_unique<train::Processes>(place);
    place.port = processes_->place().port;
    processes_->watch([this] { return any_child_has_ended(); });
    const auto nothing = open_nothing();
    const ChildSetup setup{{nothing.get(), nothing.get(), -1}, SIGKILL};
    for (place.rank = 1; place.rank < size_; ++place.rank)
        children_.push_back(start_child(own_arguments(), environment_at(place), setup, "run.processes"));
}

bool BatchProcesses::any_child_has_ended() const {
    for (const auto child : children_) {
        siginfo_t info{};
        if (child == 0 ||
            (::waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
             info.si_pid == child))
            return true;
    }
    return false;
}

std::vector<std::string> BatchProcesses::ended_children() {
    std::vector<std::string> ended;
    for (std::size_t i = 0; i < children_.size(); ++i) {
        int status = 0;
        if (children_[i] == 0 || ::waitpid(children_[i], &status, WNOHANG) != children_[i]) continue;
        children_[i] = 0;
        auto text = "process " + std::to_string(i + 2) + " of " + std::to_string(size_);
        if (WIFSIGNALED(status))
            text += " was ended by signal " + std::to_string(WTERMSIG(status)) + " (" +
                    ::strsignal(WTERMSIG(status)) + ")";
        else
            text += " ended with exit status " + std::to_string(WEXITSTATUS(status));
        ended.push_back(text);
    }
    return ended;
}

void BatchProcesses::end(int status) {
    if (!processes_) return;
    const bool all_left = processes_->end(status);
    for (const auto child : children_) {
        if (child == 0) continue;
        if (!all_left) ::kill(child, SIGKILL);
        ::waitpid(child, nullptr, 0);
    }
    children_.clear();
    processes_.reset();
}

void BatchProcesses::renew() {
    if (!children_.empty()) end(1);
}

}  // namespace casp::batch

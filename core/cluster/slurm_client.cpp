#include "cluster/slurm_client.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <sstream>

#include "util/error.h"
#include "util/process.h"

namespace casp::cluster {

namespace {

constexpr std::chrono::seconds answer_limit{30};
constexpr const char* when_slurm_is_down =
    "Slurm's controller may be down: try sinfo in a terminal, then try again.";

template <std::size_t N>
bool is_one_of(std::string_view state, const std::array<std::string_view, N>& names) {
    return std::find(names.begin(), names.end(), state) != names.end();
}

/// The last line of a failed command without "sbatch: error: ", which says what was wrong.
std::string reason_of(const ProcessResult& failed) {
    std::istringstream lines(failed.errors + failed.output);
    std::string reason;
    for (std::string line; std::getline(lines, line);)
        if (!line.empty()) reason = line;
    if (reason.empty()) return "it ended with status " + std::to_string(failed.status) + " without a message";
    constexpr std::string_view mark = "error: ";
    const auto at = reason.find(mark);
    return at == std::string::npos ? reason : reason.substr(at + mark.size());
}

ProcessResult slurm(const std::vector<std::string>& command, const std::stop_token& stop = {}) {
    try {
        return run_process(command, answer_limit, stop);
    } catch (const Cancelled&) {
        throw;
    } catch (const Error& problem) {
        if (problem.kind() != ErrorKind::run) throw;
        throw run_error({}, problem.what(), {}, when_slurm_is_down);
    }
}

}  // namespace

std::string why_no_slurm() {
    return find_program("sbatch") ? std::string() : "Slurm's sbatch is not on this machine";
}

std::string submit(const std::filesystem::path& script, const std::string& requested) {
    if (const auto problem = why_no_slurm(); !problem.empty())
        throw input_error("--submit", problem, "a login node of the cluster",
                          "Run it there, or write the script with --print and take it there.");
    const auto result = slurm({"sbatch", "--parsable", script.string()});
    const auto job = result.output.substr(0, result.output.find_first_of(";\n"));  // JOB;CLUSTER
    if (result.status != 0 || job.empty() || job.find_first_not_of("0123456789") != std::string::npos) {
        const auto reason = reason_of(result);
        throw input_error(
            script.string(), "sbatch did not accept it: " + reason + " (requested: " + requested + ")", {},
            "Change these settings ([scheduler] in the experiment's file), or the script itself.");
    }
    return job;
}

ArrayState parse_states(std::string_view lines) {
    static constexpr std::array<std::string_view, 9> waiting{"PENDING",      "REQUEUED",      "REQUEUE_FED",
                                                             "REQUEUE_HOLD", "RESV_DEL_HOLD", "SPECIAL_EXIT",
                                                             "SUSPENDED",    "STOPPED",       "CONFIGURING"};
    static constexpr std::array<std::string_view, 5> active{"RUNNING", "COMPLETING", "STAGE_OUT", "SIGNALING",
                                                            "RESIZING"};
    ArrayState state;
    std::istringstream stream{std::string(lines)};
    for (std::string line; std::getline(stream, line);) {
        const auto bar = line.find('|');
        const auto name = line.substr(0, std::min(bar, line.find(' ')));  // "CANCELLED by 1000"
        if (name.empty()) continue;
        if (is_one_of(name, waiting)) {
            ++state.pending;
            const auto reason = bar == std::string::npos ? "None" : line.substr(bar + 1);
            if (state.reason.empty() && reason != "None") state.reason = reason;
        } else if (is_one_of(name, active)) {
            ++state.running;
        } else {
            ++(name == "COMPLETED" ? state.finished : state.failed);
        }
    }
    return state;
}

std::optional<ArrayState> array_state(const std::string& job, const std::stop_token& stop) {
    const auto has_text = [](const ProcessResult& result) {
        return result.output.find_first_not_of(" \n") != std::string::npos;
    };
    const auto queued =
        slurm({"squeue", "--noheader", "--array", "--states=all", "--jobs=" + job, "--format=%T|%r"}, stop);
    // squeue forgets jobs some minutes after their end.
    if (queued.status != 0 && queued.errors.find("Invalid job id") == std::string::npos)
        throw run_error("squeue", reason_of(queued), {}, when_slurm_is_down);
    if (queued.status == 0 && has_text(queued)) return parse_states(queued.output);
    if (!find_program("sacct")) return std::nullopt;
    const auto accounted = slurm(
        {"sacct", "--noheader", "--parsable2", "--allocations", "--jobs=" + job, "--format=State"}, stop);
    if (accounted.status != 0 || !has_text(accounted)) return std::nullopt;
    return parse_states(accounted.output);
}

std::string state_text(const std::string& job, const ArrayState& state) {
    std::string text;
    const auto add = [&](std::int64_t count, const std::string& what) {
        if (count > 0) text += (text.empty() ? "" : ", ") + what;
    };
    add(state.pending,
        std::to_string(state.pending) + " pending" + (state.reason.empty() ? "" : " (" + state.reason + ")"));
    add(state.running, std::to_string(state.running) + " running");
    add(state.finished, std::to_string(state.finished) + " finished");
    add(state.failed, std::to_string(state.failed) + " failed or cancelled");
    return "Slurm job " + job + ": " + (text.empty() ? "no tasks" : text);
}

}  // namespace casp::cluster

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

template <std::size_t N>
bool is_one_of(std::string_view state, const std::array<std::string_view, N>& names) {
    return std::find(names.begin(), names.end(), state) != names.end();
}

/// The last line without "sbatch: error: ", which says what was wrong.
std::string reason_in(const std::string& errors) {
    std::istringstream lines(errors);
    std::string reason;
    for (std::string line; std::getline(lines, line);)
        if (!line.empty()) reason = line;
    constexpr std::string_view mark = "error: ";
    const auto at = reason.find(mark);
    return at == std::string::npos ? reason : reason.substr(at + mark.size());
}

}  // namespace

std::string why_no_slurm() {
    return find_program("sbatch") ? std::string() : "Slurm's sbatch is not on this machine";
}

std::string submit(const std::filesystem::path& script) {
    if (const auto problem = why_no_slurm(); !problem.empty())
        throw input_error("--submit", problem, "a login node of the cluster",
                          "Run it there, or write the script with --print and take it there.");
    const auto result = run_process({"sbatch", "--parsable", script.string()}, answer_limit);
    const auto job = result.output.substr(0, result.output.find_first_of(";\n"));  // JOB;CLUSTER
    if (result.status != 0 || job.empty() || job.find_first_not_of("0123456789") != std::string::npos)
        throw input_error(script.string(),
                          "sbatch did not accept it: " + reason_in(result.errors + result.output), {},
                          "Change the settings of [scheduler], or the script itself.");
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
            if (bar != std::string::npos && state.reason.empty()) state.reason = line.substr(bar + 1);
        } else if (is_one_of(name, active)) {
            ++state.running;
        } else {
            ++(name == "COMPLETED" ? state.finished : state.failed);
        }
    }
    return state;
}

std::optional<ArrayState> array_state(const std::string& job, const std::stop_token& stop) {
    const auto known = [](const ProcessResult& result) -> std::optional<ArrayState> {
        if (result.status != 0 || result.output.find_first_not_of(" \n") == std::string::npos)
            return std::nullopt;
        return parse_states(result.output);
    };
    if (const auto queued = known(run_process(
            {"squeue", "--noheader", "--array", "--states=all", "--jobs=" + job, "--format=%T|%r"},
            answer_limit, stop)))
        return queued;
    if (!find_program("sacct")) return std::nullopt;
    return known(run_process(
        {"sacct", "--noheader", "--parsable2", "--allocations", "--jobs=" + job, "--format=State"},
        answer_limit, stop));
}

std::string state_text(const std::string& job, const ArrayState& state) {
    std::string text;
    const auto add = [&](std::int64_t count, const std::string& what) {
        if (count > 0) text += (text.empty() ? "" : ", ") + std::to_string(count) + " " + what;
    };
    add(state.pending, "pending" + (state.reason.empty() ? "" : " (" + state.reason + ")"));
    add(state.running, "running");
    add(state.finished, "finished");
    add(state.failed, "failed or cancelled");
    return "Slurm job " + job + ": " + (text.empty() ? "no tasks" : text);
}

}  // namespace casp::cluster

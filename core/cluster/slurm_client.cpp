#include "cluster/slurm_client.h"

#include <chrono>
#include <cstdint>
#include <sstream>
#include <vector>

#include "util/error.h"
#include "util/process.h"

namespace casp::cluster {

namespace {

constexpr std::chrono::seconds answer_limit{30};
constexpr const char* when_slurm_is_down =
    "Slurm's controller may be down: try sinfo in a terminal, then try again.";

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

}  // namespace

std::string why_no_slurm() {
    return find_program("sbatch") ? std::string() : "Slurm's sbatch is not on this machine";
}

std::string submit(const std::filesystem::path& script) {
    const auto result = run_process({"sbatch", "--parsable", script.string()}, answer_limit);
    const auto job = result.output.substr(0, result.output.find_first_of(";\n"));  // JOB;CLUSTER
    if (result.status != 0 || job.empty() || job.find_first_not_of("0123456789") != std::string::npos)
        throw input_error(
            script.string(), "sbatch did not accept it: " + reason_of(result), {},
            "Change the settings ([scheduler] in the experiment's file), or the script itself.");
    return job;
}

std::string array_state(const std::string& job, const std::stop_token& stop) {
    const auto queued = run_process({"squeue", "--noheader", "--array", "--jobs=" + job, "--format=%T|%r"},
                                    answer_limit, stop);
    if (queued.status == 0) return state_text(job, queued.output);
    // squeue forgets jobs some minutes after their end.
    if (queued.errors.find("Invalid job id") != std::string::npos) return {};
    throw run_error("squeue", reason_of(queued), {}, when_slurm_is_down);
}

std::string state_text(const std::string& job, std::string_view lines) {
    std::int64_t pending = 0, running = 0;
    std::string reason;  // why the first pending task waits
    std::istringstream stream{std::string(lines)};
    for (std::string line; std::getline(stream, line);) {
        const auto bar = line.find('|');
        const auto state = line.substr(0, bar);
        if (state == "RUNNING" || state == "COMPLETING") {
            ++running;
        } else if (!state.empty()) {
            ++pending;
            const auto why = bar == std::string::npos ? "None" : line.substr(bar + 1);
            if (reason.empty() && why != "None") reason = " (" + why + ")";
        }
    }
    const auto waiting = std::to_string(pending) + " pending" + reason;
    const auto active = std::to_string(running) + " running";
    if (pending + running == 0) return {};
    return "Slurm job " + job + ": " +
           (running == 0   ? waiting
            : pending == 0 ? active
                           : waiting + ", " + active);
}

}  // namespace casp::cluster

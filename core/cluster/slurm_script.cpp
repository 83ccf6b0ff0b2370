#include "cluster/slurm_script.h"

#include <algorithm>
#include <cctype>
#include <string_view>
#include <utility>

#include "util/error.h"
#include "util/shell_word.h"

namespace casp::cluster {

namespace {

/// @WORD@ is replaced. The traps come before anything that takes time: without one, a signal ends the shell.
constexpr std::string_view script_template = R"sh(#!/bin/bash
# Workers for the experiment @EXPERIMENT@, written by caspstudio --submit. It may be changed and submitted
# with sbatch; the folder @LOGS@ for the logs must exist.
@OPTIONS@
export OMP_NUM_THREADS=$((SLURM_CPUS_PER_TASK / @PROCESSES@))

echo "Job ${SLURM_ARRAY_JOB_ID}_${SLURM_ARRAY_TASK_ID} on $(hostname), $(date)"

# Each of these signals makes the worker save a checkpoint and end with status 130. USR1 comes some time before
# the limit; TERM with scancel, preemption and the limit. TERM is passed on as HUP: some clusters send TERM to
# the worker as well, and a second TERM would end it at once.
near_limit=no
cancelled=no
worker=
trap 'near_limit=yes; [ -z "$worker" ] || kill -USR1 "$worker"' USR1
trap 'near_limit=no; cancelled=yes; [ -z "$worker" ] || kill -HUP "$worker"' TERM

@SETUP@
[ -x @PROGRAM@ ] || {
    echo @PROGRAM@" is not on $(hostname). Nodes must see the program, the data and --out under the same paths." >&2
    exit 1
}

# What has been reached: the last checkpoint of each run, and the finished runs.
reached() {
    grep -s . /dev/null ./*/last/current
    grep -ls '"state": "finished' ./*/run.json
}
reached_before=$(reached)

@WORKER@ &
worker=$!
# For a signal that came before: as soon as the worker handles it.
[ "$near_limit" = no ] || { sleep 1; kill -USR1 "$worker"; }
[ "$cancelled" = no ] || { sleep 1; kill -HUP "$worker"; }
while kill -0 "$worker" 2>/dev/null; do wait "$worker"; done
wait "$worker"
status=$?

# Work that is left at the time limit is continued by the same job, unless nothing was reached this time.
requeue=@REQUEUE@
if [ "$requeue" = yes ] && [ "$status" -eq 130 ] && [ "$near_limit" = yes ]; then
    if [ "$(reached)" = "$reached_before" ]; then
        echo "Not requeued: no run got as far as another checkpoint. Raise scheduler.time (--time)." >&2
        exit 1
    fi
    echo "Requeued at $(date)."
    scontrol requeue "${SLURM_ARRAY_JOB_ID}_${SLURM_ARRAY_TASK_ID}"
fi
exit "$status"
)sh";

/// A value in an #SBATCH line. sbatch takes '#' for the beginning of a comment, and splits at spaces.
std::string sbatch_word(const std::string& text) {
    const auto plain = [](unsigned char c) {
        return std::isalnum(c) != 0 || c >= 0x80 ||
               std::string_view("_-+=:,./%@").find(static_cast<char>(c)) != std::string_view::npos;
    };
    if (!text.empty() && std::all_of(text.begin(), text.end(), plain)) return text;
    std::string quoted = "\"";
    for (const char c : text) quoted += c == '"' || c == '\\' ? std::string{'\\', c} : std::string(1, c);
    return quoted + "\"";
}

/// sbatch replaces %A, %a, … in names of logs.
std::string with_doubled_percents(const std::string& text) {
    std::string doubled;
    for (const char c : text) doubled.append(c == '%' ? 2 : 1, c);
    return doubled;
}

std::string options_of(const ArrayJob& job) {
    const auto& s = job.scheduler;
    const std::pair<const char*, std::string> values[] = {
        {"--job-name", s.name},
        {"--array", "1-" + std::to_string(s.workers)},
        {"--partition", s.partition},
        {"--account", s.account},
        {"--qos", s.qos},
        {"--time", s.time},
        {"--nodes", "1"},
        {"--ntasks", "1"},
        {"--cpus-per-task", std::to_string(s.cpus)},
        {"--mem", s.memory},
        {"--gres", s.gpus > 0 ? "gpu:" + std::to_string(s.gpus) : ""},
        {"--signal", "B:USR1@" + std::to_string(s.signal_seconds)},
        {"--chdir", job.folder.string()},
        {"--output", with_doubled_percents(job.logs().string()) + "/%A_%a.out"},
        {"--open-mode", "append"}};
    std::string lines = std::string("#SBATCH ") + (s.requeue ? "--requeue" : "--no-requeue") + "\n";
    for (const auto& [option, value] : values)
        if (!value.empty()) lines += std::string("#SBATCH ") + option + "=" + sbatch_word(value) + "\n";
    for (const auto& option : s.extra) lines += "#SBATCH " + option + "\n";
    return lines;
}

std::string worker_command(const ArrayJob& job) {
    auto command = shell_word(job.program.string());
    for (const auto& word : job.worker_options) command += " " + shell_word(word);
    return command + " --out " + shell_word(job.out.string()) + " --worker";
}

}  // namespace

std::string slurm_script(const ArrayJob& job) {
    if (job.folder.string().find_first_of("\"\\\n\r") != std::string::npos)
        throw input_error(job.folder.string(), "the path has a quotation mark, a backslash or a line break",
                          "a path that sbatch can read", "Choose another --out folder.");
    std::string setup;
    for (const auto& line : job.scheduler.setup) setup += line + "\n";
    const std::pair<std::string_view, std::string> words[] = {
        {"EXPERIMENT", job.experiment},
        {"LOGS", job.logs().string()},
        {"OPTIONS", options_of(job)},
        {"PROCESSES", std::to_string(job.processes)},
        {"SETUP", setup},
        {"PROGRAM", shell_word(job.program.string())},
        {"WORKER", worker_command(job)},
        {"REQUEUE", job.scheduler.requeue ? "yes" : "no"}};
    std::string text;
    std::string_view rest = script_template;
    for (std::size_t at = 0; (at = rest.find('@')) != std::string_view::npos;) {
        const auto end = rest.find('@', at + 1);
        const auto* const word = std::find_if(std::begin(words), std::end(words), [&](const auto& one) {
            return one.first == rest.substr(at + 1, end - at - 1);
        });
        text.append(rest.substr(0, at)).append(word->second);
        rest.remove_prefix(end + 1);
    }
    return text.append(rest);
}

}  // namespace casp::cluster

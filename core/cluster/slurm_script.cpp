#include "cluster/slurm_script.h"

#include <algorithm>
#include <cctype>
#include <sstream>
#include <string_view>

#include "util/error.h"
#include "util/shell_word.h"

namespace casp::cluster {

namespace {

/// Slurm may send a signal that much earlier than asked for.
constexpr std::int64_t slurm_resolution_seconds = 60;

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

class Directives {
public:
    void add(const std::string& option) { text_ += "#SBATCH " + option + "\n"; }
    void add(const std::string& option, const std::string& value) {
        if (!value.empty()) add(option + "=" + sbatch_word(value));
    }
    [[nodiscard]] const std::string& text() const { return text_; }

private:
    std::string text_;
};

/// sbatch replaces %A, %a, … in names of logs.
std::string with_doubled_percents(const std::string& text) {
    std::string doubled;
    for (const char c : text) doubled.append(c == '%' ? 2 : 1, c);
    return doubled;
}

std::string directives_of(const ArrayJob& job) {
    const auto& s = job.scheduler;
    Directives lines;
    lines.add("--job-name", s.name);
    lines.add("--array", "1-" + std::to_string(s.workers));
    lines.add("--partition", s.partition);
    lines.add("--account", s.account);
    lines.add("--qos", s.qos);
    lines.add("--time", s.time);
    lines.add("--nodes=1");
    lines.add("--ntasks=1");
    lines.add("--cpus-per-task", std::to_string(s.cpus));
    lines.add("--mem", s.memory);
    if (s.gpus > 0) lines.add("--gres", "gpu:" + std::to_string(s.gpus));
    lines.add("--signal", "B:USR1@" + std::to_string(s.signal_seconds));
    lines.add(s.requeue ? "--requeue" : "--no-requeue");
    lines.add("--chdir", job.folder.string());
    lines.add("--output", with_doubled_percents(job.logs().string()) + "/%A_%a.out");
    lines.add("--open-mode=append");
    for (const auto& option : s.extra) lines.add(option);
    return lines.text();
}

std::string worker_command(const ArrayJob& job) {
    auto command = shell_word(job.program.string());
    for (const auto& word : job.worker_options) command += " " + shell_word(word);
    return command + " --out " + shell_word(job.out.string()) + " --worker";
}

/// Before anything that takes time: without a trap, a signal ends the shell.
constexpr const char* signals = R"sh(
echo "Job ${SLURM_ARRAY_JOB_ID}_${SLURM_ARRAY_TASK_ID} on $(hostname), $(date)"

# Each of these signals makes the worker save a checkpoint and end with status 130. USR1 comes some time before
# the limit; TERM with scancel, preemption and the limit. TERM is passed on as HUP: some clusters send TERM to
# the worker as well, and a second TERM would end it at once.
near_limit=no
cancelled=no
worker=
trap 'near_limit=yes; [ -z "$worker" ] || kill -USR1 "$worker"' USR1
trap 'near_limit=no; cancelled=yes; [ -z "$worker" ] || kill -HUP "$worker"' TERM

)sh";

std::string program_check(const ArrayJob& job) {
    const auto program = shell_word(job.program.string());
    return "[ -x " + program + " ] || { echo " + program +
           "\" is not on $(hostname). Nodes must see the program, the data and --out under the same paths.\" "
           ">&2; exit 1; }\n";
}

constexpr const char* requeueing = R"sh(
# What has been reached: the last checkpoint of each run, and the finished runs.
reached() {
    grep -s . /dev/null ./*/last/current
    grep -ls '"state": "finished' ./*/run.json
}
reached_before=$(reached)
)sh";

constexpr const char* after_the_worker = R"sh(
# Work that is left at the time limit is continued by the same job, unless nothing was reached this time.
if [ "$status" -eq 130 ] && [ "$near_limit" = yes ]; then
    if [ "$(reached)" = "$reached_before" ]; then
        echo "Not requeued: no run got as far as another checkpoint. Raise scheduler.time (--time)." >&2
        exit 1
    fi
    echo "Requeued at $(date)."
    scontrol requeue "${SLURM_ARRAY_JOB_ID}_${SLURM_ARRAY_TASK_ID}"
fi
)sh";

}  // namespace

std::string slurm_script(const ArrayJob& job) {
    if (job.folder.string().find_first_of("\"\\\n\r") != std::string::npos)
        throw input_error(job.folder.string(), "the path has a quotation mark, a backslash or a line break",
                          "a path that sbatch can read", "Choose another --out folder.");
    const auto& s = job.scheduler;
    const auto earliest = s.signal_seconds + slurm_resolution_seconds;
    if (!s.time.empty() && seconds_of_limit(s.time) <= earliest)
        throw input_error("scheduler.time",
                          "the limit of " + limit_text(s.time) +
                              " leaves no time before the signal, which Slurm may send " +
                              std::to_string(earliest) + " s before the limit (scheduler.signal_seconds = " +
                              std::to_string(s.signal_seconds) + ", and up to a minute)",
                          "a longer time", "Choose a longer time, or fewer seconds.");
    std::string text =
        "#!/bin/bash\n"
        "# " +
        std::to_string(s.workers) + (s.workers == 1 ? " worker" : " workers") + " for the experiment " +
        job.experiment + ", written by caspstudio --submit. It may be changed and submitted\n" +
        "# with sbatch; the folder " + job.logs().string() + " for the logs must exist.\n" +
        directives_of(job) + "\nexport OMP_NUM_THREADS=" +
        (job.processes == 1 ? "\"$SLURM_CPUS_PER_TASK\""
                            : "$((SLURM_CPUS_PER_TASK / " + std::to_string(job.processes) + "))") +
        "\n";
    text += signals;
    for (const auto& line : s.setup) text += line + "\n";
    text += program_check(job);
    if (s.requeue) text += requeueing;
    text += "\n" + worker_command(job) +
            " &\nworker=$!\n"
            "# For a signal that came before: as soon as the worker handles it.\n"
            "[ \"$near_limit\" = no ] || { sleep 1; kill -USR1 \"$worker\"; }\n"
            "[ \"$cancelled\" = no ] || { sleep 1; kill -HUP \"$worker\"; }\n"
            "while kill -0 \"$worker\" 2>/dev/null; do wait \"$worker\"; done\n"
            "wait \"$worker\"\n"
            "status=$?\n";
    if (s.requeue) text += after_the_worker;
    return text + "exit \"$status\"\n";
}

std::int64_t seconds_of_limit(const std::string& time) {
    const auto dash = time.find('-');
    const bool has_days = dash != std::string::npos;
    std::vector<std::int64_t> numbers;
    std::istringstream parts(has_days ? time.substr(dash + 1) : time);
    for (std::string part; std::getline(parts, part, ':');) numbers.push_back(std::stoll(part));
    // Without days, the first number is minutes unless there are three.
    if (!has_days && numbers.size() < 3) numbers.insert(numbers.begin(), 0);
    numbers.resize(3);
    const auto days = has_days ? std::stoll(time.substr(0, dash)) : 0;
    return ((days * 24 + numbers[0]) * 60 + numbers[1]) * 60 + numbers[2];
}

std::string limit_text(const std::string& time) {
    return time.find_first_of(":-") == std::string::npos ? time + (time == "1" ? " minute" : " minutes")
                                                         : time;
}

}  // namespace casp::cluster

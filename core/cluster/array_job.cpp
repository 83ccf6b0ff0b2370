#include "cluster/array_job.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>
#include <system_error>
#include <utility>

#include <nlohmann/json.hpp>

#include "cluster/slurm_client.h"
#include "data/catalog.h"
#include "data/preset_data.h"
#include "model/descriptor.h"
#include "model/gpt2_weights.h"
#include "run/folder_content.h"
#include "run/preparation.h"
#include "run/preview.h"
#include "store/atomic_file.h"
#include "store/run_file.h"
#include "store/run_folder.h"
#include "util/error.h"
#include "util/new_folders.h"
#include "util/process.h"
#include "util/whole_path.h"

namespace casp::cluster {

namespace {

namespace fs = std::filesystem;

constexpr std::int64_t most_workers = 16;  // without scheduler.workers
constexpr std::int64_t usual_cpus = 4;
constexpr double gibibyte = 1024.0 * 1024.0 * 1024.0;
constexpr double bytes_per_value = 24;  // of the data: as read, scaled, and its text while it is read
constexpr double least_gpu_gibibytes = 8;

/// Bytes of memory for the run's steps and data.
double bytes_of(const config::Config& config, const data::FileFacts& facts, bool on_gpu) {
    run::Machine device;
    device.device = on_gpu ? "cuda" : "cpu";
    const auto preview = run::preview(config, run::facts_for(config, facts), device);
    // On a GPU, weights pass through this memory when they are read and saved.
    const auto model = on_gpu ? static_cast<double>(preview.parameters_total) * 3 * sizeof(float)
                              : static_cast<double>(preview.step_bytes);
    return model + static_cast<double>(facts.rows) * static_cast<double>(facts.channels) * bytes_per_value;
}

/// The runs, checked as a worker would. Throws input Errors.
struct CheckedRuns {
    std::int64_t unfinished = 0, processes = 1, together = 1, threads = 0;
    bool is_auto_together = false;
    double bytes = 0;  ///< largest of a run
};

CheckedRuns checked_runs(const std::vector<config::RunPlan>& plans, const fs::path& folder, bool on_gpu,
                         const std::stop_token& stop) {
    CheckedRuns all;
    std::map<std::pair<fs::path, std::string>, std::pair<data::FileFacts, std::string>> sets;  // and digest
    for (const auto& plan : plans) {
        const auto& config = plan.config;
        throw_if_stopped(stop);
        const std::pair key(data::resolve_data_path(config.data.path), config.data.frequency);
        auto known = sets.find(key);
        if (known == sets.end())
            known = sets.emplace(key, std::pair(data::read_facts(config, stop), run::digest_of_data(config)))
                        .first;
        const auto& [facts, sha256] = known->second;
        all.bytes = std::max(all.bytes, bytes_of(config, facts, on_gpu));
        all.processes = std::max(all.processes, config.run.processes);
        all.together = std::max(all.together, config.run.together);
        all.is_auto_together = all.is_auto_together || config.run.together == 0;
        all.threads = std::max(all.threads, config.run.threads);
        const auto path = folder / plan.run_name;
        store::RunFolder(path).check_no_links();
        const auto content = run::folder_content(path);
        if (content == run::FolderContent::complete) {
            run::check_finished_run(path, config, sha256);
            continue;
        }
        if (content == run::FolderContent::started) run::check_started_run(path, config, sha256);
        if (model::capabilities(config).backbone && config.backbone.path != "untrained")
            static_cast<void>(model::find_backbone_file(config.backbone.path));
        ++all.unfinished;
    }
    return all;
}

/// GPUs that a worker uses: those of run.devices, or one if run.device is a GPU.
std::int64_t gpus_of(const std::vector<config::RunPlan>& plans, const std::vector<std::string>& devices) {
    const auto is_gpu = [](const std::string& device) { return device.starts_with("cuda"); };
    std::set<std::string> gpus;
    std::copy_if(devices.begin(), devices.end(), std::inserter(gpus, gpus.end()), is_gpu);
    const bool one = devices.empty() && std::any_of(plans.begin(), plans.end(), [&](const auto& plan) {
                         return is_gpu(plan.config.run.device);
                     });
    return one ? 1 : std::ssize(gpus);
}

/// Replaces automatic settings. `processes`: that a worker starts.
void resolve(config::SchedulerSettings& settings, const std::string& experiment, const CheckedRuns& runs,
             std::int64_t processes) {
    auto together = runs.together;
    // "auto": as many as the cores that were asked for have room for. On a GPU the measured number is not
    // known before.
    if (runs.is_auto_together && settings.gpus == 0 && runs.threads > 0)
        together = std::clamp<std::int64_t>(settings.cpus / runs.threads, 1,
                                            std::max<std::int64_t>(runs.unfinished, 1));
    if (settings.name.empty()) settings.name = experiment;
    if (settings.workers == 0) settings.workers = std::clamp<std::int64_t>(runs.unfinished, 1, most_workers);
    if (settings.cpus == 0)  // without threads, runs together take turns
        settings.cpus = (runs.threads == 0 ? usual_cpus : runs.threads * together) * processes;
    if (settings.memory == "auto") {
        auto gibibytes = std::ceil((runs.bytes * 1.2 * static_cast<double>(together) / gibibyte + 1) *
                                   static_cast<double>(processes));
        if (settings.gpus > 0) gibibytes = std::max(gibibytes, least_gpu_gibibytes);
        settings.memory = std::to_string(static_cast<std::int64_t>(gibibytes)) + "G";
    }
}

/// Whose batches share runs with others; its file is in the program.
bool is_paper(const Submission& submission) { return submission.target.starts_with("paper:"); }

std::vector<std::string> copied_experiment(const ArrayJob& job) {
    return {"--batch", job.settings().string()};
}

/// With absolute paths: workers start in the batch folder.
std::vector<std::string> original_experiment(const Submission& submission) {
    std::vector<std::string> options{
        "--batch", is_paper(submission) ? submission.target : whole_path(submission.target).string()};
    const auto add_set = [&](const std::string& set) { options.insert(options.end(), {"--set", set}); };
    for (const auto& assignment : submission.experiment.sets)
        add_set(assignment.key + "=" + config::to_toml(assignment.value));
    for (const auto& set : submission.sets)
        if (set.starts_with("sweep.")) add_set(set);
    return options;
}

/// The text of the workers' copy. They need no [scheduler].
std::string copy_of(config::Experiment experiment) {
    experiment.scheduler.clear();
    return config::to_toml(experiment);
}

/// Workers read the copy when they start, not when they are submitted.
void check_waiting_jobs(const ArrayJob& job, const std::string& copy, const std::stop_token& stop) {
    std::error_code unknown;
    if (!why_no_slurm().empty() || !fs::exists(job.settings(), unknown) ||
        store::read_small_file(job.settings()) == copy)
        return;
    const auto jobs = jobs_of(job.folder);
    if (jobs.empty()) return;
    if (const auto state = array_state(jobs, stop); !state.empty())
        throw input_error(job.folder.string(),
                          state + ", and its workers would take over other settings or runs", {},
                          "Cancel it (scancel " + jobs + "), or give the experiment another name.");
}

}  // namespace

ArrayJob plan_array_job(const Submission& submission, const std::stop_token& stop) {
    const auto& experiment = submission.experiment;
    const auto plans = config::expand(experiment);
    ArrayJob job;
    job.scheduler = config::scheduler_settings(experiment.scheduler);
    job.experiment = experiment.base.name;
    job.runs = std::ssize(plans);
    job.program = program_path();
    job.out = whole_path(submission.out);
    job.folder = job.out / job.experiment;
    if (job.scheduler.gpus < 0) job.scheduler.gpus = gpus_of(plans, experiment.base.run.devices);
    const auto runs = checked_runs(plans, job.folder, job.scheduler.gpus > 0, stop);
    job.unfinished = runs.unfinished;
    // Of each run, or of a run on each device.
    job.processes = runs.processes * std::max<std::int64_t>(1, std::ssize(experiment.base.run.devices));
    resolve(job.scheduler, job.experiment, runs, job.processes);
    job.worker_options = submission.target.empty() ? copied_experiment(job) : original_experiment(submission);
    return job;
}

void write_array_job(ArrayJob job, const Submission& submission, const std::stop_token& stop) {
    const bool has_copy = !is_paper(submission);
    const auto copy = copy_of(submission.experiment);
    if (has_copy) {
        job.worker_options = copied_experiment(job);
        check_waiting_jobs(job, copy, stop);
    }
    const auto script = slurm_script(job);
    NewFolders made(job.logs());
    if (has_copy) store::write_file_atomically(job.settings(), copy);
    store::write_file_atomically(job.script(), script);
    made.keep();
}

std::string submit_array_job(const ArrayJob& job) {
    const auto before = jobs_of(job.folder);
    auto number = submit(job.script());
    const nlohmann::ordered_json record{{"scheduler", "slurm"},
                                        {"jobs", (before.empty() ? "" : before + ",") + number},
                                        {"submitted", store::utc_now()}};
    store::write_file_atomically(job.folder / "submit.json", record.dump(2) + "\n");
    return number;
}

std::string jobs_of(const fs::path& batch_folder) {
    constexpr std::size_t most = 10'000;
    try {
        const auto record =
            nlohmann::json::parse(store::read_small_file(batch_folder / "submit.json", 2 * most));
        // "job": of version 1.0.
        auto jobs = record.value("jobs", record.value("job", std::string()));
        // They become an argument of squeue.
        return jobs.size() <= most && jobs.find_first_not_of("0123456789,") == std::string::npos ? jobs : "";
    } catch (const std::exception&) {
        return {};
    }
}

}  // namespace casp::cluster

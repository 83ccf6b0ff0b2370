#include "cluster/array_job.h"

#include <algorithm>
#include <cmath>
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

/// Properties of the runs' data sets; each is read once.
class DataSets {
public:
    struct Known {
        data::FileFacts facts;
        std::string sha256;
    };
    const Known& of(const config::Config& config, const std::stop_token& stop) {
        const std::pair key(data::resolve_data_path(config.data.path), config.data.frequency);
        auto found = sets_.find(key);
        if (found == sets_.end())
            found =
                sets_.emplace(key, Known{data::read_facts(config, stop), run::digest_of_data(config)}).first;
        return found->second;
    }

private:
    std::map<std::pair<fs::path, std::string>, Known> sets_;
};

/// Throws an input Error if a worker could not start or continue the run.
run::FolderContent checked_folder(const fs::path& folder, const config::Config& config,
                                  const std::string& sha256) {
    store::RunFolder(folder).check_no_links();
    const auto content = run::folder_content(folder);
    if (content == run::FolderContent::complete) run::check_finished_run(folder, config, sha256);
    if (content == run::FolderContent::started) run::check_started_run(folder, config, sha256);
    return content;
}

void check_backbone(const config::Config& config) {
    if (model::capabilities(config).backbone && config.backbone.path != "untrained")
        static_cast<void>(model::find_backbone_file(config.backbone.path));
}

/// Bytes of memory for the run's steps and data.
double bytes_of(const config::Config& config, const data::FileFacts& facts, bool on_gpu) {
    run::Machine device;
    device.device = on_gpu ? "cuda" : "cpu";
    const auto preview = run::preview(config, run::facts_for(config, facts), device);
    const auto data = static_cast<double>(facts.rows) * static_cast<double>(facts.channels) * bytes_per_value;
    // On a GPU, weights pass through this memory when they are read and saved.
    const auto model = on_gpu ? static_cast<double>(preview.parameters_total) * 3 * sizeof(float)
                              : static_cast<double>(preview.step_bytes);
    return model + data;
}

/// Processes that a worker starts: of each run, or of a run on each device.
std::int64_t processes_of(const config::Experiment& experiment, const std::vector<config::RunPlan>& plans) {
    std::int64_t processes = 1;
    for (const auto& plan : plans) processes = std::max(processes, plan.config.run.processes);
    return processes * std::max<std::int64_t>(1, std::ssize(experiment.base.run.devices));
}

/// GPUs that a worker uses: those of run.devices, or one if run.device is a GPU.
std::int64_t gpus_of(const std::vector<config::RunPlan>& plans, const std::vector<std::string>& devices) {
    std::set<std::string> gpus;
    for (const auto& device : devices)
        if (device.starts_with("cuda")) gpus.insert(device);
    const bool one = devices.empty() && std::any_of(plans.begin(), plans.end(), [](const auto& plan) {
                         return plan.config.run.device.starts_with("cuda");
                     });
    return one ? 1 : std::ssize(gpus);
}

void resolve(config::SchedulerSettings& settings, const std::vector<config::RunPlan>& plans,
             const std::string& experiment, std::int64_t unfinished, double bytes, std::int64_t processes) {
    std::int64_t together = 1, threads = 0;
    for (const auto& plan : plans) {
        together = std::max(together, plan.config.run.together);
        threads = std::max(threads, plan.config.run.threads);
    }
    // "auto": as many as the cores that were asked for have room for. On a GPU
    // memory decides.
    const bool is_auto = std::any_of(plans.begin(), plans.end(),
                                     [](const auto& plan) { return plan.config.run.together == 0; });
    if (is_auto && settings.gpus == 0 && threads > 0)
        together =
            std::clamp<std::int64_t>(settings.cpus / threads, 1, std::max<std::int64_t>(unfinished, 1));
    if (settings.name.empty()) settings.name = experiment;
    if (settings.workers == 0) settings.workers = std::clamp<std::int64_t>(unfinished, 1, most_workers);
    if (settings.cpus == 0) {
        settings.cpus = threads * together;  // 0: they take turns
        if (settings.cpus == 0) settings.cpus = usual_cpus;
        settings.cpus *= processes;
    }
    if (settings.memory == "auto") {
        auto gibibytes = std::ceil((bytes * 1.2 * static_cast<double>(together) / gibibyte + 1) *
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

/// What workers that read the copy would do otherwise with the experiment; empty: nothing, or there is no
/// readable copy.
std::string changed_settings(const fs::path& copy, const config::Experiment& experiment) {
    config::Experiment before;
    std::vector<config::RunPlan> runs_before;
    try {
        before = config::load(copy);
        runs_before = config::expand(before);
    } catch (const Error&) {
        return {};
    }
    std::map<std::string, config::Config> now;
    for (auto& plan : config::expand(experiment)) now.emplace(plan.run_name, std::move(plan.config));
    for (const auto& plan : runs_before) {
        const auto same = now.find(plan.run_name);
        if (same == now.end()) return "\n  the run " + plan.run_name + " is omitted";
        if (auto text = run::difference_text(plan.config, same->second, false, {}); !text.empty())
            return text;
    }
    for (const auto& d : config::differences(before.base, experiment.base))
        if (d.key == "run.devices" || d.key == "run.processes" || d.key == "run.together")
            return "\n  " + d.key + " was " + d.a + ", is now " + d.b;
    return {};
}

/// Workers read the copy when they start, not when they are submitted.
void check_settings_of_open_arrays(const ArrayJob& job, const config::Experiment& experiment,
                                   const std::stop_token& stop) {
    const auto changed = changed_settings(job.settings(), experiment);
    if (changed.empty()) return;
    const auto open = open_arrays(job.folder, stop);
    if (open.empty()) return;
    std::string all;
    for (const auto& [number, state] : open) all += (all.empty() ? "" : " ") + number;
    throw input_error(job.folder.string(),
                      "Slurm job " + all + " has not ended, and its workers would take over this:" + changed,
                      {}, "Cancel it (scancel " + all + "), or give the experiment another name.");
}

std::string requested_text(const config::SchedulerSettings& settings) {
    std::string text;
    for (const auto& one : config::assignments_of(settings))
        text += (text.empty() ? "" : ", ") + one.key.substr(one.key.find('.') + 1) + " = " +
                config::to_toml(one.value);
    return text;
}

}  // namespace

ArrayJob plan_array_job(const Submission& submission, const std::stop_token& stop) {
    const auto plans = config::expand(submission.experiment);
    ArrayJob job;
    job.scheduler = config::scheduler_settings(submission.experiment.scheduler);
    job.experiment = submission.experiment.base.name;
    job.runs = static_cast<std::int64_t>(plans.size());
    job.program = submission.program.empty() ? program_path() : submission.program;
    job.out = whole_path(submission.out);
    job.folder = job.out / job.experiment;
    job.processes = processes_of(submission.experiment, plans);
    if (job.scheduler.gpus < 0) job.scheduler.gpus = gpus_of(plans, submission.experiment.base.run.devices);

    DataSets data;
    double bytes = 0;
    for (const auto& plan : plans) {
        throw_if_stopped(stop);
        const auto& known = data.of(plan.config, stop);
        bytes = std::max(bytes, bytes_of(plan.config, known.facts, job.scheduler.gpus > 0));
        if (checked_folder(job.folder / plan.run_name, plan.config, known.sha256) ==
            run::FolderContent::complete)
            continue;
        check_backbone(plan.config);
        ++job.unfinished;
    }
    resolve(job.scheduler, plans, job.experiment, job.unfinished, bytes, job.processes);

    job.worker_options = submission.target.empty() ? copied_experiment(job) : original_experiment(submission);
    return job;
}

void write_array_job(ArrayJob job, const Submission& submission, const std::stop_token& stop) {
    const bool copy = !is_paper(submission);
    if (copy) job.worker_options = copied_experiment(job);
    if (copy) check_settings_of_open_arrays(job, submission.experiment, stop);
    const auto script = slurm_script(job);
    NewFolders made(job.logs());
    if (copy) store::write_file_atomically(job.settings(), config::to_toml(submission.experiment));
    store::write_file_atomically(job.script(), script);
    made.keep();
}

SubmittedJob submit_array_job(const ArrayJob& job, const std::stop_token& stop) {
    SubmittedJob submitted;
    for (const auto& [number, state] : open_arrays(job.folder, stop)) submitted.earlier.push_back(number);
    throw_if_stopped(stop);  // afterwards the job is submitted
    submitted.job = submit(job.script(), requested_text(job.scheduler));
    submitted.workers = job.scheduler.workers;
    submitted.submitted = store::utc_now();
    const nlohmann::ordered_json record{{"scheduler", "slurm"},
                                        {"job", submitted.job},
                                        {"workers", submitted.workers},
                                        {"submitted", submitted.submitted},
                                        {"earlier", submitted.earlier}};
    store::write_file_atomically(job.folder / "submit.json", record.dump(2) + "\n");
    return submitted;
}

std::optional<SubmittedJob> submitted_job(const fs::path& batch_folder) {
    try {
        const auto record =
            nlohmann::json::parse(store::read_small_file(batch_folder / "submit.json", 1U << 16U));
        SubmittedJob submitted{record.at("job"), record.at("workers"), record.at("submitted"),
                               record.value("earlier", std::vector<std::string>())};
        // They become arguments of squeue.
        const auto is_number = [](const std::string& text) {
            return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
        };
        if (!is_number(submitted.job) ||
            !std::all_of(submitted.earlier.begin(), submitted.earlier.end(), is_number))
            return std::nullopt;
        return submitted;
    } catch (const std::exception&) {
        return std::nullopt;
    }
}

std::vector<std::string> jobs_of(const fs::path& batch_folder) {
    const auto last = submitted_job(batch_folder);
    if (!last) return {};
    auto jobs = last->earlier;
    jobs.push_back(last->job);
    return jobs;
}

std::vector<std::string> warnings_before(const ArrayJob& job, const config::Config& base,
                                         const std::stop_token& stop) {
    std::vector<std::string> warnings;
    if (base.run.device.starts_with("cuda") && job.scheduler.gpus == 0)
        warnings.push_back("workers get no GPU (scheduler.gpus = 0), but run.device is \"" + base.run.device +
                           "\"");
    for (const auto& [number, state] : open_arrays(job.folder, stop))
        warnings.push_back((state ? state_text(number, *state) : "Slurm job " + number + ": state unknown") +
                           "; its workers take the same runs (cancel it with: scancel " + number + ")");
    return warnings;
}

std::map<std::string, std::optional<ArrayState>> open_arrays(const fs::path& batch_folder,
                                                             const std::stop_token& stop) {
    std::map<std::string, std::optional<ArrayState>> open;
    if (!why_no_slurm().empty()) return open;
    for (const auto& number : jobs_of(batch_folder)) {
        try {
            const auto state = array_state(number, stop);
            if (state && state->is_open()) open.emplace(number, state);
        } catch (const Cancelled&) {
            throw;
        } catch (const Error&) {  // Slurm does not answer
            open.emplace(number, std::nullopt);
        }
    }
    return open;
}

}  // namespace casp::cluster

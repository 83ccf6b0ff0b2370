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


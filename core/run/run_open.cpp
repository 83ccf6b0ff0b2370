// Data, model and optimiser of a run, on their device.
#include <functional>
#include <string>

#include <torch/torch.h>

#include "config/python_source.h"
#include "model/descriptor.h"
#include "run/active_run.h"
#include "store/data_section.h"
#include "store/run_file.h"
#include "train/session.h"
#include "util/device.h"
#include "util/error.h"
#include "util/out_of_memory.h"
#include "util/units.h"

namespace casp::run {

namespace {

void open_data(ActiveRun& run) {
    run.data = explaining_memory(
        Phrase("putting the data on %1", run.device.str()),
        [&] { return train::open_data(run.config, run.device, run.log, run.stop); },
        [] { return std::string("Use fewer channels (data.columns), or close other programs."); });
}

/// "auto" is the first GPU, which others may use while another one is free.
void use_gpu_with_room(ActiveRun& run, std::int64_t bytes) {
    const auto free = device_memory(run.device).available;
    if (run.config.run.device != "auto" || run.group != nullptr || free == 0 || free >= bytes) return;
    const auto other = gpu_with_room(run.device, bytes);
    if (!other) return;
    run.log.on_message(train::MessageLevel::info,
                       Phrase("a step needs about %1, and %2 are free on %3: the run uses %4",
                              bytes_text(bytes), bytes_text(free), run.device.str(), other->str()));
    run.device = *other;
    run.queue.emplace(run.device);
    open_data(run);
}

/// Processes on several machines may read different files of the same name.
void check_same_files(const ActiveRun& run) {
    const auto key = static_cast<std::int64_t>(
        std::hash<std::string>{}(run.identity.dataset_sha256 + run.identity.backbone_digest) >> 1);
    if (run.group->largest(key) == -run.group->largest(-key)) return;
    throw run_error("run.processes", "the data file or the backbone is not the same for all processes", {},
                    "Put them in a folder that all machines share, or copy them again.");
}

}  // namespace

/// The precision of a run never changes: "auto" is what the run has so far, or what this device computes
/// fastest.
void settle_precision(ActiveRun& run) {
    if (run.config.run.precision == "auto" && run.checkpoint &&
        std::filesystem::exists(run.folder.run_file()))
        run.config.run.precision = store::read_run_file(run.folder.run_file()).attributes.precision;
    const auto device = train::device_of(run.config);
    if (run.checkpoint && train::lacks_precision(run.config, device))
        throw input_error(
            run.folder.path().string(),
            Phrase("the run was trained in %1, which %2 does not support", run.config.run.precision,
                   device.str()),
            {},
            "Resume it on a device that does, or continue from it in another precision with a fork "
            "(train.continue_from).");
    run.config = train::with_precision(std::move(run.config), device);
}

void open(ActiveRun& run) {
    train::use_threads(run.config, run.group != nullptr ? run.group->sharing_processors() : 1);
    run.device = train::device_of(run.config);
    if (run.group != nullptr && run.device.is_cuda() && !run.config.run.device.starts_with("cuda:"))
        run.device = resolve_device(
            "cuda:" + std::to_string(run.group->place_on_machine() % torch::cuda::device_count()));
    if (const auto& wanted = run.request.config.run.precision;
        wanted != "auto" && wanted != run.config.run.precision)
        run.log.on_message(train::MessageLevel::info,
                           Phrase("%1 has no products in %2: it computes in %3",
                                  model::descriptor(run.config).title, wanted, run.config.run.precision));
    if (run.group == nullptr && run.config.run.processes > 1 && model::capabilities(run.config).trains)
        run.log.on_message(train::MessageLevel::warning,
                           "run.processes is for --batch: this run trains in one process");
    run.queue.emplace(run.device);
    // peak_memory shall not include what an earlier run has left; together there is only the process's.
    if (run.request.shared == nullptr) release_reserved_memory(run.device);
    run.memory_before = device_memory(run.device).used;
    if (run.config.run.device == "auto" && run.device.is_cpu())
        if (const auto problem = cuda_problem(); !problem.empty())
            run.log.on_message(
                train::MessageLevel::warning,
                Phrase("this machine has an NVIDIA GPU, but the run uses the processor: %1", problem));
    open_data(run);
    const auto shape = train::shape_of(run.data);
    const auto channels = shape.channels;
    const auto windows = run.windows_here();
    run.estimate = model::estimate(
        run.config, {.rows = windows * channels, .channels = shape.channels, .on_gpu = !run.device.is_cpu()});
    use_gpu_with_room(run, run.estimate.step_bytes(windows * channels));
    if (run.request.room) run.request.room(run.estimate.step_bytes(windows * channels), run.device.str());
    const auto others = train::check_memory(run.estimate, windows, channels, run.device);
    // Processes of one run may share a GPU.
    if (!others.empty() && run.group == nullptr) run.log.on_message(train::MessageLevel::info, others);
    // The run has a copy of a Python file that is gone; one that was changed is refused.
    if (const auto& file = run.config.python.file;
        run.checkpoint && !file.empty() && !std::filesystem::exists(file))
        if (const auto kept = config::kept_python_source(run.folder.path())) config::remember(*kept);
    explaining_memory(
        Phrase("putting the model on %1", run.device.str()),
        [&] {
            run.model =
                train::open_model(run.config, shape, run.device, run.log, run.stop, run.request.shared);
            run.optimizer = train::make_optimizer(run.config, run.model.model->trainable());
        },
        [] { return std::string("Choose a smaller backbone or pool, or close other programs."); });
    run.optimizer->use_constant_rates(*run.model.model);
    if (const auto pool = model::pool_size(*run.model.model); pool > 0)
        run.state.usage = at::zeros({pool}, at::TensorOptions(at::kLong).device(run.device));

    run.log.change([&](store::RunRecord& record) {
        record.attributes = train::describe_run(run.config, run.data, run.model, run.device);
        record.anchors.pool_size = model::pool_size(*run.model.model);
        record.data = store::data_section(*run.data.prepared);
    });
    run.identity = {run.data.prepared->table.sha256, run.model.frozen_digest, run.record().attributes.config};
    if (run.group == nullptr) return;
    check_same_files(run);
    if (const auto slower = run.group->use_device(run.device); !slower.empty())
        run.log.on_message(train::MessageLevel::warning, slower);
}

}  // namespace casp::run

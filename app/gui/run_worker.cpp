#include "gui/run_worker.h"

#include <filesystem>

#include "evidence/batch_tables.h"
#include "run/preparation.h"
#include "store/results.h"
#include "store/run_folder.h"
#include "store/run_store.h"
#include "util/error.h"
#include "util/out_of_memory.h"
#include "util/threads.h"

namespace casp::gui {

namespace {

namespace fs = std::filesystem;

run::PlannedRun planned(const RunJob& job) {
    return {job.request.config, job.request.folder, job.request.name, job.request.swept};
}

/// The end of a run that was stopped before it started.
store::ResultRow stopped_row(const RunJob& job) {
    auto row = run::queued_row(planned(job));
    try {
        const store::RunFolder folder(job.request.folder);
        if (const auto before = store::read_run_status(folder)) row = before->row;
        // An interrupted run stays queued: it is offered again at the next start of the window.
        if (job.stop.request() != train::StopRequest::cancel) return row;
        row.state = store::RunState::cancelled;
        store::write_run_status(folder, {row, {}, {}});
    } catch (const std::exception&) {
        // The state in memory is correct in any case.
    }
    row.state = store::RunState::cancelled;
    return row;
}

/// Writes results.csv and the other tables of the run's experiment, its runs in the order of their creation.
void write_tables(const fs::path& experiment) {
    std::vector<std::string> names;
    for (const auto& run : store::runs_in(experiment)) names.push_back(run.name);
    evidence::write_batch_tables(experiment, store::collect_rows(experiment, names));
}

RunEnd run_it(RunJob& job) {
    try {
        return {run::run(job.request, *job.log, job.stop), {}};
    } catch (const Cancelled&) {
        return {stopped_row(job), {}};
    } catch (const std::exception& problem) {
        auto message = casp::plain_message(problem);
        run::mark_failed(planned(job), message);
        auto row = run::queued_row(planned(job));
        row.state = store::RunState::failed;
        const auto* known = dynamic_cast<const Error*>(&problem);
        if (known != nullptr && known->kind() == ErrorKind::input)
            return {std::move(row), std::move(message)};
        const auto lost = run::silent_device(job.request.config.run.device);
        if (!lost.empty())
            message += " Its device does not answer any more (" + lost +
                       "): other runs are not started on it until the program is started again.";
        return {std::move(row), std::move(message), !lost.empty()};
    }
}

}  // namespace

RunJob::RunJob(run::RunRequest wanted, std::function<void()> wake)
    : request(std::move(wanted)), tell([this, wake = std::move(wake)] {
          if (!woken.exchange(true)) wake();
      }) {
    log = std::make_shared<train::RunLog>(tell);
}

void perform(RunJob& job) {
    work_in_background();  // before the first tensor, so that LibTorch's threads inherit it
    job.end = run_it(job);
    try {
        write_tables(job.request.folder.parent_path());
    } catch (const std::exception& problem) {
        job.log->on_message(
            train::MessageLevel::warning,
            std::string("the tables of the experiment could not be written: ") + problem.what());
    }
    job.ended = true;
    job.tell();
}

}  // namespace casp::gui

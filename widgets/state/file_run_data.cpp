#include "state/file_run_data.h"

#include <algorithm>
#include <filesystem>
#include <limits>

#include "config/experiment.h"
#include "inspect/stored_probes.h"
#include "model/descriptor.h"
#include "store/run_file.h"
#include "store/run_folder.h"
#include "util/error.h"
#include "words/core_text.h"
#include "words/plain_text.h"

namespace casp::widgets {

namespace {

constexpr int shortest_interval_ms = 50;

}  // namespace

struct FileRunData::Loaded {
    store::RunRecord record;
    std::int64_t epochs = 0;
    std::int64_t file_time = 0;
    QString problem;
};

FileRunData::FileRunData(std::shared_ptr<const RunSummary> summary, const std::shared_ptr<WorkPool>& pool,
                         std::shared_ptr<SliceCache> cache, RemoteFolder* remote)
    : summary_(std::move(summary)),
      pool_(pool),
      remote_(remote),
      arrays_(summary_->folder, pool, std::move(cache), [this] { touch(RunPart::forecasts); }),
      embeddings_(summary_->folder, EmbeddingHost::shared(),
                  [this](bool progress_only) {
                      touch(progress_only ? RunPart::embedding_work : RunPart::embeddings);
                  }),
      reading_(*pool_),
      probes_reading_(*pool_) {
    since_request_.start();
    notify_timer_.setSingleShot(true);
    notify_timer_.setTimerType(Qt::PreciseTimer);
    connect(&notify_timer_, &QTimer::timeout, this, &FileRunData::notify);
}

FileRunData::~FileRunData() = default;

std::int64_t FileRunData::file_time_of(const std::string& run_folder) {
    std::error_code problem;
    const auto time = std::filesystem::last_write_time(std::filesystem::path(run_folder) / "run.h5", problem);
    return problem ? 0 : time.time_since_epoch().count();
}

FileRunData::Loaded FileRunData::read(const QString& folder) {
    Loaded loaded;
    // Before the reading: a file that is replaced meanwhile is read again.
    loaded.file_time = file_time_of(folder.toStdString());
    try {
        const store::RunFolder run(folder.toStdString());
        // A run that waits, or that failed before its first step, has none yet. The
        // reader reports other problems of the file.
        std::error_code problem;
        if (!std::filesystem::exists(run.run_file(), problem) && !problem) return loaded;
        loaded.record = store::read_run_file(run.run_file());
        const auto config =
            config::load_text(loaded.record.attributes.config, "the run's configuration", {}).base;
        loaded.epochs = config.train.epochs;
    } catch (const std::exception& failure) {
        loaded.problem = plain_text(failure);
    }
    return loaded;
}

void FileRunData::load() {
    since_request_.start();
    if (wanted_) return;
    wanted_ = true;
    waiting_ = !provide("run.h5");
    start_reading();
}

void FileRunData::start_reading() {
    if (waiting_ || log_) return;
    if (reading_.is_running()) {
        read_again_ = true;
        return;
    }
    reading_.start([folder = summary_->folder](const JobContext&) { return read(folder); },
                   {.done = [this](Loaded loaded) { take(std::move(loaded)); }});
}

void FileRunData::take(Loaded loaded) {
    file_time_ = loaded.file_time;
    if (std::exchange(read_again_, false)) return start_reading();
    // A file that cannot be read takes nothing away of what is known already.
    problem_ = loaded.problem;
    if (problem_.isEmpty()) {
        record_ = std::move(loaded.record);
        if (loaded.epochs > 0 && pace_.epochs == 0) pace_.epochs = loaded.epochs;
        take_stored_pace();
    }
    loaded_ = true;
    // The file may have more snapshots than before, or others.
    probes_reading_.cancel();
    probes_state_ = ProbesState::unread;
    start_reading_probes();
    if (!record_.attributes.parent.empty())
        Q_EMIT parent_found(QString::fromStdString(record_.attributes.parent));
    touch(RunPart::everything);
}

/// Of a run that another process trains: as of its last file.
void FileRunData::take_stored_pace() {
    const auto& steps = record_.steps;
    const bool runs = summary_->live && !steps.step.empty();
    pace_.step = runs ? steps.step.back() : 0;
    pace_.epoch = runs ? steps.epoch.back() : 0;
    pace_.stage_share = runs && pace_.epochs > 0 ? static_cast<double>(record_.epochs.epoch.size()) /
                                                       static_cast<double>(pace_.epochs)
                                                 : 0;
}

std::shared_ptr<const store::ForecastArrays> FileRunData::forecasts(const QString& split, std::int64_t first,
                                                                    std::int64_t count) {
    return provide("arrays.h5") ? arrays_.forecasts(split, first, count) : nullptr;
}

std::shared_ptr<const store::ForecastArrays> FileRunData::window_errors(const QString& split) {
    return provide("arrays.h5") ? arrays_.window_errors(split) : nullptr;
}

std::shared_ptr<const std::vector<float>> FileRunData::lookbacks(const QString& split, std::int64_t first,
                                                                 std::int64_t count) {
    // The scaler and the data file's name are in run.h5; once it is read, views ask again.
    load();
    if (!loaded_ || !provide("arrays.h5")) return nullptr;
    return arrays_.lookbacks(record_, split, first, count);
}

void FileRunData::read_probes() {
    since_request_.start();
    if (std::exchange(probes_wanted_, true)) return;
    load();
    start_reading_probes();
}

void FileRunData::start_reading_probes() {
    if (!probes_wanted_ || !loaded_ || probes_state_ != ProbesState::unread) return;
    inspect::StoredProbeRequest request;
    request.run = summary_->folder.toStdString();
    // Reports of the worker are more detailed.
    for (const auto step : record_.anchors.snapshot_step)
        if (probes_.empty() || step < probes_.front()->step) request.steps.push_back(step);
    request.known = stored_probes_;
    probes_state_ = ProbesState::reading;
    probes_reading_.start(
        [request = std::move(request), toml = record_.attributes.config](const JobContext& job) mutable {
            request.top_k =
                model::capabilities(config::load_text(toml, "the run's configuration", {}).base).retrieved;
            return inspect::read_stored_probes(request, job.stop);
        },
        {.done = [this](inspect::StoredProbes stored) {
            probes_state_ = ProbesState::read;
            probes_problem_ = translated(stored.problem);
            stored_probes_ = std::move(stored.probes);
            join_probes();
            touch(RunPart::probe);
        }});
}

/// The worker's, after those that the run had kept before.
void FileRunData::join_probes() {
    all_probes_.clear();
    for (const auto& probe : stored_probes_)
        if (probes_.empty() || probe->step < probes_.front()->step) all_probes_.push_back(probe);
    all_probes_.insert(all_probes_.end(), probes_.begin(), probes_.end());
}

void FileRunData::read_embeddings(const EmbeddingMoment& moment) {
    if (provide("arrays.h5")) embeddings_.read_stored(moment);
}

void FileRunData::compute_embeddings(const inspect::EmbeddingRequest& request) {
    if (!provide("best.safetensors"))
        waiting_request_ = request;
    else
        (void)embeddings_.compute(request);
}

void FileRunData::weights_arrived() {
    if (const auto request = std::exchange(waiting_request_, std::nullopt)) compute_embeddings(*request);
}

void FileRunData::files_changed() {
    arrays_.forget();
    embeddings_.look_again();
    if (wanted_) start_reading();
}

void FileRunData::summary_changed() { touch(RunPart::summary); }

void FileRunData::touch(RunPart part) {
    touched_[static_cast<std::size_t>(part)] = true;
    if (notify_timer_.isActive()) return;
    const auto since = since_notified_.isValid() ? since_notified_.elapsed() : shortest_interval_ms;
    notify_timer_.start(
        static_cast<int>(std::clamp<qint64>(shortest_interval_ms - since, 0, shortest_interval_ms)));
}

void FileRunData::notify() {
    since_notified_.start();
    const auto touched = std::exchange(touched_, {});
    const auto everything = static_cast<std::size_t>(RunPart::everything);
    if (touched[everything]) {
        Q_EMIT changed(RunPart::everything);
        return;
    }
    for (std::size_t part = 0; part < everything; ++part)
        if (touched[part]) Q_EMIT changed(static_cast<RunPart>(part));
}

}  // namespace casp::widgets

#include "panels/runs/runs_reader.h"

#include <algorithm>
#include <exception>
#include <filesystem>
#include <utility>

#include <QSet>

#include "config/experiment.h"
#include "state/plain_text.h"
#include "store/run_file.h"
#include "store/run_folder.h"
#include "util/regular_file.h"

namespace casp::widgets {

namespace {

constexpr qsizetype batch_size = 8;       ///< runs per piece of work
constexpr int pieces_at_once = 3;         ///< submitted at a time
constexpr qint64 changed_every_ms = 300;  ///< every change compares and draws all of them
constexpr qsizetype few_in_memory = 64;   ///< RunLibrary::data() makes an object per run

std::shared_ptr<const void> read_settings(const QString& run, const std::string& text) {
    constexpr std::size_t most_bytes = std::size_t{4} << 20;
    const std::filesystem::path folder = run.toStdString();
    const auto file = folder / "config.toml";
    const auto toml = text.empty() ? RegularFile(file, "the run's settings").read_all(most_bytes) : text;
    return std::make_shared<const config::Config>(config::load_text(toml, file.string(), folder).base);
}

}  // namespace

struct RunsReader::Request {
    QString folder;
    quint64 number = 0;
    std::string text;
};

struct RunsReader::Outcome {
    QString folder;
    quint64 number = 0;
    Known known;
};

RunsReader::RunsReader(RunLibrary& library, std::string file, Read read, QObject* parent)
    : QObject(parent),
      library_(library),
      file_(std::move(file)),
      read_(std::move(read)),
      library_folder_(library.folder()) {
    connect(&library, &RunLibrary::reset, this, &RunsReader::library_reset);
    connect(&library, &RunLibrary::removed, this, &RunsReader::drop);
}

std::int64_t RunsReader::file_time(const QString& folder) const {
    std::error_code problem;
    const auto time =
        std::filesystem::last_write_time(std::filesystem::path(folder.toStdString()) / file_, problem);
    return problem ? 0 : static_cast<std::int64_t>(time.time_since_epoch().count());
}

/// The library also resets when many runs are removed at once; what is known of the others stays.
void RunsReader::library_reset() {
    const auto before = std::exchange(library_folder_, library_.folder());
    if (before != library_folder_) {
        stop();
        known_.clear();
        return;
    }
    for (const auto& folder : known_.keys() + pending_.keys())
        if (library_.index_of(folder) < 0) drop(folder);  // another run may take over the folder
}

void RunsReader::run_changed(int index) {
    const auto& run = library_.at(index);
    if (store::is_complete(run.row.state)) {
        // Changes of notes and colours do not matter here.
        const auto known = known_.constFind(run.folder);
        if (known == known_.cend() || known->file_time == file_time(run.folder)) return;
    }
    drop(run.folder);
}

void RunsReader::drop(const QString& folder) {
    known_.remove(folder);
    if (pending_.remove(folder) && pending_.isEmpty()) stop();
}

bool RunsReader::has_problems() const {
    return std::any_of(known_.begin(), known_.end(),
                       [](const Known& known) { return !known.problem.isEmpty(); });
}

double RunsReader::seconds_left() const {
    if (!is_pending() || done() <= 0) return 0;
    return static_cast<double>(since_start_.elapsed()) / 1000 * static_cast<double>(pending_.size()) /
           static_cast<double>(done());
}

void RunsReader::stop() {
    job_.cancel();
    pending_.clear();
    waiting_.clear();
    wanted_ = 0;
}

void RunsReader::want(const QStringList& folders) {
    const QSet<QString> now(folders.begin(), folders.end());
    if (std::any_of(pending_.keyBegin(), pending_.keyEnd(),
                    [&](const QString& folder) { return !now.contains(folder); }))
        stop();
    QStringList missing;
    for (const auto& folder : folders) {
        if (pending_.contains(folder)) continue;
        const auto known = known_.constFind(folder);
        if (known == known_.cend() || (!known->problem.isEmpty() && known->file_time != file_time(folder)))
            missing << folder;
    }
    if (missing.isEmpty()) return;
    const bool idle = pending_.isEmpty();
    if (idle) {
        wanted_ = 0;
        since_start_.start();
        since_changed_.start();
    }
    few_ = folders.size() <= few_in_memory;
    wanted_ += missing.size();
    for (const auto& folder : std::as_const(missing)) pending_.insert(folder, ++last_request_);
    waiting_ << missing;
    for (int i = 0; idle && i < pieces_at_once; ++i) read_some();
}

void RunsReader::read_some() {
    std::vector<Request> piece;
    qsizetype taken = 0;
    while (taken < waiting_.size() && std::ssize(piece) < batch_size) {
        const auto& folder = waiting_[taken++];
        if (const auto number = pending_.value(folder); number != 0)
            piece.push_back({folder, number, few_ ? text_of(folder) : std::string()});
    }
    waiting_.remove(0, taken);
    if (piece.empty()) return;
    job_.add(
        [this, piece = std::move(piece)](const JobContext& job) {
            std::vector<Outcome> outcomes;
            for (const auto& request : piece) {
                if (job.stop.stop_requested()) break;
                // The time before reading: a file that is replaced meanwhile is read again.
                Known known{nullptr, {}, file_time(request.folder)};
                try {
                    known.value = read_(request.folder, request.text);
                } catch (const std::exception& failure) {
                    known.problem = plain_text(failure);
                }
                outcomes.push_back({request.folder, request.number, std::move(known)});
            }
            return outcomes;
        },
        {.done = [this](const std::vector<Outcome>& outcomes) { take(outcomes); }});
}

void RunsReader::take(const std::vector<Outcome>& outcomes) {
    for (const auto& outcome : outcomes) {
        if (pending_.value(outcome.folder) != outcome.number) continue;
        pending_.remove(outcome.folder);
        known_.insert(outcome.folder, outcome.known);
    }
    read_some();
    if (is_pending() && since_changed_.elapsed() < changed_every_ms) return;
    since_changed_.start();
    Q_EMIT changed();
}

RunMetrics metrics_of(const store::RunRecord& record) {
    RunMetrics metrics;
    if (record.test) metrics.last_value_mae = record.test->last_value_mae;
    if (!record.val) return metrics;
    metrics.val_mae = record.val->mae;
    metrics.val_entropy = record.val->usage_entropy;
    metrics.val_key_cosine = record.val->key_cosine;
    return metrics;
}

RunsMetrics::RunsMetrics(RunLibrary& library, QObject* parent)
    : RunsReader(
          library, "run.h5",
          [](const QString& folder, const std::string&) {
              return std::make_shared<const RunMetrics>(
                  metrics_of(store::read_run_file(store::RunFolder(folder.toStdString()).run_file())));
          },
          parent) {
    connect(&library, &RunLibrary::changed, this, [this](int index) { run_changed(index); });
}

RunsSettings::RunsSettings(RunLibrary& library, QObject* parent)
    : RunsReader(library, "config.toml", read_settings, parent) {}

std::string RunsSettings::text_of(const QString& folder) const {
    const RunData* data = library_.data(folder);
    return data != nullptr && data->is_loaded() ? data->record().attributes.config : std::string();
}

}  // namespace casp::widgets

#include "panels/data/data_model.h"

#include <algorithm>
#include <new>
#include <utility>

#include <QDir>
#include <QFile>
#include <QFileInfo>

#include "data/csv_settings.h"
#include "data/known_data.h"
#include "data/reader.h"
#include "words/core_text.h"
#include "words/plain_text.h"

namespace casp::widgets {

namespace {

constexpr double reading_share = 0.15;
constexpr qint64 estimate_after_ms = 400;

std::string file_of(const QString& path) { return QFile::encodeName(path).toStdString(); }

std::vector<data::FileState> state_of(const QString& path) {
    return data::DataSource::of(file_of(path), {}).files;
}

/// Other properties may change without the content, as the number of links does.
bool is_unchanged(const data::FileState& now, const data::FileState& then) {
    return now.path == then.path && now.size == then.size && now.modified == then.modified;
}

}  // namespace

struct DataModel::Entry {
    DataFile file;
    JobBase::Id reading = 0;
    QElapsedTimer clock;
};

QString DataProblem::text() const { return joined_message(where, found, expected, advice); }

DataProblem DataProblem::of(const std::exception& error) {
    if (const auto* ours = dynamic_cast<const Error*>(&error)) {
        const auto& parts = ours->parts();
        return {QString::fromStdString(parts.where.english()), translated(parts.found),
                translated(parts.expected), translated(parts.advice)};
    }
    if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr)
        return {{},
                QObject::tr("not enough memory"),
                {},
                QObject::tr("Close other files or programs, or use fewer columns.")};
    return {{}, plain_text(error), {}, {}};
}

QString DataFile::name() const { return QFileInfo(path).fileName(); }

QStringList training_files(const QString& folder) {
    QStringList files;
    for (const auto& frequency : data::frequencies()) {
        const auto file =
            QStringLiteral("%1/Train/%2-train.csv").arg(folder, QString::fromStdString(frequency.name));
        if (QFileInfo::exists(file)) files << file;
    }
    return files;
}

bool DataFile::is_corrected() const { return table != nullptr && read_with != config::Config::DataCsv{}; }

// One reading uses all cores; a second thread lets a small file overtake a large one.
DataModel::DataModel(QObject* parent) : QObject(parent), pool_(2), job_(pool_) {}

DataModel::~DataModel() = default;

const DataFile& DataModel::at(int index) const { return files_.at(static_cast<std::size_t>(index))->file; }

int DataModel::index_of(const QString& path) const {
    for (std::size_t i = 0; i < files_.size(); ++i)
        if (files_[i]->file.path == path) return static_cast<int>(i);
    return -1;
}

int DataModel::open(const QStringList& paths) {
    int last = -1;
    for (const QString& given : paths) {
        const QString path = QDir::cleanPath(QFileInfo(given).absoluteFilePath());
        auto files = training_files(path);
        if (files.isEmpty()) files << path;
        for (const auto& file : std::as_const(files)) last = open_file(file);
    }
    return last;
}

int DataModel::open_file(const QString& path) {
    int index = index_of(path);
    if (index >= 0) {
        retry(index);
        return index;
    }
    auto entry = std::make_unique<Entry>();
    entry->file.path = path;
    entry->file.options = expected_.take(path);
    files_.push_back(std::move(entry));
    index = count() - 1;
    start(*files_.back());
    Q_EMIT added(index);
    return index;
}

void DataModel::expect(const QString& path, const config::Config::DataCsv& options) {
    expected_[QDir::cleanPath(QFileInfo(path).absoluteFilePath())] = options;
}

void DataModel::start(Entry& entry) {
    job_.cancel(entry.reading);
    entry.file.busy = true;
    entry.file.share = -1;
    entry.file.seconds_left = -1;
    entry.file.problem = {};
    entry.file.outdated = false;
    entry.clock.start();
    entry.reading = job_.add(
        [this, &entry, path = entry.file.path, options = entry.file.options](const JobContext& job) {
            const auto file = file_of(path);
            // Taken before the reading, so that later writes count as a change.
            Outcome outcome{nullptr, nullptr, state_of(path)};
            const bool is_series = data::is_collection(file);
            job.post([this, &entry, is_series] { note_kind(entry, is_series); });
            if (is_series)
                outcome.collection = data::read_collection(file, {}, job.progress, job.stop);
            else
                outcome.table = data::read_table(file, data::csv_options(options), job.progress, job.stop);
            if (outcome.table != nullptr) outcome.entry = data::known_entry(*outcome.table);
            return outcome;
        },
        // Requests end before their entry.
        {.done = [this, &entry](Outcome outcome) { finish(entry, std::move(outcome)); },
         .failed =
             [this, &entry](const std::exception& error) {
                 entry.file.problem = DataProblem::of(error);
                 finish(entry, {});
             },
         .progress = [this, &entry](const Progress& progress) { report(entry, progress); }});
}

void DataModel::note_kind(Entry& entry, bool is_series) {
    if (std::exchange(entry.file.is_series, is_series) != is_series)
        Q_EMIT changed(index_of(entry.file.path));
}

void DataModel::report(Entry& entry, const Progress& progress) {
    if (progress.total <= 0) return;
    // Two stages that both count bytes: reading the file, then parsing its cells. The test file of M4
    // follows; it is small.
    const double done = static_cast<double>(progress.done) / static_cast<double>(progress.total);
    const bool parses = progress.stage.kind == Stage::importing || progress.stage.kind == Stage::parsing;
    const double share = std::max(entry.file.share,
                                  parses ? reading_share + (1 - reading_share) * done : reading_share * done);
    entry.file.share = share;
    const qint64 elapsed = entry.clock.elapsed();
    if (elapsed > estimate_after_ms && share > 0)
        entry.file.seconds_left = static_cast<double>(elapsed) / 1000 * (1 - share) / share;
    Q_EMIT progressed(index_of(entry.file.path));
}

void DataModel::finish(Entry& entry, Outcome outcome) {
    DataFile& file = entry.file;
    file.busy = false;
    if (outcome.table != nullptr || outcome.collection != nullptr) {
        release(std::exchange(file.table, std::move(outcome.table)));
        release(std::exchange(file.collection, std::move(outcome.collection)));
        file.entry = outcome.entry;
        if (file.collection != nullptr) file.options = {};  // corrections are of tables
        file.read_with = file.options;
        file.state = std::move(outcome.state);
    }
    Q_EMIT changed(index_of(file.path));
}

bool DataModel::look_again(int index) {
    DataFile& file = files_.at(static_cast<std::size_t>(index))->file;
    if (file.busy || !file.is_read()) return true;
    if (file.problem.is_set() && !file.outdated) return true;  // reported already
    DataProblem problem;
    if (!QFileInfo::exists(file.path))
        problem = {file.path,
                   QObject::tr("the file no longer exists"),
                   {},
                   QObject::tr("Its content shown here was read earlier. Restore the file and read it "
                               "again, or close it here.")};
    else if (!std::ranges::equal(state_of(file.path), file.state, is_unchanged))
        problem = {
            file.path,
            QObject::tr("the file has changed since it was read"),
            {},
            QObject::tr("This page shows the earlier content; a run would use the current one. Read the "
                        "file again.")};
    if (problem.found == file.problem.found) return !problem.is_set();
    file.problem = problem;
    file.outdated = problem.is_set();
    Q_EMIT changed(index);
    return !problem.is_set();
}

void DataModel::correct(int index, const config::Config::DataCsv& options) {
    Entry& entry = *files_.at(static_cast<std::size_t>(index));
    entry.file.options = options;
    start(entry);
    Q_EMIT changed(index);
}

void DataModel::retry(int index) { correct(index, at(index).options); }

void DataModel::cancel(int index) {
    Entry& entry = *files_.at(static_cast<std::size_t>(index));
    if (!entry.file.busy) return;
    const QString path = entry.file.path;
    job_.cancel(entry.reading);
    if (!entry.file.is_read()) {
        close(index);
    } else {
        entry.file.busy = false;
        entry.file.options = entry.file.read_with;
        Q_EMIT changed(index);
    }
    Q_EMIT cancelled(path);
}

void DataModel::forget_problem(int index) {
    DataFile& file = files_.at(static_cast<std::size_t>(index))->file;
    if (file.busy || !file.is_read()) return;
    file.problem = {};
    file.outdated = false;
    file.options = file.read_with;
    Q_EMIT changed(index);
}

void DataModel::close(int index) {
    const auto at = files_.begin() + index;
    job_.cancel((*at)->reading);
    release(std::move((*at)->file.table));
    release(std::move((*at)->file.collection));
    files_.erase(at);
    Q_EMIT removed(index);
}

void DataModel::release(std::shared_ptr<const void> content) {
    // Freeing gigabytes takes a moment, so it is done on a worker thread.
    if (content != nullptr) pool_.start([content = std::move(content)]() mutable { content.reset(); });
}

}  // namespace casp::widgets

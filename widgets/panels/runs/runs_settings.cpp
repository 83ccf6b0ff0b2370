#include "panels/runs/runs_settings.h"

#include <exception>
#include <filesystem>
#include <utility>
#include <vector>

#include "config/experiment.h"
#include "state/plain_text.h"
#include "util/regular_file.h"

namespace casp::widgets {

namespace {

constexpr std::size_t most_bytes = std::size_t{4} << 20;

std::int64_t settings_time(const QString& folder) {
    std::error_code problem;
    const auto time = std::filesystem::last_write_time(
        std::filesystem::path(folder.toStdString()) / "config.toml", problem);
    return problem ? 0 : static_cast<std::int64_t>(time.time_since_epoch().count());
}

}  // namespace

struct RunsSettings::Source {
    QString folder;
    std::string toml;  ///< empty: read config.toml
};

struct RunsSettings::Outcome {
    QString folder;
    std::shared_ptr<const config::Config> config;
    QString problem;
    std::int64_t file_time = 0;
};

RunsSettings::Outcome RunsSettings::read(const Source& source) {
    const std::filesystem::path folder = source.folder.toStdString();
    Outcome outcome{source.folder, nullptr, {}, settings_time(source.folder)};
    try {
        std::string toml = source.toml;
        if (toml.empty())
            toml = RegularFile(folder / "config.toml", "the run's settings").read_all(most_bytes);
        auto experiment = config::load_text(toml, (folder / "config.toml").string(), folder);
        outcome.config = std::make_shared<const config::Config>(std::move(experiment.base));
    } catch (const std::exception& error) {
        outcome.problem = plain_text(error);
    }
    return outcome;
}

RunsSettings& RunsSettings::of(RunLibrary& library) {
    auto* known = library.findChild<RunsSettings*>();
    return known != nullptr ? *known : *new RunsSettings(library);
}

RunsSettings::RunsSettings(RunLibrary& library)
    : QObject(&library), library_(library), library_folder_(library.folder()) {
    // Another run may take over a folder. The library also resets when many runs are removed at once; the
    // settings of the others stay.
    connect(&library, &RunLibrary::reset, this, [this] {
        const auto before = std::exchange(library_folder_, library_.folder());
        const bool same = before == library_folder_;
        for (const auto& folder : known_.keys() + problems_.keys())
            if (!same || library_.index_of(folder) < 0) drop(folder);
    });
    connect(&library, &RunLibrary::removed, this, &RunsSettings::drop);
}

void RunsSettings::drop(const QString& folder) {
    known_.remove(folder);
    problems_.remove(folder);
}

void RunsSettings::want(const QStringList& folders) {
    std::vector<Source> sources;
    for (const auto& folder : folders) {
        if (known_.contains(folder) || pending_.contains(folder)) continue;
        if (const auto problem = problems_.constFind(folder);
            problem != problems_.cend() && problem->file_time == settings_time(folder))
            continue;
        Source source{folder, {}};
        // data() makes an object per run: only for a few runs. The files contain the same settings.
        if (folders.size() <= 64) {
            if (const RunData* data = library_.data(folder); data != nullptr && data->is_loaded())
                source.toml = data->record().attributes.config;
        }
        pending_.insert(folder);
        sources.push_back(std::move(source));
    }
    if (sources.empty()) return;
    job_.add(
        [sources = std::move(sources)](const JobContext& job) {
            std::vector<Outcome> outcomes;
            for (const auto& source : sources) {
                if (job.stop.stop_requested()) break;
                outcomes.push_back(read(source));
            }
            return outcomes;
        },
        {.done = [this](const std::vector<Outcome>& outcomes) { take(outcomes); }});
}

void RunsSettings::take(const std::vector<Outcome>& outcomes) {
    for (const auto& outcome : outcomes) {
        pending_.remove(outcome.folder);
        problems_.remove(outcome.folder);
        if (outcome.config != nullptr)
            known_.insert(outcome.folder, outcome.config);
        else
            problems_.insert(outcome.folder, {outcome.problem, outcome.file_time});
    }
    Q_EMIT changed();
}

std::shared_ptr<const config::Config> RunsSettings::find(const QString& folder) const {
    return known_.value(folder);
}

}  // namespace casp::widgets

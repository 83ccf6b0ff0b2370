#include "panels/runs/runs_settings.h"

#include <exception>
#include <filesystem>
#include <utility>

#include "config/experiment.h"
#include "evidence/run_settings.h"
#include "store/run_folder.h"
#include "words/plain_text.h"

namespace casp::widgets {

namespace {

std::int64_t settings_time(const QString& folder) {
    std::error_code problem;
    const auto time =
        std::filesystem::last_write_time(store::RunFolder(folder.toStdString()).config(), problem);
    return problem ? 0 : static_cast<std::int64_t>(time.time_since_epoch().count());
}

}  // namespace

struct RunsSettings::Source {
    QString folder;
    store::RunAttributes record;  ///< without config: read config.toml
};

struct RunsSettings::Outcome {
    QString folder;
    std::shared_ptr<const config::Config> config;
    Problem problem;
};

RunsSettings::Outcome RunsSettings::read(const Source& source) {
    Outcome outcome{source.folder, nullptr, {{}, settings_time(source.folder)}};
    try {
        outcome.config = std::make_shared<const config::Config>(
            source.record.config.empty()
                ? evidence::settled_settings(source.folder.toStdString())
                : evidence::settled_settings(config::load_text(source.record.config, "run.h5", {}).base,
                                             source.record));
    } catch (const std::exception& error) {
        outcome.problem.text = plain_text(error);
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
    // A run names its data set after it has begun.
    connect(&library, &RunLibrary::changed, this, [this](int index) {
        const auto& run = library_.at(index);
        if (store::is_complete(run.row.state) && before_end_.remove(run.folder)) drop(run.folder);
    });
}

void RunsSettings::drop(const QString& folder) {
    known_.remove(folder);
    problems_.remove(folder);
}

void RunsSettings::want(const QStringList& folders) {
    std::vector<Source> missing;
    for (const auto& folder : folders) {
        if (known_.contains(folder) || pending_.contains(folder)) continue;
        if (const auto problem = problems_.constFind(folder);
            problem != problems_.cend() && problem->file_time == settings_time(folder))
            continue;
        const int at = library_.index_of(folder);
        if (at >= 0 && !store::is_complete(library_.at(at).row.state)) before_end_.insert(folder);
        pending_.insert(folder);
        missing.push_back({folder, {}});
        // data() makes an object per run: only for a few runs. The files contain the same settings.
        if (constexpr qsizetype few = 64; folders.size() <= few)
            if (const RunData* data = library_.data(folder); data != nullptr && data->is_loaded())
                missing.back().record = data->record().attributes;
    }
    if (missing.empty()) return;
    job_.add(
        [missing = std::move(missing)](const JobContext& job) {
            std::vector<Outcome> outcomes;
            for (const auto& source : missing) {
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
            problems_.insert(outcome.folder, outcome.problem);
    }
    Q_EMIT changed();
}

std::shared_ptr<const config::Config> RunsSettings::find(const QString& folder) const {
    return known_.value(folder);
}

}  // namespace casp::widgets

#include "gui/launcher.h"

#include <algorithm>
#include <cmath>

#include <QDir>
#include <QDirIterator>
#include <QElapsedTimer>
#include <QFile>
#include <QFileInfo>
#include <QSaveFile>
#include <QStandardPaths>
#include <QTimer>

#include "charts/save_file.h"
#include "config/options.h"
#include "config/text_utils.h"
#include "data/packed_file.h"
#include "gui/preview_source.h"
#include "gui/run_queue.h"
#include "model/trusted_files.h"
#include "panels/runs/runs_delegate.h"
#include "run/preparation.h"
#include "run/run.h"
#include "store/results.h"
#include "store/run_folder.h"
#include "store/run_store.h"
#include "util/embedded.h"
#include "util/error.h"
#include "words/plain_text.h"

namespace casp::gui {

namespace {

constexpr std::size_t longest_name = 120;  // as --batch: file systems allow 255 bytes, "-2" may follow

/// "model-patchtst_seed-2021": a run's name with these changes, as names of sweeps; the name itself if that
/// would be too long.
std::string name_with(const config::Swept& changes, const std::string& name) {
    std::string parts;
    for (const auto& [key, value] : changes) {
        const auto text = config::file_name_safe(value);
        parts += (key == "model.name" ? "model" : config::find_option(key)->member) + '-' +
                 (text.empty() ? "none" : text) + '_';
    }
    return parts.size() + name.size() > longest_name ? name : parts + name;
}
/// A valid folder name on every system: letters and digits of any script, dot, dash and underscore.
std::string folder_name(const std::string& text) {
    QString name;
    for (const QChar c : QString::fromStdString(text))
        name += c.isLetterOrNumber() || c.isMark() || c.isSurrogate() || QStringLiteral("-_.").contains(c)
                    ? c
                    : QChar('-');
    while (name.contains(QStringLiteral(".."))) name.replace(QStringLiteral(".."), QStringLiteral("."));
    while (name.startsWith('.')) name.remove(0, 1);
    while (name.toUtf8().size() > 100) name.chop(1);
    return name.isEmpty() ? "run" : name.toStdString();
}

/// A run keeps the experiment name of its siblings even if their folder was renamed: the name is one of the
/// settings that identify a finished run.
std::string name_beside(const config::Config& sibling, const QString& batch) {
    return sibling.name.empty() ? QFileInfo(batch).fileName().toStdString() : sibling.name;
}

/// Whether the folder contains runs directly, as the folder of a batch.
bool holds_runs(const QString& folder) {
    QDirIterator each(folder, QDir::Dirs | QDir::NoDotAndDotDot);
    while (each.hasNext())
        if (QFileInfo::exists(each.next() + QStringLiteral("/run.json"))) return true;
    return false;
}

/// The experiment of one run, whose name contains λ_cov, the seed and further settings.
config::Experiment single_experiment(const config::Config& config, const config::Swept& further = {}) {
    std::vector<std::string> keys;
    for (const auto& [key, text] : further) keys.push_back(key);
    keys.insert(keys.end(), {"loss.lambda_cov", "train.seed"});
    return config::experiment_of(config, keys);
}

/// A fork's settings do not describe its start; a model without coverage has no λ_cov. Of a run that was just
/// queued, nothing is known yet.
bool can_be_repeated(const widgets::RunSummary& run) {
    return run.parent.isEmpty() && run.row.state != store::RunState::failed &&
           run.row.model != config::imported_model &&
           (run.row.model.empty() || std::isfinite(run.row.lambda_cov));
}

}  // namespace

RunSiblings::RunSiblings(const QString& batch) {
    if (!QFileInfo(batch).isDir()) return;
    for (const auto& run : store::runs_in(batch.toStdString())) {
        const auto& row = run.status.row;
        if (row.state == store::RunState::failed) continue;
        first_of_cells_.try_emplace(store::cell_settings(row.swept), run.folder);
        if (model_.empty()) model_ = row.model;
    }
}

config::Swept RunSiblings::changes(const config::RunPlan& plan) const {
    const auto& config = plan.config;
    auto swept = plan.swept;
    const auto has = [&](const std::string& key) {
        return std::any_of(swept.begin(), swept.end(), [&](const auto& one) { return one.first == key; });
    };
    const auto add = [&](const std::string& key) {
        if (!has(key)) swept.emplace_back(key, config::plain_text(config::get(config, key)));
    };
    // A case or a preset says which model it is.
    if (!model_.empty() && model_ != config.model.name && !has(store::case_key) && !has("preset"))
        add("model.name");
    std::filesystem::path before = config.train.continue_from;
    if (!before.empty())
        add("train.continue_from");
    else if (const auto first = first_of_cells_.find(store::cell_settings(swept));
             first != first_of_cells_.end())
        before = first->second;
    if (!before.empty())
        for (const auto& key : run::differing_settings(before, config).value_or(std::vector<std::string>()))
            if (config::changes_forecasts(key) && key != "train.seed")
                add(key);  // as --compare takes runs for alike
    return {swept.begin() + std::ssize(plan.swept), swept.end()};
}

QString sample_file() {
    const auto folder =
        QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) + QStringLiteral("/caspstudio");
    const auto path = folder + QStringLiteral("/sample.csv");
    const auto text = embedded_file("datasets/sample.csv");
    if (QFileInfo(path).size() == static_cast<qint64>(text.size())) return path;
    QSaveFile file(path);
    if (!QDir().mkpath(folder) || !file.open(QIODevice::WriteOnly) ||
        file.write(text.data(), static_cast<qint64>(text.size())) != static_cast<qint64>(text.size()) ||
        !widgets::commit_whole(file))
        throw run_error(path.toStdString(),
                        Phrase("the sample data set cannot be written: %1", file.errorString().toStdString()),
                        {}, "Free disk space or grant write permission.");
    return path;
}

config::RunPlan single_plan(const config::Config& config) {
    return config::expand(single_experiment(config)).front();
}

Launcher::Launcher(widgets::ExperimentModel& experiment, RunQueue& queue, widgets::RunLibrary& library,
                   widgets::Selection& selection, QObject* parent)
    : QObject(parent), experiment_(experiment), queue_(queue), library_(library), selection_(selection) {}

std::string Launcher::experiment_name(const config::Config& config) const {
    if (!config.name.empty()) return config.name;
    auto data = config.data.path;
    if (data.rfind("catalog:", 0) == 0) data = data.substr(8);
    return folder_name(data::data_name(data)) + "-" + std::to_string(config.data.horizon);
}

QString Launcher::batch_folder(const std::string& name) const {
    // If the folder of a batch is open, further runs go there.
    if (QFileInfo(output_folder_).fileName() == QString::fromStdString(name) && holds_runs(output_folder_))
        return output_folder_;
    return output_folder_ + '/' + QString::fromStdString(name);
}

QString Launcher::folder_beside(const QString& run_folder) const {
    const auto batch = QFileInfo(run_folder).path();
    if (QFileInfo::exists(batch) && QFileInfo(batch) == QFileInfo(output_folder_)) return output_folder_;
    return batch_folder(QFileInfo(batch).fileName().toStdString());
}

bool Launcher::is_queued(const QString& folder) const {
    for (const auto& item : queue_.items())
        if (item.folder() == folder && (item.state == QueueState::waiting || is_going(item))) return true;
    return false;
}

bool Launcher::launch(const std::vector<config::RunPlan>& plans, const std::string& name,
                      const QString& batch, bool again, bool keep_shown) {
    if (remote_) {
        if (keep_shown && plans.size() == 1)
            launch_there(plans.front(), batch);
        else
            Q_EMIT problem(
                tr("The folder of runs is on %1, which may not have this data. Choose a folder on this "
                   "machine first (Ctrl+Shift+O). On %1, runs can be repeated with another λ_cov, or "
                   "forked.")
                    .arg(remote_->machine()));
        return false;
    }
    last_ = {plans, name, batch, keep_shown};
    auto launch = std::make_shared<Launch>();
    launch->request = last_;
    launch->again = again;
    if (keep_shown) launch->shown = selection_.state().runs;
    for (const auto& item : queue_.items()) {
        const auto folder = item.folder();
        if (is_going(item) && selection_.state().runs.contains(folder)) launch->kept << folder;
    }
    launch->gesture = QStringLiteral("launch %1").arg(++launches_);
    if (plans.empty()) return false;
    try {
        launch->siblings = RunSiblings(batch);
    } catch (const Error& found) {  // the folder cannot be read; nor can its tables
        Q_EMIT problem(widgets::plain_text(found));
    }
    add_next(*launch);
    const bool added = !launch->folders.isEmpty();
    show(*launch);
    add_rest(launch);
    return added;
}

void Launcher::launch_there(config::RunPlan plan, const QString& batch) {
    auto& config = plan.config;
    config.name = QFileInfo(batch).fileName().toStdString();
    const bool is_named = plan.name != single_plan(config).name;
    auto changes = RunSiblings(batch).changes(plan);
    // A fork is distinguished by its case: a path is no part of a folder's name.
    std::erase_if(changes, [](const auto& change) { return change.first == "train.continue_from"; });
    if (const auto parent = QString::fromStdString(config.train.continue_from); !parent.isEmpty()) {
        const auto there = remote_->path_there(parent);
        if (there.isEmpty()) {
            Q_EMIT problem(tr("%1 is not connected.").arg(remote_->machine()));
            return;
        }
        config.train.continue_from = there.toStdString();
    }
    auto experiment = single_experiment(config, changes);
    if (is_named || !config.train.continue_from.empty())
        experiment.cases.push_back({is_named ? plan.name : "fork", {}, experiment.where});
    const auto name = QString::fromStdString(config::expand(experiment).front().name);
    Q_EMIT note(tr("Starting %1 on %2…").arg(name, remote_->machine()));
    const auto folder = batch + '/' + name;
    remote_->start(config::to_toml(experiment), [this, folder] {
        if (!selection_.state().runs.contains(folder))
            selection_.set_runs(selection_.state().runs + QStringList{folder});
    });
}

void Launcher::add_rest(const std::shared_ptr<Launch>& launch) {
    constexpr qint64 turn_ms = 25;
    QElapsedTimer clock;
    clock.start();
    while (launch->next < launch->request.plans.size()) {
        if (clock.elapsed() > turn_ms)
            return QTimer::singleShot(0, this, [this, launch] { add_rest(launch); });
        add_next(*launch);
    }
    report(*launch);
}

void Launcher::add_next(Launch& launch) {
    auto plan = launch.request.plans[launch.next++];
    const auto base = launch.request.batch + '/';
    try {
        plan.config.name = launch.request.name;
        const auto changes = launch.siblings.changes(plan);
        plan.swept.insert(plan.swept.end(), changes.begin(), changes.end());
        auto stem = plan.name;
        // A fork has the name that it was given.
        const auto name = plan.config.train.continue_from.empty() ? name_with(changes, stem) : stem;
        bool skip = false, resume = false;
        for (int copy = 2;; ++copy) {
            const auto folder = base + QString::fromStdString(plan.name);
            plan.folder = folder.toStdString();
            const bool same = run::same_settings(plan.folder, plan.config);
            if (is_queued(folder) && same) {
                ++launch.queued;
                skip = true;
            } else if (!is_queued(folder) && !library_.is_leaving(folder)) {
                const auto content = run::folder_content(plan.folder);
                const bool waits = QFileInfo::exists(folder + QStringLiteral("/run.json"));
                if (content == run::FolderContent::empty && same) break;
                if (content == run::FolderContent::empty && !waits) {
                    if (stem == name) break;
                    // Up to 1.0.0 the run would have been called like this one.
                    stem = plan.name = name;
                    copy = 1;
                    continue;
                }
                // Without its run.json, no list offers to resume the run.
                resume = !waits && same && content != run::FolderContent::complete;
                if (resume) break;
                if (content == run::FolderContent::complete && !launch.again && same) {
                    if (!waits)  // restores a lost run.json, without which no list has the run
                        run::finished_row(plan);
                    ++launch.there;
                    skip = true;
                    if (launch.request.plans.size() == 1) Q_EMIT exists(folder);
                }
            }
            if (skip) {
                if (!launch.shown.contains(folder)) launch.shown << folder;
                break;
            }
            plan.name = stem + "-" + std::to_string(copy);
        }
        if (skip) return;
        if (const auto missing = backbone_problem(plan.config); !missing.isEmpty()) {
            launch.backbone = missing;
            launch.backbone_of_catalogue = plan.config.backbone.path.rfind("catalog:", 0) == 0;
            return;
        }
        if (!resume) {
            model::trust_plan(plan.config);
            note_changed_model(plan.config);
        }
        queue_.add({plan, resume});
        const auto folder = QString::fromStdString(plan.folder.string());
        launch.folders << folder;
        if (!launch.shown.contains(folder)) launch.shown << folder;
    } catch (const std::exception& found) {  // the other runs of a sweep are still queued
        launch.problems << widgets::plain_text(found);
    }
}

void Launcher::note_changed_model(const config::Config& config) {
    if (config.python.sha256.empty()) return;
    auto& known = model_digests_[config.python.file];
    if (!known.empty() && known != config.python.sha256)
        Q_EMIT note(tr("%1 has changed since the last run with it.")
                        .arg(QFileInfo(QString::fromStdString(config.python.file)).fileName()));
    known = config.python.sha256;
}

void Launcher::show(const Launch& launch) {
    if (launch.shown.isEmpty()) return;
    auto state = selection_.state();
    state.runs = launch.shown;
    for (const auto& folder : launch.kept)
        if (!state.runs.contains(folder)) state.runs << folder;
    selection_.set(state, launch.gesture);
}

void Launcher::report(const Launch& launch) {
    if (!launch.problems.isEmpty()) Q_EMIT problem(launch.problems.join('\n'));
    if (!launch.backbone.isEmpty())
        Q_EMIT backbone_missing(
            launch.backbone_of_catalogue
                ? tr("%1, so no run was started. Get GPT-2 first, or use an untrained backbone.")
                      .arg(launch.backbone)
                : tr("%1, so no run was started. Choose another file, or use an untrained backbone.")
                      .arg(launch.backbone),
            launch.backbone_of_catalogue);
    show(launch);
    if (!launch.folders.isEmpty()) Q_EMIT started(launch.folders);
    if (launch.request.plans.size() == 1) {
        if (launch.queued > 0) Q_EMIT note(tr("This run is already queued."));
        return;
    }
    // For a sweep, summarise what happened if not all runs are new.
    if (launch.there + launch.queued == 0) return;
    QStringList parts{
        launch.folders.isEmpty()
            ? tr("Nothing new to queue")
            : tr("%1 of %2 runs are queued").arg(launch.folders.size()).arg(launch.request.plans.size())};
    if (launch.there > 0)
        parts << (launch.there == 1 ? tr("1 is already finished and shown")
                                    : tr("%1 are already finished and shown").arg(launch.there));
    if (launch.queued > 0)
        parts << (launch.queued == 1 ? tr("1 was already queued")
                                     : tr("%1 were already queued").arg(launch.queued));
    Q_EMIT note(parts.join(QStringLiteral("; ")) + '.');
}

void Launcher::run_again() {
    const auto last = last_;
    launch(last.plans, last.name, last.batch, true, last.keep_shown);
}

bool Launcher::form_can_run() {
    const auto problems = experiment_.run_problem_texts();
    if (!problems.isEmpty())
        Q_EMIT problem(tr("This experiment cannot run yet: %1").arg(problems.join(QStringLiteral("; "))));
    return problems.isEmpty();
}

void Launcher::run(bool again) {
    if (!form_can_run()) return;
    try {
        const auto name = experiment_name(experiment_.config());
        launch({single_plan(experiment_.config())}, name, batch_folder(name), again, false);
    } catch (const std::exception& found) {
        Q_EMIT problem(widgets::plain_text(found));
    }
}

bool Launcher::repeats_a_run() const {
    return !selection_.state().runs.isEmpty() || !selection_.highlighted().isEmpty();
}

QString Launcher::lambda_base() const {
    const auto run = selection_.highlighted();
    const int index = library_.index_of(run);  // −1 also for a run of the folder that was open before
    return index >= 0 && can_be_repeated(library_.at(index)) ? run : QString();
}

void Launcher::run_with_lambda() {
    const bool repeats = repeats_a_run();
    const auto base = lambda_base();
    if (repeats && base.isEmpty()) {
        Q_EMIT problem(
            tr("Highlight the run to be repeated in the list: one that was trained here with λ_cov, did not "
               "fail and is no fork. Or press Run to use the settings on the right."));
        return;
    }
    if (!repeats && !form_can_run()) return;
    try {
        auto config = experiment_.config();
        auto name = experiment_name(config);
        auto batch = batch_folder(name);
        if (repeats) {
            config = store::read_settings(store::RunFolder(base.toStdString()));
            if (!config.train.continue_from.empty())  // its files were not read yet when it was highlighted
                throw input_error(base.toStdString(), "this run is a fork", "a run trained from its start",
                                  "Highlight its parent.");
            batch = folder_beside(base);
            name = name_beside(config, batch);
            config.loss.lambda_cov = experiment_.config().loss.lambda_cov;
        }
        if (launch({single_plan(config)}, name, batch, false, repeats) && repeats) show_too(base);
    } catch (const std::exception& found) {
        Q_EMIT problem(widgets::plain_text(found));
    }
}

void Launcher::run_sweep(const config::Experiment& experiment) {
    try {
        const auto name = experiment_name(experiment.base);
        launch(config::expand(experiment), name, batch_folder(name), false, false);
    } catch (const std::exception& found) {
        Q_EMIT problem(widgets::plain_text(found));
    }
}

void Launcher::show_too(const QString& run) {
    if (!selection_.state().runs.contains(run))
        selection_.set_runs(QStringList{run} + selection_.state().runs);
}

/// A run that starts now would be moved to the wastebasket together with the others.
bool Launcher::stays(const QString& run_folder) {
    if (!library_.is_leaving(run_folder)) return true;
    Q_EMIT problem(tr("%1 is being moved to the wastebasket. Cancel the move, or restore the run first.")
                       .arg(widgets::run_title(library_, run_folder)));
    return false;
}

void Launcher::fork(const config::Config& config, const QString& name) {
    try {
        const auto parent = QString::fromStdString(config.train.continue_from);
        if (!stays(parent)) return;
        auto plan = single_plan(config);
        if (!name.isEmpty()) plan.name = folder_name(name.toStdString());
        const auto batch = folder_beside(parent);
        if (launch({plan}, name_beside(config, batch), batch, false, true)) show_too(parent);
    } catch (const std::exception& found) {
        Q_EMIT problem(widgets::plain_text(found));
    }
}

void Launcher::resume(const QString& run_folder, bool finish_early) {
    if (!stays(run_folder)) return;
    if (remote_ && remote_->has(run_folder)) {
        Q_EMIT problem(tr("%1 is on %2. Resume it there (caspstudio --batch … --resume), or fork it.")
                           .arg(widgets::run_title(library_, run_folder), remote_->machine()));
        return;
    }
    try {
        const store::RunFolder run(run_folder.toStdString());
        config::RunPlan plan{run.path().filename().string(), store::read_settings(run), {}, run.path()};
        if (const auto status = store::read_run_status(run)) plan.swept = status->row.swept;
        queue_.add({std::move(plan), true}, finish_early);
        if (!selection_.state().runs.contains(run_folder))
            selection_.set_runs(selection_.state().runs + QStringList{run_folder});
        Q_EMIT started({run_folder});
    } catch (const std::exception& found) {
        Q_EMIT problem(widgets::plain_text(found));
    }
}

void Launcher::try_it(const std::vector<std::pair<std::string, config::Value>>& of_data) {
    try {
        auto experiment =
            config::load_text(embedded_file("resources/experiments/try-it.toml"), "try-it.toml", {},
                              {"data.path=" + config::in_quotes(sample_file().toStdString())});
        auto& base = experiment.base;
        if (!of_data.empty()) base.data.split = {};
        for (const auto& [key, value] : of_data) config::set(base, key, value);
        if (!of_data.empty()) base.name = folder_name("try-it-" + data::data_name(base.data.path));
        experiment_.replace(base, experiment.axes, tr("Try it"));
        run_sweep(experiment_.experiment());
    } catch (const std::exception& found) {
        Q_EMIT problem(widgets::plain_text(found));
    }
}

}  // namespace casp::gui

#pragma once
// Starts runs of the experiment: names, folders, queueing, and the selection of shown runs.

#include <cstddef>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <QObject>
#include <QPointer>
#include <QString>
#include <QStringList>

#include "config/config.h"
#include "config/experiment.h"
#include "state/experiment_model.h"
#include "state/remote_folder.h"
#include "state/run_library.h"
#include "state/selection.h"

namespace casp::gui {

class RunQueue;

/// The runs beside a new one in the folder of its experiment: what distinguishes it from them, in the tables
/// and in its name.
class RunSiblings {
public:
    RunSiblings() = default;
    /// Reads the run.json of the runs in the folder of an experiment; without runs if it does not exist.
    /// Throws an input Error if it cannot be read.
    explicit RunSiblings(const QString& batch);

    /// Settings for the plan's `swept`, so that the tables average only runs that differ in the seed: its
    /// model if the experiment began with another, what was changed since the first run of the same cell or,
    /// for a fork, since its parent, and the parent itself.
    [[nodiscard]] config::Swept changes(const config::RunPlan& plan) const;

private:
    std::map<config::Swept, std::filesystem::path> first_of_cells_;  ///< by store::cell_settings()
    std::string model_;                                              ///< of the first run; empty: none
};

/// Starts runs. A run's folder is <output folder>/<experiment name>/<run>; if the output folder is the folder
/// of that experiment, <output folder>/<run>. A run's name consists of λ_cov and the seed, or of the sweep's
/// values, as in --batch, after what distinguishes it from the first runs there (RunSiblings). GUI thread;
/// never waits for a run.
/// More than 25 methods: one for each way to start runs (again, sweep, fork, …) and each step of launch().
class Launcher : public QObject {
    Q_OBJECT
public:
    Launcher(widgets::ExperimentModel& experiment, RunQueue& queue, widgets::RunLibrary& library,
             widgets::Selection& selection, QObject* parent = nullptr);

    /// The folder for runs; created when the first run starts.
    void set_output_folder(const QString& folder) { output_folder_ = folder; }
    /// Set if the output folder is the local copy of a remote one: repeated runs and forks are trained there,
    /// and nothing else is started. Null: it is on this machine.
    void set_remote(widgets::RemoteFolder* remote) { remote_ = remote; }
    [[nodiscard]] QString output_folder() const { return output_folder_; }
    /// Folder for runs of this experiment.
    [[nodiscard]] QString batch_folder_of(const config::Config& config) const {
        return batch_folder(experiment_name(config));
    }

    /// Starts one run with the current settings (without the sweep). If the same run is already finished,
    /// shows it and emits exists(), which offers to run it again.
    void run(bool again = false);
    /// Repeats the last request under another name.
    void run_again();
    /// Starts a run with the settings of lambda_base() and the experiment's λ_cov, and shows both; with the
    /// settings of the form if no run is shown or highlighted.
    void run_with_lambda();
    /// The run that run_with_lambda() repeats: the highlighted one, unless it is a fork, imported, failed, of
    /// another folder or without λ_cov; empty: none.
    [[nodiscard]] QString lambda_base() const;
    /// Whether run_with_lambda() repeats a run, not the form.
    [[nodiscard]] bool repeats_a_run() const;
    /// Queues every run of the sweep that is not finished yet.
    void run_sweep(const config::Experiment& experiment);
    /// Starts a run from another run's checkpoint (config.train.continue_from is set).
    void fork(const config::Config& config, const QString& name);
    /// Resumes an unfinished run from its checkpoint, or only evaluates the checkpoint.
    void resume(const QString& run_folder, bool finish_early = false);
    /// Returns false and emits problem() if the run is being moved to the wastebasket and must not be
    /// written.
    [[nodiscard]] bool stays(const QString& run_folder);
    /// Starts the small model with λ_cov 0 and 0.1, three seeds each: on the sample, or with these settings
    /// on other data (widgets::trial_settings()).
    void try_it(const std::vector<std::pair<std::string, config::Value>>& of_data = {});

Q_SIGNALS:
    void started(const QStringList& run_folders);  ///< the runs are queued
    void problem(const QString& text);
    void note(const QString& text);
    /// Requested runs were not queued, because their backbone is missing.
    void backbone_missing(const QString& text, bool of_catalogue);
    void exists(const QString& run_folder);  ///< a finished run with the same settings exists

private:
    bool form_can_run();  ///< if not, emits problem()
    /// Of a model in Python whose file this window has run before with other content.
    void note_changed_model(const config::Config& config);
    /// The last request, for run_again().
    struct Request {
        std::vector<config::RunPlan> plans;
        std::string name;  ///< name of the experiment
        QString batch;     ///< parent folder of the runs
        bool keep_shown = false;
    };
    /// Runs that are being queued.
    struct Launch {
        Request request;
        bool again = false;
        std::size_t next = 0;  ///< index into request.plans
        QStringList folders, shown, problems;
        QStringList kept;  ///< running runs that were shown; they stay shown
        int there = 0, queued = 0;
        QString backbone;  ///< why the backbone is not available
        bool backbone_of_catalogue = false;
        QString gesture;  ///< groups the changes into one step of the selection's history
        RunSiblings siblings;
    };
    /// Queues the runs and shows them: the first immediately, the others a few at a time from the event loop,
    /// because each writes to disk. Returns true if the first was added.
    bool launch(const std::vector<config::RunPlan>& plans, const std::string& name, const QString& batch,
                bool again, bool keep_shown);
    /// Trains the run on the other machine.
    void launch_there(config::RunPlan plan, const QString& batch);
    void add_next(Launch& launch);
    void add_rest(const std::shared_ptr<Launch>& launch);
    void show(const Launch& launch);
    void show_too(const QString& run);  ///< in front of the shown runs
    void report(const Launch& launch);
    [[nodiscard]] std::string experiment_name(const config::Config& config) const;
    /// Folder for runs of the experiment of this name.
    [[nodiscard]] QString batch_folder(const std::string& name) const;
    /// Folder for a run that repeats or continues this one.
    [[nodiscard]] QString folder_beside(const QString& run_folder) const;
    [[nodiscard]] bool is_queued(const QString& folder) const;

    widgets::ExperimentModel& experiment_;
    RunQueue& queue_;
    widgets::RunLibrary& library_;
    widgets::Selection& selection_;
    QString output_folder_;
    QPointer<widgets::RemoteFolder> remote_;
    Request last_;
    std::map<std::string, std::string> model_digests_;  ///< by Python file, of the last run with it
    int launches_ = 0;
};

/// Plan of a single run, as a sweep over λ_cov and the seed with one value each, so that its name contains
/// both.
[[nodiscard]] config::RunPlan single_plan(const config::Config& config);

/// Path of the sample data set in the user's data folder, written on first use. Throws a run Error.
[[nodiscard]] QString sample_file();

}  // namespace casp::gui

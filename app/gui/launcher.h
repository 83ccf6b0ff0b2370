#pragma once
// From the experiment that is being prepared to runs in the queue: names, folders, what is shown.

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include <QObject>
#include <QString>
#include <QStringList>

#include "config/config.h"
#include "config/experiment.h"
#include "state/experiment_model.h"
#include "state/run_library.h"
#include "state/selection.h"

namespace casp::gui {

class RunQueue;

/// Starts runs. Everything goes into <output folder>/<experiment's name>/<run>, or, where the output folder
/// is that experiment's itself, beside the runs in it; a run's name is made of λ_cov and the seed, or of the
/// sweep's values, as --batch makes it. GUI thread; nothing here waits for a run.
class Launcher : public QObject {
    Q_OBJECT
public:
    Launcher(widgets::ExperimentModel& experiment, RunQueue& queue, widgets::RunLibrary& library,
             widgets::Selection& selection, QObject* parent = nullptr);

    /// Where runs are kept; made when the first run starts.
    void set_output_folder(const QString& folder) { output_folder_ = folder; }
    [[nodiscard]] QString output_folder() const { return output_folder_; }

    /// One run of the settings as they are (without the sweep). Where the same run is finished already it is
    /// shown and exists() offers to run it again.
    void run(bool again = false);
    /// What was asked for last once more, under another name.
    void run_again();
    /// The settings of lambda_base() with this λ_cov, both shown together; where no run is shown those of the
    /// form.
    void run_with_lambda(double lambda_cov);
    /// Of the shown runs the one that run_with_lambda() repeats: the last that began from nothing and did not
    /// fail; empty: none.
    [[nodiscard]] QString lambda_base() const;
    /// Every run of the experiment's sweep that is not finished yet.
    void run_sweep(const config::Experiment& experiment);
    /// A run that begins at another's checkpoint (config.train.continue_from is set).
    void fork(const config::Config& config, const QString& name);
    /// Continues an unfinished run from its checkpoint, or only evaluates that.
    void resume(const QString& run_folder, bool finish_early = false);
    /// False, and says so: it is on its way to the wastebasket, so that nothing may begin to write it.
    [[nodiscard]] bool stays(const QString& run_folder);
    /// The small model on the sample data with λ_cov 0 and 0.1.
    void try_it();

Q_SIGNALS:
    void started(const QStringList& run_folders);  ///< they are in the queue
    void problem(const QString& text);
    void note(const QString& text);
    /// Runs that were asked for were not queued, since they would stop at once without this backbone.
    void backbone_missing(const QString& text, bool of_catalogue);
    void exists(const QString& run_folder);  ///< finished before with the same settings

private:
    bool form_can_run();  ///< else says why not
    /// What was asked for last, for run_again().
    struct Asked {
        std::vector<config::RunPlan> plans;
        std::string name;  ///< of the experiment
        QString batch;     ///< the folder above the runs'
        bool keep_shown = false;
    };
    /// Runs on their way into the queue.
    struct Launch {
        Asked asked;
        bool again = false;
        std::size_t next = 0;  ///< of asked.plans
        QStringList folders, shown, problems;
        QStringList kept;  ///< runs that go on and were shown: nobody who watches them loses them
        int there = 0, queued = 0;
        QString backbone;  ///< why it cannot be had
        bool backbone_of_catalogue = false;
        QString gesture;  ///< what is shown changes in one step of the selection's history
    };
    /// Adds runs to the queue and shows them; the first at once, the others a few at a time from the event
    /// loop, since each is written to disk. True where the first was added.
    bool launch(const std::vector<config::RunPlan>& plans, const std::string& name, const QString& batch,
                bool again, bool keep_shown);
    void add_next(Launch& launch);
    void go_on(const std::shared_ptr<Launch>& launch);
    void show(const Launch& launch);
    void tell(const Launch& launch);
    [[nodiscard]] std::string experiment_name(const config::Config& config) const;
    /// Where runs of the experiment of this name go.
    [[nodiscard]] QString batch_folder(const std::string& name) const;
    /// Where a run goes that repeats or continues this one.
    [[nodiscard]] QString folder_beside(const QString& run_folder) const;
    [[nodiscard]] bool is_queued(const QString& folder) const;

    widgets::ExperimentModel& experiment_;
    RunQueue& queue_;
    widgets::RunLibrary& library_;
    widgets::Selection& selection_;
    QString output_folder_;
    Asked last_;
    int launches_ = 0;
};

/// One run of these settings as the sweep over λ_cov and the seed with one value each: gives it a name that
/// says both.
[[nodiscard]] config::RunPlan single_plan(const config::Config& config);

/// The sample data set as a file in the user's data folder, written there on first use; throws a run Error.
[[nodiscard]] QString sample_file();

/// The text of a file that ships with the program ("resources/experiments/try-it.toml").
[[nodiscard]] std::string shipped_text(const char* path);

}  // namespace casp::gui

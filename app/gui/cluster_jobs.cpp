#include "gui/cluster_jobs.h"

#include <chrono>
#include <filesystem>
#include <utility>
#include <vector>

#include <QDir>
#include <QFileInfo>
#include <QWidget>

#include "cluster/array_job.h"
#include "config/experiment.h"
#include "gui/actions.h"
#include "gui/info_bar.h"
#include "gui/launcher.h"
#include "gui/notices.h"
#include "panels/runs/runs_panel.h"
#include "panels/submit/submit_dialog.h"
#include "state/experiment_model.h"
#include "state/file_run_library.h"
#include "util/error.h"
#include "words/core_text.h"

namespace casp::gui {

namespace {

constexpr std::chrono::seconds ask_interval{30};

const auto refused_key = QStringLiteral("submit");

}  // namespace

ClusterJobs::ClusterJobs(const Parts& parts, QWidget* window) : QObject(window), p_(parts), window_(window) {
    p_.actions.add({"run.submit", tr("&Run"), tr("S&ubmit…"),
                    tr("Submits the experiment to a cluster (Slurm) as a job array of workers"), "Ctrl+Alt+U",
                    tr("slurm sbatch cluster queue array")},
                   [this] { open_dialog(); });
    again_.setSingleShot(true);
    connect(&again_, &QTimer::timeout, this, &ClusterJobs::ask);
    connect(&p_.library, &widgets::FileRunLibrary::loaded, this, &ClusterJobs::ask);
}

void ClusterJobs::open_dialog() {
    if (const auto machine = p_.library.machine(); !machine.isEmpty())
        return refuse(tr("The folder of runs is on %1. Submit there (caspstudio --submit FILE --scheduler "
                         "slurm), or open a folder on this machine first (Ctrl+Shift+O).")
                          .arg(machine));
    if (const auto problems = p_.experiment.problem_texts(); !problems.isEmpty())
        return refuse(tr("Cannot submit yet: %1").arg(problems.join("; ")));
    p_.notices.bar().remove(refused_key);
    auto experiment = p_.experiment.experiment();
    const QFileInfo batch(p_.launcher.batch_folder_of(experiment.base));
    experiment.base.name = batch.fileName().toStdString();
    std::erase_if(experiment.given, [](const auto& one) { return one.key == "name"; });
    experiment.given.push_back({"name", experiment.base.name, "the experiment"});
    auto settings = settings_;
    if (!experiment.scheduler.empty()) settings = config::scheduler_settings(experiment.scheduler);
    auto* dialog = new widgets::SubmitDialog(std::move(experiment), batch.path(), settings, window_);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    const auto remember = [this, dialog] { settings_ = dialog->settings(); };
    connect(dialog, &widgets::SubmitDialog::submitted, this,
            [this, remember](const QString& job, const QString& folder) {
                remember();
                p_.notices.say(tr("Slurm job %1 was submitted; its runs go to %2.").arg(job, folder), false);
                p_.library.refresh();
                ask();
            });
    connect(dialog, &widgets::SubmitDialog::saved, this, [this, remember](const QString& script) {
        remember();
        p_.notices.say(tr("The script was saved: sbatch %1").arg(QDir::toNativeSeparators(script)), false);
    });
    dialog->open();
}

/// Until the dialog opens: then the reason is gone.
void ClusterJobs::refuse(const QString& text) {
    p_.notices.log(text, Notices::Level::error);
    p_.notices.bar().show_message(refused_key, text, true);
}

void ClusterJobs::ask() {
    const auto folder = std::filesystem::path(p_.library.folder().toStdString());
    if (folder.empty() || !cluster::why_no_slurm().empty()) return;
    job_.start(
        [folder](const widgets::JobContext& context) {
            QStringList lines;
            std::vector<std::filesystem::path> batches{folder};
            std::error_code problem;
            for (const auto& entry : std::filesystem::directory_iterator(folder, problem))
                batches.push_back(entry.path());
            for (const auto& batch : batches)
                if (const auto jobs = cluster::jobs_of(batch); !jobs.empty())
                    if (const auto state = cluster::array_state(jobs, context.stop); !state.empty())
                        lines << widgets::translated(Phrase("%1: %2", batch.filename().string(), state));
            return lines;
        },
        {.done =
             [this](const QStringList& lines) {
                 p_.runs.set_cluster_state(lines.join('\n'));
                 if (!lines.isEmpty()) again_.start(ask_interval);
             },
         // Slurm does not answer: perhaps later.
         .failed = [this](const std::exception&) { again_.start(ask_interval); }});
}

QByteArray ClusterJobs::save_state() const {
    return QByteArray::fromStdString(config::scheduler_to_toml(config::assignments_of(settings_)));
}

bool ClusterJobs::restore_state(const QByteArray& bytes) {
    try {
        settings_ =
            config::scheduler_settings(config::load_text(bytes.toStdString(), "session", {}).scheduler);
        return true;
    } catch (const Error&) {
        return false;
    }
}

}  // namespace casp::gui

// Help, about, and what leaves the window: figures and archives.

#include <QApplication>
#include <QDockWidget>
#include <QElapsedTimer>
#include <QFileDialog>
#include <QFileInfo>
#include <QTimer>

#include "charts/export_dialog.h"
#include "gui/about_dialog.h"
#include "gui/file_job.h"
#include "gui/help_panel.h"
#include "gui/info_bar.h"
#include "gui/main_window.h"
#include "panels/compare/compare_panel.h"
#include "panels/data/data_panel.h"
#include "panels/runs/runs_columns.h"
#include "panels/view/view_page.h"
#include "state/file_run_library.h"
#include "state/selection.h"

namespace casp::gui {

void MainWindow::show_help(const QString& topic) {
    help_->show_topic(topic);
    show_dock("help");
}

void MainWindow::show_help_here() {
    QString topic = QStringLiteral("start");
    for (const auto* at = qApp->focusWidget(); at != nullptr; at = at->parentWidget())
        if (const auto found = at->property("help_topic"); found.isValid()) {
            topic = found.toString();
            break;
        }
    if (topic != QLatin1String("help")) help_->show_topic(topic);
    show_dock("help");
}

void MainWindow::show_about() { (new AboutDialog(this))->open(); }

bool MainWindow::is_open(const QString& dock) const {
    return docks_[dock] != nullptr && !docks_[dock]->isHidden();
}

bool MainWindow::prepare_figures() {
    bool ready = true;
    for (const auto& run : selection_->state().runs)
        if (auto* shown = library_->data(run); shown != nullptr && !shown->is_loaded()) {
            shown->load();
            ready = ready && !shown->problem().isEmpty();
        }
    for (const auto& name : dock_order_)
        if (pages_.contains(name) && is_open(name))
            ready = pages_[name]->prepare(export_waited_ms_ > 0) && ready;
    if (is_open("data")) ready = data_->channels().prepare() && ready;
    return ready;
}

std::vector<figures::Figure> MainWindow::open_figures() const {
    std::vector<figures::Figure> all;
    for (const auto& name : dock_order_)
        if (pages_.contains(name) && is_open(name))
            for (auto& figure : pages_[name]->figures()) all.push_back(std::move(figure));
    if (is_open("data"))
        if (auto figure = data_->channels().frame()->current_figure(); !figure.plots.empty())
            all.push_back(std::move(figure));
    if (is_open("compare"))
        if (auto figure = compare_->figure(); !figure.plots.empty()) all.push_back(std::move(figure));
    return all;
}

void MainWindow::export_all() {
    // Pages that nobody has looked at yet have neither read their runs nor drawn them.
    constexpr int patience_ms = 10000, interval_ms = 50;
    const auto name = QStringLiteral("export-again");
    auto* again = findChild<QTimer*>(name, Qt::FindDirectChildrenOnly);
    if (again == nullptr) {
        again = new QTimer(this);
        again->setObjectName(name);
        again->setSingleShot(true);
        connect(again, &QTimer::timeout, this, &MainWindow::export_all);
    }
    if (again->isActive()) return;  // pressed once more while it waits
    if (!prepare_figures() && export_waited_ms_ < patience_ms) {
        if (export_waited_ms_ == 0)
            info_->show_message(QStringLiteral("export"),
                                tr("The views that are open are being brought up to date…"));
        export_waited_ms_ += interval_ms;
        again->start(interval_ms);
        return;
    }
    info_->remove(QStringLiteral("export"));
    export_waited_ms_ = 0;
    auto figures = open_figures();
    if (figures.empty()) {
        say(tr("No view that is open shows anything yet: choose runs in the list at the left."), true);
        return;
    }
    auto* dialog = new widgets::ExportDialog(std::move(figures), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &widgets::ExportDialog::message, this, [this](const QString& text) { say(text, false); });
    dialog->show();
}

void MainWindow::start_file_job(const QString& key, const QString& text, FileWork work) {
    auto* job = new FileJob(std::move(work), this);
    info_->show_message(key, text, false,
                        {{tr("Cancel"), tr("Stops; no file is left half-written"), [job] { job->cancel(); }}},
                        0, false);
    QElapsedTimer clock;
    clock.start();
    connect(job, &FileJob::progress, this, [this, key, text, clock](const QString& stage, double share) {
        const double passed = static_cast<double>(clock.elapsed()) / 1000;
        QStringList parts;
        if (stage.contains(QLatin1String(" of "))) parts << stage;
        parts << tr("%1 %").arg(static_cast<int>(100 * share));
        if (share > 0.02)
            if (const auto left = widgets::time_left_text(passed * (1 - share) / share); !left.isEmpty())
                parts << left;
        info_->set_text(key, text + ' ' + parts.join(QStringLiteral(", ")));
    });
    connect(job, &FileJob::finished, this, [this, job, key](const QString& words, bool is_error) {
        info_->remove(key);
        say(words, is_error);
        job->deleteLater();
    });
    job->start();
}

void MainWindow::archive_runs(const QStringList& run_folders) {
    if (run_folders.isEmpty()) return;
    const bool one = run_folders.size() == 1;
    auto* dialog = new QFileDialog(
        this, one ? tr("Export archive") : tr("Folder for the archives of %1 runs").arg(run_folders.size()));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    if (!one) {
        dialog->setFileMode(QFileDialog::Directory);
        dialog->setOption(QFileDialog::ShowDirsOnly);
        connect(dialog, &QFileDialog::fileSelected, this, [this, run_folders](const QString& folder) {
            start_file_job(QStringLiteral("archives ") + folder,
                           tr("Packing %1 runs…").arg(run_folders.size()),
                           [run_folders, folder](const ProgressFn& progress, const std::stop_token& stop) {
                               return write_archives(run_folders, folder, progress, stop);
                           });
        });
        return dialog->open();
    }
    const auto& run_folder = run_folders.front();
    const QFileInfo info(run_folder);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setNameFilter(tr("Archives (*.tar.gz)"));
    dialog->setDefaultSuffix(QStringLiteral("tar.gz"));
    dialog->selectFile(info.dir().dirName() + '-' + info.fileName() + ".tar.gz");
    connect(dialog, &QFileDialog::fileSelected, this, [this, run_folder](const QString& file) {
        start_file_job("archive " + run_folder, tr("Packing %1…").arg(QFileInfo(run_folder).fileName()),
                       [run_folder, file](const ProgressFn& progress, const std::stop_token& stop) {
                           return write_archive(run_folder, file, progress, stop);
                       });
    });
    dialog->open();
}

void MainWindow::export_weights() {
    const auto run = selection_->state().runs.value(0);
    const auto weights = run + "/best.safetensors";
    if (run.isEmpty() || !QFileInfo::exists(weights)) {
        say(run.isEmpty()
                ? tr("Show a run first: its weights at the best validation MSE are what is exported.")
                : tr("%1 has no weights yet; they come with the first epoch.").arg(QFileInfo(run).fileName()),
            true);
        return;
    }
    auto* dialog = new QFileDialog(this, tr("Export checkpoint"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setNameFilter(tr("Weights (*.safetensors)"));
    dialog->setDefaultSuffix(QStringLiteral("safetensors"));
    dialog->selectFile(QFileInfo(run).dir().dirName() + '-' + QFileInfo(run).fileName() + ".safetensors");
    connect(dialog, &QFileDialog::fileSelected, this, [this, weights](const QString& file) {
        start_file_job("weights " + weights, tr("Copying %1…").arg(QFileInfo(file).fileName()),
                       [weights, file](const ProgressFn& progress, const std::stop_token& stop) {
                           copy_file(weights, file, stop, progress);
                           return tr("%1 is written.").arg(file);
                       });
    });
    dialog->open();
}

}  // namespace casp::gui

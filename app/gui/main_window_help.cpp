// Help, about, and what leaves the window: figures and archives.

#include <QApplication>
#include <QDockWidget>
#include <QFileDialog>
#include <QFileInfo>

#include "charts/export_dialog.h"
#include "charts/export_figure.h"
#include "gui/about_dialog.h"
#include "gui/archive_job.h"
#include "gui/help_panel.h"
#include "gui/info_bar.h"
#include "gui/main_window.h"
#include "panels/compare_panel.h"
#include "panels/view_page.h"

namespace casp::gui {

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

std::vector<figures::Figure> MainWindow::open_figures() const {
    std::vector<figures::Figure> all;
    const auto is_open = [&](const QString& name) {
        return docks_[name] != nullptr && !docks_[name]->isHidden();
    };
    for (const auto& name : dock_order_)
        if (pages_.contains(name) && is_open(name))
            for (auto& figure : pages_[name]->figures()) all.push_back(std::move(figure));
    if (is_open("compare"))
        if (auto figure = compare_->figure(); !figure.plots.empty()) all.push_back(std::move(figure));
    return all;
}

void MainWindow::export_all() {
    auto* dialog = new QFileDialog(this, tr("Folder for the figures"), state_.output_folder);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::Directory);
    dialog->setOption(QFileDialog::ShowDirsOnly);
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& folder) {
        try {
            const auto figures = open_figures();
            const auto files =
                widgets::export_all(figures, folder, widgets::ExportDialog::remembered_formats(),
                                    widgets::ExportDialog::remembered_options());
            say(tr("%1 files of %2 views are in %3.").arg(files.size()).arg(figures.size()).arg(folder),
                false);
        } catch (const std::exception& problem) {
            say(QString::fromUtf8(problem.what()), true);
        }
    });
    dialog->open();
}

void MainWindow::archive_run(const QString& run_folder) {
    const QFileInfo info(run_folder);
    auto* dialog = new QFileDialog(this, tr("Export archive"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setNameFilter(tr("Archives (*.tar.gz)"));
    dialog->selectFile(info.dir().dirName() + '-' + info.fileName() + ".tar.gz");
    connect(dialog, &QFileDialog::fileSelected, this, [this, run_folder](const QString& file) {
        auto* job = new ArchiveJob(run_folder, file, this);
        const auto key = QStringLiteral("archive");
        info_->show_message(key, tr("Packing %1…").arg(QFileInfo(run_folder).fileName()), false,
                            {{tr("Cancel"), tr("Stops; nothing is left behind"), [job] { job->cancel(); }}});
        connect(job, &ArchiveJob::finished, this, [this, job, key](const QString& text, bool is_error) {
            info_->remove(key);
            say(text, is_error);
            job->deleteLater();
        });
        job->start();
    });
    dialog->open();
}

}  // namespace casp::gui

#include "gui/file_exports.h"

#include <utility>

#include <QElapsedTimer>
#include <QFileDialog>
#include <QFileInfo>

#include "gui/info_bar.h"
#include "gui/notices.h"
#include "panels/runs/runs_delegate.h"
#include "state/amount_text.h"
#include "state/core_text.h"
#include "state/plain_text.h"

namespace casp::gui {

namespace {

QFileDialog* save_dialog(QWidget* window, const QString& title, const QStringList& filters,
                         const QString& suffix, const QString& name) {
    auto* dialog = new QFileDialog(window, title);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setNameFilters(filters);
    dialog->setDefaultSuffix(suffix);
    dialog->selectFile(name + QLatin1Char('.') + suffix);
    return dialog;
}

}  // namespace

FileExports::FileExports(const widgets::RunLibrary& library, Notices& notices, QWidget* window)
    : QObject(window), library_(library), notices_(notices), window_(window) {}

void FileExports::start(const QString& name, const QString& text, FileWork work) {
    // Exports to one place run side by side, each with its own row and Cancel.
    QString key = name;
    for (int number = 2; jobs_.count(key) > 0; ++number) key = name + ' ' + QString::number(number);
    auto& job = jobs_[key];
    notices_.bar().show_message(key, text, false,
                                {{tr("Cancel"), tr("Stops; no file is left half-written"),
                                  [this, key] { jobs_[key].request_stop(); }}},
                                0, false);
    QElapsedTimer clock;
    clock.start();
    const auto show_progress = [this, key, text, clock](const Progress& p) {
        if (p.total <= 0) return;
        const double passed = static_cast<double>(clock.elapsed()) / 1000,
                     share = static_cast<double>(p.done) / static_cast<double>(p.total);
        QStringList parts;
        if (const auto stage = QString::fromStdString(p.stage); stage.contains(QLatin1String(" of ")))
            parts << widgets::translated_stage(stage);
        parts << tr("%1 %").arg(static_cast<int>(100 * share));
        if (share > 0.02)
            if (const auto left = widgets::time_left_text(passed * (1 - share) / share); !left.isEmpty())
                parts << left;
        notices_.bar().set_text(key, text + ' ' + parts.join(QStringLiteral(", ")));
    };
    const auto finish = [this, key](const QString& words, bool is_error) {
        notices_.bar().remove(key);
        notices_.say(words, is_error);
        jobs_.erase(key);
    };
    job.add(
        [work = std::move(work)](const widgets::JobContext& context) {
            return work(context.progress, context.stop);
        },
        {.done = [finish](const QString& words) { finish(words, false); },
         .failed = [finish](const std::exception& problem) { finish(widgets::plain_text(problem), true); },
         .cancelled = [finish] { finish(tr("Cancelled; nothing was written."), false); },
         .progress = show_progress});
}

void FileExports::archive(const QStringList& folders) {
    if (folders.isEmpty()) return;
    if (folders.size() > 1) {
        auto* dialog = new QFileDialog(window_, tr("Folder for the archives of %1 runs").arg(folders.size()));
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->setFileMode(QFileDialog::Directory);
        dialog->setOption(QFileDialog::ShowDirsOnly);
        connect(dialog, &QFileDialog::fileSelected, this, [this, folders](const QString& folder) {
            start(QStringLiteral("archives ") + folder, tr("Packing %1 runs…").arg(folders.size()),
                  [folders, folder](const ProgressFn& progress, const std::stop_token& stop) {
                      return write_archives(folders, folder, progress, stop);
                  });
        });
        return dialog->open();
    }
    const auto& packed = folders.front();
    const auto title = widgets::run_title(library_, packed);
    auto* dialog = save_dialog(window_, tr("Export archive of %1").arg(title), {tr("Archives (*.tar.gz)")},
                               "tar.gz", archive_name(packed));
    connect(dialog, &QFileDialog::fileSelected, this, [this, packed, title](const QString& file) {
        start("archive " + packed, tr("Packing %1…").arg(title),
              [packed, file](const ProgressFn& progress, const std::stop_token& stop) {
                  return write_archive(packed, file, progress, stop);
              });
    });
    dialog->open();
}

void FileExports::weights(const QString& run_folder) {
    const auto weights = run_folder + "/best.safetensors";
    const auto title = widgets::run_title(library_, run_folder);
    if (run_folder.isEmpty() || !QFileInfo::exists(weights)) {
        notices_.say(
            run_folder.isEmpty()
                ? tr("Highlight one run in the list first: its weights at the best validation MSE are "
                     "exported.")
                : tr("%1 has no weights yet; they are saved after the first epoch.").arg(title),
            true);
        return;
    }
    auto* dialog = save_dialog(window_, tr("Export checkpoint of %1").arg(title),
                               {tr("Weights (*.safetensors)")}, "safetensors", archive_name(run_folder));
    connect(dialog, &QFileDialog::fileSelected, this, [this, weights](const QString& file) {
        start("weights " + weights, tr("Copying %1…").arg(QFileInfo(file).fileName()),
              [weights, file](const ProgressFn& progress, const std::stop_token& stop) {
                  copy_file(weights, file, stop, progress);
                  return tr("%1 is written.").arg(file);
              });
    });
    dialog->open();
}

void FileExports::forecasts(const QString& run_folder) {
    const auto title = widgets::run_title(library_, run_folder);
    if (run_folder.isEmpty() || !QFileInfo::exists(run_folder + "/arrays.h5")) {
        notices_.say(
            run_folder.isEmpty()
                ? tr("Highlight one run in the list first: its test forecasts are exported.")
                : tr("%1 has no stored forecasts yet; they are stored at the end of a run.").arg(title),
            true);
        return;
    }
    const auto table = tr("Long table (*.csv)");
    auto* dialog =
        save_dialog(window_, tr("Export forecasts of %1").arg(title),
                    {table, tr("Folder with pred.npy and true.npy (*)")}, "csv", archive_name(run_folder));
    connect(dialog, &QFileDialog::filterSelected, dialog, [dialog, table](const QString& filter) {
        const bool is_table = filter == table;
        const QLatin1String suffix(".csv");
        dialog->setDefaultSuffix(is_table ? QStringLiteral("csv") : QString());
        auto name = QFileInfo(dialog->selectedFiles().value(0)).fileName();
        if (name.endsWith(suffix)) name.chop(suffix.size());
        dialog->selectFile(is_table ? name + suffix : name);
    });
    connect(dialog, &QFileDialog::fileSelected, this,
            [this, dialog, table, run_folder, title](const QString& file) {
                const bool is_table = dialog->selectedNameFilter() == table;
                start("forecasts " + run_folder, tr("Exporting the forecasts of %1…").arg(title),
                      [run_folder, file, is_table](const ProgressFn& progress, const std::stop_token& stop) {
                          return is_table ? write_forecast_table(run_folder, file, progress, stop)
                                          : write_forecast_arrays(run_folder, file, progress, stop);
                      });
            });
    dialog->open();
}

}  // namespace casp::gui

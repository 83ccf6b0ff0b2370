#include "gui/file_exports.h"

#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QFileInfo>
#include <QSaveFile>

#include "charts/file_dialog.h"
#include "charts/save_file.h"
#include "gui/info_bar.h"
#include "gui/notices.h"
#include "inspect/forecast_export.h"
#include "panels/runs/runs_delegate.h"
#include "store/run_archive.h"
#include "store/run_file.h"
#include "util/error.h"
#include "util/regular_file.h"
#include "words/amount_text.h"
#include "words/core_text.h"
#include "words/plain_text.h"

namespace casp::gui {

namespace {

// Bytes a second, roughly, on a computer of some years.
constexpr double packed_per_second = 20e6, copied_per_second = 200e6, text_per_second = 20e6;
// Of a forecast value: a row of names, times, value and forecast; or two floats.
constexpr std::int64_t table_bytes_per_value = 80, array_bytes_per_value = 2 * sizeof(float);

QString run_archive_name(const QString& run_folder) {
    const QFileInfo run(run_folder);
    return run.dir().dirName() + '-' + run.fileName();
}

/// Name of the archive of a run or a batch, without suffix: "batch-run" or "batch".
QString archive_name(const QString& run_or_batch) {
    const bool is_run = QFileInfo::exists(run_or_batch + QStringLiteral("/run.json")) ||
                        QFileInfo::exists(run_or_batch + QStringLiteral("/run.h5"));
    return is_run ? run_archive_name(run_or_batch) : QFileInfo(run_or_batch).fileName();
}

/// Bytes of the files in folders, before compression.
std::int64_t size_of(const QStringList& folders, const std::stop_token& stop) {
    std::int64_t bytes = 0;
    for (const auto& folder : folders)
        for (const auto& entry : std::filesystem::recursive_directory_iterator(folder.toStdString())) {
            throw_if_stopped(stop);
            if (entry.is_regular_file()) bytes += static_cast<std::int64_t>(entry.file_size());
        }
    return bytes;
}

/// File name for a run in a folder of archives: batch-run.tar.gz, with a number if that file exists.
QString archive_file_in(const QString& folder, const QString& run_folder) {
    const auto stem = folder + '/' + run_archive_name(run_folder);
    const auto suffix = QStringLiteral(".tar.gz");
    auto file = stem + suffix;
    for (int number = 2; QFileInfo::exists(file); ++number)
        file = stem + '-' + QString::number(number) + suffix;
    return file;
}

/// Empty if nothing is omitted.
QString left_out_text(const std::vector<std::string>& names) {
    if (names.empty()) return {};
    constexpr std::size_t max_named = 5;
    QStringList named;
    for (const auto& name : names)
        if (static_cast<std::size_t>(named.size()) < max_named) named << QString::fromStdString(name);
    const auto more = names.size() - static_cast<std::size_t>(named.size());
    return QObject::tr(" Omitted: %1%2 (links, or files that were removed or could not be read).")
        .arg(named.join(QStringLiteral(", ")), more > 0 ? QObject::tr(" and %1 more").arg(more) : QString());
}

/// Packs a run or a batch; the message names what the archive omits. Throws casp::Errors, and Cancelled.
QString write_archive(const QString& folder, const QString& file, const ProgressFn& progress,
                      const std::stop_token& stop) {
    const auto result = store::write_archive(folder.toStdString(), file.toStdString(), {}, progress, stop);
    return QObject::tr("%1 is written.").arg(file) + left_out_text(result.left_out);
}

/// Packs runs one after another into a folder. Failures are thrown at the end, after all runs were tried.
/// After a requested stop the message says how many are written.
QString write_archives(const QStringList& run_folders, const QString& folder, const ProgressFn& progress,
                       const std::stop_token& stop) {
    qsizetype written = 0;
    QStringList problems, remarks;
    const auto text = [&] {
        return QObject::tr("%1 of %2 archives are written to %3.")
                   .arg(written)
                   .arg(run_folders.size())
                   .arg(folder) +
               remarks.join(QString());
    };
    for (qsizetype i = 0; i < run_folders.size(); ++i) {
        const auto& run = run_folders[i];
        const auto number = QObject::tr("%1 of %2").arg(i + 1).arg(run_folders.size()).toStdString();
        const auto report = [&](const Progress& p) {
            if (progress) progress({{Stage::other, number}, p.done, p.total, p.unit});
        };
        try {
            const auto result = store::write_archive(
                run.toStdString(), archive_file_in(folder, run).toStdString(), {}, report, stop);
            if (!result.left_out.empty())
                remarks << QObject::tr(" %1:").arg(QFileInfo(run).fileName()) +
                               left_out_text(result.left_out);
            ++written;
        } catch (const Cancelled&) {
            return QObject::tr("Cancelled: %1").arg(text());
        } catch (const std::exception& failure) {
            problems << widgets::plain_text(failure);
        }
    }
    if (!problems.isEmpty())
        throw run_error(folder.toStdString(), text().toStdString() + " " + problems.join('\n').toStdString());
    return text();
}

/// Writes the stored test forecasts of a run as a long table. Throws casp::Errors, and Cancelled.
QString write_forecast_table(const QString& run_folder, const QString& file, const ProgressFn& progress,
                             const std::stop_token& stop) {
    inspect::export_table(run_folder.toStdString(), file.toStdString(), progress, stop);
    return QObject::tr("%1 is written.").arg(file);
}

/// Writes them as pred.npy and true.npy to a folder, which is created. Throws as write_forecast_table().
QString write_forecast_arrays(const QString& run_folder, const QString& folder, const ProgressFn& progress,
                              const std::stop_token& stop) {
    inspect::export_arrays(run_folder.toStdString(), folder.toStdString(), progress, stop);
    return QObject::tr("pred.npy and true.npy are written to %1.").arg(folder);
}

}  // namespace

void copy_file(const QString& from, const QString& to, const std::stop_token& stop,
               const ProgressFn& progress) {
    const auto path = QFile::encodeName(from).toStdString();
    const RegularFile source(path, "a file to copy");
    QSaveFile target(to);
    bool good = target.open(QIODevice::WriteOnly);
    std::vector<char> piece(std::size_t{1} << 20);
    std::uint64_t copied = 0;
    while (good) {
        if (stop.stop_requested()) throw Cancelled();
        const auto got = ::read(source.descriptor(), piece.data(), piece.size());
        if (got < 0 && errno == EINTR) continue;
        if (got < 0)
            throw run_error(path, Phrase("cannot be read: %1", std::generic_category().message(errno)), {},
                            "Nothing was copied. Check that its disk is connected.");
        if (got == 0) break;
        good = target.write(piece.data(), got) == got;
        copied += static_cast<std::uint64_t>(got);
        if (progress)
            progress({Stage::copying, static_cast<std::int64_t>(copied),
                      static_cast<std::int64_t>(source.size()), "bytes"});
    }
    if (good && copied != source.size())
        throw run_error(path, "it changed while it was copied", {},
                        "Nothing was copied. Wait until the file is complete, and try again.");
    if (!good || !widgets::commit_whole(target))
        throw run_error(to.toStdString(), Phrase("cannot be written: %1", target.errorString().toStdString()),
                        {}, "Free disk space there, or choose another folder.");
}

FileExports::FileExports(const widgets::RunLibrary& library, Notices& notices, QWidget* window)
    : QObject(window), library_(library), notices_(notices), window_(window) {}

void FileExports::start(Size size, double bytes_per_second, const QString& name, const QString& text,
                        FileWork work) {
    // Exports to one place run side by side, each with its own row and Cancel.
    QString key = name;
    for (int number = 2; jobs_.count(key) > 0; ++number) key = name + ' ' + QString::number(number);
    auto& job = jobs_[key];
    notices_.bar().show_message(key, text, false,
                                {{tr("Cancel"), tr("Stops; no file is left half-written"),
                                  [this, key] { jobs_[key].request_stop(); }}},
                                0, false);
    const auto finish = [this, key](const QString& words, bool is_error) {
        notices_.bar().remove(key);
        notices_.say(words, is_error);
        jobs_.erase(key);
    };
    const auto begin = [this, &job, key, text, finish, work = std::move(work)] {
        QElapsedTimer clock;
        clock.start();
        const auto show_progress = [this, key, text, clock](const Progress& p) {
            if (p.total <= 0) return;
            const double passed = static_cast<double>(clock.elapsed()) / 1000,
                         share = static_cast<double>(p.done) / static_cast<double>(p.total);
            QStringList parts;
            if (p.stage.kind == Stage::other) parts << widgets::translated_stage(p.stage);
            parts << tr("%1 %").arg(static_cast<int>(100 * share));
            if (share > 0.02)
                if (const auto left = widgets::time_left_text(passed * (1 - share) / share); !left.isEmpty())
                    parts << left;
            notices_.bar().set_text(key, text + ' ' + parts.join(QStringLiteral(", ")));
        };
        job.add([work](const widgets::JobContext& context) { return work(context.progress, context.stop); },
                {.done = [finish](const QString& words) { finish(words, false); },
                 .failed =
                     [finish](const std::exception& problem) { finish(widgets::plain_text(problem), true); },
                 .cancelled = [finish] { finish(tr("Cancelled; nothing was written."), false); },
                 .progress = show_progress});
    };
    sizes_.add([size = std::move(size)](const widgets::JobContext& context) { return size(context.stop); },
               {.done =
                    [this, bytes_per_second, begin, finish](std::int64_t bytes) {
                        if (widgets::may_export(window_, bytes, bytes_per_second))
                            begin();
                        else
                            finish(tr("Cancelled; nothing was written."), false);
                    },
                .failed = [begin](const std::exception& /*problem*/) { begin(); }});
}

void FileExports::archive(const QStringList& folders) {
    if (folders.isEmpty()) return;
    if (folders.size() > 1) {
        auto* dialog = widgets::file_dialog(window_, widgets::FileKind::exports,
                                            tr("Folder for the archives of %1 runs").arg(folders.size()),
                                            QFileDialog::Directory);
        connect(dialog, &QFileDialog::fileSelected, this, [this, folders](const QString& folder) {
            start([folders](const std::stop_token& stop) { return size_of(folders, stop); },
                  packed_per_second, QStringLiteral("archives ") + folder,
                  tr("Packing %1 runs…").arg(folders.size()),
                  [folders, folder](const ProgressFn& progress, const std::stop_token& stop) {
                      return write_archives(folders, folder, progress, stop);
                  });
        });
        return dialog->open();
    }
    const auto& packed = folders.front();
    const auto title = widgets::run_title(library_, packed);
    auto* dialog =
        widgets::save_dialog(window_, widgets::FileKind::exports, tr("Export archive of %1").arg(title),
                             {tr("Archives (*.tar.gz)")}, "tar.gz", archive_name(packed));
    connect(dialog, &QFileDialog::fileSelected, this, [this, packed, title](const QString& file) {
        start([packed](const std::stop_token& stop) { return size_of({packed}, stop); }, packed_per_second,
              "archive " + packed, tr("Packing %1…").arg(title),
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
    auto* dialog =
        widgets::save_dialog(window_, widgets::FileKind::exports, tr("Export checkpoint of %1").arg(title),
                             {tr("Weights (*.safetensors)")}, "safetensors", archive_name(run_folder));
    connect(dialog, &QFileDialog::fileSelected, this, [this, weights](const QString& file) {
        start([weights](const std::stop_token& /*stop*/) { return QFileInfo(weights).size(); },
              copied_per_second, "weights " + weights, tr("Copying %1…").arg(QFileInfo(file).fileName()),
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
    auto* dialog = widgets::save_dialog(
        window_, widgets::FileKind::exports, tr("Export forecasts of %1").arg(title),
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
                const auto bytes = [run_folder, is_table](const std::stop_token& /*stop*/) {
                    const auto shape =
                        store::read_forecast_shape(run_folder.toStdString() + "/arrays.h5", "test");
                    return shape.windows * shape.horizon * shape.channels *
                           (is_table ? table_bytes_per_value : array_bytes_per_value);
                };
                start(bytes, is_table ? text_per_second : copied_per_second, "forecasts " + run_folder,
                      tr("Exporting the forecasts of %1…").arg(title),
                      [run_folder, file, is_table](const ProgressFn& progress, const std::stop_token& stop) {
                          return is_table ? write_forecast_table(run_folder, file, progress, stop)
                                          : write_forecast_arrays(run_folder, file, progress, stop);
                      });
            });
    dialog->open();
}

}  // namespace casp::gui

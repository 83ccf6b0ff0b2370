#include "gui/file_work.h"

#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <system_error>
#include <utility>
#include <vector>

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSaveFile>

#include "charts/save_file.h"
#include "evidence/run_search.h"
#include "inspect/forecast_export.h"
#include "state/plain_text.h"
#include "store/run_archive.h"
#include "util/error.h"
#include "util/regular_file.h"

namespace casp::gui {

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
            throw run_error(path, "cannot be read: " + std::generic_category().message(errno), {},
                            "Nothing was copied. Check that its disk is connected.");
        if (got == 0) break;
        good = target.write(piece.data(), got) == got;
        copied += static_cast<std::uint64_t>(got);
        if (progress)
            progress({"copying", static_cast<std::int64_t>(copied), static_cast<std::int64_t>(source.size()),
                      "bytes"});
    }
    if (good && copied != source.size())
        throw run_error(path, "it changed while it was copied", {},
                        "Nothing was copied. Wait until the file is complete, and try again.");
    if (!good || !widgets::commit_whole(target))
        throw run_error(to.toStdString(), "cannot be written: " + target.errorString().toStdString(), {},
                        "Free disk space there, or choose another folder.");
}

static QString run_archive_name(const QString& run_folder) {
    const QFileInfo run(run_folder);
    return run.dir().dirName() + '-' + run.fileName();
}

QString archive_name(const QString& run_or_batch) {
    const bool is_run = QFileInfo::exists(run_or_batch + QStringLiteral("/run.json")) ||
                        QFileInfo::exists(run_or_batch + QStringLiteral("/run.h5"));
    return is_run ? run_archive_name(run_or_batch) : QFileInfo(run_or_batch).fileName();
}

QString archive_file_in(const QString& folder, const QString& run_folder) {
    const auto stem = folder + '/' + run_archive_name(run_folder);
    const auto suffix = QStringLiteral(".tar.gz");
    auto file = stem + suffix;
    for (int number = 2; QFileInfo::exists(file); ++number)
        file = stem + '-' + QString::number(number) + suffix;
    return file;
}

/// Empty if nothing is omitted.
static QString left_out_text(const std::vector<std::string>& names) {
    if (names.empty()) return {};
    constexpr std::size_t most_named = 5;
    QStringList named;
    for (const auto& name : names)
        if (static_cast<std::size_t>(named.size()) < most_named) named << QString::fromStdString(name);
    const auto more = names.size() - static_cast<std::size_t>(named.size());
    return QObject::tr(" Omitted: %1%2 (links, or files that were removed or could not be read).")
        .arg(named.join(QStringLiteral(", ")), more > 0 ? QObject::tr(" and %1 more").arg(more) : QString());
}

QString write_archive(const QString& folder, const QString& file, const ProgressFn& progress,
                      const std::stop_token& stop) {
    store::ArchiveOptions options;
    options.runs_beside = evidence::runs_beside(folder.toStdString(), stop);
    const auto result =
        store::write_archive(folder.toStdString(), file.toStdString(), options, progress, stop);
    return QObject::tr("%1 is written.").arg(file) + left_out_text(result.left_out);
}

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
        const auto number = std::to_string(i + 1) + " of " + std::to_string(run_folders.size());
        const auto report = [&](const Progress& p) {
            if (progress) progress({number, p.done, p.total, p.unit});
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

QString write_forecast_table(const QString& run_folder, const QString& file, const ProgressFn& progress,
                             const std::stop_token& stop) {
    inspect::export_table(run_folder.toStdString(), file.toStdString(), progress, stop);
    return QObject::tr("%1 is written.").arg(file);
}

QString write_forecast_arrays(const QString& run_folder, const QString& folder, const ProgressFn& progress,
                              const std::stop_token& stop) {
    inspect::export_arrays(run_folder.toStdString(), folder.toStdString(), progress, stop);
    return QObject::tr("pred.npy and true.npy are written to %1.").arg(folder);
}

}  // namespace casp::gui

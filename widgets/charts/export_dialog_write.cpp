// Writing of files by an ExportDialog: one after another, large tables in the background.
#include <QFileInfo>
#include <QHideEvent>
#include <QLocale>
#include <QMessageBox>
#include <QPushButton>

#include <exception>

#include "charts/export_dialog.h"
#include "figures/numbers.h"
#include "state/plain_text.h"
#include "util/error.h"

namespace casp::widgets {

std::vector<FigureFile> ExportDialog::files() const {
    if (is_several()) return figure_files(figures_, base_path(), formats());
    std::vector<FigureFile> files;
    for (const FigureFormat format : formats())
        if (!shown().plots.empty() || format == FigureFormat::csv)
            files.push_back({0, format, base_path() + QLatin1Char('.') + suffix_of(format)});
    return files;
}

QString ExportDialog::companion_base(const FigureFile& file) {
    return file.path.chopped(suffix_of(file.format).size() + 1);
}

QStringList ExportDialog::paths_of(const std::vector<FigureFile>& files) const {
    QStringList paths;
    for (const auto& file : files) {
        paths << file.path;
        if (is_several()) paths << companion_paths(figures_[file.figure], companion_base(file));
    }
    paths.removeDuplicates();  // duplicates of a figure in several formats
    return paths;
}

bool ExportDialog::may_replace(const QStringList& paths) {
    QStringList existing;
    for (const auto& path : paths)
        if (QFileInfo::exists(path)) existing << QFileInfo(path).fileName();
    if (existing.isEmpty()) return true;
    constexpr qsizetype most_named = 8;
    QString names = existing.mid(0, most_named).join(QStringLiteral(", "));
    if (existing.size() > most_named) names += tr(" and %1 more").arg(existing.size() - most_named);
    return QMessageBox::question(this, tr("Replace files?"),
                                 tr("These files already exist: %1. Replace them?").arg(names),
                                 QMessageBox::Yes | QMessageBox::Cancel) == QMessageBox::Yes;
}

bool ExportDialog::export_now(bool ask) {
    if (!to_write_.empty()) return false;
    const auto all = files();
    if (ask && !may_replace(paths_of(all))) return false;
    to_write_ = {all.begin(), all.end()};
    changed();
    if (is_several()) {
        QTimer::singleShot(0, this, &ExportDialog::go_on);
        return true;
    }
    while (!to_write_.empty()) {
        if (is_long(to_write_.front())) {
            write_beside();
            return true;
        }
        if (!write_next()) return false;
    }
    done();
    return true;
}

bool ExportDialog::is_long(const FigureFile& file) const {
    return file.format == FigureFormat::csv && figures::row_count(figures_[file.figure]) > rows_at_once;
}

/// One file per turn of the event loop, so that the window stays responsive.
void ExportDialog::go_on() {
    if (!to_write_.empty() && is_long(to_write_.front())) return write_beside();
    if (!to_write_.empty() && !write_next()) return;
    if (to_write_.empty()) return done();
    if (is_several())
        say(tr("Writing figure %1 of %2…").arg(to_write_.front().figure + 1).arg(figures_.size()), false);
    QTimer::singleShot(0, this, &ExportDialog::go_on);
}

bool ExportDialog::write_next() {
    const auto& file = to_write_.front();
    try {
        export_figure(figures_[file.figure], file.path, file.format, options());
        finish_file();
        return true;
    } catch (const std::exception& error) {
        give_up(plain_text(error));
        return false;
    }
}

/// The first pending file is written.
void ExportDialog::finish_file() {
    const auto file = to_write_.front();
    // Captions and tables beside the last of a figure's files, as the batch writes them.
    if (is_several() && (to_write_.size() == 1 || to_write_[1].figure != file.figure))
        write_companions(figures_[file.figure], companion_base(file));
    to_write_.pop_front();
}

void ExportDialog::give_up(const QString& problem) {
    const auto before = to_write_.front().figure;
    to_write_.clear();
    changed();
    say(before == 0 ? problem : tr("%1 figures were written, then: %2").arg(before).arg(problem), true);
}

void ExportDialog::write_beside() {
    const auto& file = to_write_.front();
    const auto& figure = figures_[file.figure];  // not modified meanwhile
    const auto all = figures::row_count(figure);
    report_rows(0, all);
    cancel_->setEnabled(true);
    cancel_->show();
    if (!writer_) writer_ = std::make_unique<Job<bool>>();
    written_ = std::make_shared<Written>();
    writer_->start(
        [&figure, path = file.path, all, written = written_](const JobContext& job) {
            try {
                export_numbers(
                    figure, path,
                    [&](std::int64_t done) {
                        job.progress({{}, done, all, {}});
                    },
                    job.stop);
                written->all = true;
            } catch (const Cancelled&) {
                throw;
            } catch (const std::exception& error) {
                written->problem = plain_text(error);
                throw;
            }
            return true;
        },
        {.done = [this](bool) { file_ended({}, false); },
         .failed = [this](const std::exception& error) { file_ended(plain_text(error), false); },
         .cancelled = [this] { file_ended({}, true); },
         .progress = [this](const Progress& rows) { report_rows(rows.done, rows.total); }});
}

void ExportDialog::report_rows(std::int64_t done, std::int64_t all) {
    const QLocale locale(QLocale::English);
    say(tr("Writing %1: %2 of %3 rows…")
            .arg(QFileInfo(to_write_.front().path).fileName(), locale.toString(static_cast<qint64>(done)),
                 locale.toString(static_cast<qint64>(all))),
        false);
}

void ExportDialog::file_ended(const QString& problem, bool cancelled) {
    const bool stopped = !cancel_->isEnabled();
    cancel_->hide();
    if (!cancelled && !problem.isEmpty()) return give_up(problem);
    const auto name = QFileInfo(to_write_.front().path).fileName();
    if (!cancelled) {
        try {
            finish_file();
        } catch (const std::exception& error) {
            return give_up(plain_text(error));
        }
    }
    if (cancelled || (stopped && !to_write_.empty())) {
        to_write_.clear();
        changed();
        return say(
            cancelled ? tr("Cancelled; %1 was not written.").arg(name) : tr("Cancelled after %1.").arg(name),
            false);
    }
    go_on();
}

void ExportDialog::hideEvent(QHideEvent* event) {
    QDialog::hideEvent(event);
    if (event->spontaneous() || !writer_ || !writer_->is_running()) return;
    // Waits. The file may be complete by then, or its last step may fail.
    cancel_->setEnabled(false);
    writer_.reset();
    file_ended(written_->problem, !written_->all && written_->problem.isEmpty());
}

void ExportDialog::done() {
    save();
    changed();
    QStringList paths;
    for (const auto& file : files()) paths << file.path;
    const QString text = is_several() ? tr("Wrote %1 figures to %2").arg(figures_.size()).arg(base_path())
                                      : tr("Wrote %1").arg(paths.join(QStringLiteral(", ")));
    say(text, false);
    Q_EMIT message(text);
}

}  // namespace casp::widgets

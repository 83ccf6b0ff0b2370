#include "gui/archive_job.h"

#include "store/run_archive.h"
#include "util/error.h"
#include "util/progress.h"

namespace casp::gui {

ArchiveJob::ArchiveJob(QString run_folder, QString file, QObject* parent)
    : QObject(parent), folder_(std::move(run_folder)), file_(std::move(file)) {}

void ArchiveJob::start() {
    thread_ = std::jthread([this](const std::stop_token& stop) {
        const auto tell = [this](const QString& text, bool is_error) {
            QMetaObject::invokeMethod(
                this, [this, text, is_error] { Q_EMIT finished(text, is_error); }, Qt::QueuedConnection);
        };
        try {
            store::write_archive(
                folder_.toStdString(), file_.toStdString(), {},
                [this](const Progress& p) {
                    if (p.total > 0)
                        QMetaObject::invokeMethod(
                            this,
                            [this, share = double(p.done) / double(p.total)] { Q_EMIT progress(share); },
                            Qt::QueuedConnection);
                },
                stop);
            tell(tr("%1 is written.").arg(file_), false);
        } catch (const Cancelled&) {
            tell(tr("Packing was cancelled; nothing was written."), false);
        } catch (const std::exception& problem) {
            tell(QString::fromUtf8(problem.what()), true);
        }
    });
}

}  // namespace casp::gui

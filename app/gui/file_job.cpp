#include "gui/file_job.h"

#include <QFile>
#include <QSaveFile>

#include "util/error.h"

namespace casp::gui {

FileJob::FileJob(std::function<void(const std::stop_token&)> work, QString done_text, QObject* parent)
    : QObject(parent), work_(std::move(work)), done_text_(std::move(done_text)) {}

void FileJob::start() {
    thread_ = std::jthread([this](const std::stop_token& stop) {
        const auto tell = [this](const QString& text, bool is_error) {
            QMetaObject::invokeMethod(
                this, [this, text, is_error] { Q_EMIT finished(text, is_error); }, Qt::QueuedConnection);
        };
        try {
            work_(stop);
            tell(done_text_, false);
        } catch (const Cancelled&) {
            tell(tr("Cancelled; nothing was written."), false);
        } catch (const std::exception& problem) {
            tell(QString::fromUtf8(problem.what()), true);
        }
    });
}

void copy_file(const QString& from, const QString& to, const std::stop_token& stop) {
    QFile source(from);
    if (!source.open(QIODevice::ReadOnly))
        throw run_error(from.toStdString(), "cannot be read: " + source.errorString().toStdString());
    QSaveFile target(to);
    bool good = target.open(QIODevice::WriteOnly);
    while (good && !source.atEnd()) {
        if (stop.stop_requested()) throw Cancelled();
        const auto piece = source.read(1 << 20);
        good = target.write(piece) == piece.size();
    }
    if (!good || !target.commit())
        throw run_error(to.toStdString(), "cannot be written: " + target.errorString().toStdString(), {},
                        "Make room there or choose another place.");
}

}  // namespace casp::gui

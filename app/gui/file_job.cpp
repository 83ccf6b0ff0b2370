#include "gui/file_job.h"

#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <vector>

#include <QFile>
#include <QSaveFile>

#include "charts/save_file.h"
#include "util/error.h"
#include "util/regular_file.h"

namespace casp::gui {

FileJob::FileJob(Work work, QString done_text, QObject* parent)
    : QObject(parent), work_(std::move(work)), done_text_(std::move(done_text)) {}

void FileJob::start() {
    thread_ = std::jthread([this](const std::stop_token& stop) {
        const auto tell = [this](const QString& text, bool is_error) {
            QMetaObject::invokeMethod(
                this, [this, text, is_error] { Q_EMIT finished(text, is_error); }, Qt::QueuedConnection);
        };
        try {
            const auto besides = work_(stop);
            tell(besides.isEmpty() ? done_text_ : done_text_ + ' ' + besides, false);
        } catch (const Cancelled&) {
            tell(tr("Cancelled; nothing was written."), false);
        } catch (const std::exception& problem) {
            tell(QString::fromUtf8(problem.what()), true);
        }
    });
}

void copy_file(const QString& from, const QString& to, const std::stop_token& stop) {
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
                            "Nothing was copied. Is its disk still there?");
        if (got == 0) break;
        good = target.write(piece.data(), got) == got;
        copied += static_cast<std::uint64_t>(got);
    }
    if (good && copied != source.size())
        throw run_error(path, "it changed while it was copied", {},
                        "Nothing was copied: wait until it is written, and try again.");
    if (!good || !widgets::commit_whole(target))
        throw run_error(to.toStdString(), "cannot be written: " + target.errorString().toStdString(), {},
                        "Make room there or choose another place.");
}

}  // namespace casp::gui

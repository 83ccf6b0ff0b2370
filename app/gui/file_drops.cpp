#include "gui/file_drops.h"

#include <algorithm>

#include <QApplication>
#include <QDialog>
#include <QDropEvent>
#include <QMimeData>
#include <QUrl>
#include <QWindow>

namespace casp::gui {

namespace {

/// The window that an event of a widget or of the window system goes to.
const QWidget* window_of(const QObject* watched) {
    if (watched->isWidgetType()) return static_cast<const QWidget*>(watched)->window();
    if (watched->isWindowType())
        for (const auto* widget : QApplication::topLevelWidgets())
            if (widget->windowHandle() == watched) return widget;
    return nullptr;
}

bool belongs_to(const QWidget* window, const QWidget* main) {
    for (; window != nullptr; window = window->parentWidget()) {
        if (window == main) return true;
        if (qobject_cast<const QDialog*>(window) != nullptr) return false;  // its fields take names of files
    }
    return false;
}

bool has_files(const QMimeData& mime) {
    const auto urls = mime.urls();
    return std::any_of(urls.begin(), urls.end(), [](const QUrl& url) { return url.isLocalFile(); });
}

}  // namespace

FileDrops::FileDrops(QWidget& window) : QObject(&window), window_(window) { qApp->installEventFilter(this); }

bool FileDrops::eventFilter(QObject* watched, QEvent* event) {
    const auto type = event->type();
    if (type != QEvent::DragEnter && type != QEvent::DragMove && type != QEvent::Drop) return false;
    auto* drag = static_cast<QDropEvent*>(event);
    if (drag->mimeData() == nullptr || !has_files(*drag->mimeData()) ||
        !belongs_to(window_of(watched), &window_))
        return false;
    // Never as a move: the file stays where it is.
    drag->setDropAction(Qt::CopyAction);
    drag->accept();
    if (type == QEvent::Drop) take(*drag->mimeData());
    return true;
}

void FileDrops::take(const QMimeData& files) {
    QStringList paths;
    for (const auto& url : files.urls())
        if (url.isLocalFile())
            paths << url.toLocalFile();
        else
            Q_EMIT refused(
                tr("Save %1 as a file first: only files on this machine can be opened.").arg(url.toString()));
    Q_EMIT dropped(paths);
}

}  // namespace casp::gui

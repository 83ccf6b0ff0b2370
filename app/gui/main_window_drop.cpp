// Files that are dropped, anywhere: on the window, on a panel that floats, on a field that would take their
// names as text.

#include <QApplication>
#include <QDialog>
#include <QDropEvent>
#include <QMimeData>
#include <QUrl>
#include <QWindow>

#include "gui/main_window.h"

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
        if (qobject_cast<const QDialog*>(window) != nullptr) return false;  // its fields want a file's name
    }
    return false;
}

bool has_files(const QMimeData& mime) {
    const auto urls = mime.urls();
    return std::any_of(urls.begin(), urls.end(), [](const QUrl& url) { return url.isLocalFile(); });
}

}  // namespace

bool MainWindow::eventFilter(QObject* watched, QEvent* event) {
    const auto type = event->type();
    if (type != QEvent::DragEnter && type != QEvent::DragMove && type != QEvent::Drop)
        return QMainWindow::eventFilter(watched, event);
    auto* drag = static_cast<QDropEvent*>(event);
    if (drag->mimeData() == nullptr || !has_files(*drag->mimeData()) || !belongs_to(window_of(watched), this))
        return QMainWindow::eventFilter(watched, event);
    // Never as a move: the file stays where it is.
    drag->setDropAction(Qt::CopyAction);
    drag->accept();
    if (type == QEvent::Drop) open_dropped(*drag->mimeData());
    return true;
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    if (event->mimeData()->hasUrls()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
    event->acceptProposedAction();
    open_dropped(*event->mimeData());
}

void MainWindow::open_dropped(const QMimeData& files) {
    QStringList paths;
    for (const auto& url : files.urls())
        if (url.isLocalFile())
            paths << url.toLocalFile();
        else
            say(tr("%1 is not a file on this machine; save it first.").arg(url.toString()), true);
    open_paths(paths);
}

}  // namespace casp::gui

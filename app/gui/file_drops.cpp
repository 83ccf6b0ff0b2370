#include "gui/file_drops.h"

#include <algorithm>
#include <utility>

#include <QApplication>
#include <QDialog>
#include <QDropEvent>
#include <QLabel>
#include <QMimeData>
#include <QUrl>
#include <QWindow>

#include "panels/forecasts/forecasts_page.h"

namespace casp::gui {

namespace {

/// The window that an event of a widget or of the window system goes to.
QWidget* window_of(QObject* watched) {
    if (watched->isWidgetType()) return static_cast<QWidget*>(watched)->window();
    if (watched->isWindowType())
        for (auto* widget : QApplication::topLevelWidgets())
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

QStringList paths_of(const QMimeData& mime) {
    QStringList paths;
    for (const auto& url : mime.urls())
        if (url.isLocalFile()) paths << url.toLocalFile();
    return paths;
}

/// The page below the pointer that takes these files itself, and what it does with them.
struct Target {
    widgets::ForecastsPage* page = nullptr;
    QString text;
};

Target target_of(QObject* watched, const QDropEvent& drag) {
    auto* widget = watched->isWidgetType() ? static_cast<QWidget*>(watched) : window_of(watched);
    if (auto* child = widget->childAt(drag.position().toPoint())) widget = child;
    for (; widget != nullptr && !widget->isWindow(); widget = widget->parentWidget())
        if (auto* page = qobject_cast<widgets::ForecastsPage*>(widget)) {
            const auto text = page->drop_text(paths_of(*drag.mimeData()));
            return text.isEmpty() ? Target() : Target{page, text};
        }
    return {};
}

}  // namespace

FileDrops::FileDrops(QWidget& window, std::function<QString(const QStringList& paths)> describe)
    : QObject(&window), window_(window), describe_(std::move(describe)) {
    qApp->installEventFilter(this);
}

bool FileDrops::eventFilter(QObject* watched, QEvent* event) {
    const auto type = event->type();
    if (type == QEvent::DragLeave && overlay_) show_over(nullptr, {});
    if (type != QEvent::DragEnter && type != QEvent::DragMove && type != QEvent::Drop) return false;
    auto* drag = static_cast<QDropEvent*>(event);
    if (drag->mimeData() == nullptr || !has_files(*drag->mimeData()) ||
        !belongs_to(window_of(watched), &window_))
        return false;
    // Never as a move: the file stays where it is.
    drag->setDropAction(Qt::CopyAction);
    drag->accept();
    const auto target = target_of(watched, *drag);
    if (type != QEvent::Drop) {
        const auto paths = paths_of(*drag->mimeData());
        if (std::exchange(described_, paths) != paths) description_ = describe_(paths);
        if (target.page != nullptr)
            show_over(target.page, target.text);
        else
            show_over(window_of(watched), description_);
        return true;
    }
    show_over(nullptr, {});
    described_.clear();
    if (target.page != nullptr)
        target.page->drop(paths_of(*drag->mimeData()));
    else
        take(*drag->mimeData());
    return true;
}

void FileDrops::show_over(QWidget* area, const QString& text) {
    if (overlay_ && (overlay_->parentWidget() != area || text.isEmpty())) {
        delete overlay_.data();
        overlay_ = nullptr;
    }
    if (area == nullptr || text.isEmpty()) return;
    if (!overlay_) {
        overlay_ = new QLabel(area);
        overlay_->setObjectName(QStringLiteral("drop-text"));
        overlay_->setAttribute(Qt::WA_TransparentForMouseEvents);
        overlay_->setAlignment(Qt::AlignCenter);
        overlay_->setWordWrap(true);
        overlay_->setTextFormat(Qt::PlainText);
        overlay_->setFrameStyle(QFrame::Box | QFrame::Raised);
        overlay_->setLineWidth(2);
        overlay_->setMargin(24);
        overlay_->setAutoFillBackground(true);
        auto colours = area->palette();
        auto ground = colours.color(QPalette::Base);
        ground.setAlphaF(0.85F);
        colours.setColor(QPalette::Window, ground);
        for (const auto role : {QPalette::Light, QPalette::Dark})  // of the frame
            colours.setColor(role, colours.color(QPalette::Highlight));
        overlay_->setPalette(colours);
        auto font = area->font();
        font.setPointSizeF(1.3 * font.pointSizeF());
        overlay_->setFont(font);
    }
    overlay_->setText(text);
    overlay_->setGeometry(area->rect());
    overlay_->raise();
    overlay_->show();
}

void FileDrops::take(const QMimeData& files) {
    for (const auto& url : files.urls())
        if (!url.isLocalFile())
            Q_EMIT refused(
                tr("Save %1 as a file first: only files on this machine can be opened.").arg(url.toString()));
    Q_EMIT dropped(paths_of(files));
}

}  // namespace casp::gui

#include "gui/info_bar.h"

#include <algorithm>
#include <utility>

#include <QApplication>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QStyle>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

namespace casp::gui {

InfoBar::InfoBar(QWidget* parent) : QFrame(parent), rows_(new QVBoxLayout(this)) {
    rows_->setContentsMargins(0, 0, 0, 0);
    rows_->setSpacing(1);
    setAccessibleName(tr("Messages"));
    if (parent != nullptr) parent->installEventFilter(this);
    hide();
}

void InfoBar::place() {
    const auto* area = parentWidget();
    if (area == nullptr || isHidden()) return;
    constexpr int margin = 8, widest = 1100;
    const int width = std::clamp(area->width() - 2 * margin, 1, widest);
    const int wanted = rows_->hasHeightForWidth() ? rows_->totalHeightForWidth(width) : sizeHint().height();
    const int height = std::min(wanted, std::max(1, area->height() - 2 * margin));
    setGeometry((area->width() - width) / 2, area->height() - margin - height, width, height);
    raise();
}

bool InfoBar::event(QEvent* event) {
    const bool done = QFrame::event(event);
    if (event->type() == QEvent::LayoutRequest || event->type() == QEvent::Show) place();
    return done;
}

bool InfoBar::eventFilter(QObject* watched, QEvent* event) {
    if (watched == parentWidget() && event->type() == QEvent::Resize) place();
    if (!unseen_.empty() &&
        (event->type() == QEvent::KeyPress || event->type() == QEvent::MouseButtonPress)) {
        for (const auto& [row, seconds] : std::exchange(unseen_, {}))
            if (row) close_after(row, seconds);
        qApp->removeEventFilter(this);
    }
    return QFrame::eventFilter(watched, event);
}

void InfoBar::show_message(const QString& key, const QString& text, bool error,
                           const std::vector<InfoButton>& buttons, int seconds, bool closable) {
    remove(key);
    auto* row = new QFrame(this);
    row->setObjectName(key);
    row->setFrameShape(QFrame::StyledPanel);
    row->setAutoFillBackground(true);
    row->setBackgroundRole(QPalette::ToolTipBase);
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(8, 4, 6, 4);
    auto* icon = new QLabel(row);
    icon->setPixmap(
        style()
            ->standardIcon(error ? QStyle::SP_MessageBoxWarning : QStyle::SP_MessageBoxInformation)
            .pixmap(18, 18));
    icon->setAccessibleName(error ? tr("Problem") : tr("Note"));
    layout->addWidget(icon, 0, Qt::AlignTop);
    auto* label = new QLabel(text, row);
    label->setObjectName(QStringLiteral("text"));
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    label->setForegroundRole(QPalette::ToolTipText);
    label->setAccessibleName(text);
    label->setToolTip(tr("Text can be selected and copied"));
    layout->addWidget(label, 1);
    for (const auto& button : buttons) {
        auto* push = new QPushButton(button.text, row);
        push->setToolTip(button.tip.isEmpty() ? button.text : button.tip);
        push->setAccessibleName(button.text);
        connect(push, &QPushButton::clicked, this, [this, key, pressed = button.pressed] {
            remove(key);
            if (pressed) pressed();
        });
        layout->addWidget(push, 0, Qt::AlignTop);
    }
    if (closable) {
        auto* close = new QToolButton(row);
        close->setText(QStringLiteral("✕"));
        close->setAutoRaise(true);
        close->setToolTip(tr("Close this message"));
        close->setAccessibleName(tr("Close this message"));
        connect(close, &QToolButton::clicked, this, [this, key] { remove(key); });
        layout->addWidget(close, 0, Qt::AlignTop);
    }
    rows_->insertWidget(0, row);
    show();
    place();
    if (seconds > 0 && error) {
        unseen_.emplace_back(row, seconds);
        qApp->installEventFilter(this);
    } else if (seconds > 0) {
        close_after(row, seconds);
    }
}

void InfoBar::close_after(QWidget* row, int seconds) {
    auto* timer = new QTimer(row);
    connect(timer, &QTimer::timeout, this, [this, row] {
        if (!row->underMouse()) remove(row->objectName());
    });
    timer->start(seconds * 1000);
}

void InfoBar::remove(const QString& key) {
    int left = 0;
    for (int i = rows_->count() - 1; i >= 0; --i) {
        auto* row = rows_->itemAt(i)->widget();
        if (row->objectName() != key) {
            ++left;
            continue;
        }
        rows_->removeWidget(row);
        row->hide();
        row->setObjectName({});
        row->deleteLater();
    }
    if (left == 0)
        hide();
    else
        place();
}

void InfoBar::set_text(const QString& key, const QString& text) {
    auto* label = label_of(key);
    if (label == nullptr) return;
    label->setText(text);
    label->setAccessibleName(text);
    place();
}

bool InfoBar::has(const QString& key) const {
    return findChild<QFrame*>(key, Qt::FindDirectChildrenOnly) != nullptr;
}

QLabel* InfoBar::label_of(const QString& key) const {
    const auto* row = findChild<QFrame*>(key, Qt::FindDirectChildrenOnly);
    return row == nullptr ? nullptr : row->findChild<QLabel*>(QStringLiteral("text"));
}

QString InfoBar::text(const QString& key) const {
    const auto* label = label_of(key);
    return label == nullptr ? QString() : label->text();
}

}  // namespace casp::gui

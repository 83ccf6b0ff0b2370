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

InfoBar::InfoBar(QWidget* strip) : QFrame(strip), rows_(new QVBoxLayout), others_(new QPushButton(this)) {
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(rows_, 1);
    layout->addWidget(others_, 0, Qt::AlignTop);
    rows_->setContentsMargins(0, 0, 0, 0);
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::ToolTipBase);
    setAccessibleName(tr("Messages"));
    others_->setFlat(true);
    others_->setToolTip(tr("Show the next message"));
    connect(others_, &QPushButton::clicked, this, [this] {
        auto* first = rows_->itemAt(0)->widget();
        rows_->removeWidget(first);
        rows_->addWidget(first);
        show_first();
    });
    hide();
    if (strip == nullptr) return;
    strip->installEventFilter(this);
    place();
}

void InfoBar::show_first() {
    const int count = rows_->count();
    for (int i = 0; i < count; ++i) rows_->itemAt(i)->widget()->setVisible(i == 0);
    others_->setText(QStringLiteral("+%1").arg(count - 1));
    others_->setAccessibleName(tr("Other messages: %1").arg(count - 1));
    others_->setVisible(count > 1);
    setVisible(count > 0);
    place();
}

void InfoBar::place() {
    auto* strip = parentWidget();
    if (strip == nullptr) return;
    // Before the window is laid out, the width is not known.
    const int wanted = isVisible() ? layout()->heightForWidth(strip->width()) : 0;
    const int usual = others_->sizeHint().height(), most = std::max(usual, strip->window()->height() / 2);
    // As high as with a message of one line, so that nothing moves.
    strip->setMinimumHeight(std::clamp(wanted, usual, most));
    setGeometry(strip->rect());
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
            if (row) close_after(row, seconds, true);
        qApp->removeEventFilter(this);
    }
    return QFrame::eventFilter(watched, event);
}

void InfoBar::show_message(const QString& key, const QString& text, bool error,
                           const std::vector<InfoButton>& buttons, int seconds, bool closable) {
    remove(key);
    auto* row = new QFrame(this);
    row->setObjectName(key);
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(8, 0, 6, 0);
    auto* icon = new QLabel(row);
    icon->setPixmap(
        style()
            ->standardIcon(error ? QStyle::SP_MessageBoxWarning : QStyle::SP_MessageBoxInformation)
            .pixmap(18, 18));
    icon->setAccessibleName(error ? tr("Problem") : tr("Note"));
    layout->addWidget(icon);
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
    show_first();
    if (seconds > 0 && error) {
        unseen_.emplace_back(row, seconds);
        qApp->installEventFilter(this);
    } else if (seconds > 0) {
        close_after(row, seconds, false);
    }
}

void InfoBar::close_after(QWidget* row, int seconds, bool error) {
    auto* timer = new QTimer(row);
    connect(timer, &QTimer::timeout, this, [this, row, error] {
        if (!row->underMouse() && !(error && row->isHidden())) remove(row->objectName());
    });
    timer->start(seconds * 1000);
}

void InfoBar::remove(const QString& key) {
    for (int i = rows_->count() - 1; i >= 0; --i) {
        auto* row = rows_->itemAt(i)->widget();
        if (row->objectName() != key) continue;
        rows_->removeWidget(row);
        row->hide();
        row->setObjectName({});
        row->deleteLater();
    }
    show_first();
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

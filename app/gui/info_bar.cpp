#include "gui/info_bar.h"

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
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    hide();
}

void InfoBar::show_message(const QString& key, const QString& text, bool error,
                           const std::vector<InfoButton>& buttons, int seconds) {
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
    label->setToolTip(tr("The text can be selected and copied"));
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
    auto* close = new QToolButton(row);
    close->setText(QStringLiteral("✕"));
    close->setAutoRaise(true);
    close->setToolTip(tr("Close this message"));
    close->setAccessibleName(tr("Close this message"));
    connect(close, &QToolButton::clicked, this, [this, key] { remove(key); });
    layout->addWidget(close, 0, Qt::AlignTop);
    rows_->insertWidget(0, row);
    show();
    if (seconds > 0) QTimer::singleShot(seconds * 1000, row, [this, key] { remove(key); });
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
    if (left == 0) hide();
}

void InfoBar::set_text(const QString& key, const QString& text) {
    auto* label = label_of(key);
    if (label == nullptr) return;
    label->setText(text);
    label->setAccessibleName(text);
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

#include "panels/runs/runs_banner.h"

#include <utility>

#include <QHBoxLayout>

#include "panels/runs/runs_panel.h"
#include "panels/view/icons.h"
#include "panels/view/view_flow.h"

namespace casp::widgets {

QString runs_text(qsizetype count) {
    return count == 1 ? RunsPanel::tr("1 run") : RunsPanel::tr("%1 runs").arg(count);
}

RunsBanner::RunsBanner(QWidget* parent)
    : QWidget(parent),
      sign_(new QLabel(this)),
      label_(new QLabel(this)),
      button_(new QPushButton(this)),
      close_(new QToolButton(this)) {
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::AlternateBase);
    setAccessibleName(tr("Notification"));
    label_->setWordWrap(true);
    label_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    label_->setTextFormat(Qt::PlainText);
    named(label_, tr("Message"), tr("Notification of this panel"));
    named(button_, tr("Undo"), tr("Undoes the last action"));
    close_->setText(QStringLiteral("✕"));
    close_->setAutoRaise(true);
    named(close_, tr("Close this message"), tr("Close this message"));
    auto* layout = make_layout<QHBoxLayout>(this, {8, 4, 4, 4});
    layout->addWidget(sign_);
    layout->addWidget(label_, 1);
    add_widgets(layout, {button_, close_});
    connect(close_, &QToolButton::clicked, this, &QWidget::hide);
    connect(button_, &QPushButton::clicked, this, [this] {
        hide();
        if (const auto act = std::exchange(act_, {})) act();
    });
    hide();
}

void RunsBanner::show_text(const QString& text, bool warning, const QString& action,
                           std::function<void()> act) {
    label_->setText(text);
    label_->setAccessibleDescription(text);
    sign_->setVisible(warning);
    if (warning) sign_->setPixmap(glyph_icon(Glyph::warning, warning_colour(palette())).pixmap(16, 16));
    button_->setVisible(!action.isEmpty());
    button_->setText(action);
    named(button_, action, action);
    act_ = std::move(act);
    show();
}

}  // namespace casp::widgets

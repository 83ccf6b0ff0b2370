#include "panels/data/data_problem_box.h"

#include <QEvent>
#include <QVBoxLayout>

#include "panels/data/data_text.h"
#include "panels/view/icons.h"
#include "panels/view/view_flow.h"
#include "words/mnemonic.h"

namespace casp::widgets {

DataProblemBox::DataProblemBox(QWidget* parent)
    : QFrame(parent), text_(new QLabel(this)), buttons_(new QHBoxLayout) {
    setFrameShape(QFrame::NoFrame);
    setAutoFillBackground(true);
    text_->setWordWrap(true);
    text_->setTextFormat(Qt::RichText);
    text_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    auto* layout = make_layout<QVBoxLayout>(this, {12, 8, 12, 8});
    layout->addWidget(text_);
    layout->addLayout(buttons_);
    buttons_->addStretch();
    hide();
}

QPushButton* DataProblemBox::add_button(const QString& text, const QString& tip) {
    auto* button = new QPushButton(text, this);
    named(button, without_mnemonic(text), tip);
    buttons_->insertWidget(buttons_->count() - 1, button);
    return button;
}

void DataProblemBox::set_problem(const DataProblem& problem) {
    problem_ = problem;
    refresh();
    setVisible(problem.is_set());
}

void DataProblemBox::refresh() {
    refreshing_ = true;
    const QPalette from = parentWidget() != nullptr ? parentWidget()->palette() : palette();
    const QColor colour = error_colour(from);
    QPalette own = from;
    own.setColor(QPalette::Window, blended(from.color(QPalette::Window), colour, 0.12));
    setPalette(own);
    QString found = problem_.found;
    if (!found.isEmpty()) found[0] = found[0].toUpper();
    QString html = QStringLiteral("<p style='margin:0'><b style='color:%1'>✕ %2</b></p>")
                       .arg(colour.name(), found.toHtmlEscaped());
    const auto line = [&](const QString& title, const QString& text) {
        if (text.isEmpty()) return;
        html += QStringLiteral("<p style='margin:2px 0 0 0'>%1%2</p>")
                    .arg(title.isEmpty() ? QString() : title + QStringLiteral(": "), text.toHtmlEscaped());
    };
    line(tr("Where"), problem_.where);
    line(tr("Expected"), problem_.expected);
    line({}, problem_.advice);
    text_->setText(html);
    named(text_, problem_.text(), tr("Text can be selected and copied"));
    refreshing_ = false;
}

void DataProblemBox::changeEvent(QEvent* event) {
    QFrame::changeEvent(event);
    if (!refreshing_ && (event->type() == QEvent::PaletteChange || event->type() == QEvent::ParentChange) &&
        text_ != nullptr)
        refresh();
}

}  // namespace casp::widgets

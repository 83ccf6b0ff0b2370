#include "panels/experiment/toml_view.h"

#include <algorithm>

#include <QEvent>
#include <QFontDatabase>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QRegularExpression>
#include <QScrollBar>
#include <QTextBlock>
#include <QVBoxLayout>

#include "panels/experiment/option_text.h"
#include "panels/view/view_flow.h"

namespace casp::widgets {

namespace {

const auto place_name = QStringLiteral("TOML");

}  // namespace

TomlView::TomlView(ExperimentModel& model, QWidget* parent) : QWidget(parent), model_(model) {
    text_ = new QPlainTextEdit(this);
    text_->setReadOnly(true);
    text_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    text_->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    text_->setLineWrapMode(QPlainTextEdit::NoWrap);
    text_->setTabChangesFocus(true);
    named(
        text_, tr("Resolved experiment as TOML"),
        tr("All settings of the experiment as a TOML file. Highlighted lines differ from the preset, file or "
           "defaults."));
    note_ = new QLabel(this);
    note_->setWordWrap(true);
    problems_ = named(new QListWidget(this), tr("Problems of the TOML text"),
                      tr("Press Enter or click to go to the place in the text"));
    problems_->setWordWrap(true);
    problems_->setTextElideMode(Qt::ElideNone);
    problems_->setSizeAdjustPolicy(QAbstractScrollArea::AdjustToContents);
    problems_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    problems_->setMaximumHeight(150);
    problems_->hide();
    const auto button = [this](const QString& text, const QString& tooltip) {
        auto* made = named(new QPushButton(text, this), tooltip, tooltip);
        made->setAutoDefault(false);
        return made;
    };
    edit_ = button(tr("Edit text"), tr("Edit the TOML text in place"));
    apply_ = button(tr("Apply"), tr("Read the text into the form (Ctrl+Enter)"));
    discard_ = button(tr("Discard"), tr("Discard the edited text and keep the experiment"));
    auto* buttons = new QHBoxLayout;
    add_widgets(buttons, {edit_, apply_, discard_});
    buttons->addStretch();
    auto* layout = make_layout<QVBoxLayout>(this, {}, 4);
    layout->addWidget(text_, 1);
    add_widgets(layout, {note_, problems_});
    layout->addLayout(buttons);
    setProperty("help_topic", QStringLiteral("toml"));

    connect(edit_, &QPushButton::clicked, this, &TomlView::begin_edit);
    connect(apply_, &QPushButton::clicked, this, &TomlView::apply);
    connect(discard_, &QPushButton::clicked, this, &TomlView::discard);
    const auto jump = [this](QListWidgetItem* item) {
        go_to(item->data(Qt::UserRole).toInt(), item->data(Qt::UserRole + 1).toInt());
    };
    connect(problems_, &QListWidget::itemActivated, this, jump);
    connect(problems_, &QListWidget::itemClicked, this, jump);
    text_->installEventFilter(this);
    connect(&model_, &ExperimentModel::changed, this, [this] {
        if (!is_editing())
            refresh();
        else
            note_->setText(
                tr("The form has changed since you started editing; Apply overwrites that change."));
        note_->setVisible(is_editing());
    });
    discard();
}

void TomlView::begin_edit() {
    if (is_editing()) return;
    text_->setReadOnly(false);
    text_->setExtraSelections({});
    edit_->hide();
    apply_->show();
    discard_->show();
    text_->setFocus();
}

void TomlView::edit_cases() {
    begin_edit();
    const auto table = QStringLiteral("[[sweep.case]]");
    if (!text().contains(table))
        text_->appendPlainText(QLatin1Char('\n') + table +
                               QStringLiteral("\nlabel = \"without coverage\"\nloss.lambda_cov = 0"));
    text_->setTextCursor(text_->document()->find(table));
    text_->setFocus();
}

void TomlView::set_draft(const QString& text) {
    if (text.isEmpty()) return;
    begin_edit();
    text_->setPlainText(text);
}

bool TomlView::apply() {
    const auto problems = model_.edit_from_toml(text(), place_name, {});
    if (!problems.isEmpty()) {
        show_problems(problems);
        return false;
    }
    discard();
    return true;
}

void TomlView::discard() {
    const bool focus = text_->hasFocus() || apply_->hasFocus() || discard_->hasFocus();
    text_->setReadOnly(true);
    text_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    edit_->show();
    apply_->hide();
    discard_->hide();
    note_->hide();
    problems_->clear();
    problems_->hide();
    if (focus) edit_->setFocus();
    refresh();
}

void TomlView::show_problems(const QString& problems) {
    problems_->clear();
    static const QRegularExpression place(QStringLiteral("^TOML:(\\d+)(?::(\\d+))?[:：]\\s*"));
    for (const auto& line : problems.split(u'\n', Qt::SkipEmptyParts)) {
        const auto match = place.match(line);
        auto* item = new QListWidgetItem(problems_);
        const auto row = match.captured(1).toInt();
        const auto column = std::max(1, match.captured(2).toInt());
        const auto text =
            match.hasMatch()
                ? tr("Line %1, column %2: %3").arg(row).arg(column).arg(line.mid(match.capturedLength()))
                : line;
        item->setText(QStringLiteral("⚠ ") + text);
        item->setForeground(tone_colour(palette(), Tone::error));
        item->setData(Qt::UserRole, row);
        item->setData(Qt::UserRole + 1, column);
    }
    problems_->show();
    if (problems_->count() > 0) {
        problems_->setCurrentRow(0);
        go_to(problems_->item(0)->data(Qt::UserRole).toInt(),
              problems_->item(0)->data(Qt::UserRole + 1).toInt());
    }
}

void TomlView::go_to(int line, int column) {
    if (line < 1) return;
    const auto block = text_->document()->findBlockByNumber(line - 1);
    if (!block.isValid()) return;
    QTextCursor cursor(block);
    cursor.movePosition(QTextCursor::Right, QTextCursor::MoveAnchor,
                        std::min(column - 1, std::max(0, block.length() - 1)));
    text_->setTextCursor(cursor);
    text_->setFocus();
}

void TomlView::refresh() {
    const auto toml = model_.to_toml();
    if (toml != text()) {
        const auto place = text_->verticalScrollBar()->value();
        text_->setPlainText(toml);
        text_->verticalScrollBar()->setValue(place);
    }
    mark_changes();
}

void TomlView::mark_changes() {
    marked_.clear();
    QList<QTextEdit::ExtraSelection> marks;
    QTextCharFormat format;
    auto ground = tone_colour(palette(), Tone::accent);
    ground.setAlphaF(0.16F);
    format.setBackground(ground);
    format.setProperty(QTextFormat::FullWidthSelection, true);
    QString table;
    const auto changed = model_.changed_keys();
    for (auto block = text_->document()->begin(); block.isValid(); block = block.next()) {
        const auto line = block.text();
        if (line.startsWith(u'[')) table = line.mid(1, line.indexOf(u']') - 1);
        const auto equals = line.indexOf(QStringLiteral(" = "));
        if (equals < 0) continue;
        const auto member = line.left(equals);
        const auto key = table.isEmpty() ? member : table + u'.' + member;
        // Every line of [sweep] and [[sweep.case]] was set by the user.
        const bool of_sweep = table == QStringLiteral("sweep") || table == QStringLiteral("[sweep.case");
        if (!changed.contains(key) && !of_sweep) continue;
        marked_.append(key);
        marks.append({QTextCursor(block), format});
    }
    text_->setExtraSelections(marks);
}

/// While editing, Ctrl+Enter applies the text instead of triggering the window's shortcut (Run).
bool TomlView::eventFilter(QObject* object, QEvent* event) {
    const bool shortcut = event->type() == QEvent::ShortcutOverride;
    if (object == text_ && is_editing() && (shortcut || event->type() == QEvent::KeyPress)) {
        const auto* key = static_cast<const QKeyEvent*>(event);
        const bool enter = key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter;
        if (enter && (key->modifiers() & ~Qt::KeypadModifier) == Qt::ControlModifier) {
            event->accept();
            if (!shortcut) apply();
            return true;
        }
    }
    return QWidget::eventFilter(object, event);
}

void TomlView::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && text_ != nullptr && !is_editing()) mark_changes();
}

}  // namespace casp::widgets

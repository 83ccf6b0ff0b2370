#include "gui/command_palette.h"

#include <algorithm>

#include <QCoreApplication>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QVBoxLayout>

#include "gui/actions.h"
#include "gui/language.h"
#include "words/mnemonic.h"

namespace casp::gui {

namespace {

QString plain(const QString& text) {
    QString folded = text.normalized(QString::NormalizationForm_D).toCaseFolded();
    QString letters;
    for (const QChar c : folded)
        if (c.category() != QChar::Mark_NonSpacing) letters += c;
    return letters;
}

}  // namespace

int fuzzy_score(const QString& query, const QString& text) {
    const QString q = plain(query.simplified()), t = plain(widgets::without_mnemonic(text));
    if (q.isEmpty()) return 1;
    int score = 1, run = 0;
    qsizetype at = 0;
    for (const QChar c : q) {
        if (c.isSpace()) {
            run = 0;
            continue;
        }
        // Prefer the letter right after the last hit, then the beginning of a word, then any.
        qsizetype hit = -1;
        if (run > 0 && at < t.size() && t[at] == c) hit = at;
        for (qsizetype i = at; hit < 0 && i < t.size(); ++i)
            if (t[i] == c && (i == 0 || !t[i - 1].isLetterOrNumber())) hit = i;
        if (hit < 0) hit = t.indexOf(c, at);
        if (hit < 0) return 0;
        const bool beginning = hit == 0 || !t[hit - 1].isLetterOrNumber();
        run = hit == at && run > 0 ? run + 1 : 1;
        score += (beginning ? 8 : 0) + 3 * run - static_cast<int>(std::min<qsizetype>(hit - at, 4));
        at = hit + 1;
    }
    if (t.contains(q)) score += 20;
    return std::max(score, 1);
}

CommandPalette::CommandPalette(const ActionList& actions, QWidget* window)
    : QFrame(window), actions_(actions), query_(new QLineEdit(this)), list_(new QListWidget(this)) {
    setObjectName("command-palette");
    setFrameShape(QFrame::StyledPanel);
    setAutoFillBackground(true);
    setAccessibleName(tr("Command palette"));
    query_->setPlaceholderText(tr("Search actions and settings"));
    query_->setAccessibleName(tr("Search actions and settings"));
    query_->setToolTip(
        tr("Type a few letters of an action or a setting. Enter runs the action or goes to the setting, Esc "
           "closes the list."));
    query_->setClearButtonEnabled(true);
    list_->setAccessibleName(tr("Actions found"));
    list_->setToolTip(tr("Matching actions; Enter or a click runs one"));
    list_->setUniformItemSizes(true);
    list_->setSpacing(2);
    list_->setAlternatingRowColors(true);
    list_->setFocusPolicy(Qt::NoFocus);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 8, 8, 8);
    layout->addWidget(query_);
    layout->addWidget(list_);
    query_->installEventFilter(this);
    window->installEventFilter(this);
    connect(query_, &QLineEdit::textChanged, this, &CommandPalette::refill);
    connect(list_, &QListWidget::itemClicked, this, [this] { run_current(); });
    hide();
}

void CommandPalette::open() {
    const auto* window = parentWidget();
    const int width = std::min(560, window->width() - 40);
    resize(width, std::min(420, window->height() - 80));
    move((window->width() - width) / 2, 48);
    if (!isVisible()) before_ = window->focusWidget();
    query_->clear();
    refill();
    show();
    raise();
    query_->setFocus(Qt::PopupFocusReason);
}

void CommandPalette::leave() {
    hide();
    (before_ != nullptr && before_->isVisible() ? before_.data() : parentWidget())
        ->setFocus(Qt::PopupFocusReason);
}

void CommandPalette::add_actions(const QList<QAction*>& actions, const QString& menu) {
    for (auto* action : actions)
        if (!action->isSeparator() && !action->text().isEmpty())
            more_.push_back({action, menu, action->toolTip()});
}

std::vector<CommandPalette::Candidate> CommandPalette::candidates() const {
    std::vector<Candidate> all;
    for (const auto& entry : actions_.entries())
        all.push_back({entry.action, entry.spec.menu, entry.spec.keywords});
    for (const auto& extra : more_)
        if (extra.action != nullptr) all.push_back(extra);
    return all;
}

void CommandPalette::refill() {
    std::vector<std::pair<int, Candidate>> scored;
    for (auto& candidate : candidates()) {
        auto text = candidate.action->text() + ' ' + candidate.menu + ' ' + candidate.keywords;
        // Whoever types English finds it as well: "run.start", "view.theme-dark".
        if (language_in_use() != QLatin1String("en")) text += ' ' + candidate.action->objectName();
        if (const int score = fuzzy_score(query_->text(), text); score > 0)
            scored.emplace_back(score, std::move(candidate));
    }
    std::stable_sort(scored.begin(), scored.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    list_->clear();
    found_.clear();
    for (auto& [score, candidate] : scored) {
        const auto text = widgets::without_mnemonic(candidate.action->text());
        const auto keys = candidate.action->shortcut().toString(QKeySequence::NativeText);
        auto* item = new QListWidgetItem(text + (keys.isEmpty() ? QString() : "   " + keys) + "   –  " +
                                             widgets::without_mnemonic(candidate.menu),
                                         list_);
        item->setToolTip(candidate.action->toolTip());
        if (!candidate.action->isEnabled()) item->setFlags(item->flags() & ~Qt::ItemIsEnabled);
        found_.push_back(std::move(candidate));
    }
    if (found_.empty()) {
        auto* nothing = new QListWidgetItem(tr("No action or setting matches; try fewer letters"), list_);
        nothing->setFlags(Qt::NoItemFlags);
    }
    list_->setCurrentRow(0);
}

void CommandPalette::run_current() {
    const int row = list_->currentRow();
    if (row < 0 || row >= static_cast<int>(found_.size())) return;
    const auto action = found_[static_cast<std::size_t>(row)].action;
    if (action == nullptr || !action->isEnabled()) return;
    // It may name another run since it was listed.
    if (!list_->item(row)->text().startsWith(widgets::without_mnemonic(action->text()) + "   "))
        return refill();
    leave();
    action->trigger();
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event) {
    // Esc clears the selection in the rest of the window; here it closes.
    if (watched == query_ && event->type() == QEvent::ShortcutOverride &&
        static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
        event->accept();
        return true;
    }
    if (watched == query_ && event->type() == QEvent::KeyPress) {
        const auto key = static_cast<QKeyEvent*>(event)->key();
        switch (key) {
            case Qt::Key_Escape:
                leave();
                return true;
            case Qt::Key_Return:
            case Qt::Key_Enter:
                run_current();
                return true;
            case Qt::Key_Down:
            case Qt::Key_Up:
            case Qt::Key_PageDown:
            case Qt::Key_PageUp:
                QCoreApplication::sendEvent(list_, event);
                return true;
            default:
                break;
        }
    }
    if (watched == query_ && event->type() == QEvent::FocusOut && isVisible()) hide();
    return QFrame::eventFilter(watched, event);
}

}  // namespace casp::gui

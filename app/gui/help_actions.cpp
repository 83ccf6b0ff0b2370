#include <QApplication>
#include <QHash>
#include <QRegularExpression>
#include <QStringList>

#include "gui/about_dialog.h"
#include "gui/docks.h"
#include "gui/help_panel.h"
#include "gui/menus.h"
#include "words/mnemonic.h"

namespace casp::gui {

namespace {

/// The topic of the focused widget.
void show_help_here(Docks& docks, HelpPanel& panel) {
    QString topic = QStringLiteral("start");
    for (const auto* at = qApp->focusWidget(); at != nullptr; at = at->parentWidget())
        if (const auto found = at->property("help_topic"); found.isValid()) {
            topic = found.toString();
            break;
        }
    if (topic != QLatin1String("help")) panel.show_topic(topic);
    docks.show("help");
}

/// A menu's text without its mnemonic, escaped for a Markdown table.
QString cell(const QString& text) {
    return widgets::without_mnemonic(text).replace(QLatin1Char('|'), QStringLiteral("\\|")).trimmed();
}

QString keys_of(const QAction& action) {
    static const QRegularExpression markdown(QStringLiteral("([\\\\`*_\\[\\]<>|])"));
    QStringList keys;
    for (const auto& key : action.shortcuts())
        if (!key.isEmpty())
            keys << key.toString(QKeySequence::NativeText).replace(markdown, QStringLiteral("\\\\1"));
    return keys.join(QObject::tr(" or "));
}

QString row(const QString& keys, const QString& text) {
    return keys.isEmpty() ? QString() : QStringLiteral("| %1 | %2 |\n").arg(keys, cell(text));
}

QString table(const QString& title, const QString& rows) {
    if (rows.isEmpty()) return {};
    return QStringLiteral("## %1\n\n| %2 | %3 |\n|---|---|\n%4\n")
        .arg(title, QObject::tr("keys"), QObject::tr("what"), rows);
}

}  // namespace

void show_help(Docks& docks, HelpPanel& panel, const QString& topic) {
    panel.show_topic(topic);
    docks.show("help");
}

void add_help_actions(ActionList& actions, Docks& docks, HelpPanel& panel, QWidget* window) {
    const auto menu = QObject::tr("&Help");
    actions.add(
        {"help.here", menu, QObject::tr("&Help on this panel"), QObject::tr("Explains the current panel"),
         QKeySequence(Qt::Key_F1), QObject::tr("explain manual")},
        [&docks, &panel] { show_help_here(docks, panel); });
    actions.add({"help.keyboard", menu, QObject::tr("&Keyboard"), QObject::tr("All shortcuts"), "Ctrl+F1",
                 QObject::tr("shortcuts keys")},
                [&docks, &panel] { show_help(docks, panel, QStringLiteral("keyboard")); });
    actions.separate();
    actions.add(
        {"help.about", menu, QObject::tr("&About CASP Studio"), QObject::tr("Version, licences, how to cite"),
         "Ctrl+Shift+F1", QObject::tr("licence version citation")},
        [window] { (new AboutDialog(window))->open(); });
}

QString keyboard_tables(const ActionList& actions,
                        const std::vector<std::pair<QString, QList<QAction*>>>& more) {
    QStringList menus;
    QHash<QString, QString> rows;
    for (const auto& entry : actions.entries()) {
        if (!menus.contains(entry.spec.menu)) menus << entry.spec.menu;
        // Not the action's text, which may change with the state ("Undo λ_cov = 0.2", "Resume").
        rows[entry.spec.menu] += row(keys_of(*entry.action), entry.spec.text);
    }
    QString page;
    for (const auto& menu : std::as_const(menus))
        page += table(cell(menu).replace(QLatin1Char('/'), QStringLiteral(" → ")), rows[menu]);
    for (const auto& [title, list] : more) {
        QString lines;
        for (const auto* action : list) lines += row(keys_of(*action), action->text());
        page += table(cell(title), lines);
    }
    return page;
}

}  // namespace casp::gui

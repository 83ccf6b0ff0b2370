#include <QApplication>

#include "gui/about_dialog.h"
#include "gui/docks.h"
#include "gui/help_panel.h"
#include "gui/menus.h"

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
    actions.add({"help.keyboard", menu, QObject::tr("&Keyboard"), QObject::tr("All shortcuts"),
                 QKeySequence(QStringLiteral("Ctrl+F1")), QObject::tr("shortcuts keys")},
                [&docks, &panel] { show_help(docks, panel, QStringLiteral("keyboard")); });
    ActionSpec about{"help.about",
                     menu,
                     QObject::tr("&About CASP Studio"),
                     QObject::tr("Version, licences, how to cite"),
                     QKeySequence(QStringLiteral("Ctrl+Shift+F1")),
                     QObject::tr("licence version citation")};
    about.separator_before = true;
    actions.add(about, [window] { (new AboutDialog(window))->open(); });
}

}  // namespace casp::gui

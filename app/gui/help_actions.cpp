#include "gui/help_actions.h"

#include <QApplication>

#include "gui/about_dialog.h"
#include "gui/docks.h"
#include "gui/help_panel.h"

namespace casp::gui {

HelpActions::HelpActions(ActionList& actions, Docks& docks, HelpPanel& panel, QWidget* window)
    : QObject(window), docks_(docks), panel_(panel) {
    const auto menu = tr("&Help");
    actions.add({"help.here", menu, tr("&Help on this panel"), tr("Explains the current panel"),
                 QKeySequence(Qt::Key_F1), tr("explain manual")},
                [this] { show_here(); });
    actions.add({"help.keyboard", menu, tr("&Keyboard"), tr("All shortcuts"),
                 QKeySequence(QStringLiteral("Ctrl+F1")), tr("shortcuts keys")},
                [this] { show_topic(QStringLiteral("keyboard")); });
    ActionSpec about{"help.about",
                     menu,
                     tr("&About CASP Studio"),
                     tr("Version, licences, how to cite"),
                     QKeySequence(QStringLiteral("Ctrl+Shift+F1")),
                     tr("licence version citation")};
    about.separator_before = true;
    actions.add(about, [window] { (new AboutDialog(window))->open(); });
}

void HelpActions::show_topic(const QString& topic) {
    panel_.show_topic(topic);
    docks_.show("help");
}

void HelpActions::show_here() {
    QString topic = QStringLiteral("start");
    for (const auto* at = qApp->focusWidget(); at != nullptr; at = at->parentWidget())
        if (const auto found = at->property("help_topic"); found.isValid()) {
            topic = found.toString();
            break;
        }
    if (topic != QLatin1String("help")) panel_.show_topic(topic);
    docks_.show("help");
}

}  // namespace casp::gui

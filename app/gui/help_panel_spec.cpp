// The page Help in the list of pages.
#include <QObject>

#include "gui/help_panel.h"
#include "panels/view/page_spec.h"

namespace casp::gui {

widgets::PageSpec help_page_spec() {
    widgets::PageSpec spec;
    spec.id = QStringLiteral("help");
    spec.title = QObject::tr("Help");
    spec.area = widgets::PageArea::right;
    spec.open = false;
    spec.shortcut = QStringLiteral("Ctrl+Alt+H");
    spec.make = [](const widgets::PageContext&) { return new HelpPanel; };
    return spec;
}

}  // namespace casp::gui

// The page Get data or GPT-2 in the list of pages.
#include <QObject>

#include "gui/fetch_panel.h"
#include "panels/view/page_spec.h"

namespace casp::gui {

widgets::PageSpec fetch_page_spec() {
    widgets::PageSpec spec;
    spec.id = QStringLiteral("fetch");
    spec.title = QObject::tr("Get data or GPT-2");
    spec.area = widgets::PageArea::right;
    spec.open = false;
    spec.shortcut = QStringLiteral("Ctrl+Alt+G");
    spec.help = {{QStringLiteral("fetch"), QObject::tr("Get data and GPT-2")}};
    spec.make = [](const widgets::PageContext&) { return new FetchPanel; };
    return spec;
}

}  // namespace casp::gui

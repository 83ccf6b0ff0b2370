// The page Start in the list of pages.
#include <QObject>

#include "gui/start_page.h"
#include "panels/view/page_spec.h"

namespace casp::gui {

widgets::PageSpec start_page_spec() {
    widgets::PageSpec spec;
    spec.id = QStringLiteral("start");
    spec.title = QObject::tr("Start");
    spec.help = {{QStringLiteral("start"), QObject::tr("First steps")}};
    spec.make = [](const widgets::PageContext&) { return new StartPage; };
    return spec;
}

}  // namespace casp::gui

// The page Difference of settings in the list of pages.
#include <QObject>

#include "panels/compare/difference_panel.h"
#include "panels/view/page_spec.h"
#include "state/run_library.h"

namespace casp::widgets {

PageSpec difference_page_spec() {
    PageSpec spec;
    spec.id = QStringLiteral("difference");
    spec.title = QObject::tr("Difference of settings");
    spec.area = PageArea::bottom;
    spec.open = false;
    spec.shortcut = QStringLiteral("Ctrl+Alt+F");
    spec.help = {{QStringLiteral("difference"), QObject::tr("Difference of settings")}};
    spec.make = [](const PageContext& context) { return new DifferencePanel(context.library); };
    return spec;
}

}  // namespace casp::widgets

// The page Compare in the list of pages.
#include <QObject>

#include "panels/compare/compare_panel.h"
#include "panels/view/page_spec.h"
#include "state/run_library.h"
#include "state/selection.h"

namespace casp::widgets {

PageSpec compare_page_spec() {
    PageSpec spec;
    spec.id = QStringLiteral("compare");
    spec.title = QObject::tr("Compare");
    spec.help = {{QStringLiteral("compare"), QObject::tr("Compare")}};
    spec.make = [](const PageContext& context) {
        return new ComparePanel(context.library, context.selection);
    };
    return spec;
}

}  // namespace casp::widgets

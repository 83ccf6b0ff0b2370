// The page Anchors in the list of pages.
#include <QObject>

#include "panels/anchors/anchors_page.h"
#include "panels/view/page_spec.h"
#include "state/run_library.h"
#include "state/selection.h"

namespace casp::widgets {

PageSpec anchors_page_spec() {
    PageSpec spec;
    spec.id = QStringLiteral("anchors");
    spec.title = QObject::tr("Anchors");
    spec.keywords = QObject::tr("usage similarity selection concentration coverage inspector words");
    spec.help = {{QStringLiteral("anchors"), QObject::tr("Anchors")}};
    spec.make = [](const PageContext& context) {
        return new AnchorsPage(&context.library, &context.selection);
    };
    return spec;
}

}  // namespace casp::widgets

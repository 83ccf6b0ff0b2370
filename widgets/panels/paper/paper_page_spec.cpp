// The page Paper in the list of pages.
#include <QObject>

#include "panels/paper/paper_page.h"
#include "panels/view/page_spec.h"
#include "state/run_library.h"
#include "state/selection.h"

namespace casp::widgets {

PageSpec paper_page_spec() {
    PageSpec spec;
    spec.id = QStringLiteral("paper");
    spec.title = QObject::tr("Paper");
    spec.keywords = QObject::tr("tables reproduce published values evidence LaTeX missing runs");
    spec.help = {{QStringLiteral("paper"), QObject::tr("Paper")}};
    spec.make = [](const PageContext& context) { return new PaperPage(context.library, context.selection); };
    return spec;
}

}  // namespace casp::widgets

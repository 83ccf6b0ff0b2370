// The page Audit in the list of pages.
#include <QObject>

#include "panels/audit/audit_page.h"
#include "panels/view/page_spec.h"

namespace casp::widgets {

PageSpec audit_page_spec() {
    PageSpec spec;
    spec.id = QStringLiteral("audit");
    spec.title = QObject::tr("Audit");
    spec.keywords = QObject::tr("import forecasts results pred.npy other code compare fair windows scaler");
    spec.help = {{QStringLiteral("audit"), QObject::tr("Audit")}};
    spec.make = [](const PageContext& context) {
        return new AuditPage(context.library, context.selection, context.experiment);
    };
    return spec;
}

}  // namespace casp::widgets

// The page Data in the list of pages.
#include <QObject>

#include "panels/data/data_panel.h"
#include "panels/view/page_spec.h"
#include "state/experiment_model.h"

namespace casp::widgets {

PageSpec data_page_spec() {
    PageSpec spec;
    spec.id = QStringLiteral("data");
    spec.title = QObject::tr("Data");
    spec.help = {{QStringLiteral("data"), QObject::tr("Data")}};
    spec.make = [](const PageContext& context) { return new DataPanel(&context.experiment); };
    return spec;
}

}  // namespace casp::widgets

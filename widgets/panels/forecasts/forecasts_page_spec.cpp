// The page Forecasts in the list of pages.
#include <QObject>

#include "panels/forecasts/forecasts_page.h"
#include "panels/view/page_spec.h"
#include "state/run_library.h"
#include "state/selection.h"

namespace casp::widgets {

PageSpec forecasts_page_spec() {
    PageSpec spec;
    spec.id = QStringLiteral("forecasts");
    spec.title = QObject::tr("Forecasts");
    spec.keywords = QObject::tr("errors windows difficulty strata");
    spec.help = {{QStringLiteral("forecasts"), QObject::tr("Forecasts")}};
    spec.make = [](const PageContext& context) {
        return new ForecastsPage(&context.library, &context.selection);
    };
    return spec;
}

}  // namespace casp::widgets

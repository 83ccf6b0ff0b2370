// The page Experiment in the list of pages.
#include <QObject>

#include "panels/experiment/experiment_panel.h"
#include "panels/view/page_spec.h"
#include "state/experiment_model.h"

namespace casp::widgets {

PageSpec experiment_page_spec() {
    PageSpec spec;
    spec.id = QStringLiteral("experiment");
    spec.title = QObject::tr("Experiment");
    spec.area = PageArea::right;
    spec.shortcut = QStringLiteral("Ctrl+Shift+E");
    spec.help = {{QStringLiteral("experiment"), QObject::tr("Experiment")},
                 {QStringLiteral("estimate"), QObject::tr("Memory and time")},
                 {QStringLiteral("toml"), QObject::tr("TOML")}};
    spec.make = [](const PageContext& context) { return new ExperimentPanel(context.experiment); };
    return spec;
}

}  // namespace casp::widgets

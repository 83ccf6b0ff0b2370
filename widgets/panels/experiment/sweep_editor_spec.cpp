// The page Sweep in the list of pages.
#include <QObject>

#include "panels/experiment/sweep_editor.h"
#include "panels/view/page_spec.h"
#include "state/experiment_model.h"

namespace casp::widgets {

PageSpec sweep_page_spec() {
    PageSpec spec;
    spec.id = QStringLiteral("sweep");
    spec.title = QObject::tr("Sweep");
    spec.area = PageArea::right;
    spec.open = false;
    spec.shortcut = QStringLiteral("Ctrl+Alt+W");
    spec.help = {{QStringLiteral("sweep"), QObject::tr("Sweeps")}};
    spec.make = [](const PageContext& context) { return new SweepEditor(context.experiment); };
    return spec;
}

}  // namespace casp::widgets

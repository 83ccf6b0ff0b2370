// The page Runs in the list of pages.
#include <QObject>

#include "panels/runs/runs_panel.h"
#include "panels/view/page_spec.h"
#include "state/run_library.h"
#include "state/selection.h"

namespace casp::widgets {

PageSpec runs_page_spec() {
    PageSpec spec;
    spec.id = QStringLiteral("runs");
    spec.title = QObject::tr("Runs");
    spec.area = PageArea::left;
    spec.shortcut = QStringLiteral("Ctrl+Shift+R");
    spec.help = {{QStringLiteral("runs"), QObject::tr("Runs")},
                 {QStringLiteral("fork"), QObject::tr("Forks")}};
    spec.make = [](const PageContext& context) { return new RunsPanel(context.library, context.selection); };
    return spec;
}

}  // namespace casp::widgets

// The page Training in the list of pages.
#include <QObject>

#include "panels/training/training_page.h"
#include "panels/view/page_spec.h"
#include "state/run_library.h"
#include "state/selection.h"

namespace casp::widgets {

PageSpec training_page_spec() {
    PageSpec spec;
    spec.id = QStringLiteral("training");
    spec.title = QObject::tr("Training");
    spec.keywords = QObject::tr("loss validation error curves");
    spec.help = {{QStringLiteral("training"), QObject::tr("Training")}};
    spec.make = [](const PageContext& context) {
        return new TrainingPage(&context.library, &context.selection);
    };
    return spec;
}

}  // namespace casp::widgets

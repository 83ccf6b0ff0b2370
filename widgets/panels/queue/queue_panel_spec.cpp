// The page Queue in the list of pages.
#include <QObject>

#include "panels/queue/queue_panel.h"
#include "panels/view/page_spec.h"

namespace casp::widgets {

PageSpec queue_page_spec() {
    PageSpec spec;
    spec.id = QStringLiteral("queue");
    spec.title = QObject::tr("Queue");
    spec.area = PageArea::left;
    spec.tabbed = false;
    spec.open = false;
    spec.shortcut = QStringLiteral("Ctrl+Shift+U");
    spec.help = {{QStringLiteral("queue"), QObject::tr("Queue")}};
    spec.make = [](const PageContext&) { return new QueuePanel; };
    return spec;
}

}  // namespace casp::widgets

// The page Messages in the list of pages.
#include <QObject>

#include "panels/messages/message_drawer.h"
#include "panels/view/page_spec.h"

namespace casp::widgets {

PageSpec messages_page_spec() {
    PageSpec spec;
    spec.id = QStringLiteral("messages");
    spec.title = QObject::tr("Messages");
    spec.area = PageArea::bottom;
    spec.open = false;
    spec.shortcut = QStringLiteral("Ctrl+Shift+M");
    spec.help = {{QStringLiteral("messages"), QObject::tr("Messages")}};
    spec.make = [](const PageContext&) { return new MessageDrawer; };
    return spec;
}

}  // namespace casp::widgets

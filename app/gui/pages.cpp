#include "gui/pages.h"

#include <algorithm>

#include <QObject>

#include "gui/fetch_panel.h"
#include "gui/help_panel.h"
#include "gui/start_page.h"
#include "panels/anchors/anchors_page.h"
#include "panels/audit/audit_page.h"
#include "panels/compare/compare_panel.h"
#include "panels/compare/difference_panel.h"
#include "panels/data/data_panel.h"
#include "panels/embeddings/embeddings_page.h"
#include "panels/experiment/experiment_panel.h"
#include "panels/experiment/sweep_editor.h"
#include "panels/forecasts/forecasts_page.h"
#include "panels/messages/message_drawer.h"
#include "panels/paper/paper_page.h"
#include "panels/queue/queue_panel.h"
#include "panels/runs/runs_panel.h"
#include "panels/training/training_page.h"

namespace casp::gui {

std::vector<widgets::PageSpec> pages() {
    return {widgets::runs_page_spec(),
            widgets::queue_page_spec(),
            start_page_spec(),
            widgets::data_page_spec(),
            widgets::training_page_spec(),
            widgets::anchors_page_spec(),
            widgets::embeddings_page_spec(),
            widgets::forecasts_page_spec(),
            widgets::compare_page_spec(),
            widgets::paper_page_spec(),
            widgets::audit_page_spec(),
            widgets::experiment_page_spec(),
            widgets::sweep_page_spec(),
            help_page_spec(),
            fetch_page_spec(),
            widgets::messages_page_spec(),
            widgets::difference_page_spec()};
}

std::vector<widgets::HelpTopic> help_contents() {
    std::vector<widgets::HelpTopic> contents;
    for (auto& page : pages())
        for (auto& topic : page.help) contents.push_back(std::move(topic));
    const auto start = std::find_if(contents.begin(), contents.end(), [](const widgets::HelpTopic& topic) {
        return topic.topic == QLatin1String("start");
    });
    std::rotate(contents.begin(), start, start + 1);
    contents.push_back({QStringLiteral("export"), QObject::tr("Figures and files")});
    contents.push_back({QStringLiteral("submit"), QObject::tr("Submit to a cluster")});
    contents.push_back({QStringLiteral("keyboard"), QObject::tr("Keyboard")});
    return contents;
}

}  // namespace casp::gui

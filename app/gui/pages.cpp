#include "gui/pages.h"

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
#include "panels/log/log_page.h"
#include "panels/messages/message_drawer.h"
#include "panels/paper/paper_page.h"
#include "panels/queue/queue_panel.h"
#include "panels/runs/runs_panel.h"
#include "panels/training/training_page.h"

namespace casp::gui {

std::vector<PageSpec> pages() {
    using Context = const PageContext&;
    using Area = PageArea;
    return {
        {"runs", QObject::tr("Runs"),
         [](Context c) { return new widgets::RunsPanel(c.library, c.selection); }, Area::left,
         "Ctrl+Shift+R"},
        {"queue",
         QObject::tr("Queue"),
         [](Context) { return new widgets::QueuePanel; },
         Area::left,
         "Ctrl+Shift+U",
         {},
         false,
         false},
        {"start", QObject::tr("Start"), [](Context) { return new StartPage; }},
        {"data", QObject::tr("Data"), [](Context c) { return new widgets::DataPanel(c.experiment); }},
        {"training",
         QObject::tr("Training"),
         [](Context c) { return new widgets::TrainingPage(&c.library, &c.selection); },
         Area::centre,
         {},
         QObject::tr("loss validation error curves")},
        {"anchors",
         QObject::tr("Anchors"),
         [](Context c) { return new widgets::AnchorsPage(&c.library, &c.selection); },
         Area::centre,
         {},
         QObject::tr("usage similarity selection concentration coverage inspector words")},
        {"embeddings",
         QObject::tr("Embeddings"),
         [](Context c) { return new widgets::EmbeddingsPage(&c.library, &c.selection); },
         Area::centre,
         {},
         QObject::tr("PCA t-SNE layout lasso variance")},
        {"forecasts",
         QObject::tr("Forecasts"),
         [](Context c) { return new widgets::ForecastsPage(&c.library, &c.selection); },
         Area::centre,
         {},
         QObject::tr("errors windows difficulty strata")},
        {"compare", QObject::tr("Compare"),
         [](Context c) { return new widgets::ComparePanel(c.library, c.selection); }},
        {"paper",
         QObject::tr("Paper"),
         [](Context c) { return new widgets::PaperPage(c.library, c.selection); },
         Area::centre,
         {},
         QObject::tr("tables reproduce published values evidence LaTeX missing runs")},
        {"audit",
         QObject::tr("Audit"),
         [](Context c) { return new widgets::AuditPage(c.library, c.selection, c.experiment); },
         Area::centre,
         {},
         QObject::tr("import forecasts results pred.npy other code compare fair windows scaler")},
        {"experiment", QObject::tr("Experiment"),
         [](Context c) { return new widgets::ExperimentPanel(c.experiment); }, Area::right, "Ctrl+Shift+E"},
        {"sweep",
         QObject::tr("Sweep"),
         [](Context c) { return new widgets::SweepEditor(c.experiment); },
         Area::right,
         "Ctrl+Alt+W",
         {},
         false},
        {"help",
         QObject::tr("Help"),
         [](Context) { return new HelpPanel; },
         Area::right,
         "Ctrl+Alt+H",
         {},
         false},
        {"fetch",
         QObject::tr("Get data or GPT-2"),
         [](Context) { return new FetchPanel; },
         Area::right,
         "Ctrl+Alt+G",
         {},
         false},
        {"messages",
         QObject::tr("Messages"),
         [](Context) { return new widgets::MessageDrawer; },
         Area::bottom,
         "Ctrl+Shift+M",
         {},
         false},
        {"log", QObject::tr("Log"), [](Context c) { return new widgets::LogPage(c.library, c.selection); },
         Area::bottom, "Ctrl+Alt+K", QObject::tr("log.txt output warnings epochs failed"), false},
        {"difference",
         QObject::tr("Difference of settings"),
         [](Context c) { return new widgets::DifferencePanel(c.library); },
         Area::bottom,
         "Ctrl+Alt+F",
         {},
         false}};
}

std::vector<HelpTopic> help_contents() {
    return {{"start", QObject::tr("First steps")},
            {"runs", QObject::tr("Runs")},
            {"fork", QObject::tr("Forks")},
            {"queue", QObject::tr("Queue")},
            {"data", QObject::tr("Data")},
            {"training", QObject::tr("Training")},
            {"anchors", QObject::tr("Anchors")},
            {"embeddings", QObject::tr("Embeddings")},
            {"forecasts", QObject::tr("Forecasts")},
            {"compare", QObject::tr("Compare")},
            {"paper", QObject::tr("Paper")},
            {"audit", QObject::tr("Audit")},
            {"experiment", QObject::tr("Experiment")},
            {"estimate", QObject::tr("Memory and time")},
            {"toml", QObject::tr("TOML")},
            {"sweep", QObject::tr("Sweeps")},
            {"fetch", QObject::tr("Get data and GPT-2")},
            {"messages", QObject::tr("Messages")},
            {"log", QObject::tr("Log")},
            {"difference", QObject::tr("Difference of settings")},
            {"export", QObject::tr("Figures and files")},
            {"submit", QObject::tr("Submit to a cluster")},
            {"keyboard", QObject::tr("Keyboard")}};
}

}  // namespace casp::gui

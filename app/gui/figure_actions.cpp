#include "gui/figure_actions.h"

#include <memory>
#include <utility>

#include "charts/export_dialog.h"
#include "charts/view_frame.h"
#include "figure_jobs/figure_recipes.h"
#include "gui/dock_focus.h"
#include "gui/docks.h"
#include "gui/info_bar.h"
#include "gui/notices.h"
#include "panels/anchors/anchors_page.h"
#include "panels/anchors/anchors_selection.h"
#include "panels/compare/compare_panel.h"
#include "panels/data/data_panel.h"
#include "panels/view/view_page.h"
#include "state/run_library.h"
#include "state/selection.h"
#include "util/error.h"
#include "words/core_text.h"
#include "words/plain_text.h"

namespace casp::gui {

namespace {

constexpr int patience_ms = 10000, interval_ms = 50;

const QString drawing_key = QStringLiteral("paper figures");

std::vector<std::string> paper_figures() {
    std::vector<std::string> names;
    for (const auto& info : figure_jobs::figure_list())
        if (info.key != 0) names.push_back(info.name);
    return names;
}

QString figures_menu_name() { return FigureActions::tr("Fi&gures"); }

}  // namespace

FigureActions::FigureActions(ActionList& actions, Docks& docks, const DockFocus& focus, Notices& notices,
                             widgets::RunLibrary& library, const widgets::Selection& selection,
                             QWidget* window)
    : QObject(window),
      actions_(actions),
      docks_(docks),
      focus_(focus),
      notices_(notices),
      library_(library),
      selection_(selection),
      window_(window) {
    again_.setSingleShot(true);
    again_.setInterval(interval_ms);
    connect(&again_, &QTimer::timeout, this, &FigureActions::export_all);
    add_view_actions();
    add_table_actions();
    add_export_actions();
    add_paper_actions();
}

void FigureActions::add_view_actions() {
    const auto on_view = [this](void (widgets::ViewFrame::*act)()) {
        return [this, act] {
            auto* frame = focus_.current_frame();
            if (frame == nullptr)
                notices_.say(tr("No view is visible: open Training or another page first."), true);
            else
                (frame->*act)();
        };
    };
    const auto words = tr("chart picture save clipboard");
    actions_.add({"figures.export-view", figures_menu_name(), tr("Export this &view…"),
                  tr("PNG, SVG, PDF and CSV of the current view"), "Ctrl+Shift+X", words},
                 on_view(&widgets::ViewFrame::export_figure));
    actions_.add({"figures.copy-picture", figures_menu_name(), tr("Copy &picture of this view"),
                  tr("Copies the current view to the clipboard as a picture"), "Ctrl+Alt+P", words},
                 on_view(&widgets::ViewFrame::copy_picture));
    actions_.add({"figures.copy-numbers", figures_menu_name(), tr("Copy &numbers of this view"),
                  tr("Copies the numbers of the current view as CSV, unsmoothed and at full resolution"),
                  "Ctrl+Alt+N", words},
                 on_view(&widgets::ViewFrame::copy_numbers));
    actions_.add({"figures.settings", figures_menu_name(), tr("&Settings of the shown runs"),
                  tr("The settings of the runs in the current view, beside their results"), "Ctrl+Alt+S",
                  tr("configuration difference toml")},
                 on_view(&widgets::ViewFrame::show_settings));
    actions_.add(
        {"figures.enlarge", figures_menu_name(), tr("En&large this view"),
         tr("Lets the current view fill the centre, or puts it back"), "Shift+F11", tr("maximise full size")},
        on_view(&widgets::ViewFrame::enlarge_or_put_back));
}

void FigureActions::add_table_actions() {
    const auto words = tr("anchors selections clipboard paper");
    const auto on_table = [this](void (widgets::AnchorSelection::*copy)()) {
        return [this, copy] {
            docks_.show("anchors");
            auto* page = docks_.page<widgets::AnchorsPage>("anchors");
            if (page == nullptr) return;
            (void)page->prepare();  // it may still show other runs
            (page->statistics().*copy)();
        };
    };
    actions_.add(
        {"figures.copy-table-markdown", figures_menu_name(), tr("Copy retrieval statistics as &Markdown"),
         tr("Copies the anchors that each shown run selects (page Anchors) as a Markdown table"),
         "Ctrl+Alt+M", words},
        on_table(&widgets::AnchorSelection::copy_markdown));
    actions_.add({"figures.copy-table-latex", figures_menu_name(), tr("Copy retrieval statistics as La&TeX"),
                  tr("Copies the anchors that each shown run selects (page Anchors) as a LaTeX table"),
                  "Ctrl+Alt+Shift+M", words},
                 on_table(&widgets::AnchorSelection::copy_latex));
}

void FigureActions::add_export_actions() {
    actions_.add(
        {"figures.export-all", figures_menu_name(), tr("&Export all open views…"),
         tr("PNG, SVG, PDF and CSV of every open view"), "Ctrl+Shift+S", tr("save picture svg pdf png csv")},
        [this] { export_all(); });
}

void FigureActions::add_paper_actions() {
    actions_.separate();
    for (const auto& figure : figure_jobs::figure_list()) {
        if (figure.key == 0) continue;
        actions_.add({QStringLiteral("figures.") + QString::fromStdString(figure.name), figures_menu_name(),
                      widgets::translated(figure.title) + QStringLiteral("…"),
                      tr("%1, for the shown runs").arg(widgets::translated(figure.tip)),
                      QKeySequence(QStringLiteral("Ctrl+J, %1").arg(QLatin1Char(figure.key))),
                      tr("paper publication export")},
                     [this, name = figure.name] { draw(name); });
    }
    actions_.separate();
    actions_.add({QStringLiteral("figures.all-paper"), figures_menu_name(), tr("&All figures of the paper…"),
                  tr("Every figure of the paper for the shown runs, into one folder"), "Ctrl+J, J",
                  tr("export publication recipes")},
                 [this] { draw("all"); });
}

bool FigureActions::prepare() {
    bool ready = true;
    for (const auto& run : selection_.state().runs)
        if (auto* shown = library_.data(run); shown != nullptr && !shown->is_loaded()) {
            shown->load();
            ready = ready && !shown->problem().isEmpty();
        }
    for (const auto& [id, page] : docks_.view_pages())
        if (docks_.is_open(id)) ready = page->prepare(waited_ms_ > 0) && ready;
    if (docks_.is_open("data"))
        ready = docks_.page<widgets::DataPanel>("data")->channels().prepare() && ready;
    return ready;
}

std::vector<figures::Figure> FigureActions::open_figures() const {
    std::vector<figures::Figure> all;
    for (const auto& [id, page] : docks_.view_pages())
        if (docks_.is_open(id))
            for (auto& figure : page->figures()) all.push_back(std::move(figure));
    if (docks_.is_open("data"))
        for (const auto* frame : docks_.page<widgets::DataPanel>("data")->frames())
            if (auto figure = frame->current_figure(); !figure.plots.empty())
                all.push_back(std::move(figure));
    if (docks_.is_open("compare"))
        if (auto figure = docks_.page<widgets::ComparePanel>("compare")->figure(); !figure.plots.empty())
            all.push_back(std::move(figure));
    return all;
}

void FigureActions::export_all() {
    if (again_.isActive()) return;  // pressed again while it waits
    // Pages that were never visible have neither read their runs nor drawn them.
    if (!prepare() && waited_ms_ < patience_ms) {
        if (waited_ms_ == 0)
            notices_.bar().show_message(QStringLiteral("export"), tr("Updating the open views…"));
        waited_ms_ += interval_ms;
        again_.start();
        return;
    }
    notices_.bar().remove(QStringLiteral("export"));
    waited_ms_ = 0;
    auto figures = open_figures();
    if (figures.empty()) {
        notices_.say(tr("No open view shows a figure yet: show runs from the list on the left (Space)."),
                     true);
        return;
    }
    open_dialog(std::move(figures));
}

void FigureActions::draw(const std::string& name) {
    const auto runs = widgets::in_sweep_order(library_, selection_.state().runs);
    if (runs.isEmpty()) {
        notices_.say(tr("Show finished runs first: figures are drawn from the shown, finished runs."), true);
        return;
    }
    if (job_.is_running()) {
        notices_.say(tr("Other figures are being drawn. Wait until they are complete, or cancel them."),
                     true);
        return;
    }
    all_ = name == "all";
    since_start_.start();
    figure_jobs::FigureRequest request;
    request.names = all_ ? paper_figures() : std::vector{name};
    for (const auto& run : runs) request.runs.emplace_back(run.toStdString());
    notices_.bar().show_message(
        drawing_key, tr("Drawing figures…"), false,
        {{tr("Cancel"), tr("Stops without a result"), [this] { job_.request_stop(); }}}, 0, false);
    job_.start(figure_jobs::figure_work(std::move(request)),
               {.done = [this](figure_jobs::DrawnFigures made) { drawn(std::move(made)); },
                .cancelled = [this] { drawn({.failure = std::make_exception_ptr(Cancelled())}); },
                .progress =
                    [this](const Progress& p) {
                        notices_.bar().set_text(drawing_key, widgets::translated_stage(p.stage));
                    }});
}

void FigureActions::open_dialog(std::vector<figures::Figure> figures) {
    auto* dialog = new widgets::ExportDialog(std::move(figures), window_);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &widgets::ExportDialog::message, this,
            [this](const QString& text) { notices_.say(text, false); });
    dialog->show();
}

void FigureActions::drawn(figure_jobs::DrawnFigures made) {
    notices_.bar().remove(drawing_key);
    for (const auto& note : made.notes) notices_.say(widgets::translated(note), false);
    if (made.failure) {
        try {
            std::rethrow_exception(made.failure);
        } catch (const Cancelled&) {
            notices_.say(tr("Cancelled; no figure was drawn."), false);
        } catch (const std::exception& failure) {
            notices_.say(widgets::plain_text(failure), true);
        }
    } else if (!made.figures.empty()) {
        constexpr qint64 at_once_ms = 2000;
        if (!all_ && since_start_.elapsed() < at_once_ms) return open_dialog(std::move(made.figures));
        const auto count = made.figures.size();
        const auto kept = std::make_shared<std::vector<figures::Figure>>(std::move(made.figures));
        notices_.bar().show_message(drawing_key,
                                    count == 1 ? tr("Figure complete: %1.").arg(kept->front().title)
                                               : tr("%1 figures are complete.").arg(count),
                                    false,
                                    {{tr("Show and export…"), tr("Title, axes, size, format and folder"),
                                      [this, kept] { open_dialog(std::move(*kept)); }},
                                     {tr("Discard"), tr("Discards the figures"), {}}},
                                    0, false);
    } else {
        notices_.say(tr("There is nothing to draw: the shown runs are not finished, or have no data for "
                        "this figure."),
                     true);
    }
}

}  // namespace casp::gui

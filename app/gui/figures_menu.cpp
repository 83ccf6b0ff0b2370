#include "gui/figures_menu.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "charts/export_dialog.h"
#include "figure_jobs/figure_recipes.h"
#include "gui/actions.h"
#include "gui/info_bar.h"
#include "state/core_message.h"
#include "state/core_text.h"
#include "state/plain_text.h"
#include "util/error.h"

namespace casp::gui {

namespace {

const QString info_key = QStringLiteral("paper figures");

std::vector<std::string> paper_figures() {
    std::vector<std::string> names;
    for (const auto& info : figure_jobs::figure_list())
        if (info.key != 0) names.push_back(info.name);
    return names;
}

}  // namespace

FiguresMenu::FiguresMenu(ActionList& actions, const QString& menu, std::function<QStringList()> runs,
                         InfoBar& info, QWidget* window)
    : QObject(window), runs_(std::move(runs)), info_(info), window_(window) {
    bool first = true;
    for (const auto& figure : figure_jobs::figure_list()) {
        if (figure.key == 0) continue;
        ActionSpec spec{QStringLiteral("figures.") + QString::fromStdString(figure.name),
                        menu,
                        widgets::translated(figure.title) + QStringLiteral("…"),
                        tr("%1, for the shown runs").arg(widgets::translated(figure.tip)),
                        QKeySequence(QStringLiteral("Ctrl+J, %1").arg(QLatin1Char(figure.key))),
                        tr("paper publication export")};
        spec.separator_before = std::exchange(first, false);
        actions.add(spec, [this, name = figure.name] { show(name); });
    }
    ActionSpec all{QStringLiteral("figures.all-paper"),
                   menu,
                   tr("&All figures of the paper…"),
                   tr("Every figure of the paper for the shown runs, into one folder"),
                   QKeySequence(QStringLiteral("Ctrl+J, J")),
                   tr("export publication recipes")};
    all.separator_before = true;
    actions.add(all, [this] { show("all"); });
}

void FiguresMenu::show(const std::string& name) {
    const auto runs = runs_();
    if (runs.isEmpty()) {
        Q_EMIT message(tr("Show finished runs first: figures are drawn from the shown, finished runs."),
                       true);
        return;
    }
    if (job_.is_running()) {
        Q_EMIT message(tr("Other figures are being drawn. Wait until they are complete, or cancel them."),
                       true);
        return;
    }
    all_ = name == "all";
    since_start_.start();
    figure_jobs::FigureRequest request;
    request.names = all_ ? paper_figures() : std::vector{name};
    for (const auto& run : runs) request.runs.emplace_back(run.toStdString());
    info_.show_message(info_key, tr("Drawing figures…"), false,
                       {{tr("Cancel"), tr("Stops without a result"), [this] { job_.request_stop(); }}}, 0,
                       false);
    job_.start(figure_jobs::figure_work(std::move(request)),
               {.done = [this](figure_jobs::DrawnFigures drawn) { done(std::move(drawn)); },
                .cancelled = [this] { done({.failure = std::make_exception_ptr(Cancelled())}); },
                .progress =
                    [this](const Progress& p) {
                        info_.set_text(info_key, widgets::translated_stage(QString::fromStdString(p.stage)));
                    }});
}

void FiguresMenu::open(std::vector<figures::Figure> figures) {
    auto* dialog = new widgets::ExportDialog(std::move(figures), window_);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &widgets::ExportDialog::message, this,
            [this](const QString& text) { Q_EMIT message(text, false); });
    dialog->show();
}

void FiguresMenu::done(figure_jobs::DrawnFigures drawn) {
    info_.remove(info_key);
    for (const auto& note : drawn.notes) Q_EMIT message(widgets::translated_message(note), false);
    if (drawn.failure) {
        try {
            std::rethrow_exception(drawn.failure);
        } catch (const Cancelled&) {
            Q_EMIT message(tr("Cancelled; no figure was drawn."), false);
        } catch (const std::exception& failure) {
            Q_EMIT message(widgets::plain_text(failure), true);
        }
    } else if (!drawn.figures.empty()) {
        constexpr qint64 at_once_ms = 2000;
        if (!all_ && since_start_.elapsed() < at_once_ms) return open(std::move(drawn.figures));
        const auto count = drawn.figures.size();
        const auto made = std::make_shared<std::vector<figures::Figure>>(std::move(drawn.figures));
        info_.show_message(info_key,
                           count == 1 ? tr("Figure complete: %1.").arg(made->front().title)
                                      : tr("%1 figures are complete.").arg(count),
                           false,
                           {{tr("Show and export…"), tr("Title, axes, size, format and folder"),
                             [this, made] { open(std::move(*made)); }},
                            {tr("Discard"), tr("Discards the figures"), {}}},
                           0, false);
    } else {
        Q_EMIT message(tr("There is nothing to draw: the shown runs are not finished, or have no data for "
                          "this figure."),
                       true);
    }
}

}  // namespace casp::gui

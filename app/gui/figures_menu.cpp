#include "gui/figures_menu.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <memory>
#include <utility>

#include "charts/export_dialog.h"
#include "figure_jobs/figure_embeddings.h"
#include "figure_jobs/figure_files.h"
#include "gui/actions.h"
#include "gui/info_bar.h"
#include "run/preparation.h"
#include "util/error.h"

namespace casp::gui {

namespace {

const QString info_key = QStringLiteral("paper figures");

/// Shortcut: Ctrl+J and a letter.
QString key_of(const std::string& name) {
    static const std::array<std::pair<const char*, const char*>, 10> keys{{{"usage-strips", "U"},
                                                                           {"score-heatmap", "H"},
                                                                           {"score-distribution", "D"},
                                                                           {"concentration", "C"},
                                                                           {"pca", "P"},
                                                                           {"tsne", "T"},
                                                                           {"alignment", "A"},
                                                                           {"forecast", "F"},
                                                                           {"sensitivity", "S"},
                                                                           {"strata", "R"}}};
    for (const auto& [figure, key] : keys)
        if (name == figure) return QStringLiteral("Ctrl+J, %1").arg(QString::fromLatin1(key));
    return {};
}

QString title_of(const std::string& name) {
    for (const auto& info : figure_list())
        if (info.name == name) return QString(info.title).remove(QLatin1Char('&'));
    return QString::fromStdString(name);
}

std::vector<std::string> paper_figures() {
    std::vector<std::string> names;
    for (const auto& info : figure_list())
        if (info.of_paper) names.push_back(info.name);
    return names;
}

}  // namespace

FigureJob::FigureJob(std::vector<std::string> names, QStringList run_folders, QObject* parent)
    : QObject(parent), names_(std::move(names)), runs_(std::move(run_folders)) {}

FigureJob::Outcome FigureJob::run(const widgets::JobContext& job) const {
    Outcome outcome;
    auto last = std::chrono::steady_clock::now() - std::chrono::seconds(1);
    std::size_t figure = 0, reported = 0;
    // Limited here, because the stage differs in every report. A new figure is reported immediately.
    const auto report = [&](const Progress& p) {
        const auto now = std::chrono::steady_clock::now();
        if (now - last < std::chrono::milliseconds(100) && reported == figure) return;
        last = now;
        reported = figure;
        job.progress(p);
    };
    std::vector<std::string> titles;
    for (const auto& name : names_) titles.push_back(title_of(name).toStdString());
    try {
        std::vector<std::filesystem::path> folders;
        for (const auto& run : runs_) folders.emplace_back(run.toStdString());
        const auto runs = read_figure_runs(folders, outcome.notes);
        FigureWork work(names_, titles, runs, false, report);
        FigureSource source(outcome.notes, work, job.stop);
        if (!runs.inputs.empty())
            for (std::size_t i = 0; i < names_.size(); ++i) {
                const auto& name = names_[i];
                if (job.stop.stop_requested()) throw Cancelled();
                figure = i + 1;
                work.begin_figure(i);
                auto made = make_figures(name, runs, source);
                std::move(made.begin(), made.end(), std::back_inserter(outcome.figures));
            }
    } catch (const Cancelled&) {
        outcome.cancelled = true;
    } catch (const std::exception& failure) {
        outcome.problem = QString::fromStdString(run::plain_message(failure));
    }
    return outcome;
}

void FigureJob::take(Outcome outcome) {
    figures = std::move(outcome.figures);
    for (const auto& note : outcome.notes) notes << QString::fromStdString(note);
    problem = outcome.problem;
    cancelled = outcome.cancelled;
    Q_EMIT finished();
}

void FigureJob::start() {
    job_.start([this](const widgets::JobContext& job) { return run(job); },
               {.done = [this](Outcome outcome) { take(std::move(outcome)); },
                .cancelled =
                    [this] {
                        take({{}, {}, {}, true});
                    },
                .progress = [this](const Progress& p) { Q_EMIT progress(QString::fromStdString(p.stage)); }});
}

FiguresMenu::FiguresMenu(ActionList& actions, const QString& menu, std::function<QStringList()> runs,
                         InfoBar& info, QWidget* window)
    : QObject(window), runs_(std::move(runs)), info_(info), window_(window) {
    bool first = true;
    for (const auto& figure : figure_list()) {
        if (!figure.of_paper) continue;
        ActionSpec spec{QStringLiteral("figures.") + QString::fromStdString(figure.name),
                        menu,
                        figure.title + QStringLiteral("…"),
                        figure.tip + tr(", for the shown runs"),
                        QKeySequence(key_of(figure.name)),
                        tr("paper publication export")};
        spec.separator_before = std::exchange(first, false);
        actions.add(spec, [this, name = figure.name] { show(name); });
    }
    ActionSpec all{QStringLiteral("figures.all-paper"),
                   menu,
                   tr("All figures of the &paper…"),
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
    if (job_ != nullptr) {
        Q_EMIT message(tr("Other figures are being drawn. Wait until they are complete, or cancel them."),
                       true);
        return;
    }
    all_ = name == "all";
    since_start_.start();
    job_ = new FigureJob(name == "all" ? paper_figures() : std::vector{name}, runs, this);
    const std::vector<InfoButton> buttons{{tr("Cancel"), tr("Stops without a result"), [this] {
                                               if (job_ != nullptr) job_->cancel();
                                           }}};
    info_.show_message(info_key, tr("Drawing figures…"), false, buttons, 0, false);
    connect(job_, &FigureJob::progress, this,
            [this](const QString& text) { info_.set_text(info_key, text); });
    connect(job_, &FigureJob::finished, this, &FiguresMenu::done);
    job_->start();
}

void FiguresMenu::open(std::vector<figures::Figure> figures) {
    auto* dialog = new widgets::ExportDialog(std::move(figures), window_);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &widgets::ExportDialog::message, this,
            [this](const QString& text) { Q_EMIT message(text, false); });
    dialog->show();
}

void FiguresMenu::done() {
    auto* job = job_.data();
    job_ = nullptr;
    info_.remove(info_key);
    job->deleteLater();
    for (const auto& note : std::as_const(job->notes)) Q_EMIT message(note, false);
    if (job->cancelled) {
        Q_EMIT message(tr("Cancelled; no figure was drawn."), false);
    } else if (!job->problem.isEmpty()) {
        Q_EMIT message(job->problem, true);
    } else if (!job->figures.empty()) {
        constexpr qint64 at_once_ms = 2000;
        if (!all_ && since_start_.elapsed() < at_once_ms) return open(std::move(job->figures));
        const auto count = job->figures.size();
        const auto made = std::make_shared<std::vector<figures::Figure>>(std::move(job->figures));
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

#include "panels/anchors/anchors_page.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <utility>

#include <QCheckBox>
#include <QComboBox>
#include <QJsonObject>
#include <QSignalBlocker>

#include "charts/figure_view.h"
#include "charts/view_frame.h"
#include "figures/recipe_training.h"
#include "panels/anchors/anchor_inspector_panel.h"
#include "panels/anchors/anchors_scores.h"
#include "panels/anchors/anchors_selection.h"
#include "panels/embeddings/embeddings_source.h"
#include "panels/view/selection_links.h"
#include "panels/view/view_flow.h"
#include "panels/view/view_step_bar.h"
#include "state/run_names.h"

namespace casp::widgets {

namespace {
/// Runs whose retrievals are read for the highlight: as many as have a plot of their own.
constexpr int max_looked_up = 6;
}  // namespace

AnchorsPage::AnchorsPage(RunLibrary* library, Selection* selection, QWidget* parent)
    : ViewPage(library, selection, parent) {
    make_controls();
    make_views();
    part_changed(RunPart::everything);
    selection_changed();
}

void AnchorsPage::make_controls() {
    source_ = new EmbeddingsSource(*selection());
    add_header(source_);
    connect(source_, &EmbeddingsSource::changed, this, [this] {
        rebuild({QStringLiteral("similarity"), QStringLiteral("anchor-inspector")});
    });
    connect(source_, &EmbeddingsSource::message, this, &AnchorsPage::message);
    of_ = new QComboBox;
    of_->addItems({tr("Training"), tr("Since previous snapshot"), tr("Test windows")});
    of_->setAccessibleName(tr("Counted retrievals"));
    of_->setToolTip(
        tr("Which retrievals are counted: over training up to the snapshot, since the previous snapshot, or "
           "over the test windows at the best checkpoint"));
    connect(of_, &QComboBox::currentIndexChanged, this, [this](int index) {
        options_.of = static_cast<figures::UsageOf>(index);
        rebuild();
    });
    labelled(tr("&Count"), of_);
    sorted_ = new QCheckBox(tr("&Sorted"));
    sorted_->setToolTip(tr("Sort anchors by value instead of by number; several runs then share one plot"));
    log_y_ = new QCheckBox(tr("Lo&g Y"));
    log_y_->setToolTip(tr("Logarithmic y axes"));
    for (auto* control : {sorted_, log_y_}) {
        control->setAccessibleName(control->toolTip());
        connect(control, &QCheckBox::toggled, this, [this] {
            options_.sorted = sorted_->isChecked();
            options_.log_y = log_y_->isChecked();
            rebuild();
        });
        bar()->addWidget(control);
    }
    steps_ = new StepBar;
    connect(steps_, &StepBar::step_chosen, this,
            [this](std::optional<std::int64_t> step) { selection()->set_step(step); });
    bar()->addWidget(steps_);
}

void AnchorsPage::make_views() {
    using figures::RunInput;
    const QString help = QStringLiteral("anchors");
    const auto add = [&](const char* id, const QString& title, const std::set<RunPart>& parts, auto recipe,
                         int height, int columns) {
        return add_view(
            QString::fromLatin1(id), title, help, parts,
            [this, recipe](const std::vector<RunInput>& runs) { return recipe(runs, options_); }, height,
            columns);
    };
    const auto picks = [this](FigureView* figure) {
        figure->set_ids_of_runs();
        connect(figure, &FigureView::picked, this,
                [this, figure](const std::vector<std::int64_t>& ids, Qt::KeyboardModifiers modifiers) {
                    pick(figure->picked_run(), ids, modifiers);
                });
    };
    const auto pick_step = [this](double x, Qt::KeyboardModifiers) {
        selection()->set_step(std::llround(x));
    };
    const std::set<RunPart> anchors{RunPart::anchors},
        seen{RunPart::anchors, RunPart::probe, RunPart::embeddings, RunPart::forecasts};
    // Retrievals are counted less often than windows are probed, and a running run is ahead of its snapshots:
    // the titles state the shown step.
    const auto title_usage = [this](const std::vector<RunInput>& runs,
                                    const figures::AnchorOptions& options) {
        if (auto* named = frame(QStringLiteral("anchor-usage")))
            named->set_title(usage_title(tr("Anchor usage"), runs));
        return figures::usage_histogram(runs, options);
    };
    const auto title_concentration = [this](const std::vector<RunInput>& runs,
                                            const figures::AnchorOptions& options) {
        if (auto* named = frame(QStringLiteral("concentration")))
            named->set_title(usage_title(tr("Concentration"), runs));
        return figures::concentration(runs, options);
    };
    const auto title_coverage = [this](const std::vector<RunInput>& runs,
                                       const figures::AnchorOptions& options) {
        if (auto* named = frame(QStringLiteral("coverage-statistic"))) named->set_title(coverage_title(runs));
        return figures::coverage_statistic(runs, options);
    };
    auto* usage = add("anchor-usage", tr("Anchor usage"), anchors, title_usage, 280, 2);
    picks(usage);
    scores_ = new AnchorScores;
    auto* scores = add_content(
        QStringLiteral("similarity"), tr("Similarity"), help, seen, scores_,
        [this](const std::vector<RunInput>& runs) { show_scores(runs); }, 340, 2);
    run_ = new QComboBox;
    run_->setAccessibleName(tr("Run shown in the similarity matrix"));
    set_choice_tip(run_, tr("Run shown in the similarity matrix and the anchor details"));
    run_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    run_->setMinimumContentsLength(6);  // minimum width
    scores->add_control(run_);
    scores_->join(*scores);
    scores->set_busy_source([this] { return scores_->is_busy() || shown_runs().is_reading_embeddings(); });
    connect(run_, &QComboBox::activated, this, [this] {
        run_->setProperty("chosen", run_->currentData());
        rebuild({QStringLiteral("similarity"), QStringLiteral("anchor-inspector")});
    });
    connect(scores_, &AnchorScores::picked, this,
            [this](const auto& anchors_of, const auto& rows, Qt::KeyboardModifiers modifiers) {
                pick_cells(anchors_of, rows, modifiers);
            });
    connect(scores_, &AnchorScores::shown, this, &AnchorsPage::show_selection);
    inspector_ = new AnchorInspector;
    auto* inspector = add_content(
        QStringLiteral("anchor-inspector"), tr("Anchor"), help, seen, inspector_,
        [this](const std::vector<RunInput>& runs) { show_inspector(runs); }, 330, 2);
    inspector_->join(*inspector);
    inspector->set_figure_source([this] {
        show_anchor();  // a hidden page has not followed the selection
        return inspector_->usage().figure();
    });
    connect(inspector_, &AnchorInspector::anchor_chosen, this,
            [this](std::int64_t anchor) { this->selection()->set_anchors({anchor}, inspector_->run()); });
    connect(inspector_, &AnchorInspector::windows_chosen, this,
            [this](const std::vector<WindowChannel>& pairs) {
                auto state = this->selection()->state();
                pick_pairs(state, *inspector_->choices(), pairs, Qt::NoModifier);
                this->selection()->set(state);
            });
    auto* concentration = add("concentration", tr("Concentration"), anchors, title_concentration, 290, 2);
    picks(concentration);
    statistics_ = new AnchorSelection;
    auto* statistics_frame = add_content(
        QStringLiteral("selection"), tr("Retrieval statistics"), help, anchors, statistics_,
        [this](const std::vector<RunInput>& runs) { show_statistics(runs); }, 460, 2);
    statistics_->join(*statistics_frame);
    connect(statistics_, &AnchorSelection::options_changed, this,
            [this] { rebuild({QStringLiteral("selection")}); });
    connect(statistics_, &AnchorSelection::picked, this, &AnchorsPage::pick);
    connect(statistics_, &AnchorSelection::height_changed, this,
            [this] { fit_view(QStringLiteral("selection")); });
    auto* course = add("concentration-course", tr("Concentration over training"), anchors,
                       figures::concentration_course, 250, 2);
    connect(course, &FigureView::x_picked, this, pick_step);
    auto* statistic = add("coverage-statistic", tr("Coverage statistic c̃"), anchors, title_coverage, 270, 1);
    picks(statistic);
    auto* strip = add("coverage-course", tr("c̃ over training"), anchors, figures::coverage_course, 270, 1);
    connect(strip, &FigureView::x_picked, this, pick_step);
    auto* gate = add_view(
        QStringLiteral("gate-share"), tr("Coverage gate"), help, {RunPart::curves},
        [this](const std::vector<RunInput>& runs) {
            figures::TrainingOptions options;
            options.step = options_.step;
            options.log_y = options_.log_y;
            return figures::gate_share(runs, options);
        },
        260, 2);
    connect(gate, &FigureView::x_picked, this, pick_step);
}

QString AnchorsPage::snapshot_steps(const std::vector<figures::RunInput>& runs) const {
    std::set<std::int64_t> steps;
    for (const auto& run : runs) {
        if (!run.record) continue;
        const auto at = figures::snapshot_at(run.record->anchors, options_.step);
        if (at >= 0) steps.insert(run.record->anchors.snapshot_step[static_cast<std::size_t>(at)]);
    }
    if (steps.empty()) return {};
    return steps.size() == 1 ? tr("step %1").arg(*steps.begin())
                             : tr("steps %1 to %2").arg(*steps.begin()).arg(*steps.rbegin());
}

QString AnchorsPage::usage_title(const QString& name, const std::vector<figures::RunInput>& runs) const {
    if (options_.of == figures::UsageOf::test) return tr("%1 · test windows").arg(name);
    const auto step = snapshot_steps(runs);
    if (step.isEmpty()) return name;
    return options_.of == figures::UsageOf::training ? tr("%1 · training up to %2").arg(name, step)
                                                     : tr("%1 · previous snapshot to %2").arg(name, step);
}

QString AnchorsPage::coverage_title(const std::vector<figures::RunInput>& runs) const {
    const auto step = snapshot_steps(runs);
    return step.isEmpty() ? tr("Coverage statistic c̃") : tr("Coverage statistic c̃ · %1").arg(step);
}

void AnchorsPage::choose_run(const std::vector<figures::RunInput>& runs) {
    const auto has_something = [this](const QString& folder) {
        auto* run = library()->data(folder);
        return run && run->summary().row.state != store::RunState::queued &&
               source_->set_of(*run, options_.step);
    };
    const auto now = run_->currentData().toString();
    // Keep the user's choice and the shown run.
    if (run_->property("chosen").toString() == now || has_something(now)) return;
    for (std::size_t i = 0; i < runs.size(); ++i)
        if (has_something(runs[i].folder)) {
            run_->setCurrentIndex(static_cast<int>(i));
            return;
        }
}

void AnchorsPage::set_options(const figures::AnchorOptions& options) {
    options_ = options;
    const QSignalBlocker a(of_), b(sorted_), c(log_y_);
    of_->setCurrentIndex(static_cast<int>(options.of));
    sorted_->setChecked(options.sorted);
    log_y_->setChecked(options.log_y);
    steps_->set_step(options.step);
    rebuild();
}

void AnchorsPage::selection_changed() {
    if (options_.step != selection()->state().step) {
        options_.step = selection()->state().step;
        steps_->set_step(options_.step);
        rebuild();
    }
    const auto& channels = selection()->state().channels;
    source_->set_selected_channels({channels.begin(), channels.end()});
    show_selection();
}

void AnchorsPage::show_selection() {
    if (!isVisible()) return;  // showEvent() catches up
    const auto& chosen = selection()->state();
    const auto set = scores_->set();
    const auto split = set ? QString::fromStdString(set->values.split) : QString();
    const auto runs = shown_runs().data();
    links_.keep_only(runs);
    std::unordered_map<QString, std::unordered_set<std::int64_t>> of_runs;
    std::set<std::int64_t> of_matrix;
    QStringList others, elsewhere;
    int looked_up = 0;
    for (auto* run : runs) {
        const std::set<std::int64_t>* own = nullptr;
        if (!chosen.anchors.empty()) {
            if (shown_runs().have_same_start(run->folder(), chosen.anchors_of))
                own = &chosen.anchors;
            else
                others << run->summary().label();
        } else if (!chosen.windows.empty() &&
                   (looked_up < max_looked_up || (set && set->folder == run->folder()))) {
            own = links_.anchors(chosen, *run, split);
            looked_up += own != nullptr ? 1 : 0;
            if (own != nullptr && own->empty()) {  // selected in runs on other data
                own = nullptr;
                elsewhere << run->summary().label();
            }
        }
        if (own == nullptr) continue;
        of_runs[run->folder()] = {own->begin(), own->end()};
        if (set && set->folder == run->folder()) of_matrix = *own;
    }
    for (const char* id : {"anchor-usage", "concentration", "coverage-statistic"})
        view(QString::fromLatin1(id))->set_highlight_of_runs(of_runs);
    const auto text =
        !elsewhere.isEmpty() ? tr("Not highlighted, because the selected windows are not among those whose "
                                  "retrieved anchors are known: %1. Press Esc to clear the selection.")
                                   .arg(some_names(elsewhere))
        : others.isEmpty()
            ? QString()
            : tr("The selected anchors are not highlighted in runs that began from other anchors (another "
                 "seed, model or backbone): %1")
                  .arg(some_names(others));
    set_missing(QStringLiteral("anchor-usage"), text);
    if (std::exchange(other_anchors_, text) != text) rebuild({QStringLiteral("anchor-usage")});
    // Columns are pairs: only those selected by lasso, or those that retrieve the anchors.
    std::vector<WindowChannel> pairs;
    if (set && chosen.windows.empty() && !chosen.anchors.empty())
        pairs = set->pairs_retrieving(of_matrix, chosen.channels);
    else if (set && (chosen.split.isEmpty() || chosen.split.toStdString() == set->values.split))
        pairs = chosen_pairs(chosen, *set);
    scores_->set_highlight(of_matrix, pairs);
    show_anchor();
}

void AnchorsPage::show_anchor() {
    const auto& chosen = selection()->state();
    const bool any =
        !chosen.anchors.empty() && shown_runs().have_same_start(chosen.anchors_of, inspector_->run());
    inspector_->set_anchor(any ? std::optional(*chosen.anchors.begin()) : std::nullopt);
}

void AnchorsPage::showEvent(QShowEvent* event) {
    ViewPage::showEvent(event);
    show_selection();
}

void AnchorsPage::show_scores(const std::vector<figures::RunInput>& runs) {
    // Shows one run at a time, as selected in the combo box.
    QStringList folders;
    for (const auto& run : runs) folders << run.folder;
    QStringList known;
    for (int i = 0; i < run_->count(); ++i) known << run_->itemData(i).toString();
    if (folders != known) {
        const auto before = run_->currentData().toString();
        run_->clear();
        for (const auto& run : runs) run_->addItem(run.label, run.folder);
        run_->setCurrentIndex(static_cast<int>(std::max<qsizetype>(0, folders.indexOf(before))));
    }
    run_->setVisible(runs.size() > 1);
    choose_run(runs);
    std::shared_ptr<const EmbeddingSet> set;
    QString title, empty;
    QStringList channels;
    bool any = false;
    for (const auto& run : runs) {
        any = any || run.record;
        if (run.folder != run_->currentData().toString()) continue;
        auto* run_data = library()->data(run.folder);
        if (!run_data) continue;
        set = source_->set_of(*run_data, options_.step);
        title = run.label;
        if (run.record)
            for (const auto& name : run.record->data.channel_names) channels << QString::fromStdString(name);
        if (const auto lack = figures::lack_text({run}, &model::Capabilities::anchors, tr("anchors"));
            !lack.isEmpty())
            empty = lack + tr(" Show a run with anchors.");
        else if (set)
            empty =
                tr("These embeddings were stored without similarities (run.store_similarity). Press Compute "
                   "embeddings.");
    }
    if (const auto text = shown_runs().problems(); !text.isEmpty()) empty = text;
    if (empty.isEmpty())
        empty = any ? tr("The similarity of anchors (rows) and windows (columns) appears here from the "
                         "start of training for runs of this session. For a finished run, press Compute "
                         "embeddings.")
                    : tr("The similarity s of anchors (rows) and windows (columns) appears here, for up to "
                         "the whole pool and 20,000 windows.") +
                          figures::first_step();
    scores_->show_set(std::move(set), title, channels, with_first_step(empty));
    show_selection();
}

void AnchorsPage::show_inspector(const std::vector<figures::RunInput>& runs) {
    const auto wanted = run_->currentData().toString();
    const figures::RunInput* chosen = nullptr;
    for (const auto& run : runs)
        if (run.folder == wanted || (!chosen && run.record)) {
            chosen = &run;
            if (run.folder == wanted) break;
        }
    auto* known = chosen ? library()->data(chosen->folder) : nullptr;
    if (!known) {
        inspector_->set_run(nullptr, nullptr, nullptr);
        return;
    }
    const auto set = source_->set_of(*known, options_.step);
    const auto split = set ? QString::fromStdString(set->values.split) : QString();
    // Embeddings have similarities; stored forecasts have all windows.
    const bool own = (set && !set->values.retrieved.empty()) ||
                     source_->source() == EmbeddingSource::snapshot;  // different weights: no list
    const auto choices = own ? set : links_.choices(*known, split, options_.step);
    inspector_->set_run(chosen, set, choices);
    show_selection();
}

void AnchorsPage::show_statistics(const std::vector<figures::RunInput>& runs) {
    std::vector<figures::RunInput> read;
    for (const auto& run : runs)
        if (run.record) read.push_back(run);
    const bool any = !read.empty();
    const auto lack = figures::lack_text(read, &model::Capabilities::anchors, tr("anchors"));
    auto empty = shown_runs().problems();
    if (empty.isEmpty() && !any)
        empty = with_first_step(
            tr("Usage entropy, distinct anchors, top-20 fraction and key cosine of each run appear here, "
               "with the overlap (Jaccard) of the anchors retrieved by any two runs.") +
            figures::first_step());
    else if (empty.isEmpty() && !lack.isEmpty())
        empty = lack + tr(" Show a run with anchors.");
    else if (empty.isEmpty())
        empty =
            tr("The anchors retrieved by these runs appear here seconds after the first step of a run "
               "trained in this session. For other runs they appear with the first snapshot (after an epoch, "
               "or every run.snapshot_steps steps), and over the test windows once a run is evaluated.");
    statistics_->show_runs(runs, options_.of, options_.step, empty);
}

void AnchorsPage::part_changed(RunPart part) {
    if (part == RunPart::everything || part == RunPart::summary) source_->set_runs(shown_runs().data());
    if (part == RunPart::embeddings || part == RunPart::embedding_work) source_->refresh();
    if (part != RunPart::anchors && part != RunPart::probe && part != RunPart::everything) return;
    std::set<std::int64_t> steps;
    for (const auto* shown : shown_runs().data()) {
        const auto& known = shown->record().anchors.snapshot_step;
        steps.insert(known.begin(), known.end());
        for (const auto& probe : shown->probes()) steps.insert(probe->step);
    }
    steps_->set_steps({steps.begin(), steps.end()});
}

void AnchorsPage::pick(const QString& run, const std::vector<std::int64_t>& ids,
                       Qt::KeyboardModifiers modifiers) {
    // The details are of the picked anchors.
    if (const int at = run_->findData(run);
        at >= 0 && !shown_runs().have_same_start(run, run_->currentData().toString())) {
        run_->setCurrentIndex(at);
        Q_EMIT run_->activated(at);
    }
    auto state = selection()->state();
    shown_runs().pick_anchors(state, run, ids, modifiers);
    selection()->set(state);
}

void AnchorsPage::pick_cells(const std::vector<std::int64_t>& anchors, const std::vector<std::int64_t>& rows,
                             Qt::KeyboardModifiers modifiers) {
    const auto set = scores_->set();
    if (!set) return;
    auto state = selection()->state();
    std::vector<WindowChannel> pairs;
    for (const auto row : rows) pairs.emplace_back(set->window_of(row), set->channel_of(row));
    shown_runs().pick_anchors(state, set->folder, anchors, modifiers);
    pick_pairs(state, *set, std::move(pairs), modifiers);
    selection()->set(state);
}

void AnchorsPage::save(QJsonObject& object) const {
    object[QStringLiteral("of")] = static_cast<int>(options_.of);
    object[QStringLiteral("sorted")] = options_.sorted;
    object[QStringLiteral("log_y")] = options_.log_y;
    scores_->save(object);
    source_->save(object);
    statistics_->save(object);
}

void AnchorsPage::restore(const QJsonObject& object) {
    auto options = options_;
    options.of = static_cast<figures::UsageOf>(std::clamp(object.value(QStringLiteral("of")).toInt(), 0, 2));
    options.sorted = object.value(QStringLiteral("sorted")).toBool(options.sorted);
    options.log_y = object.value(QStringLiteral("log_y")).toBool(options.log_y);
    set_options(options);
    scores_->restore(object);
    source_->restore(object);
    statistics_->restore(object);
}

}  // namespace casp::widgets

#include "panels/anchors_page.h"

#include <algorithm>
#include <cmath>

#include <QCheckBox>
#include <QComboBox>
#include <QJsonObject>
#include <QSignalBlocker>

#include "charts/figure_view.h"
#include "figures/recipe_training.h"
#include "panels/view_flow.h"
#include "panels/view_step_bar.h"

namespace casp::widgets {

AnchorsPage::AnchorsPage(RunLibrary* library, Selection* selection, QWidget* parent)
    : ViewPage(library, selection, parent) {
    make_controls();
    make_views();
    part_changed(RunPart::everything);
    selection_changed();
}

void AnchorsPage::make_controls() {
    of_ = new QComboBox;
    of_->addItems({tr("training so far"), tr("last snapshot"), tr("test windows")});
    of_->setAccessibleName(tr("Selections that are counted"));
    of_->setToolTip(
        tr("Which selections of anchors are counted: all of the training up to the snapshot, those since the "
           "snapshot before, or those over the test windows at the best checkpoint"));
    connect(of_, &QComboBox::currentIndexChanged, this, [this](int index) {
        options_.of = static_cast<figures::UsageOf>(index);
        rebuild();
    });
    labelled(tr("&Count"), of_);
    sorted_ = new QCheckBox(tr("&sorted"));
    sorted_->setToolTip(
        tr("Anchors by their value instead of by their number; several runs then share one plot"));
    log_y_ = new QCheckBox(tr("lo&g Y"));
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
    const auto pick = [this](const std::vector<std::int64_t>& ids, Qt::KeyboardModifiers modifiers) {
        pick_anchors(ids, modifiers);
    };
    const auto pick_step = [this](double x, Qt::KeyboardModifiers) {
        selection()->set_step(std::llround(x));
    };
    const std::set<RunPart> anchors{RunPart::anchors}, probe{RunPart::anchors, RunPart::probe};
    auto* usage = add("anchor-usage", tr("Anchor usage"), anchors, figures::usage_histogram, 300, 1);
    connect(usage, &FigureView::picked, this, pick);
    auto* heat = add("similarity", tr("Similarity of anchors and windows"), probe,
                     figures::similarity_heatmap, 300, 1);
    connect(heat, &FigureView::cells_picked, this,
            [this](const auto& rows, const auto& columns, Qt::KeyboardModifiers modifiers) {
                pick_cells(rows, columns, modifiers);
            });
    auto* concentration = add("concentration", tr("Concentration"), anchors, figures::concentration, 290, 2);
    connect(concentration, &FigureView::picked, this, pick);
    auto* course = add("concentration-course", tr("Concentration over training"), anchors,
                       figures::concentration_course, 250, 2);
    connect(course, &FigureView::x_picked, this, pick_step);
    auto* statistic =
        add("coverage-statistic", tr("Coverage statistic c̃"), anchors, figures::coverage_statistic, 270, 1);
    connect(statistic, &FigureView::picked, this, pick);
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
    show_selection();
}

void AnchorsPage::show_selection() {
    const auto& chosen = selection()->state();
    const std::unordered_set<std::int64_t> ids(chosen.anchors.begin(), chosen.anchors.end());
    for (const char* id : {"anchor-usage", "concentration", "coverage-statistic"})
        view(QString::fromLatin1(id))->set_highlight(ids);
    std::unordered_set<std::int64_t> columns;
    if (chosen.split.isEmpty() || chosen.split == QStringLiteral("val"))
        for (const auto& run : inputs())
            if (const auto probe = figures::probe_at(run, options_.step)) {
                for (std::size_t w = 0; w < probe->windows.size(); ++w)
                    for (std::int64_t c = 0; c < probe->channels; ++c)
                        if (chosen.windows.count(probe->windows[w]) > 0 &&
                            (chosen.channels.empty() || chosen.channels.count(c) > 0))
                            columns.insert(static_cast<std::int64_t>(w) * probe->channels + c);
                break;
            }
    view(QStringLiteral("similarity"))->set_highlight_cells(ids, columns);
}

void AnchorsPage::part_changed(RunPart part) {
    if (part != RunPart::anchors && part != RunPart::probe && part != RunPart::everything) return;
    std::set<std::int64_t> steps;
    for (const auto* shown : shown_data()) {
        const auto& known = shown->record().anchors.snapshot_step;
        steps.insert(known.begin(), known.end());
        for (const auto& probe : shown->probes()) steps.insert(probe->step);
    }
    steps_->set_steps({steps.begin(), steps.end()});
}

void AnchorsPage::pick_anchors(const std::vector<std::int64_t>& ids, Qt::KeyboardModifiers modifiers) {
    selection()->set_anchors(combined(selection()->state().anchors, ids, modifiers));
}

void AnchorsPage::pick_cells(const std::vector<std::int64_t>& rows, const std::vector<std::int64_t>& columns,
                             Qt::KeyboardModifiers modifiers) {
    auto state = selection()->state();
    state.anchors = combined(state.anchors, rows, modifiers);
    for (const auto& run : inputs())
        if (const auto probe = figures::probe_at(run, options_.step); probe && probe->channels > 0) {
            std::vector<std::int64_t> windows, channels;
            for (const auto column : columns) {
                const auto w = static_cast<std::size_t>(column / probe->channels);
                if (w < probe->windows.size()) windows.push_back(probe->windows[w]);
                channels.push_back(column % probe->channels);
            }
            const bool same_split = state.split == QStringLiteral("val");
            state.windows =
                combined(same_split ? state.windows : std::set<std::int64_t>{}, windows, modifiers);
            state.channels = combined(state.channels, channels, modifiers);
            state.split = QStringLiteral("val");
            break;
        }
    selection()->set(state);
}

void AnchorsPage::save(QJsonObject& object) const {
    object[QStringLiteral("of")] = static_cast<int>(options_.of);
    object[QStringLiteral("sorted")] = options_.sorted;
    object[QStringLiteral("log_y")] = options_.log_y;
}

void AnchorsPage::restore(const QJsonObject& object) {
    auto options = options_;
    options.of = static_cast<figures::UsageOf>(std::clamp(object.value(QStringLiteral("of")).toInt(), 0, 2));
    options.sorted = object.value(QStringLiteral("sorted")).toBool(options.sorted);
    options.log_y = object.value(QStringLiteral("log_y")).toBool(options.log_y);
    set_options(options);
}

}  // namespace casp::widgets

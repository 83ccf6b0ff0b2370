#include "panels/embeddings_page.h"

#include <algorithm>
#include <cmath>

#include <QCheckBox>
#include <QComboBox>
#include <QJsonArray>
#include <QJsonObject>
#include <QSignalBlocker>

#include "charts/figure_view.h"
#include "charts/view_frame.h"
#include "panels/embeddings_space.h"
#include "panels/view_flow.h"
#include "panels/view_step_bar.h"

namespace casp::widgets {

EmbeddingsPage::EmbeddingsPage(RunLibrary* library, Selection* selection, QWidget* parent)
    : ViewPage(library, selection, parent) {
    make_controls();
    using figures::RunInput;
    const QString help = QStringLiteral("embeddings");
    auto* plane = add_view(
        QStringLiteral("embedding-pca"), tr("PCA of anchors, series and prompts"), help,
        {RunPart::probe, RunPart::anchors},
        [this](const std::vector<RunInput>& runs) { return figures::embedding_plane(runs, options_); }, 420,
        2);
    connect(plane, &FigureView::picked, this,
            [this](const auto& ids, Qt::KeyboardModifiers modifiers) { pick(ids, modifiers); });
    space_ = new EmbeddingsSpace;
    auto* frame = add_content(
        QStringLiteral("embedding-space"), tr("Embeddings in space"), help,
        {RunPart::probe, RunPart::anchors}, space_,
        [this](const std::vector<RunInput>& runs) {
            space_->show_runs(runs, options_, problems());
            show_selection();  // windows of the probe that is shown now
        },
        440, 2);
    space_->join(*frame);
    frame->set_figure_source([this] { return figures::embedding_plane(inputs(), options_); });
    connect(space_, &EmbeddingsSpace::picked, this,
            [this](const auto& ids, Qt::KeyboardModifiers modifiers) { pick(ids, modifiers); });
    auto* course = add_view(
        QStringLiteral("variance-course"), tr("Variance on PC1 and PC1 + PC2"), help, {RunPart::probe},
        [this](const std::vector<RunInput>& runs) { return figures::variance_course(runs, options_.step); },
        250, 2);
    connect(course, &FigureView::x_picked, this,
            [this](double x, Qt::KeyboardModifiers) { this->selection()->set_step(std::llround(x)); });
    part_changed(RunPart::everything);
    selection_changed();
}

void EmbeddingsPage::make_controls() {
    steps_ = new StepBar;
    connect(steps_, &StepBar::step_chosen, this,
            [this](std::optional<std::int64_t> step) { selection()->set_step(step); });
    bar()->addWidget(steps_);
    colour_ = new QComboBox;
    colour_->addItems({tr("kind"), tr("usage of anchors")});
    colour_->setAccessibleName(tr("Colour of points"));
    colour_->setToolTip(
        tr("Colour points by what they are, or anchors by how often they were selected until the snapshot"));
    connect(colour_, &QComboBox::currentIndexChanged, this, [this](int index) {
        options_.by_usage = index == 1;
        rebuild();
    });
    labelled(tr("&Colour"), colour_);
    const auto kinds_changed = [this] {
        options_.kinds.clear();
        for (int kind = 0; kind < 3; ++kind)
            if (kinds_[static_cast<std::size_t>(kind)]->isChecked()) options_.kinds.push_back(kind);
        rebuild();
    };
    const QStringList tips{tr("Show the V' anchors"), tr("Show the embedded windows (series) of the probe"),
                           tr("Show the prompts: each window's mean over its K anchors and its patches")};
    for (int kind = 0; kind < 3; ++kind) {
        auto* box = new QCheckBox(figures::kind_name(kind));
        box->setChecked(true);
        box->setAccessibleName(tips[kind]);
        box->setToolTip(tips[kind]);
        connect(box, &QCheckBox::toggled, this, kinds_changed);
        bar()->addWidget(box);
        kinds_[static_cast<std::size_t>(kind)] = box;
    }
    same_axes_ = new QCheckBox(tr("same &axes"));
    same_axes_->setChecked(true);
    same_axes_->setAccessibleName(tr("Same axes for all runs"));
    same_axes_->setToolTip(tr("All runs on the same axes, so that spreads compare"));
    connect(same_axes_, &QCheckBox::toggled, this, [this](bool on) {
        options_.same_axes = on;
        rebuild();
    });
    bar()->addWidget(same_axes_);
}

void EmbeddingsPage::set_options(const figures::EmbeddingOptions& options) {
    options_ = options;
    const QSignalBlocker a(colour_), b(same_axes_);
    colour_->setCurrentIndex(options.by_usage ? 1 : 0);
    same_axes_->setChecked(options.same_axes);
    for (int kind = 0; kind < 3; ++kind) {
        const QSignalBlocker block(kinds_[static_cast<std::size_t>(kind)]);
        kinds_[static_cast<std::size_t>(kind)]->setChecked(
            std::find(options.kinds.begin(), options.kinds.end(), kind) != options.kinds.end());
    }
    steps_->set_step(options.step);
    rebuild();
}

void EmbeddingsPage::selection_changed() {
    if (options_.step != selection()->state().step) {
        options_.step = selection()->state().step;
        steps_->set_step(options_.step);
        rebuild();
    }
    show_selection();
}

std::shared_ptr<const train::Probe> EmbeddingsPage::probe() const {
    for (const auto& run : inputs())
        if (auto probe = figures::probe_at(run, options_.step); probe && has_layout(*probe)) return probe;
    return nullptr;
}

void EmbeddingsPage::show_selection() {
    const auto& chosen = selection()->state();
    std::unordered_set<std::int64_t> ids(chosen.anchors.begin(), chosen.anchors.end());
    if (const auto p = probe(); p && (chosen.split.isEmpty() || chosen.split == QStringLiteral("val")))
        for (std::size_t w = 0; w < p->windows.size(); ++w)
            for (std::int64_t c = 0; c < p->channels; ++c) {
                if (chosen.windows.count(p->windows[w]) == 0) continue;
                if (!chosen.channels.empty() && chosen.channels.count(c) == 0) continue;
                const auto row = static_cast<std::int64_t>(w) * p->channels + c;
                ids.insert(figures::point_id(figures::kind_series, row, p->pool_size));
            }
    space_->set_highlight({ids.begin(), ids.end()});
    view(QStringLiteral("embedding-pca"))->set_highlight(ids);
}

void EmbeddingsPage::pick(const std::vector<std::int64_t>& ids, Qt::KeyboardModifiers modifiers) {
    const auto p = probe();
    if (!p || p->channels <= 0) return;
    std::vector<std::int64_t> anchors, windows, channels;
    for (const auto id : ids) {
        if (id < p->pool_size) {
            anchors.push_back(id);
            continue;
        }
        const auto row = id - p->pool_size;
        const auto w = static_cast<std::size_t>(row / p->channels);
        if (w < p->windows.size()) windows.push_back(p->windows[w]);
        channels.push_back(row % p->channels);
    }
    auto state = selection()->state();
    const bool same_split = state.split == QStringLiteral("val");
    state.anchors = combined(state.anchors, anchors, modifiers);
    state.windows = combined(same_split ? state.windows : std::set<std::int64_t>{}, windows, modifiers);
    state.channels = combined(state.channels, channels, modifiers);
    if (!windows.empty()) state.split = QStringLiteral("val");
    selection()->set(state);
}

void EmbeddingsPage::part_changed(RunPart part) {
    if (part != RunPart::probe && part != RunPart::everything) return;
    std::set<std::int64_t> steps;
    for (const auto* shown : shown_data())
        for (const auto& probe : shown->probes()) steps.insert(probe->step);
    steps_->set_steps({steps.begin(), steps.end()});
}

void EmbeddingsPage::save(QJsonObject& object) const {
    QJsonArray kinds;
    for (const auto kind : options_.kinds) kinds.append(kind);
    object[QStringLiteral("kinds")] = kinds;
    object[QStringLiteral("by_usage")] = options_.by_usage;
    object[QStringLiteral("same_axes")] = options_.same_axes;
    object[QStringLiteral("space_flat")] = space_->is_flat();
}

void EmbeddingsPage::restore(const QJsonObject& object) {
    auto options = options_;
    if (object.contains(QStringLiteral("kinds"))) {
        options.kinds.clear();
        for (const auto& kind : object.value(QStringLiteral("kinds")).toArray())
            if (kind.toInt(-1) >= 0 && kind.toInt() < 3) options.kinds.push_back(kind.toInt());
    }
    options.by_usage = object.value(QStringLiteral("by_usage")).toBool(options.by_usage);
    options.same_axes = object.value(QStringLiteral("same_axes")).toBool(options.same_axes);
    space_->set_flat(object.value(QStringLiteral("space_flat")).toBool(space_->is_flat()));
    set_options(options);
}

}  // namespace casp::widgets

#include "panels/embeddings/embeddings_page.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include <QCheckBox>
#include <QComboBox>
#include <QElapsedTimer>
#include <QJsonArray>
#include <QJsonObject>
#include <QSignalBlocker>

#include "analysis/pca.h"
#include "charts/figure_view.h"
#include "charts/view_frame.h"
#include "panels/embeddings/embeddings_layout.h"
#include "panels/embeddings/embeddings_source.h"
#include "panels/embeddings/embeddings_space.h"
#include "panels/view/view_flow.h"
#include "panels/view/view_step_bar.h"
#include "vtk/embedding_view.h"
#include "words/core_text.h"

namespace casp::widgets {

namespace {

/// The probe's layout, with signs matched to the previous snapshots as in the PCA figure.
store::EmbeddingLayout oriented(const figures::RunInput& run, std::int64_t step) {
    store::EmbeddingLayout before;
    for (const auto& probe : run.probes) {
        if (!probe || !probe->pca.can_be_drawn()) continue;
        auto now = probe->pca;
        if (!before.empty()) analysis::keep_orientation(now, before);
        if (probe->step >= step) return now;
        before = std::move(now);
    }
    return before;
}

/// The layout of a stored set; for a snapshot, with signs matched to the previously shown layout of the same
/// points.
template <class List>
std::shared_ptr<const store::EmbeddingLayout> still_layout(const std::shared_ptr<const EmbeddingSet>& set,
                                                           const List& before) {
    std::shared_ptr<const store::EmbeddingLayout> own(set, &set->values.pca);
    if (!set->moment().step) return own;
    const auto former = std::find_if(before.begin(), before.end(),
                                     [&](const auto& one) { return one.set->has_points_of(*set); });
    if (former == before.end()) return own;
    auto turned = std::make_shared<store::EmbeddingLayout>(*own);
    analysis::keep_orientation(*turned, *former->pca);
    return turned;
}

template <class List>
EmbeddingSets sets_of(const List& shown) {
    EmbeddingSets sets;
    for (const auto& one : shown) sets.push_back(one.set);
    return sets;
}

/// Whether a layout of `laid_out` applies to the shown sets. For a running run, the next snapshot also
/// qualifies: its layout continues from this one. For a finished run, other values belong to other weights.
bool is_layout_of(const EmbeddingSets& laid_out, const EmbeddingSets& shown) {
    const auto same_weights = [](const auto& a, const auto& b) {
        return a == b || a->live || a->values.anchors == b->values.anchors;
    };
    return have_same_points(laid_out, shown) &&
           std::equal(laid_out.begin(), laid_out.end(), shown.begin(), same_weights);
}

/// Whether a running run has a newer snapshot than the requested one.
bool has_next_snapshot(const EmbeddingSets& asked, const EmbeddingSets& shown) {
    return !std::equal(asked.begin(), asked.end(), shown.begin(), shown.end(),
                       [](const auto& before, const auto& now) { return before == now || !now->live; });
}

/// A layout of an earlier snapshot keeps that snapshot's step, errors and retrieved anchors. For a finished
/// run, the shown set may have more information on the same rows.
template <class Drawn>
void join(const LayoutPicture& picture, const EmbeddingSets& shown, std::vector<Drawn>& drawn) {
    for (std::size_t i = 0; i < shown.size(); ++i)
        drawn.push_back({shown[i]->live ? picture.sets[i] : shown[i], picture.layouts[i]});
}

}  // namespace

EmbeddingsPage::EmbeddingsPage(RunLibrary* library, Selection* selection, QWidget* parent)
    : ViewPage(library, selection, parent) {
    make_controls();
    make_views();
    move_timer_.setSingleShot(true);
    connect(&move_timer_, &QTimer::timeout, this, &EmbeddingsPage::layout_moved);
    const auto moved = [this] {
        if (!move_timer_.isActive()) move_timer_.start(static_cast<int>(move_pause_));
    };
    connect(&tsne_, &LayoutWork::moved, this, moved);
    connect(&common_pca_, &LayoutWork::moved, this, moved);
    part_changed(RunPart::everything);
    selection_changed();
}

EmbeddingsPage::~EmbeddingsPage() = default;

void EmbeddingsPage::make_views() {
    using figures::RunInput;
    const QString help = QStringLiteral("embeddings");
    const std::set<RunPart> parts{RunPart::probe, RunPart::anchors, RunPart::embeddings};
    space_ = new EmbeddingsSpace;
    auto* frame = add_content(
        QStringLiteral("embedding-space"), tr("Embeddings in space"), help, parts, space_,
        [this](const std::vector<RunInput>& runs) { show_space(runs); }, 470, 2);
    space_->join(*frame);
    frame->set_figure_source([this] { return space_figure(); });
    // A t-SNE may run indefinitely: its current picture suffices.
    frame->set_busy_source([this] {
        return shown_runs().is_reading_embeddings() || common_pca_.is_busy() ||
               (move_timer_.isActive() && !tsne_.is_busy());
    });
    connect(space_, &EmbeddingsSpace::rows_changed, this,
            [this] { fit_view(QStringLiteral("embedding-space")); });
    connect(space_, &EmbeddingsSpace::picked, this,
            [this](int cloud, const auto& ids, Qt::KeyboardModifiers modifiers) {
                pick(static_cast<std::size_t>(cloud), ids, modifiers);
            });
    auto* course = add_view(
        QStringLiteral("variance-course"), tr("Variance on PC1 and PC1 + PC2"), help,
        {RunPart::probe, RunPart::embeddings},
        [this](const std::vector<RunInput>& runs) { return figures::variance_course(runs, step_); }, 250, 2);
    connect(course, &FigureView::x_picked, this, [this](double x, Qt::KeyboardModifiers) {
        if (steps_->isVisible()) this->selection()->set_step(std::llround(x));
    });
    make_variance_table();
}

void EmbeddingsPage::make_controls() {
    source_ = new EmbeddingsSource(*selection());
    add_header(source_);
    connect(source_, &EmbeddingsSource::changed, this, [this] {
        part_changed(RunPart::probe);
        rebuild();
    });
    connect(source_, &EmbeddingsSource::message, this, &EmbeddingsPage::message);
    layout_bar_ = new LayoutBar(&tsne_);
    add_header(layout_bar_);
    connect(layout_bar_, &LayoutBar::changed, this, [this] { rebuild({QStringLiteral("embedding-space")}); });
    connect(layout_bar_, &LayoutBar::start_requested, this, &EmbeddingsPage::start_tsne);
    connect(layout_bar_, &LayoutBar::store_requested, this, &EmbeddingsPage::store_layouts);

    steps_ = new StepBar;
    connect(steps_, &StepBar::step_chosen, this,
            [this](std::optional<std::int64_t> step) { selection()->set_step(step); });
    bar()->addWidget(steps_);
    colour_ = new QComboBox;
    colour_->addItems(
        {tr("Kind"), tr("Run"), tr("Usage of anchors"), tr("Channel"), tr("Time"), tr("Error (MSE)")});
    named(
        colour_, tr("Colour of points"),
        tr("Colour points by kind or by run, anchors by usage, or windows by channel, start time or forecast "
           "MSE"));
    connect(colour_, &QComboBox::currentIndexChanged, this, [this](int index) {
        cloud_.colour = static_cast<CloudColour>(index);
        rebuild();
    });
    labelled(tr("&Colour"), colour_);
    const auto kinds_changed = [this] {
        cloud_.kinds.clear();
        for (const auto kind : all_kinds)
            if (kinds_[static_cast<std::size_t>(kind)]->isChecked()) cloud_.kinds.push_back(kind);
        rebuild();
    };
    const QStringList tips{
        tr("Show the V' anchors"), tr("Show the windows' time-series embeddings (series)"),
        tr("Show the prompt embeddings: each window's mean over its K anchors and its patches")};
    for (int kind = 0; kind < 3; ++kind) {
        auto* box = new QCheckBox(translated(figures::kind_name(kind)));
        box->setChecked(true);
        named(box, tips[kind], tips[kind]);
        connect(box, &QCheckBox::toggled, this, kinds_changed);
        bar()->addWidget(box);
        kinds_[static_cast<std::size_t>(kind)] = box;
    }
}

void EmbeddingsPage::set_kinds(std::vector<PointKind> kinds) {
    cloud_.kinds = std::move(kinds);
    for (const auto kind : all_kinds) {
        auto* box = kinds_[static_cast<std::size_t>(kind)];
        const QSignalBlocker block(box);
        box->setChecked(std::find(cloud_.kinds.begin(), cloud_.kinds.end(), kind) != cloud_.kinds.end());
    }
    rebuild();
}

void EmbeddingsPage::set_colour(CloudColour colour) {
    const QSignalBlocker block(colour_);
    colour_->setCurrentIndex(static_cast<int>(colour));
    cloud_.colour = colour;
    rebuild();
}

std::vector<EmbeddingsPage::Shown> EmbeddingsPage::find_shown(const std::vector<figures::RunInput>& runs) {
    std::vector<Shown> shown;
    for (const auto& run : runs) {
        if (shown.size() == EmbeddingsSpace::max_views) break;
        auto* known = library()->data(run.folder);
        if (!known) continue;
        const auto set = source_->set_of(*known, step_);
        if (!set || !set->values.pca.can_be_drawn()) continue;
        // Matching signs takes a pass over the snapshots: once per set.
        const auto before =
            std::find_if(shown_.begin(), shown_.end(), [&](const Shown& one) { return one.set == set; });
        if (before != shown_.end())
            shown.push_back(*before);
        else
            shown.push_back({run.folder, set,
                             set->live
                                 ? std::make_shared<store::EmbeddingLayout>(oriented(run, set->values.step))
                                 : still_layout(set, shown_)});
    }
    std::vector<Shown> ordered;
    for (const auto& run : shown_runs().in_comparison_order(runs))
        for (auto& one : shown)
            if (one.folder == run.folder) ordered.push_back(std::move(one));
    return ordered;
}

std::vector<EmbeddingsPage::Drawn> EmbeddingsPage::components() {
    std::vector<Drawn> drawn;
    const auto sets = sets_of(shown_);
    const bool fits = std::all_of(sets.begin(), sets.end(), [&](const auto& set) {
        return set->values.has_vectors() && set->values.dimension == sets.front()->values.dimension;
    });
    if (layout_bar_->common() && sets.size() > 1 && fits) {
        if (pca_sets_ != sets) {
            pca_sets_ = sets;
            if (common_pca_.picture() && is_layout_of(common_pca_.picture()->sets, sets))
                common_pca_.follow(sets);
            else
                common_pca_.start(sets, LayoutOptions());
        }
        const auto& picture = common_pca_.picture();
        if (picture && is_layout_of(picture->sets, sets)) {
            join(*picture, sets, drawn);
            return drawn;
        }
    }
    for (const auto& one : shown_) drawn.push_back({one.set, one.pca});
    return drawn;
}

std::vector<EmbeddingsPage::Drawn> EmbeddingsPage::tsne(QString& why_not) {
    using State = LayoutWork::State;
    std::vector<Drawn> drawn;
    const auto sets = sets_of(shown_);
    const auto picture = tsne_.picture();
    if (picture && is_layout_of(picture->sets, sets)) {
        // The next snapshot: continue from the current layout.
        const bool is_running = tsne_.state() != State::stopped && tsne_.state() != State::paused;
        if (is_running && !step_ && has_next_snapshot(tsne_sets_, sets)) {
            tsne_sets_ = sets;
            tsne_.follow(sets);
        }
        join(*picture, sets, drawn);
    } else if (tsne_.is_busy() && is_layout_of(tsne_sets_, sets)) {
        why_not = tr("Preparing the t-SNE: searching for the neighbours of all points.");
    } else if (std::all_of(sets.begin(), sets.end(),
                           [](const auto& set) { return !set->values.tsne.empty(); })) {
        for (const auto& set : sets) drawn.push_back({set, {set, &set->values.tsne}});
    } else {
        why_not = why_no_tsne();
    }
    return drawn;
}

QString EmbeddingsPage::empty_text(const std::vector<figures::RunInput>& runs) const {
    if (const auto text = shown_runs().problems(); !text.isEmpty()) return text;
    bool any = false, computing = false, reading = false;
    for (const auto& run : runs) {
        any = any || run.record;
        if (auto* known = library()->data(run.folder)) {
            const auto status = known->embedding_status();
            if (!status.problem.isEmpty()) return run.label + QStringLiteral(": ") + status.problem;
            computing = computing || status.phase == EmbeddingStatus::Phase::computing;
            reading =
                reading || status.phase == EmbeddingStatus::Phase::reading || known->is_reading_probes();
        }
    }
    if (!any)
        return tr("Anchors, series and prompts appear here as point clouds, up to four runs side by side on "
                  "the same axes. Drag to rotate, Shift+drag to select points.") +
               figures::first_step();
    if (const auto lack = figures::lack_text(runs, &model::Capabilities::embeddings, tr("embeddings"));
        !lack.isEmpty())
        return lack + tr(" Show a run with embeddings.");
    if (computing) return tr("Computing the embeddings.");
    if (reading) return tr("Reading the stored embeddings.");
    if (source_->source() == EmbeddingSource::probe)
        return QObject::tr(
            "These runs have no embeddings. They are recorded for runs started in this "
            "session, and stored with run.store_embeddings.");
    if (source_->source() == EmbeddingSource::snapshot)
        return tr(
            "This snapshot has no embeddings yet. Select its step above and press Compute embeddings to "
            "embed the windows with the weights of that step. Runs with run.store_embeddings keep these "
            "weights.");
    return tr(
        "These runs have no stored (run.store_embeddings) or computed embeddings yet. Press Compute "
        "embeddings to embed their windows with the best weights.");
}

void EmbeddingsPage::show_bar() {
    std::int64_t points = 0;
    bool vectors = !shown_.empty();
    for (const auto& one : shown_) {
        vectors = vectors && one.set->values.has_vectors();
        for (const auto kind : cloud_.kinds) points += one.set->points_of(kind);
    }
    const bool same_start = std::all_of(shown_.begin(), shown_.end(), [this](const Shown& one) {
        return shown_runs().have_same_start(one.folder, shown_.front().folder);
    });
    layout_bar_->set_several(
        shown_.size() > 1,
        same_start
            ? QString()
            : tr("Each run has a separate layout: runs of different seeds, models or backbones begin "
                 "with other weights, so that positions in their embedding spaces do not correspond."));
    layout_bar_->set_points(vectors ? points : 0,
                            shown_.empty() ? tr("No embeddings to lay out yet")
                            : !vectors     ? tr("The embedding vectors of this snapshot were not kept")
                                           : QString());
    layout_bar_->set_elsewhere(tsne_.picture() && !is_layout_of(tsne_.picture()->sets, sets_of(shown_)));
}

void EmbeddingsPage::show_space(const std::vector<figures::RunInput>& runs) {
    shown_ = find_shown(runs);
    offer_variances(runs);
    drawn_.clear();
    set_missing(QStringLiteral("embedding-space"), shown_.empty() ? QString() : left_out(runs));
    show_bar();
    if (shown_.empty()) {
        space_->show_clouds({}, with_first_step(empty_text(runs)));
        return;
    }
    QString why_not;
    drawn_ = layout_bar_->method() == LayoutMethod::pca ? components() : tsne(why_not);
    if (drawn_.empty()) {
        space_->show_clouds({}, why_not);
        return;
    }
    auto points = clouds(runs);
    const bool none =
        std::all_of(points.begin(), points.end(), [](const auto& cloud) { return cloud.points.size() == 0; });
    if (none)
        space_->show_clouds({}, tr("No kind of points is selected. Check anchors, series or prompts above."));
    else
        space_->show_clouds(std::move(points));
    show_selection();  // apply the selection to the points shown now
}

std::vector<EmbeddingsSpace::Cloud> EmbeddingsPage::clouds(const std::vector<figures::RunInput>& runs) {
    std::vector<const figures::RunInput*> inputs;
    cloud_.range = {};
    for (std::size_t i = 0; i < drawn_.size(); ++i) {
        const auto run = std::find_if(runs.begin(), runs.end(),
                                      [&](const auto& one) { return one.folder == shown_[i].folder; });
        inputs.push_back(run == runs.end() ? nullptr : &*run);
        const auto own = colour_range(*drawn_[i].set, inputs.back(), cloud_.colour);
        if (!own) continue;
        if (!cloud_.range) cloud_.range = own;
        cloud_.range->first = std::min(cloud_.range->first, own->first);
        cloud_.range->second = std::max(cloud_.range->second, own->second);
    }
    std::vector<EmbeddingsSpace::Cloud> clouds;
    for (std::size_t i = 0; i < drawn_.size(); ++i)
        if (inputs[i])
            clouds.push_back(
                {shown_[i].folder, embedding_cloud(drawn_[i].set, *drawn_[i].layout, *inputs[i], cloud_)});
    return clouds;
}

void EmbeddingsPage::layout_moved() {
    if (!isVisible()) {
        rebuild({QStringLiteral("embedding-space")});
        return;
    }
    QElapsedTimer clock;
    clock.start();
    show_space(shown_runs().inputs());
    // Large clouds are updated less often: the event loop keeps three quarters of the time.
    move_pause_ = std::clamp<qint64>(3 * clock.elapsed(), 50, 1000);
}

void EmbeddingsPage::start_tsne() {
    std::vector<std::shared_ptr<const EmbeddingSet>> sets;
    for (const auto& one : shown_)
        if (one.set->values.has_vectors()) sets.push_back(one.set);
    for (const auto& set : sets)
        if (set->values.dimension != sets.front()->values.dimension) {
            Q_EMIT message(
                tr("These runs have embeddings of %1 and %2 dimensions: show one run at a time for a t-SNE")
                    .arg(sets.front()->values.dimension)
                    .arg(set->values.dimension));
            return;
        }
    auto options = layout_bar_->options();
    options.method = LayoutMethod::tsne;
    options.kinds = cloud_.kinds;
    if (sets.empty() || options.kinds.empty()) return;
    tsne_sets_ = sets;
    tsne_.start(std::move(sets), options);
    layout_bar_->set_method(LayoutMethod::tsne);
    rebuild({QStringLiteral("embedding-space")});
}

void EmbeddingsPage::store_layouts() {
    const auto picture = tsne_.picture();
    if (!picture) return;
    int stored = 0;
    for (std::size_t i = 0; i < picture->sets.size(); ++i) {
        auto* run = library()->data(picture->sets[i]->folder);
        // If it was stored or computed again meanwhile, it is a different object with the same rows.
        const auto moment = picture->sets[i]->moment();
        const auto set = run ? run->embeddings_of(moment) : nullptr;
        if (!set || !is_layout_of({picture->sets[i]}, {set})) continue;
        run->store_embedding_layout(moment, QStringLiteral("tsne"), *picture->layouts[i]);
        ++stored;
    }
    Q_EMIT message(stored > 0 ? tr("Storing the layout in arrays.h5 of %n run(s)", nullptr, stored)
                              : tr("Layouts can be stored for finished runs only; this one is of a probe"));
}

figures::Figure EmbeddingsPage::space_figure() {
    std::vector<const EmbeddingPoints*> clouds;
    for (std::size_t i = 0; i < space_->shown(); ++i)
        if (space_->view(i).points().size() > 0) clouds.push_back(&space_->view(i).points());
    const bool tsne = layout_bar_->method() == LayoutMethod::tsne;
    auto figure = cloud_figure(
        clouds, tsne ? QStringLiteral("embedding-space-tsne") : QStringLiteral("embedding-space-pca"),
        tsne ? tr("t-SNE of anchors, series and prompts") : tr("PCA of anchors, series and prompts"));
    QStringList of;
    for (const auto& one : drawn_) of << one.set->text();
    of.removeDuplicates();
    figure.caption =
        tr("%1 of the embeddings: %2.")
            .arg(tsne ? tr("t-SNE") : tr("First two principal components"), of.join(QStringLiteral("; ")));
    return figure;
}

void EmbeddingsPage::selection_changed() {
    if (step_ != selection()->state().step) {
        step_ = selection()->state().step;
        steps_->set_step(step_);
        source_->set_step(step_);
        rebuild();
    }
    const auto& channels = selection()->state().channels;
    source_->set_selected_channels({channels.begin(), channels.end()});
    show_selection();
}

void EmbeddingsPage::showEvent(QShowEvent* event) {
    ViewPage::showEvent(event);
    show_selection();
}

void EmbeddingsPage::part_changed(RunPart part) {
    if (part == RunPart::everything || part == RunPart::summary) source_->set_runs(shown_runs().data());
    if (part == RunPart::embeddings || part == RunPart::embedding_work || part == RunPart::probe)
        source_->refresh();
    if (part != RunPart::probe && part != RunPart::everything && part != RunPart::embeddings) return;
    std::set<std::int64_t> steps;
    for (const auto* shown : shown_runs().data())
        for (const auto& probe : shown->probes()) steps.insert(probe->step);
    steps_->set_steps({steps.begin(), steps.end()});
    steps_->setVisible(source_->source() != EmbeddingSource::checkpoint && !steps.empty());
}

void EmbeddingsPage::save(QJsonObject& object) const {
    QJsonArray kinds;
    for (const auto kind : cloud_.kinds) kinds.append(static_cast<int>(kind));
    object[QStringLiteral("kinds")] = kinds;
    object[QStringLiteral("colour")] = static_cast<int>(cloud_.colour);
    object[QStringLiteral("space_flat")] = space_->is_flat();
    source_->save(object);
    layout_bar_->save(object);
}

void EmbeddingsPage::restore(const QJsonObject& object) {
    if (object.contains(QStringLiteral("kinds"))) {
        std::vector<PointKind> kinds;
        for (const auto& kind : object.value(QStringLiteral("kinds")).toArray())
            if (kind.toInt(-1) >= 0 && kind.toInt() < 3)
                kinds.push_back(static_cast<PointKind>(kind.toInt()));
        set_kinds(std::move(kinds));
    }
    set_colour(static_cast<CloudColour>(
        std::clamp(object.value(QStringLiteral("colour")).toInt(static_cast<int>(cloud_.colour)), 0, 5)));
    space_->set_flat(object.value(QStringLiteral("space_flat")).toBool(space_->is_flat()));
    source_->restore(object);
    layout_bar_->restore(object);
}

}  // namespace casp::widgets

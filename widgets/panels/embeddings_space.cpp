#include "panels/embeddings_space.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_map>

#include <QEvent>
#include <QToolButton>
#include <QVBoxLayout>

#include "analysis/pca.h"
#include "charts/view_frame.h"
#include "figures/recipe_usage.h"
#include "figures/style.h"
#include "figures/ticks.h"
#include "vtk/embedding_view.h"

namespace casp::widgets {

bool has_layout(const train::Probe& probe) {
    const auto& l = probe.pca;
    return l.components >= 2 && !l.points.empty() && l.kind.size() == l.row.size() &&
           l.points.size() == l.kind.size() * static_cast<std::size_t>(l.components);
}

namespace {

/// The probe's layout, turned to agree with the snapshots before it as the plane is.
store::EmbeddingLayout oriented(const figures::RunInput& run, const train::Probe& probe) {
    store::EmbeddingLayout before;
    for (const auto& p : run.probes) {
        if (!p || !has_layout(*p)) continue;
        auto now = p->pca;
        if (!before.points.empty()) analysis::keep_orientation(now, before);
        if (p.get() == &probe) return now;
        before = std::move(now);
    }
    return probe.pca;
}

/// "PC1 (61 % of PC1–PC3)": a layout does not keep the variance of what it leaves out.
QStringList axis_titles(const store::EmbeddingLayout& layout) {
    const auto n = static_cast<std::size_t>(layout.components);
    const auto shown = std::min<std::size_t>(n, 3);
    const auto rows = layout.points.size() / n;
    std::array<double, 3> variance{};
    double whole = 0;
    for (std::size_t c = 0; c < shown; ++c) {
        double mean = 0;
        for (std::size_t i = 0; i < rows; ++i) mean += static_cast<double>(layout.points[i * n + c]);
        mean /= static_cast<double>(rows);
        for (std::size_t i = 0; i < rows; ++i) {
            const double by = static_cast<double>(layout.points[i * n + c]) - mean;
            variance[c] += by * by;
        }
        whole += variance[c];
    }
    QStringList titles;
    for (std::size_t c = 0; c < shown; ++c) {
        auto title = QStringLiteral("PC%1").arg(c + 1);
        if (whole > 0 && std::isfinite(whole))
            title += QStringLiteral(" (%1 % of PC1–PC%2)")
                         .arg(figures::number_text(100 * variance[c] / whole, 3))
                         .arg(shown);
        titles << title;
    }
    return titles;
}

EmbeddingBounds bounds_of(const EmbeddingPoints& cloud, bool flat) {
    EmbeddingBounds bounds;
    const auto n = static_cast<std::size_t>(std::max(cloud.components, 1));
    for (std::size_t i = 0; i < cloud.size(); ++i) {
        const float* at = cloud.points.data() + i * n;
        const QVector3D place(at[0], n > 1 ? at[1] : 0, n > 2 && !flat ? at[2] : 0);
        if (std::isfinite(place.x()) && std::isfinite(place.y()) && std::isfinite(place.z()))
            bounds.add(place);
    }
    return bounds;
}

/// Whether the camera shows about all points, not moved aside: then it may follow them.
bool shows_all(const EmbeddingView& view) {
    const auto& now = view.camera();
    auto fitted = now;
    fitted.fit(bounds_of(view.points(), now.flat), view.plot_rect().size());
    const double aside = static_cast<double>((fitted.centre - now.centre).length());
    return aside < 0.02 * fitted.half_height && now.half_height > 0.7 * fitted.half_height &&
           now.half_height < 1.5 * fitted.half_height;
}

QString label_of(int kind, std::int64_t row, const figures::RunInput& run, const train::Probe& probe,
                 const std::vector<std::int64_t>& used) {
    if (kind == figures::kind_anchor) {
        auto text = QStringLiteral("anchor %1").arg(row);
        if (static_cast<std::size_t>(row) < used.size())
            text += QStringLiteral("\nselected %1 times").arg(used[static_cast<std::size_t>(row)]);
        return text;
    }
    if (probe.channels <= 0) return figures::kind_name(kind);
    const auto w = static_cast<std::size_t>(row / probe.channels);
    const auto channel = row % probe.channels;
    const auto name = run.record ? figures::channel_name(run.record->data, channel)
                                 : QStringLiteral("channel %1").arg(channel);
    const auto text =
        QStringLiteral("window %1, %2").arg(w < probe.windows.size() ? probe.windows[w] : row).arg(name);
    return kind == figures::kind_prompt ? QStringLiteral("prompt of ") + text : text;
}

}  // namespace

EmbeddingPoints embedding_points(const figures::RunInput& run, const train::Probe& probe,
                                 const figures::EmbeddingOptions& options) {
    EmbeddingPoints cloud;
    if (!has_layout(probe)) return cloud;
    const auto layout = oriented(run, probe);
    const auto n = static_cast<std::size_t>(layout.components);
    cloud.components = static_cast<int>(std::min<std::size_t>(n, 3));
    cloud.axis_titles = axis_titles(layout);
    cloud.title = QStringLiteral("%1 · step %2").arg(run.label).arg(probe.step);
    std::vector<std::int64_t> used;
    if (run.record) used = figures::usage_counts(run.record->anchors, figures::UsageOf::training, probe.step);

    for (const int kind : {figures::kind_anchor, figures::kind_series, figures::kind_prompt}) {
        if (std::find(options.kinds.begin(), options.kinds.end(), kind) == options.kinds.end()) continue;
        // The plane of one kind tells how its points look; each has one place in it.
        auto look = options;
        look.step = probe.step;
        look.kinds = {kind};
        look.same_axes = false;
        const auto plane = figures::embedding_plane({run}, look);
        if (plane.plots.empty()) continue;
        std::unordered_map<std::int64_t, std::size_t> row_of;
        for (std::size_t i = 0; i < layout.kind.size(); ++i)
            if (layout.kind[i] == kind) row_of[figures::point_id(kind, layout.row[i], probe.pool_size)] = i;
        const auto plain = figures::kind_name(kind);
        for (const auto& s : plane.plots.front().series) {
            // The plane's legend also tells variances.
            const bool classed = !s.name.startsWith(plain + QStringLiteral(" ("));
            const auto number = static_cast<std::uint8_t>(cloud.kinds.size());
            cloud.kinds.push_back({classed ? s.name : plain, s.colour, s.marker, s.width + 1.5});
            for (const auto id : s.ids) {
                const auto found = row_of.find(id);
                if (found == row_of.end()) continue;
                const auto i = found->second;
                for (std::size_t c = 0; c < static_cast<std::size_t>(cloud.components); ++c)
                    cloud.points.push_back(layout.points[i * n + c]);
                cloud.ids.push_back(id);
                cloud.kind.push_back(number);
                cloud.labels << label_of(kind, layout.row[i], run, probe, used);
            }
        }
    }
    return cloud;
}

EmbeddingsSpace::EmbeddingsSpace(QWidget* parent) : QWidget(parent) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    view_ = make_embedding_view(this);
    view_->setAccessibleName(tr("Embeddings in space"));
    column->addWidget(view_);
    setFocusProxy(view_);

    const auto button = [this](const QString& text, const QString& name, const QString& tip, bool checkable) {
        auto* made = new QToolButton(this);
        made->setText(text);
        made->setAccessibleName(name);
        made->setToolTip(tip);
        made->setAutoRaise(true);
        made->setCheckable(checkable);
        made->setFocusPolicy(Qt::TabFocus);
        return made;
    };
    space_ = button(tr("3-D"), tr("Three dimensions"),
                    tr("On: three components, drag to turn (key 3). Off: the first two (key 2)"), true);
    lasso_ = button(tr("Lasso"), tr("Lasso"),
                    tr("Dragging draws a lasso that selects points (key L, or hold Shift); Ctrl adds"), true);
    all_ = button(tr("Show all"), tr("Show all points"), tr("Bring all points into view (key 0)"), false);

    connect(space_, &QToolButton::toggled, this, [this](bool on) { view_->set_flat(!on); });
    connect(view_, &EmbeddingView::flat_changed, this, [this](bool flat) {
        space_->setChecked(!flat);
        if (space_->isEnabled()) wants_flat_ = flat;
    });
    connect(lasso_, &QToolButton::toggled, this, [this](bool on) {
        view_->set_tool(on ? EmbeddingView::Tool::lasso : EmbeddingView::Tool::move);
    });
    connect(view_, &EmbeddingView::tool_changed, lasso_,
            [this](EmbeddingView::Tool tool) { lasso_->setChecked(tool == EmbeddingView::Tool::lasso); });
    connect(all_, &QToolButton::clicked, view_, &EmbeddingView::fit);
    connect(view_, &EmbeddingView::picked, this, &EmbeddingsSpace::picked);
    set_flat(false);
}

void EmbeddingsSpace::join(ViewFrame& frame) {
    for (auto* control : {space_, lasso_, all_}) frame.add_control(control);
    frame.set_picture_source(
        [this] { return view_->points().size() > 0 ? view_->to_image({}, 2) : QImage(); });
}

void EmbeddingsSpace::set_flat(bool flat) {
    wants_flat_ = flat;
    view_->set_flat(flat || !space_->isEnabled());
    space_->setChecked(!view_->is_flat());
}

void EmbeddingsSpace::set_highlight(std::set<std::int64_t> ids) { view_->set_highlight(std::move(ids)); }

void EmbeddingsSpace::show_runs(const std::vector<figures::RunInput>& runs,
                                const figures::EmbeddingOptions& options, const QString& problem) {
    EmbeddingPoints cloud;
    QString folder;
    for (const auto& run : runs)
        if (const auto probe = figures::probe_at(run, options.step); probe && has_layout(*probe)) {
            cloud = embedding_points(run, *probe, options);
            folder = run.folder;
            break;
        }
    if (folder.isEmpty()) {
        const bool any = std::any_of(runs.begin(), runs.end(), [](const auto& run) { return run.record; });
        cloud.empty_text =
            !problem.isEmpty() ? problem
            : any              ? figures::embedding_plane(runs, options).empty_text
                  : tr("Anchors, series and prompts as a cloud that you can turn: three principal "
                       "components instead of two. Press Run, or choose runs in the list on the "
                       "left; drag then turns the cloud, Shift+drag selects points.");
    } else if (cloud.size() == 0) {
        cloud.empty_text = tr("No kind of points is chosen. Check anchors, series or prompts above.");
    }
    const bool follow = folder != run_ || shows_all(*view_);
    space_->setEnabled(cloud.components != 2);
    view_->set_flat(wants_flat_ || cloud.components == 2);
    const bool some = cloud.size() > 0;
    cloud_ = std::move(cloud);
    hand_over();
    if (some && follow) view_->fit();
    if (some) run_ = folder;
}

void EmbeddingsSpace::hand_over() {
    auto cloud = cloud_;
    const auto background = figures::style_of(palette()).background;
    for (auto& kind : cloud.kinds) kind.colour = figures::readable_on(kind.colour, background);
    view_->set_points(std::move(cloud));
}

void EmbeddingsSpace::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) hand_over();
}

}  // namespace casp::widgets

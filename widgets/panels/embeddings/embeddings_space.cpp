#include "panels/embeddings/embeddings_space.h"

#include <algorithm>
#include <utility>

#include <QEvent>
#include <QGridLayout>
#include <QPainter>
#include <QToolButton>

#include "charts/view_frame.h"
#include "figures/style.h"
#include "panels/view/view_flow.h"
#include "vtk/embedding_view.h"

namespace casp::widgets {

namespace {
constexpr int min_view_width = 260;
constexpr int min_row_height = 300;  ///< of several rows: title, legend and cloud with axes
}  // namespace

EmbeddingsSpace::EmbeddingsSpace(QWidget* parent) : QWidget(parent) {
    grid_ = make_layout<QGridLayout>(this, {}, 4);

    const auto button = [this](const QString& text, const QString& name, const QString& tip, bool checkable) {
        auto* made = named(new QToolButton(this), name, tip);
        made->setText(text);
        made->setAutoRaise(true);
        made->setCheckable(checkable);
        return made;
    };
    space_ = button(tr("3-D"), tr("Three dimensions"),
                    tr("On: three components, drag to rotate (key 3). Off: the first two components (key 2)"),
                    true);
    lasso_ = button(
        tr("Lasso"), tr("Lasso"),
        tr("Drag to select points with a lasso (key L, or hold Shift); Ctrl adds to the selection"), true);
    all_ = button(tr("Show all"), tr("Show all points"), tr("Bring all points into view (key 0)"), false);
    connect(space_, &QToolButton::toggled, this, [this](bool on) { views_.front()->set_flat(!on); });
    connect(lasso_, &QToolButton::toggled, this, [this](bool on) {
        for (auto* view : views_) view->set_tool(on ? EmbeddingView::Tool::lasso : EmbeddingView::Tool::move);
    });
    connect(all_, &QToolButton::clicked, this, [this] { views_.front()->fit(); });
    add_view();
    arrange();
    set_flat(false);
}

void EmbeddingsSpace::add_view() {
    auto* view = new EmbeddingView(ViewBackend::automatic, this);
    const auto number = static_cast<int>(views_.size());
    view->setAccessibleName(number == 0 ? tr("Embeddings in space")
                                        : tr("Embeddings in space, run %1").arg(number + 1));
    connect(view, &EmbeddingView::picked, this,
            [this, number](const std::vector<std::int64_t>& ids, Qt::KeyboardModifiers modifiers) {
                Q_EMIT picked(number, ids, modifiers);
            });
    connect(view, &EmbeddingView::tool_changed, this, [this](EmbeddingView::Tool tool) {
        lasso_->setChecked(tool == EmbeddingView::Tool::lasso);
        for (auto* other : views_) other->set_tool(tool);
    });
    if (views_.empty()) {
        connect(view, &EmbeddingView::flat_changed, this, [this](bool flat) {
            space_->setChecked(!flat);
            if (space_->isEnabled()) wants_flat_ = flat;
        });
    } else {
        view->set_tool(views_.front()->tool());
        views_.front()->link(view);
        setTabOrder(views_.back(), view);  // new widgets would come last in the window's tab order
    }
    view->hide();
    views_.push_back(view);
}

void EmbeddingsSpace::arrange() {
    // A single row, as in the paper, if there is space.
    const int fits = std::max(1, width() / min_view_width);
    const int wanted = shown_ == 4 && fits < 4 ? 2 : static_cast<int>(shown_);
    columns_ = std::clamp(wanted, 1, fits);
    for (auto* view : views_) grid_->removeWidget(view);
    for (int row = 0; row < grid_->rowCount(); ++row) grid_->setRowStretch(row, 0);
    for (int column = 0; column < grid_->columnCount(); ++column) grid_->setColumnStretch(column, 0);
    for (std::size_t i = 0; i < views_.size(); ++i) {
        if (i < shown_) {
            const int row = static_cast<int>(i) / columns_, column = static_cast<int>(i) % columns_;
            grid_->addWidget(views_[i], row, column);
            grid_->setRowStretch(row, 1);
            grid_->setColumnStretch(column, 1);
        }
        views_[i]->setVisible(i < shown_);
    }
    const int rows = (static_cast<int>(shown_) + columns_ - 1) / columns_;
    if (const int height = rows > 1 ? rows * min_row_height : 0; height != minimumHeight()) {
        setMinimumHeight(height);
        Q_EMIT rows_changed();
    }
}

void EmbeddingsSpace::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    const int before = columns_;
    const int fits = std::max(1, width() / min_view_width);
    const int wanted = shown_ == 4 && fits < 4 ? 2 : static_cast<int>(shown_);
    if (std::clamp(wanted, 1, fits) != before) arrange();
}

void EmbeddingsSpace::join(ViewFrame& frame) {
    for (auto* control : {space_, lasso_, all_}) frame.add_control(control);
    frame.set_picture_source([this] { return picture(); });
}

QImage EmbeddingsSpace::picture(double ratio) const {
    if (clouds_.empty()) return {};
    QImage image(size() * ratio, QImage::Format_RGB32);
    image.fill(figures::style_of(palette()).background.rgb());
    image.setDevicePixelRatio(ratio);
    QPainter painter(&image);
    for (std::size_t i = 0; i < shown_; ++i)
        painter.drawImage(QRectF(views_[i]->geometry()), views_[i]->to_image({}, ratio));
    return image;
}

void EmbeddingsSpace::set_flat(bool flat) {
    wants_flat_ = flat;
    views_.front()->set_flat(flat || !space_->isEnabled());
    space_->setChecked(!views_.front()->is_flat());
}

void EmbeddingsSpace::set_highlight(std::size_t cloud, std::set<std::int64_t> ids) {
    if (cloud < views_.size()) views_[cloud]->set_highlight(std::move(ids));
}

void EmbeddingsSpace::show_clouds(std::vector<Cloud> clouds, const QString& empty_text) {
    if (clouds.size() > max_views) clouds.resize(max_views);
    while (views_.size() < clouds.size()) add_view();
    clouds_ = std::move(clouds);
    QStringList runs;
    bool deep = true;
    for (const auto& cloud : clouds_) {
        runs << cloud.folder;
        deep = deep && (cloud.points.components != 2 || cloud.points.size() == 0);
    }
    const bool follow = runs != runs_ || views_.front()->is_fitted();
    if (!runs.isEmpty()) runs_ = runs;
    const auto shown = std::max<std::size_t>(1, clouds_.size());
    if (shown != shown_) {
        shown_ = shown;
        arrange();
    }
    if (clouds_.empty()) {
        EmbeddingPoints nothing;
        nothing.empty_text = empty_text;
        views_.front()->set_points(std::move(nothing));
    } else {
        space_->setEnabled(deep);
        views_.front()->set_flat(wants_flat_ || !deep);
    }
    for (std::size_t i = 0; i < views_.size(); ++i) {
        if (i < clouds_.size())
            hand_over(i);
        else if (i > 0 && views_[i]->points().size() > 0)
            views_[i]->set_points({});
    }
    const bool some = std::any_of(clouds_.begin(), clouds_.end(),
                                  [](const Cloud& cloud) { return cloud.points.size() > 0; });
    if (some && follow) views_.front()->fit();
}

void EmbeddingsSpace::hand_over(std::size_t number) {
    auto cloud = clouds_[number].points;
    const auto background = figures::style_of(palette()).background;
    for (auto& kind : cloud.kinds) kind.colour = figures::readable_on(kind.colour, background);
    views_[number]->set_points(std::move(cloud));
}

void EmbeddingsSpace::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        for (std::size_t i = 0; i < clouds_.size(); ++i) hand_over(i);
}

}  // namespace casp::widgets

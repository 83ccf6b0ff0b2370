#include <QPainter>
#include <QPaintEvent>

#include "vtk/heatmap_canvas.h"

namespace casp::widgets {

namespace {

class PainterCanvas final : public QWidget, public HeatmapCanvas {
public:
    PainterCanvas(const HeatmapPyramid& pyramid, QWidget* parent) : QWidget(parent), pyramid_(pyramid) {
        setAttribute(Qt::WA_TransparentForMouseEvents);
        setAttribute(Qt::WA_OpaquePaintEvent);
        setFocusPolicy(Qt::NoFocus);
    }
    QWidget* widget() override { return this; }
    void matrix_changed() override { invalidate(); }
    void set_visible_cells(const QRectF& cells) override {
        cells_ = cells;
        invalidate();
    }
    QImage picture() override {
        const QSize pixels = size() * devicePixelRatioF();
        if (stale_ || image_.size() != pixels) {
            image_ = pyramid_.picture(cells_, pixels);
            image_.setDevicePixelRatio(devicePixelRatioF());
            stale_ = false;
        }
        return image_;
    }

protected:
    void paintEvent(QPaintEvent*) override { QPainter(this).drawImage(0, 0, picture()); }

private:
    void invalidate() {
        stale_ = true;
        update();
    }

    const HeatmapPyramid& pyramid_;
    QRectF cells_;
    QImage image_;
    bool stale_ = true;
};

}  // namespace

HeatmapCanvas* make_painter_heatmap_canvas(const HeatmapPyramid& pyramid, QWidget* parent) {
    return new PainterCanvas(pyramid, parent);
}

}  // namespace casp::widgets

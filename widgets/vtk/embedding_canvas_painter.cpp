#include <QPainter>
#include <QPaintEvent>

#include "vtk/embedding_canvas.h"
#include "vtk/embedding_paint.h"

namespace casp::widgets {

namespace {

/// Caches the image, so that updates of the overlay cost only a copy.
class PainterCanvas final : public QWidget, public EmbeddingCanvas {
public:
    PainterCanvas(const EmbeddingScene& scene, QWidget* parent) : QWidget(parent), scene_(scene) {
        setAttribute(Qt::WA_TransparentForMouseEvents);
        setAttribute(Qt::WA_OpaquePaintEvent);
        setFocusPolicy(Qt::NoFocus);
    }
    QWidget* widget() override { return this; }
    void scene_changed() override { invalidate(); }
    void set_camera(const EmbeddingCamera& camera, const EmbeddingAxes& axes) override {
        camera_ = camera;
        axes_ = axes;
        invalidate();
    }
    QImage picture() override {
        draw();
        return image_;
    }

protected:
    void paintEvent(QPaintEvent*) override {
        draw();
        QPainter(this).drawImage(0, 0, image_);
    }

private:
    void invalidate() {
        stale_ = true;
        update();
    }
    void draw() {
        const double ratio = devicePixelRatioF();
        const QSize pixels = size() * ratio;
        if (!stale_ && image_.size() == pixels) return;
        const EmbeddingProjection projection(camera_, size());
        image_ = QImage(pixels, QImage::Format_RGB32);
        image_.setDevicePixelRatio(1);
        paint_cloud(image_, ratio, scene_, axes_, projection);
        image_.setDevicePixelRatio(ratio);
        stale_ = false;
    }

    const EmbeddingScene& scene_;
    EmbeddingCamera camera_;
    EmbeddingAxes axes_;
    QImage image_;
    bool stale_ = true;
};

}  // namespace

EmbeddingCanvas* make_painter_embedding_canvas(const EmbeddingScene& scene, QWidget* parent) {
    return new PainterCanvas(scene, parent);
}

}  // namespace casp::widgets

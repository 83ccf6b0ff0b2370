#include <vtkActor.h>
#include <vtkCamera.h>
#include <vtkCellArray.h>
#include <vtkCellData.h>
#include <vtkFloatArray.h>
#include <vtkGenericOpenGLRenderWindow.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkPolyDataMapper.h>
#include <vtkProperty.h>
#include <vtkRenderer.h>
#include <vtkShaderProperty.h>
#include <vtkUnsignedCharArray.h>

#include "vtk/embedding_canvas.h"
#include "vtk/vtk_widget.h"

namespace casp::widgets {

namespace {

std::string real(double value) { return QByteArray::number(value, 'f', 4).toStdString(); }

/// Distance in pixels from `vec2 p`, y downwards, to the outline of a marker of radius `float r`, positive
/// inside: the same shapes as marker_path() of the painter. The triangle's sides have the normals (±0.894,
/// −0.447).
const char* marker_distance(figures::MarkerShape shape) {
    switch (shape) {
        case figures::MarkerShape::square:
            return "0.87 * r - max(abs(p.x), abs(p.y))";
        case figures::MarkerShape::diamond:
            return "(1.12 * r - abs(p.x) - abs(p.y)) * 0.70711";
        case figures::MarkerShape::triangle:
            return "min(0.75 * r - p.y, 0.447 * (r + p.y) - 0.894 * abs(p.x))";
        case figures::MarkerShape::cross:
            return "min(r - max(abs(p.x + p.y), abs(p.x - p.y)) * 0.70711, "
                   "0.32 * r - min(abs(p.x + p.y), abs(p.x - p.y)) * 0.70711)";
        case figures::MarkerShape::circle:
            break;
    }
    return "r - length(p)";
}

/// Replaces VTK's square of a point by an antialiased marker with a rim of `back`.
std::string marker_shader(figures::MarkerShape shape, double diameter, double square, double rim,
                          const QColor& back) {
    std::string code = "//VTK::Light::Impl\n{\n";
    code += "  vec2 p = (gl_PointCoord - vec2(0.5)) * " + real(square) + ";\n";
    code += "  float r = " + real(diameter / 2) + ";\n";
    code += std::string("  float d = ") + marker_distance(shape) + ";\n";
    code += "  float cover = clamp(d + 0.5, 0.0, 1.0);\n  if (cover <= 0.0) discard;\n";
    code += rim > 0 ? "  float inner = clamp(d - " + real(rim) + " + 0.5, 0.0, 1.0);\n"
                    : "  float inner = 1.0;\n";
    code += "  vec3 back = vec3(" + real(back.redF()) + ", " + real(back.greenF()) + ", " +
            real(back.blueF()) + ");\n";
    code += "  gl_FragData[0] = vec4(mix(back, gl_FragData[0].rgb, inner), gl_FragData[0].a * cover);\n}\n";
    return code;
}

class VtkCanvas final : public VtkWidget, public EmbeddingCanvas {
public:
    VtkCanvas(const EmbeddingScene& scene, QWidget* parent) : VtkWidget(parent), scene_(scene) {
        setAttribute(Qt::WA_TransparentForMouseEvents);
        // For the slanted lines of the grid. Multisampling would cost a software driver four times as much,
        // and markers are antialiased by their shader.
        render_window()->SetLineSmoothing(true);
        render_window()->SetNumberOfLayers(2);
        lit_->SetLayer(1);  // separate depth buffer: highlighted points are above all others
        lit_->SetActiveCamera(renderer()->GetActiveCamera());
        render_window()->AddRenderer(lit_);
        grid_mapper_->SetInputData(grid_);
        grid_mapper_->SetScalarModeToUseCellData();
        grid_mapper_->SetColorModeToDirectScalars();
        grid_actor_->SetMapper(grid_mapper_);
        grid_actor_->GetProperty()->LightingOff();
        renderer()->AddActor(grid_actor_);
    }
    QWidget* widget() override { return this; }
    void scene_changed() override {
        stale_points_ = true;
        update();
    }
    void set_camera(const EmbeddingCamera& camera, const EmbeddingAxes& axes) override {
        camera_ = camera;
        axes_ = axes;
        stale_camera_ = true;
        update();
    }
    QImage picture() override { return grabFramebuffer(); }

protected:
    void before_render() override {
        if (ratio_ != devicePixelRatioF()) stale_points_ = true;  // marker sizes are in device pixels
        ratio_ = devicePixelRatioF();
        if (stale_points_) upload_points();
        if (stale_points_ || stale_camera_) {
            upload_grid();
            place_camera();
        }
        stale_points_ = stale_camera_ = false;
    }

private:
    void upload_points() {
        for (const auto& actor : actors_) {
            renderer()->RemoveActor(actor);
            lit_->RemoveActor(actor);
        }
        actors_.clear();
        const QColor back = scene_.style().background;
        renderer()->SetBackground(back.redF(), back.greenF(), back.blueF());
        for (const EmbeddingGroup& group : scene_.groups()) {
            const auto n = static_cast<vtkIdType>(group.points.size());
            vtkNew<vtkFloatArray> coordinates;
            coordinates->SetNumberOfComponents(3);
            coordinates->SetNumberOfTuples(n);
            vtkNew<vtkUnsignedCharArray> colours;
            colours->SetNumberOfComponents(3);
            colours->SetNumberOfTuples(n);
            float* xyz = coordinates->GetPointer(0);
            unsigned char* rgb = colours->GetPointer(0);
            vtkNew<vtkCellArray> vertices;
            vertices->InsertNextCell(static_cast<int>(n));
            for (vtkIdType k = 0; k < n; ++k) {
                const std::uint32_t i = group.points[static_cast<std::size_t>(k)];
                std::copy_n(scene_.positions().data() + 3 * static_cast<std::size_t>(i), 3, xyz + 3 * k);
                const QRgb colour = scene_.colours()[i];
                rgb[3 * k] = static_cast<unsigned char>(qRed(colour));
                rgb[3 * k + 1] = static_cast<unsigned char>(qGreen(colour));
                rgb[3 * k + 2] = static_cast<unsigned char>(qBlue(colour));
                vertices->InsertCellPoint(k);
            }
            vtkNew<vtkPoints> points;
            points->SetData(coordinates);
            vtkNew<vtkPolyData> cloud;
            cloud->SetPoints(points);
            cloud->SetVerts(vertices);
            cloud->GetPointData()->SetScalars(colours);

            vtkNew<vtkPolyDataMapper> mapper;
            mapper->SetInputData(cloud);
            mapper->SetColorModeToDirectScalars();
            vtkNew<vtkActor> actor;
            actor->SetMapper(mapper);
            const double diameter = scene_.diameter(group) * ratio_;
            const auto marker = scene_.kind_look(group.kind).marker;
            // No larger than needed: a software driver runs the shader for every pixel of it.
            const double square =
                std::ceil((marker == figures::MarkerShape::diamond ? 1.12 : 1.0) * diameter) + 1;
            actor->GetProperty()->LightingOff();
            actor->GetProperty()->SetPointSize(static_cast<float>(square));
            actor->GetProperty()->SetOpacity(scene_.opacity(group));
            // In the opaque pass: markers blend at their rims and still hide each other by depth.
            actor->ForceOpaqueOn();
            actor->GetShaderProperty()->AddFragmentShaderReplacement(
                "//VTK::Light::Impl", true,
                marker_shader(marker, diameter, square, scene_.diameter(group) >= 8 ? ratio_ : 0, back),
                false);
            (group.lit ? lit_.Get() : renderer())->AddActor(actor);
            actors_.emplace_back(actor);
        }
    }

    void upload_grid() {
        vtkNew<vtkPoints> points;
        vtkNew<vtkCellArray> lines;
        vtkNew<vtkUnsignedCharArray> colours;
        colours->SetNumberOfComponents(3);
        for (const bool strong : {false, true})
            for (const auto& line : axes_.lines) {
                if (line.strong != strong || scene_.size() == 0) continue;
                const vtkIdType ends[2] = {
                    points->InsertNextPoint(line.from.x(), line.from.y(), line.from.z()),
                    points->InsertNextPoint(line.to.x(), line.to.y(), line.to.z())};
                lines->InsertNextCell(2, ends);
                const QColor colour = strong ? scene_.style().axis : scene_.style().grid;
                const unsigned char rgb[3] = {static_cast<unsigned char>(colour.red()),
                                              static_cast<unsigned char>(colour.green()),
                                              static_cast<unsigned char>(colour.blue())};
                colours->InsertNextTypedTuple(rgb);
            }
        grid_->SetPoints(points);
        grid_->SetLines(lines);
        grid_->GetCellData()->SetScalars(colours);
        grid_->Modified();
        grid_actor_->GetProperty()->SetLineWidth(static_cast<float>(std::max(1.0, std::round(ratio_))));
    }

    void place_camera() {
        vtkCamera* camera = renderer()->GetActiveCamera();
        const double distance = camera_.distance();
        const QQuaternion back = camera_.rotation().conjugated();
        const QVector3D eye = back.rotatedVector({0, 0, 1}), up = back.rotatedVector({0, 1, 0});
        const QVector3D& c = camera_.centre;
        camera->SetFocalPoint(c.x(), c.y(), c.z());
        camera->SetPosition(c.x() + eye.x() * distance, c.y() + eye.y() * distance,
                            c.z() + eye.z() * distance);
        camera->SetViewUp(up.x(), up.y(), up.z());
        camera->SetParallelProjection(camera_.flat);
        camera->SetParallelScale(camera_.half_height);
        camera->SetViewAngle(EmbeddingCamera::view_angle);
        double reach = camera_.half_height;
        for (const auto& line : axes_.lines)
            for (const QVector3D& end : {line.from, line.to})
                reach = std::max<double>(reach, (end - c).length());
        const EmbeddingBounds& bounds = scene_.bounds();
        if (!camera_.flat && !bounds.empty)
            reach = std::max<double>(
                reach, ((bounds.low + bounds.high) / 2 - c).length() + (bounds.high - bounds.low).length());
        camera->SetClippingRange(
            camera_.flat ? 0.5 * distance : std::max(0.01 * distance, distance - 1.05 * reach),
            camera_.flat ? 1.5 * distance : distance + 1.05 * reach);
    }

    const EmbeddingScene& scene_;
    EmbeddingCamera camera_;
    EmbeddingAxes axes_;
    bool stale_points_ = true, stale_camera_ = true;
    double ratio_ = 1;
    vtkNew<vtkRenderer> lit_;
    vtkNew<vtkPolyData> grid_;
    vtkNew<vtkPolyDataMapper> grid_mapper_;
    vtkNew<vtkActor> grid_actor_;
    std::vector<vtkSmartPointer<vtkActor>> actors_;
};

}  // namespace

EmbeddingCanvas* make_vtk_embedding_canvas(const EmbeddingScene& scene, QWidget* parent) {
    return new VtkCanvas(scene, parent);
}

}  // namespace casp::widgets

#include <vtkActor.h>
#include <vtkCamera.h>
#include <vtkCellArray.h>
#include <vtkFloatArray.h>
#include <vtkGenericOpenGLRenderWindow.h>
#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkPolyDataMapper.h>
#include <vtkProperty.h>
#include <vtkRenderer.h>
#include <vtkTexture.h>

#include <algorithm>
#include <cmath>
#include <list>

#include "vtk/heatmap_canvas.h"
#include "vtk/vtk_widget.h"

namespace casp::widgets {

namespace {

constexpr std::size_t kept_tiles = 24;  ///< textures of up to 4 MB; a large view shows some nine

/// One tile of one level as a textured rectangle.
struct Tile {
    HeatmapPyramid::Level level;
    std::int64_t row, column;
    vtkNew<vtkActor> actor;
    vtkNew<vtkTexture> texture;
    vtkNew<vtkPoints> corners;
    vtkNew<vtkPolyData> rectangle;
};

class VtkCanvas final : public VtkWidget, public HeatmapCanvas {
public:
    VtkCanvas(const HeatmapPyramid& pyramid, QWidget* parent) : VtkWidget(parent), pyramid_(pyramid) {
        setAttribute(Qt::WA_TransparentForMouseEvents);
    }
    QWidget* widget() override { return this; }
    void matrix_changed() override {
        stale_tiles_ = true;
        update();
    }
    void set_visible_cells(const QRectF& cells) override {
        cells_ = cells;
        update();
    }
    QImage picture() override { return grabFramebuffer(); }

protected:
    void before_render() override {
        if (stale_tiles_) {
            for (const Tile& tile : tiles_) renderer()->RemoveActor(tile.actor);
            tiles_.clear();
        }
        stale_tiles_ = false;
        for (const Tile& tile : tiles_) tile.actor->VisibilityOff();
        const double w = render_window()->GetSize()[0], h = render_window()->GetSize()[1];
        // One unit is a device pixel, y downwards from the upper border at 0.
        vtkCamera* camera = renderer()->GetActiveCamera();
        camera->ParallelProjectionOn();
        camera->SetParallelScale(h / 2);
        camera->SetFocalPoint(w / 2, -h / 2, 0);
        camera->SetPosition(w / 2, -h / 2, 10);
        camera->SetViewUp(0, 1, 0);
        camera->SetClippingRange(1, 20);
        if (pyramid_.empty() || cells_.isEmpty()) return;

        const double cell_w = w / cells_.width(), cell_h = h / cells_.height();
        const HeatmapPyramid::Level level = pyramid_.level_for(cell_w, cell_h);
        constexpr std::int64_t side = HeatmapPyramid::tile_side;
        const auto tiles_between = [&](double from, double to, int halvings, std::int64_t texels) {
            const double tile = std::ldexp(static_cast<double>(side), halvings);
            const std::int64_t last = (texels - 1) / side;
            return std::pair{
                std::clamp(static_cast<std::int64_t>(std::floor(from / tile)), std::int64_t{0}, last),
                std::clamp(static_cast<std::int64_t>(std::floor(to / tile)), std::int64_t{0}, last)};
        };
        const auto [row0, row1] =
            tiles_between(cells_.top(), cells_.bottom(), level.rows, pyramid_.rows_at(level));
        const auto [column0, column1] =
            tiles_between(cells_.left(), cells_.right(), level.columns, pyramid_.columns_at(level));
        for (std::int64_t row = row0; row <= row1; ++row)
            for (std::int64_t column = column0; column <= column1; ++column) {
                Tile& tile = tile_of(level, row, column);
                // The last texel of a level may represent fewer cells than the others but is drawn at the
                // same size: the view never shows anything beyond the matrix.
                int size[3];
                tile.texture->GetImageDataInput(0)->GetDimensions(size);
                const double left = std::ldexp(static_cast<double>(column * side), level.columns);
                const double top = std::ldexp(static_cast<double>(row * side), level.rows);
                const double right = left + std::ldexp(static_cast<double>(size[0]), level.columns);
                const double bottom = top + std::ldexp(static_cast<double>(size[1]), level.rows);
                const double x0 = (left - cells_.left()) * cell_w, x1 = (right - cells_.left()) * cell_w;
                const double y0 = (cells_.top() - top) * cell_h, y1 = (cells_.top() - bottom) * cell_h;
                tile.corners->SetPoint(0, x0, y0, 0);
                tile.corners->SetPoint(1, x1, y0, 0);
                tile.corners->SetPoint(2, x1, y1, 0);
                tile.corners->SetPoint(3, x0, y1, 0);
                tile.corners->Modified();
                tile.actor->VisibilityOn();
            }
    }

private:
    Tile& tile_of(HeatmapPyramid::Level level, std::int64_t row, std::int64_t column) {
        for (auto it = tiles_.begin(); it != tiles_.end(); ++it)
            if (it->level == level && it->row == row && it->column == column) {
                tiles_.splice(tiles_.begin(), tiles_, it);
                return tiles_.front();
            }
        tiles_.emplace_front();
        Tile& tile = tiles_.front();
        tile.level = level;
        tile.row = row;
        tile.column = column;
        const QImage image = pyramid_.tile(level, row, column);
        vtkNew<vtkImageData> texels;
        texels->SetDimensions(image.width(), image.height(), 1);
        texels->AllocateScalars(VTK_UNSIGNED_CHAR, 3);
        for (int y = 0; y < image.height(); ++y) {
            const auto* from = reinterpret_cast<const QRgb*>(image.constScanLine(y));
            auto* to = static_cast<unsigned char*>(texels->GetScalarPointer(0, y, 0));
            for (int x = 0; x < image.width(); ++x) {
                *to++ = static_cast<unsigned char>(qRed(from[x]));
                *to++ = static_cast<unsigned char>(qGreen(from[x]));
                *to++ = static_cast<unsigned char>(qBlue(from[x]));
            }
        }
        tile.texture->SetInputData(texels);
        tile.texture->SetColorModeToDirectScalars();
        tile.texture->InterpolateOff();  // cells have sharp borders
        tile.texture->RepeatOff();
        tile.texture->EdgeClampOn();
        make_rectangle(tile.corners, tile.rectangle);
        vtkNew<vtkFloatArray> where;
        where->SetNumberOfComponents(2);
        for (const auto& [s, t] : {std::pair{0.f, 0.f}, {1.f, 0.f}, {1.f, 1.f}, {0.f, 1.f}})
            where->InsertNextTuple2(static_cast<double>(s), static_cast<double>(t));
        tile.rectangle->GetPointData()->SetTCoords(where);
        tile.actor->SetTexture(tile.texture);
        add(tile.actor, tile.rectangle);
        if (tiles_.size() > kept_tiles) {
            renderer()->RemoveActor(tiles_.back().actor);
            tiles_.pop_back();
        }
        return tiles_.front();
    }

    static void make_rectangle(vtkPoints* corners, vtkPolyData* rectangle) {
        corners->SetNumberOfPoints(4);
        vtkNew<vtkCellArray> face;
        const vtkIdType order[4] = {0, 3, 2, 1};
        face->InsertNextCell(4, order);
        rectangle->SetPoints(corners);
        rectangle->SetPolys(face);
    }

    void add(vtkActor* actor, vtkPolyData* rectangle) {
        vtkNew<vtkPolyDataMapper> mapper;
        mapper->SetInputData(rectangle);
        actor->SetMapper(mapper);
        actor->GetProperty()->LightingOff();
        actor->GetProperty()->SetColor(1, 1, 1);
        renderer()->AddActor(actor);
    }

    const HeatmapPyramid& pyramid_;
    QRectF cells_;
    bool stale_tiles_ = true;
    std::list<Tile> tiles_;  ///< most recently used first
};

}  // namespace

HeatmapCanvas* make_vtk_heatmap_canvas(const HeatmapPyramid& pyramid, QWidget* parent) {
    return new VtkCanvas(pyramid, parent);
}

}  // namespace casp::widgets

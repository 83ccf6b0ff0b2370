#pragma once
// Plain-value point cloud of an embedding view.

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include <QColor>
#include <QString>
#include <QStringList>

#include "figures/figure.h"

namespace casp::widgets {

/// A kind of points: "anchors", "series", …
struct EmbeddingKind {
    QString name;
    QColor colour = {};  ///< invalid: the style's series colour of that number
    figures::MarkerShape marker = figures::MarkerShape::circle;
    double size =
        5;  ///< diameter in device-independent pixels; from 8 on with a rim in the background's colour
    int layer = 0;       ///< drawn above lower layers in 2D
    QString about = {};  ///< for the legend's tooltip, if longer than the name
};

/// Content of an EmbeddingView. Points with a non-finite component are neither drawn nor selectable.
struct EmbeddingPoints {
    int components = 0;              ///< stored per point, ≥ 1; the view shows the first two or three
    std::vector<float> points;       ///< [n, components]
    std::vector<std::int64_t> ids;   ///< [n] id of each point, not necessarily unique; empty: 0 … n − 1
    std::vector<std::uint8_t> kind;  ///< [n] index into `kinds`; empty: all 0
    std::vector<EmbeddingKind> kinds;
    std::vector<float> scalar;  ///< [n] coloured by `colour_map`; empty: by kind; NaN: a faint grey
    QString scalar_title;
    QString colour_map = QStringLiteral("viridis");
    std::optional<double> scalar_min, scalar_max;  ///< default: of the data
    /// Hover text of a point, created on request; none: kind and id. GUI thread.
    std::function<QString(std::size_t)> label_of;
    QStringList axis_titles;  ///< "PC1 (34 %)", …; missing ones: "1", "2", "3"
    QString run;              ///< folder of their run; may be empty
    QString title;            ///< small, above the cloud; may be empty
    QString empty_text;       ///< shown if there are no points

    [[nodiscard]] std::size_t size() const {
        return components > 0 ? points.size() / static_cast<std::size_t>(components) : 0;
    }
    /// Description of a mismatch of array lengths; empty if there is none.
    [[nodiscard]] QString problem() const;
};

}  // namespace casp::widgets

#pragma once
// One cloud of points for an embedding view, as plain values.

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include <QColor>
#include <QString>
#include <QStringList>

#include "figures/figure.h"

namespace casp::widgets {

/// A sort of points: "trend", "anchors", …
struct EmbeddingKind {
    QString name;
    QColor colour = {};  ///< invalid: the style's series colour of that number
    figures::MarkerShape marker = figures::MarkerShape::circle;
    double size =
        5;  ///< diameter in device-independent pixels; from 8 on with a rim in the background's colour
    int layer = 0;       ///< drawn above lower layers where no depth tells what is in front
    QString about = {};  ///< for the legend's tool tip, where that says more than the name
};

/// What an EmbeddingView shows. Points with a component that is not finite are neither drawn nor picked.
struct EmbeddingPoints {
    int components = 0;             ///< stored per point, ≥ 1; the view shows the first two or three
    std::vector<float> points;      ///< [n, components]
    std::vector<std::int64_t> ids;  ///< [n] what a point stands for; several may share one; empty: 0 … n − 1
    std::vector<std::uint8_t> kind;  ///< [n] index into `kinds`; empty: all 0
    std::vector<EmbeddingKind> kinds;
    std::vector<QRgb> colours;  ///< [n] wins over the rest; empty: by scalar, else by kind
    std::vector<float> scalar;  ///< [n] coloured by `colour_map`; empty: by kind; NaN: a faint grey
    QString scalar_title;
    QString colour_map = QStringLiteral("viridis");
    std::optional<double> scalar_min, scalar_max;  ///< else of the data
    QStringList labels;                            ///< [n] hover text; empty: kind and id
    /// Hover text of a point, made when it is asked for; wins over `labels`. GUI thread.
    std::function<QString(std::size_t)> label_of;
    QStringList axis_titles;  ///< "PC1 (34 %)", …; missing ones: "1", "2", "3"
    QString run;              ///< folder of the run that they are of; may be empty
    QString title;            ///< small, above the cloud; may be empty
    QString empty_text;       ///< shown where there are no points

    [[nodiscard]] std::size_t size() const {
        return components > 0 ? points.size() / static_cast<std::size_t>(components) : 0;
    }
    /// What is wrong with the lengths of the arrays, in words; empty where nothing is.
    [[nodiscard]] QString problem() const;
};

}  // namespace casp::widgets

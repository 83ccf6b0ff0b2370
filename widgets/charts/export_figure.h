#pragma once
// Export of figures to files and images, with the same painter as on screen.
//
// Requires a QApplication (the offscreen platform suffices, no display needed) and its thread. Files are
// written under a temporary name and renamed when complete. Every failure is a casp::Error with advice.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <stop_token>
#include <vector>

#include <QImage>
#include <QSizeF>
#include <QString>
#include <QStringList>

#include "figures/figure.h"
#include "figures/style.h"

namespace casp::widgets {

enum class FigureFormat { png, svg, pdf, csv };

[[nodiscard]] std::vector<FigureFormat> figure_formats();
/// "png", …
[[nodiscard]] QString suffix_of(FigureFormat format);

enum class FigureStyle { light, dark, print };

/// Titles of one plot; an empty one is kept from the figure, "-" removes it.
struct PlotTitles {
    QString title, x, y;
};

struct ExportOptions {
    double width_mm = 174;  ///< 84: one column, 174: two columns of a journal
    double height_mm = 0;   ///< 0: from the width and the grid of plots
    int dpi = 300;          ///< PNG
    bool show_title = false;
    bool show_caption = false;
    QString title;                   ///< replaces the figure's title if not empty
    std::vector<PlotTitles> titles;  ///< per plot; missing: unchanged
    QString font_family;             ///< empty: the application's
    double font_points = 8;          ///< of axis labels
    QString palette;                 ///< of figures::palette_names(); empty: the figure's own colours
    FigureStyle style = FigureStyle::print;
};

/// The style given by the options.
[[nodiscard]] figures::Style style_of(const ExportOptions& options);
/// The figure with titles, sizes and palette of the options.
[[nodiscard]] figures::Figure with_options(const figures::Figure& figure, const ExportOptions& options);
/// Width and height in mm; a height of 0 is computed.
[[nodiscard]] QSizeF size_mm(const figures::Figure& figure, const ExportOptions& options);

/// The image that PNG would hold, with its resolution (dots per metre) set.
[[nodiscard]] QImage figure_image(const figures::Figure& figure, const ExportOptions& options);
/// The bytes of a file of that format.
[[nodiscard]] QByteArray figure_bytes(const figures::Figure& figure, FigureFormat format,
                                      const ExportOptions& options);

/// Writes one file and creates its folder. Throws casp::Error (disk full, no permission, nothing to draw).
void export_figure(const figures::Figure& figure, const QString& path, FigureFormat format,
                   const ExportOptions& options);

/// The CSV of export_figure(), on any thread: `rows_done` receives the number of rows written. If `stop` is
/// requested first, throws Cancelled and writes nothing.
void export_numbers(const figures::Figure& figure, const QString& path,
                    const std::function<void(std::int64_t)>& rows_done, const std::stop_token& stop);

/// Writes the companions of a figure for a paper: `base`.txt with title and caption, and its tables
/// (`base`.tex, …). Returns their paths. Throws as export_figure() does.
QStringList write_companions(const figures::Figure& figure, const QString& base);
/// The paths written by write_companions().
[[nodiscard]] QStringList companion_paths(const figures::Figure& figure, const QString& base);

/// One file of several figures.
struct FigureFile {
    std::size_t figure = 0;  ///< index
    FigureFormat format = FigureFormat::png;
    QString path;
};
/// The files of every figure that has plots or numbers, figure by figure: `folder/id.suffix` in each format;
/// equal ids get "-2". A figure without plots has only its numbers.
[[nodiscard]] std::vector<FigureFile> figure_files(const std::vector<figures::Figure>& figures,
                                                   const QString& folder,
                                                   const std::vector<FigureFormat>& formats);

}  // namespace casp::widgets

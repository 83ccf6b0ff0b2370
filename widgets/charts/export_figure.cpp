#include "charts/export_figure.h"

#include <QBuffer>
#include <QDir>
#include <QFileInfo>
#include <QGuiApplication>
#include <QImageWriter>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>
#include <QSaveFile>
#include <QStorageInfo>
#include <QSvgGenerator>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <functional>

#include "charts/chart_painter.h"
#include "charts/save_file.h"
#include "figures/numbers.h"
#include "util/build_info.h"
#include "util/error.h"
#include "util/memory.h"

namespace casp::widgets {
namespace {

QString program_name() { return QString::fromStdString("CASP Studio " + program_version()); }

constexpr double mm_per_inch = 25.4;

QString replaced(const QString& own, const QString& wanted) {
    if (wanted.isEmpty()) return own;
    return wanted == QLatin1String("-") ? QString() : wanted;
}

// Plots per row: as many as the figure specifies, but none narrower than 36 mm with text of 8 points, so that
// a triptych becomes two rows in a journal column.
int columns_of(const figures::Figure& figure, const ExportOptions& options) {
    if (figure.grid) return std::max(figure.columns, 1);
    const double least = 36 * std::clamp(options.font_points, 4.0, 40.0) / 8;
    const int most = std::max(1, static_cast<int>(std::clamp(options.width_mm, 20.0, 2000.0) / least));
    return std::clamp(figure.columns, 1, most);
}

// Approximate height of title and caption in mm, so that they do not shrink the plots.
double text_height(const figures::Figure& figure, const ExportOptions& options, double width) {
    const double em = std::clamp(options.font_points, 4.0, 40.0) / 72 * mm_per_inch;
    const auto lines = [&](const QString& text, double size) {
        return std::ceil(static_cast<double>(text.size()) * 0.53 * size / std::max(width - 2 * em, em));
    };
    double height = 0;
    const QString title = replaced(figure.title, options.title);
    if (options.show_title && !title.isEmpty()) height += 1.4 * em * 1.25 * lines(title, em * 1.3) + em;
    if (options.show_caption && !figure.caption.isEmpty())
        height += 1.4 * em * lines(figure.caption, em) + em;
    return height;
}

// Height of legends with several rows, in mm.
double legends_height(const figures::Figure& figure, const ExportOptions& options, double width,
                      int columns) {
    if (figure.plots.empty()) return 0;
    Look look;
    look.style = style_of(options);
    look.unit = 10;
    look.hinting = false;
    const double units_per_mm = look.unit * 72 / mm_per_inch;  // a unit is per point
    return legend_room(figure, look, width * units_per_mm, columns) / units_per_mm;
}

// Lays out in the scene's units; all formats are the same picture. Paddings of Qt Charts' axes are fixed in
// units, and fonts are whole ones: about two for a point make both right. `dpi`: of pixels; none: vector
// graphics.
QSizeF lay_out(ChartPainter& chart, const figures::Figure& figure, const ExportOptions& options,
               std::optional<double> dpi) {
    constexpr double vector_detail = 2;  // 288 columns an inch
    Look look;
    look.style = style_of(options);
    look.unit = std::round(2 * look.style.font_points) / look.style.font_points;
    look.hinting = false;
    look.vector = !dpi;
    look.detail = dpi ? *dpi / 72 / look.unit : vector_detail;
    const QSizeF size = size_mm(figure, options) / mm_per_inch * 72 * look.unit;
    chart.set(figure, look, size);
    return size;
}

QByteArray png(const figures::Figure& figure, const ExportOptions& options) {
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QImageWriter writer(&buffer, "png");
    if (!figure.title.isEmpty()) writer.setText(QStringLiteral("Title"), figure.title);
    if (!figure.caption.isEmpty()) writer.setText(QStringLiteral("Description"), figure.caption);
    writer.setText(QStringLiteral("Software"), program_name());
    if (!writer.write(figure_image(figure, options)))
        throw run_error("PNG", writer.errorString().toStdString(), {},
                        "Try a smaller size or fewer dots per inch.");
    return bytes;
}

QByteArray svg(const figures::Figure& given, const ExportOptions& options) {
    const figures::Figure figure = with_options(given, options);
    ChartPainter chart;
    const QSizeF size = lay_out(chart, figure, options, {});
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setResolution(96);  // the px of CSS
    generator.setSize((size_mm(figure, options) / mm_per_inch * 96).toSize());
    generator.setViewBox(QRectF(QPointF(0, 0), size));
    // Qt 6.4 writes these and the name of the font unescaped.
    generator.setTitle({});
    generator.setDescription({});
    QPainter painter(&generator);
    chart.paint(painter, QRectF(QPointF(0, 0), size));
    painter.end();
    const QString about = QStringLiteral("<title>%1</title>\n<desc>%2</desc>\n");
    bytes.insert(bytes.indexOf("<defs>"),
                 about.arg(figure.title.toHtmlEscaped(), figure.caption.toHtmlEscaped()).toUtf8());
    const QString family = QStringLiteral("font-family=\"%1\"");
    bytes.replace(family.arg(options.font_family).toUtf8(),
                  family.arg(options.font_family.toHtmlEscaped()).toUtf8());
    // Control characters, which XML does not allow.
    bytes.removeIf([](char c) { return c >= 0 && c < ' ' && c != '\n' && c != '\t' && c != '\r'; });
    return bytes;
}

QByteArray pdf(const figures::Figure& given, const ExportOptions& options) {
    const figures::Figure figure = with_options(given, options);
    ChartPainter chart;
    lay_out(chart, figure, options, {});
    constexpr int dots_per_inch = 720;
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QPdfWriter writer(&buffer);
    writer.setPageSize(
        QPageSize(size_mm(figure, options), QPageSize::Millimeter, QString(), QPageSize::ExactMatch));
    writer.setPageMargins(QMarginsF());
    writer.setResolution(dots_per_inch);
    writer.setTitle(figure.title);
    writer.setCreator(program_name());
    QPainter painter(&writer);
    chart.paint(painter, QRectF(QPointF(0, 0), size_mm(figure, options) / mm_per_inch * dots_per_inch));
    painter.end();
    return bytes;
}

QString why(const QString& path, const QString& reason, std::string& advice) {
    const auto is = [&reason](int number) { return reason == qt_error_string(number); };
    const bool refused = is(EACCES) || is(EPERM) || is(EROFS);
    const QFileInfo folder(QFileInfo(path).absolutePath());
    if (!folder.exists()) {
        advice = QObject::tr("Choose a folder that exists.").toStdString();
        return reason;
    }
    // The reason before the free bytes: /sys and similar file systems have none, and fail for another reason.
    if (!folder.isWritable() || refused) {
        advice = QObject::tr("Choose a folder that you can write to.").toStdString();
        return reason;
    }
    const QStorageInfo storage(folder.absoluteFilePath());
    const bool no_room =
        storage.isValid() && storage.bytesTotal() > 0 && storage.bytesAvailable() < 1024 * 1024;
    if (no_room || is(ENOSPC) || is(EDQUOT)) {
        advice = QObject::tr("Free some space, or choose a folder on another disk.").toStdString();
        return QObject::tr("the disk is full (%1)").arg(reason);
    }
    advice = QObject::tr("Choose another folder or name.").toStdString();
    return reason;
}

}  // namespace

std::vector<FigureFormat> figure_formats() {
    return {FigureFormat::png, FigureFormat::svg, FigureFormat::pdf, FigureFormat::csv};
}

QString suffix_of(FigureFormat format) {
    constexpr std::array suffixes{"png", "svg", "pdf", "csv"};
    return QString::fromLatin1(suffixes.at(static_cast<std::size_t>(format)));
}

figures::Style style_of(const ExportOptions& options) {
    figures::Style style = options.style == FigureStyle::dark    ? figures::dark_style()
                           : options.style == FigureStyle::light ? figures::light_style()
                                                                 : figures::print_style();
    style.font_family = options.font_family;
    style.font_points = std::clamp(options.font_points, 4.0, 40.0);
    style.show_title = options.show_title;
    style.show_caption = options.show_caption;
    if (!options.palette.isEmpty()) style.series = figures::palette(options.palette);
    return style;
}

figures::Figure with_options(const figures::Figure& given, const ExportOptions& options) {
    figures::Figure figure = given;
    figure.title = replaced(given.title, options.title);
    figure.columns = columns_of(given, options);
    for (std::size_t i = 0; i < figure.plots.size() && i < options.titles.size(); ++i) {
        auto& plot = figure.plots[i];
        plot.title = replaced(plot.title, options.titles[i].title);
        plot.x.title = replaced(plot.x.title, options.titles[i].x);
        plot.y.title = replaced(plot.y.title, options.titles[i].y);
    }
    if (options.palette.isEmpty()) return figure;
    // Colours are replaced one to one, in the order of first appearance, so that a run keeps its colour in
    // all plots.
    const auto colours = figures::palette(options.palette);
    std::vector<QRgb> known;
    for (auto& plot : figure.plots) {
        for (auto& series : plot.series) {
            if (!series.colour.isValid()) continue;
            auto at = std::find(known.begin(), known.end(), series.colour.rgb());
            if (at == known.end()) at = known.insert(at, series.colour.rgb());
            series.colour = colours[static_cast<std::size_t>(at - known.begin()) % colours.size()];
        }
    }
    return figure;
}

QSizeF size_mm(const figures::Figure& figure, const ExportOptions& options) {
    const double width = std::clamp(options.width_mm, 20.0, 2000.0);
    if (options.height_mm > 0) return {width, std::clamp(options.height_mm, 15.0, 2000.0)};
    const auto plots = static_cast<int>(std::max<std::size_t>(figure.plots.size(), 1));
    const int columns = std::min(columns_of(figure, options), plots);
    const int rows = (plots + columns - 1) / columns;
    // Titles, legends and labels need their space however narrow a plot is.
    double each = std::max(width / columns * std::clamp(figure.aspect, 0.1, 5.0),
                           13 + 3.8 * std::clamp(options.font_points, 4.0, 40.0));
    if (columns == 1 && rows == 1) each = std::min(each, 100.0);
    return {width, std::max(each * rows, 30.0) + legends_height(figure, options, width, columns) +
                       text_height(figure, options, width)};
}

QImage figure_image(const figures::Figure& given, const ExportOptions& options) {
    const figures::Figure figure = with_options(given, options);
    ChartPainter chart;
    const double dpi = std::clamp(options.dpi, 36, 2400);
    lay_out(chart, figure, options, dpi);
    const QSizeF size = size_mm(figure, options) / mm_per_inch * dpi;
    // QPainter paints no further, and the system may end a program that fills more memory than there is. As
    // much again for encoding it.
    constexpr double longest_side = 32767, bytes_per_pixel = 2 * 4;
    const auto memory = static_cast<double>(available_memory());
    if (std::max(size.width(), size.height()) > longest_side ||
        (memory > 0 && bytes_per_pixel * size.width() * size.height() > memory))
        throw input_error("dots per inch",
                          Phrase("a picture of %1 × %2 pixels is too large", std::lround(size.width()),
                                 std::lround(size.height())),
                          "at most 32767 pixels a side, and as many as fit into the memory",
                          "Choose a smaller size or fewer dots per inch.");
    QImage image(static_cast<int>(std::lround(size.width())), static_cast<int>(std::lround(size.height())),
                 QImage::Format_ARGB32_Premultiplied);
    if (image.isNull())
        throw input_error("dots per inch", "a picture of this size does not fit into memory", {},
                          "Choose a smaller size or fewer dots per inch.");
    image.setDotsPerMeterX(static_cast<int>(std::lround(dpi / mm_per_inch * 1000)));
    image.setDotsPerMeterY(image.dotsPerMeterX());
    QPainter painter(&image);
    chart.paint(painter, QRectF(QPointF(0, 0), QSizeF(image.size())));
    return image;
}

QByteArray figure_bytes(const figures::Figure& figure, FigureFormat format, const ExportOptions& options) {
    if (format != FigureFormat::csv && figure.plots.empty())
        throw input_error(figure.id.toStdString(), "the figure has no data yet", {},
                          figure.empty_text.toStdString());
    switch (format) {
        case FigureFormat::png:
            return png(figure, options);
        case FigureFormat::svg:
            return svg(figure, options);
        case FigureFormat::pdf:
            return pdf(figure, options);
        case FigureFormat::csv:
            break;
    }
    return figures::csv_of(figure);
}

namespace {

/// Writes a complete file or leaves the existing one: `write` passes pieces to its argument and stops when
/// that returns false.
void write_file(const QString& path,
                const std::function<bool(const std::function<bool(const QByteArray&)>&)>& write) {
    const auto fail = [&path](const QString& reason) {
        std::string advice;
        const QString text = why(path, reason, advice);
        throw run_error(QDir::toNativeSeparators(path).toStdString(),
                        Phrase("the figure could not be written: %1", text.toStdString()), {}, advice);
    };
    const QString folder = QFileInfo(path).absolutePath();
    if (!QDir().mkpath(folder)) fail(QObject::tr("its folder cannot be created"));
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly)) fail(file.errorString());
    const bool whole = write([&file](const QByteArray& piece) { return file.write(piece) == piece.size(); });
    if (!whole || !commit_whole(file)) fail(file.errorString());
}

void write_bytes(const QByteArray& bytes, const QString& path) {
    write_file(path, [&bytes](const auto& piece) { return piece(bytes); });
}

}  // namespace

void export_figure(const figures::Figure& figure, const QString& path, FigureFormat format,
                   const ExportOptions& options) {
    if (format != FigureFormat::csv) return write_bytes(figure_bytes(figure, format, options), path);
    export_numbers(figure, path, {}, {});
}

void export_numbers(const figures::Figure& figure, const QString& path,
                    const std::function<void(std::int64_t)>& rows_done, const std::stop_token& stop) {
    // Row by row: a matrix of a whole pool has millions.
    write_file(path, [&](const auto& piece) {
        const auto write = [&](const QByteArray& bytes) {
            if (stop.stop_requested()) throw Cancelled();
            return piece(bytes);
        };
        return figures::write_csv(figure, write, rows_done);
    });
}

QStringList companion_paths(const figures::Figure& figure, const QString& base) {
    QStringList paths;
    if (!figure.caption.isEmpty()) paths << base + QStringLiteral(".txt");
    for (const auto& table : figure.tables) paths << base + QLatin1Char('.') + table.suffix;
    return paths;
}

QStringList write_companions(const figures::Figure& figure, const QString& base) {
    const auto paths = companion_paths(figure, base);
    auto path = paths.begin();
    if (!figure.caption.isEmpty())
        write_bytes((figure.title + QStringLiteral("\n\n") + figure.caption + QLatin1Char('\n')).toUtf8(),
                    *path++);
    for (const auto& table : figure.tables) write_bytes(table.text.toUtf8(), *path++);
    return paths;
}

std::vector<FigureFile> figure_files(const std::vector<figures::Figure>& figures, const QString& folder,
                                     const std::vector<FigureFormat>& formats) {
    std::vector<FigureFile> files;
    QStringList names;
    for (std::size_t i = 0; i < figures.size(); ++i) {
        const auto& figure = figures[i];
        if (figure.plots.empty() && !figure.numbers) continue;
        const QString base = figure.id.isEmpty() ? QStringLiteral("figure") : figure.id;
        QString name = base;
        for (int n = 2; names.contains(name); ++n)
            name = QStringLiteral("%1-%2").arg(base, QString::number(n));
        names << name;
        for (const FigureFormat format : formats)
            if (!figure.plots.empty() || format == FigureFormat::csv)
                files.push_back(
                    {i, format, QDir(folder).filePath(name + QLatin1Char('.') + suffix_of(format))});
    }
    return files;
}

}  // namespace casp::widgets

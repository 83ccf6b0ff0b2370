// Files: PNG, SVG, PDF and CSV hold what they should, and failures say what to do.
#include <QtTest>

#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QXmlStreamReader>

#include "charts/export_figure.h"
#include "sample_figures.h"
#include "test_program.h"
#include "util/error.h"

using namespace casp::widgets;

namespace {

QString texts_of_svg(const QByteArray& svg, bool& well_formed, QStringList& names) {
    QXmlStreamReader xml(svg);
    QString texts;
    while (!xml.atEnd()) {
        xml.readNext();
        if (xml.isStartElement()) names << xml.name().toString();
        if (xml.isCharacters()) texts += xml.text();
    }
    well_formed = !xml.hasError();
    // Qt writes a text element per script: "λ" and "_cov" are two.
    static const QRegularExpression space(QStringLiteral("\\s+"));
    return texts.remove(space);
}

QByteArray read(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

}  // namespace

class TestExport : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void png_has_size_and_resolution() {
        ExportOptions options;
        options.width_mm = 84;
        options.height_mm = 60;
        options.dpi = 300;
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("a/b/loss.png"));
        export_figure(samples::losses(), path, FigureFormat::png, options);
        const QImage image(path);
        QCOMPARE(image.width(), 992);   // 84 / 25.4 · 300
        QCOMPARE(image.height(), 709);  // 60 / 25.4 · 300
        QCOMPARE(image.dotsPerMeterX(), 11811);
        QCOMPARE(image.dotsPerMeterY(), 11811);
        QCOMPARE(image.text(QStringLiteral("Title")), QStringLiteral("Loss terms"));
        QCOMPARE(image.text(QStringLiteral("Description")), samples::losses().caption);
    }

    void svg_is_xml_with_text() {
        ExportOptions options;
        options.show_title = true;
        options.show_caption = true;
        const auto figure = samples::losses();
        const QByteArray svg = figure_bytes(figure, FigureFormat::svg, options);
        bool well_formed = false;
        QStringList names;
        QString texts = texts_of_svg(svg, well_formed, names);
        texts.remove(QChar(0x200D));  // the joiner that keeps the tilde of c̃ above the c
        QVERIFY(well_formed);
        QVERIFY(names.contains(QStringLiteral("text")));
        for (const QString& wanted : {QStringLiteral("Loss terms"), QStringLiteral("Forecast L_forecast"),
                                      QStringLiteral("etth1 λ_cov 0.1"), QStringLiteral("c̃ below the gate"),
                                      QStringLiteral("smoothed with a weight")})
            QVERIFY2(texts.contains(QString(wanted).remove(QLatin1Char(' '))), qPrintable(wanted));
        // Sizes in millimetres, and each line one path: the file must stay editable.
        QVERIFY(svg.contains("width=\"174"));
        QVERIFY2(svg.size() < 700000, qPrintable(QString::number(svg.size())));
        QVERIFY2(names.size() < 1500, qPrintable(QString::number(names.size())));
    }

    void any_text_is_written_as_it_is_data() {
        QTest::addColumn<int>("number");
        const auto all = samples::all();
        for (std::size_t i = 0; i < all.size(); ++i)
            QTest::addRow("%zu: %s", i, qPrintable(all[i].id)) << static_cast<int>(i);
    }

    /// Every text of every kind of figure, in every format.
    void any_text_is_written_as_it_is() {
        QFETCH(int, number);
        const QString nasty = QStringLiteral("p<0.05 & \"it's\" λ ]]> ") + QString::fromUcs4(U"\U0001F600");
        auto figure = samples::all()[static_cast<std::size_t>(number)];
        const auto spoil = [&](QString& text) { text += nasty + QChar(0x1b) + QLatin1Char('.'); };
        spoil(figure.title);
        spoil(figure.caption);
        for (auto& plot : figure.plots) {
            for (auto* text : {&plot.title, &plot.x.title, &plot.y.title}) spoil(*text);
            for (auto* names : {&plot.x.categories, &plot.y.categories})
                for (auto& name : *names) spoil(name);
            for (auto& series : plot.series) spoil(series.name);
            for (auto& rule : plot.rules) spoil(rule.label);
            for (auto& band : plot.bands) spoil(band.label);
            plot.remarks.push_back({nasty, Qt::red});
            if (!plot.heatmap) continue;
            spoil(plot.heatmap->value_title);
            for (auto* names : {&plot.heatmap->row_names, &plot.heatmap->column_names})
                for (auto& name : *names) spoil(name);
        }
        ExportOptions options;
        options.show_title = options.show_caption = true;
        options.font_family = QStringLiteral("A & \"<b>\"");
        const auto text_in = [](const QByteArray& xml, const char* element) {
            QXmlStreamReader reader(xml);
            QString text;
            bool within = false;
            while (!reader.atEnd()) {
                reader.readNext();
                if (reader.isStartElement() || reader.isEndElement())
                    if (reader.qualifiedName() == QLatin1String(element)) within = reader.isStartElement();
                if (within && reader.isCharacters()) text += reader.text();
            }
            return reader.hasError() ? reader.errorString() + QString::number(reader.lineNumber()) : text;
        };
        const QByteArray svg = figure_bytes(figure, FigureFormat::svg, options);
        auto title = figure.title, caption = figure.caption;
        QCOMPARE(text_in(svg, "title"), title.remove(QChar(0x1b)));
        QCOMPARE(text_in(svg, "desc"), caption.remove(QChar(0x1b)));
        QVERIFY(text_in(svg, "text").contains(QStringLiteral("0.05")));
        const QByteArray pdf = figure_bytes(figure, FigureFormat::pdf, options);
        QVERIFY(pdf.startsWith("%PDF"));
        const auto png = QImage::fromData(figure_bytes(figure, FigureFormat::png, options));
        QCOMPARE(png.text(QStringLiteral("Description")).count(nasty), qsizetype{1});
        QVERIFY(figure_bytes(figure, FigureFormat::csv, options)
                    .contains(QString(nasty).replace('"', "\"\"").toUtf8()));
    }

    void svg_stays_inside_its_axes() {
        // A line far beyond the axis limits: Qt's SVG has no clipping, so coordinates themselves must be
        // inside.
        samples::Figure figure;
        samples::Plot plot;
        plot.series.push_back(samples::line(QStringLiteral("far"), {0, 1, 2}, {-1e4, 1e4, -1e4}));
        plot.y.min = -1;
        plot.y.max = 1;
        figure.plots.push_back(plot);
        const QByteArray svg = figure_bytes(figure, FigureFormat::svg, {});
        // The curve and the axes, whose ends it must not leave.
        static const QRegularExpression number(QStringLiteral("-?[0-9.]+(e[-+]?[0-9]+)?"));
        const auto numbers = [](QStringView text) {
            QList<double> list;
            for (auto found = number.globalMatch(text); found.hasNext();)
                list << found.next().captured().toDouble();
            return list;
        };
        QXmlStreamReader xml(svg);
        QList<QRectF> curves;
        QRectF axes;
        QList<double> place;  // of the group
        while (!xml.atEnd()) {
            xml.readNext();
            if (!xml.isStartElement()) continue;
            if (xml.name() == QLatin1String("g"))
                place = numbers(xml.attributes().value(QLatin1String("transform")));
            const auto path = xml.name() == QLatin1String("path");
            if (!path && xml.name() != QLatin1String("polyline")) continue;
            const auto values =
                numbers(xml.attributes().value(path ? QLatin1String("d") : QLatin1String("points")));
            QPolygonF points;
            for (qsizetype i = 0; i + 1 < values.size(); i += 2) points << QPointF(values[i], values[i + 1]);
            points.translate(place.value(4), place.value(5));
            if (path)
                curves << points.boundingRect();
            else
                axes |= points.boundingRect();
        }
        QVERIFY(!xml.hasError());
        QVERIFY(!curves.isEmpty());
        for (const auto& curve : curves) QVERIFY(axes.adjusted(-1, -1, 1, 1).contains(curve));
    }

    void fonts_have_their_size_data() {
        QTest::addColumn<double>("points");
        for (const double points : {4.0, 6.0, 7.3, 8.0, 9.5, 12.0, 40.0})
            QTest::addRow("%g pt", points) << points;
    }

    void fonts_have_their_size() {
        QFETCH(double, points);
        ExportOptions options;
        options.font_points = points;
        options.width_mm = 300;
        options.show_title = true;
        const auto svg = QString::fromUtf8(figure_bytes(samples::mixture(), FigureFormat::svg, options));
        static const QRegularExpression box(QStringLiteral("viewBox=\"0 0 ([0-9.]+)")),
            size(QStringLiteral("<text[^>]* font-size=\"([0-9.]+)\""));
        const double unit = options.width_mm / 25.4 * 72 / box.match(svg).captured(1).toDouble();
        QSet<double> found;
        for (auto match = size.globalMatch(svg); match.hasNext();)
            found << match.next().captured(1).toDouble() * unit;
        // Labels, titles of plots (which shrink where they would not fit) and of the figure.
        for (const double one : found) {
            double distance = 1e9;
            for (const double wanted : {-1.0, -0.5, 0.0, 1.0, 2.0})
                distance = std::min(distance, std::abs(one - points - wanted));
            // Fonts are whole units, of which a point has about two.
            QVERIFY2(distance <= 0.1, qPrintable(QString::number(one)));
        }
        QVERIFY(std::any_of(found.begin(), found.end(),
                            [points](double one) { return std::abs(one - points) < 0.01; }));
    }

    void pdf_holds_text_and_fonts() {
        ExportOptions options;
        options.show_title = true;
        options.width_mm = 84;
        options.height_mm = 60;
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("loss.pdf"));
        export_figure(samples::losses(), path, FigureFormat::pdf, options);
        const QByteArray pdf = read(path);
        QVERIFY(pdf.startsWith("%PDF"));
        QVERIFY(pdf.contains("/FontFile"));
        // 84 × 60 mm in points.
        static const QRegularExpression box(
            QStringLiteral("/MediaBox \\[0(?:\\.0*)? 0(?:\\.0*)? ([0-9.]+) ([0-9.]+)\\]"));
        const auto match = box.match(QString::fromLatin1(pdf));
        QVERIFY(match.hasMatch());
        QVERIFY(std::abs(match.captured(1).toDouble() - 238.1) < 1.1);
        QVERIFY(std::abs(match.captured(2).toDouble() - 170.1) < 1.1);
        const QString tool = QStandardPaths::findExecutable(QStringLiteral("pdftotext"));
        if (tool.isEmpty()) QSKIP("pdftotext is not installed: the text itself was not read");
        QProcess process;
        process.start(tool, {path, QStringLiteral("-")});
        QVERIFY(process.waitForFinished(20000));
        const QString text = QString::fromUtf8(process.readAllStandardOutput());
        QVERIFY2(text.contains(QStringLiteral("Loss terms")), qPrintable(text));
        QVERIFY(text.contains(QStringLiteral("Coverage L_cov")));
        QVERIFY(text.contains(QStringLiteral("λ_cov")));
    }

    void csv_holds_all_points() {
        const QByteArray csv = figure_bytes(samples::losses(), FigureFormat::csv, {});
        QCOMPARE(csv.count("\r\n"), 1 + 4 * 4 * 3000);
    }

    void titles_and_palette_are_exchanged() {
        ExportOptions options;
        options.title = QStringLiteral("New title");
        options.titles = {{QStringLiteral("-"), QStringLiteral("training step"), QString()}};
        options.palette = QStringLiteral("greys");
        const auto before = samples::losses(), after = with_options(before, options);
        QCOMPARE(after.title, QStringLiteral("New title"));
        QCOMPARE(after.plots[0].title, QString());
        QCOMPARE(after.plots[0].x.title, QStringLiteral("training step"));
        QCOMPARE(after.plots[0].y.title, before.plots[0].y.title);
        QCOMPARE(after.plots[1].x.title, before.plots[1].x.title);
        // Each run has one colour in all plots, and different runs different ones.
        QCOMPARE(after.plots[0].series[0].colour, casp::figures::palette(QStringLiteral("greys"))[0]);
        for (const auto& plot : after.plots) {
            QCOMPARE(plot.series[1].colour, after.plots[0].series[1].colour);
            QCOMPARE(plot.series[3].colour, after.plots[0].series[3].colour);
        }
        QVERIFY(after.plots[0].series[1].colour != after.plots[0].series[3].colour);
    }

    void heights_follow_the_grid() {
        ExportOptions options;
        options.width_mm = 174;
        const double one = size_mm(samples::usage(), options).height();
        const double four = size_mm(samples::losses(), options).height();
        QVERIFY(one <= 100 && one > 50);
        QVERIFY(four > one * 0.9);
        options.width_mm = 84;
        // Narrow plots keep room for their labels.
        QVERIFY(size_mm(samples::losses(), options).height() >= 80);
    }

    void failures_are_friendly() {
        samples::Figure empty;
        empty.id = QStringLiteral("usage");
        empty.empty_text = QStringLiteral("Run something first.");
        try {
            (void)figure_bytes(empty, FigureFormat::png, {});
            QFAIL("an empty figure was drawn");
        } catch (const casp::Error& error) {
            QVERIFY(QString::fromUtf8(error.what()).contains(QStringLiteral("Run something first")));
        }
        try {
            ExportOptions poster;
            poster.width_mm = poster.height_mm = 1000;
            poster.dpi = 1200;
            (void)figure_bytes(samples::usage(), FigureFormat::png, poster);
            QFAIL("a picture of nine gigabytes was painted");
        } catch (const casp::Error& error) {
            QVERIFY2(
                QString::fromUtf8(error.what()).contains(QStringLiteral("47244 × 47244 pixels is too large")),
                error.what());
        }
        QTemporaryDir folder;
        // A file where a folder is needed cannot be passed, not even by root.
        QFile blocker(folder.filePath(QStringLiteral("file")));
        QVERIFY(blocker.open(QIODevice::WriteOnly));
        blocker.close();
        try {
            export_figure(samples::usage(), folder.filePath(QStringLiteral("file/a.png")), FigureFormat::png,
                          {});
            QFAIL("written into a file");
        } catch (const casp::Error& error) {
            QVERIFY(QString::fromUtf8(error.what()).contains(QStringLiteral("could not be written")));
            QVERIFY(!error.parts().advice.empty());
        }
    }

    /// File systems without any free byte that refuse for another reason.
    void refusal_is_not_called_a_full_disk() {
        const QString folder = QStringLiteral("/proc/self/fdinfo");
        if (!QFileInfo(folder).isDir()) QSKIP("no /proc");
        try {
            export_figure(samples::usage(), folder + QStringLiteral("/figure.svg"), FigureFormat::svg, {});
            QFAIL("written where nothing can be");
        } catch (const casp::Error& problem) {
            const auto text = QString::fromUtf8(problem.what());
            QVERIFY2(
                !text.contains(QStringLiteral("full")) && !text.contains(QStringLiteral("Free some space")),
                qPrintable(text));
        }
    }

    void captions_and_tables_are_written_beside() {
        QTemporaryDir folder;
        auto figure = samples::usage();
        figure.title = QStringLiteral("Usage");
        figure.caption = QStringLiteral("What it shows.");
        figure.tables = {{QStringLiteral("tex"), QStringLiteral("\\begin{table}")}};
        const QString base = folder.filePath(QStringLiteral("usage"));
        QCOMPARE(companion_paths(figure, base), (QStringList{base + ".txt", base + ".tex"}));
        QVERIFY(QDir(folder.path()).isEmpty());
        QCOMPARE(write_companions(figure, base), companion_paths(figure, base));
        QCOMPARE(read(base + ".txt"), QByteArray("Usage\n\nWhat it shows.\n"));
        QCOMPARE(read(base + ".tex"), QByteArray("\\begin{table}"));
        figure.caption.clear();
        figure.tables.clear();
        QVERIFY(write_companions(figure, folder.filePath(QStringLiteral("none"))).isEmpty());
    }

    void nothing_half_written_remains() {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("a.svg"));
        export_figure(samples::usage(), path, FigureFormat::svg, {});
        const QByteArray first = read(path);
        export_figure(samples::usage(), path, FigureFormat::svg, {});
        QCOMPARE(read(path), first);
        QCOMPARE(QDir(folder.path()).entryList(QDir::Files | QDir::Hidden),
                 QStringList{QStringLiteral("a.svg")});
        // A folder in its place: the error leaves no temporary file behind.
        QVERIFY(QDir(folder.path()).mkdir(QStringLiteral("b.svg")));
        QVERIFY_THROWS_EXCEPTION(
            casp::Error,
            export_figure(samples::usage(), folder.filePath(QStringLiteral("b.svg")), FigureFormat::svg, {}));
        QCOMPARE(QDir(folder.path()).entryList(QDir::Files | QDir::Hidden),
                 QStringList{QStringLiteral("a.svg")});
    }

    void all_of_them() {
        QTemporaryDir folder;
        samples::Figure empty;
        empty.id = QStringLiteral("empty");
        const std::vector<samples::Figure> figures{samples::usage(), samples::usage(), empty,
                                                   samples::heatmap(10, 10)};
        const auto files = figure_files(figures, folder.path(), {FigureFormat::svg, FigureFormat::csv});
        QCOMPARE(files.size(), std::size_t(6));
        for (const auto& file : files) export_figure(figures[file.figure], file.path, file.format, {});
        QCOMPARE(QDir(folder.path()).entryList(QDir::Files, QDir::Name).join(QLatin1Char(' ')),
                 QStringLiteral("similarity.csv similarity.svg usage-2.csv usage-2.svg usage.csv usage.svg"));
    }

    void dark_files_are_dark() {
        ExportOptions options;
        options.dpi = 72;
        options.style = FigureStyle::dark;
        QVERIFY(QColor(figure_image(samples::usage(), options).pixel(2, 2)).lightness() < 60);
        options.style = FigureStyle::print;
        QCOMPARE(QColor(figure_image(samples::usage(), options).pixel(2, 2)), QColor(Qt::white));
    }
};

TEST_MAIN(TestExport)
#include "test_export.moc"

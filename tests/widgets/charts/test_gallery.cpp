// Every kind of figure in every style: nothing may be cut off at the border of the picture. With
// CASP_GALLERY=folder the pictures are kept there to be looked at.
#include <QtTest>

#include "charts/export_figure.h"
#include "sample_figures.h"
#include "test_program.h"
#include "widgets/image_checks.h"

using namespace casp::widgets;

namespace {

void keep(const QImage& image, const QString& name) {
    const QString folder = qEnvironmentVariable("CASP_GALLERY");
    if (folder.isEmpty()) return;
    QDir().mkpath(folder);
    QVERIFY(image.save(QDir(folder).filePath(name + QStringLiteral(".png"))));
}

const std::vector<samples::Figure>& figures() {
    static const std::vector<samples::Figure> all = samples::all();
    return all;
}

}  // namespace

class TestGallery : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void nothing_is_cut_off_data();
    void nothing_is_cut_off();
};

void TestGallery::nothing_is_cut_off_data() {
    QTest::addColumn<int>("figure");
    QTest::addColumn<int>("style");
    QTest::addColumn<int>("dpi");
    QTest::addColumn<double>("width");
    const char* styles[] = {"light", "dark", "print"};
    for (int f = 0; f < static_cast<int>(figures().size()); ++f) {
        for (int style = 0; style < 3; ++style) {
            for (const int dpi : {96, 192}) {  // 1× and 2×
                for (const double width : {84.0, 174.0}) {
                    const QString name =
                        QStringLiteral("%1-%2-%3dpi-%4mm")
                            .arg(figures()[static_cast<std::size_t>(f)].id, QLatin1String(styles[style]))
                            .arg(dpi)
                            .arg(width);
                    QTest::newRow(qPrintable(name)) << f << style << dpi << width;
                }
            }
        }
    }
}

void TestGallery::nothing_is_cut_off() {
    QFETCH(int, figure);
    QFETCH(int, style);
    QFETCH(int, dpi);
    QFETCH(double, width);
    ExportOptions options;
    options.style = static_cast<FigureStyle>(style);
    options.dpi = dpi;
    options.width_mm = width;
    options.show_title = width > 100;
    options.show_caption = width > 100;
    const QImage image = figure_image(figures()[static_cast<std::size_t>(figure)], options);
    keep(image, QString::fromLatin1(QTest::currentDataTag()));
    QCOMPARE(casp::test::marks_on_border(image), 0);
    // It is not simply empty.
    QSet<QRgb> colours;
    for (int y = 0; y < image.height(); y += 2) {
        for (int x = 0; x < image.width(); x += 2) colours.insert(image.pixel(x, y));
    }
    QVERIFY(colours.size() > 8);
}

TEST_MAIN(TestGallery)
#include "test_gallery.moc"

// The paper's figures as readers get them: in one column of a journal, and by eyes that see fewer colours.
#include <QtTest>

#include <array>
#include <cmath>

#include <QPaintDevice>
#include <QPaintEngine>

#include "charts/chart_painter.h"
#include "charts/export_figure.h"
#include "paper_samples.h"
#include "test_program.h"

using namespace casp::figures;
using namespace casp::widgets;

namespace {

constexpr double unit = 10;  ///< scene units per point

/// A text as it was drawn: its letters without the room above and below them.
struct Written {
    QString text;
    QPolygonF place;
    double points = 0;  ///< size of its font
};

/// Draws nothing and remembers the texts.
class TextEngine : public QPaintEngine {
public:
    TextEngine() : QPaintEngine(AllFeatures) {}
    bool begin(QPaintDevice*) override { return true; }
    bool end() override { return true; }
    void updateState(const QPaintEngineState& now) override {
        if (now.state().testFlag(DirtyTransform)) transform_ = now.transform();
    }
    void drawPixmap(const QRectF&, const QPixmap&, const QRectF&) override {}
    using QPaintEngine::drawPolygon;
    void drawPath(const QPainterPath&) override {}
    void drawPolygon(const QPointF*, int, PolygonDrawMode) override {}
    void drawImage(const QRectF&, const QImage&, const QRectF&, Qt::ImageConversionFlags) override {}
    void drawTextItem(const QPointF& at, const QTextItem& item) override {
        if (item.text().trimmed().isEmpty()) return;
        const double height = 0.7 * item.ascent();
        const QRectF letters(at.x(), at.y() - height, item.width(), height);
        written.push_back({item.text(), transform_.map(QPolygonF(letters)), item.font().pixelSize() / unit});
    }
    [[nodiscard]] Type type() const override { return User; }

    std::vector<Written> written;

private:
    QTransform transform_;
};

class TextDevice : public QPaintDevice {
public:
    explicit TextDevice(QSize size) : size_(size) {}
    [[nodiscard]] QPaintEngine* paintEngine() const override { return &engine; }
    mutable TextEngine engine;

protected:
    [[nodiscard]] int metric(PaintDeviceMetric metric) const override {
        switch (metric) {
            case PdmWidth:
                return size_.width();
            case PdmHeight:
                return size_.height();
            case PdmDepth:
                return 32;
            case PdmDevicePixelRatio:
                return 1;
            case PdmDevicePixelRatioScaled:
                return static_cast<int>(devicePixelRatioFScale());
            case PdmDpiX:
            case PdmDpiY:
            case PdmPhysicalDpiX:
            case PdmPhysicalDpiY:
                return 96;
            default:
                return 0;
        }
    }

private:
    QSize size_;
};

double area(const QPolygonF& polygon) {
    double sum = 0;
    for (qsizetype i = 0, n = polygon.size(); i < n; ++i) {
        const auto a = polygon[i], b = polygon[(i + 1) % n];
        sum += a.x() * b.y() - b.x() * a.y();
    }
    return std::abs(sum) / 2;
}

const std::vector<Figure>& printed_figures() {
    static const samples::Sweep sweep;
    static const auto all = sweep.all();
    return all;
}

/// Linear light of a colour, as eyes with two kinds of cones see it (Machado, Oliveira & Fernandes 2009,
/// severity 1).
using Eyes = std::array<std::array<double, 3>, 3>;
constexpr Eyes usual{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
constexpr Eyes protanopia{
    {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}};
constexpr Eyes deuteranopia{
    {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}};

/// CIE L*a*b* (D65).
std::array<double, 3> lab(const QColor& colour, const Eyes& eyes) {
    const auto linear = [](double c) {
        return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
    };
    const std::array<double, 3> light{linear(colour.redF()), linear(colour.greenF()), linear(colour.blueF())};
    std::array<double, 3> seen{};
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j < 3; ++j) seen[i] += eyes[i][j] * light[j];
        seen[i] = std::clamp(seen[i], 0.0, 1.0);
    }
    const auto f = [](double t) { return t > 0.008856 ? std::cbrt(t) : 7.787 * t + 16.0 / 116; };
    const double x = f((0.4124 * seen[0] + 0.3576 * seen[1] + 0.1805 * seen[2]) / 0.95047),
                 y = f(0.2126 * seen[0] + 0.7152 * seen[1] + 0.0722 * seen[2]),
                 z = f((0.0193 * seen[0] + 0.1192 * seen[1] + 0.9505 * seen[2]) / 1.08883);
    return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

/// Least distance (CIE 1976) of two of the colours.
double min_distance(const std::vector<QColor>& colours, const Eyes& eyes) {
    double least = 1e9;
    for (std::size_t i = 0; i < colours.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) {
            const auto a = lab(colours[i], eyes), b = lab(colours[j], eyes);
            least = std::min(least, std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]));
        }
    return least;
}

}  // namespace

class TestPaperPrint : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void readable_in_one_column_data() {
        QTest::addColumn<QString>("id");
        QTest::addColumn<double>("width");
        for (const auto& one : printed_figures())
            for (const double width : {84.0, 174.0})
                QTest::newRow(qPrintable(QStringLiteral("%1 at %2 mm").arg(one.id).arg(width)))
                    << one.id << width;
    }

    void readable_in_one_column() {
        QFETCH(QString, id);
        QFETCH(double, width);
        ExportOptions options;
        options.width_mm = width;
        const auto found = std::find_if(printed_figures().begin(), printed_figures().end(),
                                        [&](const Figure& figure) { return figure.id == id; });
        const auto figure = with_options(*found, options);
        Look look;
        look.style = style_of(options);
        look.unit = unit;
        look.hinting = false;
        look.vector = true;
        const QSizeF size = size_mm(figure, options) / 25.4 * 72 * unit;
        ChartPainter chart;
        chart.set(figure, look, size);
        TextDevice device(size.toSize());
        QPainter painter(&device);
        chart.paint(painter, QRectF(QPointF(0, 0), size));
        painter.end();
        const auto& written = device.engine.written;
        QVERIFY(written.size() > 5);
        QString all;
        for (const auto& one : written) all += one.text;  // an item for each font that a text needs
        for (const auto& one : written) {
            // Journals ask for six points or more.
            QVERIFY2(one.points >= 6, qPrintable(QStringLiteral("%1: %2").arg(one.text).arg(one.points)));
            const auto box = one.place.boundingRect();
            QVERIFY2(box.left() >= 0 && box.top() >= 0 && box.right() <= size.width() &&
                         box.bottom() <= size.height(),
                     qPrintable(one.text));
        }
        for (std::size_t i = 0; i < written.size(); ++i)
            for (std::size_t j = 0; j < i; ++j) {
                const double common = area(written[i].place.intersected(written[j].place));
                QVERIFY2(common <= 0.02 * std::min(area(written[i].place), area(written[j].place)),
                         qPrintable(written[j].text + QStringLiteral(" | ") + written[i].text));
            }
        for (const auto& plot : figure.plots)
            for (const auto& title : {plot.x.title, plot.y.title})
                QVERIFY2(all.contains(title), qPrintable(title + QStringLiteral(" in ") + all));
    }

    void colours_for_all_eyes_data() {
        QTest::addColumn<bool>("kinds");
        QTest::addColumn<bool>("dark");
        QTest::addColumn<double>("least");
        QTest::newRow("kinds of points") << true << false << 30.0;
        QTest::newRow("kinds of points, dark") << true << true << 30.0;
        QTest::newRow("six runs") << false << false << 12.0;
        QTest::newRow("six runs, dark") << false << true << 12.0;
    }

    void colours_for_all_eyes() {
        QFETCH(bool, kinds);
        QFETCH(bool, dark);
        QFETCH(double, least);
        const auto style = dark ? dark_style() : print_style();
        std::vector<QColor> colours;
        if (kinds)
            for (const int kind : {kind_anchor, kind_series, kind_prompt})
                colours.push_back(paper_colour(kind));
        else
            for (int run = 0; run < 6; ++run) colours.push_back(run_colour(run));
        for (auto& colour : colours) colour = readable_on(colour, style.background);
        for (const auto& [name, eyes] : {std::pair{"usual", usual}, std::pair{"protanopia", protanopia},
                                         std::pair{"deuteranopia", deuteranopia}}) {
            const double distance = min_distance(colours, eyes);
            qInfo("%s: %.1f", name, distance);
            QVERIFY2(distance >= least, qPrintable(QStringLiteral("%1: %2").arg(name).arg(distance)));
        }
    }
};

TEST_MAIN(TestPaperPrint)
#include "test_paper_print.moc"

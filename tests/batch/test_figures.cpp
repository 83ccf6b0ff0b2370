// caspstudio --batch FILE --figures LIST, without a display.
#include <QImage>
#include <QtTest>
#include <QXmlStreamReader>

#include "batch_fixture.h"

using namespace casp;

class TestFigures : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void every_figure_in_every_format();
    void unknown_figure_is_refused_before_anything_starts();
    void numbers_are_those_of_the_run();

private:
    test::Workplace place_;
};

void TestFigures::initTestCase() {
    place_.write("series.csv", test::small_csv());
    place_.write("figures.toml", test::small_experiment("[sweep]\n\"loss.lambda_cov\" = [0, 0.1]\n"));
    const auto r = place_.run({"--batch", "figures.toml", "--out", "out", "--figures", "all"});
    QVERIFY2(r.code == 0, r.err.constData());
    QVERIFY2(r.out.contains("Figures: "), r.out.constData());
}

void TestFigures::every_figure_in_every_format() {
    const QDir folder(place_.path("out/figures/figures"));
    for (const auto* name : {"loss-terms", "validation", "gate-share", "usage-strips", "concentration",
                             "coverage", "forecast", "errors", "sensitivity"}) {
        const QImage png(folder.filePath(QString(name) + ".png"));
        QVERIFY2(png.width() > 1500, name);  // 174 mm at 300 dpi
        QFile svg(folder.filePath(QString(name) + ".svg"));
        QVERIFY2(svg.open(QIODevice::ReadOnly), name);
        QXmlStreamReader reader(&svg);
        int texts = 0;
        while (!reader.atEnd())
            if (reader.readNext() == QXmlStreamReader::StartElement && reader.name() == QLatin1String("text"))
                ++texts;
        QVERIFY2(!reader.hasError(), qPrintable(reader.errorString()));
        QVERIFY2(texts > 3, name);
        QFile pdf(folder.filePath(QString(name) + ".pdf"));
        QVERIFY2(pdf.open(QIODevice::ReadOnly), name);
        QVERIFY2(pdf.read(5) == "%PDF-", name);
        QFile csv(folder.filePath(QString(name) + ".csv"));
        QVERIFY2(csv.open(QIODevice::ReadOnly), name);
        QVERIFY2(csv.readAll().count('\n') > 2, name);
    }
}

void TestFigures::unknown_figure_is_refused_before_anything_starts() {
    const auto r = place_.run({"--batch", "figures.toml", "--out", "other", "--figures", "concentratoin"});
    QCOMPARE(r.code, 2);
    QVERIFY2(r.err.contains("Did you mean concentration?"), r.err.constData());
    QVERIFY(!QFile::exists(place_.path("other")));
}

void TestFigures::numbers_are_those_of_the_run() {
    const auto csv = place_.read("out/figures/figures/sensitivity.csv");
    const auto results = place_.read("out/figures/results.csv");
    // The exact test MSE of each run of the table stands in the figure's numbers.
    const auto lines = QString::fromUtf8(results).trimmed().split('\n');
    const auto column = lines.first().split(',').indexOf("test_mse");
    QCOMPARE(lines.size(), 3);
    for (qsizetype i = 1; i < lines.size(); ++i) {
        const auto value = lines[i].split(',').at(column).toDouble();
        bool found = false;
        for (const auto& cell : QString::fromUtf8(csv).split(QRegularExpression("[,\n\r]")))
            found = found || cell.toDouble() == value;
        QVERIFY2(found, qPrintable(QString::number(value, 'g', 17) + " in\n" + csv));
    }
}

QTEST_GUILESS_MAIN(TestFigures)
#include "test_figures.moc"

// Names that are shortened together: different ones stay different, in any font.
#include <QFont>
#include <QRegularExpression>
#include <QSet>
#include <QTest>

#include "charts/elided_names.h"
#include "test_program.h"

using casp::widgets::elided_apart;

namespace {

struct Names {
    const char* title;
    QStringList names;
};

std::vector<Names> examples() {
    std::vector<Names> all{
        {"runs of a sweep", {}},
        {"differ in the middle",
         {"λ_cov = 0, seed 2021, train", "λ_cov = 0.1, seed 2021, train", "λ_cov = 0.01, seed 2021, train"}},
        {"differ at the ends",
         {"a rather long name of a channel", "the rather long name of a channel",
          "a rather long name of a channel 2"}},
        {"one begins another", {"ETTh1-96-lookback-512", "ETTh1-96-lookback-512-fork-of-a-fork"}},
        {"one word", {"temperature2metersaboveground", "temperature9metersaboveground"}},
        {"paths", {"/home/ada/runs/etth1/last/model.bin", "/home/ada/runs/etth2/last/model.bin"}}};
    for (int horizon : {96, 192, 336, 720})
        for (int seed : {2021, 2022, 2023})
            all.front().names
                << QStringLiteral("weather-%1_lambda_cov-0.1_seed-%2_train").arg(horizon).arg(seed);
    return all;
}

}  // namespace

class TestElidedNames : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void different_names_stay_different() {
        for (const auto* family : {"DejaVu Sans", "Liberation Sans Narrow", "monospace"}) {
            const QFontMetricsF metrics{QFont(QString::fromLatin1(family))};
            for (const auto& [title, names] : examples())
                for (const double characters : {12, 14, 18, 30, 60}) {
                    const double width = characters * metrics.averageCharWidth();
                    const auto shown = elided_apart(names, metrics, width);
                    QCOMPARE(shown.size(), names.size());
                    for (const auto& label : shown)
                        QVERIFY2(metrics.horizontalAdvance(label) <= width + 1, qPrintable(label));
                    QVERIFY2(QSet<QString>(shown.begin(), shown.end()).size() == names.size(),
                             qPrintable(QStringLiteral("%1, %2 characters of %3: %4")
                                            .arg(title)
                                            .arg(characters)
                                            .arg(family, shown.join(QStringLiteral(" | ")))));
                }
        }
    }

    /// Not "0…1, train" for one run and "0.…1, train" for another.
    void common_parts_are_elided() {
        QStringList names;
        for (const auto* lambda : {"0", "0.1"})
            for (const int seed : {2021, 2022})
                names << QStringLiteral("λ_cov %1 · seed %2, train").arg(QLatin1String(lambda)).arg(seed);
        const QFontMetricsF metrics{QFont()};
        for (const auto& name : elided_apart(names, metrics, 0.7 * metrics.horizontalAdvance(names.back())))
            QVERIFY2(name.contains(QRegularExpression(QStringLiteral("\\b(0|0\\.1)\\b.*202[12]"))),
                     qPrintable(name));
    }

    void fitting_names_are_not_elided() {
        const QFontMetricsF metrics{QFont()};
        const QStringList names{"train", "train", "validation"};
        QCOMPARE(elided_apart(names, metrics, metrics.horizontalAdvance("validation") + 1), names);
        QCOMPARE(elided_apart({}, metrics, 10), QStringList());
        // Equal names stay equal, and no width is too small to return.
        const auto narrow = elided_apart(names, metrics, 1);
        QCOMPARE(narrow.size(), 3);
        QCOMPARE(narrow[0], narrow[1]);
    }
};

TEST_MAIN(TestElidedNames)
#include "test_elided_names.moc"

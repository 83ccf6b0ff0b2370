// The similarity matrix while it is put together: what it tells, and how it is given up.
#include <random>

#include <QComboBox>
#include <QElapsedTimer>
#include <QLabel>
#include <QTest>
#include <QToolButton>

#include "figures/numbers.h"
#include "panel_test.h"
#include "panels/anchors/anchors_scores.h"
#include "test_program.h"
#include "vtk/heatmap_view.h"

using namespace casp;
using namespace casp::widgets;
using analysis::AnchorOrder;

namespace {

/// Similarities without structure of so many windows of one channel.
std::shared_ptr<const EmbeddingSet> scored_set(std::int64_t windows, std::int64_t anchors, unsigned seed) {
    auto set = std::make_shared<EmbeddingSet>();
    auto& v = set->values;
    v.split = "test";
    v.weights = "best";
    v.pool_size = anchors;
    v.top_k = 1;
    for (std::int64_t w = 0; w < windows; ++w) v.windows.push_back(w);
    v.channels = {0};
    v.windows_total = v.rows = windows;
    v.channels_total = 1;
    std::mt19937 random(seed);
    v.similarity.resize(static_cast<std::size_t>(windows * anchors));
    for (auto& s : v.similarity) s = static_cast<float>(random() % 2000) / 1000 - 1;
    for (std::int64_t w = 0; w < windows; ++w) v.retrieved.push_back(static_cast<std::int32_t>(w % anchors));
    return set;
}

/// Anchors from top to bottom.
std::vector<std::int64_t> order_of(const AnchorScores& scores) { return scores.view().matrix().row_ids; }

class Scores : public AnchorScores {
public:
    Scores() {
        resize(900, 500);
        set_progress_delay(0);
        show();
    }
    void show_it(const std::shared_ptr<const EmbeddingSet>& set) {
        show_set(set, QStringLiteral("run"), {QStringLiteral("OT")}, {});
    }
    [[nodiscard]] QToolButton* cancel_button() const { return findChild<QToolButton*>(); }
    [[nodiscard]] QString text() const {
        for (const auto* label : findChildren<QLabel*>())
            if (label->accessibleName() == QStringLiteral("What the matrix shows")) return label->text();
        return {};
    }
    [[nodiscard]] QComboBox* order() const {
        for (auto* combo : findChildren<QComboBox*>())
            if (combo->accessibleName() == QStringLiteral("Order of the anchors")) return combo;
        return nullptr;
    }
    [[nodiscard]] bool reach() {
        return QTest::qWaitFor([this] { return !is_busy(); }, patience);
    }
};

/// Large enough that two cores need half a second to compare its anchors.
constexpr std::int64_t many_windows = 20000, many_anchors = 1000;

}  // namespace

class TestAnchorScores : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void numbers_are_of_all_columns() {
        const auto set = scored_set(5000, 6, 3);
        Scores scores;
        scores.show_it(set);
        QVERIFY(scores.reach());
        const auto figure = scores.figure();
        QVERIFY(figure.plots.at(0).heatmap->columns < 5000);  // what a picture can show
        QVERIFY(figure.caption.contains(QStringLiteral("drawn: ")));
        const auto& matrix = scores.view().matrix();
        QCOMPARE(figures::row_count(figure), matrix.rows * matrix.columns);
        QCOMPARE(matrix.columns, std::int64_t{5000});
        const auto numbers = figures::numbers_of(figure);
        QCOMPARE(numbers.rows.size(), static_cast<std::size_t>(matrix.rows * matrix.columns));
        QCOMPARE(numbers.columns.size(), qsizetype{4});
        QCOMPARE(numbers.rows[4321][0], QStringLiteral("run"));
        QCOMPARE(numbers.rows[4321][2], matrix.column_names[4321]);
        QCOMPARE(numbers.rows[4321][3], figures::exact_text(matrix.values[4321]));
    }

    void an_order_that_takes_long_is_told_and_given_up() {
        Scores scores;
        scores.show_it(scored_set(many_windows, many_anchors, 1));
        scores.set_options({0, 20000, AnchorOrder::mean_similarity});
        QVERIFY(scores.reach());
        QVERIFY(scores.cancel_button()->isHidden());
        const auto before = order_of(scores);
        const auto note = scores.text();
        QCOMPARE(before.size(), static_cast<std::size_t>(many_anchors));
        scores.order()->setCurrentIndex(static_cast<int>(AnchorOrder::clustering));
        QTRY_VERIFY_WITH_TIMEOUT(scores.cancel_button()->isVisible(), patience);
        QVERIFY2(scores.text().contains(QStringLiteral("Comparing anchors")) &&
                     scores.text().contains(QStringLiteral(" %")),
                 qPrintable(scores.text()));
        QVERIFY(scores.is_busy());
        scores.cancel_button()->click();
        // What is shown stays, and the control says what that is.
        QVERIFY(!scores.is_busy() && scores.cancel_button()->isHidden());
        QCOMPARE(scores.text(), note);
        QCOMPARE(scores.order()->currentIndex(), static_cast<int>(AnchorOrder::mean_similarity));
        QCOMPARE(scores.options().order, AnchorOrder::mean_similarity);
        QTest::qWait(200);
        QCOMPARE(order_of(scores), before);
        // Once more, to its end.
        QElapsedTimer clock;
        clock.start();
        scores.order()->setCurrentIndex(static_cast<int>(AnchorOrder::clustering));
        QVERIFY(scores.reach());
        qInfo("1,000 anchors ordered by 20,000 columns in %.1f s",
              static_cast<double>(clock.elapsed()) / 1000);
        QVERIFY(scores.cancel_button()->isHidden());
        QVERIFY(order_of(scores) != before);
        QCOMPARE(scores.text(), note);
    }

    void of_another_set_the_quick_order_is_shown_instead() {
        Scores scores;
        scores.show_it(scored_set(40, 8, 1));
        scores.set_options({0, 20000, AnchorOrder::clustering});
        QVERIFY(scores.reach());
        const auto next = scored_set(many_windows, many_anchors, 2);
        scores.show_it(next);
        QTRY_VERIFY_WITH_TIMEOUT(scores.cancel_button()->isVisible(), patience);
        scores.cancel_button()->click();
        QCOMPARE(scores.options().order, AnchorOrder::mean_similarity);
        QVERIFY(scores.reach());
        QCOMPARE(order_of(scores).size(), static_cast<std::size_t>(many_anchors));
        QCOMPARE(scores.set(), next);
    }

    /// The matrix under the channels' new names was given up: the one that stays must not keep the old ones.
    void names_that_came_meanwhile_are_shown() {
        Scores scores;
        const auto set = scored_set(40, 8, 1);
        scores.show_it(set);
        QVERIFY(scores.reach());
        QCOMPARE(scores.view().matrix().column_names.first(), QStringLiteral("0, OT"));
        const auto before = order_of(scores);
        scores.show_set(set, QStringLiteral("run"), {QStringLiteral("HUFL")}, {});
        QVERIFY(scores.is_busy());
        scores.cancel();
        QVERIFY(!scores.is_busy());
        QTest::qWait(100);
        const auto& matrix = scores.view().matrix();
        QCOMPARE(matrix.column_names.size(), static_cast<qsizetype>(matrix.columns));
        QCOMPARE(matrix.column_names.first(), QStringLiteral("0, HUFL"));
        QCOMPARE(matrix.column_names.last(), QStringLiteral("39, HUFL"));
        QCOMPARE(order_of(scores), before);
    }
};

TEST_PROGRAM(TestAnchorScores)(int argc, char** argv) {
    QApplication application(argc, argv);
    TestAnchorScores test;
    return QTest::qExec(&test, argc, argv);
}
#include "test_anchor_scores.moc"

// The table Models × tasks of the page Compare.
#include <algorithm>

#include <QClipboard>
#include <QPushButton>
#include <QTabBar>
#include <QTest>

#include "panel_test.h"
#include "panels/compare/compare_panel.h"
#include "panels/compare/ranks_table.h"
#include "test_program.h"
#include "test_runs_memory.h"

using casp::figures::CompareMetric;
using namespace casp::widgets;
using casp::widgets::testing::MemoryLibrary;
using casp::widgets::testing::MemoryRun;

namespace {

/// The page with runs of several models.
struct ShownRanks {
    MemoryLibrary library;
    QStringList folders;
    Selection selection;
    ComparePanel panel{library, selection};

    MemoryRun& add(const std::string& model, int seed, double lambda = 0, const char* data = "ETTh1-96",
                   const std::string& preset = {}, int percent = 100) {
        auto& run = library.add(QString::fromLatin1(data), lambda, seed, QString::fromStdString("_" + model));
        run.its_summary.row.model = model;
        auto config = casp::config::load_text(run.its_record.attributes.config, "test", {}).base;
        config.model.name = model;
        config.preset = preset;
        config.data.percent = percent;
        run.its_record.attributes.config = casp::config::to_toml(config);
        folders += run.folder();
        return run;
    }
    void show() {
        panel.resize(1150, 700);
        panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel));
        selection.set_runs(folders);
    }
};

}  // namespace

class TestCompareRanks : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void models_are_ranked() {
        ShownRanks shown;
        auto& [library, folders, selection, panel] = shown;
        for (const int seed : {2021, 2022}) {
            shown.add("casp-llm", seed).its_summary.row.test_mse = seed == 2021 ? 0.3 : 0.5;
            shown.add("dlinear", seed).its_summary.row.test_mse = 0.375;
            shown.add("casp-llm", seed, 0, "ETTm1-96").its_summary.row.test_mse = 0.25;
        }
        QStringList of_casp;
        for (const auto& run : library.runs)
            if (run->its_summary.row.model == "casp-llm") of_casp += run->folder();
        auto* tabs = panel.findChild<QTabBar*>();
        QVERIFY(tabs != nullptr && !tabs->isVisible());
        shown.show();
        QTRY_COMPARE(panel.ranks()->ranks().rows.size(), std::size_t{2});
        QVERIFY(tabs->isVisible());
        tabs->setCurrentIndex(1);
        const auto& view = *panel.ranks()->view();
        QCOMPARE(view.columnCount(), 6);  // model, two tasks, mean rank, seconds, memory
        QCOMPARE(view.horizontalHeaderItem(1)->text(), QStringLiteral("ETTh1-96"));
        QCOMPARE(view.item(0, 0)->text(), QStringLiteral("dlinear"));
        QCOMPARE(view.item(0, 1)->text(), QStringLiteral("0.3750 ± 0.0000 (1)"));
        QVERIFY(view.item(0, 1)->font().bold() && !view.item(0, 1)->font().underline());
        QCOMPARE(view.item(0, 2)->text(), QStringLiteral("–"));
        QCOMPARE(view.item(1, 1)->text(), QStringLiteral("0.4000 ± 0.1414 (2)"));
        QVERIFY(view.item(1, 1)->font().underline() && !view.item(1, 1)->font().bold());
        QVERIFY(!view.item(1, 2)->font().bold());  // the only model there
        QCOMPARE(view.item(1, 2)->text(), QStringLiteral("0.2500 ± 0.0000"));
        QCOMPARE(view.item(1, 3)->text(), QStringLiteral("2.000"));
        for (auto* button : panel.ranks()->findChildren<QPushButton*>())
            if (button->text().contains(QStringLiteral("LaTe"))) button->click();
        QVERIFY(QGuiApplication::clipboard()->text().contains(QStringLiteral("\\textbf{0.3750")));
        panel.set_metric(CompareMetric::test_mae);
        QCOMPARE(panel.ranks()->ranks().metric, std::string("test_mae"));
        panel.set_metric(CompareMetric::entropy);
        QCOMPARE(panel.ranks()->ranks().metric, std::string("test_mse"));
        selection.set_runs(of_casp);
        QTRY_VERIFY(panel.ranks()->ranks().rows.empty());
        QVERIFY(!tabs->isVisible());
        QCOMPARE(tabs->currentIndex(), 0);
        // The chosen table returns with its runs, also in the next session.
        selection.set_runs(folders);
        QTRY_COMPARE(tabs->currentIndex(), 1);
        ComparePanel next(library, selection);
        next.show();
        QCOMPARE(next.findChild<QTabBar*>()->currentIndex(), 0);
        QVERIFY(next.restore_state(panel.save_state()));
        QTRY_COMPARE(next.findChild<QTabBar*>()->currentIndex(), 1);
    }

    void models_of_unequal_seeds_are_paired() {
        ShownRanks shown;
        auto& panel = shown.panel;
        const auto add = [&](const std::string& model, double lambda, int seeds) {
            for (int seed = 1; seed <= seeds; ++seed) {
                auto& row = shown.add(model, seed, lambda).its_summary.row;
                row.test_mse = 0.4 + 0.01 * seed;
                if (model != "casp-llm") row.backbone.clear();
            }
        };
        add("casp-llm", 0.0, 6);
        add("dlinear", 0.1, 4);
        shown.show();
        QTRY_COMPARE(panel.ranks()->ranks().rows.size(), std::size_t{2});
        panel.set_x_key(QStringLiteral("model.name"));
        panel.set_base(QStringLiteral("casp-llm"));
        const auto labels_have = [&](const QString& text) {
            const auto labels = panel.findChildren<QLabel*>();
            return std::any_of(labels.begin(), labels.end(), [&](const QLabel* label) {
                return label->isVisible() && label->text().contains(text);
            });
        };
        QTRY_VERIFY(labels_have(QStringLiteral("– 4 pairs: ")));
        QVERIFY(labels_have(QStringLiteral("Means over different seeds")));
        QCOMPARE(panel.table()->rowCount(), 2);
        panel.findChild<QTabBar*>()->setCurrentIndex(1);
        QVERIFY(panel.ranks()->view()->item(0, 1)->text().endsWith(QStringLiteral(", n = 4")));
        QVERIFY(panel.ranks()->view()->item(1, 1)->text().endsWith(QStringLiteral(", n = 6")));
        // Another λ_cov is a row of its model, and DLinear is listed once.
        add("casp-llm", 0.1, 5);
        add("casp-llm", 0.05, 1);
        shown.selection.set_runs(shown.folders);
        QTRY_COMPARE(panel.ranks()->ranks().rows.size(), std::size_t{4});
        QCOMPARE(panel.ranks()->ranks().tasks, std::vector<std::string>{"ETTh1-96"});
        QTRY_COMPARE(panel.table()->rowCount(), 4);
        QCOMPARE(panel.table()->horizontalHeaderItem(2)->text(), QStringLiteral("mean (n = 1: value)"));
    }

    /// Few-shot runs are another task, although their fraction of the data could follow from the preset.
    void ranks_need_a_shared_task() {
        ShownRanks shown;
        auto& [library, folders, selection, panel] = shown;
        shown.add("casp-llm", 2021, 0, "ETTh1-96", "etth1-96");
        shown.add("dlinear", 2021, 0, "ETTh1-96", "dlinear-etth1-96", 10);
        shown.show();
        QTRY_COMPARE(panel.ranks()->ranks().rows.size(), std::size_t{2});
        QCOMPARE(panel.ranks()->ranks().tasks.size(), std::size_t{2});
        auto* tabs = panel.findChild<QTabBar*>();
        QVERIFY(tabs != nullptr && !tabs->isVisible());
        shown.add("ridge", 2021, 0, "ETTh1-96", "ridge-etth1-96", 10);
        selection.set_runs(folders);
        QTRY_VERIFY(tabs->isVisible());
        QVERIFY(casp::evidence::has_ranks(panel.ranks()->ranks()));
        // What is left out is counted.
        shown.add("naive", 2021).its_summary.row.state = casp::store::RunState::finished_early;
        shown.add("seasonal-naive", 2021).its_record.attributes.config = "no settings [";
        selection.set_runs(folders);
        const auto* note = panel.ranks()->findChild<QLabel*>();
        QTRY_VERIFY2(note->text().contains(
                         QStringLiteral("Omitted: 1 run finished early, 1 run without readable settings.")),
                     qPrintable(note->text()));
        QCOMPARE(panel.ranks()->ranks().rows.size(), std::size_t{3});
    }
};

TEST_MAIN(TestCompareRanks)
#include "test_compare_ranks.moc"

// The page Compare as a widget, and its table Models × tasks.
#include <algorithm>

#include <QAbstractItemView>
#include <QClipboard>
#include <QDir>
#include <QPushButton>
#include <QSignalSpy>
#include <QTabBar>
#include <QTemporaryDir>
#include <QTest>

#include "charts/figure_view.h"
#include "charts/view_frame.h"
#include "panel_test.h"
#include "panels/compare/compare_panel.h"
#include "panels/compare/ranks_table.h"
#include "test_program.h"
#include "test_runs_memory.h"

using casp::figures::metric_named;
using namespace casp::widgets;
using casp::widgets::testing::MemoryLibrary;
using casp::widgets::testing::MemoryRun;

namespace {

/// The page with its runs.
struct ShownCompare {
    QTemporaryDir dir;
    MemoryLibrary library;
    QStringList folders;
    Selection selection;
    ComparePanel panel{library, selection};

    MemoryRun& add(const char* data, double lambda, int seed, const QString& name = {}) {
        auto& run = library.add(QString::fromLatin1(data), lambda, seed, name);
        run.its_summary.row.last_value_mse = casp::store::not_known;
        folders += run.folder();
        return run;
    }
    MemoryRun& add_model(const std::string& model, int seed, double lambda = 0, const char* data = "ETTh1-96",
                         const std::string& preset = {}, int percent = 100) {
        auto& run = add(data, lambda, seed, QString::fromStdString("_" + model));
        run.its_summary.row.model = model;
        auto config = casp::config::load_text(run.its_record.attributes.config, "test", {}).base;
        config.model.name = model;
        config.preset = preset;
        config.data.percent = percent;
        run.its_record.attributes.config = casp::config::to_toml(config);
        return run;
    }
    /// Settings of many runs are read from their files.
    void write_settings() {
        folders.clear();
        for (std::size_t i = 0; i < library.runs.size(); ++i) {
            auto& run = *library.runs[i];
            run.its_summary.folder = dir.filePath(QString::number(i));
            QVERIFY(QDir().mkpath(run.folder()));
            QFile file(run.folder() + QStringLiteral("/config.toml"));
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(run.its_record.attributes.config.c_str());
            folders += run.folder();
        }
    }
    void show() {
        panel.resize(1150, 560);
        panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel));
        selection.set_runs(folders);
    }
};

}  // namespace

class TestComparePanel : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void draws_the_shown_runs() {
        ShownCompare shown;
        auto& panel = shown.panel;
        for (const double l : {0.0, 0.01, 0.05, 0.1, 0.5})
            for (const int seed : {2021, 2022, 2023}) {
                auto& run = shown.add("ETTh1-96", l, seed);
                run.its_summary.row.test_mse =
                    0.372 - 0.02 * std::sqrt(l) + 0.03 * l * l + 0.0015 * (seed * 7 % 5 - 2);
                run.its_summary.row.last_value_mse = 0.381;
            }
        for (const double l : {0.0, 0.01, 0.05, 0.1, 0.5})
            for (const int seed : {2021, 2022}) {
                auto& run = shown.add("ETTh1-96-k4", l, seed);
                run.its_summary.row.test_mse = 0.369 - 0.012 * std::sqrt(l) + 0.0012 * (seed * 3 % 4 - 1);
                run.its_summary.row.last_value_mse = 0.381;
                casp::config::Config config;
                config.loss.lambda_cov = l;
                config.train.seed = seed;
                config.model.top_k = 4;
                run.its_record.attributes.config = casp::config::to_toml(config);
            }
        QVERIFY(panel.figure().plots.empty());
        shown.show();
        QTRY_COMPARE(panel.comparison().lines.size(), std::size_t{2});
        QCOMPARE(panel.comparison().line_keys, QStringList{QStringLiteral("model.top_k")});
        QCOMPARE(panel.table()->rowCount(), 10);  // the points: K 4 and 8 are one task, so none over all
        QCOMPARE(panel.table()->item(0, 2)->text(), QStringLiteral("3"));
        QCOMPARE(panel.figure().plots.size(), std::size_t{2});
        QVERIFY(panel.frame()->figure_view() != nullptr);
        QCOMPARE(panel.frame()->current_figure().plots.size(), std::size_t{2});
        control<QCheckBox>(shown.panel, QStringLiteral("Logarithmic horizontal axis"))->setChecked(true);
        QVERIFY(panel.figure().plots[0].x.log);
        panel.copy_markdown();
        // A table in a note names what it is of.
        const auto copied = QGuiApplication::clipboard()->text();
        QVERIFY2(copied.startsWith(QStringLiteral("Test MSE against λ_cov, ETTh1 · H ")), qPrintable(copied));
        QVERIFY(copied.contains(QStringLiteral("\n\n| ")));
        panel.set_metric(metric_named("key_cosine"));
        panel.set_x_key(QStringLiteral("model.top_k"));
        QCOMPARE(panel.comparison().metric, metric_named("key_cosine"));
        QCOMPARE(panel.comparison().lines.size(), std::size_t{5});
        const auto state = panel.save_state();
        ComparePanel other(shown.library, shown.selection);
        other.show();  // a hidden page draws nothing until it is shown
        QVERIFY(!other.restore_state("{}"));
        QVERIFY(other.restore_state(state));
        QTRY_COMPARE(other.comparison().lines.size(), std::size_t{5});
        QTRY_VERIFY(other.figure().plots[0].x.log);
        // A run that changes is drawn anew.
        shown.library.runs[0]->its_summary.row.state = casp::store::RunState::failed;
        Q_EMIT shown.library.changed(0);
        QTRY_COMPARE(panel.comparison().unfinished, 1);
    }

    void peak_memory_is_a_metric() {
        constexpr std::int64_t gib = std::int64_t{1} << 30;
        ShownCompare shown;
        auto& panel = shown.panel;
        for (const double l : {0.0, 0.1}) {
            auto& run = shown.add("x-96", l, 1);
            run.its_summary.row.peak_memory = l == 0 ? gib / 2 : -1;
        }
        panel.set_metric(metric_named("peak_memory"));
        shown.show();
        QTRY_COMPARE(panel.comparison().complete, 1);
        QCOMPARE(panel.comparison().unknown, 1);
        QCOMPARE(panel.comparison().lines[0].points[0].statistic.mean, 0.5);
        QCOMPARE(panel.figure().plots[0].y.title, QStringLiteral("peak memory (GiB)"));
        shown.library.runs[1]->its_summary.row.peak_memory = 3 * gib;
        Q_EMIT shown.library.changed(1);
        QTRY_COMPARE(panel.comparison().complete, 2);
        QCOMPARE(panel.comparison().lines[0].points[1].statistic.mean, 3.0);
    }

    void a_click_on_a_point_names_its_run() {
        ShownCompare shown;
        auto& panel = shown.panel;
        for (const double l : {0.0, 0.1, 0.3}) {
            shown.add("x-96", l, 1);
        }
        shown.show();
        QTRY_COMPARE(panel.table()->rowCount(), 3);
        auto* view = panel.frame()->figure_view();
        QSignalSpy picked(&panel, &ComparePanel::run_picked);
        const auto& row = shown.library.runs[1]->its_summary.row;
        QTest::mouseClick(view, Qt::LeftButton, {},
                          view->painter().to_scene(0, row.lambda_cov, row.test_mse).toPoint());
        QCOMPARE(picked.size(), 1);
        QCOMPARE(picked[0][0].toString(), shown.library.runs[1]->folder());
    }

    void runs_finished_early_are_counted() {
        ShownCompare shown;
        auto& panel = shown.panel;
        for (const double l : {0.0, 0.05, 0.1, 0.3})
            for (const int seed : {2021, 2022, 2023}) {
                auto& run = shown.add("ETTh1-96", l, seed);
                if (l == 0.3 || (l == 0.05 && seed == 2022)) {
                    run.its_summary.row.state = casp::store::RunState::finished_early;
                    run.its_summary.row.test_mse += 0.02;
                    run.its_summary.row.steps = 282;
                }
            }
        shown.show();
        QTRY_COMPARE(panel.table()->rowCount(), 4);
        QTRY_VERIFY(!panel.frame()->figure_view()->busy());
        const int last = 4;
        QCOMPARE(panel.table()->horizontalHeaderItem(last)->text(), QStringLiteral("early"));
        QCOMPARE(panel.table()->item(1, 1)->text(), QStringLiteral("2"));
        QCOMPARE(panel.table()->item(1, last)->text(), QStringLiteral("1 of 3"));
        QVERIFY(panel.table()->item(1, last)->toolTip().contains(QStringLiteral("excluded from the mean")));
        QCOMPARE(panel.table()->item(3, 1)->text(), QStringLiteral("0"));
        // The point tells its run.
        auto* view = panel.frame()->figure_view();
        const auto& row = shown.library.runs[4]->its_summary.row;
        const auto said = view->text_at(view->painter().to_scene(0, 0.05, row.test_mse));
        QVERIFY2(said.contains(QStringLiteral("lambda_cov-0.05_seed-2022, finished early after 282 steps")),
                 qPrintable(said));
        // Of such runs alone there is no mean, and the note says so.
        const auto* note = panel.findChild<QLabel*>(QStringLiteral("problems"));
        QVERIFY(note != nullptr && note->text().startsWith(QStringLiteral("Means over different seeds")));
        shown.selection.set_runs(shown.folders.mid(9));
        QTRY_VERIFY2(note->text().contains(QStringLiteral("so the means exclude them")),
                     qPrintable(note->text()));
    }

    /// The sentence above the plot is that of the base, of the selected rows and of the metric.
    void verdict_describes_the_tests() {
        ShownCompare shown;
        auto& panel = shown.panel;
        for (const double l : {0.0, 0.1, 0.3})
            for (int i = 0; i < 8; ++i) {
                auto& run = shown.add("ETTh1-96", l, 2021 + i);
                // Noise between 0 and 0.1, an effect at 0.3.
                run.its_summary.row.test_mse = 0.37 + 0.001 * i +
                                               (l == 0.1 ? 1e-4 * (i + 1) * (i % 2 == 0 ? 1 : -1) : 0) -
                                               (l == 0.3 ? 0.01 + 1e-4 * i : 0);
            }
        QVERIFY(panel.verdict().isEmpty());
        shown.show();
        QTRY_COMPARE(panel.table()->rowCount(), 3);
        const auto noise = QStringLiteral(
            "λ_cov 0.1 against 0 (ETTh1 · H 96, test MSE) – 8 pairs: within seed noise (p = 0.84)");
        QVERIFY2(panel.verdict().contains(noise), qPrintable(panel.verdict()));
        QCOMPARE(panel.verdict().count(QLatin1Char('\n')), 1);
        auto* label = panel.findChild<QLabel*>(QStringLiteral("verdict"));
        QVERIFY(label != nullptr && label->isVisible());
        QCOMPARE(panel.table()->item(1, 4)->text(), QStringLiteral("8"));
        QCOMPARE(panel.table()->item(2, 5)->text(), QStringLiteral("8 of 8"));
        QVERIFY(panel.table()->item(0, 4)->text().isEmpty());  // the base
        panel.table()->selectRow(2);
        QVERIFY2(panel.verdict().startsWith(QStringLiteral("λ_cov 0.3 against 0 (")) &&
                     panel.verdict().contains(QStringLiteral("lower by")) &&
                     !panel.verdict().contains(QLatin1Char('\n')),
                 qPrintable(panel.verdict()));
        panel.set_metric(metric_named("test_mae"));  // the same rows stay selected
        QVERIFY2(panel.verdict().startsWith(QStringLiteral("λ_cov 0.3 against 0 (")),
                 qPrintable(panel.verdict()));
        panel.set_metric(metric_named("test_mse"));
        // Another row in its place was not selected.
        const auto all = shown.folders;
        for (int i = 0; i < 8; ++i)
            shown.add("ETTh1-96", 0.5, 2021 + i).its_summary.row.test_mse = 0.36 + 0.001 * i;
        shown.selection.set_runs(shown.folders);
        QTRY_COMPARE(panel.table()->rowCount(), 4);
        shown.selection.set_runs(all);
        QTRY_COMPARE(panel.table()->rowCount(), 3);
        panel.table()->selectRow(2);
        shown.selection.set_runs(shown.folders.mid(0, 16) + shown.folders.mid(24));
        QTRY_COMPARE(panel.table()->item(2, 0)->text(), QStringLiteral("0.5"));
        QVERIFY(!panel.table()->selectionModel()->hasSelection());
        shown.selection.set_runs(all);
        QTRY_COMPARE(panel.table()->item(2, 0)->text(), QStringLiteral("0.3"));
        panel.table()->selectRow(2);
        auto* base = control<QComboBox>(shown.panel, QStringLiteral("Base"));
        QVERIFY(base != nullptr && base->isEnabled());
        QCOMPARE(base->count(), 3);
        base->setCurrentIndex(2);
        QCOMPARE(panel.comparison().base, QStringLiteral("0.3"));
        QVERIFY2(panel.verdict().contains(QStringLiteral("against 0.3")), qPrintable(panel.verdict()));
        const auto state = panel.save_state();
        ComparePanel other(shown.library, shown.selection);
        other.show();
        QVERIFY(other.restore_state(state));
        QTRY_COMPARE(other.comparison().base, QStringLiteral("0.3"));
        QVERIFY(other.comparison().tested);
        panel.set_x_key(QStringLiteral("train.seed"));
        QVERIFY(panel.verdict().isEmpty() && !base->isEnabled() && !label->isVisible());
    }

    /// More than can be waited for: the rest of the page is there at once.
    void many_pairs_are_tested_in_the_background() {
        ShownCompare shown;
        auto& panel = shown.panel;
        for (const double l : {0.0, 0.1})
            for (int seed = 0; seed < 160; ++seed) shown.add("x-96", l, seed);
        shown.write_settings();
        shown.show();
        QTRY_COMPARE_WITH_TIMEOUT(panel.comparison().complete, 320, patience);
        QTRY_VERIFY_WITH_TIMEOUT(panel.comparison().tested, patience);
        QCOMPARE(panel.comparison().tests.at(0).result.n, std::int64_t{160});
        QVERIFY2(panel.verdict().contains(QStringLiteral("160 pairs: lower by")),
                 qPrintable(panel.verdict()));
        // A base chosen while tests are waited for is that of the answer.
        panel.set_base(QStringLiteral("0.1"));
        QVERIFY(!panel.comparison().tested);
        QCOMPARE(panel.verdict(), QStringLiteral("Testing pairs of runs…"));
        panel.set_base(QStringLiteral("0"));
        panel.set_base(QStringLiteral("0.1"));
        QTRY_VERIFY_WITH_TIMEOUT(panel.comparison().tested, patience);
        QCOMPARE(panel.comparison().base, QStringLiteral("0.1"));
        QVERIFY2(panel.verdict().contains(QStringLiteral("160 pairs: higher by")),
                 qPrintable(panel.verdict()));
    }

    void cases_are_compared_first() {
        ShownCompare shown;
        auto& panel = shown.panel;
        for (const int seed : {1, 2})
            for (const double l : {0.0, 0.1}) {
                auto& run = shown.add("x-96", l, seed);
                casp::store::set_swept(run.its_summary.row, {{"train.seed", std::to_string(seed)},
                                                             {"case", l == 0 ? "without" : "with coverage"}});
            }
        shown.show();
        QTRY_COMPARE(panel.comparison().x_key, QStringLiteral("case"));
        QTRY_COMPARE(panel.comparison().base, QStringLiteral("without"));
        QVERIFY2(panel.verdict().startsWith(QStringLiteral("with coverage against without (")),
                 qPrintable(panel.verdict()));
        panel.set_x_key(QStringLiteral("loss.lambda_cov"));
        panel.refresh();
        QCOMPARE(panel.comparison().x_key, QStringLiteral("loss.lambda_cov"));  // it was chosen
        ComparePanel other(shown.library, shown.selection);
        QVERIFY(other.restore_state(panel.save_state()));
        QCOMPARE(other.comparison().x_key, QStringLiteral("loss.lambda_cov"));
    }

    /// The first case is the one that was created first, whatever was selected first.
    void base_is_the_first_case_created() {
        ShownCompare shown;
        auto& panel = shown.panel;
        for (const char* label : {"plain", "a variant"}) {
            auto& run = shown.add("x-96", 0.1, 1, QString::fromLatin1(label));
            casp::store::set_swept(run.its_summary.row, {{"train.seed", "1"}, {"case", label}});
        }
        std::reverse(shown.folders.begin(), shown.folders.end());
        shown.show();
        QTRY_COMPARE(panel.comparison().x_key, QStringLiteral("case"));
        QTRY_COMPARE(panel.comparison().base, QStringLiteral("plain"));
    }

    /// λ_cov is equal in all runs; the number of anchors was swept.
    void opens_on_an_axis_that_differs() {
        ShownCompare shown;
        auto& panel = shown.panel;
        for (const int top_k : {4, 8})
            for (const int seed : {1, 2}) {
                auto& run = shown.add("x-96", 0.1, seed, QStringLiteral("_top_k-%1").arg(top_k));
                run.its_summary.row.swept = {{"train.seed", std::to_string(seed)},
                                             {"model.top_k", std::to_string(top_k)}};
                casp::config::Config config;
                config.loss.lambda_cov = 0.1;
                config.train.seed = seed;
                config.model.top_k = top_k;
                run.its_record.attributes.config = casp::config::to_toml(config);
            }
        shown.show();
        QTRY_COMPARE(panel.comparison().x_key, QStringLiteral("model.top_k"));
        QCOMPARE(panel.table()->rowCount(), 2);
        // Rows of another axis are others.
        panel.table()->selectRow(1);
        panel.set_x_key(QStringLiteral("train.seed"));
        QCOMPARE(panel.table()->rowCount(), 4);
        panel.set_x_key(QStringLiteral("model.top_k"));
        panel.table()->selectRow(1);
        panel.set_x_key(QStringLiteral("loss.lambda_cov"));
        QCOMPARE(panel.table()->rowCount(), 2);
        QVERIFY(panel.table()->selectionModel()->selectedRows().isEmpty());
    }

    void numbers_of_the_validation_split() {
        ShownCompare shown;
        auto& panel = shown.panel;
        for (const double l : {0.0, 0.1}) {
            auto& run = shown.add("x-96", l, 1);
            run.its_record.val.emplace();
            run.its_record.val->mae = 0.4 + l;
            run.its_record.val->usage_entropy = 3 + l;
            run.its_record.val->key_cosine = 0.8 - l;
            run.loaded = false;
        }
        shown.write_settings();
        shown.show();
        QTRY_COMPARE(panel.table()->rowCount(), 2);
        QCOMPARE(shown.library.runs[0]->loads, 0);  // a result row says all that the others need
        panel.set_metric(metric_named("validation_mae"));
        QCOMPARE(panel.comparison().unknown, 2);
        for (const auto& run : shown.library.runs) {
            QVERIFY(run->loads > 0);
            run->loaded = true;
            Q_EMIT run->changed(RunPart::everything);
        }
        QTRY_COMPARE(panel.table()->rowCount(), 2);
        QCOMPARE(panel.comparison().lines[0].points[1].statistic.mean, 0.5);
        panel.set_metric(metric_named("validation_usage_entropy"));
        QCOMPARE(panel.comparison().lines[0].points[1].statistic.mean, 3.1);
        panel.set_metric(metric_named("validation_key_cosine"));
        QCOMPARE(panel.comparison().lines[0].points[1].statistic.mean, 0.7);
    }

    void validation_numbers_of_many_runs_are_not_read() {
        ShownCompare shown;
        auto& panel = shown.panel;
        for (int i = 0; i < 65; ++i) {
            auto& run = shown.add("x-96", i % 2 == 0 ? 0.0 : 0.1, i);
            run.loaded = false;
        }
        shown.write_settings();
        shown.show();
        QTRY_COMPARE_WITH_TIMEOUT(panel.comparison().complete, 65, patience);
        panel.set_metric(metric_named("validation_mae"));
        QCOMPARE(panel.comparison().unknown, 65);
        for (const auto& run : shown.library.runs) QCOMPARE(run->loads, 0);
        const auto* note = panel.findChild<QLabel*>(QStringLiteral("problems"));
        QVERIFY2(note->text().contains(QStringLiteral("up to 64 runs")), qPrintable(note->text()));
    }

    void running_run_does_not_rebuild_the_table() {
        ShownCompare shown;
        auto& panel = shown.panel;
        for (const double l : {0.0, 0.1})
            for (const int seed : {1, 2}) shown.add("x-96", l, seed);
        auto& going = shown.add("x-96", 0.5, 1);
        going.its_summary.row.state = casp::store::RunState::running;
        shown.show();
        QTRY_COMPARE(panel.table()->rowCount(), 2);
        QTest::qWait(300);  // settings of the runs are read
        const auto* item = panel.table()->item(1, 0);
        panel.table()->selectRow(1);
        auto* against = control<QComboBox>(shown.panel, QStringLiteral("Against"));
        QVERIFY(against != nullptr);
        against->showPopup();
        QVERIFY(against->view()->isVisible());
        for (int step = 0; step < 4; ++step) {
            going.its_summary.row.steps += 20;
            going.its_summary.row.val_mse -= 0.01;
            Q_EMIT shown.library.changed(4);
            QTest::qWait(90);
        }
        QVERIFY(against->view()->isVisible());
        QCOMPARE(panel.table()->item(1, 0), item);
        QVERIFY(panel.table()->item(1, 0)->isSelected());
        // It ends: now there is something new, and the open list has the same settings as before.
        going.its_summary.row.state = casp::store::RunState::finished;
        Q_EMIT shown.library.changed(4);
        QTRY_COMPARE(panel.table()->rowCount(), 3);
        QVERIFY(against->view()->isVisible());
        against->hidePopup();
        shown.library.runs[0]->its_summary.row.test_mse += 1;
        const auto before = panel.table()->item(0, 2)->text();
        Q_EMIT shown.library.changed(0);
        QTRY_VERIFY(panel.table()->item(0, 2)->text() != before);
    }

    void models_are_ranked() {
        ShownCompare shown;
        auto& [dir, library, folders, selection, panel] = shown;
        for (const int seed : {2021, 2022}) {
            shown.add_model("casp-llm", seed).its_summary.row.test_mse = seed == 2021 ? 0.3 : 0.5;
            shown.add_model("dlinear", seed).its_summary.row.test_mse = 0.375;
            shown.add_model("casp-llm", seed, 0, "ETTm1-96").its_summary.row.test_mse = 0.25;
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
        panel.set_metric(metric_named("test_mae"));
        QCOMPARE(panel.ranks()->ranks().metric, std::string("test_mae"));
        panel.set_metric(metric_named("usage_entropy"));
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
        ShownCompare shown;
        auto& panel = shown.panel;
        const auto add = [&](const std::string& model, double lambda, int seeds) {
            for (int seed = 1; seed <= seeds; ++seed) {
                auto& row = shown.add_model(model, seed, lambda).its_summary.row;
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
        ShownCompare shown;
        auto& [dir, library, folders, selection, panel] = shown;
        shown.add_model("casp-llm", 2021, 0, "ETTh1-96", "etth1-96");
        shown.add_model("dlinear", 2021, 0, "ETTh1-96", "dlinear-etth1-96", 10);
        shown.show();
        QTRY_COMPARE(panel.ranks()->ranks().rows.size(), std::size_t{2});
        QCOMPARE(panel.ranks()->ranks().tasks.size(), std::size_t{2});
        auto* tabs = panel.findChild<QTabBar*>();
        QVERIFY(tabs != nullptr && !tabs->isVisible());
        shown.add_model("ridge", 2021, 0, "ETTh1-96", "ridge-etth1-96", 10);
        selection.set_runs(folders);
        QTRY_VERIFY(tabs->isVisible());
        QVERIFY(casp::evidence::has_ranks(panel.ranks()->ranks()));
        // What is left out is counted.
        shown.add_model("naive", 2021).its_summary.row.state = casp::store::RunState::finished_early;
        shown.add_model("seasonal-naive", 2021).its_record.attributes.config = "no settings [";
        selection.set_runs(folders);
        const auto* note = panel.ranks()->findChild<QLabel*>();
        QTRY_VERIFY2(note->text().contains(
                         QStringLiteral("Omitted: 1 run finished early, 1 run without readable settings.")),
                     qPrintable(note->text()));
        QCOMPARE(panel.ranks()->ranks().rows.size(), std::size_t{3});
    }
};

TEST_MAIN(TestComparePanel)
#include "test_compare_panel.moc"

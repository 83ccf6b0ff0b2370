// The page Compare as a widget.
#include <QAbstractItemView>
#include <QClipboard>
#include <QDir>
#include <QSignalSpy>
#include <QTabBar>
#include <QTemporaryDir>
#include <QTest>

#include "charts/figure_view.h"
#include "charts/view_frame.h"
#include "panel_test.h"
#include "panels/compare/compare_panel.h"
#include "store/run_file.h"
#include "test_program.h"
#include "test_runs_memory.h"

using casp::figures::CompareMetric;
using namespace casp::widgets;
using casp::widgets::testing::MemoryLibrary;

namespace {

/// A library of which whole parts go at once, as FileRunLibrary tells it.
class ResettingLibrary : public MemoryLibrary {
public:
    QString its_folder = QStringLiteral("/runs");
    QString folder() const override { return its_folder; }
};

void write_numbers(const MemoryLibrary& library, int index, double mae) {
    const auto& run = *library.runs[static_cast<std::size_t>(index)];
    casp::store::RunRecord record;
    record.attributes.state = casp::store::RunState::finished;
    record.attributes.config = run.its_record.attributes.config;
    record.val.emplace();
    record.val->mae = mae;
    record.val->usage_entropy = 3;
    record.val->key_cosine = 0.75;
    record.test.emplace();
    record.test->last_value_mae = 0.6;
    record.data.channel_names = {"a"};
    record.data.mean = {0};
    record.data.std = {1};
    QVERIFY(QDir().mkpath(run.folder()));
    casp::store::write_run_file(run.folder().toStdString(), record);
    QFile config(run.folder() + QStringLiteral("/config.toml"));
    QVERIFY(config.open(QIODevice::WriteOnly));
    config.write(record.attributes.config.c_str());
}

/// Finished runs in `dir` whose numbers stand in their run.h5 alone.
QStringList add_runs_with_files(MemoryLibrary& library, const QTemporaryDir& dir, int count) {
    QStringList folders;
    for (int i = 0; i < count; ++i) {
        auto& run = library.add(QStringLiteral("x-96"), i % 2 == 0 ? 0.0 : 0.1, i);
        run.its_summary.folder = dir.filePath(QStringLiteral("run-%1").arg(i));
        run.loaded = false;
        write_numbers(library, library.size() - 1, i % 2 == 0 ? 0.4 : 0.5);
        folders += run.folder();
    }
    return folders;
}

}  // namespace

class TestComparePanel : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void draws_the_shown_runs() {
        MemoryLibrary library;
        QStringList folders;
        for (const double l : {0.0, 0.01, 0.05, 0.1, 0.5})
            for (const int seed : {2021, 2022, 2023}) {
                auto& run = library.add(QStringLiteral("ETTh1-96"), l, seed);
                run.its_summary.row.test_mse =
                    0.372 - 0.02 * std::sqrt(l) + 0.03 * l * l + 0.0015 * (seed * 7 % 5 - 2);
                run.its_summary.row.last_value_mse = 0.381;
                folders += run.folder();
            }
        for (const double l : {0.0, 0.01, 0.05, 0.1, 0.5})
            for (const int seed : {2021, 2022}) {
                auto& run = library.add(QStringLiteral("ETTh1-96-k4"), l, seed);
                run.its_summary.row.test_mse = 0.369 - 0.012 * std::sqrt(l) + 0.0012 * (seed * 3 % 4 - 1);
                run.its_summary.row.last_value_mse = 0.381;
                casp::config::Config config;
                config.loss.lambda_cov = l;
                config.train.seed = seed;
                config.model.top_k = 4;
                run.its_record.attributes.config = casp::config::to_toml(config);
                folders += run.folder();
            }
        Selection selection;
        ComparePanel panel(library, selection);
        panel.resize(1150, 560);
        panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel));
        QVERIFY(panel.figure().plots.empty());
        keep_picture(panel, QStringLiteral("compare_empty"));
        selection.set_runs(folders);
        QTRY_COMPARE(panel.comparison().lines.size(), std::size_t{2});
        QCOMPARE(panel.comparison().line_keys, QStringList{QStringLiteral("model.top_k")});
        QCOMPARE(panel.table()->rowCount(), 10);  // the points: K 4 and 8 are one task, so none over all
        QCOMPARE(panel.table()->item(0, 2)->text(), QStringLiteral("3"));
        QCOMPARE(panel.figure().plots.size(), std::size_t{2});
        QVERIFY(panel.frame()->figure_view() != nullptr);
        QCOMPARE(panel.frame()->current_figure().plots.size(), std::size_t{2});
        keep_picture(panel, QStringLiteral("compare"));
        for (auto* box : panel.findChildren<QCheckBox*>())
            if (box->text() == QStringLiteral("&Log X")) box->setChecked(true);
        QVERIFY(panel.figure().plots[0].x.log);
        QTest::qWait(120);
        keep_picture(panel, QStringLiteral("compare_log"));
        panel.copy_markdown();
        QVERIFY(QGuiApplication::clipboard()->text().contains(QStringLiteral("λ_cov")));
        panel.set_metric(CompareMetric::key_cosine);
        panel.set_x_key(QStringLiteral("model.top_k"));
        QCOMPARE(panel.comparison().metric, CompareMetric::key_cosine);
        QCOMPARE(panel.comparison().lines.size(), std::size_t{5});
        const auto state = panel.save_state();
        ComparePanel other(library, selection);
        other.show();  // a hidden page draws nothing until it is shown
        QVERIFY(!other.restore_state("{}"));
        QVERIFY(other.restore_state(state));
        QTRY_COMPARE(other.comparison().lines.size(), std::size_t{5});
        QTRY_VERIFY(other.figure().plots[0].x.log);
        // A run that changes is drawn anew.
        library.runs[0]->its_summary.row.state = casp::store::RunState::failed;
        Q_EMIT library.changed(0);
        QTRY_COMPARE(panel.comparison().unfinished, 1);
        for (const auto* widget : panel.findChildren<QWidget*>()) {
            if (qobject_cast<const QComboBox*>(widget) == nullptr &&
                qobject_cast<const QAbstractButton*>(widget) == nullptr)
                continue;
            if (widget->inherits("QTableCornerButton") ||
                qobject_cast<const QTabBar*>(widget->parentWidget()) != nullptr)
                continue;
            QVERIFY2(!widget->accessibleName().isEmpty() && !widget->toolTip().isEmpty(),
                     widget->metaObject()->className());
        }
    }

    void peak_memory_is_a_metric() {
        constexpr std::int64_t gib = std::int64_t{1} << 30;
        MemoryLibrary library;
        QStringList folders;
        for (const double l : {0.0, 0.1}) {
            auto& run = library.add(QStringLiteral("x-96"), l, 1);
            run.its_summary.row.peak_memory = l == 0 ? gib / 2 : -1;
            folders += run.folder();
        }
        Selection selection;
        ComparePanel panel(library, selection);
        panel.show();
        panel.set_metric(CompareMetric::peak_memory);
        selection.set_runs(folders);
        QTRY_COMPARE(panel.comparison().complete, 1);
        QCOMPARE(panel.comparison().unknown, 1);
        QCOMPARE(panel.comparison().lines[0].points[0].statistic.mean, 0.5);
        QCOMPARE(panel.figure().plots[0].y.title, QStringLiteral("peak memory (GiB)"));
        library.runs[1]->its_summary.row.peak_memory = 3 * gib;
        Q_EMIT library.changed(1);
        QTRY_COMPARE(panel.comparison().complete, 2);
        QCOMPARE(panel.comparison().lines[0].points[1].statistic.mean, 3.0);
    }

    void a_click_on_a_point_names_its_run() {
        MemoryLibrary library;
        QStringList folders;
        for (const double l : {0.0, 0.1, 0.3}) {
            auto& run = library.add(QStringLiteral("x-96"), l, 1);
            run.its_summary.row.last_value_mse = std::nan("");
            folders += run.folder();
        }
        Selection selection;
        ComparePanel panel(library, selection);
        panel.resize(1100, 560);
        panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel));
        selection.set_runs(folders);
        QTRY_COMPARE(panel.table()->rowCount(), 3);
        auto* view = panel.frame()->figure_view();
        QSignalSpy picked(&panel, &ComparePanel::run_picked);
        const auto& row = library.runs[1]->its_summary.row;
        QTest::mouseClick(view, Qt::LeftButton, {},
                          view->painter().to_scene(0, row.lambda_cov, row.test_mse).toPoint());
        QCOMPARE(picked.size(), 1);
        QCOMPARE(picked[0][0].toString(), library.runs[1]->folder());
    }

    void runs_finished_early_by_choice() {
        MemoryLibrary library;
        QStringList folders;
        for (const double l : {0.0, 0.05, 0.1, 0.3})
            for (const int seed : {2021, 2022, 2023}) {
                auto& run = library.add(QStringLiteral("ETTh1-96"), l, seed);
                run.its_summary.row.last_value_mse = std::nan("");
                if (l == 0.3 || (l == 0.05 && seed == 2022)) {
                    run.its_summary.row.state = casp::store::RunState::finished_early;
                    run.its_summary.row.test_mse += 0.02;
                    run.its_summary.row.steps = 282;
                }
                folders += run.folder();
            }
        Selection selection;
        ComparePanel panel(library, selection);
        panel.resize(1150, 560);
        panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel));
        selection.set_runs(folders);
        QTRY_COMPARE(panel.table()->rowCount(), 4);
        QTRY_VERIFY(!panel.frame()->figure_view()->busy());
        QTest::qWait(120);
        keep_picture(panel, QStringLiteral("compare_early"));
        const int last = 4;
        QCOMPARE(panel.table()->horizontalHeaderItem(last)->text(), QStringLiteral("early"));
        QCOMPARE(panel.table()->item(1, 1)->text(), QStringLiteral("2"));
        QCOMPARE(panel.table()->item(1, last)->text(), QStringLiteral("1 of 3"));
        QVERIFY(panel.table()->item(1, last)->toolTip().contains(QStringLiteral("excluded from the mean")));
        QCOMPARE(panel.table()->item(3, 1)->text(), QStringLiteral("0"));
        // The point tells its run.
        auto* view = panel.frame()->figure_view();
        const auto& row = library.runs[4]->its_summary.row;
        const auto said = view->text_at(view->painter().to_scene(0, 0.05, row.test_mse));
        QVERIFY2(said.contains(QStringLiteral("lambda_cov-0.05_seed-2022, finished early after 282 steps")),
                 qPrintable(said));
        QCheckBox* too = nullptr;
        for (auto* box : panel.findChildren<QCheckBox*>())
            if (box->accessibleName() == QStringLiteral("Include runs finished early")) too = box;
        QVERIFY(too != nullptr && !too->isChecked());
        too->click();
        QCOMPARE(panel.table()->item(1, 1)->text(), QStringLiteral("3"));
        QVERIFY(panel.table()->item(1, last)->toolTip().contains(QStringLiteral("included in the mean")));
        QTest::qWait(120);
        keep_picture(panel, QStringLiteral("compare_early_counted"));
        const auto state = panel.save_state();
        too->click();
        QVERIFY(!panel.comparison().counts_early);
        QVERIFY(panel.restore_state(state));
        QVERIFY(panel.comparison().counts_early);
        // Of such runs alone there is no mean, and that is said.
        too->click();
        auto* note = panel.findChild<QLabel*>(QStringLiteral("problems"));
        QVERIFY(note != nullptr && note->text().startsWith(QStringLiteral("Means over different seeds")));
        selection.set_runs(folders.mid(9));
        QTRY_VERIFY2(note->text().contains(QStringLiteral("Check “Include finished early” to include them")),
                     qPrintable(note->text()));
        QVERIFY(note->isVisible());
        too->click();
        QVERIFY(!note->isVisible());
        QPalette dark = panel.palette();
        dark.setColor(QPalette::Window, QColor(0x20, 0x22, 0x26));
        dark.setColor(QPalette::Base, QColor(0x18, 0x1a, 0x1e));
        dark.setColor(QPalette::AlternateBase, QColor(0x20, 0x22, 0x26));
        dark.setColor(QPalette::Button, QColor(0x30, 0x32, 0x36));
        for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
            dark.setColor(role, QColor(0xe6, 0xe6, 0xe6));
        panel.setPalette(dark);
        too->click();
        selection.set_runs(folders);
        QTRY_COMPARE(panel.table()->rowCount(), 4);
        QTest::qWait(150);
        keep_picture(panel, QStringLiteral("compare_early_dark"));
    }

    /// The sentence above the plot is that of the base, of the selected rows and of the metric.
    void tests_are_said_in_words() {
        MemoryLibrary library;
        QStringList folders;
        for (const double l : {0.0, 0.1, 0.3})
            for (int i = 0; i < 8; ++i) {
                auto& run = library.add(QStringLiteral("ETTh1-96"), l, 2021 + i);
                // Noise between 0 and 0.1, an effect at 0.3.
                run.its_summary.row.test_mse = 0.37 + 0.001 * i +
                                               (l == 0.1 ? 1e-4 * (i + 1) * (i % 2 == 0 ? 1 : -1) : 0) -
                                               (l == 0.3 ? 0.01 + 1e-4 * i : 0);
                run.its_summary.row.last_value_mse = std::nan("");
                folders += run.folder();
            }
        Selection selection;
        ComparePanel panel(library, selection);
        panel.resize(1150, 560);
        panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel));
        QVERIFY(panel.verdict().isEmpty());
        selection.set_runs(folders);
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
        keep_picture(panel, QStringLiteral("compare_tests"));
        panel.table()->selectRow(2);
        QVERIFY2(panel.verdict().startsWith(QStringLiteral("λ_cov 0.3 against 0 (")) &&
                     panel.verdict().contains(QStringLiteral("lower by")) &&
                     !panel.verdict().contains(QLatin1Char('\n')),
                 qPrintable(panel.verdict()));
        panel.set_metric(CompareMetric::test_mae);  // the same rows stay selected
        QVERIFY2(panel.verdict().startsWith(QStringLiteral("λ_cov 0.3 against 0 (")),
                 qPrintable(panel.verdict()));
        panel.set_metric(CompareMetric::test_mse);
        QComboBox* base = nullptr;
        for (auto* box : panel.findChildren<QComboBox*>())
            if (box->accessibleName() == QStringLiteral("Base")) base = box;
        QVERIFY(base != nullptr && base->isEnabled());
        QCOMPARE(base->count(), 3);
        base->setCurrentIndex(2);
        QCOMPARE(panel.comparison().base, QStringLiteral("0.3"));
        QVERIFY2(panel.verdict().contains(QStringLiteral("against 0.3")), qPrintable(panel.verdict()));
        const auto state = panel.save_state();
        ComparePanel other(library, selection);
        QVERIFY(other.restore_state(state));
        QCOMPARE(other.comparison().base, QStringLiteral("0.3"));
        QVERIFY(other.comparison().tested);
        panel.set_x_key(QStringLiteral("train.seed"));
        QVERIFY(panel.verdict().isEmpty() && !base->isEnabled() && !label->isVisible());
    }

    /// More than can be waited for: the rest of the page is there at once.
    void many_pairs_are_tested_in_the_background() {
        MemoryLibrary library;
        QStringList folders;
        for (const double l : {0.0, 0.1})
            for (int seed = 0; seed < 160; ++seed)
                folders += library.add(QStringLiteral("x-96"), l, seed).folder();
        Selection selection;
        ComparePanel panel(library, selection);
        panel.show();
        selection.set_runs(folders);
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
        MemoryLibrary library;
        QStringList folders;
        for (const int seed : {1, 2})
            for (const double l : {0.0, 0.1}) {
                auto& run = library.add(QStringLiteral("x-96"), l, seed);
                casp::store::set_swept(run.its_summary.row, {{"train.seed", std::to_string(seed)},
                                                             {"case", l == 0 ? "without" : "with coverage"}});
                folders += run.folder();
            }
        Selection selection;
        ComparePanel panel(library, selection);
        panel.show();
        selection.set_runs(folders);
        QTRY_COMPARE(panel.comparison().x_key, QStringLiteral("case"));
        QCOMPARE(panel.comparison().base, QStringLiteral("without"));
        QVERIFY2(panel.verdict().startsWith(QStringLiteral("with coverage against without (")),
                 qPrintable(panel.verdict()));
        panel.set_x_key(QStringLiteral("loss.lambda_cov"));
        panel.refresh();
        QCOMPARE(panel.comparison().x_key, QStringLiteral("loss.lambda_cov"));  // it was chosen
        ComparePanel other(library, selection);
        QVERIFY(other.restore_state(panel.save_state()));
        QCOMPARE(other.comparison().x_key, QStringLiteral("loss.lambda_cov"));
    }

    /// The first case is the one that was created first, whatever was selected first.
    void the_first_case_is_that_of_the_sweep() {
        MemoryLibrary library;
        QStringList folders;
        for (const char* label : {"plain", "a variant"}) {
            auto& run = library.add(QStringLiteral("x-96"), 0.1, 1, QString::fromLatin1(label));
            casp::store::set_swept(run.its_summary.row, {{"train.seed", "1"}, {"case", label}});
            folders.prepend(run.folder());
        }
        Selection selection;
        ComparePanel panel(library, selection);
        panel.show();
        selection.set_runs(folders);
        QTRY_COMPARE(panel.comparison().x_key, QStringLiteral("case"));
        QCOMPARE(panel.comparison().base, QStringLiteral("plain"));
    }

    /// λ_cov is equal in all runs; the number of anchors was swept.
    void opens_on_an_axis_that_differs() {
        MemoryLibrary library;
        QStringList folders;
        for (const int top_k : {4, 8})
            for (const int seed : {1, 2}) {
                auto& run =
                    library.add(QStringLiteral("x-96"), 0.1, seed, QStringLiteral("_top_k-%1").arg(top_k));
                run.its_summary.row.swept = {{"train.seed", std::to_string(seed)},
                                             {"model.top_k", std::to_string(top_k)}};
                casp::config::Config config;
                config.loss.lambda_cov = 0.1;
                config.train.seed = seed;
                config.model.top_k = top_k;
                run.its_record.attributes.config = casp::config::to_toml(config);
                folders += run.folder();
            }
        Selection selection;
        ComparePanel panel(library, selection);
        panel.show();
        selection.set_runs(folders);
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
        MemoryLibrary library;
        QStringList folders;
        for (const double l : {0.0, 0.1}) {
            auto& run = library.add(QStringLiteral("x-96"), l, 1);
            run.its_record.val.emplace();
            run.its_record.val->mae = 0.4 + l;
            run.its_record.val->usage_entropy = 3 + l;
            run.its_record.val->key_cosine = 0.8 - l;
            run.loaded = false;
            folders += run.folder();
        }
        Selection selection;
        ComparePanel panel(library, selection);
        panel.show();
        selection.set_runs(folders);
        QTRY_COMPARE(panel.table()->rowCount(), 2);
        QCOMPARE(library.runs[0]->loads, 0);  // a result row says all that the others need
        panel.set_metric(CompareMetric::val_mae);
        QCOMPARE(panel.comparison().unknown, 2);
        for (const auto& run : library.runs) {
            QVERIFY(run->loads > 0);
            run->loaded = true;
            Q_EMIT run->changed(RunPart::everything);
        }
        QTRY_COMPARE(panel.table()->rowCount(), 2);
        QCOMPARE(panel.comparison().lines[0].points[1].statistic.mean, 0.5);
        panel.set_metric(CompareMetric::val_entropy);
        QCOMPARE(panel.comparison().lines[0].points[1].statistic.mean, 3.1);
        panel.set_metric(CompareMetric::val_key_cosine);
        QCOMPARE(panel.comparison().lines[0].points[1].statistic.mean, 0.7);
    }

    /// More of them than are asked themselves: their files are read.
    void validation_numbers_of_many_runs() {
        QTemporaryDir dir;
        QVERIFY(dir.isValid());
        constexpr int most = 70;
        MemoryLibrary library;
        const auto folders = add_runs_with_files(library, dir, most);
        QVERIFY(QFile::remove(folders[0] + QStringLiteral("/run.h5")));
        Selection selection;
        ComparePanel panel(library, selection);
        panel.resize(1000, 500);
        panel.show();
        selection.set_runs(folders);
        QTRY_COMPARE_WITH_TIMEOUT(panel.comparison().complete, most, patience);
        panel.set_metric(CompareMetric::val_mae);
        auto* note = panel.findChild<QLabel*>(QStringLiteral("problems"));
        QVERIFY2(note->text().contains(
                     QStringLiteral("Reading run.h5 of 70 runs: 0 done. Select a test metric to stop.")),
                 qPrintable(note->text()));
        QVERIFY2(panel.figure().empty_text.contains(QStringLiteral("Reading this metric")),
                 qPrintable(panel.figure().empty_text));
        QTRY_COMPARE_WITH_TIMEOUT(panel.comparison().complete, most - 1, patience);
        for (const auto& run : library.runs) QCOMPARE(run->loads, 0);  // no history is kept for each of them
        QCOMPARE(panel.comparison().lines.size(), std::size_t{1});
        QCOMPARE(panel.comparison().lines[0].points[1].statistic.mean, 0.5);
        QCOMPARE(panel.comparison().unknown, 1);
        QTRY_VERIFY_WITH_TIMEOUT(note->text().contains(QStringLiteral("run.h5 cannot be read")) &&
                                     !note->text().contains(QStringLiteral("Reading")),
                                 patience);
        panel.set_metric(CompareMetric::val_key_cosine);  // known already
        QCOMPARE(panel.comparison().lines[0].points[0].statistic.mean, 0.75);
        panel.set_metric(CompareMetric::test_mae);
        QCOMPARE(panel.comparison().lines[0].last_value, 0.6);
        panel.set_metric(CompareMetric::test_mse);
        QVERIFY2(!note->text().contains(QStringLiteral("run.h5")), qPrintable(note->text()));
        // Of few runs the runs themselves are asked: what a file says is no matter.
        panel.set_metric(CompareMetric::val_mae);
        QVERIFY(note->text().contains(QStringLiteral("run.h5")));
        selection.set_runs(folders.mid(0, 3));
        QTRY_VERIFY_WITH_TIMEOUT(!note->text().contains(QStringLiteral("run.h5")), patience);
        // The file is there now: the page that is shown again reads it.
        panel.hide();
        write_numbers(library, 0, 0.4);
        selection.set_runs(folders);
        panel.show();
        QTRY_COMPARE_WITH_TIMEOUT(panel.comparison().complete, most, patience);
        QCOMPARE(panel.comparison().unknown, 0);
    }

    void the_note_says_what_stops_the_reading() {
        QTemporaryDir dir;
        QVERIFY(dir.isValid());
        MemoryLibrary library;
        const auto folders = add_runs_with_files(library, dir, 66);
        Selection selection;
        ComparePanel panel(library, selection);
        panel.resize(1000, 500);
        panel.show();
        selection.set_runs(folders);
        QTRY_COMPARE_WITH_TIMEOUT(panel.comparison().complete, 66, patience);
        panel.set_metric(CompareMetric::test_mae);
        auto* note = panel.findChild<QLabel*>(QStringLiteral("problems"));
        QVERIFY2(note->text().contains(
                     QStringLiteral("Reading run.h5 of 66 runs: 0 done. Uncheck “Persistence” to stop.")),
                 qPrintable(note->text()));
        for (auto* box : panel.findChildren<QCheckBox*>())
            if (box->accessibleName() == QStringLiteral("Persistence forecast")) box->click();
        QVERIFY2(!note->text().contains(QStringLiteral("Reading")), qPrintable(note->text()));
    }

    void a_run_that_goes_on_is_read_again() {
        QTemporaryDir dir;
        QVERIFY(dir.isValid());
        MemoryLibrary library;
        const auto folders = add_runs_with_files(library, dir, 3);
        RunsMetrics metrics(library);
        const auto read = [&] {
            metrics.want(folders);
            return QTest::qWaitFor([&] { return !metrics.is_pending(); }, patience);
        };
        QVERIFY(read());
        QCOMPARE(metrics.find(folders[1])->val_mae, 0.5);
        // Finished early, resumed, and at its end: the old numbers are of the past.
        auto& state = library.runs[1]->its_summary.row.state;
        state = casp::store::RunState::running;
        Q_EMIT library.changed(1);
        QVERIFY(metrics.find(folders[1]) == nullptr);
        QVERIFY(metrics.find(folders[0]) != nullptr);
        write_numbers(library, 1, 0.25);
        state = casp::store::RunState::finished;
        Q_EMIT library.changed(1);
        QVERIFY(read());
        QVERIFY(metrics.find(folders[1]) != nullptr);
        QCOMPARE(metrics.find(folders[1])->val_mae, 0.25);
        // A note changes no number.
        Q_EMIT library.changed(1);
        QVERIFY(metrics.find(folders[1]) != nullptr);
        // What cannot be read is tried again once the file is another.
        QVERIFY(QFile::remove(folders[2] + QStringLiteral("/run.h5")));
        library.runs[2]->its_summary.row.state = casp::store::RunState::running;
        Q_EMIT library.changed(2);
        library.runs[2]->its_summary.row.state = casp::store::RunState::finished;
        QVERIFY(read());
        QVERIFY(!metrics.problem(folders[2]).isEmpty() && metrics.has_problems());
        metrics.want(folders);
        QVERIFY(!metrics.is_pending());
        write_numbers(library, 2, 0.75);
        QVERIFY(read());
        QVERIFY(metrics.problem(folders[2]).isEmpty() && !metrics.has_problems());
        QCOMPARE(metrics.find(folders[2])->val_mae, 0.75);
    }

    /// What was asked for before the run went on, or went, is no answer.
    void an_answer_that_comes_too_late_is_dropped() {
        QTemporaryDir dir;
        QVERIFY(dir.isValid());
        MemoryLibrary library;
        const auto folders = add_runs_with_files(library, dir, 3);
        RunsMetrics metrics(library);
        metrics.want(folders);
        library.runs[0]->its_summary.row.state = casp::store::RunState::running;
        Q_EMIT library.changed(0);
        (void)library.discard({folders[2]});
        QTRY_VERIFY_WITH_TIMEOUT(!metrics.is_pending(), patience);
        QVERIFY(metrics.find(folders[0]) == nullptr && metrics.problem(folders[0]).isEmpty());
        QVERIFY(metrics.find(folders[1]) != nullptr);
        QVERIFY(metrics.find(folders[2]) == nullptr && metrics.problem(folders[2]).isEmpty());
    }

    void a_reset_of_the_same_folder_keeps_the_runs_that_stay() {
        QTemporaryDir dir;
        QVERIFY(dir.isValid());
        ResettingLibrary library;
        const auto folders = add_runs_with_files(library, dir, 4);
        RunsMetrics metrics(library);
        RunsSettings settings(library);
        metrics.want(folders);
        settings.want(folders);
        QTRY_VERIFY_WITH_TIMEOUT(!metrics.is_pending() && !settings.is_pending(), patience);
        library.runs.erase(library.runs.begin() + 1, library.runs.begin() + 3);
        Q_EMIT library.reset();
        for (const int i : {0, 3}) {
            QVERIFY(metrics.find(folders[i]) != nullptr);
            QVERIFY(settings.find(folders[i]) != nullptr);
        }
        for (const int i : {1, 2}) {
            QVERIFY(metrics.find(folders[i]) == nullptr);
            QVERIFY(settings.find(folders[i]) == nullptr);
        }
        // Another folder: nothing is known of it, whatever its runs are called.
        library.its_folder = QStringLiteral("/others");
        Q_EMIT library.reset();
        QVERIFY(metrics.find(folders[0]) == nullptr);
        QVERIFY(settings.find(folders[0]) == nullptr);
    }

    void reading_stops_with_another_metric() {
        MemoryLibrary library;
        RunsMetrics metrics(library);
        QStringList folders;
        for (int i = 0; i < 5000; ++i) folders << QStringLiteral("/nowhere/%1").arg(i);
        QSignalSpy changed(&metrics, &RunsMetrics::changed);
        metrics.want(folders);
        QVERIFY(metrics.is_pending());
        QCOMPARE(metrics.wanted(), qsizetype{5000});
        metrics.want({});
        QVERIFY(!metrics.is_pending());
        // Others end after it, through the same pool: what was stopped has come back by then, or never does.
        const auto others = folders.mid(1000, 20);
        metrics.want(others);
        QTRY_VERIFY_WITH_TIMEOUT(!metrics.is_pending(), patience);
        QTest::qWait(50);
        QCOMPARE(metrics.done(), qsizetype{20});
        QVERIFY(changed.size() >= 1);
        for (const auto& folder : folders) {
            QVERIFY(metrics.find(folder) == nullptr);
            QCOMPARE(!metrics.problem(folder).isEmpty(), others.contains(folder));
        }
    }

    void a_run_that_trains_leaves_lists_and_table_alone() {
        MemoryLibrary library;
        QStringList folders;
        for (const double l : {0.0, 0.1})
            for (const int seed : {1, 2}) folders += library.add(QStringLiteral("x-96"), l, seed).folder();
        auto& going = library.add(QStringLiteral("x-96"), 0.5, 1);
        going.its_summary.row.state = casp::store::RunState::running;
        folders += going.folder();
        Selection selection;
        ComparePanel panel(library, selection);
        panel.resize(1100, 500);
        panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel));
        selection.set_runs(folders);
        QTRY_COMPARE(panel.table()->rowCount(), 2);
        QTest::qWait(300);  // settings of the runs are read
        const auto* item = panel.table()->item(1, 0);
        panel.table()->selectRow(1);
        QComboBox* against = nullptr;
        for (auto* box : panel.findChildren<QComboBox*>())
            if (box->accessibleName() == QStringLiteral("Against")) against = box;
        QVERIFY(against != nullptr);
        against->showPopup();
        QVERIFY(against->view()->isVisible());
        for (int step = 0; step < 4; ++step) {
            going.its_summary.row.steps += 20;
            going.its_summary.row.val_mse -= 0.01;
            Q_EMIT library.changed(4);
            QTest::qWait(90);
        }
        QVERIFY(against->view()->isVisible());
        QCOMPARE(panel.table()->item(1, 0), item);
        QVERIFY(panel.table()->item(1, 0)->isSelected());
        // It ends: now there is something new, and the open list has the same settings as before.
        going.its_summary.row.state = casp::store::RunState::finished;
        Q_EMIT library.changed(4);
        QTRY_COMPARE(panel.table()->rowCount(), 3);
        QVERIFY(against->view()->isVisible());
        against->hidePopup();
        library.runs[0]->its_summary.row.test_mse += 1;
        const auto before = panel.table()->item(0, 2)->text();
        Q_EMIT library.changed(0);
        QTRY_VERIFY(panel.table()->item(0, 2)->text() != before);
    }
};

TEST_MAIN(TestComparePanel)
#include "test_compare_panel.moc"

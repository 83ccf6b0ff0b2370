// The page Compare as a widget, and the panels on the library that reads real folders.
#include <QClipboard>
#include <QDir>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "charts/view_frame.h"
#include "panels/compare_panel.h"
#include "panels/runs_panel.h"
#include "state/file_run_library.h"
#include "store/run_folder.h"
#include "test_runs_memory.h"

using namespace casp::widgets;
using casp::widgets::testing::MemoryLibrary;

namespace {

void keep_picture(QWidget& widget, const QString& name) {
    const QString folder = qEnvironmentVariable("CASP_TEST_PICTURES");
    if (!folder.isEmpty())
        QVERIFY(widget.grab().save(folder + QLatin1Char('/') + name + QStringLiteral(".png")));
}

/// A run folder as a batch leaves it: config.toml and run.json.
void write_run(const QString& root, const casp::widgets::testing::MemoryRun& run) {
    const std::filesystem::path folder =
        (root + QLatin1Char('/') + run.its_summary.batch + QLatin1Char('/') + run.its_summary.name)
            .toStdString();
    const casp::store::RunFolder where(folder);
    where.create();
    QFile file(QString::fromStdString(where.config().string()));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(QByteArray::fromStdString(run.its_record.attributes.config));
    casp::store::RunStatus status;
    status.row = run.its_summary.row;
    casp::store::write_run_status(where, status);
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
        QCOMPARE(panel.table()->rowCount(), 10);
        QCOMPARE(panel.table()->item(0, 2)->text(), QStringLiteral("3"));
        QCOMPARE(panel.frame()->current_figure().plots.size(), std::size_t{1});
        keep_picture(panel, QStringLiteral("compare"));
        for (auto* box : panel.findChildren<QCheckBox*>())
            if (box->text() == QStringLiteral("&log axis")) box->setChecked(true);
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
        QVERIFY(!other.restore_state("{}"));
        QVERIFY(other.restore_state(state));
        QTRY_COMPARE(other.comparison().lines.size(), std::size_t{5});
        QVERIFY(other.figure().plots[0].x.log);
        // A run that changes is drawn anew.
        library.runs[0]->its_summary.row.state = casp::store::RunState::failed;
        Q_EMIT library.changed(0);
        QTRY_COMPARE(panel.comparison().unfinished, 1);
        for (const auto* widget : panel.findChildren<QWidget*>()) {
            if (qobject_cast<const QComboBox*>(widget) == nullptr &&
                qobject_cast<const QAbstractButton*>(widget) == nullptr)
                continue;
            if (widget->inherits("QTableCornerButton")) continue;
            QVERIFY2(!widget->accessibleName().isEmpty() && !widget->toolTip().isEmpty(),
                     widget->metaObject()->className());
        }
    }

    void real_folders() {
        QTemporaryDir root;
        MemoryLibrary made;
        for (const double l : {0.0, 0.1})
            for (const int seed : {2021, 2022}) made.add(QStringLiteral("ETTh1-96"), l, seed);
        auto& cut = made.add(QStringLiteral("ETTh1-96"), 0.2, 2021);
        cut.its_summary.row.state = casp::store::RunState::running;  // and no process holds its lock
        for (const auto& run : made.runs) write_run(root.path(), *run);

        FileRunLibrary library;
        Selection selection;
        RunsPanel panel(library, selection);
        ComparePanel compare(library, selection);
        compare.show();
        library.open(root.path());
        QTRY_COMPARE(panel.model()->rowCount(), 5);
        panel.set_filter_text(QStringLiteral("state:finished"));
        QCOMPARE(panel.model()->rowCount(), 4);
        panel.set_filter_text(QStringLiteral("state:interrupted"));
        QTRY_COMPARE(panel.model()->rowCount(), 1);
        panel.set_filter_text({});
        panel.set_filter_text(QStringLiteral("state:finished"));
        panel.view()->selectAll();
        QTest::keyClick(panel.view(), Qt::Key_Space);
        QCOMPARE(selection.state().runs.size(), 4);
        QTRY_COMPARE(compare.comparison().lines.size(), std::size_t{1});
        QCOMPARE(compare.comparison().lines[0].points.size(), std::size_t{2});
        QCOMPARE(compare.comparison().lines[0].points[1].statistic.n, std::int64_t{2});

        const QString first = panel.model()->run(0).folder;
        panel.model()->setData(panel.model()->index(0, static_cast<int>(RunsColumn::note)),
                               QStringLiteral("kept"), Qt::EditRole);
        QTRY_COMPARE(library.at(library.index_of(first)).note, QStringLiteral("kept"));
        panel.discard({first});
        QTRY_COMPARE(panel.model()->total(), 4);
        QVERIFY(!QDir(first).exists());
        QCOMPARE(selection.state().runs.size(), 3);
        panel.banner()->button()->click();
        QTRY_COMPARE(panel.model()->total(), 5);
        QVERIFY(QDir(first).exists());
        QTRY_COMPARE(library.at(library.index_of(first)).note, QStringLiteral("kept"));
    }
};

QTEST_MAIN(TestComparePanel)
#include "test_compare_panel.moc"

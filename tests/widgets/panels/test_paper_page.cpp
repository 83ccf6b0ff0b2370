// The page Paper: values beside the paper's, runs of a cell, missing runs, copies and the session.
#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QMenu>
#include <QSignalSpy>
#include <QTest>

#include "config/experiment.h"
#include "evidence/paper_table_text.h"
#include "panel_test.h"
#include "panels/paper/paper_page.h"
#include "state/experiment_model.h"
#include "test_program.h"
#include "test_runs_memory.h"

using namespace casp;
using namespace casp::widgets;
using casp::widgets::testing::MemoryLibrary;
using casp::widgets::testing::MemoryRun;

namespace {

/// A finished run with the settings of a preset.
MemoryRun& add_run(MemoryLibrary& library, const std::string& preset, const std::vector<std::string>& sets,
                   int seed, double mse, const std::string& backbone = "openai-gpt2-small") {
    auto config = config::load_text("preset = \"" + preset + "\"", "test", {}, sets).base;
    config.train.seed = seed;
    auto run = std::make_shared<MemoryRun>();
    auto& summary = run->its_summary;
    summary.folder = QStringLiteral("/runs/x/run-%1").arg(library.size());
    summary.created = QStringLiteral("2026-03-01T12:00:00.%1Z").arg(library.size(), 3, 10, QLatin1Char('0'));
    summary.row.state = store::RunState::finished;
    summary.row.data = "ETTh1";
    summary.row.horizon = config.data.horizon;
    summary.row.seed = seed;
    summary.row.test_mse = mse;
    summary.row.test_mae = mse / 2;
    summary.row.backbone = backbone;
    run->its_record.attributes.config = config::to_toml(config);
    library.runs.push_back(run);
    Q_EMIT library.added(library.size() - 1, library.size() - 1);
    return *run;
}

/// Pairs with and without coverage at ETTh1-96; of eight, only the third-smallest difference is positive:
/// W = 3.
void add_pairs(MemoryLibrary& library, int pairs, std::vector<std::string> sets = {},
               const std::string& backbone = "openai-gpt2-small") {
    const std::vector<double> differences{-1, -2, 3, -4, -5, -6, -7, -8};
    sets.emplace_back();
    for (int i = 0; i < pairs; ++i) {
        sets.back() = "loss.lambda_cov=0";
        add_run(library, "etth1-96", sets, 2021 + i, 0.5, backbone);
        sets.back() = "loss.lambda_cov=0.1";
        add_run(library, "etth1-96", sets, 2021 + i, 0.5 + 0.0011 * differences[static_cast<std::size_t>(i)],
                backbone);
    }
}

struct ShownPaper {
    MemoryLibrary library;
    Selection selection;
    PaperPage page{library, selection};

    /// Shows a table and waits for its values.
    void show(const QString& table) {
        page.resize(1100, 700);
        page.set_table(table);
        page.show();
        QVERIFY(QTest::qWaitForWindowExposed(&page));
        settle(table);
    }
    void settle(const QString& table) {
        QTRY_VERIFY_WITH_TIMEOUT(!page.is_pending() && page.table().name == table.toStdString(), patience);
    }
    [[nodiscard]] const QTableWidgetItem& item(int row, int column) const {
        return *page.view()->item(row, column);
    }
};

int row_of(const QTableWidget& view, const QString& label) {
    for (int row = 0; row < view.rowCount(); ++row)
        if (view.verticalHeaderItem(row)->text() == label) return row;
    return -1;
}

int column_of(const QTableWidget& view, const QString& label) {
    for (int column = 0; column < view.columnCount(); ++column)
        if (view.horizontalHeaderItem(column)->text() == label) return column;
    return -1;
}

}  // namespace

class TestPaperPage : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void our_values_are_above_the_papers() {
        ShownPaper shown;
        add_pairs(shown.library, 8);
        shown.show(QStringLiteral("crossed"));
        QCOMPARE(shown.page.view()->rowCount(), 6);
        QCOMPARE(shown.page.view()->verticalHeaderItem(0)->text(), QStringLiteral("Decomposed · 3-way"));
        QCOMPARE(shown.item(0, 0).text(), QStringLiteral("0.5000 ± 0.0000"));
        QCOMPARE(shown.item(1, 0).text(), QStringLiteral("0.3726 ± 0.0050"));
        QVERIFY(shown.item(0, 1).text().startsWith(QStringLiteral("0.4959 ± ")));
        QVERIFY(!shown.item(0, 0).font().bold());
        QVERIFY(shown.item(0, 1).font().bold());
        QVERIFY(shown.item(1, 1).font().bold());  // as printed
        QCOMPARE(shown.item(0, 3).text(), QStringLiteral("0.039"));
        QVERIFY(shown.item(0, 3).font().bold());
        QCOMPARE(shown.item(2, 0).text(), QStringLiteral("–"));
        QVERIFY(shown.page.settings_text().contains(QStringLiteral("GPT-2, as in the paper")));
        const auto spoken = shown.item(0, 1).data(Qt::AccessibleTextRole).toString();
        QVERIFY2(spoken.contains(QStringLiteral("Decomposed · 3-way, λ_cov = 0.1. Ours: 0.4959")) &&
                     spoken.contains(QStringLiteral(", bold, 8 of 8 seeds")) &&
                     spoken.contains(QStringLiteral("Difference: +0.1257")),
                 qPrintable(spoken));
    }

    void paper_table_lines_can_be_chosen() {
        ShownPaper shown;
        add_pairs(shown.library, 8);
        shown.show(QStringLiteral("crossed"));
        auto* lines = shown.page.lines_box();
        lines->setCurrentIndex(1);
        QCOMPARE(shown.page.view()->rowCount(), 3);
        QCOMPARE(shown.item(0, 0).text(), QStringLiteral("0.5000 ± 0.0000"));
        lines->setCurrentIndex(2);
        QCOMPARE(shown.item(0, 0).text(), QStringLiteral("0.3726 ± 0.0050"));
        lines->setCurrentIndex(3);
        QCOMPARE(shown.item(0, 0).text(), QStringLiteral("+0.1274"));
        QCOMPARE(shown.item(1, 0).text(), QStringLiteral("–"));
    }

    void the_second_best_is_underlined_and_fewer_seeds_are_counted() {
        ShownPaper shown;
        for (const int seed : {2021, 2022}) add_run(shown.library, "etth1-96", {}, seed, 0.4);
        for (const int seed : {2021, 2022, 2023})
            add_run(shown.library, "dlinear-etth1-96", {}, seed, 0.3, "none");
        shown.show(QStringLiteral("longterm"));
        const auto& view = *shown.page.view();
        const int row = row_of(view, QStringLiteral("ETTh1 · 96"));
        const auto& casp = shown.item(row, column_of(view, QStringLiteral("CASP-LLM\nMSE")));
        const auto& dlinear = shown.item(row, column_of(view, QStringLiteral("DLinear\nMSE")));
        QCOMPARE(casp.text(), QStringLiteral("0.4000 ± 0.0000 (2 of 3 seeds)"));
        QVERIFY(casp.font().underline() && !casp.font().bold());
        QVERIFY(dlinear.font().bold() && !dlinear.font().underline());
        QVERIFY(shown.page.missing_text().contains(QStringLiteral("models or data that this version")) ||
                shown.page.table().not_offered == 0);
    }

    void printed_faults_have_daggers_and_notes() {
        ShownPaper shown;
        shown.show(QStringLiteral("averages"));
        const auto text = shown.page.notes_text();
        QVERIFY2(
            text.contains(QStringLiteral("\n†1 ")) && text.contains(QStringLiteral("tab:full_results_avg")),
            qPrintable(text));
        int marked = 0;
        for (int row = 0; row < shown.page.view()->rowCount(); ++row)
            for (int column = 0; column < shown.page.view()->columnCount(); ++column)
                if (const auto* item = shown.page.view()->item(row, column);
                    item != nullptr && item->text().endsWith(QStringLiteral(" †1"))) {
                    ++marked;
                    QVERIFY(item->toolTip().contains(QStringLiteral("Note †1: ")));
                }
        QVERIFY(marked >= 1);
    }

    void a_click_selects_the_runs_of_a_cell() {
        ShownPaper shown;
        add_pairs(shown.library, 3);
        shown.show(QStringLiteral("crossed"));
        auto* view = shown.page.view();
        QSignalSpy picked(&shown.page, &PaperPage::runs_picked);
        QTest::mouseClick(view->viewport(), Qt::LeftButton, {},
                          view->visualItemRect(view->item(0, 1)).center());
        const QStringList with{QStringLiteral("/runs/x/run-1"), QStringLiteral("/runs/x/run-3"),
                               QStringLiteral("/runs/x/run-5")};
        QCOMPARE(shown.selection.state().runs, with);
        QCOMPARE(picked.size(), 1);
        // A pair has the runs of both sides; the line of the paper has those of its cell.
        view->setCurrentCell(1, 2);
        view->setFocus();
        QTest::keyClick(view, Qt::Key_Return);
        QCOMPARE(shown.selection.state().runs.size(), 6);
        QSignalSpy said(&shown.page, &PaperPage::message);
        view->setCurrentCell(2, 0);
        QTest::keyClick(view, Qt::Key_Return);
        QCOMPARE(shown.selection.state().runs.size(), 6);
        QCOMPARE(said.size(), 1);
        // The context menu compares.
        QSignalSpy compared(&shown.page, &PaperPage::compare_requested);
        view->setCurrentCell(0, 1);
        view->actions().at(1)->trigger();
        QCOMPARE(compared.size(), 1);
        QCOMPARE(compared[0][0].toStringList(), with);
    }

    void missing_runs_are_counted() {
        ShownPaper shown;
        shown.show(QStringLiteral("crossed"));
        QCOMPARE(shown.page.missing_text(), QStringLiteral("48 runs are missing."));
        QCOMPARE(shown.page.settings_text(), QStringLiteral("Ours: no finished runs."));
        add_pairs(shown.library, 8);
        QTRY_COMPARE_WITH_TIMEOUT(shown.page.missing_text(), QStringLiteral("32 runs are missing."),
                                  patience);
        QVERIFY(shown.page.run_button()->isEnabled());
    }

    void missing_runs_get_the_settings_of_the_others() {
        ShownPaper shown;
        add_pairs(shown.library, 8, {"train.epochs=2"}, "untrained");
        shown.show(QStringLiteral("crossed"));
        QVERIFY2(
            shown.page.settings_text().startsWith(QStringLiteral("⚠ Backbone of the runs: untrained.")) &&
                shown.page.settings_text().contains(QStringLiteral("train.epochs = 2")),
            qPrintable(shown.page.settings_text()));
        QSignalSpy requested(&shown.page, &PaperPage::experiment_requested);
        shown.page.run_button()->click();
        QCOMPARE(requested.size(), 1);
        QCOMPARE(requested[0][1].toString(), QStringLiteral("crossed"));
        ExperimentModel model;
        const auto problems = model.replace_from_toml(
            requested[0][0].toString(), QStringLiteral("paper:crossed"), {}, QStringLiteral("Open"));
        QVERIFY2(problems.isEmpty(), qPrintable(problems));
        const auto plans = config::expand(model.experiment());
        QCOMPARE(plans.size(), std::size_t{48});
        for (const auto& plan : plans) {
            QCOMPARE(plan.config.train.epochs, 2);
            QCOMPARE(plan.config.backbone.path, std::string("untrained"));
        }
    }

    /// Also where the experiment sweeps over presets, or has the section itself.
    void settings_enter_every_experiment_data() {
        QTest::addColumn<QString>("table");
        for (const auto& name : evidence::paper_table_names())
            QTest::newRow(name.c_str()) << QString::fromStdString(name);
    }
    void settings_enter_every_experiment() {
        QFETCH(const QString, table);
        auto filled = evidence::paper_table(table.toStdString());
        filled.deviations = {"data.lookback = 256", "train.epochs = 2", "data = my-copy"};
        for (const auto& name : filled.experiments) {
            const auto toml = missing_runs_toml(filled, name).toStdString();
            const auto experiment = config::load_text(toml, name, {});
            QCOMPARE(experiment.base.data.lookback, 256);
            QCOMPARE(experiment.base.train.epochs, 2);
        }
    }

    void a_table_of_two_experiments_asks_which() {
        ShownPaper shown;
        shown.show(QStringLiteral("mmr"));
        QSignalSpy requested(&shown.page, &PaperPage::experiment_requested);
        shown.page.run_button()->click();
        QCOMPARE(requested.size(), 0);
        auto* menu = shown.page.run_button()->findChild<QMenu*>();
        QVERIFY(menu != nullptr);
        QCOMPARE(menu->actions().size(), 2);
        menu->actions().at(1)->trigger();
        QCOMPARE(requested[0][1].toString(), QStringLiteral("mmr-five-seeds"));
        menu->close();
    }

    void tables_are_copied() {
        ShownPaper shown;
        add_pairs(shown.library, 8);
        shown.show(QStringLiteral("crossed"));
        QSignalSpy said(&shown.page, &PaperPage::message);
        QStringList copied;
        for (auto* button : shown.page.findChildren<QPushButton*>())
            if (button->text().startsWith(QStringLiteral("Copy as"))) {
                button->click();
                copied << QGuiApplication::clipboard()->text();
            }
        const auto& table = shown.page.table();
        QCOMPARE(copied, (QStringList{QString::fromStdString(evidence::paper_table_latex(table)),
                                      QString::fromStdString(evidence::paper_table_markdown(table)),
                                      QString::fromStdString(evidence::paper_table_csv(table))}));
        QCOMPARE(said.size(), 3);
        QVERIFY(copied.at(1).contains(QStringLiteral("**0.4959")));
    }

    /// The overlap needs run.h5, which these runs do not have.
    void a_run_that_cannot_be_read_is_reported() {
        ShownPaper shown;
        add_pairs(shown.library, 1);
        shown.show(QStringLiteral("jaccard"));
        bool reported = false;
        for (const auto* label : shown.page.findChildren<QLabel*>())
            reported = reported || (label->isVisible() && label->text().contains(QStringLiteral("run.h5")));
        QVERIFY(reported);
        QCOMPARE(shown.item(0, 0).text(), QStringLiteral("–"));
    }

    void running_runs_do_not_rebuild_the_table() {
        ShownPaper shown;
        add_pairs(shown.library, 2);
        auto& running = add_run(shown.library, "etth1-96", {"loss.lambda_cov=0"}, 2023, 0.5);
        running.its_summary.row.state = store::RunState::running;
        shown.show(QStringLiteral("crossed"));
        const auto* before = shown.page.view()->item(0, 0);
        QCOMPARE(before->text(), QStringLiteral("0.5000 ± 0.0000 (2 of 8 seeds)"));
        running.its_summary.row.steps = 10;
        Q_EMIT shown.library.changed(4);
        shown.settle(QStringLiteral("crossed"));
        QCOMPARE(shown.page.view()->item(0, 0), before);
        running.its_summary.row.state = store::RunState::finished;
        Q_EMIT shown.library.changed(4);
        QTRY_COMPARE_WITH_TIMEOUT(shown.item(0, 0).text(), QStringLiteral("0.5000 ± 0.0000 (3 of 8 seeds)"),
                                  patience);
    }

    void the_session_keeps_table_and_lines() {
        ShownPaper first;
        first.show(QStringLiteral("seeds"));
        first.page.lines_box()->setCurrentIndex(3);
        const auto state = first.page.save_state();
        ShownPaper second;
        QVERIFY(!second.page.restore_state("{}"));
        QVERIFY(second.page.restore_state(state));
        second.page.show();
        second.settle(QStringLiteral("seeds"));
        QCOMPARE(second.page.lines_box()->currentIndex(), 3);
        QCOMPARE(second.page.save_state(), state);
    }
};

TEST_MAIN(TestPaperPage)
#include "test_paper_page.moc"

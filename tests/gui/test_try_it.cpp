// Try it, from the click on the start page to the results of all six runs in Compare. Says how long that
// took: docs/guide/window.md and docs/performance.md have the numbers of a quiet machine.

#include "window_fixture.h"

#include <cmath>
#include <set>

#include <QAbstractButton>
#include <QDateTime>
#include <QDockWidget>
#include <QElapsedTimer>

#include "panels/compare/compare_panel.h"
#include "panels/experiment/experiment_panel.h"
#include "test_program.h"

using namespace casp;

class TestTryIt : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { place_ = std::make_unique<test::WindowPlace>(); }
    void cleanup() { place_.reset(); }

    void try_it_shows_two_conditions_of_three_seeds() {
        auto window = place_->open();
        auto* button = window->findChild<QAbstractButton*>("start.try");
        QVERIFY(button != nullptr && button->isVisible());
        QElapsedTimer clock;
        clock.start();
        double first_steps = 0;
        connect(&window->queue(), &gui::RunQueue::run_grew, this,
                [&](const QString&, const std::shared_ptr<const train::RunLog>& log) {
                    if (first_steps == 0 && log->now().step) first_steps = double(clock.elapsed()) / 1000;
                });
        QTest::mouseClick(button, Qt::LeftButton);
        QTRY_COMPARE(window->selection().state().runs.size(), 6);
        const auto runs = window->selection().state().runs;
        QCOMPARE(window->queue().items().size(), std::size_t{6});
        std::set<std::pair<double, std::int64_t>> conditions;
        for (const auto& item : window->queue().items()) {
            QVERIFY(runs.contains(QString::fromStdString(item.request.folder.string())));
            conditions.insert({item.request.config.loss.lambda_cov, item.request.config.train.seed});
        }
        QCOMPARE(conditions.size(), std::size_t{6});
        for (const auto& [lambda, seed] : conditions) QVERIFY(lambda == 0 || lambda == 0.1);
        QTRY_VERIFY(!window->dock("training")->visibleRegion().isEmpty());
        const auto steps = [&](const QString& folder) {
            auto* run = window->library().data(folder);
            return run == nullptr ? std::size_t{0} : run->record().steps.step.size();
        };
        QTRY_VERIFY_WITH_TIMEOUT(steps(runs[0]) > 3, test::run_limit);  // while it goes on
        QVERIFY(window->queue().is_running());
        QVERIFY(QTest::qWaitFor([&] { return !window->queue().is_running(); }, 6 * test::run_limit));
        for (const auto& folder : runs) {
            QTRY_COMPARE(window->library().data(folder)->summary().row.state, store::RunState::finished);
            QTRY_COMPARE(steps(folder), std::size_t{90});  // its train.max_steps
            QVERIFY(std::isfinite(window->library().data(folder)->summary().row.test_mse));
        }
        // Finished runs of the model correct the estimate of the next one.
        const auto* estimate = window->findChild<widgets::ExperimentPanel*>()->estimate();
        QTRY_VERIFY(!estimate->is_pending() && estimate->preview().compared_runs > 0);
        QVERIFY2(!estimate->text().contains("Rough"), qPrintable(estimate->text()));
        // Compare has a mean of three seeds at each λ_cov.
        window->show_dock("compare");
        auto* compare = window->findChild<widgets::ComparePanel*>();
        QTRY_COMPARE(compare->comparison().lines.size(), std::size_t{1});
        const auto runs_at_each_point = [&] {
            std::vector<std::size_t> counts;
            for (const auto& point : compare->comparison().lines[0].points)
                counts.push_back(point.runs.size());
            return counts;
        };
        QTRY_COMPARE(runs_at_each_point(), (std::vector<std::size_t>{3, 3}));
        QTRY_VERIFY(!compare->figure().plots.empty());
        qInfo("Try it: first steps after %.1f s, all runs in Compare after %.1f s", first_steps,
              double(clock.elapsed()) / 1000);
    }

    /// A file as a person has it: long, wide, with gaps; the next one short. One click on the Data page.
    void try_it_uses_the_open_file_data() {
        QTest::addColumn<int>("rows");
        QTest::addColumn<int>("channels");
        QTest::newRow("long and wide, with gaps") << 5000 << 12;
        QTest::newRow("short") << 400 << 2;
    }

    void try_it_uses_the_open_file() {
        QFETCH(const int, rows);
        QFETCH(const int, channels);
        QByteArray text = "date";
        for (int c = 0; c < channels; ++c) text += ",c" + QByteArray::number(c);
        for (int row = 0; row < rows; ++row) {
            text += '\n' + QDateTime({2020, 1, 1}, {0, 0}, Qt::UTC)
                               .addSecs(3600 * row)
                               .toString("yyyy-MM-dd hh:mm")
                               .toLatin1();
            for (int c = 0; c < channels; ++c)
                text += ',' + (row % 97 == 5 && rows > 1000
                                   ? QByteArray()
                                   : QByteArray::number(std::sin(row * 0.26 + c) + 0.1 * (row % 7)));
        }
        auto window = place_->open();
        window->open_paths({place_->write("mine.csv", text + '\n')});
        auto* button = window->findChild<QAbstractButton*>("data.try");
        QTRY_VERIFY(button->isVisible() && button->isEnabled());
        QElapsedTimer clock;
        clock.start();
        QTest::mouseClick(button, Qt::LeftButton);
        QTRY_COMPARE(window->queue().items().size(), std::size_t{6});
        const auto config = window->queue().items().front().request.config;
        QCOMPARE(QString::fromStdString(config.data.path), place_->path("mine.csv"));
        QCOMPARE(config.data.columns.size(), std::size_t(rows > 1000 ? 8 : 0));
        QCOMPARE(config.data.split.rule, std::string(rows > 1000 ? "rows" : "auto"));
        const auto first = window->queue().items().front().folder();
        const auto steps = [&] {
            auto* run = window->library().data(first);
            return run == nullptr ? std::size_t{0} : run->record().steps.step.size();
        };
        QTRY_VERIFY_WITH_TIMEOUT(steps() > 3, test::run_limit);
        qInfo("Try it on the own file: first steps in the view after %.1f s", double(clock.elapsed()) / 1000);
        const auto& items = window->queue().items();
        QTRY_VERIFY2_WITH_TIMEOUT(items.front().state == gui::QueueState::done,
                                  qPrintable(items.front().message), test::run_limit);
        for (const auto& item : items) window->queue().cancel(item.id);
        QVERIFY(test::wait_idle(*window));
        // The settings of before come back.
        window->experiment().undo_stack()->undo();
        QCOMPARE(window->experiment().config(), config::Config());
    }

private:
    std::unique_ptr<test::WindowPlace> place_;
};

TEST_MAIN(TestTryIt)
#include "test_try_it.moc"

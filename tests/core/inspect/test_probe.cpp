// Probes: what live views see of a run, and that looking changes nothing.
#include <numeric>
#include <set>

#include <QtTest>

#include "core/train/train_fixture.h"
#include "folder_test.h"
#include "inspect/probe.h"
#include "test_program.h"

using namespace casp;
namespace fs = std::filesystem;

namespace {

class Watcher : public test::Probe {
public:
    bool wants = true;
    std::vector<std::shared_ptr<const train::Probe>> probes;
    [[nodiscard]] bool wants_probes() const override { return wants; }
    void on_probe(const std::shared_ptr<const train::Probe>& probe) override { probes.push_back(probe); }
};

store::ResultRow watch(Watcher& watcher, const fs::path& folder, const config::Config& config,
                       bool resume = false) {
    train::StopControl stop;
    return run::run({{folder.filename().string(), config, {}, folder}, resume}, watcher, stop);
}

}  // namespace

class TestProbe : public test::FolderTest {
    Q_OBJECT

private Q_SLOTS:
    void windows_are_spread_evenly() {
        QVERIFY(inspect::probe_windows(100, 32) == (std::vector<std::int64_t>{0, 33, 66, 99}));
        QCOMPARE(inspect::probe_windows(1000, 1).size(), std::size_t{32});
        QCOMPARE(inspect::probe_windows(1000, 7).size(), std::size_t{18});  // 126 rows
        QVERIFY(inspect::probe_windows(1000, 862) == std::vector<std::int64_t>{500});
        QVERIFY(inspect::probe_windows(3, 1) == (std::vector<std::int64_t>{0, 1, 2}));
        QVERIFY(inspect::probe_windows(1, 1) == std::vector<std::int64_t>{0});
        const auto many = inspect::probe_windows(123456, 3);
        QCOMPARE(many.front(), std::int64_t{0});
        QCOMPARE(many.back(), std::int64_t{123455});
        QCOMPARE(std::set<std::int64_t>(many.begin(), many.end()).size(), many.size());
    }

    void probes_do_not_change_training() {
        // As many probes as there can be: the limit on time must not be what makes this pass.
        auto config = settings();
        config.run.snapshot_steps = 1;
        config.train.epochs = 3;
        Watcher looks, looks_away;
        looks_away.wants = false;
        looks.at_step = [](const train::StepReport&) { QTest::qSleep(60); };
        watch(looks, folder("looked"), config);
        watch(looks_away, folder("unwatched"), config);
        QVERIFY(looks.probes.size() >= 3);
        QVERIFY(looks_away.probes.empty());
        const auto difference = test::run_difference(folder("looked"), folder("unwatched"));
        QVERIFY2(difference.empty(), difference.c_str());
    }

    void probe_equals_the_model_output() {
        Watcher watcher;
        auto config = settings();
        config.train.epochs = 1;
        config.train.max_steps =
            2;  // the epoch ends after them: the last probe sees the weights that are kept
        config.run.snapshot_steps = 0;
        watcher.at_step = [](const train::StepReport&) { QTest::qSleep(300); };
        watch(watcher, folder("told"), config);
        QCOMPARE(watcher.probes.size(), std::size_t{2});
        QCOMPARE(watcher.probes[0]->step, std::int64_t{0});
        const auto& p = *watcher.probes[1];
        QCOMPARE(p.step, std::int64_t{2});
        const std::int64_t n = test::val_windows, m = test::small_channels;  // 19 windows: fewer than 32
        QVERIFY(p.windows.size() == 19 && std::ssize(p.channels) == m && p.lookback_length == 48 &&
                p.horizon == 12);
        QVERIFY(p.pool_size == 30 && p.top_k == 4);
        QCOMPARE(p.lookback.size(), static_cast<std::size_t>(n * 48 * m));

        // All windows are in it, so it must be the whole stored evaluation, number by number.
        const auto arrays = folder("told") / "arrays.h5";
        const auto stored = store::read_forecast(arrays, "val");
        QVERIFY(test::same_bits(p.start, stored.start));
        QVERIFY(test::same_bits(p.truth, stored.truth));
        QVERIFY(test::same_bits(p.prediction, stored.prediction));
        QVERIFY(test::same_bits(p.retrieved, stored.retrieved));
        QVERIFY(test::same_bits(p.similarity, store::read_similarity(arrays, "val").values));
        QCOMPARE(p.mse.size(), stored.mse.size());
        for (std::size_t row = 0; row < p.mse.size(); ++row)
            QVERIFY(std::abs(p.mse[row] - stored.mse[row]) <= 1e-5F * stored.mse[row] &&
                    std::abs(p.mae[row] - stored.mae[row]) <= 1e-5F * stored.mae[row]);
        QVERIFY(p.split == "val" && p.rows == n * m && p.has_vectors());
        QCOMPARE(std::accumulate(p.usage.begin(), p.usage.end(), std::int64_t{0}), n * m * 4);
        // The lookback of window w ends where that of a window H later has its truth.
        for (std::int64_t c = 0; c < m; ++c)
            QCOMPARE(p.lookback[static_cast<std::size_t>((12 * 48 + 47) * m + c)],
                     p.truth[static_cast<std::size_t>(11 * m + c)]);

        const auto& l = p.pca;
        QCOMPARE(l.components, std::int64_t{3});
        QCOMPARE(l.kind.size(), static_cast<std::size_t>(30 + 2 * n * m));
        QCOMPARE(l.points.size(), l.kind.size() * 3);
        QCOMPARE(l.variance_ratio.size(), std::size_t{9});
        for (const auto ratio : l.variance_ratio) QVERIFY(ratio > 0 && ratio < 1);
        // Distances in the picture cannot exceed those between the stored embeddings.
        const auto embedding = store::read_embedding(arrays, "val");
        const auto d = static_cast<std::size_t>(embedding.dimension);
        double real = 0, drawn = 0;
        for (std::size_t i = 0; i < d; ++i) real += std::pow(embedding.series[i] - embedding.anchors[i], 2);
        for (std::size_t i = 0; i < 3; ++i) drawn += std::pow(l.points[30 * 3 + i] - l.points[i], 2);
        QVERIFY(drawn > 0 && drawn <= real * 1.0001);
    }

    void model_without_prompt() {
        Watcher watcher;
        auto config = settings();
        config.model.prompt = false;
        config.run.store_embeddings = config.run.store_similarity = false;
        watch(watcher, folder("no_prompt"), config);
        QVERIFY(!watcher.probes.empty());
        const auto& p = *watcher.probes[0];
        QVERIFY(p.pool_size == 0 && p.top_k == 0 && p.retrieved.empty() && p.similarity.empty());
        QVERIFY(p.pca.points.empty());
        QCOMPARE(p.prediction.size(), p.truth.size());
    }

    void resumed_run_begins_with_a_probe() {
        Watcher first;
        train::StopControl stop;
        first.at_step = [&](const train::StepReport& step) {
            if (step.step == 4) stop.ask(train::StopRequest::cancel);
        };
        run::run({{"stopped", settings(), {}, folder("stopped")}}, first, stop);
        Watcher second;
        watch(second, folder("stopped"), settings(), true);
        QVERIFY(!second.probes.empty());
        QCOMPARE(second.probes[0]->step, std::int64_t{4});
    }

    /// Views of a long first epoch have something to show before the snapshot at its end.
    void probe_reports_usage_since_the_last_snapshot() {
        auto config = settings();
        config.run.snapshot_steps = 0;  // one an epoch, of five steps
        const auto stopped_after_four = [&](Watcher& watcher, const std::string& name) {
            train::StopControl stop;
            watcher.at_step = [&](const train::StepReport& step) {
                if (step.step == 4) stop.ask(train::StopRequest::cancel);
            };
            run::run({{name, config, {}, folder(name)}}, watcher, stop);
        };
        Watcher before, after, unseen_before, unseen_after;
        unseen_before.wants = unseen_after.wants = false;
        after.at_step = [](const train::StepReport&) {
            QTest::qSleep(300);
        };  // there are four probes a second
        stopped_after_four(before, "half");
        QVERIFY(!before.probes.empty());
        QVERIFY2(before.probes[0]->since_snapshot == nullptr, "nothing was selected yet");
        watch(after, folder("half"), config, true);
        stopped_after_four(unseen_before, "unseen");
        watch(unseen_after, folder("unseen"), config, true);

        QVERIFY(after.probes.size() >= 2);
        const auto now = after.probes[0]->since_snapshot;
        QVERIFY(now != nullptr);
        QCOMPARE(now->step, std::int64_t{4});
        QCOMPARE(now->usage.size(), std::size_t{30});
        QCOMPARE(now->coverage_statistic.size(), std::size_t{30});
        // Four batches of 32 windows in three channels, four anchors each.
        QCOMPARE(std::accumulate(now->usage.begin(), now->usage.end(), std::int64_t{0}),
                 std::int64_t{4 * 32 * 3 * 4});
        const auto record = test::record_of(folder("half"));
        QCOMPARE(record.anchors.snapshot_step.front(), std::int64_t{5});
        for (std::size_t a = 0; a < 30; ++a) QVERIFY(record.anchors.usage_train[a] >= now->usage[a]);
        // Right after a snapshot there is nothing that it does not hold.
        QVERIFY(after.probes.back()->since_snapshot == nullptr);
        VERIFY_SAME_RUN(folder("half"), folder("unseen"));
    }

    /// However short after the one before, and also where the user cancels.
    void last_probe_is_of_the_last_step() {
        auto config = settings();
        config.run.snapshot_steps = 1;
        Watcher whole, cut;
        const auto row = watch(whole, folder("whole"), config);
        QVERIFY(std::ssize(whole.probes) < row.steps);  // some were too expensive
        QCOMPARE(whole.probes.back()->step, row.steps);
        train::StopControl stop;
        cut.at_step = [&](const train::StepReport& step) {
            if (step.step == 4) stop.ask(train::StopRequest::cancel);
        };
        run::run({{"cut", config, {}, folder("cut")}}, cut, stop);
        QCOMPARE(cut.probes.back()->step, std::int64_t{4});
    }

private:
    [[nodiscard]] config::Config settings() const {
        auto config = test::small_config(csv());
        config.run.snapshot_steps = 3;
        config.run.store_forecasts = {"val"};
        config.run.store_embeddings = config.run.store_similarity = true;
        return config;
    }
    [[nodiscard]] std::string csv() const {
        return test::write_csv(folder("small.csv"), test::small_rows, test::small_channels);
    }
};

TEST_MAIN_WITHOUT_GUI(TestProbe)
#include "test_probe.moc"

// Embeddings that a run keeps of a few validation windows while it trains.
#include <QtTest>

#include "train/checkpoint_embeddings.h"
#include "train/probe.h"
#include "train_fixture.h"

using namespace casp;
namespace fs = std::filesystem;

class TestEmbeddingSnapshots : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void one_set_a_snapshot();
    void last_set_is_that_of_the_last_weights();
    void training_is_the_same_without();
    void resumed_run_has_the_same_sets();
    void stored_while_interrupted_stays();
    void a_layout_stays_beside_the_snapshot_of_its_step();
    void kept_without_forecasts();
    void no_anchors_no_snapshots();

private:
    [[nodiscard]] fs::path folder(const std::string& name) const {
        return fs::path(dir_.path().toStdString()) / name;
    }
    [[nodiscard]] config::Config settings(bool embeddings = true) const {
        auto config = test::small_config(csv_);
        config.train.epochs = 2;
        config.run.snapshot_steps = 3;
        config.run.keep_last = true;
        config.run.store_embeddings = embeddings;
        return config;
    }

    QTemporaryDir dir_;
    std::string csv_;
};

void TestEmbeddingSnapshots::initTestCase() {
    QVERIFY(dir_.isValid());
    csv_ = test::write_csv(folder("series.csv"), test::small_rows, test::small_channels);
    test::run_in(folder("run"), settings());
}

void TestEmbeddingSnapshots::one_set_a_snapshot() {
    const auto file = folder("run") / "run.h5";
    const auto steps = test::record_of(folder("run")).anchors.snapshot_step;
    QVERIFY(steps == (std::vector<std::int64_t>{3, 6, 9, 10}));
    const auto sets = store::embedding_sets(file);
    QCOMPARE(sets.size(), std::size_t{5});
    QVERIFY(sets[0].split == "test" && sets[0].at == "best");
    std::vector<float> before;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const auto& set = sets[i + 1];
        QVERIFY(set.split == "val" && set.at == std::to_string(steps[i]) && set.dimension == 24);
        const auto e = store::read_embedding(file, "val", set.at);
        QVERIFY(e.windows == train::probe_windows(test::val_windows, test::small_channels));
        QVERIFY(e.channels == (std::vector<std::int64_t>{0, 1, 2}) && e.patches == 1 && !e.prefix_only);
        QCOMPARE(e.series.size(), e.windows.size() * 3 * 24);
        QCOMPARE(e.prompt.size(), e.series.size());
        QCOMPARE(e.anchors.size(), std::size_t{30 * 24});
        QVERIFY(!test::same_bits(e.anchors, before));  // they moved
        before = e.anchors;
        // Rows of the file: the validation part begins at 210 − 48.
        for (std::size_t w = 0; w < e.windows.size(); ++w) QCOMPARE(e.start[w], 162 + e.windows[w]);
    }
    QVERIFY(!fs::exists(folder("run") / "snapshots"));
}

void TestEmbeddingSnapshots::last_set_is_that_of_the_last_weights() {
    train::EmbeddingRequest request;
    request.run = folder("run");
    request.weights = "last";
    request.split = "val";
    request.device = "cpu";
    const auto e = train::compute_embeddings(request);
    QCOMPARE(e.step, std::int64_t{10});
    const auto kept = store::read_embedding(folder("run") / "run.h5", "val", "10");
    QVERIFY(test::same_bits(kept.anchors, e.anchors));
    for (std::size_t w = 0; w < kept.windows.size(); ++w)
        for (std::size_t j = 0; j < 3 * 24; ++j) {
            const auto there = static_cast<std::size_t>(kept.windows[w]) * 3 * 24 + j;
            QVERIFY(std::abs(kept.series[w * 3 * 24 + j] - e.series[there]) < 1e-5F);
            QVERIFY(std::abs(kept.prompt[w * 3 * 24 + j] - e.prompt[there]) < 1e-5F);
        }
}

void TestEmbeddingSnapshots::training_is_the_same_without() {
    test::run_in(folder("without"), settings(false));
    VERIFY_SAME_RUN(folder("run"), folder("without"));
    QVERIFY(store::embedding_sets(folder("without") / "run.h5").empty());
    QVERIFY(!fs::exists(folder("without") / "snapshots"));
}

void TestEmbeddingSnapshots::resumed_run_has_the_same_sets() {
    test::Probe probe;
    train::StopControl stop;
    probe.at_step = [&](const train::StepReport& report) {
        if (report.step == 7) stop.ask(train::StopRequest::cancel);
    };
    auto config = settings();
    const auto cancelled = train::run({config, folder("resumed"), "resumed", {}, false}, probe, stop);
    QVERIFY(cancelled.state == store::RunState::cancelled);
    QVERIFY(fs::exists(folder("resumed") / "snapshots" / "3.safetensors"));
    QVERIFY(fs::exists(folder("resumed") / "snapshots" / "6.safetensors"));
    // What a killed run took after its last checkpoint is not believed.
    fs::copy_file(folder("resumed") / "snapshots" / "3.safetensors",
                  folder("resumed") / "snapshots" / "8.safetensors");
    test::run_in(folder("resumed"), config, true);
    VERIFY_SAME_RUN(folder("run"), folder("resumed"));
    const auto sets = store::embedding_sets(folder("run") / "run.h5");
    QCOMPARE(store::embedding_sets(folder("resumed") / "run.h5").size(), sets.size());
    for (const auto& set : sets) {
        const auto a = store::read_embedding(folder("run") / "run.h5", set.split, set.at);
        const auto b = store::read_embedding(folder("resumed") / "run.h5", set.split, set.at);
        QVERIFY(test::same_bits(a.anchors, b.anchors) && test::same_bits(a.series, b.series) &&
                test::same_bits(a.prompt, b.prompt) && a.windows == b.windows);
    }
}

void TestEmbeddingSnapshots::stored_while_interrupted_stays() {
    test::Probe probe;
    train::StopControl stop;
    probe.at_step = [&](const train::StepReport& report) {
        if (report.step == 7) stop.ask(train::StopRequest::cancel);
    };
    const auto config = settings();
    const auto at = folder("stored");
    QVERIFY(train::run({config, at, "stored", {}, false}, probe, stop).state == store::RunState::cancelled);
    train::EmbeddingRequest request;
    request.run = at;
    request.device = "cpu";
    const auto e = train::compute_embeddings(request);
    QCOMPARE(e.step, std::int64_t{5});  // the best epoch so far
    train::store_embeddings(at, e);
    store::EmbeddingLayout layout;
    layout.points = {1, 2, 3, 4};
    layout.components = 2;
    layout.kind = layout.row = {0, 1};
    train::store_layout(at, e, "tsne", layout);
    request.split = "val";
    request.windows = 2;
    train::store_embeddings(at, train::compute_embeddings(request));  // no snapshot was taken at its step

    // Not "best": the run goes on to other best weights.
    const auto sets = store::embedding_sets(at / "arrays.h5");
    QVERIFY(sets.size() == 2 && sets[0].split == "test" && sets[0].at == "5" && sets[1].at == "5");

    test::run_in(at, config, true);
    VERIFY_SAME_RUN(folder("run"), at);
    const auto kept = store::read_embedding(at / "run.h5", "test", "5");
    QVERIFY(test::same_bits(kept.series, e.series) && test::same_bits(kept.anchors, e.anchors));
    QVERIFY(kept.tsne && kept.tsne->points == layout.points);
    QCOMPARE(store::read_embedding(at / "run.h5", "val", "5").windows.size(), std::size_t{2});
    const auto best = store::read_embedding(at / "run.h5", "test", "best");
    const auto undisturbed = store::read_embedding(folder("run") / "run.h5", "test", "best");
    QVERIFY(test::same_bits(best.series, undisturbed.series));
    QVERIFY(store::read_embedding(at / "run.h5", "val", "3").windows.size() > 2);
}

void TestEmbeddingSnapshots::a_layout_stays_beside_the_snapshot_of_its_step() {
    test::Probe probe;
    train::StopControl stop;
    probe.at_step = [&](const train::StepReport& report) {
        if (report.step == 7) stop.ask(train::StopRequest::cancel);
    };
    auto config = settings();
    config.run.snapshot_steps = 5;
    const auto at = folder("beside");
    (void)train::run({config, at, "beside", {}, false}, probe, stop);
    train::EmbeddingRequest request;
    request.run = at;
    request.split = "val";
    request.windows = 2;
    request.device = "cpu";
    const auto e = train::compute_embeddings(request);
    QCOMPARE(e.step, std::int64_t{5});
    train::store_embeddings(at, e);
    store::EmbeddingLayout layout;
    layout.points = {1, 2, 3, 4};
    layout.kind = layout.row = {0, 1};
    train::store_layout(at, e, "tsne", layout);
    test::run_in(at, config, true);
    const auto kept = store::read_embedding(at / "run.h5", "val", "5");
    QVERIFY(kept.windows.size() > 2);  // the snapshot's
    QVERIFY(kept.tsne && kept.tsne->points == layout.points && kept.tsne->windows == e.windows);
}

void TestEmbeddingSnapshots::kept_without_forecasts() {
    auto config = settings();
    config.train.epochs = 1;
    config.run.store_forecasts = {};
    test::run_in(folder("bare"), config);
    const auto sets = store::embedding_sets(folder("bare") / "run.h5");
    QCOMPARE(sets.size(), std::size_t{2});
    QVERIFY(sets[0].split == "val" && sets[0].at == "3" && sets[1].at == "5");
}

void TestEmbeddingSnapshots::no_anchors_no_snapshots() {
    auto config = settings();
    config.train.epochs = 1;
    config.model.prompt = config.coverage.enabled = false;
    test::run_in(folder("promptless"), config);
    const auto sets = store::embedding_sets(folder("promptless") / "run.h5");
    QVERIFY(sets.size() == 1 && sets[0].split == "test" && sets[0].rows == 147);
}

QTEST_GUILESS_MAIN(TestEmbeddingSnapshots)
#include "test_embedding_snapshots.moc"

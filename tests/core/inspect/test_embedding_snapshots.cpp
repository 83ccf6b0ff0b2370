// Embeddings that a run keeps of a few validation windows while it trains.
#include <algorithm>
#include <array>

#include <QtTest>

#include "core/train/train_fixture.h"
#include "folder_test.h"
#include "inspect/embedding_snapshots.h"
#include "inspect/probe.h"
#include "inspect/stored_embeddings.h"
#include "inspect/stored_probes.h"
#include "inspect/window_embeddings.h"
#include "model/tensor_file.h"
#include "test_program.h"

using namespace casp;
namespace fs = std::filesystem;

class TestEmbeddingSnapshots : public test::FolderTest {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        csv_ = test::write_csv(folder("series.csv"), test::small_rows, test::small_channels);
        test::run_in(folder("run"), settings());
    }

    void each_snapshot_stores_one_set() {
        const auto file = folder("run") / "run.h5";
        const auto steps = test::record_of(folder("run")).anchors.snapshot_step;
        QVERIFY(steps == (std::vector<std::int64_t>{3, 6, 9, 10}));
        const auto sets = store::embedding_entries(file);
        QCOMPARE(sets.size(), std::size_t{5});
        QVERIFY(sets[0].split == "test" && sets[0].at == "best");
        std::vector<float> before;
        for (std::size_t i = 0; i < steps.size(); ++i) {
            const auto& set = sets[i + 1];
            QVERIFY(set.split == "val" && set.at == std::to_string(steps[i]) && set.dimension == 24);
            const auto e = store::read_embedding(file, "val", set.at);
            QVERIFY(e.windows == inspect::probe_windows(test::val_windows, test::small_channels));
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

    void snapshots_are_read_as_probes() {
        const auto read = inspect::read_stored_probes({folder("run"), {3, 6, 9, 10}, 4});
        QVERIFY2(read.problem.empty(), read.problem.english().c_str());
        QCOMPARE(read.probes.size(), std::size_t{4});
        for (std::size_t i = 0; i < 4; ++i) QCOMPARE(read.probes[i]->step, (std::array{3, 6, 9, 10})[i]);
        const auto& last = *read.probes.back();
        const auto kept = store::read_embedding(folder("run") / "run.h5", "val", "10");
        QVERIFY(test::same_bits(last.series, kept.series) && test::same_bits(last.anchors, kept.anchors));
        QVERIFY(read.probes.front()->series.empty());
        // [rows, K] of the anchors by descending similarity.
        QCOMPARE(last.retrieved.size(), static_cast<std::size_t>(last.rows * 4));
        for (std::int64_t row = 0; row < last.rows; ++row) {
            const auto* s = last.similarity.data() + row * 30;
            const auto best = last.retrieved[static_cast<std::size_t>(row * 4)];
            QCOMPARE(static_cast<std::ptrdiff_t>(best), std::max_element(s, s + 30) - s);
        }
        QVERIFY(!last.pca.empty());
        const auto thinned = inspect::read_stored_probes({folder("run"), {3, 6, 9, 10}, 4, 2});
        QVERIFY(thinned.probes.size() == 2 && thinned.probes[0]->step == 3 && thinned.probes[1]->step == 10);
        const auto early = inspect::read_stored_embeddings(folder("run"), "val", 6);
        QVERIFY(early && early->windows == kept.windows);
        QVERIFY(!inspect::read_stored_embeddings(folder("run"), "val", 4));
        interrupt("going");
        const auto going = inspect::read_stored_probes({folder("going"), {3, 6}, 4});
        QVERIFY(going.problem.empty() && going.probes.size() == 2);
        QVERIFY(test::same_bits(going.probes[1]->anchors, early->anchors));
    }

    void last_set_is_that_of_the_last_weights() {
        inspect::EmbeddingRequest request;
        request.run = folder("run");
        request.weights = "last";
        request.split = "val";
        request.device = "cpu";
        const auto e = inspect::compute_embeddings(request);
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

    void snapshots_do_not_change_training() {
        test::run_in(folder("without"), settings(false));
        VERIFY_SAME_RUN(folder("run"), folder("without"));
        QVERIFY(store::embedding_entries(folder("without") / "run.h5").empty());
        QVERIFY(!fs::exists(folder("without") / "snapshots"));
    }

    void resumed_run_has_the_same_sets() {
        test::Probe probe;
        train::StopControl stop;
        probe.at_step = [&](const train::StepReport& report) {
            if (report.step == 7) stop.ask(train::StopRequest::cancel);
        };
        auto config = settings();
        const auto cancelled = run::run({{"resumed", config, {}, folder("resumed")}}, probe, stop);
        QVERIFY(cancelled.state == store::RunState::cancelled);
        QVERIFY(fs::exists(folder("resumed") / "snapshots" / "3.safetensors"));
        QVERIFY(fs::exists(folder("resumed") / "snapshots" / "6.safetensors"));
        // What a killed run took after its last checkpoint is not believed.
        fs::copy_file(folder("resumed") / "snapshots" / "3.safetensors",
                      folder("resumed") / "snapshots" / "8.safetensors");
        test::run_in(folder("resumed"), config, true);
        VERIFY_SAME_RUN(folder("run"), folder("resumed"));
        const auto sets = store::embedding_entries(folder("run") / "run.h5");
        QCOMPARE(store::embedding_entries(folder("resumed") / "run.h5").size(), sets.size());
        for (const auto& set : sets) {
            const auto a = store::read_embedding(folder("run") / "run.h5", set.split, set.at);
            const auto b = store::read_embedding(folder("resumed") / "run.h5", set.split, set.at);
            QVERIFY(test::same_bits(a.anchors, b.anchors) && test::same_bits(a.series, b.series) &&
                    test::same_bits(a.prompt, b.prompt) && a.windows == b.windows);
        }
    }

    void sets_stored_while_interrupted_are_kept() {
        test::Probe probe;
        train::StopControl stop;
        probe.at_step = [&](const train::StepReport& report) {
            if (report.step == 7) stop.ask(train::StopRequest::cancel);
        };
        const auto config = settings();
        const auto run_folder = folder("stored");
        QVERIFY(run::run({{"stored", config, {}, run_folder}}, probe, stop).state ==
                store::RunState::cancelled);
        inspect::EmbeddingRequest request;
        request.run = run_folder;
        request.device = "cpu";
        const auto e = inspect::compute_embeddings(request);
        QCOMPARE(e.step, std::int64_t{5});  // the best epoch so far
        inspect::store_embeddings(run_folder, e);
        store::EmbeddingLayout layout;
        layout.points = {1, 2, 3, 4};
        layout.components = 2;
        layout.kind = layout.row = {0, 1};
        inspect::store_layout(run_folder, e, "tsne", layout);
        request.split = "val";
        request.windows = 2;
        inspect::store_embeddings(run_folder,
                                  inspect::compute_embeddings(request));  // no snapshot was taken at its step

        // Not "best": the run goes on to other best weights.
        const auto sets = store::embedding_entries(run_folder / "arrays.h5");
        QVERIFY(sets.size() == 2 && sets[0].split == "test" && sets[0].at == "5" && sets[1].at == "5");

        test::run_in(run_folder, config, true);
        VERIFY_SAME_RUN(folder("run"), run_folder);
        const auto kept = store::read_embedding(run_folder / "run.h5", "test", "5");
        QVERIFY(test::same_bits(kept.series, e.series) && test::same_bits(kept.anchors, e.anchors));
        QVERIFY(kept.tsne.points == layout.points);
        QCOMPARE(store::read_embedding(run_folder / "run.h5", "val", "5").windows.size(), std::size_t{2});
        const auto best = store::read_embedding(run_folder / "run.h5", "test", "best");
        const auto undisturbed = store::read_embedding(folder("run") / "run.h5", "test", "best");
        QVERIFY(test::same_bits(best.series, undisturbed.series));
        QVERIFY(store::read_embedding(run_folder / "run.h5", "val", "3").windows.size() > 2);
    }

    void a_layout_stays_beside_the_snapshot_of_its_step() {
        test::Probe probe;
        train::StopControl stop;
        probe.at_step = [&](const train::StepReport& report) {
            if (report.step == 7) stop.ask(train::StopRequest::cancel);
        };
        auto config = settings();
        config.run.snapshot_steps = 5;
        const auto run_folder = folder("beside");
        (void)run::run({{"beside", config, {}, run_folder}}, probe, stop);
        inspect::EmbeddingRequest request;
        request.run = run_folder;
        request.split = "val";
        request.windows = 2;
        request.device = "cpu";
        const auto e = inspect::compute_embeddings(request);
        QCOMPARE(e.step, std::int64_t{5});
        inspect::store_embeddings(run_folder, e);
        store::EmbeddingLayout layout;
        layout.points = {1, 2, 3, 4};
        layout.kind = layout.row = {0, 1};
        inspect::store_layout(run_folder, e, "tsne", layout);
        test::run_in(run_folder, config, true);
        const auto kept = store::read_embedding(run_folder / "run.h5", "val", "5");
        QVERIFY(kept.windows.size() > 2);  // the snapshot's
        QVERIFY(kept.tsne.points == layout.points && kept.tsne.windows == e.windows);
    }

    void kept_without_forecasts() {
        auto config = settings();
        config.train.epochs = 1;
        config.run.store_forecasts = {};
        test::run_in(folder("bare"), config);
        const auto sets = store::embedding_entries(folder("bare") / "run.h5");
        QCOMPARE(sets.size(), std::size_t{2});
        QVERIFY(sets[0].split == "val" && sets[0].at == "3" && sets[1].at == "5");
    }

    void no_anchors_no_snapshots() {
        auto config = settings();
        config.train.epochs = 1;
        config.model.prompt = false;
        test::run_in(folder("promptless"), config);
        const auto sets = store::embedding_entries(folder("promptless") / "run.h5");
        QVERIFY(sets.size() == 1 && sets[0].split == "test" && sets[0].rows == 147);
    }

    /// The last snapshot is of the last weights, which the run has kept as well.
    void any_windows_at_a_snapshot() {
        for (const std::string split : {"train", "val", "test"}) {
            auto wanted = request("run", "10", split);
            const auto snapshot = inspect::compute_embeddings(wanted);
            QVERIFY(snapshot.weights == "10" && snapshot.step == 10 && snapshot.split == split);
            QVERIFY(snapshot.mse.empty() && snapshot.mae.empty());
            QCOMPARE(snapshot.windows.size(), static_cast<std::size_t>(snapshot.windows_total));
            wanted.weights = "last";
            const auto last = inspect::compute_embeddings(wanted);
            QCOMPARE(snapshot.rows, last.rows);
            QVERIFY(test::same_bits(snapshot.anchors, last.anchors));
            QVERIFY(test::same_bits(snapshot.series, last.series));
            QVERIFY(test::same_bits(snapshot.prompt, last.prompt));
            QVERIFY(test::same_bits(snapshot.similarity, last.similarity));
            QVERIFY(snapshot.retrieved == last.retrieved && snapshot.usage == last.usage);
            QVERIFY(test::same_bits(snapshot.residual, last.residual));
        }
        // An earlier moment is another.
        const auto early = inspect::compute_embeddings(request("run", "3", "val"));
        const auto kept = store::read_embedding(folder("run") / "run.h5", "val", "3");
        QVERIFY(test::same_bits(early.anchors, kept.anchors));
        bool moved = false;
        const auto best = inspect::compute_embeddings(request("run", "best", "val"));
        for (std::size_t w = 0; w < kept.windows.size(); ++w)
            for (std::size_t j = 0; j < 3 * 24; ++j) {
                const auto there = static_cast<std::size_t>(kept.windows[w]) * 3 * 24 + j;
                QVERIFY(std::abs(kept.series[w * 3 * 24 + j] - early.series[there]) < 1e-5F);
                QVERIFY(std::abs(kept.prompt[w * 3 * 24 + j] - early.prompt[there]) < 1e-5F);
                moved = moved || std::abs(kept.series[w * 3 * 24 + j] - best.series[there]) > 1e-4F;
            }
        QVERIFY(moved);
    }

    void parts_at_a_snapshot() {
        // Weights of the normalisation belong to it, too.
        auto config = settings();
        config.model.instance_norm_affine = true;
        config.train.learning_rate = 0.05;
        test::run_in(folder("affine"), config);
        for (const auto* run : {"run", "affine"}) {
            auto wanted = request(run, "10", "test");
            wanted.windows = 5;
            wanted.channels = {2, 0};
            wanted.per_patch = wanted.prefix_only = true;
            const auto snapshot = inspect::compute_embeddings(wanted);
            wanted.weights = "last";
            const auto last = inspect::compute_embeddings(wanted);
            QVERIFY(snapshot.windows.size() == 5 && snapshot.patches > 1 && snapshot.rows == 10);
            QVERIFY(test::same_bits(snapshot.series, last.series) &&
                    test::same_bits(snapshot.prompt, last.prompt));
            wanted.weights = "3";
            QVERIFY(!test::same_bits(inspect::compute_embeddings(wanted).series, last.series));
        }
    }

    void unfinished_run_gives_the_same_snapshots() {
        interrupt("early");
        const auto record = test::record_of(folder("early"));
        QVERIFY(inspect::snapshot_steps(folder("early"), record) == (std::vector<std::int64_t>{3, 6, 7}));
        QVERIFY(inspect::snapshot_steps(folder("run"), test::record_of(folder("run"))) ==
                (std::vector<std::int64_t>{3, 6, 9, 10}));
        for (const auto* step : {"3", "6"}) {
            const auto now = inspect::compute_embeddings(request("early", step, "test"));
            const auto later = inspect::compute_embeddings(request("run", step, "test"));
            QVERIFY(test::same_bits(now.anchors, later.anchors) &&
                    test::same_bits(now.series, later.series) && test::same_bits(now.prompt, later.prompt));
        }
    }

    void sets_of_a_snapshot_are_stored() {
        fs::copy(folder("run"), folder("copy"), fs::copy_options::recursive);
        const auto test_set = inspect::compute_embeddings(request("copy", "6", "test"));
        inspect::store_embeddings(folder("copy"), test_set);
        const auto back = store::read_embedding(folder("copy") / "run.h5", "test", "6");
        QVERIFY(test::same_bits(back.series, test_set.series) && back.windows == test_set.windows);
        // The run's own snapshot is not given up for a set that can be computed again.
        const auto val = inspect::compute_embeddings(request("copy", "6", "val"));
        const auto before = test::bytes_of(folder("copy") / "arrays.h5");
        const auto refused = test::error_of([&] { inspect::store_embeddings(folder("copy"), val); });
        QVERIFY(test::says(refused, "/embedding/val/6"));
        QVERIFY(test::bytes_of(folder("copy") / "arrays.h5") == before);
        // Whatever else is stored leaves it as it is.
        inspect::store_embeddings(folder("copy"),
                                  inspect::compute_embeddings(request("copy", "best", "val")));
        const auto again = inspect::compute_embeddings(request("copy", "6", "val"));
        QVERIFY(test::same_bits(again.series, val.series));
    }

    void unknown_snapshots_are_refused() {
        const auto said = [&](const std::string& run, const std::string& step) {
            return test::error_of([&] { (void)inspect::compute_embeddings(request(run, step, "test")); });
        };
        QVERIFY(test::says(said("run", "4"), "there is no snapshot of step 4"));
        QVERIFY(test::says(said("run", "4"), "one of step 3, 6, 9, 10"));
        QVERIFY(test::says(said("run", "99999999999999999999"), "is not a set of weights"));
        QVERIFY(test::says(said("run", "-3"), "is not a set of weights"));
        QVERIFY(test::says(said("without", "3"), "run.store_embeddings"));
        interrupt("older");
        const auto file = folder("older") / "snapshots" / "3.safetensors";
        const auto rewrite = [&](const model::NamedTensors& weights) {
            model::NamedTensors tensors{
                {"anchors", at::zeros({30, 24})},     {"series", at::zeros({3, 24})},
                {"prompt", at::zeros({3, 24})},       {"windows", at::zeros({1}, at::kLong)},
                {"start", at::zeros({1}, at::kLong)}, {"channels", at::arange(3, at::kLong)}};
            tensors.insert(tensors.end(), weights.begin(), weights.end());
            model::write_tensors(file, tensors);
        };
        rewrite({});
        QVERIFY(test::says(said("older", "3"), "written by an older version"));
        QVERIFY(inspect::snapshot_steps(folder("older"), test::record_of(folder("older"))) ==
                (std::vector<std::int64_t>{6, 7}));
        rewrite({{"in_layer.weight", at::zeros({24, 5})}, {"in_layer.bias", at::zeros({24})}});
        QVERIFY(test::says(said("older", "3"), "in_layer.weight"));
        fs::resize_file(file, 100);
        QVERIFY(test::says(said("older", "3"), file.string()));
        QVERIFY(test::says(said("older", "6"), "nothing was thrown"));
    }

private:
    [[nodiscard]] inspect::EmbeddingRequest request(const std::string& run, const std::string& weights,
                                                    const std::string& split) const {
        inspect::EmbeddingRequest made;
        made.run = folder(run);
        made.weights = weights;
        made.split = split;
        made.device = "cpu";
        return made;
    }
    /// A run that was cancelled at step 7, after the snapshots of steps 3 and 6.
    void interrupt(const std::string& name) const {
        test::Probe probe;
        train::StopControl stop;
        probe.at_step = [&](const train::StepReport& report) {
            if (report.step == 7) stop.ask(train::StopRequest::cancel);
        };
        (void)run::run({{name, settings(), {}, folder(name)}}, probe, stop);
    }
    [[nodiscard]] config::Config settings(bool embeddings = true) const {
        auto config = test::small_config(csv_);
        config.train.epochs = 2;
        config.run.snapshot_steps = 3;
        config.run.keep_last = true;
        config.run.store_embeddings = embeddings;
        return config;
    }

    std::string csv_;
};

TEST_MAIN_WITHOUT_GUI(TestEmbeddingSnapshots)
#include "test_embedding_snapshots.moc"

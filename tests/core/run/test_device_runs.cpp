// Runs on a device that is not the CPU (pretend_device.h): results, and when the host waits for the device.
#include <algorithm>
#include <cmath>
#include <limits>

#include <array>
#include <future>
#include <set>
#include <thread>

#include <QtTest>

#include "inspect/checkpoint_evaluation.h"
#include "model/descriptor.h"
#include "pretend_device/pretend_device.h"
#include "resume_fixture.h"
#include "run/preview.h"
#include "test_program.h"
#include "train/shared_parts.h"
#include "util/device.h"

using namespace casp;
namespace fs = std::filesystem;

namespace {

/// Collects the waits for the device before each report of steps and in validation, and probes.
class Watcher : public test::Probe {
public:
    std::vector<std::vector<pretend::Wait>> intervals;
    std::vector<pretend::Wait> validation;  ///< up to its last batch
    std::vector<std::shared_ptr<const train::Probe>> probes;
    bool wants = false;

    [[nodiscard]] bool wants_probes() const override { return wants; }
    void on_probe(const std::shared_ptr<const train::Probe>& probe) override { probes.push_back(probe); }
    void on_started(const train::RunStarted& report) override {
        Probe::on_started(report);
        (void)pretend::take_waits();
    }
    void on_step(const train::StepReport& report) override {
        intervals.push_back(pretend::take_waits());
        Probe::on_step(report);
    }
    void on_checkpoint(std::int64_t step) override {
        Probe::on_checkpoint(step);
        (void)pretend::take_waits();
    }
    void on_progress(const Progress& progress) override {
        if (progress.stage != Stage::validating) return;
        for (auto& wait : pretend::take_waits()) validation.push_back(std::move(wait));
    }
    void on_epoch(const train::EpochReport& report) override {
        Probe::on_epoch(report);
        (void)pretend::take_waits();
    }
};

/// Largest difference relative to the expected values.
template <class T>
double difference(const std::vector<T>& found, const std::vector<T>& expected) {
    if (found.size() != expected.size() || found.empty()) return std::numeric_limits<double>::infinity();
    double worst = 0, size = 1e-6;
    for (std::size_t i = 0; i < found.size(); ++i) {
        worst = std::max(worst, std::abs(static_cast<double>(found[i]) - static_cast<double>(expected[i])));
        size = std::max(size, std::abs(static_cast<double>(expected[i])));
    }
    return worst / size;
}

/// Without dropout, whose random numbers differ between devices.
config::Config without_dropout(config::Config config) {
    for (const auto& option : config::options())
        if (option.key.ends_with("dropout")) config::set(config, option.key, 0.0);
    return config;
}

config::Config on_device(config::Config config) {
    config.run.device = "auto";
    return config;
}

store::ResultRow watch(Watcher& watcher, const fs::path& folder, const config::Config& config) {
    train::StopControl stop;
    return run::run({{folder.filename().string(), config, {}, folder}}, watcher, stop);
}

/// Waits that a model needs in the first steps of a run, and in each step.
std::pair<std::size_t, std::size_t> waits_of_model(const std::string& name) {
    if (name == "time-llm") return {0, 4};  // its prompt is a text about the values of the window
    if (name == "calf") return {2, 0};      // principal components of the token table, on the CPU
    return {0, 0};
}

}  // namespace

class TestDeviceRuns : public test::ResumeFixture {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { prepare(); }
    void every_model_trains_as_on_the_cpu_data() {
        QTest::addColumn<QString>("name");
        for (const auto& descriptor : model::descriptors())
            if (descriptor.name != "python")  // the user's file: test_python_model
                QTest::newRow(descriptor.name.data()) << QString::fromUtf8(descriptor.name.data());
    }

    void every_model_trains_as_on_the_cpu() {
        QFETCH(QString, name);
        auto config = without_dropout(test::small_config(csv_));
        config.model.name = name.toStdString();
        config.train.max_grad_norm = 0.5;   // without a wait either
        const bool drops = name == "calf";  // always: only its evaluation can be compared
        if (drops) config.train.learning_rate = 1e-12;
        const auto place = folder(config.model.name), reference = folder(config.model.name + "-cpu");
        const auto expected = test::run_in(reference, config);
        Watcher watcher;
        const auto computed = pretend::operators();
        const auto found = watch(watcher, place, on_device(config));
        QVERIFY(pretend::operators() > computed + 20);
        const auto a = test::record_of(place), b = test::record_of(reference);
        QCOMPARE(a.attributes.device, pretend::device().str());
        QVERIFY(difference(a.epochs.val_mse, b.epochs.val_mse) < 1e-3);
        QVERIFY(difference<double>({found.test_mse, found.test_mae}, {expected.test_mse, expected.test_mae}) <
                1e-3);
        QCOMPARE(a.steps.step.size(), b.steps.step.size());
        if (a.steps.step.empty()) return;
        if (!drops) {
            QVERIFY(difference(a.steps.forecast, b.steps.forecast) < 1e-5);
            QVERIFY(difference(a.steps.total, b.steps.total) < 1e-5);
        }
        // Per epoch, the order of the windows goes to the device, and the losses come back.
        // The first checkpoint follows the first step.
        constexpr std::array<std::size_t, 3> steps{1, 4, 5};
        QCOMPARE(watcher.intervals.size(), steps.size());
        const auto [once, each_step] = waits_of_model(config.model.name);
        for (std::size_t i = 0; i < steps.size(); ++i) {
            const auto& waits = watcher.intervals[i];
            const std::size_t order = i == 1 ? 0 : 1;
            QVERIFY2(waits.size() == 1 + order + (i == 0 ? once : 0) + steps[i] * each_step,
                     pretend::text_of(waits).c_str());
            QVERIFY(order == 0 || waits.front().operation == "copy from the CPU");
            QVERIFY(waits.back().operation == "copy to the CPU");
        }
    }

    void host_synchronises_once_per_report_data() {
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("value");
        QTest::newRow("defaults") << ""
                                  << "";
        QTest::newRow("bf16") << "run.precision"
                              << "bf16";
        QTest::newRow("mmr") << "selection.rule"
                             << "mmr";
        QTest::newRow("single channels") << "data.batching"
                                         << "single-channel";
        QTest::newRow("adam") << "train.optimizer"
                              << "adam";
        QTest::newRow("one-cycle") << "train.schedule"
                                   << "one-cycle";
    }

    /// 38 steps in an epoch are reported after the first, with its checkpoint, after 20 more and at the end.
    /// Five batches of validation follow.
    void host_synchronises_once_per_report() {
        QFETCH(QString, key);
        QFETCH(QString, value);
        auto config = on_device(test::small_config(csv_));
        config.train.epochs = 1;
        if (!key.isEmpty()) config::set(config, key.toStdString(), value.toStdString());
        config.train.batch_size = config.data.batching == "single-channel" ? 12 : 4;
        Watcher watcher;
        watch(watcher, folder("interval-" + value.toStdString()), config);
        QCOMPARE(watcher.steps.size(), std::size_t{3});
        QCOMPARE(watcher.steps[0].step, std::int64_t{1});
        QCOMPARE(watcher.steps[1].step, std::int64_t{21});
        QCOMPARE(watcher.steps[2].step, std::int64_t{38});
        QVERIFY2(watcher.intervals[0].size() == 2, pretend::text_of(watcher.intervals[0]).c_str());
        for (std::size_t i = 1; i < 3; ++i)
            QVERIFY2(watcher.intervals[i].size() == 1, pretend::text_of(watcher.intervals[i]).c_str());
        QVERIFY2(watcher.validation.empty(), pretend::text_of(watcher.validation).c_str());
    }

    /// Reports after step 1, 21 and 38, of which at most three are queued; two evaluations, of five batches
    /// and of thirteen, of which at most two are.
    void host_queues_at_most_three_steps() {
        auto config = on_device(test::small_config(csv_));
        config.train.epochs = 1;
        config.train.batch_size = 4;
        std::vector<std::size_t> recorded, waited;
        const auto count = [&] {
            const auto events = pretend::take_events();
            recorded.push_back(events.recorded);
            waited.push_back(events.waited);
        };
        test::Probe probe;
        probe.at_step = [&](const train::StepReport& /*report*/) { count(); };
        train::StopControl stop;
        (void)pretend::take_events();
        (void)run::run({{"ahead", config, {}, folder("ahead")}}, probe, stop);
        count();
        QCOMPARE(recorded, (std::vector<std::size_t>{1, 20, 17, 5 + 13}));
        QCOMPARE(waited, (std::vector<std::size_t>{0, 21 - 3, 17, 3 + 11}));
    }

    void large_memory_use_of_others_is_reported() {
        constexpr std::int64_t gib = std::int64_t{1} << 30;
        QCOMPARE(notable_others({.total = 24 * gib, .available = 10 * gib, .others = 12 * gib}, gib),
                 12 * gib);
        const DeviceMemory little{.total = 24 * gib, .available = 20 * gib, .others = 2 * gib};
        QCOMPARE(notable_others(little, 20 * gib), std::int64_t{0});
        QCOMPARE(notable_others(little, 21 * gib), 2 * gib);
        QVERIFY2(notable_others(little, 23 * gib) == 0, "without them it does not fit either");
        const DeviceMemory small{.total = 2 * gib, .available = gib, .others = gib / 2};
        QVERIFY2(notable_others(small, 2 * gib) == 0, "CUDA itself may take as much");
    }

    void other_programs_are_named() {
        constexpr std::int64_t gib = std::int64_t{1} << 30;
        auto config = on_device(test::small_config(csv_));
        config.train.max_steps = 1;
        const auto named = "other processes use 2.0 GiB of 4.0 GiB on " + pretend::device().str();
        const auto names = [&](const std::string& place) {
            test::Probe probe;
            (void)probe.run(folder(place), config);
            return std::find(probe.messages.begin(), probe.messages.end(), named) != probe.messages.end();
        };
        const auto estimate = [&] {
            const data::FileFacts data{test::small_rows, test::small_channels};
            return run::preview(config, data, run::measure_machine(config));
        };
        {
            const auto own = at::empty({2 * gib}, at::TensorOptions(at::kByte).device(pretend::device()));
            QVERIFY(!names("own memory"));
            QCOMPARE(estimate().memory_others, std::int64_t{0});
        }
        pretend::set_memory_of_others(2 * gib);
        const auto alone = qScopeGuard([] { pretend::set_memory_of_others(0); });
        QVERIFY(names("others"));
        QCOMPARE(estimate().memory_others, 2 * gib);
        QCOMPARE(estimate().memory_total, 4 * gib);
        // Also where it does not fit.
        pretend::set_memory_of_others(4 * gib - (std::size_t{1} << 20));
        const auto problem = test::error_of([&] { (void)names("full"); });
        QCOMPARE(problem.parts().where, std::string("train.batch_size"));
        QVERIFY2(problem.parts().found.english().find(", where other processes use 4.0 GiB of 4.0 GiB") !=
                     std::string::npos,
                 problem.what());
    }

    void out_of_memory_is_explained_data() {
        QTest::addColumn<QString>("stage");
        QTest::addColumn<QString>("where");
        QTest::addColumn<QString>("advice");
        QTest::newRow("data") << ""
                              << "putting the data on pretend:0"
                              << "Use fewer channels (data.columns)";
        QTest::newRow("validation") << "validating"
                                    << "the validation after step 38"
                                    << "An evaluation computes 4 windows at once: set train.batch_size to 2";
        QTest::newRow("evaluation") << "evaluating test"
                                    << "the evaluation"
                                    << "An evaluation computes 4 windows at once: set train.batch_size to 2";
    }

    void out_of_memory_is_explained() {
        QFETCH(QString, stage);
        QFETCH(QString, where);
        QFETCH(QString, advice);
        auto config = on_device(test::small_config(csv_));
        config.train.batch_size = 4;
        at::Tensor hog;
        const auto exhaust = [&] {
            const auto free = device_memory(pretend::device()).available;
            hog = at::empty({free}, at::TensorOptions(at::kByte).device(pretend::device()));
        };
        test::Probe probe;
        if (stage.isEmpty()) exhaust();
        probe.at_progress = [&](const Progress& progress) {
            if (!hog.defined() && QString::fromStdString(progress.stage.text()) == stage) exhaust();
        };
        train::StopControl stop;
        try {
            (void)run::run({{"full", config, {}, folder("full " + stage.toStdString())}}, probe, stop);
            QFAIL("there was memory");
        } catch (const Error& problem) {
            QVERIFY(problem.kind() == ErrorKind::run);
            QCOMPARE(QString::fromStdString(problem.parts().where), where);
            const auto found = QString::fromStdString(problem.parts().found);
            QVERIFY2(found.startsWith("out of memory: pretend device out of memory"), problem.what());
            QVERIFY2(QString::fromStdString(problem.parts().advice).contains(advice), problem.what());
        }
    }

    void resumed_run_has_the_same_bits() {
        const auto config = on_device(settings());  // with dropout
        test::run_in(folder("whole"), config);
        QVERIFY(test::record_of(folder("whole")).steps.total != test::record_of(folder("plain")).steps.total);
        QCOMPARE(stop_after(folder("cut"), config, 8).state, store::RunState::cancelled);
        QCOMPARE(test::run_in(folder("cut"), config, true).state, store::RunState::finished);
        VERIFY_SAME_RUN(folder("cut"), folder("whole"));
    }

    void resumed_run_trains_as_on_the_cpu() {
        const auto config = without_dropout(settings());
        test::run_in(folder("on cpu"), config);
        stop_after(folder("moved"), on_device(config), 8);
        QCOMPARE(test::run_in(folder("moved"), on_device(config), true).state, store::RunState::finished);
        const auto a = test::record_of(folder("moved")), b = test::record_of(folder("on cpu"));
        QVERIFY(difference(a.steps.total, b.steps.total) < 1e-5);
    }

    void fork_trains_as_on_the_cpu() {
        auto config = without_dropout(settings());
        config.train.continue_from = folder("plain").string();
        config.train.max_steps = 7;
        config.run.checkpoint_seconds = 0;
        test::run_in(folder("fork-cpu"), config);
        test::run_in(folder("fork"), on_device(config));
        const auto a = test::record_of(folder("fork")), b = test::record_of(folder("fork-cpu"));
        QVERIFY(a.steps.step.back() > 15);
        QVERIFY(difference(a.steps.total, b.steps.total) < 1e-5);
        QVERIFY(difference(a.anchors.coverage_statistic, b.anchors.coverage_statistic) < 1e-4);
    }

    void snapshots_and_probes_equal_the_cpu() {
        auto config = without_dropout(settings());
        config.run.store_embeddings = config.run.store_similarity = true;
        config.run.store_forecasts = {"val", "test"};
        Watcher expected, found;
        expected.wants = found.wants = true;
        watch(expected, folder("views-cpu"), config);
        watch(found, folder("views"), on_device(config));
        QVERIFY(!found.probes.empty() && !expected.probes.empty());
        const auto &probe = *found.probes.front(), &reference = *expected.probes.front();
        QCOMPARE(probe.step, reference.step);
        QVERIFY(difference(probe.prediction, reference.prediction) < 1e-5);
        QVERIFY(difference(probe.similarity, reference.similarity) < 1e-5);
        QVERIFY(difference(probe.prompt, reference.prompt) < 1e-5);
        for (const auto& entry : store::embedding_entries(folder("views") / "run.h5")) {
            const auto there = store::read_embedding(folder("views") / "run.h5", entry.split, entry.at);
            const auto here = store::read_embedding(folder("views-cpu") / "run.h5", entry.split, entry.at);
            QVERIFY(difference(there.anchors, here.anchors) < 1e-4);
            QVERIFY(difference(there.series, here.series) < 1e-4);
        }
        for (const auto* split : {"val", "test"})
            QVERIFY(difference(store::read_forecast(folder("views") / "arrays.h5", split).prediction,
                               store::read_forecast(folder("views-cpu") / "arrays.h5", split).prediction) <
                    1e-4);
    }

    /// With a backward pass in LibTorch's one thread for the device, or all on one stream, their work would
    /// be put in one order.
    void concurrent_runs_use_separate_streams() {
        auto config = on_device(settings());
        config.run.precision = "bf16";  // whose copies of frozen weights are shared
        test::run_in(folder("alone"), config);
        (void)pretend::take_stream_uses();
        train::SharedParts parts;
        std::array<std::thread, 2> threads;
        for (std::size_t i = 0; i < threads.size(); ++i)
            threads[i] = std::thread([&, i] {
                test::Probe probe;
                const auto place = folder("together-" + std::to_string(i));
                run::RunRequest request{{place.filename().string(), config, {}, place}};
                request.shared = &parts;
                run::run(request, probe, probe.stop);
            });
        for (auto& thread : threads) thread.join();
        const auto uses = pretend::take_stream_uses();
        std::set<std::thread::id> users;
        std::set<std::int64_t> streams;
        for (const auto& [thread, stream] : uses) {
            users.insert(thread);
            streams.insert(stream);
        }
        QCOMPARE(users.size(), std::size_t{2});
        QCOMPARE(streams.size(), std::size_t{2});
        for (const auto* name : {"together-0", "together-1"}) VERIFY_SAME_RUN(folder(name), folder("alone"));

        test::run_in(folder("afterwards"), config);
        const auto later = pretend::take_stream_uses();
        QCOMPARE(later.size(), std::size_t{1});
        QVERIFY2(streams.count(later.begin()->second) == 1,
                 "a later run has a stream of its own, and its memory");
    }

    /// Two runs at once, of one process and device, told apart by the width of their backbones.
    void tf32_is_for_its_run_only() {
        constexpr std::int64_t width = 60, width_tf32 = 84;
        auto plain = on_device(test::small_config(csv_)), tf32 = plain;
        plain.backbone.width = width;
        tf32.backbone.width = width_tf32;
        tf32.run.precision = "tf32";
        tf32.run.store_embeddings = true;
        const pretend::ProductsRecorded products;
        auto other =
            std::async(std::launch::async, [&] { return test::run_in(folder("plain-beside"), plain); });
        test::run_in(folder("tf32"), tf32);
        QCOMPARE(other.get().state, store::RunState::finished);
        QCOMPARE(test::record_of(folder("tf32")).attributes.precision, std::string("tf32"));
        QCOMPARE(test::record_of(folder("plain-beside")).attributes.precision, std::string("fp32"));
        std::size_t in_tf32 = 0, in_fp32 = 0;
        for (const auto& product : products.all()) {
            const auto has = [&](std::int64_t size) {
                return std::find(product.sizes.begin(), product.sizes.end(), size) != product.sizes.end();
            };
            if (has(width_tf32)) {
                QString sizes;
                for (const auto size : product.sizes) sizes += QStringLiteral(" %1").arg(size);
                QVERIFY2(product.tf32, qPrintable(sizes));
                ++in_tf32;
            } else if (has(width)) {
                QVERIFY(!product.tf32);
                ++in_fp32;
            }
        }
        QVERIFY(in_tf32 > 100 && in_fp32 > 100);
        QVERIFY(!at::globalContext().allowTF32CuBLAS());

        // Without that device: an error before the start, and forecasts in fp32.
        auto elsewhere = tf32;
        elsewhere.run.device = "cpu";
        try {
            test::run_in(folder("refused"), elsewhere);
            QFAIL("accepted");
        } catch (const Error& problem) {
            QVERIFY(problem.kind() == ErrorKind::input);
            QCOMPARE(problem.parts().where, std::string("run.precision"));
            QVERIFY2(problem.parts().found.english().find("compute capability 8.0") != std::string::npos,
                     problem.what());
        }
        QVERIFY(!fs::exists(folder("refused")));
        (void)stop_after(folder("tf32-cut"), tf32, 5);
        elsewhere.run.precision = "auto";
        try {
            test::run_in(folder("tf32-cut"), elsewhere, true);
            QFAIL("resumed");
        } catch (const Error& problem) {
            QVERIFY2(QString(problem.what())
                         .contains("trained in tf32, which cpu does not support. Resume it on a "
                                   "device that does"),
                     problem.what());
        }
        test::Probe probe;
        const auto row = inspect::evaluate_checkpoint(
            {folder("tf32"), csv_, folder("evaluated"), {"run.device=cpu"}}, probe, probe.stop);
        QCOMPARE(row.precision, std::string("fp32"));
        QVERIFY(probe.told("trained in tf32, which cpu does not support"));
    }

    void estimate_names_lower_precisions() {
        auto config = test::small_config(csv_);
        const auto names = [&] {
            std::vector<std::string> all;
            for (const auto& [precision, rate] : run::measure_machine(config).other_rates)
                if (rate > 0) all.push_back(precision);
            return all;
        };
        using Names = std::vector<std::string>;
        QCOMPARE(names(), has_bf16(at::kCPU) ? Names{"bf16"} : Names());  // nothing about TF32
        config.run.device = "auto";
        QCOMPARE(names(), (Names{"bf16", "tf32"}));
        config.run.precision = "tf32";
        QCOMPARE(names(), Names{"bf16"});
        config.model.name = "dlinear";
        QCOMPARE(names(), Names());
    }
};

TEST_MAIN_WITHOUT_GUI(TestDeviceRuns)
#include "test_device_runs.moc"

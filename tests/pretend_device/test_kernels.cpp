// The program's GPU kernels: their source compiled by g++ against the CPU's operators, and by NVRTC.
#include <functional>

#include <torch/torch.h>
#include <QtTest>

#include "core/train/train_fixture.h"
#include "gpu/kernel_checks.h"
#include "model/cuda/fused.h"
#include "model/cuda/kernels.h"
#include "model/cuda/nvrtc.h"
#include "model/dropout.h"
#include "pretend_device/kernels_on_host.h"
#include "pretend_device/pretend_blas_lt.h"
#include "pretend_device/pretend_device.h"
#include "test_program.h"
#include "train/graphed_step.h"

using namespace casp;

Q_DECLARE_METATYPE(std::function<std::string(const c10::Device&)>)

namespace {

/// Ten tokens; two heads of 48.
config::Config shape_with_kernels(const std::string& csv) {
    auto config = test::small_config(csv);
    config.backbone.layers = 2;
    config.train.batch_size = 8;
    config.train.max_steps = 4;
    config.backbone.width = 96;
    return config;
}

/// What the run's log says of kernels that are not there.
std::string problem_of_run(const test::fs::path& folder, const config::Config& config) {
    test::Probe probe;
    probe.run(folder, config);
    for (const auto& message : probe.messages)
        if (message.find(" not used") != std::string::npos) return message;
    return {};
}

}  // namespace

class TestKernels : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { pretend::install_kernels(); }

    void on_the_pretend_device_data() {
        using Function = std::function<std::string(const c10::Device&)>;
        QTest::addColumn<Function>("check");
        QTest::newRow("dropout") << Function(gpu::check_dropout_kernel);
        for (const std::int64_t width : {32, 128}) {
            const auto add = [&](const char* name, bool half_branch, bool half) {
                QTest::addRow("%s, %d wide", name, static_cast<int>(width))
                    << Function([=](const auto& device) {
                           return gpu::check_norm_kernel(device, width, half_branch, half);
                       });
            };
            add("norm in fp32", false, false);
            add("norm in bf16", true, true);
            add("last norm", true, false);
        }
        QTest::newRow("first norm") << Function(
            [](const auto& d) { return gpu::check_norm_without_branch(d, 32); });
        QTest::newRow("tokens") << Function(
            [](const auto& d) { return gpu::check_join_kernel(d, 3, 4, 32); });
        QTest::newRow("tokens without prefix")
            << Function([](const auto& d) { return gpu::check_join_kernel(d, 0, 4, 32); });
        QTest::newRow("patches") << Function(
            [](const auto& d) { return gpu::check_patches_kernel(d, 24, 2, 5, 6, 8, 4); });
        QTest::newRow("patches: parts of cycles and strides")
            << Function([](const auto& d) { return gpu::check_patches_kernel(d, 23, 1, 4, 7, 6, 5); });
        QTest::newRow("patches without trend")
            << Function([](const auto& d) { return gpu::check_patches_kernel(d, 24, 2, 1, 24, 8, 4); });
        QTest::newRow("norm of anchors")
            << Function([](const auto& d) { return gpu::check_l2_kernel(d, 32); });
        QTest::newRow("products with GELU")
            << Function([](const auto& d) { return gpu::check_gelu_products(d, 24); });
        const auto add = [](const char* name, int tokens, int heads, int width, bool causal) {
            QTest::newRow(name) << Function([=](const auto& device) {
                return gpu::check_attention_kernel(device, tokens, heads, width, causal);
            });
        };
        add("attention: part of a tile", 5, 3, 16, true);
        add("attention: one tile, to all", 16, 2, 16, false);
        add("attention: heads of 48", 10, 2, 48, true);
        add("attention: five tiles", 72, 2, 64, true);
        add("attention: the most tokens, to all", 128, 1, 64, false);
        QTest::newRow("attention's mask") << Function(gpu::check_attention_mask);
    }

    void init() { model::cuda::use_kernels(true); }
    void cleanup() { model::cuda::use_kernels(false); }
    void on_the_pretend_device() {
        QFETCH(std::function<std::string(const c10::Device&)>, check);
        const auto launched = [] { return pretend::kernel_launches() + pretend::blas_lt_products(); };
        const auto launches = launched();
        try {
            qInfo("%s", check(pretend::device()).c_str());
        } catch (const gpu::Failure& failure) {
            QFAIL(failure.what());
        }
        QVERIFY(launched() > launches);
    }

    void run_with_dropout_equals_the_cpu() {
        const QTemporaryDir dir;
        const test::fs::path place(dir.path().toStdString());
        auto config = shape_with_kernels(test::write_csv(place / "series.csv", test::small_rows, 1));
        test::run_in(place / "cpu", config);
        config.run.device = "auto";
        const auto launches = pretend::kernel_launches();
        QCOMPARE(problem_of_run(place / "kernels", config), std::string());
        // Each step: an embedding's dropout, two of attention, and five norms; all but the first norm's
        // twice.
        QVERIFY(pretend::kernel_launches() - launches > 4 * 15);
        const auto found = test::record_of(place / "kernels").steps.total;
        const auto expected = test::record_of(place / "cpu").steps.total;
        QCOMPARE(found.size(), std::size_t{4});
        const auto& hardware = test::record_of(place / "kernels").attributes.hardware;
        QVERIFY2(hardware.ends_with(", CASP_GPU_KERNELS"), hardware.c_str());
        for (std::size_t i = 0; i < found.size(); ++i)
            QVERIFY2(std::abs(found[i] - expected[i]) < 1e-4 * expected[i],
                     std::to_string(found[i] - expected[i]).c_str());
    }

    void bf16_run_uses_all_kernels() {
        const QTemporaryDir dir;
        const test::fs::path place(dir.path().toStdString());
        auto config = shape_with_kernels(test::write_csv(place / "series.csv", test::small_rows, 3));
        test::run_in(place / "cpu", config);
        config.run.device = "auto";
        config.run.precision = "bf16";
        const auto products = pretend::blas_lt_products();
        QCOMPARE(problem_of_run(place / "kernels", config), std::string());
        QVERIFY(pretend::blas_lt_products() - products >= 4 * 2 * 2);  // steps, blocks, both ways
        const auto found = test::record_of(place / "kernels").steps.total;
        const auto expected = test::record_of(place / "cpu").steps.total;
        for (std::size_t i = 0; i < found.size(); ++i)
            QVERIFY(std::abs(found[i] - expected[i]) < 0.02 * expected[i]);
        test::run_in(place / "again", config);
        QVERIFY(test::record_of(place / "again").steps.total == found);
    }

    void repeated_steps_are_recorded_data() {
        QTest::addColumn<QString>("precision");
        QTest::newRow("fp32") << "fp32";
        QTest::newRow("bf16") << "bf16";
    }

    /// A graph repeats what it has seen: a number of the host that changes from step to step would be frozen.
    void repeated_steps_are_recorded() {
        QFETCH(QString, precision);
        const bool half = precision == "bf16";  // slow here: one epoch
        const std::size_t epochs = half ? 1 : 2;
        pretend::graphs.recorded = pretend::graphs.started = 0;
        pretend::install_graphs();
        const QTemporaryDir dir;
        const test::fs::path place(dir.path().toStdString());
        auto config = shape_with_kernels(test::write_csv(place / "series.csv", test::small_rows, 1));
        config.run.precision = precision.toStdString();
        config.train.max_steps = 0;
        config.train.epochs = static_cast<std::int64_t>(epochs);
        config.train.batch_size =
            24;  // of 151 windows: six of each epoch's steps are alike, the last has seven
        config.train.schedule = "exponential";
        config.coverage.warmup = 2;
        config.run.device = "auto";
        (void)pretend::take_events();
        train::allow_graphs(false);
        test::run_in(place / "plain", config);
        train::allow_graphs(true);
        const auto events = pretend::take_events();
        QCOMPARE(pretend::graphs.recorded.load(), std::size_t{0});
        test::run_in(place / "graphs", config);
        QCOMPARE(pretend::graphs.recorded.load(), epochs);
        // Steps 0 and 1 warm up, 2 is the first of its kind, 3 is recorded; in the second epoch 7 and 8.
        QCOMPARE(pretend::graphs.started.load(), static_cast<std::size_t>(half ? 2 : 2 + 4));
        VERIFY_SAME_RUN(place / "graphs", place / "plain");
        // The host waits for recorded steps as for others, and not within a record.
        QVERIFY(events.recorded > 7 * epochs);
        const auto of_graphs = pretend::take_events();
        QCOMPARE(of_graphs.recorded, events.recorded);
        QCOMPARE(of_graphs.waited, events.waited);
        if (half) return;

        // What a record has left behind, gradients without values, must not reach the step that is computed
        // instead.
        pretend::graphs.fail = true;
        test::Probe probe;
        probe.run(place / "failed", config);
        QCOMPARE(pretend::graphs.recorded.load(), std::size_t{2});
        QVERIFY(std::any_of(probe.messages.begin(), probe.messages.end(), [](const std::string& message) {
            return message.starts_with("steps are not recorded as a graph: it is to fail");
        }));
        VERIFY_SAME_RUN(place / "failed", place / "plain");
    }

    /// LibTorch's own, by their names; the library itself wants a driver.
    void cuda_graph_symbols_exist() {
        QFile file(QString(CASP_LIBTORCH_FOLDER) + "/lib/libtorch_cuda.so");
        if (!file.open(QIODevice::ReadOnly)) QSKIP("this LibTorch has no libtorch_cuda.so");
        const auto* bytes = file.map(0, file.size());
        QVERIFY(bytes != nullptr);
        const auto names = QByteArrayView(bytes, file.size());
        for (const auto& symbol : train::cuda_graph_symbols())
            QVERIFY2(names.contains(QByteArray::fromStdString(symbol).append('\0')), symbol.c_str());
    }

    void missing_kernel_is_reported_once() {
        const auto x = at::ones({2, 3, 64}, at::TensorOptions(pretend::device()));
        QVERIFY(!model::cuda::residual_norm(x, {}, x[0][0], x[0][0], 1e-5, 0, 0, false));
        const auto problem = model::cuda::take_kernel_problem().english();
        QVERIFY2(
            problem.find("residual_norm is not used, it is not compiled for -DWIDTH=64") != std::string::npos,
            problem.c_str());
        QVERIFY(model::cuda::take_kernel_problem().empty());
        model::cuda::use_kernels(false);
        QVERIFY(!model::has_keyed_mask(x));
    }

    void nvrtc_compiles_the_kernels_data() {
        QTest::addColumn<QString>("source");
        QTest::addColumn<QString>("constants");
        QTest::addColumn<QStringList>("architectures");
        const QStringList one{"sm_90"}, all{"sm_80", "sm_90", "sm_100"};
        QTest::addRow("dropout") << "dropout"
                                 << "-DVALUE=float" << one;
        for (const char* branch : {"float", "bf16"})
            for (const int width : {96, 768, 1024})
                QTest::addRow("norm of %d, %s", width, branch)
                    << "residual_norm" << QString("-DWIDTH=%1 -DBRANCH=%2 -DOUT=%2").arg(width).arg(branch)
                    << (width == 768 ? all : one);
        QTest::addRow("norm of anchors") << "l2_norm"
                                         << "-DWIDTH=768" << all;
        QTest::addRow("tokens") << "join_tokens"
                                << "-DWIDTH=768" << all;
        QTest::addRow("patches") << "patches"
                                 << "-DLENGTH=336 -DCHANNELS=7 -DTREND=49 -DPERIOD=24 -DPATCH=16 -DSTRIDE=8"
                                 << all;
        QTest::addRow("last norm") << "residual_norm"
                                   << "-DWIDTH=768 -DBRANCH=bf16 -DOUT=float" << all;
        const QString shape = "-DTOKENS=%1 -DHEADS=12 -DHEAD_WIDTH=64 -DCAUSAL=%2";
        QTest::addRow("attention of 72") << "attention" << shape.arg(72).arg(1) << all;
        QTest::addRow("attention of 128") << "attention" << shape.arg(128).arg(1) << all;
        QTest::addRow("attention to all") << "attention" << shape.arg(128).arg(0) << one;
    }

    void nvrtc_compiles_the_kernels() {
        if (!model::cuda::has_nvrtc()) QSKIP("NVRTC (libnvrtc.so) is not installed");
        QFETCH(QString, source);
        QFETCH(QString, constants);
        QFETCH(QStringList, architectures);
        for (const auto& architecture : architectures) {
            const auto compiled = model::cuda::compile_kernels(source.toStdString(), constants.toStdString(),
                                                               architecture.toStdString());
            QVERIFY(compiled.binary.size() > 1000);
            const QString log = QString::fromStdString(compiled.log);
            QVERIFY2(log.contains(" 0 bytes spill stores") &&
                         log.count("bytes spill stores") == log.count(" 0 bytes spill stores"),
                     compiled.log.c_str());
        }
    }

    /// In the user's cache; a damaged file is compiled again.
    void compiled_kernels_are_kept() {
        if (!model::cuda::has_nvrtc()) QSKIP("NVRTC (libnvrtc.so) is not installed");
        const QTemporaryDir cache;
        const auto former = qgetenv("XDG_CACHE_HOME");
        qputenv("XDG_CACHE_HOME", cache.path().toLocal8Bit());
        const auto restore = qScopeGuard(
            [&] { former.isEmpty() ? qunsetenv("XDG_CACHE_HOME") : qputenv("XDG_CACHE_HOME", former); });
        const auto binary = [] { return model::cuda::kernel_binary("dropout", "-DVALUE=float", "sm_90"); };
        const auto first = binary();
        const QDir folder(cache.path() + "/caspstudio/kernels");
        QCOMPARE(folder.entryList(QDir::Files).size(), 1);
        QFile file(folder.filePath(folder.entryList(QDir::Files).first()));
        QVERIFY(file.open(QIODevice::ReadWrite));
        QCOMPARE(file.size(), static_cast<qint64>(64 + first.size()));
        const auto written = QFileInfo(file).lastModified();
        QCOMPARE(binary(), first);
        QCOMPARE(QFileInfo(file).lastModified(), written);
        QVERIFY(file.resize(500));
        file.close();
        QCOMPARE(binary(), first);
        QCOMPARE(file.size(), static_cast<qint64>(64 + first.size()));
        qputenv("XDG_CACHE_HOME", "/proc/none");
        QCOMPARE(binary(), first);
    }
};

TEST_MAIN_WITHOUT_GUI(TestKernels)
#include "test_kernels.moc"

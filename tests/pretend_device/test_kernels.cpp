// The program's GPU kernels: their source compiled by g++ against the CPU's operators, and by NVRTC.
#include <torch/torch.h>
#include <QtTest>

#include "core/train/train_fixture.h"
#include "model/attention.h"
#include "model/cuda/fused.h"
#include "model/cuda/kernels.h"
#include "model/cuda/nvrtc.h"
#include "model/dropout.h"
#include "pretend_device/kernels_on_host.h"
#include "pretend_device/pretend_device.h"
#include "util/random.h"

using namespace casp;
using model::cuda::NormedSum;

namespace {

at::Tensor random(at::IntArrayRef shape, std::uint64_t seed, at::ScalarType type = at::kFloat) {
    return at::empty(shape, at::kFloat).normal_(0, 1, make_generator(seed)).to(type);
}

at::Tensor there(const at::Tensor& x) { return x.detach().to(pretend::device()); }

/// Largest difference relative to the largest expected value.
double error(const at::Tensor& found, const at::Tensor& expected) {
    const auto f = found.detach().to(at::kCPU, at::kDouble), e = expected.detach().to(at::kCPU, at::kDouble);
    return ((f - e).abs().max() / e.abs().max()).item<double>();
}

/// 5 to 9 windows of 12, as the second of three processes has them.
model::DropoutKey part_of_batch() {
    model::DropoutKey key(42);
    key.first = 5;
    key.count = 4;
    key.whole = 12;
    return key;
}

constexpr double p = 0.25;
/// A value of bf16 has 8 bits; sums of some of them are off by a few units of the last.
constexpr double bf16_error = 0.02;

}  // namespace

class TestKernels : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init() { model::cuda::use_kernels(true); }
    void cleanup() { model::cuda::use_kernels(false); }
    void drops_what_the_cpu_drops();
    void slices_have_the_masks_of_the_cpu();
    void residual_and_norm_data();
    void residual_and_norm();
    void norm_without_branch();
    void attention_data();
    void attention();
    void attention_drops_what_the_cpu_drops();
    void a_run_with_dropout_is_the_cpus();
    void a_run_in_bf16_uses_all();
    void what_is_not_there_is_told_once();
    void nvrtc_compiles_them_data();
    void nvrtc_compiles_them();
};

void TestKernels::initTestCase() { pretend::install_kernels(); }

void TestKernels::drops_what_the_cpu_drops() {
    for (const auto type : {at::kFloat, at::kBFloat16})
        for (const auto& key : {model::DropoutKey(7), part_of_batch()}) {
            auto x = random({4, 5, 31}, 1, type).requires_grad_();
            auto y = there(x).requires_grad_();
            const auto expected = model::dropout(x, p, key), found = model::dropout(y, p, key);
            QVERIFY(at::equal(found.to(at::kCPU), expected));
            QVERIFY((expected == 0).sum().item<int>() > 100);
            expected.sum().backward();
            found.sum().backward();
            QVERIFY(at::equal(y.grad().to(at::kCPU), x.grad()));
        }
}

/// Attention and feed-forward layers draw a mask per slice of rows; on a GPU many slices are computed at
/// once.
void TestKernels::slices_have_the_masks_of_the_cpu() {
    const auto x = random({4, 3, 10}, 2);
    const auto run = [&](const at::Tensor& values, const model::MaskSlices& slices) {
        std::vector<at::Tensor> parts;
        model::in_dropout_slices(p, part_of_batch(), 4, slices, 0, 4,
                                 [&](auto begin, auto end, auto dropout) {
                                     const auto part = values.slice(0, begin, end);
                                     const auto kept = dropout.apply(part);
                                     QVERIFY(at::equal(dropout.gradient(part), kept));
                                     parts.push_back(kept.to(at::kCPU));
                                 });
        return at::cat(parts);
    };
    for (const std::int64_t slice : {1, 3, 7}) {
        const auto expected = run(x, slice);
        QVERIFY(at::equal(run(there(x), {slice, 100}), expected));
        QVERIFY(at::equal(run(there(x), {slice, slice + 1}), expected));
    }
}

void TestKernels::residual_and_norm_data() {
    QTest::addColumn<bool>("half_branch");
    QTest::addColumn<bool>("half");
    QTest::addColumn<int>("width");
    for (const int width : {32, 128}) {
        QTest::addRow("fp32, %d wide", width) << false << false << width;
        QTest::addRow("bf16, %d wide", width) << true << true << width;
        QTest::addRow("bf16, the last norm, %d wide", width) << true << false << width;
    }
}

/// Against LibTorch's operators in float64, with a mask of the CPU.
void TestKernels::residual_and_norm() {
    QFETCH(bool, half_branch);
    QFETCH(bool, half);
    QFETCH(int, width);
    constexpr double epsilon = 1e-5;
    const auto key = part_of_batch();
    const auto x = random({4, 9, width}, 3);
    const auto branch = random({4, 9, width}, 4, half_branch ? at::kBFloat16 : at::kFloat);
    const auto gamma = random({width}, 5), beta = random({width}, 6);
    const auto of_sum = random({4, 9, width}, 7);
    const auto of_normed = random({4, 9, width}, 8, half ? at::kBFloat16 : at::kFloat);

    std::vector<at::Tensor> inputs, expected;
    for (const auto& input : {x, branch, gamma, beta})
        inputs.push_back(input.to(at::kDouble).requires_grad_());
    const auto mask = model::dropout_masked(at::ones({4, 9, width}), p, key).to(at::kDouble);
    const auto sum = inputs[0] + mask * inputs[1];
    const auto normed = at::layer_norm(sum, {width}, inputs[2], inputs[3], epsilon);
    ((sum * of_sum).sum() + (normed * of_normed.to(at::kDouble)).sum()).backward();

    std::vector<at::Tensor> found;
    for (const auto& input : {x, branch, gamma, beta}) found.push_back(there(input).requires_grad_());
    const auto result =
        model::cuda::residual_norm(found[0], found[1], found[2], found[3], epsilon, p, key, half);
    QVERIFY(result);
    QCOMPARE(result->normed.scalar_type(), half ? at::kBFloat16 : at::kFloat);
    torch::autograd::backward({result->sum, result->normed}, {there(of_sum), there(of_normed)});
    QVERIFY(error(result->sum, sum) < 1e-6);
    QVERIFY(error(result->normed, normed) < (half ? bf16_error : 1e-5));
    QVERIFY(at::equal((found[1].grad() == 0).to(at::kCPU), mask == 0));
    for (std::size_t i = 0; i < 4; ++i) {
        QCOMPARE(found[i].grad().scalar_type(), found[i].scalar_type());
        const double allowed = i == 1 && half_branch ? bf16_error : 1e-5;
        QVERIFY2(error(found[i].grad(), inputs[i].grad()) < allowed,
                 std::to_string(error(found[i].grad(), inputs[i].grad())).c_str());
    }
}

void TestKernels::norm_without_branch() {
    auto x = random({70, 32}, 1), gamma = random({32}, 2), beta = random({32}, 3);
    const auto there_x = there(x).requires_grad_(), there_gamma = there(gamma).requires_grad_();
    const auto result = model::cuda::residual_norm(there_x, {}, there_gamma, there(beta), 1e-5, 0, 0, false);
    QVERIFY(result);
    QVERIFY(result->sum.is_same(there_x));
    result->normed.square().sum().backward();
    x.requires_grad_();
    gamma.requires_grad_();
    const auto expected = at::layer_norm(x, {32}, gamma, beta, 1e-5);
    expected.square().sum().backward();
    QVERIFY(error(result->normed, expected) < 1e-5);
    QVERIFY(error(there_x.grad(), x.grad()) < 1e-5);
    QVERIFY(error(there_gamma.grad(), gamma.grad()) < 1e-5);
}

void TestKernels::attention_data() {
    QTest::addColumn<int>("tokens");
    QTest::addColumn<int>("heads");
    QTest::addColumn<int>("width");
    QTest::addColumn<bool>("causal");
    QTest::newRow("part of a tile") << 5 << 3 << 16 << true;
    QTest::newRow("one tile, to all") << 16 << 2 << 16 << false;
    QTest::newRow("three steps") << 10 << 2 << 48 << true;
    QTest::newRow("five tiles") << 72 << 2 << 64 << true;
}

/// Against the CPU's in float64 of the same values, with the same mask.
void TestKernels::attention() {
    QFETCH(int, tokens);
    QFETCH(int, heads);
    QFETCH(int, width);
    QFETCH(bool, causal);
    const auto key = part_of_batch();
    auto x = random({4, tokens, 3 * heads * width}, 9, at::kBFloat16);
    const auto gradient = random({4, tokens, heads * width}, 10, at::kBFloat16);
    auto y = there(x).requires_grad_();
    const auto launches = pretend::kernel_launches();
    const auto function = causal ? model::causal_attention : model::full_attention;
    const auto found = function(y, heads, p, key);
    found.backward(there(gradient));
    QCOMPARE(pretend::kernel_launches() - launches, std::size_t{2});

    const auto parts = x.to(at::kDouble).requires_grad_();
    const auto split = parts.view({4, tokens, 3, heads, width}).permute({2, 0, 3, 1, 4});
    auto scores = at::matmul(split[0], split[1].transpose(2, 3)) / std::sqrt(width);
    if (causal) scores = scores.masked_fill(at::ones({tokens, tokens}, at::kBool).triu(1), -1e30);
    std::vector<at::Tensor> masks;
    const auto slice = std::max<std::int64_t>(1, (1 << 19) / (heads * tokens * tokens));
    model::in_dropout_slices(p, key, 4, slice, 0, 4, [&](auto begin, auto end, auto dropout) {
        masks.push_back(dropout.apply(at::ones({end - begin, heads, tokens, tokens})));
    });
    const auto expected =
        at::matmul(scores.softmax(-1) * at::cat(masks), split[2]).transpose(1, 2).flatten(2);
    expected.backward(gradient.to(at::kDouble));
    QVERIFY2(error(found, expected) < bf16_error, std::to_string(error(found, expected)).c_str());
    for (int part = 0; part < 3; ++part) {
        const auto of = [&](const at::Tensor& g) {
            return g.slice(2, part * heads * width, (part + 1) * heads * width);
        };
        const double worst = error(of(y.grad()), of(parts.grad()));
        QVERIFY2(worst < bf16_error, std::to_string(worst).c_str());
    }
}

/// Queries and keys of zero give equal probabilities, and values of the unit matrix show them.
void TestKernels::attention_drops_what_the_cpu_drops() {
    auto x = at::zeros({40, 16, 3, 2, 16}, at::kBFloat16);
    x.select(2, 2).copy_(at::eye(16).view({1, 16, 1, 16}).expand({40, 16, 2, 16}));
    const auto qkv = x.view({40, 16, 96});
    const auto expected = model::full_attention(qkv.to(at::kFloat), 2, p, 3);
    const auto found = model::full_attention(there(qkv), 2, p, 3);
    QVERIFY(at::equal((found == 0).to(at::kCPU), expected == 0));
    const double dropped = (expected == 0).to(at::kDouble).mean().item<double>();
    QVERIFY(dropped > 0.23 && dropped < 0.27);
}

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

}  // namespace

void TestKernels::a_run_with_dropout_is_the_cpus() {
    const QTemporaryDir dir;
    const test::fs::path place(dir.path().toStdString());
    auto config = shape_with_kernels(test::write_csv(place / "series.csv", test::small_rows, 3));
    test::run_in(place / "cpu", config);
    config.run.device = "auto";
    const auto launches = pretend::kernel_launches();
    test::run_in(place / "kernels", config);
    // Each step: an embedding's dropout, two of attention, and five norms; all but the first norm's twice.
    QVERIFY(pretend::kernel_launches() - launches > 4 * 15);
    const auto found = test::record_of(place / "kernels").steps.total;
    const auto expected = test::record_of(place / "cpu").steps.total;
    QCOMPARE(found.size(), std::size_t{4});
    for (std::size_t i = 0; i < found.size(); ++i)
        QVERIFY2(std::abs(found[i] - expected[i]) < 1e-4 * expected[i],
                 std::to_string(found[i] - expected[i]).c_str());
}

void TestKernels::a_run_in_bf16_uses_all() {
    const QTemporaryDir dir;
    const test::fs::path place(dir.path().toStdString());
    auto config = shape_with_kernels(test::write_csv(place / "series.csv", test::small_rows, 3));
    test::run_in(place / "cpu", config);
    config.run.device = "auto";
    config.run.precision = "bf16";
    (void)model::cuda::take_kernel_problem();
    test::run_in(place / "kernels", config);
    const auto problem = model::cuda::take_kernel_problem();
    QVERIFY2(problem.empty(), problem.c_str());
    const auto found = test::record_of(place / "kernels").steps.total;
    const auto expected = test::record_of(place / "cpu").steps.total;
    for (std::size_t i = 0; i < found.size(); ++i)
        QVERIFY(std::abs(found[i] - expected[i]) < 0.02 * expected[i]);
    test::run_in(place / "again", config);
    QVERIFY(test::record_of(place / "again").steps.total == found);
}

void TestKernels::what_is_not_there_is_told_once() {
    const auto x = there(random({2, 3, 64}, 1));
    QVERIFY(!model::cuda::residual_norm(x, {}, x[0][0], x[0][0], 1e-5, 0, 0, false));
    const auto problem = model::cuda::take_kernel_problem();
    QVERIFY2(problem.find("residual_norm is not compiled for -DWIDTH=64") != std::string::npos,
             problem.c_str());
    QCOMPARE(model::cuda::take_kernel_problem(), std::string());
    model::cuda::use_kernels(false);
    QVERIFY(!model::has_keyed_mask(x));
}

void TestKernels::nvrtc_compiles_them_data() {
    QTest::addColumn<QString>("source");
    QTest::addColumn<QString>("constants");
    QTest::addRow("dropout") << "dropout"
                             << "-DVALUE=float";
    for (const char* branch : {"float", "bf16"})
        for (const int width : {96, 768, 1024})
            QTest::addRow("norm of %d, %s", width, branch)
                << "residual_norm" << QString("-DWIDTH=%1 -DBRANCH=%2 -DOUT=%2").arg(width).arg(branch);
    QTest::addRow("last norm") << "residual_norm"
                               << "-DWIDTH=768 -DBRANCH=bf16 -DOUT=float";
    for (const int tokens : {72, 128})
        QTest::addRow("attention of %d", tokens)
            << "attention" << QString("-DTOKENS=%1 -DHEADS=12 -DHEAD_WIDTH=64 -DCAUSAL=1").arg(tokens);
    QTest::addRow("attention to all") << "attention"
                                      << "-DTOKENS=128 -DHEADS=12 -DHEAD_WIDTH=64 -DCAUSAL=0";
}

void TestKernels::nvrtc_compiles_them() {
    if (!model::cuda::has_nvrtc()) QSKIP("NVRTC (libnvrtc.so) is not installed");
    QFETCH(QString, source);
    QFETCH(QString, constants);
    for (const char* architecture : {"sm_80", "sm_90", "sm_100"}) {
        const auto compiled =
            model::cuda::compile_kernels(source.toStdString(), constants.toStdString(), architecture);
        QVERIFY(compiled.binary.size() > 1000);
        const QString log = QString::fromStdString(compiled.log);
        QVERIFY2(log.contains(" registers") &&
                     log.count("bytes spill stores") == log.count(" 0 bytes spill stores") &&
                     log.contains(" 0 bytes spill stores"),
                 compiled.log.c_str());
    }
}

QTEST_GUILESS_MAIN(TestKernels)
#include "test_kernels.moc"

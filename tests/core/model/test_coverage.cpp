// Properties of the coverage term (the paper's appendix on the coverage mechanism) and of selection.
#include <QtTest>

#include <torch/torch.h>

#include "model/coverage.h"
#include "model/retrieval.h"
#include "test_program.h"

using casp::model::Coverage;

namespace {

casp::config::Config::Coverage with_decay(double decay, std::int64_t warmup = 0) {
    casp::config::Config::Coverage settings;
    settings.decay = decay;
    settings.warmup = warmup;
    return settings;
}

at::Tensor similarities(std::int64_t rows, std::int64_t pool, std::uint64_t seed) {
    auto generator = at::detail::createCPUGenerator(seed);
    return at::empty({rows, pool}, at::kFloat).uniform_(-1, 1, generator);
}

}  // namespace

class TestCoverage : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void update_is_the_moving_average() {
        Coverage coverage(5, with_decay(0.9));
        const auto s1 = similarities(7, 5, 1);
        const auto s2 = similarities(7, 5, 2);
        coverage.update(s1, 0);
        coverage.update(s2, 0);
        const auto mean1 = s1.clamp_min(0).to(at::kDouble).mean(0);
        const auto mean2 = s2.clamp_min(0).to(at::kDouble).mean(0);
        const auto expected = 0.9 * 0.1 * mean1 + 0.1 * mean2;
        QVERIFY(at::allclose(coverage.statistic.to(at::kDouble), expected, 1e-6, 1e-7));
    }

    void warm_up_starts_with_the_mean_of_the_batch() {
        Coverage coverage(5, with_decay(0.8, 4));
        const auto s1 = similarities(7, 5, 1), s2 = similarities(7, 5, 2), s3 = similarities(7, 5, 3);
        const auto mean = [](const at::Tensor& s) { return s.clamp_min(0).mean(0); };
        coverage.update(s1, 0);
        QVERIFY(at::equal(coverage.statistic, mean(s1)));
        coverage.update(s2, 1);  // β = 0.8 / 4
        const auto second = 0.2 * mean(s1) + 0.8 * mean(s2);
        QVERIFY(at::allclose(coverage.statistic, second, 1e-6, 1e-7));
        coverage.update(s3, 4);  // from here on the whole decay
        QVERIFY(at::allclose(coverage.statistic, 0.8 * second + 0.2 * mean(s3), 1e-6, 1e-7));
    }

    void gradient_is_one_over_rows_inside_the_gate_and_zero_elsewhere() {
        Coverage coverage(4, with_decay(0.99));
        coverage.statistic.copy_(at::tensor({0.0F, 0.3F, 0.3F, 0.5F}));
        // Row 0: below zero, at zero, inside, at the statistic. Row 1: above, inside, above, inside.
        const auto s = at::tensor({-0.2F, 0.0F, 0.2F, 0.5F, 0.1F, 0.29F, 0.31F, 0.01F})
                           .view({2, 4})
                           .set_requires_grad(true);
        const auto gate = coverage.gate(s);
        gate.loss.backward();
        const auto expected = at::tensor({0.0F, 0.0F, 0.5F, 0.0F, 0.0F, 0.5F, 0.0F, 0.5F}).view({2, 4});
        QVERIFY(at::equal(s.grad(), expected));
        QCOMPARE(gate.active_pairs.item<std::int64_t>(), 3);
    }

    void statistic_has_no_gradient() {
        Coverage coverage(6, with_decay(0.9));
        const auto s = similarities(8, 6, 3).set_requires_grad(true);
        coverage.update(s, 0);
        QVERIFY(!coverage.statistic.requires_grad());
        coverage.gate(s).loss.backward();
        // Were the statistic differentiable, saturated pairs with s > 0 would have a gradient of (1 -
        // β)/rows.
        const auto saturated = s.detach() >= coverage.statistic;
        QVERIFY(saturated.any().item<bool>());
        QVERIFY(
            at::equal(s.grad().masked_select(saturated), at::zeros({saturated.sum().item<std::int64_t>()})));
    }

    void pressure_is_bounded() {
        constexpr double lambda = 0.1;
        Coverage coverage(50, with_decay(0.5));
        for (std::uint64_t seed = 0; seed < 20; ++seed) coverage.update(similarities(16, 50, seed), 0);
        const auto s = similarities(16, 50, 99).set_requires_grad(true);
        (lambda * coverage.gate(s).loss).backward();
        const double bound = lambda / 16;
        QVERIFY(s.grad().min().item<double>() >= 0);
        QVERIFY(s.grad().max().item<double>() <= bound * (1 + 1e-6));
        QVERIFY(s.grad().sum(0).max().item<double>() <= lambda * (1 + 1e-5));
        QVERIFY(s.grad().max().item<double>() > 0);
    }

    /// Against LibTorch's own gradient of the equation, in which c̃ is a function of the batch.
    void without_stop_gradient_saturated_pairs_are_pressed() {
        for (const std::string name : {"min", "product"}) {
            auto settings = with_decay(0.9);
            settings.gate = name;
            settings.stop_gradient = false;
            Coverage coverage(6, settings);
            coverage.update(similarities(8, 6, 2), 0);
            const auto before = coverage.statistic.to(at::kDouble);
            const auto s = similarities(8, 6, 3).set_requires_grad(true);
            coverage.update(s, 1);
            coverage.gate(s).loss.backward();
            const auto x = s.detach().to(at::kDouble).set_requires_grad(true);
            const auto positive = at::relu(x);
            const auto c = 0.9 * before + 0.1 * positive.mean(0);
            const auto value = name == "min" ? at::minimum(positive, c) : positive * c;
            (value.sum() / 8.0).backward();
            QVERIFY2(at::allclose(s.grad().to(at::kDouble), x.grad(), 1e-5, 1e-7), name.c_str());
            QVERIFY(at::allclose(coverage.statistic.to(at::kDouble), c.detach(), 1e-6, 1e-7));
            // The next step does not reach back.
            coverage.update(similarities(8, 6, 4), 2);
            QVERIFY(!coverage.statistic.requires_grad());
        }
    }

    void gates_press_on_what_their_equations_say() {
        const auto gradient = [](const std::string& name, std::int64_t& active) {
            auto settings = with_decay(0.9);
            settings.gate = name;
            Coverage coverage(4, settings);
            coverage.statistic.copy_(at::tensor({0.1F, 0.2F, 0.4F, 0.0F}));  // mean 0.175
            const auto s = at::tensor({0.15F, 0.15F, 0.15F, 0.15F, -0.1F, 0.3F, 0.3F, 0.0F})
                               .view({2, 4})
                               .set_requires_grad(true);
            const auto gate = coverage.gate(s);
            gate.loss.backward();
            active = gate.active_pairs.item<std::int64_t>();
            return s.grad() * 2;  // rows
        };
        std::int64_t active = 0;
        const auto is = [&](const std::string& name, std::initializer_list<float> expected) {
            return at::allclose(gradient(name, active).flatten(), at::tensor(std::vector<float>(expected)));
        };
        QVERIFY(is("min", {0, 1, 1, 0, 0, 0, 1, 0}));
        QCOMPARE(active, 3);
        QVERIFY(is("product", {0.1F, 0.2F, 0.4F, 0, 0, 0.2F, 0.4F, 0}));
        QCOMPARE(active, 5);
        QVERIFY(is("threshold", {0, 1, 1, 0, 0, 1, 1, 0}));
        QCOMPARE(active, 4);
        QVERIFY(is("none", {1, 1, 1, 1, 0, 1, 1, 0}));
        QCOMPARE(active, 6);
    }

    void gate_does_not_change_the_statistic() {
        Coverage coverage(6, with_decay(0.9));
        coverage.update(similarities(8, 6, 3), 0);
        const auto before = coverage.statistic.clone();
        QVERIFY(coverage.gate(similarities(8, 6, 4)).loss.item<double>() > 0);
        QVERIFY(at::equal(before, coverage.statistic));
    }

    void loss_is_the_sum_of_minima() {
        Coverage coverage(30, with_decay(0.5));
        coverage.update(similarities(16, 30, 5), 0);
        const auto s = similarities(16, 30, 6);
        const auto expected =
            at::minimum(s.clamp_min(0), coverage.statistic).to(at::kDouble).sum().item<double>() / 16;
        QVERIFY(std::abs(coverage.gate(s).loss.item<double>() - expected) <= 1e-6 * expected);
    }

    void top_k_is_descending_and_its_loss_counts_each_anchor() {
        const auto s = at::tensor({0.1F, 0.9F, -0.5F, 0.4F, 0.8F, 0.2F, 0.7F, 0.3F})
                           .view({2, 4})
                           .set_requires_grad(true);
        const auto selection = casp::model::retrieve_top_k(s, 2);
        QVERIFY(at::equal(selection.index, at::tensor({1, 3, 0, 2}, at::kLong).view({2, 2})));
        const auto loss = casp::model::similarity_loss(selection);
        QVERIFY(std::abs(loss.item<double>() - (0.1 + 0.6 + 0.2 + 0.3) / 2) < 1e-6);
        loss.backward();
        QVERIFY(at::equal(s.grad(),
                          at::tensor({0.0F, -0.5F, 0.0F, -0.5F, -0.5F, 0.0F, -0.5F, 0.0F}).view({2, 4})));
    }
};

TEST_MAIN_WITHOUT_GUI(TestCoverage)
#include "test_coverage.moc"

// Properties of the variants of CASP-LLM: MMR, replaced anchors, usage-balancing losses. Values:
// test_golden.cpp.
#include <cmath>
#include <set>

#include <QtTest>

#include <torch/torch.h>

#include "model/anchor_pool.h"
#include "model/casp_llm.h"
#include "model/retrieval.h"
#include "test_program.h"

using namespace casp;

namespace {

at::Tensor values(at::IntArrayRef shape, std::uint64_t seed) {
    auto generator = at::detail::createCPUGenerator(seed);
    return at::empty(shape, at::kFloat).uniform_(-1, 1, generator);
}

config::Config small_casp() {
    config::Config c;
    c.data.lookback = 32;
    c.data.horizon = 4;
    c.model.patch_length = 8;
    c.model.patch_stride = 4;
    c.model.trend_length = 5;
    c.model.seasonal_length = 4;
    c.model.pool_size = 20;
    c.model.top_k = 3;
    c.backbone = {"untrained", 1, 24, 2, 50, 16, 0.0, 0, "gpt2"};
    return c;
}

model::Forecast first_step(const config::Config& settings) {
    model::CaspLlm model(settings, 2);
    const model::TrainingStep step{1, 0};
    return model.forward(values({4, 32, 2}, 5), &step, true);
}

const model::LossTerm* find_term(const model::Forecast& forecast, const std::string& name) {
    for (const auto& term : forecast.terms)
        if (term.name == name) return &term;
    return nullptr;
}

}  // namespace

class TestVariants : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void mmr_of_alpha_1_is_top_k() {
        const auto keys = model::l2_normalise(values({40, 6}, 1));
        const auto s = model::anchor_similarity(values({30, 6}, 2), keys).set_requires_grad(true);
        const auto greedy = model::retrieve_mmr(s, keys, 7, 1.0);
        const auto top = model::retrieve_top_k(s, 7);
        QVERIFY(at::equal(greedy.index, top.index));
        QVERIFY(at::equal(greedy.similarity, top.similarity));
        QVERIFY(greedy.similarity.requires_grad());
        QVERIFY(!at::equal(model::retrieve_mmr(s, keys, 7, 0.3).index, top.index));
    }

    void mmr_begins_with_the_most_similar() {
        const auto keys = model::l2_normalise(values({40, 6}, 3));
        const auto s = model::anchor_similarity(values({30, 6}, 4), keys);
        for (const double alpha : {0.0, 0.5, 1.0}) {
            const auto index = model::retrieve_mmr(s, keys, 5, alpha).index;
            QVERIFY(at::equal(index.select(1, 0), s.argmax(1)));
            for (std::int64_t row = 0; row < 30; ++row) {
                const auto* chosen = index.data_ptr<std::int64_t>() + row * 5;
                QCOMPARE((std::set<std::int64_t>(chosen, chosen + 5)).size(), std::size_t{5});
            }
        }
        QVERIFY(at::equal(model::retrieve_mmr(s, keys, 1, 0.5).index, s.argmax(1, true)));
    }

    void mmr_avoids_a_duplicate() {
        // Anchors 0 and 1 are nearly the same; 2 is at a right angle.
        const auto keys = model::l2_normalise(at::tensor({1.0F, 0.0F, 1.0F, 0.01F, 0.0F, 1.0F}).view({3, 2}));
        const auto s = at::tensor({0.9F, 0.8F, 0.3F}).view({1, 3});
        const auto second = [&](double alpha) {
            return model::retrieve_mmr(s, keys, 2, alpha).index[0][1].item<std::int64_t>();
        };
        // α·0.8 − (1−α)·1 against α·0.3: equal at α = 2/3.
        QCOMPARE(second(0.6), 2);
        QCOMPARE(second(0.7), 1);
        QCOMPARE(second(0.0), 2);
    }

    void mmr_prefers_the_lower_index() {
        const auto keys = at::eye(4, at::kFloat);
        const auto s = at::full({2, 4}, 0.5, at::kFloat);
        const auto expected = at::arange(4, at::kLong).expand({2, 4});
        QVERIFY(at::equal(model::retrieve_mmr(s, keys, 4, 0.5).index, expected));
    }

    void permutation_has_every_anchor_once() {
        const auto order = model::anchor_permutation(1000, 2021);
        QVERIFY(at::equal(std::get<0>(order.sort()), at::arange(1000, at::kLong)));
        QVERIFY(at::equal(order, model::anchor_permutation(1000, 2021)));
        QVERIFY(!at::equal(order, model::anchor_permutation(1000, 2022)));
        const auto fixed = (order == at::arange(1000, at::kLong)).sum().item<std::int64_t>();
        QVERIFY2(fixed < 10, qPrintable(QString::number(fixed)));  // 1 expected
    }

    void random_anchors_are_distinct_and_uniform() {
        const std::int64_t n = 6000, k = 3, pool = 20;
        const auto index = model::random_anchors(values({n, 16}, 6), k, pool, 1, std::nullopt);
        QVERIFY(index.sizes() == at::IntArrayRef({n, k}));
        const auto sorted = std::get<0>(index.sort(1));
        QVERIFY((sorted.slice(1, 1) > sorted.slice(1, 0, k - 1)).all().item<bool>());
        // Every rank by itself: χ² of 19 degrees of freedom, 99.99 % below 50.8.
        for (std::int64_t rank = 0; rank < k; ++rank) {
            const auto counts = at::zeros({pool}, at::kLong);
            model::count_retrievals(counts, index.select(1, rank));
            const double expected = static_cast<double>(n) / static_cast<double>(pool);
            const auto chi = (counts.to(at::kDouble) - expected).square().sum().item<double>() / expected;
            QVERIFY2(chi < 50.8, qPrintable(QString::number(chi)));
        }
    }

    void random_anchors_do_not_depend_on_the_batch() {
        const auto rows = values({9, 16}, 7);
        const auto all = model::random_anchors(rows, 4, 30, 5, std::nullopt);
        const auto part = model::random_anchors(rows.slice(0, 4, 7), 4, 30, 5, std::nullopt);
        QVERIFY(at::equal(part, all.slice(0, 4, 7)));
        const auto reversed = model::random_anchors(rows.flip(0), 4, 30, 5, std::nullopt);
        QVERIFY(at::equal(reversed.flip(0), all));
        QVERIFY(!at::equal(model::random_anchors(rows, 4, 30, 6, std::nullopt), all));
        auto other = rows.clone();
        other[0][15].add_(1e-6F);  // the last value counts, and the order of values
        QVERIFY(!at::equal(model::random_anchors(other, 4, 30, 5, std::nullopt)[0], all[0]));
        QVERIFY(!at::equal(model::random_anchors(rows.flip(1).contiguous(), 4, 30, 5, std::nullopt), all));
    }

    void random_anchors_of_steps_differ() {
        const auto rows = values({9, 16}, 8);
        const auto at_step = [&](std::optional<std::int64_t> step) {
            return model::random_anchors(rows, 4, 30, 5, step);
        };
        QVERIFY(at::equal(at_step(3), at_step(3)));
        QVERIFY(!at::equal(at_step(3), at_step(4)));
        QVERIFY(!at::equal(at_step(0), at_step(std::nullopt)));
    }

    void usage_without_similarity_is_uniform() {
        const auto s = at::full({3, 8}, -0.5, at::kFloat).set_requires_grad(true);
        const auto usage = model::soft_usage(s);
        QVERIFY(at::allclose(usage, at::full({8}, 0.125, at::kDouble), 0, 1e-15));
        QVERIFY(std::abs(model::entropy_loss(usage).item<double>() + std::log(8.0)) < 1e-6);
        model::entropy_loss(usage).backward();
        QVERIFY(at::equal(s.grad(), at::zeros({3, 8})));
        // An anchor that no row has similarity with: finite, and no gradient where s <= 0.
        auto mixed = at::tensor({-0.1F, 0.0F, 0.3F, 0.2F}).view({1, 4}).set_requires_grad(true);
        model::entropy_loss(model::soft_usage(mixed)).backward();
        QVERIFY(at::isfinite(mixed.grad()).all().item<bool>());
        QVERIFY(at::equal(mixed.grad()[0].slice(0, 0, 2), at::zeros({2})));
        QVERIFY((mixed.grad()[0].slice(0, 2, 4) != 0).all().item<bool>());
    }

    void entropy_and_kl_have_the_same_gradient() {
        const auto gradient = [](auto loss) {
            const auto s = values({6, 30}, 9).set_requires_grad(true);
            const auto value = loss(model::soft_usage(s));
            value.backward();
            return std::pair(value.template item<double>(), s.grad());
        };
        const auto [entropy, of_entropy] = gradient(model::entropy_loss);
        const auto [divergence, of_kl] = gradient(model::kl_uniform_loss);
        QVERIFY(at::equal(of_entropy, of_kl));
        QVERIFY((of_kl != 0).any().item<bool>());
        QVERIFY(divergence > 0 && entropy < 0);
        QVERIFY(std::abs(divergence - entropy - std::log(30.0)) < 1e-5);
    }

    void switch_is_1_at_uniform_usage() {
        const auto uniform = at::full({6}, 1.0 / 6, at::kDouble);
        const auto skewed = at::tensor({0.5, 0.3, 0.1, 0.1, 0.0, 0.0}, at::kDouble);
        const auto even = at::arange(6, at::kLong).view({3, 2});
        const auto one = at::zeros({3, 1}, at::kLong);
        QCOMPARE(model::switch_loss(uniform, even).item<float>(), 1.0F);
        QCOMPARE(model::switch_loss(uniform, one).item<float>(), 1.0F);
        QCOMPARE(model::switch_loss(skewed, even).item<float>(), 1.0F);
        QCOMPARE(model::switch_loss(skewed, one).item<float>(), 3.0F);
    }

    void shuffled_anchors_replace_the_prefix_only() {
        auto settings = small_casp();
        const auto semantic = first_step(settings);
        settings.model.anchors = "shuffled";
        const auto shuffled = first_step(settings);
        const auto order = model::anchor_permutation(20, static_cast<std::uint64_t>(settings.train.seed));
        QVERIFY(at::equal(shuffled.retrieved, order.take(semantic.retrieved)));
        const auto usage = [](const at::Tensor& index) {
            const auto counts = at::zeros({20}, at::kLong);
            model::count_retrievals(counts, index);
            return counts;
        };
        QVERIFY(at::equal(usage(shuffled.retrieved).take(order), usage(semantic.retrieved)));
        for (const auto* name : {"similarity", "coverage"})
            QVERIFY(at::equal(find_term(shuffled, name)->value, find_term(semantic, name)->value));
        QVERIFY(!at::equal(shuffled.trace->prefix, semantic.trace->prefix));
        QVERIFY(!at::equal(shuffled.prediction, semantic.prediction));
    }

    void random_anchors_replace_the_prefix_only() {
        auto settings = small_casp();
        const auto semantic = first_step(settings);
        settings.model.anchors = "random";
        const auto drawn = first_step(settings);
        for (const auto* name : {"similarity", "coverage"})
            QVERIFY(at::equal(find_term(drawn, name)->value, find_term(semantic, name)->value));
        // In evaluation a window's anchors are its own, in a batch and alone, of all channels or one.
        model::CaspLlm model(settings, 2);
        const torch::NoGradGuard no_gradient;
        const auto windows = values({4, 32, 2}, 5);
        const auto all = model.forward(windows, nullptr, false);
        const auto alone = model.forward(windows.slice(0, 2, 3), nullptr, false);
        QVERIFY(at::equal(alone.retrieved, all.retrieved.slice(0, 4, 6)));
        const auto channel = model.look(windows.slice(0, 2, 3).slice(2, 1, 2));
        QVERIFY(at::equal(channel.retrieved, all.retrieved.slice(0, 5, 6)));
        QVERIFY(!at::equal(all.retrieved, drawn.retrieved));
        const auto cosine = model::mean_pairwise_cosine(model.compute_anchors().keys, all.retrieved);
        QVERIFY(at::equal(all.key_cosine, cosine));
    }

    void terms_have_their_own_names_data() {
        QTest::addColumn<QString>("term");
        QTest::addColumn<QString>("name");
        QTest::newRow("entropy") << "entropy"
                                 << "entropy";
        QTest::newRow("KL") << "kl-uniform"
                            << "kl_uniform";
        QTest::newRow("Switch") << "switch"
                                << "switch";
    }

    void terms_have_their_own_names() {
        QFETCH(QString, term);
        QFETCH(QString, name);
        auto settings = small_casp();
        settings.coverage.term = term.toStdString();
        settings.loss.lambda_cov = 0.25;
        model::CaspLlm model(settings, 2);
        const model::TrainingStep step{1, 0};
        const auto forecast = model.forward(values({4, 32, 2}, 5), &step, false);
        QCOMPARE(forecast.terms.size(), std::size_t{2});
        const auto* found = find_term(forecast, name.toStdString());
        QVERIFY(found != nullptr);
        QCOMPARE(found->weight, 0.25);
        QVERIFY(found->value.requires_grad());
        QVERIFY(!forecast.active_pairs.defined());
        QVERIFY((model.coverage_statistic() > 0).any().item<bool>());  // tracked all the same
    }

    void checkpoints_have_the_same_tensors() {
        const auto names = [](const config::Config& settings) {
            model::CaspLlm model(settings, 2);
            QStringList list;
            for (const auto& tensors : {model.trainable(), model.frozen(), model.state()})
                for (const auto& [name, tensor] : tensors)
                    list << QString::fromStdString(name + " " + std::to_string(tensor.numel()));
            return list;
        };
        const auto plain = names(small_casp());
        for (const auto* anchors : {"shuffled", "random"}) {
            auto settings = small_casp();
            settings.model.anchors = anchors;
            settings.selection.rule = "mmr";
            settings.coverage.term = "switch";
            settings.coverage.warmup = 5;
            QCOMPARE(names(settings), plain);
        }
    }
};

TEST_MAIN_WITHOUT_GUI(TestVariants)
#include "test_variants.moc"

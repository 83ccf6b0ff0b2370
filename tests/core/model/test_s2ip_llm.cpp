// S2IP-LLM: against the oracle with the public code's loss, and what it shares with CASP-LLM.
#include <QtTest>

#include <torch/torch.h>

#include "golden/model_golden.h"
#include "model/casp_llm_shape.h"
#include "model/descriptor.h"
#include "model/factory.h"
#include "test_program.h"

using namespace casp;

class TestS2ipLlm : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void golden_data() { test::name_rows("name", {"k4", "k1_one_channel"}); }
    void golden() {
        QFETCH(QString, name);
        const test::ModelGolden golden(std::filesystem::path(CASP_SOURCE_DIR) / "tests/golden/s2ip_llm" /
                                       (name.toStdString() + ".safetensors"));
        auto config = test::golden_config(golden.config, "s2ip-llm");
        config.loss.lambda_sim = -golden.config.at("sim_coef").get<double>();
        const auto model = model::make_model(config, {.channels = golden.config.at("channels")});
        golden.load(*model);

        const auto forecast = test::compare_forecasts(golden, *model);
        test::compare_golden("similarity", forecast.trace->similarity, golden.get("similarity"),
                             test::forward_bound);
        QVERIFY(at::equal(forecast.retrieved, golden.get("selected")));
        const auto mse = at::mse_loss(forecast.prediction, golden.get("target"));
        test::compare_golden("loss.forecast", mse, golden.get("loss.forecast"), test::forward_bound);
        // One term, K − R, with the public code's gradient.
        QCOMPARE(forecast.terms.size(), std::size_t{1});
        const auto& term = forecast.terms[0];
        QCOMPARE(term.name, std::string("similarity"));
        test::compare_golden("K - R", static_cast<double>(config.model.top_k) - term.value,
                             golden.get("retrieved"), test::forward_bound);
        (mse + term.weight * term.value).backward();
        test::compare_step(golden, *model);
    }

    void tensors_are_casp_llms_without_coverage() {
        config::Config etth1;
        etth1.model.name = "s2ip-llm";
        const auto e = model::estimate(etth1, {.rows = 7, .channels = 7});
        QCOMPARE(e.parameters_trainable, 52871600);
        QCOMPARE(e.parameters_total, 133977776);
        etth1.backbone.vocabulary = 60;  // the names do not depend on it
        etth1.backbone.width = 24;
        etth1.model.pool_size = 9;
        const auto s2ip = model::make_model(etth1, {.channels = 7});
        etth1.model.name = "casp-llm";
        const auto casp_llm = model::make_model(etth1, {.channels = 7});
        const auto a = s2ip->trainable(), b = casp_llm->trainable();
        QCOMPARE(a.size(), b.size());
        for (std::size_t i = 0; i < a.size(); ++i) {
            QCOMPARE(a[i].name, b[i].name);
            QVERIFY2(at::equal(a[i].value, b[i].value), a[i].name.c_str());
        }
        QVERIFY(s2ip->state().empty() && casp_llm->state().size() == 1);
        QVERIFY(s2ip->anchors() != nullptr && !s2ip->anchors()->coverage_statistic().defined());
    }

    void s2ip_llm_overrides_variant_settings() {
        config::Config config;
        config.model.name = "s2ip-llm";
        config.model.prompt = false;
        config.model.decomposition = false;
        config.model.head_ways = 1;
        config.model.instance_norm_affine = true;
        config.model.anchors = "random";
        config.selection.rule = "mmr";
        const auto s = model::as_s2ip_llm(config);
        QVERIFY(s.model.prompt && s.model.decomposition && !s.coverage.enabled &&
                !s.model.instance_norm_affine);
        QCOMPARE(s.model.head_ways, 3);
        QCOMPARE(s.model.anchors, std::string("semantic"));
        QCOMPARE(s.selection.rule, std::string("top-k"));
        const auto reads = [&](const char* key) { return model::reads(config, *config::find_option(key)); };
        for (const char* key : {"model.prompt", "model.head_ways", "model.anchors", "selection.rule",
                                "coverage.enabled", "loss.lambda_cov"})
            QVERIFY2(!reads(key), key);
        for (const char* key : {"model.top_k", "model.pool_size", "loss.lambda_sim", "backbone.path"})
            QVERIFY2(reads(key), key);
        QVERIFY(!model::has_coverage(config));
        QVERIFY(model::capabilities(config).anchors);
        QVERIFY(config::contradictions(config).empty());
        config.model.top_k = config.model.pool_size + 1;
        QVERIFY(!config::contradictions(config).empty());
    }
};

TEST_MAIN_WITHOUT_GUI(TestS2ipLlm)
#include "test_s2ip_llm.moc"

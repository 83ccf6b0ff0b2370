// What whole runs measure on request: gradient norms, and errors with damaged look-backs.
#include <algorithm>
#include <cmath>
#include <map>

#include <QtTest>

#include "resume_fixture.h"
#include "test_program.h"

using namespace casp;
using test::run_in;
namespace fs = std::filesystem;

class TestMeasurements : public test::ResumeFixture {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { prepare(); }

    /// Steps 1, 4, 7, …; the training itself has the same bits.
    void gradient_norms_change_nothing() {
        run_in(folder("gradients"), with_gradients());
        const auto difference = test::run_difference(folder("plain"), folder("gradients"));
        QVERIFY2(difference.empty(), difference.c_str());
        const auto gradients = test::record_of(folder("gradients")).gradients;
        QCOMPARE(gradients.step, (std::vector<std::int64_t>{1, 4, 7, 10, 13}));
        QCOMPARE(gradients.norms.size(), std::size_t{3});
        const std::vector<std::string> names{"forecast", "similarity", "coverage"};
        for (std::size_t i = 0; i < names.size(); ++i) {
            QCOMPARE(gradients.norms[i].name, names[i]);
            QCOMPARE(gradients.norms[i].values.size(), gradients.step.size());
            for (const double norm : gradients.norms[i].values) QVERIFY(std::isfinite(norm) && norm >= 0);
            QVERIFY(gradients.norms[i].values.back() > 0);
        }
        QVERIFY(test::record_of(folder("plain")).gradients.step.empty());
    }

    void gradient_norms_are_weighted() {
        auto config = with_gradients();
        config.loss.lambda_cov = 0;
        run_in(folder("without"), config);
        const auto norms = test::record_of(folder("without")).gradients.norms;
        QCOMPARE(norms.at(2).values, std::vector<double>(5, 0.0));
        config.loss.lambda_sim *= 2;  // the first step is the same but for the weight
        run_in(folder("doubled"), config);
        const double one = norms.at(1).values.front();
        const double two = test::record_of(folder("doubled")).gradients.norms.at(1).values.front();
        QVERIFY(one > 0 && std::abs(two - 2 * one) <= 1e-9 * one);
    }

    /// A resumed run has each step once.
    void gradient_norms_survive_an_interruption() {
        (void)stop_after(folder("resumed"), with_gradients(), 6, train::StopRequest::interrupt);
        run_in(folder("resumed"), with_gradients(), true);
        const auto one = test::record_of(folder("gradients")).gradients;
        const auto two = test::record_of(folder("resumed")).gradients;
        QCOMPARE(two.step, one.step);
        for (std::size_t i = 0; i < one.norms.size(); ++i) QCOMPARE(two.norms[i].values, one.norms[i].values);
    }

    void damaged_look_backs_are_tested_beside_the_others() {
        auto config = settings();
        config.run.lookback_checks = true;
        const auto row = run_in(folder("checked"), config);
        const auto plain = test::record_of(folder("plain")), checked = test::record_of(folder("checked"));
        QVERIFY(test::same_bits(plain.test->mse, checked.test->mse));
        QVERIFY(std::isnan(plain.test->shuffled_mse) && std::isnan(checked.val->shuffled_mse));
        for (const auto& [in_row, in_file] :
             {std::pair{row.test_mse_shuffled, checked.test->shuffled_mse},
              std::pair{row.test_mse_masked, checked.test->masked_mse},
              std::pair{row.test_mse_exchanged, checked.test->exchanged_mse}}) {
            QVERIFY(std::isfinite(in_file) && in_file != checked.test->mse);
            QVERIFY(test::same_bits(in_row, in_file));
        }
    }

    /// Random blocks around the words of a file: the origin says so, and the words are kept with the run.
    void random_backbone_keeps_the_words_of_its_file() {
        const auto file = fs::path(CASP_SOURCE_DIR) / "tests/golden/gpt2_tiny/model.safetensors";
        auto config = settings();
        config.train.epochs = 1;
        config.model.head_ways = 1;
        config.backbone.path = file.string();
        config.backbone.layers = 2;
        config.backbone.width = 20;
        config.backbone.vocabulary = 61;
        config.backbone.positions = 16;
        config.run.frozen_weights = "omit";
        const auto tensor = [](const std::map<std::string, std::string>& tensors, const std::string& name) {
            const auto found = std::find_if(tensors.begin(), tensors.end(), [&](const auto& one) {
                return one.first.find(name) != std::string::npos;
            });
            return found == tensors.end() ? std::string() : found->second;
        };
        const auto of_file = test::tensors_of(file);
        for (const std::string kind : {"gpt2", "random"}) {
            config.backbone.kind = kind;
            run_in(folder(kind), config);
            QCOMPARE(test::record_of(folder(kind)).attributes.backbone,
                     kind == "gpt2" ? "unknown-checkpoint" : "unknown-checkpoint-words");
            const auto tensors = test::tensors_of(folder(kind) / "best.safetensors");
            QVERIFY(!tensor(of_file, "wte.weight").empty());
            QCOMPARE(tensor(tensors, "wte.weight"), tensor(of_file, "wte.weight"));
            QVERIFY(!tensor(tensors, "h.0.mlp.c_fc.weight").empty());
            QCOMPARE(tensor(tensors, "h.0.mlp.c_fc.weight") == tensor(of_file, "h.0.mlp.c_fc.weight"),
                     kind == "gpt2");
        }
    }

private:
    [[nodiscard]] config::Config with_gradients() const {
        auto config = settings();
        config.run.gradient_steps = 3;
        return config;
    }
};

TEST_MAIN_WITHOUT_GUI(TestMeasurements)
#include "test_measurements.moc"

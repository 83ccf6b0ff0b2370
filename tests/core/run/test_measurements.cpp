// What whole runs measure on request: gradient norms, and errors with damaged look-backs.
#include <cmath>

#include <QtTest>

#include "resume_fixture.h"
#include "test_program.h"

using namespace casp;
using test::run_in;

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

private:
    [[nodiscard]] config::Config with_gradients() const {
        auto config = settings();
        config.run.gradient_steps = 3;
        return config;
    }
};

TEST_MAIN_WITHOUT_GUI(TestMeasurements)
#include "test_measurements.moc"

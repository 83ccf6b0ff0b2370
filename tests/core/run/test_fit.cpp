// Proposals of run::fit_to_time(): in time, no larger than what was asked, and with reasons.
#include <algorithm>

#include <QtTest>

#include "run/fit.h"
#include "test_program.h"
#include "util/error.h"

using namespace casp;

namespace {

constexpr double ten_minutes = 600;

/// ETTm2's size, from a file of one's own.
const run::DataFacts ettm2{69680, 7, nullptr};

config::Config defaults() {
    config::Config config;
    config.data.path = "/data/mine.csv";
    return config;
}

run::RateFunction rate(double flop_rate) {
    return [=](const config::Config&) { return flop_rate; };
}

/// `before` with the proposal's changes.
config::Config applied(config::Config before, const run::Fit& fit) {
    for (const auto& change : fit.changes) config::set(before, change.key, change.after);
    return before;
}

bool changes(const run::Fit& fit, const char* key) {
    return std::any_of(fit.changes.begin(), fit.changes.end(), [&](const auto& c) { return c.key == key; });
}

}  // namespace

class TestFit : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void a_default_on_two_cores_becomes_small() {
        const auto config = defaults();
        const auto fit = run::fit_to_time(config, ettm2, {}, rate(5e10));
        QVERIFY(fit.seconds_before > 20 * 86400.0);
        QVERIFY(fit.in_time && fit.seconds <= ten_minutes && fit.seconds > ten_minutes / 4);
        const auto small = applied(config, fit);
        QVERIFY(config::contradictions(small).empty());
        run::Machine machine;
        machine.flop_rate = 5e10;
        QCOMPARE(run::preview(small, ettm2, machine).longest_seconds, fit.seconds);
        QCOMPARE(small.backbone.path, std::string("untrained"));
        QVERIFY(small.data == config.data);
        QVERIFY(small.loss == config.loss && small.coverage == config.coverage && small.run == config.run);
        for (const auto& change : fit.changes) {
            QVERIFY2(!change.gives_up.empty(), change.key.c_str());
            QVERIFY(change.before == config::get(config, change.key) && change.before != change.after);
        }
    }

    void a_fast_device_keeps_gpt2() {
        const auto fit = run::fit_to_time(defaults(), ettm2, {}, rate(1e14));
        QVERIFY(fit.in_time && fit.seconds <= ten_minutes);
        QCOMPARE(fit.changes.size(), std::size_t{1});
        QCOMPARE(fit.changes[0].key, std::string("train.epochs"));
    }

    void the_closest_proposal_is_taken() {
        // The faster the device, the more of the model stays.
        std::int64_t width = 0;
        for (const double speed : {2e10, 5e10, 5e11, 2e13}) {
            const auto fit = run::fit_to_time(defaults(), ettm2, {}, rate(speed));
            QVERIFY(fit.in_time);
            const auto now = applied(defaults(), fit).backbone.width;
            QVERIFY2(now >= width, qPrintable(QString::number(speed)));
            width = now;
        }
        QCOMPARE(width, std::int64_t{768});
        // A device on which narrow backbones are slower still gets a proposal in time.
        const auto narrow = [](const config::Config& c) {
            return 1e8 * static_cast<double>(c.backbone.width);
        };
        QVERIFY(run::fit_to_time(defaults(), ettm2, {}, narrow).seconds <= ten_minutes);
    }

    void what_is_fast_enough_stays() {
        auto config = defaults();
        config.model.name = "dlinear";
        const auto fit = run::fit_to_time(config, ettm2, {}, rate(1e12));
        QVERIFY(fit.changes.empty() && fit.in_time);
        QVERIFY(fit.seconds == fit.seconds_before && fit.seconds <= ten_minutes);
    }

    void a_batch_that_does_not_fit_is_reduced() {
        run::Machine machine;
        machine.memory_available = std::int64_t{16} << 30;
        auto config = defaults();
        config.train.batch_size = 1024;
        const auto fit = run::fit_to_time(config, ettm2, machine, rate(1e14));
        QVERIFY(fit.in_time && changes(fit, "train.batch_size"));
        machine.flop_rate = 1e14;
        QVERIFY(run::preview(applied(config, fit), ettm2, machine).fits);
    }

    void too_little_memory_is_said() {
        run::Machine machine;
        machine.memory_available = std::int64_t{1} << 20;
        const auto fit = run::fit_to_time(defaults(), ettm2, machine, rate(1e15));
        QVERIFY(!fit.fits && !fit.in_time && fit.memory_others == 0);
        machine.memory_total = std::int64_t{24} << 30;
        machine.memory_others = std::int64_t{23} << 30;
        const auto beside_others = run::fit_to_time(defaults(), ettm2, machine, rate(1e15));
        QCOMPARE(beside_others.memory_others, machine.memory_others);
        QCOMPARE(beside_others.memory_total, machine.memory_total);
        QVERIFY(run::fit_to_time(defaults(), {2'000'000, 321, nullptr}, {}, rate(1e9)).fits);  // but too slow
    }

    void what_the_user_made_smaller_stays() {
        auto config = defaults();
        config.backbone.path = "untrained";
        config.backbone.layers = 1;
        config.model.pool_size = 60;
        config.train.max_steps = 400;
        const auto small = applied(config, run::fit_to_time(config, ettm2, {}, rate(5e10)));
        QCOMPARE(small.backbone.layers, std::int64_t{1});
        for (const std::int64_t heads : {1, 2, 5, 8, 20}) {
            config.backbone.width = 640;
            config.backbone.heads = heads;
            const auto fitted = applied(config, run::fit_to_time(config, ettm2, {}, rate(5e10))).backbone;
            QVERIFY(fitted.width < 640);
            QVERIFY2(fitted.heads <= heads && fitted.width % fitted.heads == 0,
                     qPrintable(QString::number(fitted.heads)));
        }
        QCOMPARE(small.model.pool_size, std::int64_t{60});
        QVERIFY(small.train.max_steps > 0 && small.train.max_steps <= 400);
    }

    void too_much_data_is_said() {
        const run::DataFacts wide{2'000'000, 321, nullptr};
        const auto fit = run::fit_to_time(defaults(), wide, {}, rate(1e9));
        QVERIFY(!fit.in_time && fit.seconds > ten_minutes && fit.seconds < fit.seconds_before);
        QVERIFY(!fit.changes.empty());
    }

    void models_without_backbone() {
        auto config = defaults();
        config.model.name = "dlinear";
        const auto fit = run::fit_to_time(config, ettm2, {}, rate(3e8));
        QVERIFY(fit.seconds_before > ten_minutes);
        QVERIFY(fit.in_time && fit.seconds <= ten_minutes);
        for (const auto& change : fit.changes) QVERIFY2(change.key.starts_with("train."), change.key.c_str());
        config.model.name = "naive";  // nothing to shorten
        QVERIFY(run::fit_to_time(config, ettm2, {}, rate(1)).changes.empty());
    }

    void only_what_the_model_reads_is_changed() {
        auto ofa = defaults();
        ofa.model.name = "ofa";
        auto replaced = defaults();
        replaced.backbone.kind = "block";
        for (const auto& config : {ofa, replaced}) {
            const auto fit = run::fit_to_time(config, ettm2, {}, rate(5e10));
            QVERIFY(changes(fit, "backbone.width"));
            QCOMPARE(changes(fit, "model.pool_size"), config.model.name != "ofa");
            QCOMPARE(changes(fit, "backbone.vocabulary"), config.model.name != "ofa");
            QCOMPARE(changes(fit, "backbone.layers"), config.model.name == "ofa");
        }
    }

    void lower_precisions_are_named() {
        run::Machine machine;
        machine.other_rates = {{"bf16", 4e14}, {"tf32", 2e14}};
        const auto fit = run::fit_to_time(defaults(), ettm2, machine, rate(1e14));
        QCOMPARE(fit.shorter_in.size(), std::size_t{2});
        QCOMPARE(fit.shorter_in[0].first, std::string("bf16"));
        QCOMPARE(fit.shorter_in[0].second, fit.seconds_before / 4);
        QCOMPARE(fit.shorter_in[1].first, std::string("tf32"));
        machine.other_rates = {{"bf16", 1.05e14}};  // within the noise of the measurement
        QVERIFY(run::fit_to_time(defaults(), ettm2, machine, rate(1e14)).shorter_in.empty());
    }
};

TEST_MAIN_WITHOUT_GUI(TestFit)
#include "test_fit.moc"

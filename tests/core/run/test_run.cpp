// Whole runs in process: files, histories, pairs, options. Stopping and continuing: test_resume.cpp.
#include <algorithm>
#include <numeric>
#include <set>

#include <QtTest>

#include "config/experiment.h"
#include "config/options.h"
#include "core/train/train_fixture.h"
#include "data/catalog.h"
#include "folder_test.h"
#include "model/casp_llm_shape.h"
#include "model/descriptor.h"
#include "run/preparation.h"
#include "test_program.h"
#include "train/session.h"
#include "util/device.h"
#include "util/digest.h"

using namespace casp;
using test::run_in;
namespace fs = std::filesystem;

class TestRun : public test::FolderTest {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        csv_ = test::write_csv(folder("series.csv"), test::small_rows, test::small_channels);
        run_in(folder("plain"), settings());  // the undisturbed run that others are compared with
    }

    void leaves_every_file() {
        const auto plain = folder("plain");
        std::set<std::string> names;
        for (const auto& entry : fs::directory_iterator(plain))
            names.insert(entry.path().filename().string());
        const std::set<std::string> expected{".lock",   "arrays.h5", "best.safetensors", "config.toml",
                                             "log.txt", "run.h5",    "run.json"};
        QVERIFY2(names == expected, "other files than the interface names");
        // The resolved configuration, every key that the model reads, and it reads back to the same.
        const auto written = config::load_text(test::bytes_of(plain / "config.toml"), "config.toml", {}).base;
        for (const auto& difference : config::differences(written, settings()))
            QVERIFY2(!config::is_read(written, *config::find_option(difference.key)), difference.key.c_str());
        const auto log = test::bytes_of(plain / "log.txt");
        for (const char* text : {"series: 3 channels, windows 151 train / 19 val / 49 test", "epoch 1/2",
                                 "epoch 2/2", "backbone untrained", "test MSE"})
            QVERIFY2(log.find(text) != std::string::npos, text);

        const auto status = store::read_run_status(store::RunFolder(plain));
        QVERIFY(status.has_value());
        const auto& row = status->row;
        const auto record = test::record_of(plain);
        QVERIFY(row.state == store::RunState::finished);
        QCOMPARE(QString::fromStdString(row.run), QString("plain"));
        QCOMPARE(QString::fromStdString(row.data), QString("series"));
        QCOMPARE(row.lookback, std::int64_t{48});
        QCOMPARE(row.horizon, std::int64_t{12});
        QCOMPARE(row.epochs, std::int64_t{2});
        QCOMPARE(row.steps, std::int64_t{10});
        QCOMPARE(row.best_epoch * 5, record.attributes.best_step);
        QVERIFY(test::same_bits(row.val_mse, record.val->mse));
        QVERIFY(test::same_bits(row.test_mse, record.test->mse));
        QVERIFY(test::same_bits(row.test_mae, record.test->mae));
        QVERIFY(test::same_bits(row.last_value_mse, record.test->last_value_mse));
        QVERIFY(test::same_bits(row.usage_entropy, record.test->usage_entropy));
        QVERIFY(test::same_bits(row.key_cosine, record.test->key_cosine));
        QVERIFY(test::same_bits(row.distinct_anchors, record.test->distinct_anchors));
        QVERIFY(row.seconds > 0);
    }

    void record_is_complete() {
        const auto record = test::record_of(folder("plain"));
        const auto& a = record.attributes;
        QVERIFY(a.state == store::RunState::finished);
        QCOMPARE(QString::fromStdString(a.backbone), QString("untrained"));
        QCOMPARE(QString::fromStdString(a.dataset_sha256), QString::fromStdString(sha256_of_file(csv_)));
        QCOMPARE(QString::fromStdString(a.device), QString("cpu"));
        QCOMPARE(a.threads, std::int64_t{1});
        // GPT-2 of one block, d = 24: wpe, two norms and ln_f learn; table, attention and feed-forward are
        // frozen. 10 tokens of 24, cut three ways: the head has 80 inputs.
        const std::int64_t trainable = 32 * 24 + 6 * 24 + (48 * 24 + 24) + (30 * 100 + 30) + (80 * 12 + 12);
        const std::int64_t frozen =
            100 * 24 + (24 * 72 + 72) + (24 * 24 + 24) + (24 * 96 + 96) + (96 * 24 + 24);
        QCOMPARE(a.parameters_trainable, trainable);
        QCOMPARE(a.parameters_total, trainable + frozen);

        const auto& s = record.steps;
        const auto &similarity = *s.find_term("similarity"), &coverage = *s.find_term("coverage");
        for (const auto size :
             {s.step.size(), s.epoch.size(), s.learning_rate.size(), s.forecast.size(), similarity.size(),
              coverage.size(), s.total.size(), s.gate_share.size(), s.seconds.size()})
            QCOMPARE(size, std::size_t{10});
        const auto config = settings();
        for (std::size_t i = 0; i < 10; ++i) {
            QCOMPARE(s.step[i], static_cast<std::int64_t>(i) + 1);
            QCOMPARE(s.epoch[i], static_cast<std::int64_t>(i / 5) + 1);
            QCOMPARE(s.learning_rate[i], 1e-3);
            QVERIFY(s.gate_share[i] >= 0 && s.gate_share[i] <= 1);
            const double sum =
                s.forecast[i] + config.loss.lambda_sim * similarity[i] + config.loss.lambda_cov * coverage[i];
            QVERIFY(std::abs(s.total[i] - sum) < 1e-6 * std::abs(sum));
        }
        QVERIFY(std::accumulate(coverage.begin(), coverage.end(), 0.0) > 0);
        const auto& e = record.epochs;
        QCOMPARE(e.epoch, (std::vector<std::int64_t>{1, 2}));
        // The epoch's loss weighs each step by its windows: 32, 32, 32, 32, 23.
        for (std::size_t epoch = 0; epoch < 2; ++epoch) {
            double sum = 0;
            for (std::size_t i = 0; i < 5; ++i) sum += s.forecast[5 * epoch + i] * (i < 4 ? 32 : 23);
            QVERIFY(std::abs(e.train_forecast[epoch] - sum / 151) < 1e-12);
        }
        const auto best = static_cast<std::size_t>(a.best_step / 5 - 1);
        QCOMPARE(*std::min_element(e.val_mse.begin(), e.val_mse.end()), e.val_mse[best]);
        // Evaluating the stored best weights repeats the validation.
        QVERIFY(test::same_bits(record.val->mse, e.val_mse[best]));
        QVERIFY(test::same_bits(record.val->mae, e.val_mae[best]));
        QVERIFY(!std::isnan(record.test->last_value_mse) && !std::isnan(record.test->last_value_mae));
        QCOMPARE(record.test->mse_per_channel.size(), std::size_t{3});
        QCOMPARE(record.test->mae_per_step.size(), std::size_t{12});
        QCOMPARE(record.data.channel_names, (std::vector<std::string>{"c0", "c1", "c2"}));
        QCOMPARE(record.data.mean.size(), std::size_t{3});
        QCOMPARE(record.data.time.size(), static_cast<std::size_t>(test::small_rows));
        QCOMPARE(record.data.time[0], 1577836800.0);
    }

    void usage_counts_every_selection() {
        const auto anchors = test::record_of(folder("plain")).anchors;
        QCOMPARE(anchors.pool_size, std::int64_t{30});
        QCOMPARE(anchors.snapshot_step, (std::vector<std::int64_t>{5, 10}));
        QCOMPARE(anchors.coverage_statistic.size(), std::size_t{60});
        const auto sum = [](auto begin, auto end) { return std::accumulate(begin, end, std::int64_t{0}); };
        // Rows are windows × channels, each selects K = 4.
        QCOMPARE(sum(anchors.usage_train.begin(), anchors.usage_train.begin() + 30),
                 std::int64_t{151 * 3 * 4});
        QCOMPARE(sum(anchors.usage_train.begin() + 30, anchors.usage_train.end()), std::int64_t{151 * 3 * 4});
        QCOMPARE(sum(anchors.usage_test.begin(), anchors.usage_test.end()), std::int64_t{49 * 3 * 4});

        // An interval that does not divide the steps: what is left at the end is a snapshot, too.
        auto config = settings();
        config.run.snapshot_steps = 3;
        run_in(folder("every_third"), config);
        const auto often = test::record_of(folder("every_third")).anchors;
        QCOMPARE(often.snapshot_step, (std::vector<std::int64_t>{3, 6, 9, 10}));
        QCOMPARE(sum(often.usage_train.begin(), often.usage_train.begin() + 30),
                 std::int64_t{3 * 32 * 3 * 4});
        QCOMPARE(sum(often.usage_train.begin(), often.usage_train.end()), std::int64_t{2 * 151 * 3 * 4});
        // Looking on changes nothing: per anchor the same counts, the same statistic at the end.
        for (std::size_t a = 0; a < 30; ++a) {
            std::int64_t seldom = anchors.usage_train[a] + anchors.usage_train[30 + a], total = 0;
            for (std::size_t s = 0; s < 4; ++s) total += often.usage_train[30 * s + a];
            QCOMPARE(total, seldom);
            QCOMPARE(often.coverage_statistic[90 + a], anchors.coverage_statistic[30 + a]);
        }
    }

    void other_runs_in_the_process_change_nothing() {
        auto other = settings();
        other.train.seed = 7;
        other.model.top_k = 1;
        other.backbone.dropout = 0.3;
        run_in(folder("other"), other);
        run_in(folder("plain_again"), settings());
        VERIFY_SAME_RUN(folder("plain"), folder("plain_again"));
        QVERIFY(!test::run_difference(folder("plain"), folder("other")).empty());
        QVERIFY(std::isnan(test::record_of(folder("other")).test->key_cosine));
        // Dropout takes part, or these comparisons show less than they should.
        auto dry = settings();
        dry.backbone.dropout = 0;
        run_in(folder("dry"), dry);
        QVERIFY(test::record_of(folder("dry")).steps.forecast[0] !=
                test::record_of(folder("plain")).steps.forecast[0]);
    }

    void two_threads_repeat_too() {
        auto config = settings();
        config.run.threads = 2;
        run_in(folder("two_threads"), config);
        run_in(folder("between"), settings());
        run_in(folder("two_threads_again"), config);
        VERIFY_SAME_RUN(folder("two_threads"), folder("two_threads_again"));
        QCOMPARE(test::record_of(folder("two_threads_again")).attributes.threads, std::int64_t{2});
    }

    void unshuffled_runs_repeat_and_visit_in_file_order() {
        auto config = settings();
        config.train.shuffle = false;
        run_in(folder("file_order"), config);
        run_in(folder("file_order_again"), config);
        VERIFY_SAME_RUN(folder("file_order"), folder("file_order_again"));
        QVERIFY(test::record_of(folder("file_order")).steps.forecast[0] !=
                test::record_of(folder("plain")).steps.forecast[0]);

        // The first step sees windows 0 to 31 alone: rows after the last of them do not matter.
        config.train.max_steps = 1;
        config.train.epochs = 1;
        run_in(folder("one_step"), config);
        auto fewer = config;
        fewer.data.percent = 30;  // (210 - 48) · 30 div 100 + 48 = 96 rows, 37 windows
        run_in(folder("one_step_of_fewer"), fewer);
        QVERIFY(test::same_bits(test::record_of(folder("one_step")).steps.forecast,
                                test::record_of(folder("one_step_of_fewer")).steps.forecast));
    }

    void each_epoch_has_a_different_order() {
        // At this rate, and without dropout, the weights stand still: a batch of the same windows has the
        // same loss.
        auto config = settings();
        config.backbone.dropout = 0;
        config.train.learning_rate = 1e-12;
        const auto losses = [&](const char* name) {
            run_in(folder(name), config);
            return test::record_of(folder(name)).steps.forecast;
        };
        const auto shuffled = losses("shuffled");
        config.train.seed = 2022;
        const auto other_seed = losses("shuffled_otherwise");
        config.train.seed = 2021;
        config.train.shuffle = false;
        const auto in_order = losses("in_order");
        for (std::size_t i = 0; i < 5; ++i) {
            QVERIFY(std::abs(in_order[i] - in_order[i + 5]) < 1e-5);
            QVERIFY(std::abs(shuffled[i] - shuffled[i + 5]) > 1e-4);
            QVERIFY(std::abs(shuffled[i] - other_seed[i]) > 1e-4);
        }
        // All windows in each epoch: the mean over them is the same in any order.
        const auto mean = [](const std::vector<double>& v, std::size_t from) {
            return (32 * (v[from] + v[from + 1] + v[from + 2] + v[from + 3]) + 23 * v[from + 4]) / 151;
        };
        QVERIFY(std::abs(mean(shuffled, 0) - mean(in_order, 0)) < 1e-5);
        QVERIFY(std::abs(mean(shuffled, 5) - mean(in_order, 0)) < 1e-5);
    }

    void thread_count_does_not_affect_next_run() {
        auto all = settings();
        all.run.threads = 0;
        all.train.max_steps = 1;
        run_in(folder("all_threads"), all);
        auto three = all;
        three.run.threads = 3;
        run_in(folder("three_threads"), three);
        run_in(folder("all_threads_again"), all);
        const auto threads = [&](const char* name) {
            return test::record_of(folder(name)).attributes.threads;
        };
        QCOMPARE(threads("three_threads"), std::int64_t{3});
        QCOMPARE(threads("all_threads_again"), threads("all_threads"));
    }

    void runs_that_differ_in_lambda_cov_are_paired() {
        auto with = settings();
        with.run.save_initial = true;
        auto without = with;
        without.loss.lambda_cov = 0;
        run_in(folder("with"), with);
        run_in(folder("without"), without);
        QVERIFY(test::tensors_of(folder("with") / "initial.safetensors") ==
                test::tensors_of(folder("without") / "initial.safetensors"));
        VERIFY_SAME_RUN(folder("with"), folder("plain"));  // saving the start changes nothing
        const auto a = test::record_of(folder("with")).steps, b = test::record_of(folder("without")).steps;
        QVERIFY(test::same_bits(a.forecast[0], b.forecast[0]));
        QVERIFY(test::same_bits((*a.find_term("similarity"))[0], (*b.find_term("similarity"))[0]));
        QVERIFY(test::same_bits((*a.find_term("coverage"))[0], (*b.find_term("coverage"))[0]));
        QVERIFY(a.total[0] != b.total[0]);
        QVERIFY(!test::same_bits(a.forecast, b.forecast));  // afterwards they part
        // Without weight the term is still told, and the statistic still tracked.
        const auto anchors = test::record_of(folder("without")).anchors;
        QCOMPARE(anchors.coverage_statistic.size(), std::size_t{60});
        QVERIFY(*std::max_element(anchors.coverage_statistic.begin() + 30, anchors.coverage_statistic.end()) >
                0);
        const auto &similarity = *b.find_term("similarity"), &coverage = *b.find_term("coverage");
        for (std::size_t i = 1; i < coverage.size(); ++i) QVERIFY(coverage[i] > 0);
        for (std::size_t i = 0; i < b.total.size(); ++i)
            QVERIFY(std::abs(b.total[i] - b.forecast[i] - 0.05 * similarity[i]) <
                    1e-6 * std::abs(b.total[i]));
    }

    void another_term_has_its_own_curve() {
        auto config = settings();
        config.coverage.term = "kl-uniform";
        run_in(folder("kl"), config);
        const auto record = test::record_of(folder("kl"));
        const auto& steps = record.steps;
        QVERIFY(steps.find_term("coverage") == nullptr);
        const auto &similarity = *steps.find_term("similarity"), &divergence = *steps.find_term("kl_uniform");
        QCOMPARE(divergence.size(), steps.step.size());
        for (std::size_t i = 0; i < divergence.size(); ++i) {
            QVERIFY(divergence[i] > 0);
            const double sum = steps.forecast[i] + 0.05 * similarity[i] + 0.1 * divergence[i];
            QVERIFY(std::abs(steps.total[i] - sum) < 1e-6 * sum);
            QCOMPARE(steps.gate_share[i], 0.0);
        }
        // Paired with the others up to the first update, and c̃ is tracked as in them.
        const auto plain = test::record_of(folder("without"));
        QVERIFY(test::same_bits(steps.forecast[0], plain.steps.forecast[0]));
        QCOMPARE(record.anchors.coverage_statistic.size(), std::size_t{60});
        QVERIFY(*std::max_element(record.anchors.coverage_statistic.begin() + 30,
                                  record.anchors.coverage_statistic.end()) > 0);
    }

    void coverage_disabled_tracks_nothing() {
        auto config = settings();
        config.coverage.enabled = false;
        const auto row = run_in(folder("no_coverage"), config);
        QVERIFY(std::isnan(row.lambda_cov));  // a weight of nothing
        QCOMPARE(row.lambda_sim, config.loss.lambda_sim);
        const auto stored = store::read_run_status(store::RunFolder(folder("no_coverage")));
        QVERIFY(stored && std::isnan(stored->row.lambda_cov));
        const auto record = test::record_of(folder("no_coverage"));
        QVERIFY(record.anchors.coverage_statistic.empty());
        QCOMPARE(record.anchors.usage_train.size(), std::size_t{60});
        QVERIFY(record.steps.find_term("coverage") == nullptr);
        for (const double value : record.steps.gate_share) QCOMPARE(value, 0.0);
        QCOMPARE(test::tensors_of(folder("no_coverage") / "best.safetensors").count("coverage_statistic[30]"),
                 std::size_t{0});
        QCOMPARE(test::tensors_of(folder("plain") / "best.safetensors").count("coverage_statistic[30]"),
                 std::size_t{1});
        // It descends what lambda_cov = 0 descends.
        QVERIFY(test::same_bits(record.steps.forecast, test::record_of(folder("without")).steps.forecast));
    }

    void prompt_disabled() {
        auto config = settings();
        config.model.prompt = false;
        const auto row = run_in(folder("no_prompt"), config);
        QVERIFY(row.test_mse > 0);
        QVERIFY(std::isnan(row.lambda_cov));
        QVERIFY(std::isnan(row.usage_entropy) && std::isnan(row.distinct_anchors) &&
                std::isnan(row.key_cosine));
        const auto record = test::record_of(folder("no_prompt"));
        QVERIFY(record.anchors.snapshot_step.empty() && record.anchors.usage_test.empty());
        QVERIFY(record.anchors.coverage_statistic.empty() && record.steps.terms.empty());
        QVERIFY(!model::capabilities(config).coverage && config::contradictions(config).empty());
        QVERIFY(test::same_bits(record.steps.total, record.steps.forecast));
        for (const auto& [name, bytes] : test::tensors_of(folder("no_prompt") / "best.safetensors"))
            QVERIFY(name.find("prompt_pool") == std::string::npos);
        const auto forecast = store::read_forecast(folder("no_prompt") / "run.h5", "test");
        QCOMPARE(forecast.top_k, std::int64_t{0});
        QVERIFY(forecast.retrieved.empty());
    }

    void single_channel_batches() {
        auto config = settings();
        config.data.batching = "single-channel";
        config.train.batch_size = 64;
        test::Probe probe;
        const auto row = probe.run(folder("single_channel"), config);
        QVERIFY(probe.started.at(0).single_channel);
        QCOMPARE(probe.started.at(0).steps_per_epoch, std::int64_t{8});  // 151 · 3 items of 64
        QCOMPARE(row.steps, std::int64_t{16});
        const auto record = test::record_of(folder("single_channel"));
        QCOMPARE(std::accumulate(record.anchors.usage_train.begin(), record.anchors.usage_train.begin() + 30,
                                 std::int64_t{0}),
                 std::int64_t{151 * 3 * 4});
        // Evaluation is always of whole windows.
        QCOMPARE(record.test->mse_per_channel.size(), std::size_t{3});
        QCOMPARE(store::read_forecast_shape(folder("single_channel") / "arrays.h5", "test").windows,
                 std::int64_t{49});
        run_in(folder("single_channel_again"), config);
        VERIFY_SAME_RUN(folder("single_channel"), folder("single_channel_again"));
    }

    void few_shot() {
        auto config = settings();
        config.data.percent = 30;
        test::Probe probe;
        const auto row = probe.run(folder("few_shot"), config);
        QCOMPARE(probe.started.at(0).train_windows, std::int64_t{37});
        QCOMPARE(probe.started.at(0).test_windows, std::int64_t{49});
        QCOMPARE(row.steps, std::int64_t{4});
        // The scaler is that of all training rows: the same test windows as in the whole run.
        QVERIFY(test::same_bits(test::record_of(folder("few_shot")).data.std,
                                test::record_of(folder("plain")).data.std));
        QVERIFY(test::same_bits(row.last_value_mse, test::record_of(folder("plain")).test->last_value_mse));
    }

    void max_run_steps() {
        auto config = settings();
        config.train.max_steps = 7;
        test::Probe probe;
        const auto row = probe.run(folder("seven"), config);
        QCOMPARE(probe.started.at(0).last_step, std::int64_t{7});
        QCOMPARE(probe.started.at(0).epochs, config.train.epochs);
        for (const auto& step : probe.steps) QCOMPARE(step.last_step, std::int64_t{7});
        QCOMPARE(probe.steps.back().seconds_left, 0.0);
        QVERIFY(row.state == store::RunState::finished);
        QCOMPARE(row.steps, std::int64_t{7});
        QCOMPARE(row.epochs, std::int64_t{2});
        const auto record = test::record_of(folder("seven"));
        const auto whole = test::record_of(folder("plain"));
        QVERIFY(test::same_bits(record.steps.total, std::vector<double>(whole.steps.total.begin(),
                                                                        whole.steps.total.begin() + 7)));
        QCOMPARE(record.anchors.snapshot_step, (std::vector<std::int64_t>{5, 7}));
        QVERIFY(test::same_bits(record.epochs.val_mse[0], whole.epochs.val_mse[0]));
    }

    void patience_ends_training() {
        auto config = settings();
        config.train.epochs = 30;
        config.train.patience = 2;
        config.train.learning_rate = 0.05;
        const auto row = run_in(folder("patience"), config);
        const auto epochs = test::record_of(folder("patience")).epochs;
        // The rule applied to the recorded errors says where it had to end.
        std::size_t best = 0, end = 0;
        while (end < epochs.val_mse.size() && end - best < 2) {
            if (++end < epochs.val_mse.size() && epochs.val_mse[end] <= epochs.val_mse[best]) best = end;
        }
        QVERIFY2(epochs.epoch.size() < 30, "this learning rate was to end by patience");
        QCOMPARE(epochs.epoch.size(), best + 3);
        QCOMPARE(row.best_epoch, static_cast<std::int64_t>(best) + 1);
        QCOMPARE(row.epochs, static_cast<std::int64_t>(epochs.epoch.size()));
        QVERIFY(test::same_bits(row.val_mse, epochs.val_mse[best]));
        // Test metrics belong to the best epoch: training just that long gives the same weights.
        config.train.epochs = row.best_epoch;
        run_in(folder("until_best"), config);
        QVERIFY(test::tensors_of(folder("until_best") / "best.safetensors") ==
                test::tensors_of(folder("patience") / "best.safetensors"));
        const auto difference = test::metric_difference(*test::record_of(folder("until_best")).test,
                                                        *test::record_of(folder("patience")).test);
        QVERIFY2(difference.empty(), difference.c_str());
    }

    void learning_rates_of_the_epochs() {
        auto config = settings();
        config.train.epochs = 4;
        config.train.patience = 10;
        run_in(folder("four"), config);
        const auto record = test::record_of(folder("four"));
        const double expected[] = {1e-3, 1e-3, 0.9e-3, 0.81e-3};
        for (std::size_t i = 0; i < 20; ++i)
            QVERIFY(std::abs(record.steps.learning_rate[i] - expected[i / 5]) < 1e-18);
        for (std::size_t i = 0; i < 4; ++i)
            QVERIFY(std::abs(record.epochs.learning_rate[i] - expected[i]) < 1e-18);
    }

    void keep_last_and_save_initial() {
        auto config = settings();
        config.run.keep_last = true;
        config.run.save_initial = true;
        run_in(folder("keep_last"), config);
        std::vector<std::string> left;
        for (const auto& entry : fs::directory_iterator(folder("keep_last") / "last"))
            left.push_back(entry.path().filename().string());
        QCOMPARE(left, (std::vector<std::string>{"model.safetensors"}));
        const auto best = test::tensors_of(folder("keep_last") / "best.safetensors");
        const auto last = test::tensors_of(folder("keep_last") / "last" / "model.safetensors");
        const auto initial = test::tensors_of(folder("keep_last") / "initial.safetensors");
        QVERIFY(best == test::tensors_of(folder("plain") / "best.safetensors"));
        QCOMPARE(initial.size(), best.size());
        for (const auto& [name, bytes] : last) QVERIFY2(best.count(name) == 1, name.c_str());
        const std::string head = "out_layer.weight[12, 80]";
        QVERIFY(initial.at(head) != best.at(head));
        // Where the last epoch was the best, both are the same weights.
        const bool last_is_best = test::record_of(folder("keep_last")).attributes.best_step == 10;
        QCOMPARE(last.at(head) == best.at(head), last_is_best);
        QVERIFY(initial.at("coverage_statistic[30]") == std::string(30 * 4, '\0'));
    }

    void frozen_weights_can_be_left_out() {
        auto config = settings();
        config.run.frozen_weights = "omit";
        run_in(folder("omitted"), config);
        const auto whole = test::tensors_of(folder("plain") / "best.safetensors");
        const auto part = test::tensors_of(folder("omitted") / "best.safetensors");
        QCOMPARE(whole.size() - part.size(),
                 std::size_t{9});  // the table, and 4 weights and biases of the block
        for (const auto& [name, bytes] : part) QVERIFY2(whole.at(name) == bytes, name.c_str());
        QCOMPARE(whole.count("gpt2.wte.weight[100, 24]"), std::size_t{1});
        QCOMPARE(part.count("gpt2.wte.weight[100, 24]"), std::size_t{0});
        QCOMPARE(part.count("gpt2.wpe.weight[32, 24]"), std::size_t{1});
        const auto saved = fs::file_size(folder("plain") / "best.safetensors") -
                           fs::file_size(folder("omitted") / "best.safetensors");
        const std::int64_t frozen =
            100 * 24 + (24 * 72 + 72) + (24 * 24 + 24) + (24 * 96 + 96) + (96 * 24 + 24);
        QVERIFY(saved >= static_cast<std::uintmax_t>(4 * frozen));
        const auto difference = test::metric_difference(*test::record_of(folder("omitted")).test,
                                                        *test::record_of(folder("plain")).test);
        QVERIFY2(difference.empty(), difference.c_str());
    }

    void stored_arrays() {
        auto config = settings();
        config.run.store_forecasts = {"train", "val", "test"};
        config.run.store_embeddings = true;
        config.run.store_similarity = true;
        run_in(folder("arrays"), config);
        VERIFY_SAME_RUN(folder("arrays"), folder("plain"));
        const auto file = folder("arrays") / "run.h5";  // through its links
        QCOMPARE(store::forecast_splits(file), (std::vector<std::string>{"test", "train", "val"}));
        const std::map<std::string, std::pair<std::int64_t, std::int64_t>> splits{
            {"train", {151, 0}}, {"val", {19, 210 - 48}}, {"test", {49, 240 - 48}}};
        for (const auto& [split, facts] : splits) {
            const auto [windows, first_row] = facts;
            const auto f = store::read_forecast(file, split);
            const auto w = static_cast<std::size_t>(windows);
            QCOMPARE(f.windows, windows);
            QCOMPARE(f.horizon, std::int64_t{12});
            QCOMPARE(f.channels, std::int64_t{3});
            QCOMPARE(f.top_k, std::int64_t{4});
            QCOMPARE(f.prediction.size(), w * 36);
            QCOMPARE(f.truth.size(), w * 36);
            QCOMPARE(f.retrieved.size(), w * 12);
            for (std::size_t i = 0; i < w; ++i)
                QCOMPARE(f.start[i], first_row + static_cast<std::int64_t>(i));
            const auto e = store::read_embedding(file, split);
            QCOMPARE(e.dimension, std::int64_t{24});
            QCOMPARE(e.anchors.size(), std::size_t{30 * 24});
            QCOMPARE(e.series.size(), w * 3 * 24);
            QCOMPARE(e.prompt.size(), w * 3 * 24);
            const auto s = store::read_similarity(file, split);
            QCOMPARE(s.pool_size, std::int64_t{30});
            QCOMPARE(s.values.size(), w * 3 * 30);
            // Selected are the most similar, in descending order; the prompt is the mean of all input tokens:
            // these anchors and the patches, whose mean is the series' embedding.
            const auto patches = static_cast<double>(model::patch_count(config));
            for (std::size_t row = 0; row < w * 3; ++row) {
                const auto* similarity = &s.values[row * 30];
                std::vector<float> sorted(similarity, similarity + 30);
                std::sort(sorted.rbegin(), sorted.rend());
                for (std::size_t k = 0; k < 4; ++k) QCOMPARE(similarity[f.retrieved[row * 4 + k]], sorted[k]);
                for (std::size_t d = 0; d < 24; ++d) {
                    double mean = 0;
                    for (std::size_t k = 0; k < 4; ++k)
                        mean += e.anchors[static_cast<std::size_t>(f.retrieved[row * 4 + k]) * 24 + d];
                    mean = (mean + patches * e.series[row * 24 + d]) / (4 + patches);
                    QVERIFY(std::abs(mean - e.prompt[row * 24 + d]) < 1e-6);
                }
            }
        }
        // Errors per window average to the metric.
        const auto f = store::read_forecast(file, "test");
        double mean = 0;
        for (const float value : f.mse) mean += value;
        const double mse = test::record_of(folder("arrays")).test->mse;
        QVERIFY(std::abs(mean / static_cast<double>(f.mse.size()) - mse) < 1e-7 * mse);

        config.run.store_forecasts = {};
        config.run.store_embeddings = config.run.store_similarity = false;
        run_in(folder("no_arrays"), config);
        QVERIFY(!fs::exists(folder("no_arrays") / "arrays.h5"));
    }

    void finished_run_is_not_changed() {
        const auto before = test::bytes_of(folder("plain") / "run.h5") +
                            test::bytes_of(folder("plain") / "run.json") +
                            test::bytes_of(folder("plain") / "log.txt");
        for (const bool resume : {false, true}) {
            test::Probe probe;
            const auto row = probe.run(folder("plain"), settings(), resume);
            QVERIFY(row.state == store::RunState::finished);
            QCOMPARE(row.steps, std::int64_t{10});
            QVERIFY(probe.started.empty() && probe.steps.empty());
        }
        const auto after = test::bytes_of(folder("plain") / "run.h5") +
                           test::bytes_of(folder("plain") / "run.json") +
                           test::bytes_of(folder("plain") / "log.txt");
        QVERIFY(before == after);
        QVERIFY(run::folder_content(folder("plain")) == run::FolderContent::complete);
    }

    /// Presets of older versions left split and batching of a known file to the catalogue.
    void settings_of_an_older_preset_are_the_same() {
        const auto& digest = data::catalog_entry("ETTh1").sha256;
        const auto now =
            config::load_text("preset = \"etth1-96\"", "test", {}, {"data.path=/data/ETTh1.csv"}).base;
        auto before = now;
        before.data.split.rule = before.data.batching = "auto";
        QCOMPARE(run::difference_text(before, now, true, digest), std::string());
        QVERIFY(run::difference_text(before, now, true, {})
                    .find("data.split was \"auto\", is now \"ett-hourly\"") != std::string::npos);
        before.data.split.rule = "ratio";
        QVERIFY(run::difference_text(before, now, true, digest).find("data.split was") != std::string::npos);
    }

    void missing_backbone_creates_no_folder() {
        auto config = settings();
        config.backbone.path = folder("no_such_folder").string();
        const auto error = test::error_of([&] { run_in(folder("no_backbone"), config); });
        QVERIFY(error.kind() == ErrorKind::input);
        QVERIFY(test::says(error, "no_such_folder"));
        QVERIFY(!fs::exists(folder("no_backbone")));
        QVERIFY(run::folder_content(folder("no_backbone")) == run::FolderContent::empty);
    }

    /// A file that detection cannot read: three decimals after every comma, and whole numbers among them,
    /// look like grouped thousands.
    void corrections_of_the_file_are_settings() {
        std::string plain = "date,a,b\n", odd = "date;a;b\n";
        for (std::int64_t row = 0; row < test::small_rows; ++row) {
            char date[32], value[32];
            std::snprintf(date, sizeof date, "2020-01-%02d %02d:00:00", static_cast<int>(1 + row / 24),
                          static_cast<int>(row % 24));
            plain += date;
            odd += date;
            for (std::int64_t channel = 0; channel < 2; ++channel) {
                std::snprintf(value, sizeof value, "%.3f", 20 + test::cell(row, channel));
                std::string text = row % 40 == 0 ? "20" : value;
                plain += ',' + text;
                std::replace(text.begin(), text.end(), '.', ',');
                odd += ';' + text;
            }
            plain += '\n';
            odd += '\n';
        }
        std::ofstream(folder("points.csv")) << plain;
        std::ofstream(folder("commas.csv")) << odd;
        auto config = settings();
        config.data.path = folder("commas.csv").string();
        run_in(folder("detected"), config);  // decimal commas, although three digits follow each
        config.data_csv.delimiter = ";";
        config.data_csv.decimal = ",";
        run_in(folder("commas"), config);
        const auto log = test::bytes_of(folder("commas") / "config.toml");
        QVERIFY(log.find("[data.csv]\ndelimiter = \";\"\ndecimal = \",\"\n") != std::string::npos);
        auto points = settings();
        points.data.path = folder("points.csv").string();
        run_in(folder("points"), points);
        VERIFY_SAME_RUN(folder("commas"), folder("points"));
        // Other corrections are other settings.
        config.data_csv.header = "yes";
        QVERIFY(test::says(test::error_of([&] { run_in(folder("commas"), config); }),
                           "data.csv.header was \"auto\", is now \"yes\""));
    }

    void missing_newer_settings_mean_their_defaults() {
        run_in(folder("older"), settings());
        const auto file = folder("older") / "config.toml";
        auto text = test::bytes_of(file);
        const auto from = text.find("\n[data.csv]\n"), to = text.find("\n[backbone]\n");
        QVERIFY(from != std::string::npos && to != std::string::npos && from < to);
        std::ofstream(file) << text.erase(from, to - from);
        const auto weights = fs::last_write_time(folder("older") / "best.safetensors");
        run_in(folder("older"), settings());  // as a run that is finished
        QVERIFY(fs::last_write_time(folder("older") / "best.safetensors") == weights);
    }

    void bf16_where_the_processor_has_it() {
        auto half = settings();
        half.run.precision = "bf16";
        auto either = settings();
        either.run.precision = "auto";
        if (!has_bf16(at::kCPU)) {
            try {
                run_in(folder("refused"), half);
                QFAIL("accepted");
            } catch (const Error& problem) {
                QVERIFY(problem.kind() == ErrorKind::input);
                QVERIFY2(std::string(problem.what()).find("AVX512_BF16") != std::string::npos,
                         problem.what());
            }
            QVERIFY(!fs::exists(folder("refused")));
            run_in(folder("either"), either);
            QCOMPARE(test::record_of(folder("either")).attributes.precision, std::string("fp32"));
            QSKIP("this processor has no bf16");
        }
        run_in(folder("bf16"), half);
        const auto found = test::record_of(folder("bf16")), expected = test::record_of(folder("plain"));
        QCOMPARE(found.attributes.precision, std::string("bf16"));
        const auto error = [](const auto& record) {
            return *std::min_element(record.epochs.val_mse.begin(), record.epochs.val_mse.end());
        };
        QVERIFY(error(found) != error(expected));
        // Of a tiny model; docs/performance.md has one of full width.
        QVERIFY2(std::abs(error(found) / error(expected) - 1) < 0.03,
                 qPrintable(QStringLiteral("%1 and %2").arg(error(found)).arg(error(expected))));
        // The same bits again, also where the machine chooses.
        run_in(folder("either"), either);
        QCOMPARE(test::record_of(folder("either")).attributes.precision, std::string("bf16"));
        QVERIFY(test::record_of(folder("either")).steps.total == found.steps.total);
    }

    /// bf16 is that of a backbone: what is written for a model without one is fp32, on any processor.
    void recorded_precision_is_the_one_used() {
        auto config = settings();
        config.model.name = "dlinear";
        config.run.precision = "bf16";
        test::Probe probe;
        const run::RunRequest request{{"linear", config, {}, folder("linear")}};
        QCOMPARE(run::run(request, probe, probe.stop).precision, std::string("fp32"));
        QVERIFY(probe.told("DLinear has no products in bf16: it computes in fp32"));
        QCOMPARE(test::record_of(folder("linear")).attributes.precision, std::string("fp32"));
        QCOMPARE(store::read_run_status(store::RunFolder(folder("linear")))->row.precision,
                 std::string("fp32"));
        // It is the finished run of both settings.
        for (const auto* same : {"bf16", "fp32"}) {
            config.run.precision = same;
            QVERIFY(run::same_settings(folder("linear"), config));
            run::check_finished_run(folder("linear"), config, {});
        }
        auto other = settings();
        other.run.precision = "bf16";
        QVERIFY(!run::same_settings(folder("plain"), other));
    }

private:
    [[nodiscard]] config::Config settings() const { return test::small_config(csv_); }

    std::string csv_;
};

TEST_MAIN_WITHOUT_GUI(TestRun)
#include "test_run.moc"

// Runs that are stopped, continued, refused, or fail. Forks: test_forks.cpp.
#include <sys/wait.h>
#include <unistd.h>
#include <csignal>

#include <QtTest>

#include <nlohmann/json.hpp>

#include "resume_fixture.h"
#include "test_program.h"
#include "util/digest.h"
#include "verify_text.h"

using namespace casp;
using casp::test::run_in;
namespace fs = std::filesystem;

class TestResume : public test::ResumeFixture {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { prepare(); }
    void cancelled_run_leaves_a_checkpoint() {
        const auto run = folder("cancelled");
        const auto row = stop_after(run, settings(), 7);
        QVERIFY(row.state == store::RunState::cancelled);
        QCOMPARE(row.steps, std::int64_t{7});
        QCOMPARE(row.epochs, std::int64_t{1});
        QVERIFY(std::isnan(row.test_mse));
        QVERIFY(store::read_run_status(store::RunFolder(run))->row.state == store::RunState::cancelled);
        const auto record = test::record_of(run);
        QVERIFY(record.attributes.state == store::RunState::cancelled);
        QCOMPARE(record.steps.step.size(), std::size_t{7});
        QVERIFY(!record.test.has_value());
        const auto checkpoint = store::current_checkpoint(store::RunFolder(run));
        QVERIFY(checkpoint.has_value());
        QCOMPARE(QString::fromStdString(checkpoint->filename().string()), QString("gen-7"));
        store::verify_generation(*checkpoint);
        QVERIFY(run::folder_content(run) == run::FolderContent::resumable);
    }

    void resumed_run_equals_the_uninterrupted_run_data() {
        QTest::addColumn<int>("step");
        for (const int step : {4, 5, 7, 15}) QTest::newRow(qPrintable(QString::number(step))) << step;
        QTest::newRow("validation of epoch 1") << -1;
        QTest::newRow("validation of epoch 3") << -3;
        QTest::newRow("end of epoch 2's validation") << -20;
        QTest::newRow("evaluation of val") << -100;
        QTest::newRow("evaluation of test") << -101;
    }

    void resumed_run_equals_the_uninterrupted_run() {
        QFETCH(const int, step);
        const auto run = folder("resumed" + std::to_string(step));
        test::Probe probe;
        int validations = 0;
        bool asked = false;
        const auto ask = [&] {
            probe.stop.ask(train::StopRequest::cancel);
            asked = true;
        };
        probe.at_step = [&](const train::StepReport& report) {
            if (report.step == step) ask();
        };
        probe.at_progress = [&](const Progress& progress) {
            // Of several batches the first one: val has 19 windows, a batch at evaluation 32 of them or 1.
            const bool over = progress.done == progress.total;
            if (progress.stage == Stage::validating && over) ++validations;
            if (step == -1 && progress.stage == Stage::validating && !over) ask();
            if (step == -3 && progress.stage == Stage::validating && !over && validations == 2) ask();
            if (step == -20 && validations == 2) ask();
            if (step == -100 && progress.stage == StageOf(Stage::evaluating, "val") && !over) ask();
            if (step == -101 && progress.stage == StageOf(Stage::evaluating, "test") && !over) ask();
        };
        auto config = settings();
        // Small batches make several of a validation; the comparison is with an undisturbed run of the same.
        auto plain = folder("plain");
        if (step < 0) {
            config.train.batch_size = 16;
            config.run.store_forecasts = {"val",
                                          "test"};  // else validation is not evaluated again at the end
            plain = folder("plain_of_16");
            if (!fs::exists(plain)) run_in(plain, config);
        }
        const auto row = probe.run(run, config);
        QVERIFY2(asked, "the moment to ask never came");
        QVERIFY(row.state == store::RunState::cancelled);
        QVERIFY(run::folder_content(run) == run::FolderContent::resumable);
        // The anchors are seen as of the last step, which the resumed run forgets again.
        QCOMPARE(test::record_of(run).anchors.snapshot_step.back(), row.steps);
        const auto continued = run_in(run, config, true);
        QVERIFY(continued.state == store::RunState::finished);
        VERIFY_SAME_RUN(run, plain);
        QVERIFY(!fs::exists(run / "last"));
    }

    void interrupted_many_times() {
        const auto run = folder("often");
        auto config = settings();
        bool resume = false;
        for (const std::int64_t step : {2, 3, 5, 6, 10, 11, 13}) {
            const auto row = stop_after(run, config, step, train::StopRequest::interrupt, resume);
            QVERIFY(row.state == store::RunState::interrupted);
            QCOMPARE(row.steps, step);
            resume = true;
        }
        run_in(run, config, true);
        VERIFY_SAME_RUN(run, folder("plain"));
        QCOMPARE(QString::fromStdString(test::record_of(run).attributes.parent), QString());
    }

    void interrupted_while_evaluating() {
        // keep_last: the last weights survive an evaluation that is begun twice.
        auto config = settings();
        config.run.keep_last = true;
        config.train.batch_size = 16;
        run_in(folder("evaluated"), config);
        test::Probe probe;
        probe.at_progress = [&](const Progress& progress) {
            if (progress.stage == StageOf(Stage::evaluating, "test"))
                probe.stop.ask(train::StopRequest::interrupt);
        };
        const auto run = folder("evaluated_twice");
        const auto row = probe.run(run, config);
        QVERIFY(row.state == store::RunState::interrupted);
        run_in(run, config, true);
        VERIFY_SAME_RUN(run, folder("evaluated"));
        QVERIFY(test::tensors_of(run / "last" / "model.safetensors") ==
                test::tensors_of(folder("evaluated") / "last" / "model.safetensors"));
    }

    /// What a variant draws and how far its warm-up is follow from the step, as do the rate and β₁ of a
    /// schedule that changes them in every step: checkpoints hold nothing more.
    void other_settings_resume_data() { test::name_rows("what", {"file order", "variant", "one-cycle"}); }
    void other_settings_resume() {
        QFETCH(const QString, what);
        auto config = settings();
        config.train.shuffle = what != "file order";
        if (what == "variant") {
            config.model.anchors = "random";
            config.selection.rule = "mmr";
            config.coverage.warmup = 12;
        } else if (what == "one-cycle") {
            config.train.optimizer = "adam";
            config.train.schedule = "one-cycle";
            config.loss.forecast = "smape";
        }
        const auto whole = folder(what.toStdString()), resumed = folder(what.toStdString() + " resumed");
        run_in(whole, config);
        stop_after(resumed, config, 8);
        run_in(resumed, config, true);
        VERIFY_SAME_RUN(whole, resumed);
        if (what != "one-cycle") return;
        const auto steps = test::record_of(whole).steps;
        const auto& rates = steps.learning_rate;
        QCOMPARE(rates.size(), std::size_t{15});
        QVERIFY(std::abs(rates.front() - config.train.learning_rate / 25) < 1e-12);
        QVERIFY(rates.back() < 1e-6 * config.train.learning_rate * 10);
        QVERIFY(rates[3] > rates[2] && rates[12] < rates[11]);
        // The loss is another one: sMAPE is of the order of 100.
        QVERIFY(steps.forecast.front() > 5 * test::record_of(folder("plain")).steps.forecast.front());
    }

    void run_that_stopped_for_patience_does_not_train_on() {
        auto config = settings();
        config.train.epochs = 30;
        config.train.patience = 1;
        config.train.learning_rate = 0.05;
        run_in(folder("patience"), config);
        const auto steps = test::record_of(folder("patience")).steps.step.size();
        QVERIFY(steps < 150);
        test::Probe probe;
        probe.at_progress = [&](const Progress& progress) {
            if (progress.stage == StageOf(Stage::evaluating, "test"))
                probe.stop.ask(train::StopRequest::cancel);
        };
        const auto run = folder("patience_resumed");
        QVERIFY(probe.run(run, config).state == store::RunState::cancelled);
        run_in(run, config, true);
        VERIFY_SAME_RUN(run, folder("patience"));
    }

    void finished_run_of_other_settings_is_refused() {
        auto config = settings();
        config.train.epochs = 1;
        const auto there = folder("finished");
        const auto row = run_in(there, config);
        // The same again: its row.
        QVERIFY(test::same_bits(run_in(there, config).test_mse, row.test_mse));
        auto other = config;
        other.loss.lambda_cov = 0.3;
        auto error = test::error_of([&] { run_in(there, other, true); });
        QVERIFY(error.kind() == ErrorKind::input && test::says(error, "loss.lambda_cov was"));
        // Other data under the same settings.
        other = config;
        other.data.path =
            test::write_csv(folder("elsewhere.csv"), test::small_rows, test::small_channels, 0.5);
        error = test::error_of([&] { run_in(there, other, true); });
        QVERIFY(error.kind() == ErrorKind::input && test::says(error, "data.path had other values"));
        // The data are gone: not needed any more, where the path is the same.
        const auto away = folder("away.csv");
        const fs::path data = config.data.path;
        fs::rename(data, away);
        const auto without = test::error_of([&] {
            run_in(there, config);
            throw run_error("", "none");
        });
        fs::rename(away, data);
        QVERIFY2(test::says(without, "none"), without.what());
        // What does not change results may differ.
        other = config;
        other.run.checkpoint_seconds = 7;
        QVERIFY(test::same_bits(run_in(there, other).test_mse, row.test_mse));
    }

    /// The catalogue knows a data set without digest by its place: elsewhere "auto" means other rows.
    void moved_data_with_another_split_is_refused() {
        const auto cache = folder("cache");
        const auto former = qgetenv("XDG_CACHE_HOME");
        qputenv("XDG_CACHE_HOME", QByteArray::fromStdString(cache.string()));
        const auto place = cache / "caspstudio" / "data" / "ETTm2.csv";
        fs::create_directories(place.parent_path());
        {
            std::ofstream file(place);
            file << "date,a,b,c,d,e,f,g\n";
            for (std::int64_t r = 0; r < 69680; ++r) {
                file << 1467331200 + 900 * r;
                for (int c = 0; c < 7; ++c) file << ',' << (r * (c + 3)) % 97;
                file << '\n';
            }
        }
        auto config = settings();
        config.data.path = "catalog:ETTm2";
        config.data.columns = {"a"};
        const auto run = folder("by-place");
        QVERIFY(stop_after(run, config, 2).state == store::RunState::cancelled);
        const auto copy = folder("ETTm2-elsewhere.csv");
        fs::copy_file(place, copy);
        config.data.path = copy.string();
        const auto error = test::error_of([&] { run_in(run, config, true); });
        QVERIFY2(error.kind() == ErrorKind::input && test::says(error, "the training rows"), error.what());
        // The rule by name is the split that it began with; but that is another setting, which is told
        // likewise.
        config.data.path = "catalog:ETTm2";
        QVERIFY(stop_after(run, config, 4, train::StopRequest::cancel, true).state ==
                store::RunState::cancelled);
        former.isNull() ? qunsetenv("XDG_CACHE_HOME") : qputenv("XDG_CACHE_HOME", former);
    }

    void finish_early() {
        const auto run = folder("early");
        const auto row = stop_after(run, settings(), 7, train::StopRequest::finish_early);
        QVERIFY(row.state == store::RunState::finished_early);
        QCOMPARE(row.steps, std::int64_t{7});
        QCOMPARE(row.epochs, std::int64_t{2});  // the one that was cut short is validated, too
        QVERIFY(row.test_mse > 0);
        const auto record = test::record_of(run);
        QVERIFY(record.attributes.state == store::RunState::finished_early);
        QVERIFY(record.val.has_value() && record.test.has_value());
        QCOMPARE(record.anchors.snapshot_step, (std::vector<std::int64_t>{4, 7}));
        QVERIFY(run::folder_content(run) == run::FolderContent::complete);
        QVERIFY(!fs::exists(run / "last"));
        // What was trained is what an undisturbed run trained so far.
        const auto plain = test::record_of(folder("plain"));
        QVERIFY(test::same_bits(record.steps.total, std::vector<double>(plain.steps.total.begin(),
                                                                        plain.steps.total.begin() + 7)));
        // A cancel is the stronger request.
        train::StopControl stop;
        stop.ask(train::StopRequest::cancel);
        stop.ask(train::StopRequest::finish_early);
        QVERIFY(stop.must_stop());
    }

    void changed_setting_is_refused() {
        const auto run = folder("changed");
        stop_after(run, settings(), 6);
        const auto before = test::bytes_of(run / "run.h5") + test::bytes_of(run / "run.json") +
                            test::bytes_of(run / "config.toml");
        auto config = settings();
        config.loss.lambda_cov = 0.2;
        config.train.batch_size = 16;
        const auto error = test::error_of([&] { run_in(run, config, true); });
        QVERIFY(error.kind() == ErrorKind::input);
        QVERIFY(test::says(error, "loss.lambda_cov was 0.1, is now 0.2"));
        QVERIFY(test::says(error, "train.batch_size was 32, is now 16"));
        QVERIFY(before == test::bytes_of(run / "run.h5") + test::bytes_of(run / "run.json") +
                              test::bytes_of(run / "config.toml"));
        // What changes no result may change.
        config = settings();
        config.run.checkpoint_seconds = 0;
        config.run.keep_last = true;
        run_in(run, config, true);
        VERIFY_SAME_RUN(run, folder("plain"));
    }

    void changed_data_is_refused() {
        const auto csv = test::write_csv(folder("changing.csv"), test::small_rows, test::small_channels);
        auto config = settings();
        config.data.path = csv;
        stop_after(folder("changing"), config, 6);
        const auto before = sha256_of_file(csv);
        test::write_csv(csv, test::small_rows, test::small_channels, 0.0011);
        const auto error = test::error_of([&] { run_in(folder("changing"), config, true); });
        QVERIFY(error.kind() == ErrorKind::input);
        QVERIFY(test::says(error, before) && test::says(error, sha256_of_file(csv)));
        test::write_csv(csv, test::small_rows, test::small_channels);
        QVERIFY(run_in(folder("changing"), config, true).state == store::RunState::finished);
    }

    void damaged_checkpoint_is_refused() {
        const auto run = folder("damaged");
        stop_after(run, settings(), 6);
        const auto file = *store::current_checkpoint(store::RunFolder(run)) / "optimizer.safetensors";
        auto bytes = test::bytes_of(file);
        bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
        fs::remove(file);
        std::ofstream(file, std::ios::binary) << bytes;
        const auto error = test::error_of([&] { run_in(run, settings(), true); });
        QVERIFY(error.kind() == ErrorKind::input);
        QVERIFY(test::says(error, "optimizer.safetensors") && test::says(error, "SHA-256"));
    }

    void checkpoint_after_every_step() {
        auto config = settings();
        config.run.checkpoint_seconds = 0;
        test::Probe probe;
        const auto run = folder("every_step");
        std::size_t looked_at = 0;
        probe.at_step = [&](const train::StepReport& report) {
            if (report.step < 2) return;
            // The checkpoint of the step before is the only one, complete, and says what it consists of.
            const auto generation = store::current_checkpoint(store::RunFolder(run));
            if (!generation) return;
            const auto json = nlohmann::json::parse(test::bytes_of(*generation / "state.json"));
            if (json["step"] != report.step - 1 || json["files"].size() != (report.step > 6 ? 3U : 2U))
                return;
            for (const auto& [name, digest] : json["files"].items())
                if (sha256_of_file(*generation / name) != digest.get<std::string>()) return;
            if (fs::exists(*generation / "best.safetensors") != (report.step > 6)) return;
            if (std::distance(fs::directory_iterator(run / "last"), fs::directory_iterator()) != 2) return;
            ++looked_at;
        };
        probe.run(run, config);
        QCOMPARE(probe.checkpoints.size(), std::size_t{15});
        for (std::size_t i = 0; i < 15; ++i) QCOMPARE(probe.checkpoints[i], static_cast<std::int64_t>(i) + 1);
        QCOMPARE(looked_at, std::size_t{14});
        VERIFY_SAME_RUN(run, folder("plain"));
    }

    void loss_that_is_not_finite() {
        // The decay multiplies every weight by 1 - 10·10 = -99 in each step.
        auto config = settings();
        config.train.learning_rate = 10;
        config.train.weight_decay = 10;
        config.train.batch_size = 8;  // 19 steps before the first validation
        const auto run = folder("overflow");
        test::Probe probe;
        const auto error = test::error_of([&] { probe.run(run, config); });
        QVERIFY(error.kind() == ErrorKind::run);
        const auto done = static_cast<std::int64_t>(probe.steps.size());
        QVERIFY2(done >= 1, "the first step was to be finite");
        const auto message = QString::fromUtf8(error.what());
        QVERIFY2(message.contains(QString("step %1:").arg(done + 1)), error.what());
        QVERIFY2(message.contains(QRegularExpression(
                     "the (forecast|similarity|coverage|total) loss is (not a number|infinite) "
                     "\\(training windows \\d+, ")),
                 error.what());
        const auto status = store::read_run_status(store::RunFolder(run));
        QVERIFY(status->row.state == store::RunState::failed);
        QCOMPARE(QString::fromStdString(status->message), message);
        QVERIFY(test::record_of(run).attributes.state == store::RunState::failed);
        QCOMPARE(test::record_of(run).steps.step.size(), static_cast<std::size_t>(done));
        QVERIFY(run::folder_content(run) == run::FolderContent::resumable);  // from its first step

        // With checkpoints on the way the last good one is named, and the log has all windows of a larger
        // batch.
        config.train.learning_rate = 3;  // later
        config.train.batch_size = 20;
        config.run.checkpoint_seconds = 0;
        const auto later = folder("overflow-later");
        const auto told = test::error_of([&] { run_in(later, config); });
        const auto generation = store::current_checkpoint(store::RunFolder(later));
        QVERIFY(generation);
        QVERIFY2(test::says(told, generation->filename().string()), told.what());
        const auto log = QString::fromStdString(test::bytes_of(later / "log.txt"));
        const auto all = QRegularExpression("all of them: ([\\d, ]+)").match(log);
        QVERIFY2(all.hasMatch(), qPrintable(log));
        QCOMPARE(all.captured(1).split(", ").size(), qsizetype{20});
        VERIFY_HAS(log.section(u'\n', -2), "  failed: " + QString::fromUtf8(told.what()));
    }

    void weights_that_are_not_finite_are_not_checkpointed() {
        auto config = settings();
        config.train.learning_rate = 10;
        config.train.weight_decay = 10;
        config.train.batch_size = 8;
        config.run.checkpoint_seconds = 0;
        const auto run = folder("overflow_kept");
        test::Probe probe;
        const auto error = test::error_of([&] { probe.run(run, config); });
        QVERIFY(error.kind() == ErrorKind::run);
        QVERIFY2(test::says(error, "not finite") && test::says(error, "train.learning_rate"), error.what());
        QVERIFY(!probe.checkpoints.empty());
        const auto checkpoint = store::current_checkpoint(store::RunFolder(run));
        QCOMPARE(QString::fromStdString(checkpoint->filename().string()),
                 QString("gen-%1").arg(probe.checkpoints.back()));
        store::verify_generation(*checkpoint);
        QVERIFY(run::folder_content(run) == run::FolderContent::resumable);
        // Continuing fails at the same step, with the same words.
        const auto again = test::error_of([&] { run_in(run, config, true); });
        QCOMPARE(QString::fromUtf8(again.what()), QString::fromUtf8(error.what()));
    }

    void validation_that_is_not_finite() {
        // Only validation rows hold numbers whose square no float holds; the scaler is that of the training
        // rows.
        const auto csv = folder("huge.csv").string();
        {
            std::ofstream file(csv);
            file << "a,b\n";
            for (int r = 0; r < 300; ++r)
                file << test::cell(r, 0) << "," << (r >= 215 && r < 230 ? 1e30 : test::cell(r, 1)) << "\n";
        }
        auto config = settings();
        config.data.path = csv;
        const auto error = test::error_of([&] { run_in(folder("huge"), config); });
        QVERIFY(error.kind() == ErrorKind::run);
        QVERIFY(test::says(error, "step 5") && test::says(error, "validation MSE is not finite"));
        QVERIFY(store::read_run_status(store::RunFolder(folder("huge")))->row.state ==
                store::RunState::failed);
    }

    void second_process_is_refused() {
        const auto run = folder("locked");
        fs::create_directories(run);
        int ready[2];
        QCOMPARE(::pipe(ready), 0);
        const auto child = ::fork();
        if (child == 0) {
            const store::RunLock lock{store::RunFolder(run)};
            (void)!::write(ready[1], "x", 1);
            ::pause();
            ::_exit(0);
        }
        QVERIFY(child > 0);
        char byte = 0;
        QCOMPARE(::read(ready[0], &byte, 1), ssize_t{1});
        const auto error = test::error_of([&] { run_in(run, settings()); });
        ::kill(child, SIGKILL);
        ::waitpid(child, nullptr, 0);
        QVERIFY(error.kind() == ErrorKind::input);
        QVERIFY(test::says(error, "being written by process " + std::to_string(child)));
        QVERIFY(!fs::exists(run / "run.json"));
        // Of an unfinished run it is not said that it is to be continued, and no data are read for nothing.
        const auto unfinished = folder("locked_unfinished");
        stop_after(unfinished, settings(), 3);
        const store::RunLock held{store::RunFolder(unfinished)};
        auto without_data = settings();
        without_data.data.path = folder("nowhere.csv").string();
        for (const bool resume : {false, true})
            QVERIFY(test::says(test::error_of([&] { run_in(unfinished, without_data, resume); }),
                               "being written by process " + std::to_string(::getpid())));
        // Nor for one that only waits so far.
        fs::create_directories(folder("locked_waiting"));
        const store::RunLock waiting{store::RunFolder(folder("locked_waiting"))};
        QVERIFY(test::says(test::error_of([&] { run_in(folder("locked_waiting"), without_data); }),
                           "being written by"));
        // A killed holder is in nobody's way.
        QVERIFY(run_in(run, settings()).state == store::RunState::finished);
        VERIFY_SAME_RUN(run, folder("plain"));
    }

    void run_finished_by_another_process_is_kept() {
        const auto run =
            folder("race");  // not there yet, so that it cannot be locked before the data are read
        test::Probe probe;
        std::string finished;
        run::RunRequest request{{"race", settings(), {}, run}, true};
        request.room = [&](std::int64_t, const std::string&) {  // it has read the data
            run_in(run, settings(), true);
            finished = test::bytes_of(run / "run.h5");
        };
        const auto row = run::run(request, probe, probe.stop);
        QVERIFY(!finished.empty());
        QVERIFY(row.state == store::RunState::finished);
        QVERIFY2(probe.steps.empty(), "it was trained a second time");
        QVERIFY(test::bytes_of(run / "run.h5") == finished);
    }
};

TEST_MAIN_WITHOUT_GUI(TestResume)
#include "test_resume.moc"

// From the form to the queue: what cannot run is refused before it leaves a run behind.
#include <QDir>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>

#include "config/experiment.h"
#include "config/options.h"
#include "gui/launcher.h"
#include "gui/preview_source.h"
#include "gui/run_queue.h"
#include "library_fixture.h"
#include "state/file_run_library.h"
#include "store/atomic_file.h"
#include "store/run_file.h"
#include "store/run_folder.h"
#include "test_program.h"
#include "verify_text.h"
#include "widgets/panels/data_files.h"

using namespace casp;
using namespace casp::gui;

namespace {

struct Bench {
    widgets::ExperimentModel experiment;
    RunQueue queue;
    widgets::FileRunLibrary library;
    widgets::Selection selection;
    Launcher launcher{experiment, queue, library, selection};
    QSignalSpy missing{&launcher, &Launcher::backbone_missing}, problem{&launcher, &Launcher::problem};

    explicit Bench(const QString& folder, const std::string& backbone = "untrained") {
        queue.hold(true);
        launcher.set_output_folder(folder);
        experiment.set("data.path", std::string("/data/x.csv"));
        experiment.set("name", std::string("e"));
        experiment.set("backbone.path", backbone);
    }
    /// Queues what the form holds, and takes it out of the queue again.
    run::RunRequest taken() {
        launcher.run();
        if (queue.items().empty()) qFatal("nothing was queued");
        const auto item = queue.items().back();
        queue.remove(item.id);
        return item.request;
    }
};

/// As if that run had been finished since.
void finish(const run::RunRequest& request) {
    const store::RunFolder run(request.folder);
    run.create();
    store::RunRecord record;
    record.attributes.state = store::RunState::finished;
    record.test = store::SplitMetrics{};
    record.test->mse = 0.5;
    record.data.channel_names = {"a"};
    record.data.mean = {0};
    record.data.std = {1};
    store::write_run_file(run.path(), record);
    store::write_file_atomically(run.config(), config::to_toml(request.config));
    store::RunStatus status;
    status.row.state = store::RunState::finished;
    status.row.model = request.config.model.name;
    status.row.swept = request.swept;
    status.row.lambda_cov = request.config.loss.lambda_cov;
    store::write_run_status(run, status);
}

}  // namespace

class TestLauncher : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() {
        QVERIFY(folder_.isValid());
        qputenv("XDG_CACHE_HOME", folder_.filePath("cache").toUtf8());  // without GPT-2
    }

    void a_missing_backbone_leaves_no_run() {
        Bench bench(folder_.filePath("refused"), "catalog:gpt2");
        bench.launcher.run();
        QCOMPARE(bench.missing.size(), 1);
        const auto text = bench.missing[0][0].toString();
        VERIFY_HAS(text, "GPT-2 is not on this computer yet", "Get GPT-2");
        QVERIFY2(!text.contains("--fetch"), "no command line inside the window");
        QVERIFY(bench.missing[0][1].toBool());
        QCOMPARE(bench.problem.size(), 0);
        QVERIFY(bench.queue.items().empty());
        QVERIFY(bench.selection.state().runs.isEmpty());
        QVERIFY(!QDir(folder_.filePath("refused")).exists());
        // Another file that is not there: nothing that could be fetched.
        bench.experiment.set("backbone.path", std::string("/nowhere/model.safetensors"));
        bench.launcher.run();
        QCOMPARE(bench.missing.size(), 2);
        QVERIFY(bench.missing[1][0].toString().contains("/nowhere/model.safetensors"));
        QVERIFY(!bench.missing[1][1].toBool());
        QVERIFY(bench.queue.items().empty());
        bench.experiment.set("backbone.path", std::string("untrained"));
        bench.launcher.run();
        QCOMPARE(bench.missing.size(), 2);
        QCOMPARE(bench.queue.items().size(), std::size_t{1});
    }

    void a_sweep_starts_what_can_start() {
        Bench bench(folder_.filePath("sweep"));
        bench.experiment.set_axis("backbone.path", {"catalog:gpt2", "untrained"});
        bench.experiment.set_axis("train.seed", {"1", "2"});
        bench.launcher.run_sweep(bench.experiment.experiment());
        QTRY_COMPARE(bench.missing.size(), 1);  // once, not for every run
        QCOMPARE(bench.queue.items().size(), std::size_t{2});
        for (const auto& item : bench.queue.items())
            QCOMPARE(item.request.config.backbone.path, std::string("untrained"));
    }

    void a_finished_run_gets_its_run_json_back() {
        const auto runs = folder_.filePath("lost");
        const auto request = Bench(runs).taken();
        finish(request);
        const store::RunFolder run(request.folder);
        std::filesystem::remove(run.run_json());  // somebody has removed a damaged one

        Bench bench(runs);
        QSignalSpy exists(&bench.launcher, &Launcher::exists);
        bench.launcher.run();
        QCOMPARE(bench.problem.size(), 0);
        QCOMPARE(exists.size(), 1);
        QVERIFY(bench.queue.items().empty());
        const auto status = store::read_run_status(run);
        QVERIFY(status && status->row.state == store::RunState::finished);
        QCOMPARE(status->row.test_mse, 0.5);
    }

    /// What the message about a damaged run.json advises: remove it, and start the run again as before.
    void an_unfinished_run_without_run_json_is_continued() {
        const auto runs = folder_.filePath("unfinished");
        Bench bench(runs);
        const auto request = bench.taken();
        const store::RunFolder run(request.folder);
        run.create();
        store::RunRecord record;
        record.attributes.state = store::RunState::running;
        store::write_run_file(run.path(), record);
        store::write_file_atomically(run.config(), config::to_toml(request.config));
        QVERIFY(!std::filesystem::exists(run.run_json()));

        bench.launcher.run();
        QCOMPARE(bench.queue.items().size(), std::size_t{1});
        QCOMPARE(bench.queue.items()[0].request.folder, request.folder);
        QVERIFY(bench.queue.items()[0].request.resume);
    }

    void run_being_discarded_is_not_started() {
        const auto folder = folder_.filePath("leaving");
        const auto run = folder + "/e/one";
        test::write_run(run.toStdString(), store::RunState::interrupted);
        Bench bench(folder);
        test::open(bench.library, folder);
        bench.library.start_discard({run});
        bench.launcher.resume(run);
        QCOMPARE(bench.problem.size(), 1);
        VERIFY_HAS(bench.problem[0][0].toString(), "being moved to the wastebasket");
        config::Config fork;
        fork.train.continue_from = run.toStdString();
        bench.launcher.fork(fork, "forked");
        QCOMPARE(bench.problem.size(), 2);
        QVERIFY(bench.problem[1][0].toString().contains("being moved to the wastebasket"));
        QVERIFY(bench.queue.items().empty());
    }

    /// The tables average the runs of an experiment that have equal swept settings besides the seed.
    void changed_settings_are_columns_of_the_tables() {
        using Swept = std::vector<std::pair<std::string, std::string>>;
        Bench bench(folder_.filePath("changed"));
        const auto next = [&](std::int64_t seed, double rate) {
            bench.experiment.set("train.seed", seed);
            bench.experiment.set("train.learning_rate", rate);
            const auto request = bench.taken();
            finish(request);
            auto changes = store::cell_settings(request.swept);
            std::erase_if(changes, [](const auto& setting) { return setting.first == "loss.lambda_cov"; });
            return changes;
        };
        QCOMPARE(next(1, 0.001), Swept());
        QCOMPARE(next(2, 0.001), Swept());
        const Swept rate{{"train.learning_rate", "0.01"}};
        QCOMPARE(next(3, 0.01), rate);
        QCOMPARE(next(1, 0.01), rate);
        QCOMPARE(next(4, 0.001), Swept());
        bench.experiment.set("run.device", std::string("cpu"));  // the same experiment elsewhere
        QCOMPARE(next(5, 0.001), Swept());
        bench.experiment.set("data.split",
                             config::SplitSetting{.rule = "fractions", .fractions = {0.6, 0.2, 0.2}});
        QCOMPARE(next(4, 0.001), (Swept{{"data.split", "0.6-0.2-0.2"}}));
    }

    /// A folder's name says what distinguishes a run from the first ones of its experiment.
    void run_names_are_distinct() {
        Bench bench(folder_.filePath("named"));
        std::vector<run::RunRequest> requests;
        const auto taken = [&] {
            requests.push_back(bench.queue.items().back().request);
            bench.queue.remove(bench.queue.items().back().id);
            finish(requests.back());
            return QString::fromStdString(requests.back().folder.filename().string());
        };
        const auto next = [&](const char* model) {
            bench.experiment.set("model.name", std::string(model));
            bench.launcher.run();
            return taken();
        };
        QCOMPARE(next("dlinear"), QString("seed-2021"));
        QCOMPARE(next("patchtst"), QString("model-patchtst_seed-2021"));
        QCOMPARE(next("casp-llm"), QString("model-casp-llm_lambda_cov-0.1_seed-2021"));
        bench.experiment.set("train.seed", std::int64_t{7});
        QCOMPARE(next("patchtst"), QString("model-patchtst_seed-7"));  // of the same cell
        QVERIFY(store::cell_settings(requests[3].swept) == store::cell_settings(requests[1].swept));
        QVERIFY(store::cell_settings(requests[3].swept) != store::cell_settings(requests[0].swept));
        bench.experiment.set("train.learning_rate", 0.01);
        QCOMPARE(next("patchtst"), QString("model-patchtst_learning_rate-0.01_seed-7"));
        QSignalSpy exists(&bench.launcher, &Launcher::exists);
        bench.launcher.run();
        QCOMPARE(exists.size(), 1);
        bench.launcher.run_again();
        QCOMPARE(taken(), QString("model-patchtst_learning_rate-0.01_seed-7-2"));

        // A run of 1.0.0, whose copies were numbered.
        std::filesystem::rename(requests[4].folder, requests[3].folder.parent_path() / "seed-7");
        std::filesystem::rename(requests[5].folder, requests[3].folder.parent_path() / "seed-7-2");
        bench.launcher.run();
        QCOMPARE(exists.size(), 2);
        QCOMPARE(QFileInfo(exists[1][0].toString()).fileName(), QString("seed-7"));

        // A fork: its parent, and what was changed since.
        auto fork = requests[1].config;
        fork.train.continue_from = requests[1].folder.string();
        fork.train.epochs = 5;
        test::open(bench.library, folder_.filePath("named"));
        bench.launcher.fork(fork, "child");
        QCOMPARE(taken(), QString("child"));
        const auto swept = requests.back().swept;
        for (const auto& setting : {std::pair("train.continue_from", fork.train.continue_from.c_str()),
                                    std::pair("train.epochs", "5"), std::pair("model.name", "patchtst")})
            QCOMPARE(std::count(swept.begin(), swept.end(), std::pair<std::string, std::string>(setting)), 1);
        QCOMPARE(swept.size(), std::size_t{4});  // and the seed
        QCOMPARE(bench.problem.size(), 0);
    }

    void new_runs_join_the_opened_batch_data() {
        QTest::addColumn<QString>("batch");
        QTest::newRow("as it was called") << "e";
        QTest::newRow("renamed since") << "kept";
    }

    /// The folder of a batch is opened by itself, not the one above it.
    void new_runs_join_the_opened_batch() {
        QFETCH(const QString, batch);
        const auto runs = folder_.filePath("opened " + batch);
        const auto request = Bench(runs).taken();
        finish(request);
        const auto folder = runs + '/' + batch;
        if (batch != "e") QVERIFY(QDir().rename(runs + "/e", folder));
        const auto parent = folder + '/' + QString::fromStdString(request.name);
        const auto asked = [](Bench& bench) {
            const auto& items = bench.queue.items();
            return items.empty() ? QString() : QString::fromStdString(items.back().request.folder.string());
        };

        Bench bench(folder);
        test::open(bench.library, folder);
        bench.selection.set_runs({parent});
        QSignalSpy exists(&bench.launcher, &Launcher::exists);
        bench.launcher.run_with_lambda();
        QCOMPARE(exists.size(), 1);  // it is finished there already
        QCOMPARE(exists[0][0].toString(), parent);
        QVERIFY(bench.queue.items().empty());

        bench.experiment.set("loss.lambda_cov", 0.7);
        bench.launcher.run_with_lambda();
        QCOMPARE(bench.queue.items().size(), std::size_t{1});
        QCOMPARE(asked(bench), folder + "/lambda_cov-0.7_seed-2021");

        auto config = request.config;
        config.train.continue_from = parent.toStdString();
        bench.launcher.fork(config, "child");
        QCOMPARE(bench.queue.items().size(), std::size_t{2});
        QCOMPARE(asked(bench), folder + "/child");

        // What the form holds belongs there where it is the same experiment.
        bench.experiment.set("loss.lambda_cov", 0.9);
        bench.launcher.run();
        QCOMPARE(bench.queue.items().size(), std::size_t{3});
        QCOMPARE(asked(bench), (batch == "e" ? folder : folder + "/e") + "/lambda_cov-0.9_seed-2021");
        QCOMPARE(bench.problem.size(), 0);

        // The run is still selected after another folder was opened, but not shown.
        bench.selection.set_runs({parent});
        QCOMPARE(bench.launcher.lambda_base(), parent);
        const auto other = folder_.filePath("other " + batch);
        test::write_run((other + "/e/one").toStdString(), store::RunState::finished);
        test::open(bench.library, other);
        bench.launcher.set_output_folder(other);
        QCOMPARE(bench.launcher.lambda_base(), QString());
        bench.launcher.run_with_lambda();
        QCOMPARE(bench.problem.size(), 1);
        QCOMPARE(bench.queue.items().size(), std::size_t{3});
    }

    /// A window per series; the folder is not read as a table.
    void a_collection_of_series_is_estimated() {
        const auto folder = folder_.filePath("m4");
        std::vector<test::MadeSeries> series;
        for (int i = 0; i < 20; ++i) series.push_back({"Y" + QByteArray::number(i), 20});
        test::write_m4(folder, "Yearly", series, 6);
        auto config = config::load_text("preset = \"dlinear-m4-yearly\"", "test", {}).base;
        config.data.path = folder.toStdString();
        config.run.device = "cpu";
        const auto preview = make_preview_function();
        const auto estimate = preview(config, {});
        QVERIFY2(estimate.problem.isEmpty(), qPrintable(estimate.problem));
        QCOMPARE(estimate.steps_per_epoch, std::int64_t{2});  // 20 windows in batches of 16
        // Another horizon is another reading, with its problem.
        config.data.horizon = 7;
        QVERIFY(preview(config, {}).problem.contains("data.horizon"));
    }

    /// Where a part has no window, no run begins, and the nearest settings that fit are proposed.
    void settings_that_fit() {
        config::Config config;
        config.run.device = "cpu";
        config.model.name = "dlinear";
        const auto path = folder_.filePath("short.csv");
        test::write_file(path, test::hourly(400));
        config.data.path = path.toStdString();
        const auto preview = make_preview_function();
        const auto way_out = [&] {
            const auto estimate = preview(config, {});
            if (!estimate.no_run) return QString();
            QStringList texts;
            for (const auto& [key, value] : estimate.way_out) {
                texts << QString::fromStdString(key + '=' + config::plain_text(value));
                config::set(config, key, value);
            }
            return texts.join(' ');
        };
        config.data.split = {"rows", {5000, 100, 100}};
        config.data.lookback = 96;
        config.data.horizon = 24;
        QCOMPARE(way_out(), QString("data.split=ratio"));
        QCOMPARE(way_out(), QString());  // it fits now
        config.data.lookback = 512;
        QCOMPARE(way_out(), QString("data.lookback=256"));
        QCOMPARE(way_out(), QString());
        config.data.horizon = 96;  // validation has 40 rows
        QCOMPARE(way_out(), QString("data.horizon=24"));
        QCOMPARE(way_out(), QString());
        // Cells that a run would refuse.
        const auto gaps = folder_.filePath("gaps.csv");
        test::write_file(gaps, test::hourly(400).replace(",7,7\n", ",,7\n"));
        config.data.path = gaps.toStdString();
        QVERIFY(preview(config, {}).problem.contains("without a value"));
        QCOMPARE(way_out(), QString("data.missing=interpolate"));
        QCOMPARE(preview(config, {}).plan.val.windows, std::int64_t{40 - 24 + 1});
        config.data.targets = {"nobody"};
        QVERIFY(preview(config, {}).problem.contains("nobody"));
        QVERIFY(preview(config, {}).no_run);
        config.data.targets = {};
        // Nothing helps, and no run is possible.
        config.data.path = "/nowhere.csv";
        QVERIFY(preview(config, {}).no_run);
        QCOMPARE(way_out(), QString());
    }

private:
    QTemporaryDir folder_;
};

TEST_MAIN(TestLauncher)
#include "test_launcher.moc"

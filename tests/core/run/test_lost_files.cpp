// Runs of which a file is lost or damaged: what is still there is kept, found again, and never written over.
#include <QtTest>

#include "config/experiment.h"
#include "resume_fixture.h"
#include "run/preparation.h"
#include "store/results.h"
#include "store/run_archive.h"
#include "test_program.h"

using namespace casp;
using test::run_in;
namespace fs = std::filesystem;

class TestLostFiles : public test::ResumeFixture {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { prepare(); }
    void finished_run_gets_its_run_json_back() {
        const auto run = copy_of_plain("no_run_json");
        const std::vector<std::pair<std::string, std::string>> swept{{"train.seed", "2021"}};
        auto expected = store::read_run_status(store::RunFolder(run))->row;
        fs::remove(run / "run.json");
        QVERIFY(run::folder_content(run) == run::FolderContent::complete);
        const auto before = files_of(run);
        // Of other settings it is no result, and nothing is written.
        auto other = settings();
        other.loss.lambda_cov = 0.3;
        QVERIFY(test::says(test::error_of([&] { run_in(run, other, true); }), "loss.lambda_cov was"));
        QVERIFY(files_of(run) == before);

        for (const bool resume : {false, true}) {
            fs::remove(run / "run.json");
            test::Probe probe;
            const auto row = run::run({{"no_run_json", settings(), swept, run}, resume}, probe, probe.stop);
            QVERIFY2(probe.steps.empty(), "it was trained again");
            expected.run = "no_run_json";
            expected.swept = swept;
            expected.seconds = store::not_known;
            expected.peak_memory = -1;
            QCOMPARE(QString::fromStdString(store::results_csv({row})),
                     QString::fromStdString(store::results_csv({expected})));
            QCOMPARE(QString::fromStdString(
                         store::results_csv({store::read_run_status(store::RunFolder(run))->row})),
                     QString::fromStdString(store::results_csv({expected})));
            auto after = files_of(run);
            QCOMPARE(after.erase("run.json"), std::size_t{1});
            QVERIFY(after == before);
        }
    }

    void finished_run_without_run_json_is_not_called_failed() {
        const auto run = copy_of_plain("not_failed");
        fs::remove(run / "run.json");
        const auto config = settings();
        const std::string name = "not_failed";
        run::mark_failed({name, config, {}, run}, "the data are away");
        run::mark_queued({name, config, {}, run});
        QVERIFY(!fs::exists(run / "run.json"));
        QVERIFY(run::folder_content(run) == run::FolderContent::complete);
    }

    void unfinished_run_without_run_json_resumes() {
        const auto run = folder("unfinished");
        stop_after(run, settings(), 7);
        fs::remove(run / "run.json");
        QVERIFY(run::folder_content(run) == run::FolderContent::resumable);
        QVERIFY(test::says(test::error_of([&] { run_in(run, settings()); }), "--resume"));
        run_in(run, settings(), true);
        VERIFY_SAME_RUN(run, folder("plain"));
    }

    void run_of_unknown_state_is_refused() {
        const auto run = copy_of_plain("unknown");
        fs::remove(run / "run.json");
        damage(run / "run.h5");
        const auto before = files_of(run);
        for (const bool resume : {false, true}) {
            const auto error = test::error_of([&] { run_in(run, settings(), resume); });
            QVERIFY(error.kind() == ErrorKind::input);
            QVERIFY(test::says(error, "does not match its checksum") &&
                    test::says(error, "Only run.json or run.h5"));
        }
        QVERIFY(files_of(run) == before);
    }

    void folder_with_only_weights_is_not_overwritten() {
        const auto run = folder("weights");
        fs::create_directories(run);
        fs::copy_file(folder("plain") / "best.safetensors", run / "best.safetensors");
        const auto before = files_of(run);
        for (const bool resume : {false, true}) {
            const auto error = test::error_of([&] { run_in(run, settings(), resume); });
            QVERIFY(error.kind() == ErrorKind::input);
            QVERIFY(test::says(error, "best.safetensors: these are weights of a run"));
        }
        QVERIFY(files_of(run) == before);
    }

    void missing_results_are_reported() {
        const auto run = copy_of_plain("incomplete");
        auto config = settings();
        const std::string name = "incomplete";
        QVERIFY(run::lost_files({name, config, {}, run}).empty());
        fs::remove(run / "best.safetensors");
        fs::remove(run / "arrays.h5");
        const auto lost = run::lost_files({name, config, {}, run});
        QCOMPARE(lost.size(), std::size_t{2});
        QVERIFY(lost[0].find("best.safetensors no longer exists") != std::string::npos);
        QVERIFY(lost[1].find("arrays.h5 no longer exists") != std::string::npos);
        config.run.store_forecasts = {};
        QCOMPARE((run::lost_files({name, config, {}, run}).size()), std::size_t{1});
    }

    void checkpoint_without_history_data() {
        QTest::addColumn<bool>("there");
        QTest::newRow("run.h5 is damaged") << true;
        QTest::newRow("run.h5 is lost") << false;
    }

    void checkpoint_without_history() {
        QFETCH(const bool, there);
        const std::string name = there ? "damaged" : "lost";
        const auto run = folder(name);
        stop_after(run, settings(), 7);
        fork(run, name + "_whole");
        if (there)
            damage(run / "run.h5");
        else
            fs::remove(run / "run.h5");
        // A resume tells what is wrong and the way on, and touches nothing.
        const auto before = files_of(run);
        const auto error = test::error_of([&] { run_in(run, settings(), true); });
        QVERIFY(error.kind() == ErrorKind::input);
        QVERIFY(test::says(error, there ? "does not match its checksum" : "there is no such file"));
        QVERIFY(test::says(error, "checkpoint of step 7 is intact"));
        QVERIFY(test::says(error, "train.continue_from = \"" + run.string() + "\""));
        QVERIFY(files_of(run) == before);
        // That way leads on: the same weights as a fork of the whole run, and its curves from there.
        QVERIFY(told(fork(run, name + "_forked"), "the curves up to the fork are lost"));
        QVERIFY(test::tensors_of(folder(name + "_forked") / "best.safetensors") ==
                test::tensors_of(folder(name + "_whole") / "best.safetensors"));
        const auto whole = test::record_of(folder(name + "_whole"));
        const auto forked = test::record_of(folder(name + "_forked"));
        QCOMPARE(forked.steps.step.front(), std::int64_t{8});
        QVERIFY(test::same_bits(forked.steps.total,
                                std::vector<double>(whole.steps.total.begin() + 7, whole.steps.total.end())));
        QVERIFY(test::same_bits(forked.test->mse, whole.test->mse));
        // It can be stopped and continued as any other.
        auto config = settings();
        config.train.continue_from = run.string();
        QVERIFY(stop_after(folder(name + "_stopped"), config, 10).state == store::RunState::cancelled);
        run_in(folder(name + "_stopped"), config, true);
        VERIFY_SAME_RUN(folder(name + "_stopped"), folder(name + "_forked"));
    }

    void finished_run_without_history_is_forked() {
        const auto run = copy_of_plain("finished");
        damage(run / "run.h5");
        QVERIFY(told(fork(run, "finished_forked"), "the curves up to the fork are lost"));
        QCOMPARE(test::record_of(folder("finished_forked")).steps.step.front(), std::int64_t{1});
    }

    void run_without_checkpoint_keeps_its_settings() {
        const auto run = started("started");
        QVERIFY(run::folder_content(run) == run::FolderContent::started);
        const auto before = files_of(run);
        auto other = settings();
        other.loss.lambda_cov = 0.2;
        auto error = test::error_of([&] { run_in(run, other, true); });
        QVERIFY(error.kind() == ErrorKind::input);
        QVERIFY(test::says(error, "started with other settings") &&
                test::says(error, "loss.lambda_cov was 0.1, is now 0.2"));
        QVERIFY(files_of(run) == before);
        // Other values in the file, and the file elsewhere.
        other = settings();
        other.data.path = test::write_csv(folder("other.csv"), test::small_rows, test::small_channels, 0.5);
        error = test::error_of([&] { run_in(run, other, true); });
        QVERIFY(test::says(error, "the data file's content"));
        QVERIFY(files_of(run) == before);
        // Without config.toml run.h5 knows.
        fs::rename(run / "config.toml", folder("config.toml"));
        other = settings();
        other.train.batch_size = 16;
        error = test::error_of([&] { run_in(run, other, true); });
        QVERIFY(test::says(error, "train.batch_size was 32, is now 16"));
        fs::rename(folder("config.toml"), run / "config.toml");
        QVERIFY(files_of(run) == before);
        // A window says "queued" of one that is to go on.
        auto status = *store::read_run_status(store::RunFolder(run));
        status.row.state = store::RunState::queued;
        store::write_run_status(store::RunFolder(run), status);
        QVERIFY(test::says(test::error_of([&] { run_in(run, other, true); }), "train.batch_size was 32"));
        QVERIFY(run::folder_content(run) == run::FolderContent::started);
        QVERIFY(test::says(test::error_of([&] { run_in(run, settings(), false); }), "--resume"));
        // A refusal is noted as a failure in run.json; the next attempt is refused all the same.
        status.row.state = store::RunState::failed;
        store::write_run_status(store::RunFolder(run), status);
        QVERIFY(test::says(test::error_of([&] { run_in(run, other, true); }), "train.batch_size was 32"));
        // With its own it starts anew, also where the file lies elsewhere now.
        auto moved = settings();
        moved.data.path = test::write_csv(folder("moved.csv"), test::small_rows, test::small_channels);
        run_in(run, moved, true);
        VERIFY_SAME_RUN(run, folder("plain"));
    }

    void failed_run_may_change_settings() {
        const auto run = started("failed");
        failed(run);
        auto other = settings();
        other.train.batch_size = 16;
        other.train.max_steps = 2;
        QVERIFY(run_in(run, other, true).state == store::RunState::finished);
        QCOMPARE(test::record_of(run).steps.step.size(), std::size_t{2});
    }

    /// Interrupted before its first validation, a run must not offer the weights of the attempt before.
    void restart_removes_previous_weights() {
        auto config = settings();
        config.run.save_initial = true;
        const auto run = folder("anew");
        stop_after(run, config, 7);
        QVERIFY(fs::exists(run / "best.safetensors") && fs::exists(run / "initial.safetensors"));
        never_checkpointed(run);
        failed(run);
        auto other = settings();
        other.loss.lambda_cov = 0.2;
        QVERIFY(stop_after(run, other, 2, train::StopRequest::interrupt, true).state ==
                store::RunState::interrupted);
        QVERIFY(!fs::exists(run / "best.safetensors"));
        QVERIFY(!fs::exists(run / "initial.safetensors"));
    }

    /// The first checkpoint follows the first step.
    void run_cut_off_before_its_first_checkpoint_starts_anew() {
        const auto cut = folder("cut_off"), cut_later = folder("cut_off_later");
        test::Probe probe;
        const auto copy_to = [&](const fs::path& copy) {  // as a kill leaves it
            fs::copy(folder("to_cut"), copy, fs::copy_options::recursive);
        };
        probe.at_step = [&](const train::StepReport& step) {
            if (step.step == 1) copy_to(cut);
            if (step.step == 3) copy_to(cut_later);
        };
        probe.run(folder("to_cut"), settings());
        QVERIFY(!fs::exists(cut / "last"));
        QVERIFY(test::record_of(cut).attributes.checkpointed == false);
        QVERIFY(told(resumed(cut), "starts from the beginning"));
        VERIFY_SAME_RUN(cut, folder("plain"));
        QVERIFY(test::record_of(cut_later).attributes.checkpointed == true);
        QCOMPARE(test::record_of(cut_later).steps.step, std::vector<std::int64_t>{1});
        QVERIFY(told(resumed(cut_later), "continuing after step 1"));
        VERIFY_SAME_RUN(cut_later, folder("plain"));
    }

    void lost_checkpoint_is_reported_data() {
        QTest::addColumn<QString>("what");
        QTest::addColumn<QString>("found");
        const QString lost = "the run's checkpoint is lost";
        QTest::newRow("last") << lost << "run.h5 with 7 steps, best.safetensors";
        QTest::newRow("failed") << lost << "run.h5 with 7 steps, best.safetensors";
        QTest::newRow("older")
            << "there is no checkpoint, and the older version that wrote the run did not record"
            << "run.h5 with 7 steps, best.safetensors";
        QTest::newRow("history") << lost << "found: best.safetensors";
        QTest::newRow("weights") << lost << "found: run.h5 with 7 steps;";
    }

    void lost_checkpoint_is_reported() {
        QFETCH(const QString, what);
        QFETCH(const QString, found);
        const std::string kind = QTest::currentDataTag();
        const auto run = folder("lost_" + kind);
        stop_after(run, settings(), 7);
        fs::rename(run / "last", folder("last_of_" + kind));
        if (kind == "failed") failed(run);
        if (kind == "older")
            change_history(run, [](auto& record) { record.attributes.checkpointed.reset(); });
        if (kind == "history") fs::remove(run / "run.h5");
        if (kind == "weights") fs::remove(run / "best.safetensors");
        const auto before = files_of(run);
        const auto error = test::error_of([&] { run_in(run, settings(), true); });
        QVERIFY(error.kind() == ErrorKind::input);
        QVERIFY(test::says(error, what.toStdString()) && test::says(error, found.toStdString()));
        QCOMPARE(run::why_not_resumable(run), std::string(error.what()));  // also before
        QVERIFY(test::says(error, "Restore last/"));
        QVERIFY(files_of(run) == before);
        const bool weights = kind != "weights";
        QCOMPARE(std::string(error.what()).find("train.continue_from") != std::string::npos, weights);
        // The ways that it names lead on.
        if (weights) {
            QVERIFY(told(fork(run, "fork_of_" + kind), "forked from the weights in"));
        }
        if (kind != "last") return;
        fs::rename(folder("last_of_" + kind), run / "last");
        run_in(run, settings(), true);
        VERIFY_SAME_RUN(run, folder("plain"));
    }

    void unfinished_run_resumes_from_its_archive() {
        if (QStandardPaths::findExecutable("tar").isEmpty()) QSKIP("tar is not here");
        const auto run = folder("archived");
        stop_after(run, settings(), 7);
        store::write_archive(run, folder("archived.tar.gz"));
        fs::create_directories(folder("elsewhere"));
        QCOMPARE(QProcess::execute("tar", {"xzf", QString::fromStdString(folder("archived.tar.gz").string()),
                                           "-C", QString::fromStdString(folder("elsewhere").string())}),
                 0);
        QVERIFY(told(resumed(folder("elsewhere") / "archived"), "continuing after step 7"));
        VERIFY_SAME_RUN(folder("elsewhere") / "archived", folder("plain"));
    }

    void newest_whole_checkpoint_is_adopted() {
        const auto run = folder("no_pointer");
        stop_after(run, settings(), 7);
        const auto last = run / "last";
        fs::remove(last / "current");
        fs::copy(last / "gen-7", last / "gen-10", fs::copy_options::recursive);
        damage(last / "gen-10" / "model.safetensors");
        QVERIFY(run::folder_content(run) == run::FolderContent::started);
        const auto before = files_of(run);
        auto other = settings();
        other.loss.lambda_cov = 0.2;
        QVERIFY(test::says(test::error_of([&] { run_in(run, other, true); }), "loss.lambda_cov was 0.1"));
        QVERIFY(test::says(test::error_of([&] { run_in(run, settings()); }), "--resume"));
        QVERIFY(files_of(run) == before);
        const auto messages = resumed(run);
        QVERIFY(told(messages, "gen-7 is the newest complete checkpoint"));
        QVERIFY(told(messages, "continuing after step 7"));
        VERIFY_SAME_RUN(run, folder("plain"));
    }

    void damaged_checkpoint_without_a_pointer_is_reported() {
        const auto run = folder("no_pointer_damaged");
        stop_after(run, settings(), 3);
        fs::remove(run / "last" / "current");
        damage(run / "last" / "gen-3" / "model.safetensors");
        // Even where nothing else says that there was one: a kill leaves no such folder.
        change_history(run, [](auto& record) { record.attributes.checkpointed = false; });
        auto before = files_of(run);
        const auto error = test::error_of([&] { run_in(run, settings(), true); });
        QVERIFY(test::says(error, "the run's checkpoint is damaged") &&
                test::says(error, "model.safetensors"));
        QVERIFY(files_of(run) == before);
        // Nor does a new run begin upon it.
        fs::remove(run / "run.h5");
        fs::remove(run / "run.json");
        before = files_of(run);
        QVERIFY(test::says(test::error_of([&] { run_in(run, settings()); }), "an unfinished run is there"));
        QVERIFY(files_of(run) == before);
    }

    /// A window says "queued" of one that is to go on.
    void queued_run_with_checkpoint_requires_resume() {
        const auto run = folder("waits");
        stop_after(run, settings(), 3);
        fs::remove(run / "last" / "current");
        fs::remove(run / "run.h5");
        fs::remove(run / "best.safetensors");
        const store::RunFolder there(run);
        auto status = *store::read_run_status(there);
        status.row.state = store::RunState::queued;
        store::write_run_status(there, status);
        QVERIFY(run::folder_content(run) == run::FolderContent::started);
        const auto before = files_of(run);
        const auto error = test::error_of([&] { run_in(run, settings()); });
        QVERIFY(test::says(error, "an unfinished run is there") && test::says(error, "--resume"));
        QVERIFY(files_of(run) == before);
    }

    void leftovers_of_a_finished_run_are_removed_data() {
        test::name_rows("kind", {"all", "no pointer", "temporary", "empty", "snapshots"});
    }

    /// As a kill leaves them between the last word and the end of the clearing up.
    void leftovers_of_a_finished_run_are_removed() {
        QFETCH(const QString, kind);
        const auto run = copy_of_plain("remains_" + kind.toStdString());
        const store::RunFolder there(run);
        const auto whole = files_of(run);
        const auto remain = [&] {
            fs::create_directories(run / "last");
            if (kind == "snapshots") {
                fs::remove(run / "last");
                fs::create_directories(run / "snapshots");
                std::ofstream(run / "snapshots" / "4.safetensors") << "x";
            } else if (kind == "temporary") {
                fs::create_directories(run / "last" / ".gen-15.1-1.tmp");
                std::ofstream(run / "last" / ".gen-15.1-1.tmp" / "model.safetensors") << "half";
            } else if (kind != "empty") {
                fs::create_directories(run / "last" / "gen-15");
                std::ofstream(run / "last" / "gen-15" / "model.safetensors") << "model";
                if (kind == "all") std::ofstream(run / "last" / "current") << "gen-15\n";
            }
        };
        const auto is_clear = [&] {
            return files_of(run) == whole && !fs::exists(run / "last") && !fs::exists(run / "snapshots");
        };
        remain();
        QVERIFY(!is_clear());
        {
            const store::RunLock lock(there);  // takes the temporary itself
            const auto held = files_of(run);
            run::clear_up_finished(run, false);
            QVERIFY(files_of(run) == held);
        }
        remain();
        run::clear_up_finished(run, false);
        QVERIFY(is_clear());
        // As whoever asks for the run again.
        remain();
        QVERIFY(run_in(run, settings()).state == store::RunState::finished);
        QVERIFY(is_clear());
        if (kind != "all" && kind != "no pointer") return;
        // The weights that are to be kept are kept, also where they were put in place already.
        remain();
        if (kind == "no pointer") std::ofstream(run / "last" / "model.safetensors") << "model";
        run::clear_up_finished(run, kind == "all");
        auto after = files_of(run);
        QCOMPARE(after["last/model.safetensors"], std::string("model"));
        after.erase("last/model.safetensors");
        QVERIFY(after == whole);
        // Nor does one that goes on lose anything.
        const auto unfinished = folder("unfinished_" + kind.toStdString());
        stop_after(unfinished, settings(), 3);
        const auto before = files_of(unfinished);
        run::clear_up_finished(unfinished, false);
        QVERIFY(files_of(unfinished) == before);
    }

    void history_that_does_not_fit_data() {
        QTest::addColumn<QString>("words");
        QTest::newRow("older") << "it ends at step 4 ";
        QTest::newRow("epoch") << "it ends at step 8 and has 0 epochs";
        QTest::newRow("snapshot") << "older than the checkpoint";
        QTest::newRow("settings") << "loss.lambda_cov was 0.1, is now 0.2";
        QTest::newRow("data") << "the data file's SHA-256 was";
    }

    void history_that_does_not_fit() {
        QFETCH(const QString, words);
        const std::string kind = QTest::currentDataTag();
        const auto run = folder("unfit_" + kind);
        stop_after(run, settings(), 4);
        const auto former = test::bytes_of(run / "run.h5");
        stop_after(run, settings(), 8, train::StopRequest::cancel, true);
        const auto whole = test::bytes_of(run / "run.h5");
        change_history(run, [&](auto& record) {
            if (kind == "epoch") record.epochs.cut_after(0);
            if (kind == "snapshot") record.anchors.cut_after(4);
            if (kind == "settings")
                record.attributes.config.replace(record.attributes.config.find("lambda_cov = 0.1"), 16,
                                                 "lambda_cov = 0.2");
            if (kind == "data") record.attributes.dataset_sha256 = std::string(64, '0');
        });
        if (kind == "older") std::ofstream(run / "run.h5", std::ios::binary) << former;
        const auto before = files_of(run);
        const auto error = test::error_of([&] { run_in(run, settings(), true); });
        QVERIFY(error.kind() == ErrorKind::input);
        QVERIFY(test::says(error, "run.h5: it is ") && test::says(error, words.toStdString()));
        QVERIFY(test::says(error, "Restore the run.h5"));
        QVERIFY(files_of(run) == before);
        if (kind == "older") {  // no curve with a hole in it
            QVERIFY(told(fork(run, "fork_of_unfit"), "the curves up to the fork are lost"));
            QCOMPARE(test::record_of(folder("fork_of_unfit")).steps.step.front(), std::int64_t{9});
        }
        std::ofstream(run / "run.h5", std::ios::binary) << whole;
        run_in(run, settings(), true);
        VERIFY_SAME_RUN(run, folder("plain"));
    }

    void another_device_is_noted() {
        const auto run = folder("moved_on");
        stop_after(run, settings(), 4);
        QVERIFY(test::record_of(run).attributes.former_devices.empty());
        change_history(run, [](auto& record) {
            record.attributes.device = "cuda:0";
            record.attributes.hardware = "a large GPU";
        });
        test::Probe probe;
        probe.at_step = [&](const train::StepReport& step) {
            if (step.step == 8) probe.stop.ask(train::StopRequest::interrupt);
        };
        probe.run(run, settings(), true);
        QVERIFY(probe.told("trained on cuda:0 (a large GPU"));
        QVERIFY(probe.told("up to step 4, resumed on cpu ("));
        const auto noted = test::record_of(run).attributes.former_devices;
        QVERIFY2(noted.starts_with("cuda:0 (a large GPU, LibTorch ") && noted.ends_with(") to step 4"),
                 noted.c_str());
        QVERIFY(!told(resumed(run), "trained on"));  // on the same as before
        QCOMPARE(test::record_of(run).attributes.former_devices, noted);
        QVERIFY(test::record_of(run).attributes.device == "cpu");
        VERIFY_SAME_RUN(run, folder("plain"));
    }

private:
    /// A copy of the undisturbed run.
    [[nodiscard]] fs::path copy_of_plain(const std::string& name) const {
        fs::copy(folder("plain"), folder(name), fs::copy_options::recursive);
        return folder(name);
    }
    /// Stopped after step 7, its checkpoint gone as if there never was one: what a run looks like that was
    /// killed before its first one.
    [[nodiscard]] fs::path started(const std::string& name) const {
        stop_after(folder(name), settings(), 7);
        never_checkpointed(folder(name));
        return folder(name);
    }
    template <class Change>
    static void change_history(const fs::path& run, const Change& change) {
        auto record = test::record_of(run);
        change(record);
        store::write_run_file(run, record);
    }
    static void never_checkpointed(const fs::path& run) {
        fs::remove_all(run / "last");
        change_history(run, [](auto& record) { record.attributes.checkpointed = false; });
    }
    /// Resumes; what was told.
    std::vector<std::string> resumed(const fs::path& run) const {
        test::Probe probe;
        probe.run(run, settings(), true);
        return probe.messages;
    }
    static bool told(const std::vector<std::string>& messages, const std::string& words) {
        return std::any_of(messages.begin(), messages.end(),
                           [&](const auto& text) { return text.find(words) != std::string::npos; });
    }
    /// As it is left by a failure.
    static void failed(const fs::path& run) {
        const store::RunFolder folder(run);
        auto status = *store::read_run_status(folder);
        status.row.state = store::RunState::failed;
        store::write_run_status(folder, status);
        auto record = store::read_run_file(folder.run_file());
        record.attributes.state = store::RunState::failed;
        store::write_run_file(run, record);
    }
    static void damage(const fs::path& file) {
        auto bytes = test::bytes_of(file);
        bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
        std::ofstream(file, std::ios::binary) << bytes;
    }
    static std::map<std::string, std::string> files_of(const fs::path& run) {
        std::map<std::string, std::string> files;
        for (const auto& entry : fs::recursive_directory_iterator(run))
            if (entry.is_regular_file() && entry.path().filename() != "log.txt" &&
                entry.path().filename() != ".lock")
                files[fs::relative(entry.path(), run).string()] = test::bytes_of(entry.path());
        return files;
    }
    /// Forks `parent` with its own settings; what was told.
    std::vector<std::string> fork(const fs::path& parent, const std::string& name) const {
        auto config = settings();
        config.train.continue_from = parent.string();
        test::Probe probe;
        if (probe.run(folder(name), config).state != store::RunState::finished) qFatal("not finished");
        return probe.messages;
    }
};

TEST_MAIN_WITHOUT_GUI(TestLostFiles)
#include "test_lost_files.moc"

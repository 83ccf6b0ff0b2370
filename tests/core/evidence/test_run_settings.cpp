// Runs of several batches as one sweep.

#include <algorithm>
#include <filesystem>

#include <QtTest>

#include "config/experiment.h"
#include "config/options.h"
#include "evidence/batch_comparisons.h"
#include "evidence/run_settings.h"
#include "evidence_test.h"
#include "store/atomic_file.h"
#include "store/run_folder.h"
#include "test_program.h"
#include "util/error.h"

using namespace casp;
using namespace casp::evidence;
using casp::test::Settings;

namespace {

namespace fs = std::filesystem;

/// A run with these settings, of which the first `swept` are those of its sweep.
SettledRun run(const Settings& settings, std::size_t swept, std::int64_t seed = 1) {
    std::vector<std::string> sets{"train.seed=" + std::to_string(seed)};
    SettledRun r;
    for (const auto& [key, text] : settings)
        if (key != "case") sets.push_back(key + "=" + text);
    r.config = config::load_text("", "test", {}, sets).base;
    r.row.swept.assign(settings.begin(), settings.begin() + static_cast<std::ptrdiff_t>(swept));
    r.row.swept.emplace_back("train.seed", std::to_string(seed));
    r.row.seed = seed;
    r.row.data = "ETTh1";
    r.row.horizon = 96;
    r.row.state = store::RunState::finished;
    r.row.lambda_cov = r.config.loss.lambda_cov;
    r.row.test_mse = 0.5 + r.config.loss.lambda_cov;
    return r;
}

/// Writes a run without results.
void write_run(const fs::path& folder, std::int64_t seed, store::RunState state = store::RunState::finished) {
    const store::RunFolder target(folder);
    auto r = run({}, 0, seed);
    r.row.state = state;
    target.create();
    store::write_file_atomically(target.config(), config::to_toml(r.config));
    store::write_run_status(target, {r.row, {}, {}});
}

std::vector<std::string> keys_of(const store::ResultRow& row) {
    std::vector<std::string> keys;
    for (const auto& setting : row.swept) keys.push_back(setting.first);
    return keys;
}

using Keys = std::vector<std::string>;

}  // namespace

class TestRunSettings : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void one_sweep_keeps_its_keys() {
        const auto rows =
            as_one_sweep({run({{"loss.lambda_cov", "0"}}, 1), run({{"loss.lambda_cov", "0.1"}}, 1)});
        QCOMPARE(keys_of(rows[0]), (Keys{"loss.lambda_cov", "train.seed"}));
        QVERIFY(rows[0].swept[0].second == "0" && rows[1].swept[0].second == "0.1");
        QVERIFY(rows[0].swept[1].second == "1");
    }

    void single_runs_are_distinguished_by_configuration() {
        const auto rows =
            as_one_sweep({run({{"loss.lambda_cov", "0"}, {"run.threads", "1"}, {"name", "a"}}, 0),
                          run({{"loss.lambda_cov", "0.5"}, {"train.epochs", "7"}}, 0)});
        QCOMPARE(keys_of(rows[0]), (Keys{"train.seed", "loss.lambda_cov", "train.epochs"}));
        QCOMPARE(contrasts_of(rows).at(0).key, std::string("loss.lambda_cov"));
        // They differ in more than λ_cov: no pair.
        QVERIFY(compare_rows(rows, {"loss.lambda_cov", "0"}, {"test_mse"}).empty());
    }

    void a_batch_without_the_key_gets_its_value() {
        const auto rows =
            as_one_sweep({run({{"loss.lambda_cov", "0"}}, 1), run({{"loss.lambda_cov", "0.1"}}, 1),
                          run({{"loss.lambda_cov", "0.5"}}, 0)});
        QCOMPARE(values_of(rows, "loss.lambda_cov"), (Keys{"0", "0.1", "0.5"}));
        QCOMPARE(compare_rows(rows, {"loss.lambda_cov", "0"}, {"test_mse"}).size(), std::size_t{2});
    }

    void rows_are_without_settings_that_their_run_does_not_read() {
        const auto rows = as_one_sweep({run({{"model.name", "casp-llm"}, {"loss.lambda_cov", "0"}}, 2),
                                        run({{"model.name", "casp-llm"}, {"loss.lambda_cov", "0.1"}}, 2),
                                        run({{"model.name", "dlinear"}, {"loss.lambda_cov", "0"}}, 1)});
        QCOMPARE(keys_of(rows[1]), (Keys{"model.name", "loss.lambda_cov", "train.seed"}));
        QCOMPARE(keys_of(rows[2]), (Keys{"model.name", "train.seed"}));
        QCOMPARE(compare_rows(rows, {"model.name", "casp-llm"}, {"test_mse"}).size(), std::size_t{2});
    }

    void settings_implied_by_cases_are_not_compared() {
        // A case sets two keys.
        const auto rows =
            as_one_sweep({run({{"case", "plain"}, {"loss.lambda_cov", "0"}, {"train.epochs", "5"}}, 1),
                          run({{"case", "coverage"}, {"loss.lambda_cov", "0.1"}, {"train.epochs", "7"}}, 1)});
        QCOMPARE(keys_of(rows[0]), (Keys{"case", "train.seed"}));
        QCOMPARE(compare_rows(rows, contrasts_of(rows).at(0), {"test_mse"}).size(), std::size_t{1});
        // The same cases in another batch with other epochs are other tasks.
        const auto more = as_one_sweep({run({{"case", "plain"}, {"train.epochs", "5"}}, 1),
                                        run({{"case", "plain"}, {"train.epochs", "6"}}, 1)});
        QCOMPARE(keys_of(more[0]), (Keys{"case", "train.seed", "train.epochs"}));
    }

    void presets_explain_settings_but_no_other_task() {
        const auto same = [](const std::vector<store::ResultRow>& rows) {
            return compare_rows(rows, {"preset", "etth1-96"}, {"test_mse"}).size();
        };
        const SettledRun casp = run({{"preset", "etth1-96"}}, 0);
        SettledRun dlinear = run({{"preset", "dlinear-etth1-96"}}, 0);
        QVERIFY(casp.config.train.batch_size != dlinear.config.train.batch_size);
        QCOMPARE(keys_of(as_one_sweep({casp, dlinear}, "preset")[0]), (Keys{"train.seed", "preset"}));
        QCOMPARE(same(as_one_sweep({casp, dlinear}, "preset")), std::size_t{1});
        dlinear.config.data.missing = "interpolate";
        QCOMPARE(keys_of(as_one_sweep({casp, dlinear}, "preset")[0]),
                 (Keys{"train.seed", "preset", "data.missing"}));
        QCOMPARE(same(as_one_sweep({casp, dlinear}, "preset")), std::size_t{0});
    }

    void a_key_may_be_asked_for() {
        const auto rows = as_one_sweep({run({}, 0), run({}, 0, 2)}, "model.top_k");
        QCOMPARE(values_of(rows, "model.top_k"), (Keys{"8"}));
        QVERIFY(values_of(as_one_sweep({run({}, 0)}, "case"), "case").empty());
    }

    void finished_runs_of_folders() {
        QTemporaryDir dir;
        const std::filesystem::path folder = dir.path().toStdString();
        int count = 0;
        for (const char* name : {"batch/10", "batch/2", "other/1"}) {
            const store::RunFolder target(folder / name);
            auto r = run({}, 0, ++count);
            if (count == 3) r.row.state = store::RunState::finished_early;
            target.create();
            store::write_file_atomically(target.config(), config::to_toml(r.config));
            store::write_run_status(target, {r.row, {}, {}});
            QTest::qWait(5);  // the order of creation is known to a millisecond
        }
        const auto runs = finished_runs({folder, folder / "batch" / "2/"}).runs;
        QCOMPARE(runs.size(), std::size_t{2});  // finished, each once
        QVERIFY(runs[0].row.seed == 1 && runs[1].row.seed == 2);
        QVERIFY(runs[1].config.train.seed == 2);
        QCOMPARE(finished_runs({folder / "batch" / "2"}).runs.size(), std::size_t{1});
        QVERIFY_EXCEPTION_THROWN((void)finished_runs({folder / "none"}), Error);
        // A damaged run does not block the others.
        store::write_file_atomically(folder / "batch" / "10" / "config.toml", "train.sede = 1\n");
        const auto rest = finished_runs({folder});
        QVERIFY(rest.runs.size() == 1 && rest.runs[0].row.seed == 2);
        QCOMPARE(rest.skipped.size(), std::size_t{1});
        const auto& text = rest.skipped[0];
        QVERIFY2(text.english().starts_with((folder / "batch" / "10").string() + ": ") &&
                     text.english().find("train.sede") != std::string::npos &&
                     text.english().find('\n') == std::string::npos,
                 text.english().c_str());
    }

    /// The order is that of the first start, not that of names, file times or the copy.
    void a_copy_keeps_the_order() {
        QTemporaryDir dir;
        const fs::path folder = dir.path().toStdString();
        std::int64_t seed = 0;
        for (const char* name : {"b-10", "b-2", "a"}) write_run(folder / "batch" / name, ++seed);
        for (const char* name : {"a", "b-2", "b-10"}) {
            fs::create_directories(folder / "copy");
            fs::copy(folder / "batch" / name, folder / "copy" / name);
        }
        for (const char* batch : {"batch", "copy"}) {
            const auto runs = finished_runs({folder / batch}).runs;
            QCOMPARE(runs.size(), std::size_t{3});
            for (std::size_t i = 0; i < 3; ++i) QCOMPARE(runs[i].row.seed, static_cast<std::int64_t>(i) + 1);
        }
        // The first folder's runs come first.
        write_run(folder / "later" / "single", 4);
        QCOMPARE(finished_runs({folder / "later", folder / "batch"}).runs.front().row.seed, std::int64_t{4});
    }

    void runs_are_found_at_any_depth_and_what_is_left_out_is_named() {
        QTemporaryDir dir;
        const fs::path folder = dir.path().toStdString();
        write_run(folder / "deep" / "x" / "y" / "run", 1);
        write_run(folder / "deep" / "x" / "y" / "run" / "last", 9);  // not a run below a run
        write_run(folder / "deep" / ".hidden" / "run", 9);
        write_run(folder / "too" / "deep" / "for" / "a" / "b" / "run", 9);
        fs::create_directories(folder / "empty");
        fs::create_directory_symlink(folder, folder / "deep" / "round");
        for (const auto& [name, state] : {std::pair("queued", store::RunState::queued),
                                          std::pair("early", store::RunState::finished_early)})
            write_run(folder / "batch" / name, 2, state);
        write_run(folder / "batch" / "lost", 3);
        store::write_file_atomically(folder / "batch" / "lost" / "run.h5", "only this");
        fs::remove(folder / "batch" / "lost" / "run.json");
        write_run(folder / "batch" / "damaged", 4);
        store::write_file_atomically(folder / "batch" / "damaged" / "run.json", "{");
        const auto found =
            finished_runs({folder / "deep", folder / "empty", folder / "batch", folder / "too"});
        QCOMPARE(found.runs.size(), std::size_t{1});
        QCOMPARE(found.runs[0].row.seed, std::int64_t{1});
        QVERIFY(found.empty == (std::vector{folder / "empty", folder / "too"}));
        QCOMPARE(found.unfinished.size(), std::size_t{1});
        const auto& batch = found.unfinished[0];
        QVERIFY(batch.batch == folder / "batch" && batch.total == 4);
        QCOMPARE(batch.left.size(), std::size_t{2});
        QCOMPARE(batch.left.at(store::RunState::queued), std::int64_t{1});
        auto skipped = found.skipped;
        std::sort(skipped.begin(), skipped.end());
        QCOMPARE(skipped.size(), std::size_t{2});
        QVERIFY2(skipped[0].english().starts_with((folder / "batch" / "damaged" / "run.json: ").string()),
                 skipped[0].english().c_str());
        QVERIFY2(skipped[1].english().starts_with((folder / "batch" / "lost").string() +
                                                  ": run.json is missing. Start the"),
                 skipped[1].english().c_str());
    }

    /// Runs that another batch has trained (paper:NAME) are in results.csv only.
    void runs_that_a_batch_shares_are_found() {
        QTemporaryDir dir;
        const fs::path folder = dir.path().toStdString();
        write_run(folder / "first" / "run", 1);
        write_run(folder / "second" / "run", 2);
        store::write_file_atomically(
            folder / "second" / "results.csv",
            "run,state\nrun,finished\n../first/run,finished\n../first/lost,finished\n"
            "../../first/run,finished\n../../../etc,finished\n\n");
        QCOMPARE(finished_runs({folder / "second"}).runs.size(), std::size_t{2});
        QCOMPARE(finished_runs({folder}).runs.size(), std::size_t{2});
        QCOMPARE(finished_runs({folder / "first"}).runs.size(), std::size_t{1});
    }

    void a_label_with_two_meanings_becomes_two_cases() {
        const auto batch = [](const char* name, const char* lambda, std::int64_t seed,
                              const char* epochs = "5") {
            std::vector<SettledRun> runs{
                run({{"case", "without"}, {"coverage.enabled", "false"}, {"train.epochs", epochs}}, 1, seed),
                run({{"case", "with"}, {"loss.lambda_cov", lambda}, {"train.epochs", epochs}}, 1, seed)};
            for (auto& r : runs) r.folder = fs::path("runs") / name / r.row.swept[0].second;
            return runs;
        };
        const auto both = [](std::vector<SettledRun> runs, const std::vector<SettledRun>& more) {
            runs.insert(runs.end(), more.begin(), more.end());
            return runs;
        };
        auto runs = both(batch("A", "5", 1), batch("B", "1", 1));
        QCOMPARE(separate_cases(runs),
                 (std::vector<Phrase>{
                     "case \"with\" has other settings in runs/B than in runs/A (loss.lambda_cov = 1 instead "
                     "of 5); it is compared as \"with (B)\""}));
        const auto rows = as_one_sweep(runs);
        QCOMPARE(values_of(rows, "case"), (Keys{"without", "with", "with (B)"}));
        const auto compared = compare_rows(rows, {"case", "without"}, {"test_mse"});
        QCOMPARE(compared.size(), std::size_t{2});
        QVERIFY(compared[0].n == 1 && compared[1].n == 1 && compared[1].other == "with (B)");
        // The same meaning with other seeds is the same case; settings of a whole batch make another task.
        auto seeds = both(batch("A", "5", 1), batch("B", "5", 2));
        QVERIFY(separate_cases(seeds).empty());
        QCOMPARE(compare_rows(as_one_sweep(seeds), {"case", "without"}, {"test_mse"}).at(0).n,
                 std::int64_t{2});
        auto longer = both(batch("A", "5", 1), batch("B", "5", 1, "6"));
        QVERIFY(separate_cases(longer).empty());
        // Batches of the same name.
        auto same = both(batch("A", "5", 1), batch("x/A", "1", 1));
        QCOMPARE(separate_cases(same).size(), std::size_t{1});
        QCOMPARE(values_of(as_one_sweep(same), "case").back(), std::string("with (runs/x/A)"));
    }

    void auto_is_the_rule_of_the_catalogue() {
        QTemporaryDir dir;
        const store::RunFolder target(std::filesystem::path(dir.path().toStdString()) / "old");
        auto old = run({{"data.path", "catalog:ETTh1"}}, 0);
        target.create();
        store::write_file_atomically(target.config(), config::to_toml(old.config));
        store::write_run_status(target, {old.row, {}, {}});
        const auto found = finished_runs({target.path()}).runs;
        QCOMPARE(found.at(0).config.data.split.rule, std::string("ett-hourly"));
        const auto pinned = run({{"data.path", "catalog:ETTh1"},
                                 {"data.split", "ett-hourly"},
                                 {"data.batching", "multi-channel"}},
                                0);
        QCOMPARE(keys_of(as_one_sweep({found[0], pinned})[0]), (Keys{"train.seed"}));
    }
};

TEST_MAIN_WITHOUT_GUI(TestRunSettings)
#include "test_run_settings.moc"

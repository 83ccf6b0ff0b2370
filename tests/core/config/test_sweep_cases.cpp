// Cases of a sweep: [[sweep.case]].

#include "config_test.h"
#include "test_program.h"

using namespace casp::config;

namespace {

const std::string on_and_off =
    "[[sweep.case]]\nlabel = \"without coverage\"\n\"coverage.enabled\" = false\n"
    "[[sweep.case]]\nlabel = \"coverage\"\n";

}  // namespace

class TestSweepCases : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void every_case_with_every_combination() {
        const auto experiment = parse(data + "[sweep]\ntrain.seed = [1, 2]\n" + on_and_off);
        QCOMPARE(run_names(experiment), (Names{"seed-1_case-without-coverage", "seed-1_case-coverage",
                                               "seed-2_case-without-coverage", "seed-2_case-coverage"}));
        const auto runs = expand(experiment);
        QVERIFY(!runs[2].config.coverage.enabled && runs[3].config.coverage.enabled);
        QCOMPARE(runs[2].config.train.seed, 2);
        const std::vector<std::pair<std::string, std::string>> swept{{"train.seed", "2"},
                                                                     {"case", "without coverage"}};
        QVERIFY(runs[2].swept == swept);
        QCOMPARE(run_names(parse(data + on_and_off)), (Names{"case-without-coverage", "case-coverage"}));
    }

    /// One file: without coverage against the preset's λ_cov.
    void a_case_may_leave_a_key_to_the_preset() {
        const auto runs =
            expand(parse("[sweep]\npreset = [\"etth1-96\", \"weather-720\"]\n[[sweep.case]]\n"
                         "label = \"without\"\nloss.lambda_cov = 0\n[[sweep.case]]\nlabel = \"preset\"\n"));
        QCOMPARE(runs.size(), std::size_t{4});
        for (const std::size_t cell : {0, 2}) {
            QCOMPARE(runs[cell].config.loss.lambda_cov, 0.0);
            auto expected = parse("preset = \"" + runs[cell].swept[0].second + "\"\n").base;
            QCOMPARE(runs[cell + 1].config.loss.lambda_cov, expected.loss.lambda_cov);
            QVERIFY(expected.loss.lambda_cov > 0);
            expected.loss.lambda_cov = 0;
            QVERIFY(runs[cell].config == expected);
        }
    }

    void precedence() {
        const auto file =
            "preset = \"etth1-96\"\nmodel.top_k = 5\n[sweep]\ntrain.seed = [1]\n"
            "[[sweep.case]]\nlabel = \"a\"\npreset = \"etth2-96\"\nmodel.top_k = 3\n"
            "[[sweep.case]]\nlabel = \"b\"\n";
        const auto runs = expand(parse(file));
        QCOMPARE(runs[0].config.data.path, std::string("catalog:ETTh2"));
        QCOMPARE(runs[0].config.model.top_k, 3);
        QCOMPARE(runs[1].config.data.path, std::string("catalog:ETTh1"));
        QCOMPARE(runs[1].config.model.top_k, 5);
        // --set takes the key out of the cases, as a value or as an axis.
        for (const auto& run : expand(parse(file, {"model.top_k=7"}))) QCOMPARE(run.config.model.top_k, 7);
        QCOMPARE(run_names(parse(file, {"sweep.model.top_k=[2]"})),
                 (Names{"seed-1_top_k-2_case-a", "seed-1_top_k-2_case-b"}));
    }

    /// Labels must stay true.
    void set_replaces_settings_of_cases() {
        const std::string file =
            "[[sweep.case]]\nlabel = \"λ_cov = 0\"\nloss.lambda_cov = 0\n"
            "[[sweep.case]]\nlabel = \"few\"\nloss.lambda_cov = 0.5\nmodel.top_k = 3\n"
            "[[sweep.case]]\nlabel = \"Coverage\"\n";
        QVERIFY(parse(file, {"backbone.layers=1"}).replaced.empty());
        QCOMPARE(parse(file, {"model.top_k=7"}).replaced,
                 Notes{"--set replaces model.top_k of the case \"few\""});
        const auto message = parse_error(file, {"loss.lambda_cov=0.05"});
        VERIFY_HAS(message, "loss.lambda_cov");
        VERIFY_HAS(message, "these cases are equal: \"λ_cov = 0\", \"Coverage\"");
        VERIFY_HAS(parse_error(file, {"sweep.loss.lambda_cov=[0, 1]"}), "these cases are equal");
        // Cases that are equal in the file are its own affair.
        const auto equal = file + "[[sweep.case]]\nlabel = \"again\"\n";
        QVERIFY(parse(equal, {"backbone.layers=1"}).replaced.empty());
    }

    void equal_cases_are_named() {
        const std::string equal =
            "[[sweep.case]]\nlabel = \"preset\"\n[[sweep.case]]\nlabel = \"0.1\"\nloss.lambda_cov = 0.1\n";
        const auto always = parse(data + "[sweep]\ntrain.seed = [1, 2]\n" + equal);
        QCOMPARE(run_names(always),
                 (Names{"seed-1_case-preset", "seed-1_case-0.1", "seed-2_case-preset", "seed-2_case-0.1"}));
        QCOMPARE(always.notes, Notes{"the cases \"preset\" and \"0.1\" have equal settings in 2 runs each: "
                                     "these are trained twice"});
        // For one of the presets only.
        const auto sometimes = parse("[sweep]\npreset = [\"etth1-96\", \"weather-96\"]\n" + equal);
        QVERIFY(expand(sometimes)[2].config.loss.lambda_cov != 0.1);
        QCOMPARE(sometimes.notes, Notes{"the cases \"preset\" and \"0.1\" have equal settings in 1 run each: "
                                        "these are trained twice"});
        QCOMPARE(parse(data + on_and_off).notes, Notes{});
        // They differ in nothing that is read.
        const auto unread = parse(data + "model.name = \"dlinear\"\n" + on_and_off);
        QCOMPARE(unread.notes.size(), std::size_t{2});
        VERIFY_HAS(unread.notes[0], "the cases \"without coverage\" and \"coverage\" have equal settings");
        QCOMPARE(unread.notes[1], std::string("not read by dlinear in this experiment: coverage.enabled"));
    }

    void a_case_that_does_not_read_a_swept_setting_is_one_run() {
        const auto experiment = parse(data + "[sweep]\nloss.lambda_cov = [0, 0.1]\n" + on_and_off);
        QCOMPARE(run_names(experiment), (Names{"case-without-coverage", "lambda_cov-0_case-coverage",
                                               "lambda_cov-0.1_case-coverage"}));
        QCOMPARE(
            experiment.notes,
            Notes{"1 of 4 combinations of the sweep are left out: they equal other runs, since their models "
                  "do not read loss.lambda_cov"});
        const auto runs = expand(experiment);
        QCOMPARE(runs_of(runs, &experiment.cases[1]).size(), std::size_t{2});
        QCOMPARE(runs_of(runs, nullptr).size(), std::size_t{3});
    }

    void labels_of_many_scripts_give_folders() {
        QCOMPARE(run_names(parse(data + "[[sweep.case]]\nlabel = \"λ_cov = 0 / K=4\"\n[[sweep.case]]\n"
                                        "label = \"无覆盖\"\n[[sweep.case]]\nlabel = \"../..\"\n")),
                 (Names{"case-λ_cov---0---K-4", "case-无覆盖", "case-..-.."}));
    }

    void toml_notations_of_cases_data() {
        QTest::addColumn<QString>("settings");
        QTest::newRow("quoted") << "\"loss.lambda_cov\" = 0\n\"coverage.enabled\" = false\n";
        QTest::newRow("dotted") << "loss.lambda_cov = 0\ncoverage.enabled = false\n";
        QTest::newRow("tables") << "[sweep.case.loss]\nlambda_cov = 0\n[sweep.case.coverage]\n"
                                   "enabled = false\n";
        QTest::newRow("inline") << "loss = { lambda_cov = 0 }\ncoverage = { enabled = false }\n";
    }

    void toml_notations_of_cases() {
        QFETCH(QString, settings);
        for (const std::string before : {"", "[sweep]\n\"train.seed\" = [2021]\n"}) {
            const auto runs =
                expand(parse(data + before + "[[sweep.case]]\nlabel = \"none\"\n" + settings.toStdString() +
                             "[[sweep.case]]\nlabel = \"all\"\n[loss]\nlambda_sim = 0.5\n"));
            QCOMPARE(runs.size(), std::size_t{2});
            QVERIFY(runs[0].config.loss.lambda_cov == 0 && !runs[0].config.coverage.enabled);
            QVERIFY(runs[1].config.loss.lambda_cov == 0.1 && runs[1].config.coverage.enabled);
            QCOMPARE(runs[1].config.loss.lambda_sim, 0.5);  // a table after the cases is the experiment's
        }
        QCOMPARE(run_names(parse(data + "sweep.case = [{label = \"x\"}, {label = \"y\", train.seed = 1}]\n")),
                 (Names{"case-x", "case-y"}));
        QCOMPARE(run_names(parse(data + on_and_off + "[sweep]\ntrain.seed = [1]\n")).size(), std::size_t{2});
    }

    /// Errors of forecasts with other targets do not compare: tables see which case has one.
    void a_case_with_another_target_is_another_task() {
        const auto runs = expand(
            parse(data + "[[sweep.case]]\nlabel = \"OT\"\ndata.columns = [\"OT\"]\ndata.lookback = 96\n"
                         "[[sweep.case]]\nlabel = \"all\"\n"));
        const std::vector<std::pair<std::string, std::string>> swept{{"data.columns", "OT"}, {"case", "OT"}};
        QVERIFY(runs[0].swept == swept);
        QCOMPARE(runs[1].swept.size(), std::size_t{1});
    }

    void errors_data() {
        QTest::addColumn<QString>("toml");
        QTest::addColumn<QStringList>("parts");
        const auto row = [](const char* name, const QString& toml, const QStringList& parts) {
            QTest::newRow(name) << toml << parts;
        };
        const QString one = "[[sweep.case]]\nlabel = \"a\"\n";
        row("no label", "[[sweep.case]]\nloss.lambda_cov = 0\n",
            {"exp.toml:1:", "the case has no label", "1 to 60 characters"});
        row("blank label", "[[sweep.case]]\nlabel = \"  \"\n", {"the case has no label"});
        row("label of another type", "[[sweep.case]]\nlabel = 5\n", {"exp.toml:2:", "not a string"});
        row("long label", "[[sweep.case]]\nlabel = \"" + QString(61, 'x') + "\"\n", {"xxx\" is too long"});
        row("control characters", "[[sweep.case]]\nlabel = \"a\\nb\"\n", {"contains control characters"});
        row("equal labels", one + one, {"exp.toml:3:", "two cases have the label \"a\"", "exp.toml:1:"});
        row("equal folder names", one + "[[sweep.case]]\nlabel = \"a b\"\n[[sweep.case]]\nlabel = \"a/b\"\n",
            {"exp.toml:5:", "the labels \"a b\" (also in exp.toml:3:", "and \"a/b\" are too alike"});
        row("upper and lower case", one + "[[sweep.case]]\nlabel = \"A\"\n",
            {"the labels \"a\" (also in exp.toml:1:", "and \"A\" are too alike", "Rename one of the two."});
        row("invisible characters", "[[sweep.case]]\nlabel = \"a" + QString(QChar(0x200B)) + "b\"\n",
            {"contains invisible characters"});
        row("long run name",
            "[[sweep.case]]\nlabel = \"" + QString(60, QChar(0x4E2D)) + "\"\n[sweep]\n" +
                "data.columns = [[\"" + QString(30, 'c') + "\"]]\n",
            {"the run name", "is too long", "labels of cases"});
        row("unknown key", one + "loss.lambda_covv = 0\n",
            {"exp.toml:3:", "unknown key loss.lambda_covv", "Nearest valid key: loss.lambda_cov."});
        row("unknown key in a table", one + "[sweep.case.loss]\nlambda_covv = 0\n",
            {"exp.toml:4:1", "unknown key loss.lambda_covv"});
        row("value", one + "loss.lambda_cov = -1\n",
            {"exp.toml:3:", "loss.lambda_cov = -1 is out of range", "Change loss.lambda_cov on this line."});
        row("list", one + "train.seed = [1, 2]\n", {"exp.toml:3:", "train.seed"});
        row("twice", one + "train.seed = 1\n\"train.seed\" = 2\n", {"train.seed is given twice"});
        row("also in the sweep", "[sweep]\ntrain.seed = [1, 2]\n" + one + "train.seed = 3\n",
            {"exp.toml:5:", "train.seed is in a case and in [sweep] (exp.toml:2:"});
        row("name", one + "name = \"b\"\n", {"exp.toml:3:1", "cannot be in a case", "Use label"});
        row("one table", "[sweep.case]\nlabel = \"a\"\n", {"not a list of tables", "[[sweep.case]]"});
        row("no table", "sweep.case = []\n", {"not a list of tables"});
        row("several at once", "[[sweep.case]]\nlos.lambda_cov = 0\ntrain.seed = -1\n",
            {"3 problems", "no label", "los.lambda_cov", "train.seed = -1"});
        row("contradiction", one + "model.top_k = 200\nmodel.pool_size = 100\n",
            {"exp.toml:3:", "First in run case-a."});
        row("another model's setting",
            one +
                "model.name = \"naive\"\n[[sweep.case]]\nlabel = \"b\"\n"
                "dlinear.moving_avg = 13\n",
            {"exp.toml:6:", "dlinear.moving_avg is a setting of the model \"dlinear\""});
        QString many = "[sweep]\nbackbone.seed = [";
        for (int i = 0; i < 5001; ++i) many += QString::number(i) + ',';
        row("too many", many + "]\n" + one + "[[sweep.case]]\nlabel = \"b\"\n", {"more than 10000 runs"});
    }

    void errors() {
        QFETCH(QString, toml);
        QFETCH(QStringList, parts);
        const auto message = parse_error(toml.toStdString());
        for (const auto& part : parts) VERIFY_HAS(message, part.toStdString());
    }

    void cases_are_only_read_from_files() {
        VERIFY_HAS(parse_error(data, {"sweep.case=[{label=\"a\"}]"}),
                   "Write [[sweep.case]] in the experiment");
    }

    void resolved_experiment_gives_the_same_runs_data() {
        QTest::addColumn<QString>("toml");
        QTest::newRow("plain") << QString::fromStdString("preset = \"etth2-96\"\n" + on_and_off);
        QTest::newRow("sweep over presets")
            << "[train]\nepochs = 5\n[sweep]\npreset = [\"etth1-720\", \"weather-96\"]\n[[sweep.case]]\n"
               "label = \"a \\\"b\\\"\"\nloss.lambda_cov = 0\n[[sweep.case]]\nlabel = \"c\"\n";
        QTest::newRow("a case with a preset")
            << "preset = \"etth1-96\"\n[[sweep.case]]\nlabel = \"a\"\npreset = \"weather-96\"\n"
               "[[sweep.case]]\nlabel = \"b\"\n";
        QTest::newRow("models") << "[data]\npath = \"x.csv\"\n[[sweep.case]]\nlabel = \"a\"\n"
                                   "model.name = \"dlinear\"\ndlinear.moving_avg = 13\n[[sweep.case]]\n"
                                   "label = \"b\"\n";
        QTest::newRow("no run has the base's model")
            << "[data]\npath = \"x.csv\"\n[model]\nname = \"dlinear\"\n[[sweep.case]]\nlabel = \"a\"\n"
               "model.name = \"naive\"\n";
    }

    void resolved_experiment_gives_the_same_runs() {
        QFETCH(QString, toml);
        const auto experiment = parse(toml.toStdString());
        const auto text = to_toml(experiment);
        const auto again = load_text(text, "again.toml", "/elsewhere");
        const auto runs = expand(experiment);
        const auto same = expand(again);
        QCOMPARE(runs.size(), same.size());
        for (std::size_t i = 0; i < runs.size(); ++i) {
            QVERIFY2(runs[i].config == same[i].config, text.c_str());
            QCOMPARE(runs[i].name, same[i].name);
            QVERIFY(runs[i].swept == same[i].swept);
        }
        QCOMPARE(to_toml(again), text);
    }
};

TEST_MAIN_WITHOUT_GUI(TestSweepCases)
#include "test_sweep_cases.moc"

// Sweeps: axes, products, run names.

#include "config_test.h"
#include "test_program.h"

using namespace casp::config;

class TestSweep : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void one_run_without_a_sweep() {
        const auto runs = expand(parse(data));
        QCOMPARE(runs.size(), std::size_t{1});
        QCOMPARE(runs[0].name, std::string("single"));
        QVERIFY(runs[0].swept.empty());
        VERIFY_HAS(message_of([] { (void)expand(parse("")); }),
                   "data.path is not given; expected a path or \"catalog:NAME\"");
    }

    void product_in_the_order_of_the_lines() {
        // Alphabetically data < loss < train; toml++ would give them in that order.
        const auto experiment =
            parse(data +
                  "[sweep]\ntrain.seed = [2021, 2022]\n\"loss.lambda_cov\" = [0, 0.1, 1e-3]\n"
                  "data.horizon = [96]\n");
        const auto runs = expand(experiment);
        QCOMPARE(run_names(experiment),
                 (Names{"seed-2021_lambda_cov-0_horizon-96", "seed-2021_lambda_cov-0.1_horizon-96",
                        "seed-2021_lambda_cov-0.001_horizon-96", "seed-2022_lambda_cov-0_horizon-96",
                        "seed-2022_lambda_cov-0.1_horizon-96", "seed-2022_lambda_cov-0.001_horizon-96"}));
        QCOMPARE(runs[4].config.train.seed, 2022);
        QCOMPARE(runs[4].config.loss.lambda_cov, 0.1);
        QCOMPARE(runs[4].swept.size(), std::size_t{3});
        QCOMPARE(runs[4].swept[1].first, std::string("loss.lambda_cov"));
        QCOMPARE(runs[4].swept[1].second, std::string("0.1"));
        QCOMPARE(run_names(parse(data + "[sweep]\n\"loss.lambda_cov\" = [0.1]\ntrain.seed = [2021]\n")),
                 (Names{"lambda_cov-0.1_seed-2021"}));
        // Several axes on one line, and tables of [sweep.section].
        QCOMPARE(run_names(parse(data + "sweep = { train.seed = [1], loss.lambda_cov = [0] }\n")),
                 (Names{"seed-1_lambda_cov-0"}));
        QCOMPARE(run_names(parse(data + "[sweep.train]\nseed = [1]\n[sweep.loss]\nlambda_cov = [0]\n")),
                 (Names{"seed-1_lambda_cov-0"}));
    }

    void shared_last_component_uses_the_whole_key() {
        QCOMPARE(
            run_names(parse(data + "[sweep]\nbackbone.seed = [1]\ntrain.seed = [2]\ndata.horizon = [3]\n")),
            (Names{"backbone.seed-1_train.seed-2_horizon-3"}));
    }

    void lists_and_strings() {
        const auto experiment = parse(
            "[sweep]\ndata.split = [\"ratio\", [8640, 2880, 2880]]\n"
            "data.columns = [[], [\"OT\", \"a/b\"]]\ndata.path = [\"sub/a.csv\", \"catalog:ETTh1\"]\n"
            "model.decomposition = [true]\n");
        const auto runs = expand(experiment);
        QCOMPARE(runs.size(), std::size_t{8});
        QCOMPARE(runs[0].name, std::string("split-ratio_columns-none_path-sub-a.csv_decomposition-true"));
        QCOMPARE(runs[7].name,
                 std::string("split-8640-2880-2880_columns-OT-a-b_path-catalog-ETTh1_decomposition-true"));
        QCOMPARE(runs[0].config.data.path, std::string("/base/sub/a.csv"));
        QCOMPARE(runs[0].swept[2].second, std::string("sub/a.csv"));
        QVERIFY((runs[7].config.data.split == SplitSetting{"rows", {8640, 2880, 2880}}));
        QVERIFY((runs[7].config.data.columns == Names{"OT", "a/b"}));
        for (const auto& run : runs) QVERIFY(run.name.find_first_of("/\\:\" ") == std::string::npos);
    }

    void splits() {
        const auto runs = expand(
            parse("[data]\npath = \"catalog:ETTh1\"\n[sweep]\ndata.split = [\"ratio\", [0.6, 0.2, 0.2], "
                  "[\"2018-01-01\", \"2018-02-01 12:00\"]]\n"));
        QCOMPARE(runs.size(), std::size_t{3});
        QCOMPARE(runs[1].name, std::string("split-0.6-0.2-0.2"));
        QVERIFY((runs[1].config.data.split == SplitSetting{"fractions", {}, {0.6, 0.2, 0.2}}));
        QCOMPARE(runs[2].name, std::string("split-2018-01-01-2018-02-01-12-00"));
        QVERIFY(
            (runs[2].config.data.split == SplitSetting{"dates", {}, {}, {"2018-01-01", "2018-02-01 12:00"}}));
    }

    void preset_lies_under_the_file() {
        const auto runs =
            expand(parse("preset = \"weather-96\"\n[loss]\nlambda_cov = 0.5\n[sweep]\n"
                         "preset = [\"etth1-720\", \"etth2-96\"]\nmodel.top_k = [3]\n"));
        QCOMPARE(runs.size(), std::size_t{2});
        QCOMPARE(runs[0].name, std::string("preset-etth1-720_top_k-3"));
        QCOMPARE(runs[0].config.preset, std::string("etth1-720"));
        QCOMPARE(runs[0].config.data.horizon, 720);
        QCOMPARE(runs[0].config.train.batch_size, 64);
        QCOMPARE(runs[1].config.data.path, std::string("catalog:ETTh2"));
        QCOMPARE(runs[1].config.train.batch_size, 128);
        for (const auto& run : runs) {
            QCOMPARE(run.config.loss.lambda_cov, 0.5);
            QCOMPARE(run.config.model.top_k, 3);
        }
    }

    void set_changes_the_sweep() {
        const auto file = data + "[sweep]\ntrain.seed = [1, 2]\nloss.lambda_cov = [0, 0.1]\n";
        const auto fixed = parse(file, {"train.seed=7"});
        QCOMPARE(run_names(fixed), (Names{"lambda_cov-0", "lambda_cov-0.1"}));
        QCOMPARE(expand(fixed)[1].config.train.seed, 7);
        QCOMPARE(run_names(parse(file, {"sweep.\"train.seed\"=[5]"})),
                 (Names{"seed-5_lambda_cov-0", "seed-5_lambda_cov-0.1"}));
        QCOMPARE(run_names(parse(data, {"sweep.loss.lambda_cov=[0,0.1]"})),
                 (Names{"lambda_cov-0", "lambda_cov-0.1"}));
        QCOMPARE(run_names(parse(data, {"sweep.train.seed=[1,2]", "train.seed=3"})), (Names{"single"}));
    }

    void combinations_equal_in_used_settings_are_merged_data() {
        QTest::addColumn<QString>("toml");
        QTest::addColumn<QStringList>("names");
        QTest::addColumn<QStringList>("notes");
        const auto row = [](const char* name, const char* toml, const QStringList& names,
                            const QStringList& notes) {
            QTest::newRow(name) << QString(toml) << names << notes;
        };
        const auto left_out = [](const char* counts, const char* keys) {
            return QString(
                       "%1 combinations of the sweep are left out: they equal other runs, since their "
                       "models do not read %2")
                .arg(counts, keys);
        };
        row("models",
            "[sweep]\nmodel.name = [\"casp-llm\", \"dlinear\"]\nloss.lambda_cov = [0, 0.1]\n"
            "train.seed = [1, 2]\n",
            {"name-casp-llm_lambda_cov-0_seed-1", "name-casp-llm_lambda_cov-0_seed-2",
             "name-casp-llm_lambda_cov-0.1_seed-1", "name-casp-llm_lambda_cov-0.1_seed-2",
             "name-dlinear_seed-1", "name-dlinear_seed-2"},
            {left_out("2 of 8", "loss.lambda_cov")});
        row("a model's own setting",
            "[sweep]\ndlinear.moving_avg = [13, 25]\nmodel.name = [\"dlinear\", \"naive\"]\n",
            {"moving_avg-13_name-dlinear", "name-naive", "moving_avg-25_name-dlinear"},
            {left_out("1 of 4", "dlinear.moving_avg")});
        row("without prompt",
            "model.prompt = false\n[sweep]\nloss.lambda_cov = [0, 0.1]\nmodel.top_k = [2, 4]\n"
            "train.seed = [1]\n",
            {"seed-1"},
            {left_out("3 of 4", "loss.lambda_cov, model.top_k"),
             "not read by casp-llm in this experiment: loss.lambda_cov, model.top_k"});
        row("coverage on and off", "[sweep]\ncoverage.enabled = [false, true]\nloss.lambda_cov = [0, 0.1]\n",
            {"enabled-false", "enabled-true_lambda_cov-0", "enabled-true_lambda_cov-0.1"},
            {left_out("1 of 4", "loss.lambda_cov")});
        row("alpha of mmr", "[sweep]\nselection.rule = [\"top-k\", \"mmr\"]\nselection.alpha = [0.5, 0.7]\n",
            {"rule-top-k", "rule-mmr_alpha-0.5", "rule-mmr_alpha-0.7"},
            {left_out("1 of 4", "selection.alpha")});
        row("nothing is read", "model.name = \"naive\"\n[sweep]\nloss.lambda_cov = [0, 0.1]\n", {"single"},
            {left_out("1 of 2", "loss.lambda_cov"), "not read by naive in this experiment: loss.lambda_cov"});
        row("models with their own losses",
            "[sweep]\nmodel.name = [\"calf\", \"dlinear\"]\nloss.forecast = [\"mse\", \"mae\"]\n",
            {"name-calf", "name-dlinear_forecast-mse", "name-dlinear_forecast-mae"},
            {left_out("1 of 4", "loss.forecast")});
        row("without epochs",
            "model.name = \"ridge\"\nloss.forecast = \"mae\"\n[sweep]\ntrain.epochs = [1, 2]\n"
            "train.seed = [1, 2]\n",
            {"seed-1", "seed-2"},
            {left_out("2 of 4", "train.epochs"),
             "not read by ridge in this experiment: loss.forecast, train.epochs"});
        row("all is read", "[sweep]\nloss.lambda_cov = [0, 0.1]\nmodel.trend_length = [24, 48]\n",
            {"lambda_cov-0_trend_length-24", "lambda_cov-0_trend_length-48", "lambda_cov-0.1_trend_length-24",
             "lambda_cov-0.1_trend_length-48"},
            {});
    }

    void combinations_equal_in_used_settings_are_merged() {
        QFETCH(QString, toml);
        QFETCH(QStringList, names);
        QFETCH(QStringList, notes);
        const auto experiment = parse(data + toml.toStdString());
        QStringList found, said;
        for (const auto& run : expand(experiment)) {
            found << QString::fromStdString(run.name);
            for (const auto& [key, text] : run.swept) QVERIFY(is_read(run.config, *find_option(key)));
        }
        QCOMPARE(found, names);
        for (const auto& note : experiment.notes) said << QString::fromStdString(note);
        QCOMPARE(said, notes);
        QVERIFY(notes_of(experiment, expand(experiment)) == experiment.notes);
    }

    void settings_that_no_run_reads_are_named() {
        const auto dlinear = data + "model.name = \"dlinear\"\n";
        // One that the file gives with its default asks for nothing: printed configurations give all.
        QCOMPARE(parse(dlinear + "backbone.layers = 2\nmodel.top_k = 8\ntrain.epochs = 7\n",
                       {"loss.lambda_cov=0.1"})
                     .notes,
                 Notes{"not read by dlinear in this experiment: backbone.layers, loss.lambda_cov"});
        QCOMPARE(parse(to_toml(parse(dlinear))).notes, Notes{});
        QCOMPARE(parse("preset = \"dlinear-etth1-96\"\n").notes, Notes{});
        const auto layers = data + "backbone.layers = 2\n[sweep]\nmodel.name = ";
        QCOMPARE(parse(layers + "[\"casp-llm\", \"dlinear\"]\n").notes, Notes{});
        QCOMPARE(parse(layers + "[\"naive\", \"dlinear\"]\n").notes,
                 Notes{"not read by dlinear, naive in this experiment: backbone.layers"});
        QCOMPARE(parse(data + "[[sweep.case]]\nlabel = \"a\"\n[[sweep.case]]\nlabel = \"b\"\n"
                              "coverage.enabled = false\ncoverage.decay = 0.5\n")
                     .notes,
                 Notes{"not read by casp-llm in this experiment: coverage.decay"});
    }

    void errors_data() {
        QTest::addColumn<QString>("toml");
        QTest::addColumn<QStringList>("parts");
        const auto row = [](const char* name, const char* toml, const QStringList& parts) {
            QTest::newRow(name) << QString(toml) << parts;
        };
        row("unknown key", "[sweep]\nlambda_cov = [0]\n",
            {"exp.toml:2:1", "Nearest valid key: loss.lambda_cov."});
        row("no list", "[sweep]\ntrain.seed = 1\n",
            {"sweep.train.seed is no list", "a list of values, each an integer"});
        row("empty", "[sweep]\ntrain.seed = []\n", {"sweep.train.seed is an empty list"});
        row("type", "[sweep]\ntrain.seed = [1, \"2\"]\n",
            {"exp.toml:2:18", "train.seed = \"2\" is a string"});
        row("range", "[sweep]\ntrain.seed = [1, -2]\n", {"train.seed = -2 is out of range"});
        row("list wanted", "[sweep]\ndata.columns = [\"OT\"]\n",
            {"data.columns = \"OT\" is a string", "a list of strings"});
        row("twice", "[sweep]\n\"train.seed\" = [1]\ntrain.seed = [2]\n",
            {"sweep.train.seed is given twice", "exp.toml:2:1"});
        row("equal values", "[sweep]\ntrain.seed = [1, 1]\n", {"two runs of the sweep are called seed-1"});
        row("equal names", "[sweep]\ndata.path = [\"a/b\", \"a-b\"]\n",
            {"two runs of the sweep are called path-a-b"});
        row("name", "[sweep]\nname = [\"a\", \"b\"]\n", {"cannot be swept"});
        row("preset", "[sweep]\npreset = [\"etth1-95\"]\n", {"exp.toml:2:11", "is no preset", "etth1-96"});
        row("value", "sweep = 5\n", {"sweep is a value"});
        row("table below a key", "[sweep]\ntrain.seed.x = [1]\n", {"sweep.train.seed is no list"});
        row("contradiction", "model.pool_size = 100\n[sweep]\nmodel.top_k = [8, 200, 300]\n",
            {"2 problems", "model.top_k = 200", "model.pool_size = 100", "First in run top_k-200.",
             "model.top_k = 300"});
        row("too many",
            "[sweep]\ntrain.seed=[1,2,3,4,5,6,7,8,9,10,11]\nbackbone.seed=[1,2,3,4,5,6,7,8,9,10]\n"
            "data.horizon=[1,2,3,4,5,6,7,8,9,10]\ndata.percent=[1,2,3,4,5,6,7,8,9,10]\n",
            {"exp.toml:5:", "more than 10000 runs"});
    }

    void errors() {
        QFETCH(QString, toml);
        QFETCH(QStringList, parts);
        const auto message = parse_error(toml.toStdString());
        for (const auto& part : parts) VERIFY_HAS(message, part.toStdString());
    }

    void long_run_names_are_refused() {
        const auto message = parse_error("[sweep]\ndata.columns = [[\"" + std::string(200, 'x') + "\"]]\n");
        VERIFY_HAS(message, "is too long");
    }

    /// The base alone may be wrong where every run of the sweep is right.
    void only_the_runs_must_agree() {
        const auto experiment = parse(
            "[data]\npath = \"catalog:ETTh1\"\nlookback = 48\n[sweep]\nmodel.trend_length = [24, "
            "48]\n[model]\nseasonal_length = 24\n");
        QCOMPARE(expand(experiment).size(), std::size_t{2});
    }

    void resolved_experiment_gives_the_same_runs_data() {
        QTest::addColumn<QString>("toml");
        QTest::newRow("plain")
            << "preset = \"etth2-96\"\n[sweep]\ntrain.seed = [1, 2]\nloss.lambda_cov = [0, 0.1]\n";
        QTest::newRow("presets") << "name = \"n\"\n[train]\nepochs = 5\n[sweep]\npreset = [\"etth1-720\", "
                                    "\"weather-96\"]\ntrain.seed = [1]\n";
        QTest::newRow("lists") << "[sweep]\ndata.path = [\"a.csv\"]\ndata.split = [[1, 2, 3], "
                                  "\"ratio\", [0.7, 0.1, 0.2], [\"2018-01-01\", \"2018-07-01\"]]\n"
                                  "data.columns = [[], [\"\\\"\"]]\n";
    }

    void resolved_experiment_gives_the_same_runs() {
        QFETCH(QString, toml);
        const auto experiment = parse(toml.toStdString());
        const auto text = to_toml(experiment);
        const auto again = load_text(text, "again.toml", "/elsewhere");
        const auto runs = expand(experiment);
        const auto same = expand(again);
        QCOMPARE(runs.size(), same.size());
        for (std::size_t i = 0; i < runs.size(); ++i)
            QVERIFY2(runs[i].config == same[i].config, text.c_str());
    }
};

TEST_MAIN_WITHOUT_GUI(TestSweep)
#include "test_sweep.moc"

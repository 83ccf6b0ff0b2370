// Reading one configuration: precedence, paths, errors, round trip, hostile text.

#include <filesystem>
#include <fstream>
#include <QTemporaryDir>
#include <random>

#include "config_test.h"
#include "model/casp_llm_shape.h"
#include "test_program.h"

using namespace casp::config;

namespace {

std::filesystem::path write(const QTemporaryDir& folder, const std::string& name, const std::string& text) {
    const auto path = std::filesystem::path(folder.path().toStdString()) / name;
    std::ofstream(path, std::ios::binary) << text;
    return path;
}

std::string repeated(const std::string& text, int times, const std::string& before = {},
                     const std::string& after = {}) {
    std::string result = before;
    for (int i = 0; i < times; ++i) result += text;
    return result += after;
}

}  // namespace

class TestExperiment : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void file_over_preset_over_defaults() {
        // etth1-720: lambda_sim 0.01, lambda_cov 0.1, K 4, trend 48, season 48, learning rate 1e-3.
        const auto config = parse("preset = \"etth1-720\"\n[model]\ntop_k = 6\n[loss]\nlambda_cov = 0\n",
                                  {"model.trend_length=24", "train.seed=5"})
                                .base;
        QCOMPARE(config.preset, std::string("etth1-720"));
        QCOMPARE(config.data.path, std::string("catalog:ETTh1"));
        QCOMPARE(config.data.horizon, 720);
        QCOMPARE(config.data.missing, std::string("keep"));
        QCOMPARE(config.loss.lambda_sim, 0.01);
        QCOMPARE(config.loss.lambda_cov, 0.0);
        QCOMPARE(config.model.top_k, 6);
        QCOMPARE(config.model.trend_length, 24);
        QCOMPARE(config.model.seasonal_length, 48);
        QCOMPARE(config.train.learning_rate, 1e-3);
        QCOMPARE(config.train.seed, 5);
        QCOMPARE(config.data.lookback, 512);
        // --set of the preset changes what lies under the file, not the file.
        const auto other = parse("preset = \"etth1-720\"\n[model]\ntop_k = 6\n", {"preset=etth1-96"}).base;
        QCOMPARE(other.data.horizon, 96);
        QCOMPARE(other.model.top_k, 6);
    }

    void set_takes_toml_or_bare_text() {
        const auto config = parse("", {"data.path=catalog:ETTh1", "name=2021", "run.device=\"cpu\"",
                                       "data.split=[10, 20, 30]", "data.columns=[\"OT\", \"a,b\"]",
                                       "data.sentinels=[-9999, 1e3]", "train.learning_rate=1",
                                       "model.prompt=false", "coverage.enabled=false", " train . seed =7",
                                       "train.seed=8", "backbone.path=untrained", "data.percent=1_0"})
                                .base;
        QCOMPARE(config.data.path, std::string("catalog:ETTh1"));
        QCOMPARE(config.name, std::string("2021"));
        QCOMPARE(config.run.device, std::string("cpu"));
        QVERIFY((config.data.split == SplitSetting{"rows", {10, 20, 30}}));
        QVERIFY((config.data.columns == std::vector<std::string>{"OT", "a,b"}));
        QVERIFY((config.data.sentinels == std::vector<double>{-9999, 1000}));
        QCOMPARE(config.train.learning_rate, 1.0);
        QCOMPARE(config.model.prompt, false);
        QCOMPARE(config.train.seed, 8);
        QCOMPARE(config.backbone.path, std::string("untrained"));
        QCOMPARE(config.data.percent, 10);
        QCOMPARE(parse("", {"data.split=ratio"}).base.data.split.rule, std::string("ratio"));
        const auto count = [](const char* text) {
            const auto read = parse("", {std::string("run.together=") + text}).base;
            const auto again = load_text(to_toml(read), "again.toml", {}).base;
            return again == read ? read.run.together : -1;
        };
        QCOMPARE(count("8"), 8);
        QCOMPARE(count("auto"), 0);
        QCOMPARE(count("\"auto\""), 0);
        QCOMPARE(parse("[run]\ntogether = 4\n").base.run.together, 4);
        QCOMPARE(parse("[run]\ntogether = \"auto\"\n").base.run.together, 0);
        const auto split = [](const char* text) {
            const auto read = parse("", {std::string("data.split=") + text}).base;
            const auto again = load_text(to_toml(read), "again.toml", {}).base;
            return again == read ? read.data.split : SplitSetting{"lost"};
        };
        QVERIFY((split("[0.7, 0.1, 0.2]") == SplitSetting{"fractions", {}, {0.7, 0.1, 0.2}}));
        const SplitSetting dates{"dates", {}, {}, {"2018-01-01", "2018-07-01 12:00"}};
        QVERIFY(split("[\"2018-01-01\", \"2018-07-01 12:00\"]") == dates);
        // As TOML writes dates.
        QVERIFY((split("[2018-01-01, 2018-07-01]") ==
                 SplitSetting{"dates", {}, {}, {"2018-01-01", "2018-07-01"}}));
    }

    void set_errors() {
        VERIFY_HAS(parse_error("", {"train.seed"}), "no '='");
        VERIFY_HAS(parse_error("", {"train.sed=1"}), "Nearest valid key: train.seed.");
        VERIFY_HAS(parse_error("", {"train.seed=abc"}),
                   "--set train.seed: train.seed = abc is no TOML value; expected an integer");
        VERIFY_HAS(parse_error("", {"train.seed=1.5"}), "is a float");
        VERIFY_HAS(parse_error("", {"train.seed=1.5"}), "Give train.seed another value with --set.");
        VERIFY_HAS(parse_error("", {"train.seed=[1, 2]"}), "--set sweep.train.seed=[...]");
        VERIFY_HAS(parse_error("", {"train.seed=1\nx = 2"}), "is no TOML value");
        VERIFY_HAS(parse_error("", {"data.columns=OT"}), "expected a list of strings, e.g. [\"OT\"]");
        VERIFY_HAS(parse_error("", {"data.split=ration"}), "nearest: \"ratio\"");
        VERIFY_HAS(parse_error("", {"run.together=automatic"}), "an integer from 0 to 256, or \"auto\"");
        VERIFY_HAS(parse_error("", {"train.seed=auto"}), "is no TOML value");
        VERIFY_HAS(parse_error("", {"name=\xff"}), "not UTF-8");
        VERIFY_HAS(parse_error("", {"train.seed=1", "train.sed=1", "data.horizon=0"}), "2 problems");
    }

    void paths_are_relative_to_the_file() {
        QTemporaryDir folder;
        const auto file = write(folder, "tiny run.toml",
                                "[data]\npath = \"../x/./a.csv\"\n[backbone]\npath = \"gpt2\"\n"
                                "[train]\ncontinue_from = \"/abs/run\"\n");
        const auto base = std::filesystem::path(folder.path().toStdString());
        const auto config = load(file).base;
        QCOMPARE(config.name, std::string("tiny run"));
        QCOMPARE(config.data.path, (base.parent_path() / "x/a.csv").string());
        QCOMPARE(config.backbone.path, (base / "gpt2").string());
        QCOMPARE(config.train.continue_from, std::string("/abs/run"));
        // On the command line: to the working directory.
        const auto set = load(file, {"data.path=b.csv", "name=other"}).base;
        QCOMPARE(set.data.path, (std::filesystem::current_path() / "b.csv").string());
        QCOMPARE(set.name, std::string("other"));
        const auto words = load(file, {"data.path=catalog:ETTh1", "backbone.path=untrained"}).base;
        QCOMPARE(words.data.path, std::string("catalog:ETTh1"));
        QCOMPARE(words.backbone.path, std::string("untrained"));
        // "untrained" is a word for the backbone only.
        QCOMPARE(load(file, {"data.path=untrained"}).base.data.path,
                 (std::filesystem::current_path() / "untrained").string());
    }

    void the_working_folder_is_gone() {
        QTemporaryDir whole, gone;
        const auto file = write(whole, "whole.toml", "[data]\npath = \"a.csv\"\n");
        const auto before = std::filesystem::current_path();
        std::filesystem::current_path(gone.path().toStdString());
        QVERIFY(gone.remove());
        const auto said = [](const std::function<void()>& work) -> std::string {
            try {
                work();
            } catch (const casp::Error& error) {
                return error.what();
            } catch (const std::exception& other) {
                return std::string("escaped: ") + other.what();
            }
            return {};
        };
        std::string data;
        const auto text =
            said([&] { (void)load_text("[loss]\nlambda_cov = 0.5\n", "text", {}, {"train.seed=7"}); });
        const auto sweep = said([&] { (void)load_text("", "text", {}, {"sweep.train.seed=[1, 2]"}); });
        const auto absolute = said([&] { data = load(file).base.data.path; });
        const auto relative =
            said([&] { (void)load_text("[data]\npath = \"a.csv\"\n", "text", {}, {"data.path=b.csv"}); });
        std::filesystem::current_path(before);
        QCOMPARE(text, std::string());
        QCOMPARE(sweep, std::string());
        QCOMPARE(absolute, std::string());
        QCOMPARE(data, (std::filesystem::path(whole.path().toStdString()) / "a.csv").string());
        VERIFY_HAS(relative, "2 problems");
        VERIFY_HAS(relative, "text:2");
        VERIFY_HAS(relative,
                   "\"b.csv\": this path is relative, and the folder the program was started in is gone");
        VERIFY_HAS(relative, "Give the whole path");
    }

    void unreadable_files() {
        QTemporaryDir folder;
        const auto base = folder.path().toStdString();
        VERIFY_HAS(message_of([&] { (void)load(base + "/none.toml"); }),
                   "none.toml: there is no such file; expected an experiment file");
        VERIFY_HAS(message_of([&] { (void)load(base); }), "is a folder");
        const auto hidden = write(folder, ".hidden", "");
        VERIFY_HAS(message_of([&] { (void)load(hidden); }), "the file's name begins with a dot");
        QCOMPARE(load(hidden, {"name=x"}).base.name, std::string("x"));
        const auto crlf = write(folder, "crlf.toml", "\xEF\xBB\xBF[train]\r\nseed = 3\r\n");
        QCOMPARE(load(crlf).base.train.seed, 3);
    }

    void errors_data() {
        QTest::addColumn<QString>("toml");
        QTest::addColumn<QStringList>("parts");
        const auto row = [](const char* name, const char* toml, const QStringList& parts) {
            QTest::newRow(name) << QString::fromUtf8(toml) << parts;
        };
        row("unknown key", "[loss]\nlambda_sim = 0\n  lambda_covv = 0.1\n",
            {"exp.toml:3:3: unknown key loss.lambda_covv", "Nearest valid key: loss.lambda_cov."});
        row("key without its table", "lambda_cov = 0.1\n",
            {"exp.toml:1:1: ", "Nearest valid key: loss.lambda_cov."});
        row("unknown table", "[trian]\nseed = 1\n",
            {"exp.toml:1:2: unknown table [trian]", "Nearest valid table: [train]."});
        row("array of tables", "[[train]]\nseed = 1\n", {"exp.toml:1:3", "[train]"});
        row("table as a value", "data = 5\n", {"exp.toml:1:1: data is a value", "a table [data]"});
        row("value as a table", "[train.seed]\nx = 1\n",
            {"train.seed is a table", "expected an integer from 0 to 2^53"});
        row("wrong type", "[train]\nseed = \"1\"\n",
            {"exp.toml:2:1: train.seed = \"1\" is a string", "expected an integer",
             "Change train.seed on this line."});
        row("float for integer", "[train]\nbatch_size = 64.0\n", {"train.batch_size = 64.0 is a float"});
        row("integer for boolean", "[model]\nprompt = 1\n", {"is an integer", "expected true or false"});
        row("date", "[train]\nseed = 2021-01-01\n", {"train.seed is a date"});
        row("range", "[data]\nhorizon = 0\n", {"data.horizon = 0 is out of range", "an integer from 1 to"});
        row("range of a number", "[backbone]\ndropout = 1\n", {"out of range", "a number from 0 to below 1"});
        row("key of a nested table", "[data.csv]\ndelimeter = \";\"\n",
            {"exp.toml:2:1: unknown key data.csv.delimeter", "Nearest valid key: data.csv.delimiter."});
        row("value of a nested table", "[data.csv]\ndelimiter = \":\"\n",
            {"exp.toml:2:1: data.csv.delimiter = \":\" is none of the choices",
             "expected \"auto\", \",\", \";\", \"tab\", \"|\" or \"space\"", "Change data.csv.delimiter"});
        row("nested table as a value", "[data]\ncsv = \";\"\n",
            {"exp.toml:2:1: data.csv is a value", "a table [data.csv]"});
        row("infinite", "[loss]\nlambda_cov = inf\n", {"exp.toml:2:1: loss.lambda_cov = inf is not finite"});
        row("nan in a list", "[data]\nsentinels = [1, nan]\n", {"has an item that is not finite"});
        row("choice", "[train]\nschedule = \"exponental\"\n",
            {"nearest: \"exponential\"", "\"cosine\" or \"one-cycle\""});
        row("preset", "preset = \"eth1-96\"\n", {"\"eth1-96\" is no preset", "\"etth1-96\""});
        row("split of two", "[data]\nsplit = [1, 2]\n",
            {"data.split = [1.0, 2.0] is a list of numbers", "three row counts"});
        row("split of floats", "[data]\nsplit = [1.0, 2.0, 3.0]\n",
            {"data.split = [1.0, 2.0, 3.0] has fractions with a sum of 6, more than 1",
             "three row counts or fractions"});
        row("split of one date", "[data]\nsplit = [\"2018-01-01\"]\n",
            {"data.split = [\"2018-01-01\"] is a list of strings", "two dates"});
        row("split of texts", "[data]\nsplit = [\"2018-01-01\", \"July\"]\n",
            {"has \"July\", which is no date like \"2018-07-01\""});
        row("split of times with an offset", "[data]\nsplit = [2018-01-01, 2018-07-01T00:00:00Z]\n",
            {"has \"2018-07-01T00:00:00Z\", which is no date"});
        row("mixed list", "[data]\ncolumns = [\"a\", 1]\n", {"data.columns is a nested or mixed list"});
        row("twice", "[train]\nseed = 1\nseed = 2\n",
            {"exp.toml:3", "TOML syntax", "seed", "Remove one of the two."});
        row("twice by quoting", "\"train.seed\" = 1\n[train]\nseed = 2\n", {"train.seed is given twice"});
        row("syntax", "[train]\nseed = \n",
            {"exp.toml:2:", "TOML syntax", "; expected value. Correct this line"});
        row("no text", "\x01\n", {"exp.toml:1:", "TOML syntax", "; expected text. "});
        row("huge integer", "[train]\nseed = 99999999999999999999999\n",
            {"exp.toml:2:", "TOML syntax", "; expected a number", "a smaller number"});
        row("integer beyond 2^53", "[train]\nseed = 9007199254740993\n", {"is out of range"});
        row("huge float", "[loss]\nlambda_cov = 1e999\n", {"exp.toml:2:"});
        row("all at once", "[train]\nsed = 1\nbatch_size = 0\n[dat]\n[loss]\nlambda_cov = \"x\"\n",
            {"exp.toml: 4 problems", "train.sed", "exp.toml:3:1", "Change train.batch_size on this line.",
             "[dat]", "exp.toml:6:1"});
        row("name", "name = \"a/b\"\n", {"name = \"a/b\" contains a slash"});
    }

    void errors() {
        QFETCH(QString, toml);
        QFETCH(QStringList, parts);
        const auto message = parse_error(toml.toStdString());
        for (const auto& part : parts) VERIFY_HAS(message, part.toStdString());
    }

    void contradictions_name_both_keys_data() {
        QTest::addColumn<QString>("toml");
        QTest::addColumn<QStringList>("keys");
        const auto row = [](const char* name, const char* toml, const QStringList& keys) {
            QTest::newRow(name) << QString(toml) << keys;
        };
        row("patch", "data.lookback = 96\nmodel.patch_length = 97\n",
            {"model.patch_length = 97", "data.lookback = 96"});
        row("trend", "data.lookback = 96\nmodel.trend_length = 97\n",
            {"model.trend_length = 97", "data.lookback = 96"});
        row("season", "data.lookback = 96\nmodel.seasonal_length = 97\n",
            {"model.seasonal_length = 97", "data.lookback = 96"});
        row("top_k", "model.pool_size = 7\n", {"model.top_k = 8", "model.pool_size = 7"});
        row("heads", "backbone.heads = 7\n", {"backbone.width = 768", "backbone.heads = 7"});
        row("ways", "backbone.width = 64\nbackbone.heads = 4\nmodel.head_ways = 5\n",
            {"72 tokens", "backbone.width = 64", "model.head_ways = 5"});
        row("positions", "backbone.positions = 71\n",
            {"72 tokens (64 patches", "model.top_k = 8", "backbone.positions = 71"});
        row("targets", "data.columns = [\"a\", \"b\"]\ndata.targets = [\"b\", \"OT\"]\n",
            {"data.targets = [\"b\", \"OT\"] has \"OT\"", "data.columns = [\"a\", \"b\"] leaves out"});
        row("clock", "data.csv.clock_column = \"Uhr\"\n",
            {"data.csv.clock_column = \"Uhr\"", "data.csv.time_column = \"auto\""});
        row("clock without dates", "data.csv.clock_column = \"Uhr\"\ndata.csv.time_column = \"none\"\n",
            {"data.csv.clock_column = \"Uhr\"", "data.csv.time_column = \"none\""});
    }

    void contradictions_name_both_keys() {
        QFETCH(QString, toml);
        QFETCH(QStringList, keys);
        const auto message = parse_error(toml.toStdString());
        for (const auto& key : keys) VERIFY_HAS(message, key.toStdString());
        VERIFY_HAS(message, "exp.toml:");
    }

    void nested_tables() {
        const auto table = parse("[data.csv]\ndelimiter = \";\"\nheader = \"no\"\n").base;
        QCOMPARE(table.data_csv.delimiter, std::string(";"));
        QCOMPARE(table.data_csv.header, std::string("no"));
        // The other ways to write it, and --set.
        QVERIFY(parse("[data]\ncsv.delimiter = \";\"\ncsv.header = \"no\"\n").base == table);
        QVERIFY(parse("[data]\ncsv = {delimiter = \";\", header = \"no\"}\n").base == table);
        QVERIFY(parse("\"data.csv.delimiter\" = \";\"\n", {"data.csv.header=no"}).base == table);
        QVERIFY(parse("", {"data.csv.delimiter=;", "data.csv.header=\"no\""}).base == table);
        VERIFY_HAS(parse_error("", {"data.csv.decimal=;"}),
                   "data.csv.decimal = \";\" is none of the choices");
        const auto swept =
            expand(parse("data.path = \"x.csv\"\n[sweep]\ndata.csv.header = [\"yes\", \"no\"]\n"));
        QCOMPARE(swept.size(), std::size_t{2});
        QCOMPARE(swept[1].name, std::string("header-no"));
        QCOMPARE(swept[1].config.data_csv.header, std::string("no"));
    }

    void limits_just_reached_are_no_contradiction() {
        (void)parse("data.lookback = 96\nmodel.patch_length = 96\n");
        (void)parse("model.top_k = 7\nmodel.pool_size = 7\n");
        (void)parse("backbone.positions = 72\n");
        (void)parse("backbone.positions = 64\nmodel.prompt = false\n");
        (void)parse("model.pool_size = 1\nmodel.prompt = false\n");
        // 14 patches and 2 anchors: 16 * 6 divides by 3 although 16 does not.
        (void)parse("data.lookback = 112\nmodel.top_k = 2\nbackbone.width = 6\nbackbone.heads = 2\n");
        Config config;
        QCOMPARE(casp::model::patch_count(config), 64);
        QCOMPARE(casp::model::token_count(config), 72);
        config.data.lookback = 36;
        QCOMPARE(casp::model::patch_count(config), 4);  // (36 + 8 - 16) / 8 + 1, the rest of a stride unused
        config.model.prompt = false;
        QCOMPARE(casp::model::token_count(config), 4);
    }

    void resolved_text_reads_back_bit_for_bit() {
        const auto config =
            parse(
                "name = \"q\\\"\\\\ µ\"\npreset = \"weather-720\"\n[data]\npath = \"a b.csv\"\n"
                "split = [5, 6, 7]\nsentinels = [-9999, 0.1]\ncolumns = [\"T (degC)\", \"\\t\"]\n"
                "[data.csv]\ndelimiter = \"tab\"\ntime_column = \"Tag \\\"x\\\"\"\nclock_column = \"Uhr\"\n"
                "[loss]\nlambda_cov = 3\nlambda_sim = 0.1000000000000000055511\n"
                "[train]\nlearning_rate = 1e-7\nseed = 9007199254740992\n")
                .base;
        const auto text = to_toml(config);
        const auto again = load_text(text, "config.toml", "/elsewhere");
        QVERIFY2(again.base == config, text.c_str());
        QCOMPARE(to_toml(again.base), text);
        // Sections of other models are left out.
        QCOMPARE(std::ssize(again.given),
                 std::count_if(options().begin(), options().end(),
                               [](const OptionSpec& option) { return option.model.empty(); }));
        QVERIFY(load_text(to_toml(Config{}), "default", "/").base == Config{});
        VERIFY_HAS(text, "lambda_cov = 3.0\n");
        // Order of the table.
        std::size_t last = 0;
        for (const auto* section : {"name =", "[data]", "[data.csv]", "[backbone]", "[model]", "[coverage]",
                                    "[loss]", "[train]", "[run]"}) {
            const auto at = text.find(section);
            QVERIFY(at != std::string::npos && at >= last);
            last = at;
        }
    }

    void hostile_text_is_an_error() {
        const std::string deep = "nested too deep";
        VERIFY_HAS(parse_error(repeated("a.", 500000, "", "a = 1")), deep);
        VERIFY_HAS(parse_error(repeated("a.", 500000, "[", "a]")), deep);
        VERIFY_HAS(parse_error(repeated("[", 500000, "x = ")), deep);
        VERIFY_HAS(parse_error(repeated("{a=", 500000, "x = ")), deep);
        VERIFY_HAS(parse_error(repeated("\"a\" . ", 100000, "", "a = 1")), deep);
        VERIFY_HAS(parse_error(repeated("a.", 14, "[sweep]\n", "a = [1]")), "unknown key");
        VERIFY_HAS(parse_error(std::string(5000000, '#')), "at most 4 MiB");
        VERIFY_HAS(parse_error(repeated("x", 100000, "x = \"", "\"")), "unknown key");
        VERIFY_HAS(parse_error(repeated("x", 100000, "", " = 1")), "unknown key");
        VERIFY_HAS(parse_error(std::string("a = 1\0b", 7)), "exp.toml");
        VERIFY_HAS(parse_error("a = \"\xff\""), "exp.toml:1:");
        VERIFY_HAS(parse_error("", {repeated("[", 100000, "data.sentinels=")}), "no TOML value");
        // Dots in strings and comments, and long lists of floats, are no nesting.
        (void)parse(repeated("a.", 100, "# ", "\n") +
                    repeated("../", 40, "[data]\npath = \"", "x\" # 1.2.3.4\n") +
                    repeated("0.5, ", 3000, "sentinels = [", "]\n"));
    }

    /// Mutations of a good file end in a configuration or an input Error, never in anything else.
    void mutated_text_never_crashes() {
        const std::string good =
            "# what this is about, in some words\nname = \"any name will do\"\npreset = "
            "\"etth1-96\"\n[data]\nsplit = [1, 2, 3]\nsentinels = [-9999.0]\n"
            "[loss]\nlambda_cov = 1e-1\n[sweep]\n\"loss.lambda_sim\" = [0, 0.1]\ntrain.seed = [1, 2]\n";
        const std::string alphabet = "[]{}=.,\"'#\n\\ue0-9_axinf+:TZ \xc3\xbc";
        std::mt19937 random(1);
        const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
        QCOMPARE(expand(parse(good)).size(), std::size_t{4});
        int accepted = 0;
        int refused = 0;
        for (int i = 0; i < 6000; ++i) {
            auto text = good;
            for (auto edits = 1 + below(2); edits-- > 0;) {
                const auto at = below(text.size());
                const auto what = below(4);
                if (what == 0) text.erase(at, 1 + below(5));
                if (what == 1) text.insert(at, 1, alphabet[below(alphabet.size())]);
                if (what == 2) text[at] = alphabet[below(alphabet.size())];
                if (what == 3) text.insert(at, text.substr(below(text.size()), below(30)));
                if (text.empty()) text.push_back('=');
            }
            try {
                const auto experiment = parse(text);
                for (const auto& run : expand(experiment)) QVERIFY(contradictions(run.config).empty());
                ++accepted;
            } catch (const casp::Error& error) {
                QVERIFY(error.kind() == casp::ErrorKind::input);
                ++refused;
            }
        }
        qInfo("%d accepted, %d refused", accepted, refused);
        QVERIFY(accepted > 300);
        QVERIFY(refused > 1000);
    }
};

TEST_MAIN_WITHOUT_GUI(TestExperiment)
#include "test_experiment.moc"

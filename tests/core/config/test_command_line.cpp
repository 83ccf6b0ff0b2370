// What the command line accepts, and the texts made from the table of settings.

#include <fstream>
#include <QTemporaryDir>
#include <sstream>

#include "batch/command_line.h"
#include "config/presets.h"
#include "config/text_utils.h"
#include "config_test.h"
#include "test_program.h"

using namespace casp::batch;
using casp::config::has;
using casp::config::message_of;

namespace {

using Arguments = std::vector<std::string>;

std::string usage_error(const Arguments& arguments) {
    return message_of([&] { (void)parse_command_line(arguments); });
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
}

std::string print_config_text(const CommandLine& line) {
    return casp::config::to_toml(experiment_to_print(line));
}

}  // namespace

class TestCommandLine : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void workers_and_shares() {
        const auto worker = parse_command_line({"--batch", "a.toml", "--worker", "--runs", "2/8"});
        QVERIFY(worker.worker && worker.part.number == 2 && worker.part.of == 8);
        const auto plain = parse_command_line({"--batch", "a.toml"});
        QVERIFY(!plain.worker && plain.part.number == 1 && plain.part.of == 1);
        QVERIFY(has(usage_error({"--batch", "a.toml", "--runs", "9/8"}),
                    "--runs has \"9/8\"; expected I/N with 1"));
        const auto merge = parse_command_line({"--merge", "a", "b", "--out", "c"});
        QVERIFY(merge.mode == Mode::merge && merge.target == "a" && merge.files == Arguments{"b"} &&
                merge.out == "c");
        QVERIFY(has(usage_error({"--merge", "a"}), "--merge without --out"));
    }

    void window() {
        const auto none = parse_command_line({});
        QVERIFY(none.mode == Mode::window && none.files.empty());
        const auto some = parse_command_line({"a.csv", "runs/x", "b.toml"});
        QVERIFY(some.mode == Mode::window);
        QCOMPARE(some.files, (Arguments{"a.csv", "runs/x", "b.toml"}));
    }

    void table() {
        const auto line = parse_command_line({"--table", "crossed", "runs", "more", "--out", "tables"});
        QVERIFY(line.mode == Mode::table);
        QCOMPARE(line.target, std::string("crossed"));
        QCOMPARE(line.files, (Arguments{"runs", "more"}));
        QCOMPARE(line.out, std::string("tables"));
        QCOMPARE(parse_command_line({"--table", "crossed"}).out, std::string());
        VERIFY_HAS(usage_error({"--table", "crossed", "--resume"}), "--resume does not apply to --table");
    }

    void submit() {
        const auto line = parse_command_line(
            {"--submit", "a.toml", "--scheduler", "slurm", "--print", "--set", "scheduler.time=90"});
        QVERIFY(line.mode == Mode::submit && line.target == "a.toml" && line.print);
        QCOMPARE(line.out, std::string("runs"));
        VERIFY_HAS(usage_error({"--submit", "a.toml"}), "--submit without --scheduler");
        VERIFY_HAS(usage_error({"--submit", "a.toml", "--scheduler", "pbs"}), "expected --scheduler slurm");
        VERIFY_HAS(usage_error({"--batch", "a.toml", "--print"}), "--print does not apply to --batch");
        VERIFY_HAS(help_text(), "scheduler.signal_seconds");
    }

    void verify() {
        const auto line = parse_command_line({"--verify", "runs/sweep"});
        QVERIFY(line.mode == Mode::verify && line.target == "runs/sweep");
        VERIFY_HAS(usage_error({"--verify", "runs", "--out", "tables"}), "--out does not apply to --verify");
        VERIFY_HAS(usage_error({"--verify", "runs", "more"}), "unexpected argument");
        VERIFY_HAS(usage_error({"--verify"}), "--verify has no value");
        QCOMPARE(line.repeat, 0.0);
        QCOMPARE(parse_command_line({"--verify", "a.tar.gz", "--repeat", "2.5"}).repeat, 2.5);
        for (const char* percent : {"0", "101", "nan", "5 %", "five", "-1"})
            VERIFY_HAS(usage_error({"--verify", "a", "--repeat", percent}), "a percentage above 0");
        VERIFY_HAS(usage_error({"--audit", "a", "--data", "b", "--repeat", "5"}),
                   "--repeat does not apply to --audit");
    }

    void archive() {
        const auto line = parse_command_line({"--archive", "runs/sweep", "--out", "a/sweep.tar.gz"});
        QVERIFY(line.mode == Mode::archive && line.target == "runs/sweep" && line.omit.empty());
        QCOMPARE(line.out, std::string("a/sweep.tar.gz"));
        const auto small =
            parse_command_line({"--archive", "runs", "--out", "a.tar.gz", "--omit", "weights, checkpoints"});
        QCOMPARE(small.omit, (Arguments{"weights", "checkpoints"}));
        VERIFY_HAS(usage_error({"--archive", "runs"}), "--archive without --out; expected --out FILE.tar.gz");
        VERIFY_HAS(usage_error({"--archive", "runs", "--out", "a.zip"}), "expected --out FILE.tar.gz");
        VERIFY_HAS(usage_error({"--archive", "runs", "--out", "a.tar.gz", "--omit", "logs"}),
                   "--omit has \"logs\"; expected weights, checkpoints or both");
    }

    void batch() {
        const auto line =
            parse_command_line({"--batch", "e.toml", "--set", "train.seed=1", "--out", "results", "--resume",
                                "--set", "sweep.\"loss.lambda_cov\"=[0,0.1]", "--set=data.columns=[\"a\"]",
                                "--figures", "loss, usage", "--log-format", "json"});
        QVERIFY(line.mode == Mode::batch);
        QCOMPARE(line.target, std::string("e.toml"));
        QCOMPARE(line.out, std::string("results"));
        QCOMPARE(line.sets,
                 (Arguments{"train.seed=1", "sweep.\"loss.lambda_cov\"=[0,0.1]", "data.columns=[\"a\"]"}));
        QCOMPARE(line.figures, (Arguments{"loss", "usage"}));
        QVERIFY(line.resume);
        QVERIFY(line.log_format == LogFormat::json);
        const auto plain = parse_command_line({"--batch", "e.toml"});
        QCOMPARE(plain.out, std::string("runs"));
        QVERIFY(!plain.resume && plain.log_format == LogFormat::text && plain.figures.empty());
    }

    void other_modes() {
        const auto evaluate = parse_command_line(
            {"--evaluate", "runs/a/single", "--data", "x.csv", "--set", "data.split=ratio"});
        QVERIFY(evaluate.mode == Mode::evaluate);
        QCOMPARE(evaluate.data, std::string("x.csv"));
        const auto forecast = parse_command_line(
            {"--forecast", "runs/a/single", "--data", "x.csv", "--level", "80, 95", "--out", "y.csv"});
        QVERIFY(forecast.mode == Mode::forecast && forecast.target == "runs/a/single");
        QVERIFY(forecast.data == "x.csv" && forecast.out == "y.csv");
        QCOMPARE(forecast.levels, (std::vector<int>{80, 95}));
        const auto plain = parse_command_line({"--forecast", "a", "--data", "b"});
        QVERIFY(plain.out.empty() && plain.levels.empty());
        const auto describe = parse_command_line({"--describe", "x.csv", "--set", "data.missing=keep"});
        QVERIFY(describe.mode == Mode::describe);
        QCOMPARE(describe.target, std::string("x.csv"));
        const auto print = parse_command_line({"--print-config", "e.toml", "--preset", "etth1-96"});
        QVERIFY(print.mode == Mode::print_config && print.files.empty());
        QCOMPARE(print.target, std::string("e.toml"));
        QVERIFY(parse_command_line({"e.toml", "--print-config"}).target == "e.toml");
        QVERIFY(parse_command_line({"--print-config"}).target.empty());
        const auto fetch = parse_command_line({"--fetch", "gpt2", "--to", "cache"});
        QVERIFY(fetch.mode == Mode::fetch && fetch.to == "cache" && fetch.target == "gpt2");
        const auto compare = parse_command_line({"--compare", "a", "b", "--by", "model.top_k", "--base", "4",
                                                 "--metric", "test_mae", "c", "--out", "tables"});
        QVERIFY(compare.mode == Mode::compare && compare.target == "a" && compare.out == "tables");
        QCOMPARE(compare.files, (Arguments{"b", "c"}));
        QVERIFY(compare.by == "model.top_k" && compare.base == "4" && compare.metric == "test_mae");
        QVERIFY(parse_command_line({"--compare", "a"}).out.empty());
        QVERIFY(parse_command_line({"--list-presets"}).mode == Mode::list_presets);
        QVERIFY(parse_command_line({"--list-options"}).mode == Mode::list_options);
        QVERIFY(parse_command_line({"--list-catalog"}).mode == Mode::list_catalog);
        QVERIFY(parse_command_line({"--version"}).mode == Mode::version);
        QVERIFY(parse_command_line({"--help"}).mode == Mode::help);
        QVERIFY(parse_command_line({"--batch", "x", "-h"}).mode == Mode::help);
    }

    void usage_errors_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QStringList>("parts");
        const auto row = [](const char* name, const QStringList& arguments, const QStringList& parts) {
            QTest::newRow(name) << arguments << parts;
        };
        row("unknown flag", {"--bacth", "e.toml"}, {"unknown flag --bacth", "Nearest flag: --batch."});
        row("unknown flag with value", {"--batch", "e.toml", "--logformat=json"},
            {"unknown flag --logformat.", "--log-format"});
        row("setting as a flag", {"--batch", "e.toml", "--train.seed=1"},
            {"unknown flag --train.seed", "--set KEY=VALUE"});
        row("short flag", {"-x"}, {"unknown flag -x"});
        row("no value", {"--batch"}, {"--batch has no value; expected --batch FILE.toml"});
        row("no value before a flag", {"--batch", "--resume"}, {"--batch has no value"});
        row("empty value", {"--batch", ""}, {"--batch has an empty value"});
        row("twice", {"--batch", "a", "--batch", "b"}, {"--batch is given 2 times"});
        row("two modes", {"--batch", "a", "--describe", "b"}, {"--batch and --describe cannot be combined"});
        row("resume alone", {"--resume"}, {"--resume does not apply without --batch"});
        row("resume elsewhere", {"--fetch", "gpt2", "--resume"},
            {"--resume does not apply to --fetch", "--batch"});
        row("set alone", {"--set", "a=b"},
            {"--set does not apply without --batch, --evaluate, --forecast, --audit, --import, --describe, "
             "--convert, --print-config, --list-models or --submit"});
        row("preset with batch", {"--batch", "a", "--preset", "etth1-96"}, {"--set preset=NAME"});
        row("evaluate without data", {"--evaluate", "run"}, {"--data FILE.csv"});
        row("forecast without data", {"--forecast", "run"}, {"--forecast without --data"});
        row("level elsewhere", {"--evaluate", "a", "--data", "b", "--level", "80"},
            {"--level does not apply to --evaluate", "--forecast"});
        row("level above 99", {"--forecast", "a", "--data", "b", "--level", "80,100"},
            {"--level has \"100\"; expected whole percent from 1 to 99"});
        row("level 0", {"--forecast", "a", "--data", "b", "--level", "0"}, {"--level has \"0\""});
        row("level as a fraction", {"--forecast", "a", "--data", "b", "--level", "0.8"},
            {"--level has \"0.8\""});
        row("level twice", {"--forecast", "a", "--data", "b", "--level", "80,95,80"}, {"80 twice"});
        row("level end", {"--forecast", "a", "--data", "b", "--level", "80,"},
            {"--level has an empty level"});
        for (const char* origins : {"0", "-1", "1.5", "ten", "1000001"})
            row(("origins " + std::string(origins)).c_str(),
                {"--forecast", "a", "--data", "b", "--origins", origins},
                {"--origins has \"", "expected a whole number from 1 to 1000000"});
        row("origins elsewhere", {"--evaluate", "a", "--data", "b", "--origins", "3"},
            {"--origins does not apply to --evaluate", "--forecast"});
        row("export without out", {"--export", "a"}, {"--export without --out", "--out DIR"});
        row("format", {"--export", "a", "--out", "b", "--format", "xls"},
            {"--format \"xls\"; expected npy or csv"});
        row("format elsewhere", {"--batch", "a", "--format", "csv"},
            {"--format does not apply to --batch", "--export"});
        row("data elsewhere", {"--batch", "a", "--data", "b"}, {"--data does not apply to --batch"});
        row("describe other keys", {"--describe", "a.csv", "--set", "train.seed=1"},
            {"--set data.KEY=VALUE"});
        row("extra argument", {"--batch", "a.toml", "b.toml"}, {"unexpected argument \"b.toml\""});
        row("two files", {"--print-config", "a.toml", "b.toml"}, {"at most one"});
        row("no folder", {"--compare"}, {"--compare has no value; expected --compare DIR"});
        row("by elsewhere", {"--batch", "a", "--by", "case"},
            {"--by does not apply to --batch", "--compare"});
        row("log format", {"--batch", "a", "--log-format", "xml"},
            {"--log-format \"xml\"; expected text or json"});
        row("figures", {"--batch", "a", "--figures", "loss,,x"}, {"--figures has an empty name"});
        row("figures end", {"--batch", "a", "--figures", "loss,"}, {"--figures has an empty name"});
        row("value for a flag", {"--batch", "a", "--resume=maybe"}, {"--resume"});
    }

    void usage_errors() {
        QFETCH(QStringList, arguments);
        QFETCH(QStringList, parts);
        Arguments list;
        for (const auto& argument : arguments) list.push_back(argument.toStdString());
        const auto message = usage_error(list);
        for (const auto& part : parts) VERIFY_HAS(message, part.toStdString());
        QVERIFY(message.rfind("command line: ", 0) == 0);
        QVERIFY(message.find('\n') == std::string::npos);
    }

    void help_fits_and_lists_everything() {
        const auto text = help_text();
        for (const auto& line : lines_of(text))
            QVERIFY2(casp::config::display_width(line) <= 100, line.c_str());
        for (const auto& option : casp::config::options()) {
            VERIFY_HAS(text, "\n  " + option.key);
            if (!option.symbol.empty()) VERIFY_HAS(text, "[" + option.symbol + "; default");
        }
        for (const auto* flag :
             {"--batch",        "--evaluate",     "--describe",     "--print-config", "--fetch",
              "--list-presets", "--list-options", "--list-catalog", "--version",      "--help",
              "--out",          "--set",          "--resume",       "--figures",      "--log-format",
              "--data",         "--preset",       "--to",           "--compare",      "--by",
              "--base",         "--metric",       "--table",        "--forecast",     "--level",
              "--archive",      "--omit",         "--repeat"})
            VERIFY_HAS(text, flag);
    }

    /// The numbers of the paper, from its shapes: V' (V + 1), 48 d + d, 256 · 72 · 96 + 96, 1024 d,
    /// (6 · 4 + 2) d; V d, 6 (4 d² + 4 d), 6 (8 d² + 5 d), with d = 768, V = 50257 and V' = 1000.
    void parameters_by_part() {
        const auto text = [](const Arguments& arguments) {
            return models_text(parse_command_line(arguments));
        };
        QCOMPARE(text({"--list-models", "casp-llm"}), std::string("patch embedding\t37632\ttrainable\n"
                                                                  "anchor projection\t50258000\ttrainable\n"
                                                                  "head\t1769568\ttrainable\n"
                                                                  "positions\t786432\ttrainable\n"
                                                                  "layer norms\t19968\ttrainable\n"
                                                                  "token table\t38597376\tfrozen\n"
                                                                  "attention\t14174208\tfrozen\n"
                                                                  "feed-forward\t28334592\tfrozen\n"
                                                                  "total\t52871600\ttrainable\n"
                                                                  "total\t81106176\tfrozen\n"
                                                                  "total\t133977776\tall\n"));
        QCOMPARE(text({"--list-models", "s2ip-llm"}), text({"--list-models", "casp-llm"}));
        // 256 · (64 + 4) · 720 + 720
        VERIFY_HAS(text({"--list-models", "casp-llm", "--set", "preset=etth1-720"}),
                   "head\t12534480\ttrainable\n");
        QCOMPARE(text({"--list-models", "dlinear"}), std::string("total\t98496\ttrainable\n"
                                                                 "total\t0\tfrozen\n"
                                                                 "total\t98496\tall\n"));
        VERIFY_HAS(text({"--list-models"}), "casp-llm\tCASP-LLM\tbackbone, anchors\t52871600\n");
        VERIFY_HAS(usage_error({"--list-models", "casp-llm", "ofa"}), "--list-models has 2 models");
        try {
            (void)text({"--list-models", "casp-lm"});
            QFAIL("no error");
        } catch (const casp::Error& error) {
            VERIFY_HAS(std::string(error.what()), "casp-llm");
        }
    }

    void options_are_machine_readable() {
        const auto lines = lines_of(options_text());
        QCOMPARE(lines.size(), casp::config::options().size());
        for (std::size_t i = 0; i < lines.size(); ++i) {
            const auto fields = QString::fromStdString(lines[i]).split('\t');
            QCOMPARE(fields.size(), 7);
            QCOMPARE(fields[0].toStdString(), casp::config::options()[i].key);
        }
        VERIFY_HAS(options_text(), "loss.lambda_cov\tnumber\t0.1\ta number of at least 0\t\tλ_cov\t");
    }

    void presets_are_listed() {
        const auto lines = lines_of(presets_text());
        // Models × cells of the paper, and all models × frequencies of M4.
        QCOMPARE(lines.size(), std::size_t{12 * 24 + 14 * 6});
        VERIFY_HAS(lines[0], "etth1-96\tdata.path = \"catalog:ETTh1\", data.horizon = 96");
    }

    void printed_configuration() {
        using namespace casp::config;
        const auto csv = print_config_text(parse_command_line(
            {"--print-config", "--set", "data.csv.delimiter=;", "--set", "data.csv.decimal=,"}));
        VERIFY_HAS(
            csv,
            "\n[data.csv]\ndelimiter = \";\"\ndecimal = \",\"\nthousands = \"auto\"\nquote = \"auto\"\n");
        const auto defaults = print_config_text(parse_command_line({"--print-config"}));
        QVERIFY(load_text(defaults, "x", {}).base == Config{});
        const auto preset = print_config_text(
            parse_command_line({"--print-config", "--preset", "weather-96", "--set", "train.seed=3"}));
        const auto config = load_text(preset, "x", {}).base;
        QCOMPARE(config.train.batch_size, 256);
        QCOMPARE(config.train.seed, 3);
        QTemporaryDir folder;
        const auto path = folder.path().toStdString() + "/e.toml";
        std::ofstream(path) << "[data]\npath = \"a.csv\"\n[sweep]\ntrain.seed = [1, 2]\n";
        const auto text = print_config_text(parse_command_line({"--print-config", path}));
        VERIFY_HAS(text, "name = \"e\"\n");
        VERIFY_HAS(text, "[sweep]\n\"train.seed\" = [1, 2]\n");
        VERIFY_HAS(text, "path = \"" + folder.path().toStdString() + "/a.csv\"");
        VERIFY_HAS(message_of([] {
                       (void)print_config_text(parse_command_line({"--print-config", "--preset", "x"}));
                   }),
                   "is no preset");
    }
};

TEST_MAIN_WITHOUT_GUI(TestCommandLine)
#include "test_command_line.moc"

// The table of settings, its helpers, and the document made from it.

#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>
#include <limits>
#include <random>
#include <set>

#include "config/text_utils.h"
#include "config_test.h"
#include "test_program.h"

using namespace casp::config;

namespace {

/// A value of the option that is right and differs from its default.
Value other_value(const OptionSpec& option) {
    switch (option.type) {
        case OptionType::integer: {
            const auto least = static_cast<std::int64_t>(std::max(option.limits.min.value_or(1), 1.0));
            return std::get<std::int64_t>(option.default_value) == least ? Value(least + 1) : Value(least);
        }
        case OptionType::number:
            return 0.3125;
        case OptionType::boolean:
            return !std::get<bool>(option.default_value);
        case OptionType::numbers:
            return std::vector<double>{-9999, 0.1};
        case OptionType::strings:
            if (!option.limits.choices.empty()) return std::vector<std::string>{"val", "train"};
            if (option.limits.is_device) return std::vector<std::string>{"cuda:1", "cpu", "cpu"};
            return std::vector<std::string>{"a \"b\"", "µ\n\t\\"};
        case OptionType::split:
            return SplitSetting{"rows", {8640, 2880, 2880}};
        case OptionType::table:
            return OptionTable{{"d_model", std::int64_t{256}},
                               {"kernels", std::vector<double>{3, 5}},
                               {"name", std::string("a \"b\"")},
                               {"on", true},
                               {"rate", 0.1},
                               {"words", std::vector<std::string>{"x", "y"}}};
        case OptionType::any:
        case OptionType::string:
            break;
    }
    for (const auto& choice : option.limits.choices)
        if (Value(choice) != option.default_value) return choice;
    if (option.limits.is_device) return std::string("cuda:3");
    if (option.limits.is_preset_name) return std::string("weather-720");
    if (option.limits.is_path) return std::string("/data/A b.csv");
    return std::string("other");
}

std::string documented_row(const OptionSpec& option) {
    auto values = expected_text(option).english();
    for (auto bar = values.find('|'); bar != std::string::npos; bar = values.find('|', bar + 2))
        values.insert(bar, "\\");  // a bar would end the cell
    return "| `" + option.key + "` | `" + to_toml(option.default_value) + "` | " + values + " | " +
           option.unit + " | " + option.symbol + " | " + option.help + " |\n";
}

}  // namespace

class TestOptions : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void every_option_is_complete() {
        std::set<std::string> keys;
        for (const auto& option : options()) {
            QVERIFY2(keys.insert(option.key).second, option.key.c_str());
            QCOMPARE(find_option(option.key), &option);
            QVERIFY2(!option.help.empty() && option.help.back() != '.', option.key.c_str());
            QVERIFY2(!option.group.empty(), option.key.c_str());
            QVERIFY2(!expected_text(option).empty(), option.key.c_str());
            QVERIFY2(option.key == "backbone.path" || problem_with(option, option.default_value).empty(),
                     option.key.c_str());
        }
        QCOMPARE(find_option("loss.lambda_cov")->symbol, std::string("λ_cov"));
        QCOMPARE(find_option("model.top_k")->symbol, std::string("K"));
        QCOMPARE(find_option("model.pool_size")->symbol, std::string("V'"));
        QCOMPARE(find_option("coverage.decay")->symbol, std::string("β"));
        QVERIFY(find_option("loss") == nullptr);
        QVERIFY(contradictions(Config{}).empty());
    }

    /// Each key reaches its own member and no other.
    void get_and_set_every_key() {
        for (const auto& option : options()) {
            Config config;
            if (option.limits.choices.size() == 1) continue;  // model.name: there is no other value yet
            const auto value = other_value(option);
            set(config, option.key, value);
            QVERIFY2(get(config, option.key) == value, option.key.c_str());
            const auto changed = differences(Config{}, config);
            QCOMPARE(changed.size(), std::size_t{1});
            QCOMPARE(changed.front().key, option.key);
            QCOMPARE(changed.front().a, to_toml(option.default_value));
            QCOMPARE(changed.front().b, to_toml(value));
        }
        Config config;
        set(config, "loss.lambda_cov", std::int64_t{2});
        QCOMPARE(config.loss.lambda_cov, 2.0);
    }

    void set_refuses_and_changes_nothing() {
        const double nan = std::numeric_limits<double>::quiet_NaN();
        const double infinity = std::numeric_limits<double>::infinity();
        const std::vector<std::pair<std::string, Value>> wrong{
            {"data.lookback", std::int64_t{0}},
            {"data.lookback", 96.0},
            {"data.percent", std::int64_t{101}},
            {"train.seed", std::int64_t{-1}},
            {"train.seed", std::int64_t{9007199254740993}},
            {"backbone.dropout", 1.0},
            {"backbone.dropout", -0.1},
            {"coverage.decay", 1.0},
            {"coverage.term", std::string("kl_uniform")},
            {"coverage.warmup", std::int64_t{-1}},
            {"selection.rule", std::string("dpp")},
            {"selection.alpha", 1.1},
            {"model.anchors", std::string("none")},
            {"loss.lambda_cov", nan},
            {"loss.lambda_cov", infinity},
            {"loss.lambda_sim", -0.05},
            {"train.learning_rate", 0.0},
            {"model.prompt", std::string("true")},
            {"run.device", std::string("cuda:")},
            {"run.device", std::string("cuda:x")},
            {"run.device", std::string("gpu")},
            {"run.precision", std::string("fp16")},
            {"run.store_forecasts", std::vector<std::string>{"test", "test"}},
            {"run.store_forecasts", std::vector<std::string>{"all"}},
            {"data.sentinels", std::vector<double>{nan}},
            {"data.columns", std::vector<std::string>{""}},
            {"data.split", SplitSetting{"rows", {10, 0, 10}}},
            {"data.split", SplitSetting{"rows", {}}},
            {"data.split", SplitSetting{"ratios"}},
            {"data.split", SplitSetting{"fractions", {}, {0.8, 0.2, 0.1}}},
            {"data.split", SplitSetting{"fractions", {}, {1, 0, 0}}},
            {"data.split", SplitSetting{"fractions", {}, {nan, 0.1, 0.1}}},
            {"data.split", SplitSetting{"fractions"}},
            {"data.split", SplitSetting{"dates", {}, {}, {"2018-01-01", "07/01/2018"}}},
            {"data.split", SplitSetting{"dates", {}, {}, {"2018-01-01", "2018-07-01 12:00+02:00"}}},
            {"data.split", SplitSetting{"dates"}},
            {"data.split", SplitSetting{"ratio", {}, {0.7, 0.1, 0.2}}},
            {"data.csv.delimiter", std::string("\t")},
            {"data.csv.header", true},
            {"data.csv.time_column", std::string()},
            {"data.split", std::string("ratio")},
            {"run.together", std::int64_t{257}},
            {"run.together", std::string("auto")},
            {"backbone.path", std::string()},
            {"preset", std::string("etth1-97")},
            {"name", std::string("../up")},
            {"name", std::string("a/b")},
            {"name", std::string(".hidden")},
            {"name", std::string("a\nb")},
            {"name", std::string(121, 'x')},
            {"name", std::string("\xff")},
        };
        for (const auto& [key, value] : wrong) {
            Config config;
            const auto message = message_of([&, k = key, v = value] { set(config, k, v); });
            VERIFY_HAS(message, key + ": ");
            VERIFY_HAS(message, "; expected ");
            QVERIFY(config == Config{});
        }
        Config config;
        set(config, "train.seed", std::int64_t{9007199254740992});
        set(config, "name", std::string(120, 'x'));
        VERIFY_HAS(message_of([] { (void)get(Config{}, "loss.lamda_cov"); }), "loss.lambda_cov");
    }

    void nearest_keys() {
        QCOMPARE(nearest_key("loss.lambda_covv"), std::string("loss.lambda_cov"));
        QCOMPARE(nearest_key("lambda_cov"), std::string("loss.lambda_cov"));
        QCOMPARE(nearest_key("model.lambda_cov"), std::string("loss.lambda_cov"));
        QCOMPARE(nearest_key("los.lamda_cov"), std::string("loss.lambda_cov"));
        QCOMPARE(nearest_key("data.seed"), std::string("train.seed"));
        QCOMPARE(nearest_key("Train.Seed"), std::string("train.seed"));
        QCOMPARE(nearest_key("top_K"), std::string("model.top_k"));
        QCOMPARE(nearest_key("train.bacth_size"), std::string("train.batch_size"));
        QCOMPARE(nearest_key("xyzzy.frobnicate"), std::string());
        QCOMPARE(nearest_key(std::string(100000, 'a')), std::string());
        QCOMPARE(edit_distance("kitten", "sitting"), std::size_t{3});
        QCOMPARE(edit_distance("ab", "ba"), std::size_t{1});
        QCOMPARE(edit_distance("", "abc"), std::size_t{3});
    }

    void numbers_read_back() {
        QCOMPARE(shortest(0.1), std::string("0.1"));
        QCOMPARE(shortest(1e-4), std::string("1e-4"));
        QCOMPARE(shortest(0), std::string("0"));
        QCOMPARE(shortest(1e300), std::string("1e300"));
        QCOMPARE(shortest(-2.5e-10), std::string("-2.5e-10"));
        QCOMPARE(to_toml(Value(5.0)), std::string("5.0"));
        QCOMPARE(to_toml(Value(std::int64_t{5})), std::string("5"));
        std::mt19937_64 random(7);
        for (int i = 0; i < 20000; ++i) {
            const auto bits = random();
            double number = 0;
            std::memcpy(&number, &bits, sizeof number);
            if (!std::isfinite(number)) continue;
            QCOMPARE(std::strtod(shortest(number).c_str(), nullptr), number);
        }
    }

    void text_helpers() {
        QCOMPARE(in_quotes("a\"b\\c\n\x01\x7f"), std::string("\"a\\\"b\\\\c\\n\\u0001\\u007F\""));
        QCOMPARE(abbreviated("aµb", 2), std::string("a…"));
        QCOMPARE(listed({"a", "b"}, 2), std::string("a, b"));
        QCOMPARE(listed({"a", "b", "c", "d"}, 2), std::string("a, b and 2 more"));
        QCOMPARE(listed({}), std::string());
        QCOMPARE(display_width("λ_cov"), std::size_t{5});
        QCOMPARE(display_width("c\xCC\x83"), std::size_t{1});
        QVERIFY(is_utf8("λ 日本 😀"));
        for (const auto* bad : {"\xff", "\xc0\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xe2\x82", "\x80"})
            QVERIFY(!is_utf8(bad));
        QCOMPARE(file_name_safe("catalog:a/b c"), std::string("catalog-a-b-c"));
    }

    /// CASP_UPDATE_DOCS=1 rewrites the table instead of comparing it.
    void document_lists_every_option() {
        const std::string path = CASP_SOURCE_DIR "/docs/configuration.md";
        std::ifstream stream(path);
        std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
        const std::string begin = "<!-- options: begin -->\n";
        const std::string end = "<!-- options: end -->";
        const auto from = text.find(begin);
        const auto to = text.find(end);
        QVERIFY(from != std::string::npos && to != std::string::npos && from < to);
        std::string table;
        std::string group;
        for (const auto& option : options()) {
            if (option.group != group) {
                group = option.group;
                table +=
                    "\n### " + group + (option.section.empty() ? "" : " `[" + option.section + "]`") + "\n\n";
                table += "| key | default | values | unit | symbol | meaning |\n|---|---|---|---|---|---|\n";
            }
            table += documented_row(option);
        }
        table += "\n";
        const auto found = text.substr(from + begin.size(), to - from - begin.size());
        if (qEnvironmentVariableIsSet("CASP_UPDATE_DOCS")) {
            text.replace(from + begin.size(), found.size(), table);
            std::ofstream(path) << text;
            return;
        }
        QCOMPARE(QString::fromStdString(found), QString::fromStdString(table));
    }
};

TEST_MAIN_WITHOUT_GUI(TestOptions)
#include "test_options.moc"

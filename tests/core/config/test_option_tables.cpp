// Settings by names that only the user's file knows: python.options.
#include <QtTest>

#include "config/experiment.h"
#include "model/python_options.h"
#include "test_program.h"
#include "util/error.h"

using namespace casp;
using namespace casp::config;

namespace {

const std::string python =
    "[data]\npath = \"a.csv\"\n[model]\nname = \"python\"\n[python]\nfile = \"m.py\"\n";

}  // namespace

class TestOptionTables : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void entries_are_settings() {
        QVERIFY(find_option("python.options.d_model") == find_option("python.options.d_model"));
        QVERIFY(find_option("python.options.") == nullptr && find_option("python.options.a b") == nullptr);
        QVERIFY(find_option("train.options.a") == nullptr);
        Config config;
        QCOMPARE(get(config, "python.options.d_model"), Value(std::string()));
        set(config, "python.options.d_model", std::int64_t{64});
        set(config, "python.options.sizes", std::vector<double>{3, 5});
        QCOMPARE(get(config, "python.options.d_model"), Value(std::int64_t{64}));
        QCOMPARE(to_toml(get(config, "python.options")), "{ d_model = 64, sizes = [3.0, 5.0] }");
        QVERIFY_THROWS_EXCEPTION(Error, set(config, "python.options.rate", std::nan("")));
        QVERIFY_THROWS_EXCEPTION(Error, set(config, "python.options.rate", SplitSetting{}));
    }

    void files_give_them_in_every_form() {
        const auto read = [](const std::string& text, const std::vector<std::string>& sets = {}) {
            return load_text(python + text, "test", "/", sets).base.python.options;
        };
        const OptionTable both{{"a", std::int64_t{1}}, {"b", std::string("x")}};
        QVERIFY(read("options = { a = 1, b = \"x\" }\n") == both);
        QVERIFY(read("options.a = 1\noptions.b = \"x\"\n") == both);
        QVERIFY(read("[python.options]\na = 1\nb = \"x\"\n") == both);
        QVERIFY(read("[python.options]\na = 2\n", {"python.options.a=1", "python.options.b=x"}) == both);
        const OptionTable deep{{"a.b", std::int64_t{1}}, {"a.c.d", std::string("x")}};
        QVERIFY(read("[python.options.a]\nb = 1\nc = { d = \"x\" }\n") == deep);
        QVERIFY(read("[python.options]\na.b = 2\na.c.d = \"x\"\n", {"python.options.a.b=1"}) == deep);
        QVERIFY_THROWS_EXCEPTION(Error, read("[python.options]\n\"a..b\" = 1\n"));
        QVERIFY_THROWS_EXCEPTION(Error, read("[python.options]\n\"a b\" = 1\n"));
        QVERIFY(read("options.a = 3\n", {"python.options={ b = 1, c.d = 2 }"}) ==
                (OptionTable{{"b", std::int64_t{1}}, {"c.d", std::int64_t{2}}}));
        QVERIFY(read("options.a = 3\n", {"python.options={}"}) == OptionTable());
        for (const char* unclear : {"False", "None", ".5", "0,5", "007"})
            QVERIFY_THROWS_EXCEPTION(Error, read("", {std::string("python.options.a=") + unclear}));
        QVERIFY(read("", {"python.options.a=x1"}) == (OptionTable{{"a", std::string("x1")}}));
    }

    void they_are_swept() {
        QTemporaryDir folder;
        QFile file(folder.filePath("m.py"));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("def make(task): pass\n") > 0);
        file.close();
        const auto runs = expand(
            load_text(python + "[sweep.python.options]\nrate = [0.1, 1]\n[[sweep.case]]\nlabel = \"p\"\n"
                               "python.options.on = true\n[[sweep.case]]\nlabel = \"q\"\n",
                      "test", folder.path().toStdString()));
        QCOMPARE(runs.size(), 4U);
        QCOMPARE(runs[0].name, "rate-0.1_case-p");
        QVERIFY(runs[0].config.python.options == (OptionTable{{"on", true}, {"rate", 0.1}}));
        QVERIFY(runs[3].config.python.options == (OptionTable{{"rate", std::int64_t{1}}}));
        QCOMPARE(runs[0].config.python.sha256.size(), 64U);
        const auto deep = expand(load_text(python + "[python.options.net]\nwidth = 1\n"
                                                    "[sweep.python.options.net]\nwidth = [2, 3]\n",
                                           "test", folder.path().toStdString()));
        QCOMPARE(deep.size(), 2U);
        QVERIFY(deep[1].config.python.options == (OptionTable{{"net.width", std::int64_t{3}}}));
        QVERIFY(load_text(to_toml(deep[1].config), "run", "/").base == deep[1].config);
        // What a run writes reads back to the same.
        QVERIFY(load_text(to_toml(runs[0].config), "run", "/").base == runs[0].config);
        QCOMPARE(differences(runs[0].config, runs[1].config).front().key, "python.options");
    }

    void their_defaults_are_found_in_the_file() {
        const auto found = model::options_in(
            "o = task.options\na = o.get('no', 1)\nb = task.options.get('width', 64)\n"
            "c = options.pop(\"rate\", 1e-3)\nd = task.options.get('name', 'x')\ne = task.options.get('on', "
            "True)\n"
            "f = task.options.get('computed', a + b)\ng = task.options.required\n");
        QVERIFY(found ==
                (OptionTable{
                    {"name", std::string("x")}, {"on", true}, {"rate", 1e-3}, {"width", std::int64_t{64}}}));
    }
};

TEST_MAIN_WITHOUT_GUI(TestOptionTables)
#include "test_option_tables.moc"

// Models in Python on the data that they get: which windows, channels and options, and what becomes of their
// losses and forecasts.
#include "python_fixture.h"
#include "test_program.h"
#include "verify_text.h"

using namespace casp;
using namespace casp::test;

namespace {

/// The last value; `more` are further methods.
QByteArray object(const QByteArray& more, const QByteArray& make = "return Model()") {
    return "import os\nimport numpy\nclass Model:\n    def predict(self, x):\n        return x[:, -1:, "
           ":].repeat(24, 1)\n    "
           "def state(self):\n        return {'n': numpy.ones(1)}\n    def load(self, state):\n        "
           "pass\n" +
           more + "\ndef make(task):\n    " + make + "\n";
}

/// Three series in a long table; `rows`: of the first one.
QByteArray series(int rows) {
    QByteArray text = "unique_id,ds,y\n";
    for (const char* id : {"A", "B", "C"})
        for (int r = 0; r < (*id == 'A' ? rows : 72); ++r)
            text += QByteArray(id) + "," + QByteArray::number(1577836800LL + 3600LL * r) + "," +
                    QByteArray::number(5 + std::sin(r * 2 * M_PI / 24) + 0.1 * std::cos(r * 1.7), 'f', 5) +
                    "\n";
    return text;
}

}  // namespace

class TestPythonData : public QObject {
    Q_OBJECT

    const Workplace place_;

    Finished run(const QByteArray& name, const QByteArray& model, const QStringList& more = {}) const {
        return run_python(place_, name, model, more);
    }
    QByteArray result(const QByteArray& name, const QByteArray& column) const {
        return result_of(place_, name, column);
    }

private Q_SLOTS:
    void initTestCase() {
        if (!python_has("numpy")) QSKIP("no Python with numpy (python3-numpy)");
        place_.write("series.csv", small_csv());
    }

    void single_channels_are_targets() {
        VERIFY_CODE(run("single",
                        object({}, "assert (task.channels, task.targets) == (1, [0]), task; return Model()"),
                        {"--set", "data.batching=single-channel", "--set", "data.targets=[\"temperature\"]"}),
                    0);
    }

    void channels_are_told_apart_by_name() {
        VERIFY_CODE(run("named", object({})), 0);
        const auto lines = Finished::lines_of(small_csv());
        QByteArray swapped, fewer, more, others;
        for (const auto& line : lines) {
            const auto cells = line.split(',');
            swapped += cells[0] + "," + cells[2] + "," + cells[1] + "\n";
            fewer += cells[0] + "," + cells[1] + "\n";
            more += line + "," + (more.isEmpty() ? "wind" : cells[1]) + "\n";
            others += (others.isEmpty() ? "date,a,b" : line) + "\n";
        }
        place_.write("swapped.csv", swapped);
        place_.write("fewer.csv", fewer);
        place_.write("more.csv", more);
        place_.write("others.csv", others);
        const auto evaluate = [&](const QString& what, const QString& data, const QStringList& sets = {}) {
            return place_.run(QStringList{"--evaluate", what, "--data", data} + sets);
        };
        const auto refused = evaluate("runs/named/single", "swapped.csv");
        VERIFY_CODE(refused, 2);
        VERIFY_HAS(refused.err,
                   "its columns have another order than the run's channels, which the model distinguishes: "
                   "\"temperature\", \"load\"; expected the run's channels: \"load\", \"temperature\"");
        VERIFY_HAS(evaluate("runs/named/single", "fewer.csv").err, "it lacks \"temperature\"");
        VERIFY_HAS(evaluate("runs/named/single", "more.csv").err,
                   "it has columns that the run did not have: \"wind\"");
        VERIFY_CODE(
            evaluate("runs/named/single", "more.csv", {"--set", "data.columns=[\"load\",\"temperature\"]"}),
            0);
        const auto renamed = evaluate("runs/named/single/best.safetensors", "others.csv");
        VERIFY_CODE(renamed, 0);
        VERIFY_HAS(renamed.err,
                   "warning: others.csv has other columns than the run had; the model is given \"a\", \"b\" "
                   "instead of \"load\", \"temperature\"");
        QFile::copy(place_.path("runs/named/single/best.safetensors"), place_.path("alone.safetensors"));
        VERIFY_HAS(evaluate("alone.safetensors", "series.csv").err,
                   "the names of the channels that alone.safetensors was trained on are not known");
        // Of native models, those with weights for each channel; others treat all channels alike.
        auto native = Finished::lines_of(experiment("named.py"));
        native.removeIf([](const auto& line) {
            return line == "[python]" || line.startsWith("file") || line.startsWith("interpreter");
        });
        place_.write("native.toml", native.join('\n').replace("\"python\"", "\"dlinear\""));
        for (const QString individual : {"true", "false"}) {
            const auto name = "native-" + individual;
            VERIFY_CODE(place_.run({"--batch", "native.toml", "--set", "dlinear.individual=" + individual,
                                    "--set", "name=" + name, "--set", "data.batching=multi-channel"}),
                        0);
            QCOMPARE(evaluate("runs/" + name + "/single", "swapped.csv").code, individual == "true" ? 2 : 0);
        }
        VERIFY_HAS(place_
                       .run({"--batch", "native.toml", "--set", "train.continue_from=runs/native-true/single",
                             "--set", "dlinear.individual=true", "--set", "name=forked", "--set",
                             "data.path=swapped.csv", "--set", "data.batching=multi-channel"})
                       .err,
                   "its columns have another order than the run's channels");
        place_.write("long.csv", series(100));
        VERIFY_HAS(evaluate("runs/named/single", "long.csv").err,
                   "this is a collection of series, and the run is on a table; expected a table");
    }

    void objects_get_whole_windows() {
        place_.write("long.csv", series(100));
        place_.write("short.csv", series(72));
        const QByteArray fit = "    def fit(self, x, y):\n        print('fitted', x.shape, y.shape)\n";
        const QByteArray steps = "    def fit_batch(self, x, y):\n        print('seen', len(x))\n";
        const QStringList data{"--set", "data.path=long.csv"}, shorter{"--set", "data.path=short.csv"};
        const auto fitted = run("fitted", object(fit), data);
        VERIFY_CODE(fitted, 0);
        VERIFY_HAS(fitted.err,
                   "fit() gets one window of each series, the last with all its future values: 1 of 3");
        VERIFY_HAS(place_.read("runs/fitted/single/log.txt"), "fitted (1, 48, 1) (1, 24, 1)");
        const auto none = run("none", object(fit), shorter);
        VERIFY_CODE(none, 1);
        VERIFY_HAS(none.err, "no training window has all its future values, and fit() gets only such");
        VERIFY_HAS(run("in-steps", object(steps), data).err,
                   "fit_batch() gets only windows whose future values are all there: ");
        const auto never = run("never", object(steps), shorter);
        QVERIFY(never.code != 0);
        VERIFY_HAS(never.err, "no training window has all its future values, and fit_batch() gets only such");
    }

    void losses_are_those_of_the_settings() {
        const auto model = object(
            "    def fit_batch(self, x, y):\n        e = abs(self.predict(x) - y).astype('f8')\n"
            "        s = abs(self.predict(x)) + abs(y)\n        print(f'train MSE {(e ** 2).mean():.5f},')\n"
            "        print(f'train MAE {e.mean():.5f},')\n"
            "        print(f'train sMAPE {(200 * e / s).mean():.5f},')\n");
        for (const QByteArray loss : {"mse", "mae", "smape"}) {
            const auto name = "loss-" + loss;
            VERIFY_CODE(run(name, model,
                            {"--set", "loss.forecast=" + loss, "--set", "train.batch_size=300", "--set",
                             "train.epochs=1"}),
                        0);
            const auto log = Finished::lines_of(place_.read("runs/" + name + "/single/log.txt"));
            QByteArray said;
            for (const auto& line : log)
                if (const auto at = line.indexOf("train "); at > 0 && line.contains("epoch 1"))
                    said = line.mid(at, line.indexOf(',', at) - at + 1);
            QVERIFY2(
                !said.isEmpty() && std::count_if(log.begin(), log.end(),
                                                 [&](const auto& line) { return line.endsWith(said); }) == 1,
                said);
        }
    }

    void forecasts_are_finite() {
        // The validation's are: a run without a number for its test has not finished.
        const auto r = run(
            "late",
            "import numpy\ncalls = []\nclass Model:\n    def predict(self, x):\n        calls.append(0)\n"
            "        out = x[:, -1:, :].repeat(24, 1)\n        out[0] *= numpy.nan if len(calls) > "
            "len(first) else 1\n        return out\nfirst = [0] * 4\ndef make(task):\n    return Model()\n");
        VERIFY_CODE(r, 1);
        VERIFY_HAS(r.err, "have values that are not finite");
        QCOMPARE(result("late", "state"), "failed");
    }

    void a_fit_is_kept() {
        // Its validation fails at first.
        const auto model =
            object("    def fit(self, x, y):\n        open('fits.txt', 'a').write('fit\\n')\n")
                .replace("        return x[",
                         "        assert os.path.exists('ready'), 'not yet'\n        return x[");
        const auto failed = run("kept", model);
        VERIFY_CODE(failed, 1);
        VERIFY_HAS(failed.err, "not yet");
        place_.write("ready", "");
        VERIFY_CODE(place_.run({"--batch", "kept.toml", "--resume"}), 0);
        QCOMPARE(result("kept", "state"), "finished");
        QCOMPARE(place_.read("fits.txt"), "fit\n");
    }

    void forks_fit_anew() {
        const auto model =
            object("    def fit(self, x, y):\n        open('forks.txt', 'a').write('fit\\n')\n")
                .replace("        return x[",
                         "        assert os.path.exists('go'), 'not yet'\n        return x[");
        VERIFY_CODE(run("parent", model), 1);
        place_.write("go", "");
        VERIFY_CODE(place_.run({"--batch", "parent.toml", "--set", "name=fork", "--set",
                                "train.continue_from=runs/parent/single", "--set", "python.options={a = 1}"}),
                    0);
        QCOMPARE(place_.read("forks.txt"), "fit\nfit\n");
    }

    void unread_options_are_named() {
        const auto r = run("options",
                           object({}, "task.options.net.depth; task.options.get('net'); return Model()")
                               .replace("        return x[",
                                        "        self.__dict__.get('o', {}).get('later')\n        return x["),
                           {"--set", "python.options={later = 1, depth = 2, net = {depth = 3, dpeth = 4}}"});
        VERIFY_CODE(r, 0);
        for (const char* name : {"dpeth", "later"})
            QCOMPARE(r.err.contains(QByteArray("does not read python.options.") +
                                    (*name == 'd' ? "net." : "") + name),
                     *name == 'd');
    }
};

TEST_MAIN_WITHOUT_GUI(TestPythonData)
#include "test_python_data.moc"

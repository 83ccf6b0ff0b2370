// Models that users write in Python (model.name = "python"), with the real program and a real Python with
// numpy.
#include <csignal>

#include <QtTest>

#include "batch_fixture.h"
#include "inspect/stored_embeddings.h"
#include "inspect/window_embeddings.h"
#include "model/trusted_files.h"
#include "python_fixture.h"
#include "store/run_file.h"
#include "store/run_store.h"
#include "test_program.h"
#include "verify_text.h"

using namespace casp;
using namespace casp::test;

namespace {

/// A linear layer, trained by gradient descent with momentum.
const QByteArray linear = R"(
import numpy
class Linear:
    def __init__(self, lookback, horizon, rate):
        self.rate = rate
        self.weight = numpy.full((horizon, lookback), 1 / lookback, 'f4')
        self.speed = numpy.zeros_like(self.weight)
    def predict(self, x):
        return (x.transpose(0, 2, 1) @ self.weight.T).transpose(0, 2, 1)
    def fit_batch(self, x, y):
        rows = x.transpose(0, 2, 1).reshape(-1, x.shape[1])
        error = rows @ self.weight.T - y.transpose(0, 2, 1).reshape(-1, y.shape[1])
        noise = 1 + 0.01 * numpy.random.normal()
        self.speed = 0.9 * self.speed - self.rate * noise * error.T @ rows / error.size
        self.weight = (self.weight + self.speed).astype('f4')
        return (error ** 2).mean()
    def state(self):
        return {'weight': self.weight, 'speed': self.speed.astype('f4')}
    def load(self, state):
        self.weight, self.speed = state['weight'], state['speed']
def make(task):
    print('channels', task.channel_names, 'every', task.frequency)
    return Linear(task.lookback, task.horizon, task.options.get('rate', 0.05))
)";

/// Least squares in one fit, kept as bytes.
const QByteArray least_squares = R"(
import pickle
import numpy
class Fit:
    def fit(self, x, y):
        self.seen = x.shape, y.shape
        rows = lambda a: numpy.ascontiguousarray(a.transpose(0, 2, 1)).reshape(-1, a.shape[1]).astype('f8')
        self.weight = numpy.linalg.solve(rows(x).T @ rows(x) + numpy.eye(x.shape[1]), rows(x).T @ rows(y))
    def predict(self, x):
        return (x.transpose(0, 2, 1) @ self.weight).transpose(0, 2, 1)
    def state(self):
        return pickle.dumps(self.__dict__)
    def load(self, state):
        self.__dict__.update(pickle.loads(state))
def make(task):
    import copy
    assert dict(task.options) == {**task.options} == dict(task.options.items()) == copy.deepcopy(task).options == {'a': 1}
    return Fit()
)";

/// A model that is only what predict() does; h: the horizon.
QByteArray forecasts(const QByteArray& predict, const QByteArray& before = {}) {
    return "import os, signal, sys, time\nimport numpy\n" + before +
           "\nclass Model:\n    def predict(self, x):\n        h = 24\n        last = x[:, -1:, :].repeat(h, "
           "1)\n        " +
           predict + "\ndef make(task):\n    return Model()\n";
}

const QByteArray last_value = forecasts("return last");

/// A torch module; `forward` returns [n, 24, M] of x [n, 48, M].
QByteArray module(const QByteArray& forward) {
    return "import torch\nclass Model(torch.nn.Module):\n    def __init__(self):\n        "
           "super().__init__()\n        self.linear = torch.nn.Linear(48, 24)\n        self.norm = "
           "torch.nn.BatchNorm1d(48)\n    def forward(self, x):\n        " +
           forward + "\ndef make(task):\n    return Model()\n";
}
const QByteArray through_linear = "return self.linear(x.transpose(1, 2)).transpose(1, 2)";

/// What is left of the programs that were started there: their home is in it.
QStringList left_of(const Workplace& place) {
    QStringList found;
    for (const auto& process : QDir("/proc").entryList({"[0-9]*"}, QDir::Dirs)) {
        QFile environment("/proc/" + process + "/environ");
        if (environment.open(QIODevice::ReadOnly) &&
            environment.readAll().contains(place.path("home").toUtf8()))
            found << process;
    }
    return found;
}

}  // namespace

class TestPythonModel : public QObject {
    Q_OBJECT

    const Workplace place_;

    /// The file as NAME.py, and NAME.toml.
    Finished run(const QByteArray& name, const QByteArray& model, const QStringList& more = {},
                 const QByteArray& settings = {}) const {
        return run_python(place_, name, model, more, settings);
    }
    QByteArray result(const QByteArray& name, const QByteArray& column) const {
        return result_of(place_, name, column);
    }

private Q_SLOTS:
    void initTestCase() {
        if (!python_has("numpy")) QSKIP("no Python with numpy (python3-numpy)");
        place_.write("series.csv", small_csv());
    }

    void trains_as_any_model() {
        const auto r = run("linear", linear);
        VERIFY_CODE(r, 0);
        QCOMPARE(result("linear", "model"), "linear");
        QCOMPARE(result("linear", "state"), "finished");
        QCOMPARE(result("linear", "steps"), "81");
        QVERIFY(result("linear", "test_mse").toDouble() <
                0.9 * result("linear", "last_value_mse").toDouble());
        QVERIFY(result("linear", "peak_memory").toLongLong() > 1 << 20);
        const QString folder = "runs/linear/single/";
        const auto tensors = tensors_of(place_.path(folder + "best.safetensors"));
        QCOMPARE(tensors.size(), 2);
        QCOMPARE(tensors.at("weight").size(), 4 * 24 * 48);
        QCOMPARE(place_.read(folder + "model.py"), linear);
        const auto about = nlohmann::json::parse(place_.read(folder + "python.json").toStdString());
        QVERIFY(about.at("packages").contains("numpy"));
        VERIFY_HAS(place_.read(folder + "config.toml"), about.at("sha256").get<std::string>().c_str());
        VERIFY_HAS(place_.read(folder + "log.txt"), "channels ['load', 'temperature'] every 1 hour");
        QVERIFY2(!r.err.contains("warning"), r.err);
        VERIFY_HAS(place_
                       .run({"--batch", "linear.toml", "--out", "rate", "--set", "train.learning_rate=0.1",
                             "--set", "train.max_steps=1"})
                       .err,
                   "train.learning_rate = 0.1 has no effect: the model of linear.py");
        // What was stopped in between has the same bits in the end.
        QProcess process;
        QVERIFY(place_.start(process,
                             {"--batch", "linear.toml", "--out", "again", "--log-format", "json", "--set",
                              "run.checkpoint_seconds=0"},
                             "\"event\":\"step\"", 20));
        kill(static_cast<pid_t>(process.processId()), SIGINT);
        QVERIFY(process.waitForFinished(60000));
        QCOMPARE(process.exitCode(), 130);
        const auto resumed = place_.run(
            {"--batch", "linear.toml", "--out", "again", "--resume", "--set", "run.checkpoint_seconds=0"});
        VERIFY_CODE(resumed, 0);
        VERIFY_HAS(resumed.err, "continuing after step");
        QVERIFY(tensors_of(place_.path("again/linear/single/best.safetensors")) == tensors);
        QVERIFY(!QFile::exists(place_.path("again/linear/single/last")));
    }

    void is_fitted_once() {
        const auto r = run("least_squares", least_squares,
                           {"--set", "python.label=Least squares", "--set", "python.options.a=1"});
        VERIFY_CODE(r, 0);
        QCOMPARE(result("least_squares", "model"), "Least squares");
        QVERIFY(QFile::exists(place_.path("runs/least_squares/single/best.state")));
        // The same number from the stored weights, also by the copy in the run's folder.
        const QStringList evaluate{"--evaluate", "runs/least_squares/single", "--data", "series.csv"};
        const auto error = QByteArray::number(result("least_squares", "test_mse").toDouble(), 'g', 4);
        VERIFY_HAS(place_.run(evaluate).out, error.constData());
        QFile::remove(place_.path("least_squares.py"));
        VERIFY_HAS(place_.run(evaluate).out, error.constData());
        const auto ahead = place_.run({"--forecast", "runs/least_squares/single", "--data", "series.csv"});
        VERIFY_CODE(ahead, 0);
        QCOMPARE(ahead.out_lines().size(), 25);
        // Bytes that are not the run's are not handed to the model.
        place_.write("runs/least_squares/single/best.state", "other bytes");
        const auto other = place_.run(evaluate);
        VERIFY_CODE(other, 2);
        VERIFY_HAS(other.err, "best.state");
    }

    void forecasts_without_training() {
        VERIFY_CODE(run("last", last_value), 0);
        QCOMPARE(result("last", "test_mse").toDouble(), result("last", "last_value_mse").toDouble());
        QCOMPARE(result("last", "steps"), "0");
    }

    void reads_options() {
        const auto r = run("options", linear, {}, "[sweep]\n\"python.options.rate\" = [0.01, 0.05]\n");
        VERIFY_CODE(r, 0);
        VERIFY_HAS(place_.read("runs/options/results.csv"), "python.options.rate");
        QVERIFY(QFile::exists(place_.path("runs/options/rate-0.01/best.safetensors")));
        const auto unread = run("unread", linear, {"--set", "python.options.rte=0.01"});
        VERIFY_CODE(unread, 0);
        VERIFY_HAS(unread.err, "unread.py does not read python.options.rte");
        place_.write("table.toml",
                     experiment("linear.py\"\noptions = { rate = 0.02, list = [3, 5], name = \"a")
                         .replace("name = \"a\"", "name = \"a\" }"));
        const auto printed = place_.run({"--print-config", "table.toml", "--set", "python.options.rate=0.5"});
        VERIFY_HAS(printed.out, "options = { list = [3.0, 5.0], name = \"a\", rate = 0.5 }");
    }

    void names_what_is_wrong_data() {
        QTest::addColumn<QByteArray>("model");
        QTest::addColumn<int>("code");
        QTest::addColumn<QByteArray>("said");
        const auto row = [](const char* name, const QByteArray& model, int code, const QByteArray& said) {
            QTest::newRow(name) << model << code << said;
        };
        row("syntax", "def make(task)\n    return 1\n", 2, "model.py, line 1: SyntaxError: expected ':'");
        row("no make", "x = 1\n", 2, "model.py: the file has no function make(task)");
        row("nothing", "def make(task):\n    pass\n", 2,
            "model.py: make(task) returned NoneType; expected a torch.nn.Module");
        row("package", "import no_such_package\n", 2,
            "model.py, line 1: ModuleNotFoundError: No module named 'no_such_package'");
        row("option", "def make(task):\n    return task.options.width\n", 2,
            "line 2: AttributeError: there is no option 'width'");
        row("raises", forecasts("return x / nothing"), 1,
            "model.py, line 8: NameError: name 'nothing' is not defined");
        row("shape", forecasts("return last[1:]"), 1, "expected (8, 24, 2) (windows, horizon, channels)");
        row("exit", forecasts("sys.exit(3)"), 1, "model.py, line 8: SystemExit: 3");
        row("killed", forecasts("os.kill(os.getpid(), signal.SIGKILL)"), 1,
            "model.py: its process was killed (signal 9)");
        row("crash", "import ctypes\n" + forecasts("ctypes.string_at(0)", "import ctypes"), 1,
            "its process was killed (signal 11)");
        row("not finite", forecasts("return last * numpy.nan"), 1,
            "forecasts of a batch have values that are not finite");
        row("hangs", forecasts("time.sleep(1000)"), 1, "model.py: no answer within 2 s");
        row("no state",
            "class M:\n    def fit(self, x, y): pass\n    def predict(self, x): pass\ndef make(task):\n    "
            "return M()\n",
            2, "has no state() and load(state)");
    }
    void names_what_is_wrong() {
        QFETCH(const QByteArray, model);
        QFETCH(const int, code);
        QFETCH(const QByteArray, said);
        QDir(place_.path("runs/model")).removeRecursively();
        const auto r = run("model", model, {"--set", "python.answer_seconds=2"});
        QVERIFY2(r.code == code && r.err.contains(said), (r.err + "\nlacks: " + said).constData());
        QCOMPARE(left_of(place_), QStringList());
        if (code == 1) VERIFY_HAS(place_.read("runs/model/single/log.txt"), "failed: ");
    }

    void names_dependence_data() {
        QTest::addColumn<QByteArray>("model");
        QTest::addColumn<QByteArray>("said");
        const QByteArray depends = "its forecasts depend on the other windows of a batch";
        const auto row = [](const char* name, const QByteArray& model, const QByteArray& said = {}) {
            QTest::newRow(name) << model << said;
        };
        row("over the batch", forecasts("return last - x.max(axis=(0, 1))"), depends);
        row("order", forecasts("return last + 0.01 * numpy.arange(len(x))[:, None, None]"), depends);
        row("statistics in use",
            forecasts("s.m = 0.5 * s.m + 0.5 * x[-1, -1, 0]; return last + s.m", "class s:\n    m = 0.0"),
            "its forecasts cannot be repeated");
        row("random", forecasts("return last + numpy.random.normal(size=last.shape)"),
            "its forecasts are random");
        row("sizes of batches", forecasts("assert len(x) != 7; return last"),
            "it does not forecast a batch of 7 windows");
        row("its own generator",
            forecasts("return last + g.normal(size=last.shape)", "g = numpy.random.default_rng(1)"),
            "its forecasts cannot be repeated");
        row("last", last_value);
        row("mean", forecasts("return 0 * last + x.mean(axis=1, keepdims=True)"));
        row("drift",
            forecasts("return last + (x[:, -1:] - x[:, :1]) / 47 * numpy.arange(1, h + 1)[:, None]"));
        row("season", forecasts("return x[:, -h:]"));
        row("median", forecasts("return 0 * last + numpy.median(x, axis=1, keepdims=True)"));
        row("normalised", forecasts("m, s = x.mean(1, keepdims=True), x.std(1, keepdims=True) + 1e-5; "
                                    "return numpy.tanh((last - m) / s) * s + m"));
        row("BatchNorm in training mode", module("self.norm.train(); x = self.norm(x); " + through_linear),
            depends);
        row("BatchNorm", module("x = self.norm(x); " + through_linear));
    }
    void names_dependence() {
        QFETCH(const QByteArray, model);
        QFETCH(const QByteArray, said);
        if (model.contains("torch") && !python_has("torch"))
            QSKIP("this Python has no torch (python3-torch)");
        QDir(place_.path("runs/model")).removeRecursively();
        const auto r = run("model", model);
        VERIFY_CODE(r, 0);
        QVERIFY2(said.isEmpty() ? !r.err.contains("warning") : r.err.contains(said), r.err);
    }

    void computes_in_bf16() {
        if (!python_has("torch")) QSKIP("this Python has no torch (python3-torch)");
        const auto r = run("half", module(through_linear), {"--set", "run.precision=bf16"});
        VERIFY_CODE(r, 0);
        const auto half = result("half", "test_mse").toDouble();
        VERIFY_CODE(run("whole", module(through_linear)), 0);
        const auto whole = result("whole", "test_mse").toDouble();
        QVERIFY(half != whole && std::abs(half - whole) < 0.02 * whole);
    }

    void embeds() {
        // The last value of each channel, as it forecasts it. Never trusted before.
        auto model = last_value + "# " + QByteArray::number(QDateTime::currentMSecsSinceEpoch());
        model.replace("def make",
                      "    def embed(self, x):\n        return x[:, -1:, :].transpose(0, 2, 1)\ndef make");
        VERIFY_CODE(run("embeds", model, {}, "store_embeddings = true\n"), 0);
        const store::RunFolder folder(place_.path("runs/embeds/single").toStdString());
        const auto stored = inspect::read_stored_embeddings(folder.path(), "test");
        QVERIFY(stored);
        const auto forecasts = store::read_forecast(folder.arrays_file(), "test");
        QVERIFY(stored->dimension == 1 && stored->rows == forecasts.windows * forecasts.channels);
        for (std::int64_t row = 0; row < stored->rows; ++row) {
            const auto window = row / forecasts.channels, channel = row % forecasts.channels;
            const auto first = window * forecasts.horizon * forecasts.channels + channel;
            QCOMPARE(stored->series[static_cast<std::size_t>(row)],
                     forecasts.prediction[static_cast<std::size_t>(first)]);
        }
        // Computed by an explicit command only, of a file that is trusted.
        inspect::EmbeddingRequest request;
        request.run = folder.path();
        request.split = "test";
        QVERIFY_THROWS_EXCEPTION(Error, (void)inspect::compute_embeddings(request));
        model::trust_run(store::read_settings(folder), folder.path());
        QCOMPARE(inspect::compute_embeddings(request).series, stored->series);

        // A fault of embed() costs the embeddings only.
        for (const QByteArray how : {"[:, -1]", "[:, -1:, :].transpose(0, 2, 1).repeat(len(x), 2)"}) {
            auto wrong = model;
            wrong.replace("[:, -1:, :].transpose(0, 2, 1)", how);
            QDir(place_.path("runs/wrong")).removeRecursively();
            const auto finished = run("wrong", wrong, {}, "store_embeddings = true\n");
            VERIFY_CODE(finished, 0);
            VERIFY_HAS(finished.err, "warning: ", "embed");
        }
        const auto r = run("embedless", last_value, {}, "store_embeddings = true\n");
        VERIFY_CODE(r, 2);
        VERIFY_HAS(r.err, "the model gives no embeddings");
    }

    void is_told_the_same_everywhere() {
        auto model = last_value;
        model.replace(
            "def make(task):",
            "def make(task):\n    assert task.channel_names == ['load', 'temperature'], task.channel_names\n"
            "    assert (task.targets, task.channels, task.frequency) == ([1], 2, '1 hour'), task\n");
        VERIFY_CODE(run("told", model, {"--set", "data.targets=[\"temperature\"]"}), 0);
        VERIFY_CODE(place_.run({"--evaluate", "runs/told/single", "--data", "series.csv"}), 0);
        VERIFY_CODE(place_.run({"--forecast", "runs/told/single", "--data", "series.csv"}), 0);
    }

    void is_ranked_beside_native_models() {
        place_.write("naive.py", last_value);
        place_.write("linear.py", linear);
        const auto r = run("ranked", least_squares, {"--set", "train.max_steps=20"},
                           "[[sweep.case]]\nlabel = \"fit\"\npython.options.a = 1\n"
                           "[[sweep.case]]\nlabel = \"zero-shot\"\npython.file = \"naive.py\"\n"
                           "[[sweep.case]]\nlabel = \"in steps\"\npython.file = \"linear.py\"\n"
                           "[[sweep.case]]\nlabel = \"native\"\nmodel.name = \"dlinear\"\n");
        VERIFY_CODE(r, 0);
        const auto ranks = place_.read("runs/ranked/ranks.md");
        for (const char* model : {"| ranked ", "| naive (Python) ", "| linear ", "| dlinear "})
            VERIFY_HAS(ranks, model);
        const auto tests = Finished::lines_of(place_.read("runs/ranked/comparisons.csv"));
        const auto windows = tests.value(0).split(',').indexOf("windows");
        QVERIFY(windows > 0 && tests.size() == 7);  // MSE and MAE of three pairs
        for (qsizetype i = 1; i < tests.size(); ++i)
            QVERIFY2(tests[i].split(',')[windows].toInt() > 0, tests[i]);
    }

    void says_what_cannot_be_repeated() {
        auto model = linear;
        model.replace("numpy.random.normal()", "self.random.normal()");
        model.replace("self.rate = rate", "self.rate = rate; self.random = numpy.random.default_rng(1)");
        const auto r = run("unrepeatable", model);
        VERIFY_CODE(r, 0);
        VERIFY_HAS(r.err, "two equal training steps gave different weights");
    }

    void says_what_its_state_lacks() {
        auto model = linear;
        model.replace("return (x.transpose", "return self.__dict__.get('shift', 0) + (x.transpose");
        model.replace("        noise =", "        self.shift = 0.5\n        noise =");
        const auto r = run("lacking", model);
        VERIFY_CODE(r, 0);
        VERIFY_HAS(r.err, "its stored state is not complete");
    }

    void notices_changed_modules() {
        place_.write("beside.py", "import deeper\n");
        place_.write("deeper.py", "shift = 0\n");
        const auto model = "import beside\n" + last_value;
        VERIFY_CODE(run("modules", model), 0);
        VERIFY_HAS(place_.read("runs/modules/single/python.json"), "deeper.py");
        // The run's folder keeps all that it needs.
        for (const char* file : {"modules.py", "beside.py", "deeper.py"})
            QVERIFY(QFile::remove(place_.path(file)));
        const auto kept = place_.run({"--evaluate", "runs/modules/single", "--data", "series.csv"});
        VERIFY_CODE(kept, 0);
        QVERIFY2(!kept.err.contains("warning"), kept.err);
        place_.write("beside.py", "import deeper\n");
        place_.write("deeper.py", "shift = 1\n");
        const auto r = run("modules", model);
        VERIFY_CODE(r, 2);
        VERIFY_HAS(r.err, "python.sha256 was");
    }

    void reads_text_as_python_does() {
        // A byte order mark, several statements in a line, a module that asks for its own text.
        place_.write("unit.py", "import inspect\nx = len(inspect.getsource(inspect.currentframe()))\n");
        VERIFY_CODE(run("marked", "\xEF\xBB\xBFimport unit; import os\n" + last_value), 0);
        const auto kept = nlohmann::json::parse(place_.read("runs/marked/single/python.json").toStdString());
        QVERIFY(kept.at("modules").contains("unit.py"));
        const auto r = run("latin", "# \xE9\n" + last_value);
        VERIFY_CODE(r, 2);
        VERIFY_HAS(r.err, "the file is not UTF-8");
    }

    void trains_what_was_planned() {
        // The file and a module beside it are edited while the first run of a batch trains.
        place_.write("helper.py", "x = 1\n");
        auto model = "import helper\n" + last_value;
        model +=
            "open('edited.py', 'a').write('# edited\\n')\nopen('helper.py', 'a').write('wrong = "
            "nothing\\n')\n";
        const auto r = run("edited", model, {}, "[sweep]\ntrain.seed = [1, 2]\n");
        VERIFY_CODE(r, 0);
        QCOMPARE(place_.read("runs/edited/seed-1/model.py"), model);
        QCOMPARE(place_.read("runs/edited/seed-2/model.py"), model);
        QVERIFY(place_.read("edited.py") != model);
    }

    void keeps_what_it_starts_within() {
        // Children that leave the session, and a flood of text.
        const auto r =
            run("wild", forecasts("print('x' * 200000, *range(20000), sep='\\n'); return last",
                                  "for i in range(5):\n    if os.fork() == 0:\n        os.setsid()\n"
                                  "        time.sleep(1000)\n        os._exit(0)"));
        VERIFY_CODE(r, 0);
        VERIFY_HAS(r.err, "wild.py printed 5000 lines; further ones are not kept");
        QCOMPARE(left_of(place_), QStringList());
    }

    void ends_at_once_when_cancelled() {
        place_.write("slow.py", forecasts("print('begins'); time.sleep(1000)"));
        place_.write("slow.toml", experiment("slow.py"));
        QProcess process;
        QVERIFY(place_.start(process, {"--batch", "slow.toml"}, "begins"));
        QElapsedTimer timer;
        timer.start();
        kill(static_cast<pid_t>(process.processId()), SIGINT);
        QVERIFY(process.waitForFinished(60000));
        QCOMPARE(process.exitCode(), 130);
        QCOMPARE(left_of(place_), QStringList());
        // Also where the program itself is killed.
        QProcess killed;
        QVERIFY(place_.start(killed, {"--batch", "slow.toml", "--out", "killed"}, "begins"));
        killed.kill();
        QVERIFY(killed.waitForFinished(60000));
        QTRY_COMPARE_WITH_TIMEOUT(left_of(place_), QStringList(), 60000);
    }

    void asks_before_code_from_elsewhere() {
        VERIFY_CODE(run("theirs", least_squares, {"--set", "python.options.a=1"}), 0);
        const QStringList evaluate{"--evaluate", "runs/theirs/single", "--data", "series.csv"};
        VERIFY_CODE(place_.run(evaluate), 0);
        QVERIFY(QFile::remove(place_.path("home/cache/caspstudio/trusted-models.txt")));
        const auto refused = place_.run(evaluate);
        VERIFY_CODE(refused, 2);
        VERIFY_HAS(refused.err, "Then add --trust-model.");
        VERIFY_CODE(place_.run(evaluate + QStringList{"--trust-model"}), 0);
        // A file that is trusted may do something else with other options.
        VERIFY_CODE(run("again", least_squares, {"--set", "python.options.a=1"}), 0);
        VERIFY_CODE(place_.run(evaluate), 0);
        auto settings = place_.read("runs/theirs/single/config.toml");
        QVERIFY(settings.contains("options = { a = 1 }"));
        place_.write("runs/theirs/single/config.toml", settings.replace("{ a = 1 }", "{ a = 2 }"));
        const auto other = place_.run(evaluate);
        VERIFY_CODE(other, 2);
        VERIFY_HAS(other.err, "Then add --trust-model.");
        VERIFY_HAS(place_.run({"--verify", "runs/theirs", "--repeat", "10"}).out,
                   "is executed by explicit commands only");
    }

    void refuses_a_changed_file() {
        VERIFY_CODE(run("changed", linear), 0);
        const auto r = run("changed", linear + "\n# another\n");
        VERIFY_CODE(r, 2);
        VERIFY_HAS(r.err, "python.sha256 was");
    }

    void trains_alone_data() {
        add_refusals(
            {{"processes",
              {"--batch", "linear.toml", "--set", "run.processes=2"},
              "a model in Python trains in one process"},
             {"together",
              {"--batch", "linear.toml", "--set", "run.together=2"},
              "are trained one after the other"},
             {"no file", {"--batch", "linear.toml", "--set", "python.file=missing.py"}, "missing.py"},
             {"interpreter",
              {"--batch", "linear.toml", "--out", "other", "--set", "python.interpreter=no-such-python"},
              "no-such-python"}});
    }
    void trains_alone() { verify_refusal(place_); }
};

TEST_MAIN_WITHOUT_GUI(TestPythonModel)
#include "test_python_model.moc"

// What a file manager passes to the program is opened as what it is: *Open with*, a double click on run.h5.

#include "window_fixture.h"

#include <QAbstractButton>
#include <QDockWidget>
#include <QIcon>
#include <QMessageBox>
#include <QProcess>

#include "config/experiment.h"
#include "gui/info_bar.h"
#include "library_fixture.h"
#include "panels/data/data_panel.h"
#include "panels/embeddings/embeddings_source.h"
#include "panels/view/model_question.h"
#include "state/embedding_set.h"
#include "state/run_data.h"
#include "store/atomic_file.h"
#include "util/digest.h"
#include "verify_text.h"

using namespace casp;

class TestOpenPaths : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void files_of_a_run_data() {
        QTest::addColumn<QString>("file");
        for (const char* file : {"", "/run.h5", "/arrays.h5", "/run.json"}) QTest::newRow(file) << file;
    }

    void files_of_a_run() {
        QFETCH(QString, file);
        const auto folder = place_.path("elsewhere/batch/run");
        test::write_run(folder.toStdString(), store::RunState::finished);
        if (!file.isEmpty() && !QFile::exists(folder + file)) {
            QFile empty(folder + file);
            QVERIFY(empty.open(QIODevice::WriteOnly));
        }
        auto window = place_.open();
        window->open_paths({folder + file});
        QCOMPARE(window->selection().state().runs, QStringList{folder});
        QCOMPARE(window->launcher().output_folder(), place_.path("elsewhere/batch"));
        QVERIFY(!window->dock("training")->visibleRegion().isEmpty());
    }

    void invalid_run_h5_is_not_opened_as_run() {
        auto window = place_.open();
        window->open_paths({place_.write("run.h5", "\x89HDF")});
        QVERIFY(window->selection().state().runs.isEmpty());
        auto* data = window->findChild<widgets::DataPanel*>();
        QTRY_VERIFY_WITH_TIMEOUT(data->is_settled(), 20000);
        QCOMPARE(window->launcher().output_folder(), place_.runs());
    }

    void experiments_and_files() {
        auto window = place_.open();
        window->open_paths({place_.write("e.toml", "[train]\nepochs = 7\n"), place_.csv()});
        QCOMPARE(window->experiment().config().train.epochs, 7);
        auto* data = window->findChild<widgets::DataPanel*>();
        QTRY_COMPARE(data->paths(), QStringList{place_.csv()});
        QTRY_VERIFY_WITH_TIMEOUT(data->is_settled(), 20000);
    }

    void a_model_in_python() {
        auto window = place_.open();
        const auto file =
            place_.write("mine.py", "def make(task):\n    return task.options.get('width', 64)\n");
        window->open_paths({file});
        const auto& config = window->experiment().config();
        QCOMPARE(config.model.name, "python");
        QCOMPARE(config.python.file, file.toStdString());
        QVERIFY(config.python.options == (config::OptionTable{{"width", std::int64_t{64}}}));
        window->experiment().undo_stack()->undo();
        QCOMPARE(config.model.name, "casp-llm");
    }

    void a_model_in_python_is_trained_and_shown() {
        const auto has_numpy = [](const QString& python) {
            QProcess process;
            process.start(python, {"-c", "import numpy"});
            return process.waitForFinished(60000) && process.exitCode() == 0;
        };
        const QString python = has_numpy("python3") ? "python3" : "/usr/bin/python3";
        if (!has_numpy(python)) QSKIP("no Python with numpy (python3-numpy)");
        auto window = place_.open();
        const auto file = place_.write("drift.py", R"(
import numpy
class Drift:
    def __init__(self, horizon):
        self.horizon, self.step = horizon, numpy.zeros(1, 'f4')
    def fit_batch(self, x, y):
        error = y[:, :1] - x[:, -1:] - self.step
        self.step = (self.step + 0.1 * error.mean()).astype('f4')
    def predict(self, x):
        return x[:, -1:] + self.step * numpy.arange(1, self.horizon + 1)[:, None].astype('f4')
    def embed(self, x):
        return numpy.stack([x.mean(1), x.std(1), x[:, -1]], 2)
    def state(self):
        return {'step': self.step}
    def load(self, state):
        self.step = state['step']
def make(task):
    return Drift(task.horizon)
)");
        auto config = place_.tiny(3);
        window->experiment().replace(config, {}, "tiny");
        window->open_paths({file});
        window->experiment().set("python.interpreter", python.toStdString());
        window->actions().find("run.start")->trigger();
        const auto folder = window->selection().state().runs.value(0);
        QVERIFY2(!folder.isEmpty(), qPrintable(window->info().text("error")));
        QVERIFY(test::wait_idle(*window));
        auto* run = window->library().data(folder);
        QTRY_VERIFY_WITH_TIMEOUT(run != nullptr && run->summary().row.state == store::RunState::finished,
                                 test::run_limit);
        QCOMPARE(run->summary().row.model, std::string("drift"));
        run->load();
        QTRY_VERIFY_WITH_TIMEOUT(run->is_loaded() && run->record().test, test::run_limit);
        QVERIFY(run->record().epochs.epoch.size() == 3);
        // Its embeddings, by the button that asks for them.
        window->dock("embeddings")->raise();
        auto* source = window->findChild<widgets::EmbeddingsSource*>();
        source->set_source(widgets::EmbeddingSource::checkpoint);
        QVERIFY(run->embeddings() == nullptr);
        source->compute();
        QTRY_VERIFY_WITH_TIMEOUT(run->embeddings() != nullptr, test::run_limit);
        QCOMPARE(run->embeddings()->values.dimension, 3);
        QVERIFY(run->embeddings()->values.rows > 0);
    }

    void code_from_elsewhere_is_asked_about() {
        const QByteArray code =
            "def make(task):\n    pass\n# " + QByteArray::number(QDateTime::currentMSecsSinceEpoch());
        const auto folder = place_.path("elsewhere/batch/theirs");
        QVERIFY(QDir().mkpath(folder));
        config::Config config;
        config.model.name = "python";
        config.python.file = "/gone/model.py";
        config.python.sha256 = sha256_of(code.toStdString());
        store::write_file_atomically((folder + "/config.toml").toStdString(), config::to_toml(config));
        store::write_file_atomically((folder + "/model.py").toStdString(), code.toStdString());
        QWidget parent;
        int calls = 0;
        const auto ask = [&] { widgets::with_trusted_model(&parent, folder, [&] { ++calls; }); };
        const auto box = [&] { return parent.findChild<QMessageBox*>("model-question"); };
        store::write_file_atomically((folder + "/python.json").toStdString(), "{\"modules\": {}}");
        ask();
        QVERIFY(box() != nullptr && calls == 0);
        QVERIFY(box()->detailedText().contains(code));
        box()->button(QMessageBox::Cancel)->click();
        QTRY_VERIFY(box() == nullptr);
        QCOMPARE(calls, 0);
        ask();
        for (auto* button : box()->buttons())
            if (box()->buttonRole(button) == QMessageBox::AcceptRole) button->click();
        QCOMPARE(calls, 1);
        QTRY_VERIFY(box() == nullptr);
        ask();  // remembered
        QCOMPARE(calls, 2);
        QVERIFY(box() == nullptr);
        // The same file does something else with other options, and in another interpreter.
        config.python.options = {{"estimator", std::string("os.system")}};
        store::write_file_atomically((folder + "/config.toml").toStdString(), config::to_toml(config));
        ask();
        QVERIFY(box() != nullptr && calls == 2);
        VERIFY_HAS(box()->detailedText(), "os.system");
    }

    /// A program in place of Python, which gets the name of the output as its last argument.
    void other_formats_are_converted() {
        const auto python = place_.write("python", {});
        QVERIFY(QFile::setPermissions(python, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
        const auto be = [&](const QByteArray& script) {
            (void)place_.write("python", "#!/bin/sh\nfor out; do :; done\n" + script + "\n");
        };
        auto window = place_.open();
        QVERIFY(
            window->experiment()
                .set_together(
                    {{"model.name", std::string("python")}, {"python.interpreter", python.toStdString()}}, {})
                .isEmpty());
        auto* data = window->findChild<widgets::DataPanel*>();
        auto& info = window->info();
        const auto file = place_.write("odd.parquet", QByteArray("PAR1\0\0", 6));
        const auto box = [&] { return window->findChild<QMessageBox*>("conversion-question"); };
        const auto answer = [&](QMessageBox::ButtonRole role) {
            window->open_paths({file});
            for (auto* button : box()->buttons())
                if (box()->buttonRole(button) == role) button->click();
            QTRY_VERIFY(box() == nullptr);
        };
        window->open_paths({file});
        QCOMPARE(box()->text(), "odd.parquet is a Parquet file.");
        QCOMPARE(box()->informativeText(), "Convert to odd.csv with " + python + "?");
        VERIFY_HAS(box()->detailedText(), "pandas.read_parquet");
        box()->button(QMessageBox::Cancel)->click();
        QTRY_VERIFY(box() == nullptr);

        be("printf 'failed\\na reason'; exit 1");
        answer(QMessageBox::AcceptRole);
        QTRY_VERIFY(info.text("error").contains("the conversion failed: a reason. Convert it with Python"));
        be("exec sleep 100");
        answer(QMessageBox::AcceptRole);
        QTRY_COMPARE(info.text("conversion"), "Converting with " + python + "…");
        for (auto* button : info.findChildren<QPushButton*>())
            if (button->text() == "Cancel") button->click();
        QTRY_VERIFY(!info.has("conversion"));
        QVERIFY(data->paths().isEmpty() && !QFile::exists(place_.path("odd.csv")));

        be("cp '" + place_.csv().toUtf8() + "' \"$out\"; printf 'pandas 2.1'");
        answer(QMessageBox::AcceptRole);
        QTRY_COMPARE(data->paths(), QStringList{place_.path("odd.csv")});
        VERIFY_HAS(info.text("note"), "odd.parquet was converted to odd.csv with pandas 2.1");
        QTRY_VERIFY_WITH_TIMEOUT(data->is_settled(), 20000);
    }

    void the_icon_has_all_sizes() {
        const auto icon = gui::application_icon();
        for (const int size : {16, 32, 48, 256}) {
            const auto image = icon.pixmap(size).toImage();
            QCOMPARE(image.width(), size);
            QCOMPARE(qAlpha(image.pixel(0, 0)), 0);
            QVERIFY(qAlpha(image.pixel(size / 2, size / 2)) == 255);
        }
    }

private:
    test::WindowPlace place_;
};

TEST_WINDOW(TestOpenPaths)
#include "test_open_paths.moc"

// The examples of resources/python/examples, with the real program and the packages that a Python has
// (CASP_PYTHON_EXAMPLES may name one).
#include "python_fixture.h"
#include "test_program.h"
#include "verify_text.h"

using namespace casp;
using namespace casp::test;

class TestPythonExamples : public QObject {
    Q_OBJECT

    const Workplace place_;

private Q_SLOTS:
    void initTestCase() {
        if (!python_has("numpy")) QSKIP("no Python with numpy (python3-numpy)");
        place_.write("series.csv", small_csv());
    }

    void examples_run_data() {
        QTest::addColumn<QByteArray>("package");
        QTest::addColumn<QByteArray>("options");
        QTest::addColumn<QByteArray>("prepare");  // Python, in the folder of the experiment
        const QByteArray none;
        QTest::newRow("scikit_learn") << QByteArray("sklearn") << QByteArray("alpha = 1\n") << none;
        QTest::newRow("stats_forecast")
            << QByteArray("statsforecast") << QByteArray("model = \"HistoricAverage\"\n") << none;
        QTest::newRow("time_series_library")
            << QByteArray("torch") << QByteArray("repository = \"library\"\nmodel = \"Tiny\"\nd_model = 8\n")
            << QByteArray(R"(
import os
os.makedirs('library/models', exist_ok=True)
os.makedirs('library/layers', exist_ok=True)
open('library/layers/Embed.py', 'w').write("""
import torch.nn as nn
class DataEmbedding(nn.Module):
    def __init__(self, c_in, d_model, embed_type='fixed', freq='h', dropout=0.1):
        super().__init__()
        self.value, self.time = nn.Linear(c_in, d_model), nn.Linear(4, d_model, bias=False)
    def forward(self, x, x_mark):
        return self.value(x) + self.time(x_mark)
""")
open('library/models/Tiny.py', 'w').write("""
import torch.nn as nn
from layers.Embed import DataEmbedding
class Model(nn.Module):
    def __init__(self, configs):
        super().__init__()
        self.task_name, self.pred_len = configs.task_name, configs.pred_len
        self.embedding = DataEmbedding(configs.dec_in, configs.d_model, configs.embed, configs.freq, configs.dropout)
        self.projection = nn.Linear(configs.d_model, configs.c_out)
    def forward(self, x_enc, x_mark_enc, x_dec, x_mark_dec, mask=None):
        assert x_mark_enc.shape[1] == x_enc.shape[1] and x_mark_dec.shape[1] == x_dec.shape[1]
        out = self.projection(self.embedding(x_dec, x_mark_dec)) + x_enc.mean(1, keepdim=True)
        return out[:, -self.pred_len:, :]
""")
)");
        QTest::newRow("chronos_zero_shot")
            << QByteArray("chronos") << QByteArray("weights = \"weights\"\n") << QByteArray(R"(
import torch
from transformers import T5Config
from chronos.chronos_bolt import ChronosBoltModelForForecasting
torch.manual_seed(1)
config = T5Config(d_model=16, d_kv=8, d_ff=32, num_layers=1, num_decoder_layers=1, num_heads=2, vocab_size=2,
                  is_encoder_decoder=True, feed_forward_proj='relu', decoder_start_token_id=0, pad_token_id=0)
config.chronos_config = dict(context_length=48, prediction_length=24, input_patch_size=8, input_patch_stride=8,
                             quantiles=[0.1, 0.5, 0.9], use_reg_token=True)
config.chronos_pipeline_class = 'ChronosBoltPipeline'
config.architectures = ['ChronosBoltModelForForecasting']
ChronosBoltModelForForecasting(config).save_pretrained('weights')
)");
    }
    void examples_run() {
        QFETCH(const QByteArray, package);
        QFETCH(const QByteArray, options);
        QFETCH(const QByteArray, prepare);
        const QByteArray name = QTest::currentDataTag();
        const auto python = qEnvironmentVariable("CASP_PYTHON_EXAMPLES", qEnvironmentVariable("CASP_PYTHON"));
        const auto run_python = [&](const QByteArray& code) {
            QProcess process;
            process.setWorkingDirectory(place_.path("."));
            process.start(python, {"-c", code});
            process.waitForFinished(300000);
            return process.exitCode() == 0 ? QByteArray() : process.readAllStandardError() + "failed";
        };
        if (!run_python("import " + package).isEmpty()) QSKIP("the package is not in this Python");
        QCOMPARE(run_python(prepare), QByteArray());
        QFile example(CASP_SOURCE_DIR "/resources/python/examples/" + name + ".py");
        QVERIFY(example.open(QIODevice::ReadOnly));
        const auto text = example.readAll();
        QVERIFY(text.count('\n') < 60);
        place_.write(name + ".py", text);
        auto settings = experiment(name + ".py", "[python.options]\n" + options);
        settings.replace(qgetenv("CASP_PYTHON"), python.toUtf8());
        place_.write(name + ".toml", settings);
        const auto r = place_.run({"--batch", name + ".toml", "--set", "train.epochs=1"});
        VERIFY_CODE(r, 0);
        const auto other_code = r.err.count("warning: imported, but not by an import statement");
        QCOMPARE(other_code, name == "time_series_library" ? 1 : 0);
        QVERIFY2(r.err.count("warning") == other_code, r.err);
        QVERIFY(result_of(place_, name, "test_mse").toDouble() > 0);
    }

    /// A model of the Time-Series-Library's way of writing them and a zero-shot package, of examples_run().
    void examples_are_ranked() {
        if (result_of(place_, "time_series_library", "state").isEmpty() ||
            result_of(place_, "chronos_zero_shot", "state").isEmpty())
            QSKIP("torch and chronos are not in this Python (CASP_PYTHON_EXAMPLES)");
        auto settings = experiment("time_series_library.py",
                                   "[[sweep.case]]\nlabel = \"library\"\npython.options.model = \"Tiny\"\n"
                                   "python.options.repository = \"library\"\n"
                                   "[[sweep.case]]\nlabel = \"zero-shot\"\npython.file = "
                                   "\"chronos_zero_shot.py\"\npython.options.weights = \"weights\"\n"
                                   "[[sweep.case]]\nlabel = \"native\"\nmodel.name = \"dlinear\"\n");
        settings.replace(qgetenv("CASP_PYTHON"), qgetenv("CASP_PYTHON_EXAMPLES"));
        place_.write("beside.toml", settings);
        VERIFY_CODE(place_.run({"--batch", "beside.toml", "--set", "train.epochs=1"}), 0);
        const auto ranks = place_.read("runs/beside/ranks.md");
        for (const char* model : {"| time_series_library ", "| chronos_zero_shot ", "| dlinear "})
            VERIFY_HAS(ranks, model);
        for (const char* label : {",zero-shot,", ",native,"})
            VERIFY_HAS(place_.read("runs/beside/comparisons.csv"), label);
    }
};

TEST_MAIN_WITHOUT_GUI(TestPythonExamples)
#include "test_python_examples.moc"

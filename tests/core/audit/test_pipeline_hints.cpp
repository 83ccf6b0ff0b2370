// Seeds, selection on the test split and dropped batches in scripts and logs, as public code has them.
#include <QTemporaryDir>
#include <QtTest>

#include "audit/pipeline_hints.h"
#include "core/audit/npy_writer.h"
#include "test_program.h"

using namespace casp;
namespace fs = std::filesystem;

namespace {

/// "3: the fixed seed 2021; 7: …"
std::string found(const std::string& name, const std::string& text) {
    std::string all;
    for (const auto& hint : audit::hints_in(name, text))
        all += (all.empty() ? "" : "; ") + std::to_string(hint.line) + ": " + hint.what;
    return all;
}

}  // namespace

class TestPipelineHints : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void lines_data() {
        QTest::addColumn<QByteArray>("file");
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("expected");
        const auto row = [](const char* name, const char* file, const char* text, const char* expected = "") {
            QTest::newRow(name) << QByteArray(file) << QByteArray(text) << QByteArray(expected);
        };
        row("fix_seed", "run.py", "import random\nfix_seed = 2021\nrandom.seed(fix_seed)\n",
            "2: the fixed seed 2021");
        row("manual_seed", "run.py", "torch.manual_seed( 7 )", "1: the fixed seed 7");
        row("default", "run.py",
            "parser.add_argument('--random_seed', type=int, default=2021, help='random seed')",
            "1: the default seed 2021");
        row("no default", "run.py", "parser.add_argument('--seed', type=int)");
        row("shell", "a.sh", "python run.py --model DLinear \\\n  --seed 2021 \\\n",
            "2: the fixed seed 2021");
        row("several seeds", "a.sh", "for seed in 2021 2022\ndo\n  python run.py --seed $seed\ndone\n");
        row("derived seed", "run.py", "seed = 2021 + i\nseeds = [1, 2]\nif seed == 3:\n");
        row("json", "args.json", "{\n \"random_seed\": 2023,\n \"epochs\": 10\n}", "2: the fixed seed 2023");
        row("log", "a.log", "Namespace(is_training=1, random_seed=2021, lr=0.1)", "1: the fixed seed 2021");
        row("comments", "run.py", "# fix_seed = 2021\n   # drop_last = True\n");
        row("another word", "run.py", "linseed = 4\nproceed(5)\nseed = 0.5\n");

        row("stopping", "exp.py",
            "early_stopping(vali_loss, self.model, path)\nearly_stopping(test_loss, self.model, path)",
            "2: early stopping on the test split");
        row("its construction", "exp.py", "early_stopping = EarlyStopping(patience=test_patience)");
        row("validation loss", "exp.py",
            "vali_loss = self.vali(vali_data, vali_loader, criterion)\n"
            "test_loss = self.vali(test_data, test_loader, criterion)\n"
            "vali_loss = self.vali(test_data, test_loader, criterion)\n",
            "3: validation on the test split");
        row("validation loader", "exp.py",
            "test_data, test_loader = self._get_data(flag='test')\n"
            "vali_data, vali_loader = self._get_data(flag = 'test')\n",
            "2: validation on the test split");
        row("choice", "exp.py", "best_test_loss = 1e9\nif test_loss < best_test_loss:\n",
            "2: a choice by the test error");
        row("best test", "train.log",
            "Epoch: 3, Vali Loss: 0.4 Test Loss: 0.3\nBest test MSE: 0.3012 (epoch 7)",
            "2: a best test result");

        row("branch", "data_factory.py",
            "    if flag == 'test':\n        shuffle_flag = False\n        drop_last = True\n    else:\n"
            "        drop_last = True\n",
            "3: a dropped last test batch");
        row("other branch", "data_factory.py",
            "    if flag != 'test':\n        drop_last = True\n    elif flag == 'val':\n        drop_last = "
            "True\n");
        row("all", "data_factory.py", "drop_last = True\nloader = DataLoader(data_set, drop_last=True)\n");
        row("call", "exp.py",
            "test_loader = DataLoader(test_set, batch_size=32, drop_last=True)\n"
            "train_loader = DataLoader(train_set, drop_last=True)\n",
            "1: a dropped last test batch");
        row("long call", "exp.py", "test_loader = DataLoader(\n    test_set,\n    drop_last=True,\n)\n",
            "3: a dropped last test batch");
        row("condition", "exp.py",
            "drop_last = True if flag == 'test' else False\n"
            "drop_last = False if flag == 'test' else True\n",
            "1: a dropped last test batch");
    }
    void lines() {
        QFETCH(QByteArray, file);
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, expected);
        QCOMPARE(QByteArray::fromStdString(found(file.toStdString(), text.toStdString())), expected);
    }

    void files_searched_for_hints() {
        const QTemporaryDir dir;
        const fs::path repository = dir.filePath("repository").toStdString();
        const auto arrays = repository / "results" / "setting";
        const auto write = test::write_bytes;
        write(arrays / "pred.npy", "x");
        write(arrays / "args.json", "{\"seed\": 1}");
        write(arrays / "below" / "deep.py", "seed = 99");  // of the repository, not of the arrays
        write(repository / "results" / "result.txt", "best test mse: 0.3");
        write(repository / "exp" / "a" / "b" / "exp_main.py", "early_stopping(test_loss, model)");
        write(repository / "exp" / "a" / "b" / "c" / "deeper.py", "early_stopping(test_loss, model)");
        write(repository / ".hidden" / "x.py", "seed = 98");
        write(repository / "model.bin", "seed = 97");
        write(fs::path(dir.path().toStdString()) / "outside.py", "seed = 96");
        fs::create_symlink(fs::path(dir.path().toStdString()) / "outside.py", repository / "linked.py");
        write(repository / "large.txt", std::string(5 << 20, ' ') + "\nseed = 95\n");
        const auto names = [&](const fs::path& from) {
            std::string text;
            for (const auto& hint : audit::pipeline_hints(from))
                text += hint.file.string() + ":" + std::to_string(hint.line) + " " + hint.text + "\n";
            return text;
        };
        const std::string beside = "args.json:1 {\"seed\": 1}\n../result.txt:1 best test mse: 0.3\n";
        QCOMPARE(names(arrays), beside);  // not a repository yet
        write(repository / "run.py", "fix_seed = 2021\n");
        const auto all = beside +
                         "../../run.py:1 fix_seed = 2021\n"
                         "../../exp/a/b/exp_main.py:1 early_stopping(test_loss, model)\n"
                         "below/deep.py:1 seed = 99\n";
        QCOMPARE(names(arrays), all);
        QCOMPARE(names(arrays / "pred.npy"), all);
        // Five of a kind.
        for (int i = 0; i < 9; ++i) write(arrays / (std::to_string(i) + ".py"), "seed = 1");
        const auto many = names(arrays);
        QCOMPARE(std::count(many.begin(), many.end(), '\n'), 5 + 2);
    }

    void text_that_could_disturb_a_terminal() {
        const auto hints = audit::hints_in("a.log", "seed: 5 \x1b[2J" + std::string(300, 'x'));
        QCOMPARE(hints.size(), std::size_t{1});
        QVERIFY(hints[0].text.find('\x1b') == std::string::npos && hints[0].text.size() < 170);
    }
};

TEST_MAIN_WITHOUT_GUI(TestPipelineHints)
#include "test_pipeline_hints.moc"

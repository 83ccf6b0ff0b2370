// The dialog "Submit…": fields, script, problems, with and without sbatch. A real Slurm is in
// tests/batch/slurm.py; here sbatch is a script that prints a job's number.

#include <filesystem>
#include <fstream>

#include <QLineEdit>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>

#include "panels/experiment/option_editor.h"
#include "panels/submit/submit_dialog.h"
#include "store/atomic_file.h"
#include "test_program.h"

using namespace casp;
using widgets::SubmitDialog;
namespace fs = std::filesystem;

class TestSubmitDialog : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    const QByteArray path_ = qgetenv("PATH");

    config::Experiment experiment() {
        return config::load_text(
            "name = \"small\"\n[data]\npath = \"" CASP_SOURCE_DIR
            "/datasets/sample.csv\"\nsplit = [400, 160, 160]\nlookback = 64\nhorizon = 16\n"
            "[model]\nname = \"dlinear\"\n[sweep]\n\"train.seed\" = [1, 2, 3]\n",
            "form", {});
    }
    [[nodiscard]] QString out() const { return folder_.path() + "/runs"; }
    static bool settle(SubmitDialog& dialog) {
        return QTest::qWaitFor([&] { return dialog.is_settled(); }, 30000);
    }
    static void type(SubmitDialog& dialog, const QString& member, const QString& text) {
        auto* field = dialog.editor(member)->findChild<QLineEdit*>();
        QVERIFY(field != nullptr);
        field->selectAll();
        QTest::keyClicks(field, text);
    }
    /// An sbatch that does this.
    void make_sbatch(const std::string& commands) {
        const auto program = fs::path(folder_.path().toStdString()) / "bin" / "sbatch";
        fs::create_directories(program.parent_path());
        std::ofstream(program) << "#!/bin/sh\n" << commands;
        fs::permissions(program, fs::perms::owner_all);
        qputenv("PATH", (folder_.path() + "/bin:").toUtf8() + path_);
    }

private Q_SLOTS:
    void cleanup() {
        qputenv("PATH", path_);
        fs::remove_all(folder_.path().toStdString() + "/runs");
    }

    void script_follows_the_fields() {
        make_sbatch("echo 4711\n");
        config::SchedulerSettings settings;
        settings.partition = "gpu";
        SubmitDialog dialog(experiment(), out(), settings);
        dialog.show();
        QVERIFY(settle(dialog));
        QVERIFY2(dialog.script().contains("#SBATCH --partition=gpu\n"), qPrintable(dialog.script()));
        QVERIFY(dialog.script().contains("#SBATCH --array=1-3\n"));
        QVERIFY2(dialog.summary().contains("3 of 3 runs are unfinished"), qPrintable(dialog.summary()));
        type(dialog, "time", "1-12:00:00");
        QVERIFY(!dialog.submit_button()->isEnabled());
        QVERIFY(settle(dialog));
        QVERIFY(dialog.submit_button()->isEnabled());
        QVERIFY(dialog.script().contains("#SBATCH --time=1-12:00:00\n"));
        QCOMPARE(dialog.settings().time, std::string("1-12:00:00"));
        auto* gpus = dialog.editor("gpus")->findChild<QLineEdit*>();
        QCOMPARE(gpus->text(), QStringLiteral("auto"));
        type(dialog, "gpus", "0");
        QCOMPARE(dialog.settings().gpus, std::int64_t{0});
        QTest::keyClick(gpus, Qt::Key_Down);
        QCOMPARE(gpus->text(), QStringLiteral("auto"));
        QCOMPARE(dialog.settings().gpus, std::int64_t{-1});
        QVERIFY(!fs::exists(out().toStdString()));
    }

    void problems() {
        make_sbatch("echo 4711\n");
        SubmitDialog dialog(experiment(), out(), {});
        dialog.show();
        QVERIFY(settle(dialog));
        type(dialog, "memory", "lots");
        QVERIFY(settle(dialog));
        QVERIFY2(dialog.summary().startsWith("⚠ Memory: "), qPrintable(dialog.summary()));
        auto* field = dialog.editor("memory")->findChild<QLineEdit*>();
        const auto marked = field->palette().color(QPalette::Text);
        QVERIFY(marked != dialog.palette().color(QPalette::Text));
        QVERIFY(field->accessibleDescription().contains("Problem: "));
        QVERIFY(!dialog.submit_button()->isEnabled() && !dialog.save_button()->isEnabled());
        type(dialog, "memory", "3G");
        QVERIFY(settle(dialog));
        QVERIFY(dialog.submit_button()->isEnabled());
        QVERIFY(field->palette().color(QPalette::Text) != marked);
        QVERIFY(!dialog.summary().startsWith("⚠"));
        auto missing = experiment();
        missing.base.data.path = "/no/such.csv";
        missing.given.push_back({"data.path", missing.base.data.path, "form"});
        SubmitDialog without_data(missing, out(), {});
        QVERIFY(settle(without_data));
        QVERIFY2(without_data.summary().contains("/no/such.csv"), qPrintable(without_data.summary()));
        QVERIFY(!without_data.submit_button()->isEnabled());
    }

    void submits() {
        make_sbatch("echo \"$@\" >" + folder_.path().toStdString() + "/arguments\necho '4711;cluster'\n");
        SubmitDialog dialog(experiment(), out(), {});
        dialog.show();
        QVERIFY(settle(dialog));
        QSignalSpy submitted(&dialog, &SubmitDialog::submitted);
        QTest::mouseClick(dialog.submit_button(), Qt::LeftButton);
        QVERIFY(submitted.wait(30000));
        QCOMPARE(submitted.front().at(0).toString(), QStringLiteral("4711"));
        QCOMPARE(submitted.front().at(1).toString(), out() + "/small");
        const fs::path batch = (out() + "/small").toStdString();
        QCOMPARE(store::read_small_file(folder_.path().toStdString() + "/arguments"),
                 "--parsable " + (batch / "submit.slurm").string() + "\n");
        QCOMPARE(QString::fromStdString(store::read_small_file(batch / "submit.slurm")), dialog.script());
        QCOMPARE(config::expand(config::load(batch / "submit.toml")).size(), std::size_t{3});
        QCOMPARE(cluster::jobs_of(batch), std::string("4711"));
        QVERIFY(!dialog.isVisible());
    }

    void sbatch_errors_are_shown() {
        make_sbatch("echo 'sbatch: error: Batch job submission failed: Invalid account' >&2\nexit 1\n");
        SubmitDialog dialog(experiment(), out(), {});
        dialog.show();
        QVERIFY(settle(dialog));
        dialog.submit_button()->click();
        QVERIFY(QTest::qWaitFor([&] { return dialog.summary().contains("Invalid account"); }, 30000));
        QVERIFY(dialog.isVisible());
        // Again, after the account was added on the cluster.
        make_sbatch("echo 4711\n");
        QVERIFY(dialog.submit_button()->isEnabled());
        QSignalSpy submitted(&dialog, &SubmitDialog::submitted);
        dialog.submit_button()->click();
        QVERIFY(submitted.wait(30000));
    }

    void without_slurm() {
        qputenv("PATH", folder_.path().toUtf8());
        SubmitDialog dialog(experiment(), out(), {});
        dialog.show();
        QVERIFY(settle(dialog));
        QVERIFY(!dialog.submit_button()->isEnabled());
        QVERIFY2(dialog.summary().contains("sbatch is not on this machine"), qPrintable(dialog.summary()));
        QSignalSpy saved(&dialog, &SubmitDialog::saved);
        dialog.save_button()->click();
        QVERIFY(saved.wait(30000));
        QVERIFY(fs::exists((out() + "/small/submit.slurm").toStdString()));
    }
};

TEST_MAIN(TestSubmitDialog)
#include "test_submit_dialog.moc"

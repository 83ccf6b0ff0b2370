// Runs made from one experiment: values of a sweep as they are typed, the sweep editor, and the fork of a
// run.

#include <array>

#include <QComboBox>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QUndoStack>

#include "config/experiment.h"
#include "experiment_fixture.h"
#include "panels/experiment/fork_popover.h"
#include "panels/experiment/sweep_editor.h"
#include "panels/experiment/sweep_values.h"
#include "panels/experiment/toml_view.h"
#include "test_program.h"

using namespace casp;
using namespace casp::widgets;
using test::some_preview;

class TestSweepAndFork : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { model_ = std::make_unique<ExperimentModel>(); }
    void cleanup() { model_.reset(); }
    void sweep_values_data() {
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("typed");
        QTest::addColumn<QString>("values");
        QTest::addColumn<QString>("problem");
        using Row = std::array<const char*, 5>;
        for (const auto& [name, key, typed, values, problem] :
             {Row{"list", "loss.lambda_cov", "0, 0.05, 1e-3", "0|0.05|1e-3", ""},
              Row{"comma at the end", "loss.lambda_cov", "0, 0.05,", "0|0.05", ""},
              Row{"nothing", "loss.lambda_cov", " ", "", ""},
              Row{"linear", "loss.lambda_cov", "0:0.5:6", "0|0.1|0.2|0.3|0.4|0.5", ""},
              Row{"down", "loss.lambda_cov", "1:0:3", "1|0.5|0", ""},
              Row{"log", "loss.lambda_cov", "0, 0.001:1:4 log", "0|0.001|0.01|0.1|1", ""},
              Row{"log before", "loss.lambda_cov", "log 0.001:1:7",
                  "0.001|0.003162|0.01|0.03162|0.1|0.3162|1", ""},
              Row{"seeds", "train.seed", "2021:2025:5", "2021|2022|2023|2024|2025", ""},
              Row{"powers", "train.batch_size", "8:64:4 log", "8|16|32|64", ""},
              Row{"words", "train.schedule", "constant, halving", "constant|halving", ""},
              Row{"path with colon", "data.path", "catalog:ETTh1, \"/a, b.csv\"", "catalog:ETTh1|/a, b.csv",
                  ""},
              Row{"lists", "data.split", "ratio, [0.7, 0.1, 0.2], [\"2018-01-01\", \"2018-07-01\"]",
                  "ratio|[0.7, 0.1, 0.2]|[\"2018-01-01\", \"2018-07-01\"]", ""},
              Row{"names", "data.targets", "[], [\"OT\", \"a, ]b\"]", "[]|[\"OT\", \"a, ]b\"]", ""},
              Row{"booleans", "model.prompt", "on, false", "true|false", ""},
              Row{"halves of seeds", "train.seed", "1:2:3", "", "gives 1.5"},
              Row{"log of zero", "loss.lambda_cov", "0:1:5 log", "", "above 0"},
              Row{"one value", "loss.lambda_cov", "0:1:1", "", "expected 2 to 10000"},
              Row{"no count", "loss.lambda_cov", "0:1", "", "START:STOP:COUNT"},
              Row{"letters", "loss.lambda_cov", "0, x", "", "“x” is not a number"},
              Row{"out of range", "loss.lambda_cov", "-1:1:3", "", "-1 is out of range"},
              Row{"neither", "model.prompt", "maybe", "", "is not on or off"}})
            QTest::newRow(name) << key << typed << values << problem;
    }

    void sweep_values() {
        QFETCH(QString, key);
        QFETCH(QString, typed);
        QFETCH(QString, values);
        QFETCH(QString, problem);
        const auto parsed = parse_sweep(*config::find_option(key.toStdString()), typed);
        QCOMPARE(parsed.values.join('|'), values);
        if (problem.isEmpty())
            QCOMPARE(parsed.problem, QString());
        else
            QVERIFY2(parsed.problem.contains(problem), qPrintable(parsed.problem));
    }

    void sweep_editor_matches_expand() {
        model_->set("data.path", std::string("/x.csv"));
        model_->set("train.epochs", std::int64_t{2});
        SweepEditor editor(*model_);
        editor.set_preview_function(some_preview);
        editor.show();
        QCOMPARE(editor.row_count(), 2);
        QCOMPARE(editor.key_box(0)->currentData().toString(), QString("loss.lambda_cov"));
        QCOMPARE(editor.key_box(1)->currentData().toString(), QString("train.seed"));
        QTRY_VERIFY(!editor.is_pending());
        QVERIFY(!editor.queue_button()->isEnabled());
        QCOMPARE(editor.run_names(), QStringList());  // the one run of the form is no sweep
        QVERIFY(editor.summary().contains("No values yet"));
        QTest::keyClicks(editor.values_field(0), "0.05");
        QTRY_COMPARE(editor.queue_button()->text(), QString("Queue 1 run"));
        editor.values_field(0)->selectAll();
        QTest::keyClicks(editor.values_field(0), "0, 0.05, 0.1");
        QTest::keyClicks(editor.values_field(1), "2021:2022:2");
        editor.add_row("train.schedule");
        QTest::keyClicks(editor.values_field(2), "constant,halving");
        QTRY_VERIFY(!editor.is_pending());
        QStringList wanted;
        for (const auto& run : config::expand(model_->experiment()))
            wanted.append(QString::fromStdString(run.name));
        QCOMPARE(wanted.size(), 12);
        QCOMPARE(editor.run_names(), wanted);
        QCOMPARE(wanted.front(), QString("lambda_cov-0_seed-2021_schedule-constant"));
        // 12 runs of 2 epochs of 30 s.
        QCOMPARE(editor.summary(), QString("12 runs, about 12 min in all"));
        QVERIFY(editor.queue_button()->isEnabled());
        QCOMPARE(editor.queue_button()->text(), QString("Queue 12 runs"));
        config::Experiment queued;
        connect(&editor, &SweepEditor::queue_requested, this,
                [&](const config::Experiment& experiment) { queued = experiment; });
        editor.queue_button()->click();
        QCOMPARE(config::expand(queued).size(), std::size_t{12});
        // A swept setting that contradicts others in some run is told before anything is queued.
        editor.add_row("model.top_k");
        QTest::keyClicks(editor.values_field(3), "4, 4000");
        QTRY_VERIFY(editor.summary().contains("cannot run yet"));
        QVERIFY(editor.queue_button()->toolTip().contains("model.pool_size"));
        QVERIFY(!editor.queue_button()->isEnabled());
    }

    void one_click_contrasts_lambda_cov() {
        model_->set("data.path", std::string("/x.csv"));
        model_->set("loss.lambda_cov", 0.3);
        SweepEditor editor(*model_);
        editor.set_preview_function(some_preview);
        editor.show();
        QVERIFY(editor.contrast_button()->isVisible());
        QCOMPARE(editor.contrast_button()->text(), QString("λ_cov 0 against 0.3, three seeds"));
        editor.contrast_button()->click();
        QCOMPARE(editor.values_field(0)->text(), QString("0, 0.3"));
        QCOMPARE(editor.values_field(1)->text(), QString("2021, 2022, 2023"));
        QTRY_COMPARE(editor.queue_button()->text(), QString("Queue 6 runs"));
        QVERIFY(!editor.contrast_button()->isVisible());
        model_->set_axis("loss.lambda_cov", {});
        model_->set_axis("train.seed", {});
        model_->set("loss.lambda_cov", 0.0);
        QCOMPARE(editor.contrast_button()->text(), QString("λ_cov 0 against 0.1, three seeds"));
        model_->set("model.name", std::string("dlinear"));
        QVERIFY(!editor.contrast_button()->isVisible());
    }

    /// A sweep in which no run has windows is not queued; of one in which some have none, that is said.
    void runs_without_windows() {
        model_->set("data.path", std::string("/x.csv"));
        SweepEditor editor(*model_);
        editor.set_preview_function([](const config::Config& config, const std::stop_token&) {
            ExperimentPreview preview;
            preview.no_run = config.data.horizon > 100;
            if (preview.no_run) preview.problem = "no window fits";
            return preview;
        });
        editor.add_row("data.horizon");
        QTest::keyClicks(editor.values_field(2), "200, 300");
        QTRY_VERIFY2(editor.summary().contains("cannot run yet"), qPrintable(editor.summary()));
        QVERIFY(!editor.queue_button()->isEnabled());
        QVERIFY2(editor.queue_button()->toolTip().contains("horizon-200: no window fits"),
                 qPrintable(editor.queue_button()->toolTip()));
        editor.values_field(2)->selectAll();
        QTest::keyClicks(editor.values_field(2), "96, 300");
        QTRY_VERIFY(editor.queue_button()->isEnabled());
        bool said = false;
        for (const auto* label : editor.findChildren<QLabel*>())
            said |= label->text().contains("Some runs would fail. horizon-300: no window fits");
        QVERIFY(said);
    }

    void cases_are_edited_as_text() {
        model_->set("data.path", std::string("/x.csv"));
        SweepEditor editor(*model_);
        TomlView text(*model_);
        text.edit_cases();  // adds an example
        QVERIFY(text.apply());
        QTRY_COMPARE(editor.queue_button()->text(), QString("Queue 1 run"));
        QCOMPARE(editor.cases(), QString("without coverage: loss.lambda_cov = 0.0"));
        text.edit_cases();
        text.text_edit()->appendPlainText("[[sweep.case]]\nlabel = \"rows\"\ndata.split = [100, 20, 20]\n");
        QVERIFY(text.apply());
        QTest::keyClicks(editor.values_field(1), "1, 2");
        QTRY_COMPARE(editor.run_names(), (QStringList{"seed-1_case-without-coverage", "seed-1_case-rows",
                                                      "seed-2_case-without-coverage", "seed-2_case-rows"}));
        ExperimentModel restored;
        QVERIFY(restored.restore_state(model_->save_state()));
        QCOMPARE(restored.to_toml(), model_->to_toml());
        // A key that is also swept, and equal labels.
        QTest::keyClicks(editor.values_field(0), "0, 0.5");
        QTRY_VERIFY(editor.queue_button()->toolTip().contains("loss.lambda_cov is in a case and in [sweep]"));
        text.edit_cases();
        text.text_edit()->setPlainText(text.text().replace("\"rows\"", "\"without coverage\""));
        QVERIFY(!text.apply());
        QCOMPARE(text.problem_list()->findItems("two cases have the label", Qt::MatchContains).size(), 1);
        text.discard();
        model_->undo_stack()->setIndex(2);  // after the first text
        QCOMPARE(editor.cases(), QString("without coverage: loss.lambda_cov = 0.0"));
    }

    void a_sweep_over_presets_needs_no_data_in_the_form() {
        QCOMPARE(model_->replace_from_toml("[sweep]\npreset = [\"etth1-96\", \"etth1-192\"]\n[[sweep.case]]\n"
                                           "label = \"without\"\nloss.lambda_cov = 0\n[[sweep.case]]\n"
                                           "label = \"preset\"\n",
                                           "cases.toml", {}, "Open"),
                 QString());
        SweepEditor editor(*model_);
        QTRY_COMPARE(editor.queue_button()->text(), QString("Queue 4 runs"));
        QVERIFY(editor.queue_button()->isEnabled());
        QCOMPARE(editor.cases(), QString("without: loss.lambda_cov = 0.0\npreset: "));
    }

    void the_sweep_editor_follows_undo() {
        SweepEditor editor(*model_);
        QTest::keyClicks(editor.values_field(0), "0, 1");
        QCOMPARE(model_->axes().size(), std::size_t{1});
        QCOMPARE(model_->undo_stack()->count(), 1);
        model_->undo_stack()->undo();
        QCOMPARE(editor.values_field(0)->text(), QString());
        model_->undo_stack()->redo();
        QCOMPARE(editor.values_field(0)->text(), QString("0, 1"));
        // Another way to the same sweep: the text beside the form.
        QCOMPARE(model_->edit_from_toml("[sweep]\n\"model.top_k\" = [2, 4]\n", "TOML", {}), QString());
        QCOMPARE(editor.values_field(0)->text(), QString());
        QCOMPARE(editor.row_count(), 3);
        QCOMPARE(editor.values_field(2)->text(), QString("2, 4"));
        const int before = model_->undo_stack()->index();
        QCOMPARE(
            model_->edit_from_toml("[sweep]\n\"data.split\" = [\"ratio\", [0.6, 0.2, 0.2]]\n", "TOML", {}),
            QString());
        QCOMPARE(editor.values_field(editor.row_count() - 1)->text(), QString("ratio, [0.6, 0.2, 0.2]"));
        editor.values_field(editor.row_count() - 1)->clear();
        QTest::keyClicks(editor.values_field(editor.row_count() - 1),
                         "[\"2018-01-01\", \"2018-02-01\"], auto");
        QCOMPARE(model_->axes().size(), std::size_t{1});
        QCOMPARE(model_->axes()[0].points.size(), std::size_t{2});
        QCOMPARE(model_->axes()[0].points[0].text, std::string("2018-01-01-2018-02-01"));
        model_->undo_stack()->setIndex(before);
        QCOMPARE(editor.values_field(2)->text(), QString("2, 4"));
        // Another setting in the same row takes its values along, and the old axis goes.
        auto* box = editor.key_box(2);
        box->setCurrentIndex(box->findData("model.pool_size"));
        Q_EMIT box->activated(box->currentIndex());
        QCOMPARE(model_->axes().size(), std::size_t{1});
        QCOMPARE(model_->axes()[0].key, std::string("model.pool_size"));
    }

    void options_of_a_python_file_are_swept() {
        SweepEditor editor(*model_);
        QCOMPARE(model_->edit_from_toml("[model]\nname = \"python\"\n[python]\nfile = \"/x.py\"\n"
                                        "[sweep]\n\"python.options.rate\" = [0.1, 1]\n",
                                        "TOML", {}),
                 QString());
        QCOMPARE(editor.row_count(), 3);
        QCOMPARE(editor.values_field(2)->text(), QString("0.1, 1"));
        // Those of the form are offered, under the names that the file reads.
        model_->set("python.options", config::OptionTable{{"d_model", std::int64_t{64}}});
        QVERIFY(editor.key_box(0)->findData("python.options.d_model") >= 0);  // also in rows from before
        QVERIFY(editor.key_box(0)->findData("python.sha256") < 0);            // set by the program
        editor.add_row("python.options.d_model");
        QVERIFY(editor.key_box(3)->currentText().startsWith("d_model"));
        QTest::keyClicks(editor.values_field(3), "32, big");
        QCOMPARE(model_->axes().size(), std::size_t{2});
        QVERIFY(model_->axes()[1].points[0].value == config::Value(std::int64_t{32}));
        QVERIFY(model_->axes()[1].points[1].value == config::Value(std::string("big")));
    }

    void wrong_sweep_values_are_marked_in_their_row() {
        model_->set("data.path", std::string("/x.csv"));
        SweepEditor editor(*model_);
        editor.show();
        // The only row: said once, with the value, why, and what is allowed; and not that there are no
        // values.
        QTest::keyClicks(editor.values_field(1), "1, x");
        QTRY_VERIFY(!editor.is_pending());
        QCOMPARE(editor.summary(), QString("No sweep yet: correct the values marked above."));
        QCOMPARE(editor.run_names(), QStringList());
        QTest::keyClicks(editor.values_field(0), "0, 0.1");
        QVERIFY2(editor.problem(1).contains("“x” is not a whole number; expected an integer"),
                 qPrintable(editor.problem(1)));
        QCOMPARE(editor.problem(0), QString());
        QTRY_VERIFY(!editor.is_pending());
        QVERIFY(!editor.queue_button()->isEnabled());
        QVERIFY2(editor.queue_button()->toolTip().startsWith("Seed: “x” is not a whole number; expected"),
                 qPrintable(editor.queue_button()->toolTip()));
        QCOMPARE(editor.summary(), QString("Correct the values marked above; without them: 2 runs."));
        QCOMPARE(editor.values_field(1)->text(), QString("1, x"));
        QTest::keyClick(editor.values_field(1), Qt::Key_Backspace);
        QTest::keyClicks(editor.values_field(1), "2");
        QCOMPARE(editor.problem(1), QString());
        QTRY_COMPARE(editor.run_names().size(), 4);
        editor.add_row("train.seed", "3");
        QTest::keyClicks(editor.values_field(2), "4");
        QVERIFY(editor.problem(2).contains("another row"));
        QCOMPARE(model_->axes().size(), std::size_t{2});
    }

    void wrong_sweep_values_come_back_with_the_session() {
        SweepEditor editor(*model_);
        editor.show();
        QSignalSpy typed(&editor, &SweepEditor::typed);
        QCOMPARE(editor.save_rows(), QByteArray());
        QTest::keyClicks(editor.values_field(0), "0, 0.1");
        QVERIFY(!typed.isEmpty());
        QCOMPARE(editor.save_rows(), QByteArray());  // an axis of the model
        QTest::keyClicks(editor.values_field(1), "1, x");
        editor.add_row("train.epochs");
        QTest::keyClicks(editor.values_field(2), "many");
        editor.add_row("loss.lambda_cov");
        QTest::keyClicks(editor.values_field(3), "0.5");

        ExperimentModel model;
        SweepEditor other(model);
        QVERIFY(model.restore_state(model_->save_state()));
        other.restore_rows(editor.save_rows());
        QCOMPARE(other.row_count(), 4);
        for (int row = 0; row < 4; ++row) {
            QCOMPARE(other.key_box(row)->currentData(), editor.key_box(row)->currentData());
            QCOMPARE(other.values_field(row)->text(), editor.values_field(row)->text());
            QCOMPARE(other.problem(row), editor.problem(row));
        }
        QCOMPARE(model.axes().size(), std::size_t{1});
        other.restore_rows("no rows");
        QCOMPARE(other.row_count(), 4);
    }

    void a_fork_takes_the_parents_settings() {
        ForkParent parent;
        parent.folder = "/runs/mine/single";
        parent.name = "single";
        parent.label = "mine · λ_cov 0.1";
        parent.config.data.path = "/x.csv";
        parent.config.model.top_k = 4;
        parent.step = 312;
        parent.epoch = 2;
        ForkPopover fork;
        QVERIFY(!fork.start_button()->isEnabled());
        fork.set_parent_run(parent);
        fork.popup({10, 10});
        QVERIFY(fork.isVisible());
        QCOMPARE(fork.name_edit()->text(), QString("single_from-step-312_lambda_cov-0.3"));
        config::Config made;
        QString name;
        connect(&fork, &ForkPopover::fork_requested, this,
                [&](const config::Config& config, const QString& run) {
                    made = config;
                    name = run;
                });
        auto* number = fork.lambda_edit()->findChild<QLineEdit*>();
        number->selectAll();
        QTest::keyClicks(number, "0.5");
        auto* epochs = fork.epochs_edit()->findChild<QLineEdit*>();
        epochs->selectAll();
        QTest::keyClicks(epochs, "7");
        fork.start_button()->click();
        auto wanted = parent.config;
        wanted.loss.lambda_cov = 0.5;
        wanted.train.epochs = 7;
        wanted.train.continue_from = "/runs/mine/single";
        QCOMPARE(made, wanted);
        QCOMPARE(name, QString("single_from-step-312_lambda_cov-0.5"));
        QVERIFY(!fork.isVisible());
        // The fork of a fork has one tail.
        parent.name = name;
        parent.step = 500;
        fork.set_parent_run(parent);
        QVERIFY(fork.name_edit()->text().startsWith("single_from-step-500_"));
    }

    void fork_dialog_names_the_starting_step() {
        ForkParent parent;
        parent.folder = "/runs/mine/single";
        parent.name = "single";
        parent.label = "mine · λ_cov 0.1";
        parent.step = 266;
        parent.epoch = 2;
        ForkPopover fork;
        const auto said = [&] {
            fork.set_parent_run(parent);
            QStringList texts;
            for (const auto* label : fork.findChildren<QLabel*>()) texts << label->text();
            return texts.join('\n');
        };
        QVERIFY2(said().contains("From mine · λ_cov 0.1, after step 266 (epoch 2)"), qPrintable(said()));
        QVERIFY(said().contains("epochs count towards the maximum"));
        // Of a finished run the best weights, and what the counter will show: 2 epochs and those of the fork.
        parent.has_checkpoint = false;
        QVERIFY2(said().contains("From the best weights of mine · λ_cov 0.1, after step 266 (epoch 2)"),
                 qPrintable(said()));
        QVERIFY(said().contains("further epochs") && !said().contains("count from one"));
        auto* epochs = fork.epochs_edit()->findChild<QLineEdit*>();
        epochs->selectAll();
        QTest::keyClicks(epochs, "1");  // fewer than the parent had, since they come in addition
        QVERIFY(fork.start_button()->isEnabled());
        parent.last_weights = true;
        QVERIFY(said().contains("From the last weights of mine"));
    }

    void invalid_fork_is_refused() {
        ForkParent parent;
        parent.folder = "/runs/mine/single";
        parent.name = "single";
        parent.epoch = 5;
        ForkPopover fork;
        fork.set_parent_run(parent);
        QVERIFY(fork.start_button()->isEnabled());
        auto* epochs = fork.epochs_edit()->findChild<QLineEdit*>();
        epochs->selectAll();
        QTest::keyClicks(epochs, "3");
        QVERIFY(fork.problem().contains("epoch 5"));
        QVERIFY(!fork.start_button()->isEnabled());
        epochs->selectAll();
        QTest::keyClicks(epochs, "9");
        QVERIFY(fork.start_button()->isEnabled());
        fork.name_edit()->selectAll();
        QTest::keyClicks(fork.name_edit(), "a/b");
        QVERIFY(fork.problem().contains("slash"));
        auto* number = fork.lambda_edit()->findChild<QLineEdit*>();
        number->selectAll();
        QTest::keyClicks(number, "x");
        QVERIFY(fork.problem().contains("not a number"));
        QVERIFY(!fork.start_button()->isEnabled());
    }

private:
    std::unique_ptr<ExperimentModel> model_;
};

TEST_MAIN(TestSweepAndFork)
#include "test_sweep_and_fork.moc"

// The panel around the form: presets, TOML, files, estimate, buttons.

#include <algorithm>
#include <atomic>

#include <QAction>
#include <QClipboard>
#include <QLabel>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QTextBlock>

#include "config/presets.h"
#include "experiment_fixture.h"
#include "panels/experiment/experiment_panel.h"
#include "test_program.h"
#include "util/error.h"

using namespace casp;
using namespace casp::widgets;
using test::some_preview;

namespace {

QString as_text(const std::string& toml) { return QString::fromStdString(toml); }

}  // namespace

class TestExperimentPanel : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() {
        model_ = std::make_unique<ExperimentModel>();
        panel_ = std::make_unique<ExperimentPanel>(*model_);
        panel_->resize(380, 900);
        panel_->show();
        panel_->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(panel_.get()));
    }

    void cleanup() {
        panel_.reset();
        model_.reset();
    }

    void the_text_is_the_resolved_experiment() {
        panel_->set_toml_visible(true);
        auto* view = panel_->toml_view();
        QCOMPARE(view->text(), as_text(config::to_toml(config::Config())));
        QVERIFY(view->marked_keys().isEmpty());
        model_->set("loss.lambda_cov", 0.3);
        model_->set("name", std::string("mine"));
        QCOMPARE(view->text(), as_text(config::to_toml(model_->config())));
        QCOMPARE(view->marked_keys(), (QStringList{"name", "loss.lambda_cov"}));
        model_->set_axis("train.seed", {"1", "2"});
        QCOMPARE(view->text(), as_text(config::to_toml(model_->experiment())));
        QVERIFY(view->text().endsWith("[sweep]\n\"train.seed\" = [1, 2]\n"));
        panel_->copy_toml();
        QCOMPARE(QGuiApplication::clipboard()->text(), view->text());
    }

    void the_text_is_edited_in_place() {
        panel_->set_toml_visible(true);
        auto* view = panel_->toml_view();
        QVERIFY(!view->is_editing());
        const auto resolved = view->text();
        QTest::keyClicks(view->text_edit(), "abc");
        QCOMPARE(view->text(), resolved);
        view->edit_button()->click();
        QVERIFY(view->is_editing());
        QVERIFY(!view->edit_button()->isVisible());
        auto toml = view->text();
        toml.replace("lambda_cov = 0.1\n", "lambda_cov = 0.25\n");
        toml += "\n[sweep]\n\"train.seed\" = [4, 5]\n";
        view->text_edit()->setPlainText(toml);
        view->apply_button()->click();
        QVERIFY(!view->is_editing());
        QCOMPARE(model_->config().loss.lambda_cov, 0.25);
        QCOMPARE(model_->axes().size(), std::size_t{1});
        QCOMPARE(model_->changed_keys(), QStringList{"loss.lambda_cov"});
        QCOMPARE(model_->undo_stack()->count(), 1);
        QCOMPARE(view->text(), toml);
        model_->undo_stack()->undo();
        QCOMPARE(view->text(), resolved);
        // Discarded text leaves everything as it was.
        view->begin_edit();
        view->text_edit()->setPlainText("rubbish");
        view->discard_button()->click();
        QCOMPARE(view->text(), resolved);
        QCOMPARE(model_->config(), config::Config());
    }

    void control_enter_applies_the_text() {
        QAction run;  // as the window's "Run"
        run.setShortcut(QKeySequence(Qt::CTRL | Qt::Key_Return));
        panel_->addAction(&run);
        QSignalSpy runs(&run, &QAction::triggered);
        panel_->set_toml_visible(true);
        auto* view = panel_->toml_view();
        view->begin_edit();
        auto toml = view->text();
        view->text_edit()->setPlainText(toml.replace("lambda_cov = 0.1\n", "lambda_cov = 0.25\n"));
        QTest::keyClick(view->text_edit(), Qt::Key_Return, Qt::ControlModifier);
        QVERIFY(!view->is_editing());
        QCOMPARE(model_->config().loss.lambda_cov, 0.25);
        QCOMPARE(runs.size(), 0);
        // What is only read leaves the key to the window.
        view->text_edit()->setFocus();
        QTest::keyClick(view->text_edit(), Qt::Key_Return, Qt::ControlModifier);
        QCOMPARE(runs.size(), 1);
    }

    void wrong_text_reports_line_and_column() {
        panel_->set_toml_visible(true);
        auto* view = panel_->toml_view();
        view->begin_edit();
        view->text_edit()->setPlainText("name = \"x\"\n[loss]\nlambda_cov = -1\nlamda_sim = 1\n");
        QVERIFY(!view->apply());
        QVERIFY(view->is_editing());
        QCOMPARE(view->problem_list()->count(), 2);
        const auto first = view->problem_list()->item(0)->text();
        QVERIFY2(first.contains("Line 3, column 1:") && first.contains("out of range"), qPrintable(first));
        const auto second = view->problem_list()->item(1)->text();
        QVERIFY2(second.contains("Line 4, column 1") && second.contains("loss.lambda_sim"),
                 qPrintable(second));
        QCOMPARE(view->text_edit()->textCursor().blockNumber(), 2);
        Q_EMIT view->problem_list()->itemClicked(view->problem_list()->item(1));
        QCOMPARE(view->text_edit()->textCursor().blockNumber(), 3);
        QCOMPARE(model_->config(), config::Config());
        view->text_edit()->setPlainText("a = = 1\n");
        QVERIFY(!view->apply());
        QCOMPARE(view->problem_list()->count(), 1);
        QVERIFY(view->problem_list()->item(0)->text().contains("Line 1, column"));
        view->text_edit()->setPlainText("name = \"x\"\n");
        QVERIFY(view->apply());
        QVERIFY(!view->problem_list()->isVisible());
    }

    void presets_are_listed_and_applied() {
        auto* chooser = panel_->presets();
        QCOMPARE(chooser->count(), 1 + static_cast<int>(config::preset_names().size()));
        const int place = chooser->findData("etth2-336");
        chooser->setCurrentIndex(place);
        Q_EMIT chooser->activated(place);
        auto wanted = config::load_text(config::preset_text("etth2-336"), "preset", {}).base;
        wanted.preset = "etth2-336";
        QCOMPARE(model_->config(), wanted);
        QCOMPARE(panel_->toml_view()->text(), as_text(config::to_toml(wanted)));
        QCOMPARE(chooser->currentText(), QString("etth2-336"));
        model_->undo_stack()->undo();
        QCOMPARE(chooser->currentIndex(), 0);
    }

    void files_are_saved() {
        QTemporaryDir folder;
        const auto path = folder.filePath("first try.toml");
        model_->set("loss.lambda_cov", 0.7);
        model_->set("data.path", std::string("/x.csv"));
        QSignalSpy saved(panel_.get(), &ExperimentPanel::saved);
        panel_->save_file(path);
        QTRY_COMPARE(saved.size(), 1);
        QVERIFY(panel_->message().contains(path));
        const auto loaded = config::load(path.toStdString()).base;
        auto wanted = model_->config();
        wanted.name = "first try";
        QCOMPARE(loaded, wanted);

        panel_->save_file(folder.filePath("no/such/folder.toml"));
        QTRY_VERIFY(panel_->message().contains("was not saved"));
        QCOMPARE(saved.size(), 1);
    }

    /// Run does not accept what the estimate rejects; the way out is a button.
    void no_run_without_windows() {
        model_->set("data.path", std::string("/x.csv"));
        model_->set("data.split", config::SplitSetting{"ett-minutely"});
        panel_->set_preview_function([](const config::Config& config, const std::stop_token&) {
            ExperimentPreview preview;
            if (config.data.split.rule == "ratio") {
                preview.parameters_total = 1;
                return preview;
            }
            preview.problem = "no window fits";
            preview.no_run = true;
            preview.way_out = {{"data.split", config::SplitSetting{"ratio"}}};
            return preview;
        });
        QTRY_VERIFY(!panel_->run_button()->isEnabled());
        QTRY_VERIFY(panel_->run_button()->toolTip().contains("no window fits"));
        QVERIFY(panel_->estimate()->text().contains("Cannot run: no window fits"));
        QVERIFY(panel_->sweep_button()->isEnabled());  // over splits, for example
        auto* way_out = panel_->estimate()->way_out_button();
        QTRY_VERIFY(way_out->isVisible());
        QCOMPARE(way_out->text(), QString("Use ratio"));
        QTest::mouseClick(way_out, Qt::LeftButton);
        QCOMPARE(model_->config().data.split, config::SplitSetting{"ratio"});
        QTRY_VERIFY(panel_->run_button()->isEnabled());
        QTRY_VERIFY(!way_out->isVisible());
        QCOMPARE(panel_->reason(), QString());
    }

    void kept_settings_are_reported() {
        model_->set("data.path", std::string("/x.csv"));
        model_->set("train.epochs", std::int64_t{3});
        model_->set("run.device", std::string("cpu"));
        panel_->report_kept("x.csv", {"name", "data.path", "data.split"});
        QVERIFY2(panel_->message().contains("Kept from the experiment before: Epochs 3") &&
                     !panel_->message().contains("run.device"),
                 qPrintable(panel_->message()));
        QCOMPARE(panel_->message_button()->text(), QString("Use defaults"));
        QTest::mouseClick(panel_->message_button(), Qt::LeftButton);
        auto wanted = config::Config();
        wanted.data.path = "/x.csv";
        wanted.run.device = "cpu";
        QCOMPARE(model_->config(), wanted);
        panel_->report_kept("x.csv", {"name", "data.path", "data.split"});
        QCOMPARE(panel_->message(), QString());  // nothing is kept
    }

    void disabled_buttons_give_the_reason() {
        QSignalSpy run(panel_.get(), &ExperimentPanel::run_requested);
        QSignalSpy lambda(panel_.get(), &ExperimentPanel::run_with_lambda_requested);
        QSignalSpy sweep(panel_.get(), &ExperimentPanel::sweep_requested);
        const auto buttons = {panel_->run_button(), panel_->sweep_button()};
        for (auto* button : buttons) {
            QVERIFY(!button->isEnabled());
            QVERIFY(button->toolTip().contains("data.path is not given"));
            button->click();
        }
        QVERIFY(panel_->reason().contains("data.path is not given"));
        QCOMPARE(run.size() + sweep.size(), 0);
        model_->set("data.path", std::string("/x.csv"));
        QTRY_VERIFY(panel_->run_button()->isEnabled());
        QCOMPARE(panel_->reason(), QString());
        for (auto* button : buttons) {
            QVERIFY(!button->toolTip().isEmpty());
            button->click();
        }
        QCOMPARE(run.size(), 1);
        QCOMPARE(sweep.size(), 1);
        // Whether a run can be repeated with another λ_cov the window knows; no edit of the form changes it.
        auto* with_lambda = panel_->run_with_lambda_button();
        panel_->set_run_with_lambda(false, "forks cannot");
        model_->set("model.top_k", std::int64_t{5});
        QTest::qWait(250);
        QVERIFY(!with_lambda->isEnabled());
        QCOMPARE(with_lambda->toolTip(), QString("forks cannot"));
        panel_->set_run_with_lambda(true, "as run 3");
        model_->set("model.top_k", std::int64_t{5000});
        QTRY_VERIFY(!panel_->run_button()->isEnabled());
        QVERIFY(panel_->reason().contains("model.pool_size"));
        QVERIFY(with_lambda->isEnabled());
        QCOMPARE(with_lambda->toolTip(), QString("as run 3"));
        with_lambda->click();
        QCOMPARE(lambda.size(), 1);
        model_->reset("model.top_k");
        model_->set_draft_problem("train.epochs", "“x” is no whole number");
        QTRY_VERIFY(panel_->reason().contains("no whole number"));
    }

    void open_file_is_offered_as_data_path() {
        QSignalSpy wanted(panel_.get(), &ExperimentPanel::data_requested);
        auto* button = panel_->reason_button();
        const auto field = button->text();
        panel_->set_data_offer("/far/away/measured.csv");
        QCOMPARE(button->text(), QString("Use measured.csv"));
        QVERIFY(button->toolTip().contains("/far/away/measured.csv"));
        QCOMPARE(button->accessibleName(), button->toolTip());
        button->click();
        QCOMPARE(wanted.size(), 1);
        panel_->set_data_offer({});
        QCOMPARE(button->text(), field);
        panel_->set_data_offer("/far/away/measured.csv");
        // What else is wrong is about a field.
        model_->set("data.path", std::string("/x.csv"));
        model_->set("model.top_k", std::int64_t{5000});
        QTRY_VERIFY(panel_->reason().contains("model.pool_size"));
        QCOMPARE(button->text(), field);
        button->click();
        QCOMPARE(wanted.size(), 1);
    }

    void the_estimate_follows() {
        auto* strip = panel_->estimate();
        QVERIFY(strip->text().contains("data file"));
        panel_->set_preview_function(some_preview);
        model_->set("data.path", std::string("/x.csv"));
        QTRY_VERIFY2(
            strip->text().startsWith("At most 50 min · about 6.9 GB of memory on cpu (8.0 GB free)\n"),
            qPrintable(strip->text()));
        QVERIFY(strip->text().contains("no run of this model has finished on this computer yet"));
        QVERIFY(!strip->text().contains("per epoch of"));
        QVERIFY(strip->text().contains("124M parameters, 61M of them trained"));
        QVERIFY(!strip->text().contains("other programs"));
        QCOMPARE(strip->warning(), QString());
        model_->set("train.epochs", std::int64_t{2});
        QTRY_VERIFY2(strip->text().startsWith("About 1 min · "), qPrintable(strip->text()));
        model_->set("train.max_steps", std::int64_t{40});
        QTRY_VERIFY2(strip->text().startsWith("About 12 s · "), qPrintable(strip->text()));
        panel_->set_preview_function([](const config::Config& config, const std::stop_token& stop) {
            auto preview = some_preview(config, stop);
            preview.compared_runs = 2;
            preview.device = "cuda:0";
            preview.memory_total = 24'000'000'000;
            preview.memory_others = 18'200'000'000;
            return preview;
        });
        QTRY_VERIFY2(strip->text().contains("\nother programs use 18 GB of 24 GB on cuda:0\n"),
                     qPrintable(strip->text()));
        panel_->set_preview_function([](const config::Config&, const std::stop_token&) {
            ExperimentPreview none;
            none.problem = "the file is not there";
            return none;
        });
        QTRY_COMPARE(strip->text(), QString("No estimate: the file is not there"));
        QCOMPARE(duration_text(0.2), QString("under 1 s"));
        QCOMPARE(duration_text(59.6), QString("1 min"));
        QCOMPARE(duration_text(200), QString("3 min 20 s"));
        QCOMPARE(duration_text(7500), QString("2 h 5 min"));
        QCOMPARE(duration_text(400000), QString("5 days"));
        QCOMPARE(bytes_text(999), QString("999 B"));
        QCOMPARE(bytes_text(1'500'000'000), QString("1.5 GB"));
        QCOMPARE(bytes_text(999'999'999), QString("1.0 GB"));
    }

    void missing_backbone_is_reported_before_the_run() {
        panel_->set_preview_function([](const config::Config& config, const std::stop_token& stop) {
            auto preview = some_preview(config, stop);
            if (config.backbone.path != "untrained")
                preview.backbone_problem = "GPT-2 is not on this computer yet";
            return preview;
        });
        model_->set("data.path", std::string("/x.csv"));
        auto* strip = panel_->estimate();
        QTRY_VERIFY2(strip->backbone_note().contains("GPT-2 is not on this computer yet"),
                     qPrintable(strip->backbone_note()));
        QVERIFY2(strip->text().contains("At most 50 min"), "the estimate stays");
        // Also at the field.
        QTRY_VERIFY(
            panel_->form()->row("backbone.path")->problem().contains("GPT-2 is not on this computer"));
        QSignalSpy wanted(strip, &ExperimentEstimate::backbone_requested);
        strip->get_backbone_button()->click();
        QCOMPARE(wanted.size(), 1);
        model_->set("backbone.path", std::string("/home/anna/gpt2/model.safetensors"));
        QTRY_VERIFY(!strip->get_backbone_button()->isVisible());
        QVERIFY2(strip->untrained_button()->isVisible(), "another file is not what could be fetched");
        strip->untrained_button()->click();
        QCOMPARE(model_->config().backbone.path, std::string("untrained"));
        QTRY_COMPARE(strip->backbone_note(), QString());
        QVERIFY(!strip->untrained_button()->isVisible());
        QTRY_COMPARE(panel_->form()->row("backbone.path")->problem(), QString());
    }

    void a_file_that_is_not_the_presets_is_reported() {
        panel_->set_preview_function([](const config::Config& config, const std::stop_token& stop) {
            auto preview = some_preview(config, stop);
            if (!config.preset.empty())
                preview.preset_problem = "the preset p is for A, but the file has 3 rows";
            return preview;
        });
        model_->set("data.path", std::string("/x.csv"));
        auto* strip = panel_->estimate();
        QTRY_VERIFY(strip->text().contains("At most 50 min"));
        QCOMPARE(strip->preset_note(), QString());
        model_->apply_preset("weather-96");
        QTRY_COMPARE(strip->preset_note(), QString("⚠ The preset p is for A, but the file has 3 rows."));
        QVERIFY2(panel_->run_button()->isEnabled(), "a run is possible");
        model_->apply_preset({});
        QTRY_COMPARE(strip->preset_note(), QString());
    }

    void preset_lists_replaced_settings() {
        auto* chooser = panel_->presets();
        const auto choose = [&](const QString& name) {
            const int place = chooser->findData(name);
            chooser->setCurrentIndex(place);
            Q_EMIT chooser->activated(place);
        };
        choose("weather-96");
        QCOMPARE(panel_->message(), QString());  // nothing of one's own was lost
        model_->set("data.missing", std::string("interpolate"));
        model_->set("train.epochs", std::int64_t{3});
        model_->set("data.path", std::string("/x.csv"));  // stays
        const auto mine = model_->config();
        choose("weather-192");
        QVERIFY2(panel_->message().contains("Preset weather-192 replaced") &&
                     panel_->message().contains("data.missing = interpolate") &&
                     panel_->message().contains("train.epochs = 3") &&
                     !panel_->message().contains("data.path"),
                 qPrintable(panel_->message()));
        panel_->message_button()->click();
        QCOMPARE(model_->config(), mine);
        QCOMPARE(panel_->message(), QString());
        // The offer goes with the next step: it would take that back.
        choose("weather-192");
        QVERIFY(!panel_->message().isEmpty());
        model_->set("train.epochs", std::int64_t{5});
        QCOMPARE(panel_->message(), QString());
        choose(QString());
        QCOMPARE(model_->config().preset, std::string());
    }

    void too_large_batch_is_reported() {
        panel_->set_preview_function(some_preview);
        model_->set("data.path", std::string("/x.csv"));
        model_->set("train.batch_size", std::int64_t{128});
        auto* strip = panel_->estimate();
        QTRY_VERIFY(strip->warning().contains("needs 13 GB, and 8.0 GB are free"));
        QVERIFY(strip->warning().contains("A batch size of 80 fits"));
        QVERIFY(strip->use_batch_button()->isVisible());
        strip->use_batch_button()->click();
        QCOMPARE(model_->config().train.batch_size, 80);
        QTRY_COMPARE(strip->warning(), QString());
        QVERIFY(!strip->use_batch_button()->isVisible());
    }

    void the_latest_estimate_wins() {
        std::atomic<int> calls{0};
        panel_->set_preview_function([&](const config::Config& config, const std::stop_token&) {
            ++calls;
            QTest::qSleep(60);
            auto preview = some_preview(config, {});
            preview.steps_per_epoch = config.train.epochs;
            return preview;
        });
        model_->set("data.path", std::string("/x.csv"));
        for (int epochs = 1; epochs <= 200; ++epochs)
            model_->set("train.epochs", std::int64_t{epochs}, "drag");
        QTRY_VERIFY(!panel_->estimate()->is_pending());
        QCOMPARE(panel_->estimate()->preview().steps_per_epoch, 200);
        QVERIFY2(calls < 5, "not one estimate for each change");
        // The panel goes while one is under way: nothing is left behind that could write to it.
        model_->set("train.epochs", std::int64_t{9});
        QTRY_VERIFY(calls >= 2);
        panel_.reset();
    }

    void layout_comes_back() {
        panel_->form()->set_folded_groups({"Backbone", "Run"});
        panel_->set_toml_visible(true);
        const auto layout = panel_->save_layout();
        ExperimentPanel other(*model_);
        QVERIFY(!other.restore_layout("nonsense"));
        auto damaged = layout;
        damaged[4] = '\x7f';  // two thousand million folded groups
        QVERIFY(!other.restore_layout(damaged));
        for (int size = 0; size < layout.size(); ++size) QVERIFY(!other.restore_layout(layout.left(size)));
        QVERIFY(other.restore_layout(layout));
        QCOMPARE(other.form()->folded_groups(), (QStringList{"Backbone", "Run"}));
        QVERIFY(other.toml_button()->isChecked());
    }

private:
    std::unique_ptr<ExperimentModel> model_;
    std::unique_ptr<ExperimentPanel> panel_;
};

TEST_MAIN(TestExperimentPanel)
#include "test_experiment_panel.moc"

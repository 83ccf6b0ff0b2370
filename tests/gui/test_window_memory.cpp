// What the window keeps over a restart beyond its layout, and what it takes from and gives to the disk.

#include "window_fixture.h"

#include <QDir>
#include <QDockWidget>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>

#include "charts/export_dialog.h"
#include "charts/view_frame.h"
#include "gui/help_panel.h"
#include "inspect/window_embeddings.h"
#include "panels/data/data_panel.h"
#include "panels/experiment/experiment_panel.h"
#include "panels/experiment/option_form.h"
#include "panels/experiment/sweep_editor.h"
#include "panels/experiment/toml_view.h"
#include "panels/runs/runs_panel.h"
#include "panels/view/view_page.h"
#include "store/run_file.h"

using namespace casp;

class TestWindowMemory : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { place_ = std::make_unique<test::WindowPlace>(); }
    void cleanup() { place_.reset(); }

    void corrections_drafts_and_selection_come_back() {
        QFile file(place_->path("plain.csv"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("10;1;2\n11;3;4\n12;5;6\n");
        file.close();
        const QString draft = "[loss]\nlambda_cov = 0.25  # not applied yet\n";
        widgets::SelectionState chosen;
        {
            auto window = place_->open();
            window->open_paths({file.fileName()});
            auto* data = window->findChild<widgets::DataPanel*>();
            QTRY_COMPARE(data->model().count(), 1);
            QTRY_VERIFY(!data->model().at(0).busy);
            config::Config::DataCsv options;
            options.header = "yes";  // by content there is none
            options.decimal = ",";
            options.time_column = "none";
            options.delimiter = ";";
            data->model().correct(0, options);
            QTRY_VERIFY(!data->model().at(0).busy);
            auto* toml = window->findChild<widgets::TomlView*>();
            toml->begin_edit();
            toml->text_edit()->setPlainText(draft);
            const auto folder = place_->start(*window, 1);
            QVERIFY(!folder.isEmpty());
            QVERIFY(test::wait_idle(*window));
            chosen = window->selection().state();
            chosen.windows = {3, 5};
            chosen.anchors = {1};
            chosen.split = "test";
            chosen.step = 2;
            window->selection().set(chosen);
            QVERIFY(window->close());
        }
        auto window = place_->open();
        auto* data = window->findChild<widgets::DataPanel*>();
        QTRY_COMPARE(data->model().count(), 1);
        QTRY_VERIFY(!data->model().at(0).busy);
        const auto& options = data->model().at(0).options;
        QVERIFY(options.delimiter == ";" && options.header == "yes" && options.decimal == ",");
        QCOMPARE(options.time_column, std::string("none"));
        QVERIFY(data->model().at(0).is_corrected());
        auto* toml = window->findChild<widgets::TomlView*>();
        QVERIFY(toml->is_editing());
        QCOMPARE(toml->text(), draft);
        QVERIFY(window->selection().state() == chosen);
        // The draft is a draft: the experiment is still the one that was run.
        QCOMPARE(window->experiment().config().loss.lambda_cov, 0.1);
    }

    void incomplete_input_is_restored() {
        const auto field = [](const gui::MainWindow& window, const char* key) {
            return window.findChild<widgets::OptionForm*>()->row(key)->editor()->findChild<QLineEdit*>();
        };
        {
            auto window = place_->open();
            window->show_dock("experiment");
            field(*window, "train.epochs")->setText("12x");
            Q_EMIT field(*window, "train.epochs")->textEdited("12x");
            auto* sweep = window->findChild<widgets::SweepEditor*>();
            sweep->values_field(0)->setText("0, high");
            Q_EMIT sweep->values_field(0)->textEdited("0, high");
            // Saved by itself a moment later: the program may be killed.
            QTRY_VERIFY(place_->saved().parts.value("sweep_rows").contains("high"));
            QVERIFY(place_->saved().parts.value("experiment").contains("12x"));
            window->close();
        }
        auto window = place_->open();
        QCOMPARE(field(*window, "train.epochs")->text(), QString("12x"));
        QVERIFY(!window->experiment().draft_problem("train.epochs").isEmpty());
        QVERIFY(!window->actions().find("run.start")->isEnabled());
        const auto* sweep = window->findChild<widgets::SweepEditor*>();
        QCOMPARE(sweep->values_field(0)->text(), QString("0, high"));
        QVERIFY(!sweep->problem(0).isEmpty());
    }

    void finishing_early_survives_a_closed_window() {
        QString folder;
        {
            auto window = place_->open();
            folder = place_->start(*window, 300);
            QVERIFY(!folder.isEmpty());
            window->actions().find("run.finish")->trigger();
            window->close();  // at once: the evaluation is cut off
            QTRY_VERIFY_WITH_TIMEOUT(!window->isVisible(), test::run_limit);
        }
        if (test::file_state(folder.toStdString()) == store::RunState::finished_early)
            QSKIP("the evaluation was faster than the closing window");
        QCOMPARE(test::file_state(folder.toStdString()), store::RunState::interrupted);
        const auto steps = store::read_run_file((folder + "/run.h5").toStdString()).steps.step.size();
        auto window = place_->open();
        QVERIFY(window->info().has("recovery"));
        for (auto* button : window->info().findChildren<QPushButton*>())
            if (button->text() == "Continue") button->click();
        QVERIFY(test::wait_idle(*window));
        QCOMPARE(test::file_state(folder.toStdString()), store::RunState::finished_early);
        // It was evaluated, not trained for 300 epochs.
        const auto record = store::read_run_file((folder + "/run.h5").toStdString());
        QVERIFY(record.steps.step.size() <= steps + 1);
        QVERIFY(record.test && std::isfinite(record.test->mse));
    }

    void cancelled_stays_cancelled_when_the_window_closes() {
        QString folder;
        {
            auto window = place_->open();
            folder = place_->start(*window, 300);
            QVERIFY(!folder.isEmpty());
            window->actions().find("run.cancel")->trigger();
            window->close();
            QTRY_VERIFY_WITH_TIMEOUT(!window->isVisible(), test::run_limit);
        }
        QCOMPARE(test::file_state(folder.toStdString()), store::RunState::cancelled);
        auto window = place_->open();
        QVERIFY(!window->info().has("recovery"));
    }

    void a_dropped_run_shows_its_batch_only() {
        QString folder;
        {
            auto window = place_->open();
            folder = place_->start(*window, 1);
            QVERIFY(!folder.isEmpty());
            QVERIFY(test::wait_idle(*window));
            // In the folder that is open already nothing else changes.
            window->open_paths({folder});
            QCOMPARE(window->launcher().output_folder(), place_->runs());
        }
        const auto batch = QDir(folder + "/..").canonicalPath();
        const auto elsewhere = place_->path("elsewhere/kept");
        QVERIFY(QDir().mkpath(place_->path("elsewhere/other/run")));
        QVERIFY(QDir().rename(batch, elsewhere));
        const auto moved = elsewhere + '/' + QDir(folder).dirName();
        auto window = place_->open();
        window->open_paths({moved});
        QTRY_COMPARE(window->library().size(), 1);
        QCOMPARE(window->launcher().output_folder(), elsewhere);
        QTRY_COMPARE(window->selection().state().runs.last(), moved);
        QTRY_VERIFY(window->library().data(moved) != nullptr && window->library().data(moved)->is_loaded());
    }

    void all_views_are_exported_by_one_dialog() {
        auto window = place_->open();
        window->open_paths({place_->csv()});
        QVERIFY(!place_->start(*window, 1).isEmpty());
        QVERIFY(test::wait_idle(*window));
        auto* data = window->findChild<widgets::DataPanel*>();
        QTRY_VERIFY(data->is_settled());
        window->show_dock("training");  // the other pages were never looked at
        window->selection().set_anchors({3});
        window->actions().find("figures.export-all")->trigger();
        widgets::ExportDialog* dialog = nullptr;
        QTRY_VERIFY_WITH_TIMEOUT((dialog = window->findChild<widgets::ExportDialog*>()) != nullptr, 20000);
        QVERIFY(!window->info().has("export"));
        const auto folder = place_->path("figures");
        dialog->set_base_path(folder);
        QSignalSpy told(dialog, &widgets::ExportDialog::message);
        QVERIFY(dialog->export_now(false));
        QCOMPARE(told.size(), 1);
        const auto files = QDir(folder).entryList(QDir::Files);
        const auto formats = dialog->formats();
        QVERIFY2(files.size() >= 8, qPrintable(files.join(' ')));
        // Each in all formats, or only its numbers: a view that is a table, or has nothing to draw of this
        // run. Captions and tables stand beside them.
        QMap<QString, qsizetype> of;
        for (const auto& file : files)
            for (const auto format : formats)
                if (file.endsWith('.' + widgets::suffix_of(format))) ++of[QFileInfo(file).completeBaseName()];
        for (const auto& base : of.keys())
            QVERIFY2(of[base] == static_cast<qsizetype>(formats.size()) ||
                         (of[base] == 1 && files.contains(base + ".csv")),
                     qPrintable(base));
        // Also what is no figure by itself: matrix, space and the anchor's details; and the channels of the
        // data.
        for (const auto* name : {"loss-terms", "concentration", "similarity-matrix", "embedding-space-pca",
                                 "anchor-usage-course", "channels"})
            for (const auto format : formats)
                QVERIFY2(QFileInfo(folder + '/' + name + '.' + widgets::suffix_of(format)).size() > 300,
                         name);
        dialog->close();
    }

    void a_full_disk_during_exports() {
        auto window = place_->open();
        const auto run = place_->start(*window, 1);
        QVERIFY(!run.isEmpty());
        QVERIFY(test::wait_idle(*window));
        QVERIFY(QDir().mkpath(place_->path("out")));
        const QStringList names{"archive.tar.gz", "weights.safetensors", "forecasts.csv", "saved.toml",
                                "figure.png"};
        for (const auto& name : names) place_->write("out/" + name, "what was there before");
        const auto out = [&](const QString& name) { return place_->path("out/" + name); };
        /// Answers the dialog that asks for a file's name.
        const auto choose = [&](const QString& name) {
            for (auto* dialog : window->findChildren<QFileDialog*>())
                if (dialog->isVisible()) {
                    QMetaObject::invokeMethod(dialog, "fileSelected", Q_ARG(QString, out(name)));
                    dialog->close();
                    return true;
                }
            return false;
        };
        const auto said = [&](const QString& name) {
            return QTest::qWaitFor([&] { return window->info().text("error").contains(name); }, 20000);
        };
        auto* experiment = window->findChild<widgets::ExperimentPanel*>();
        figures::Figure figure;
        window->show_dock("training");
        QTRY_VERIFY(!window->open_figures().empty());
        window->show_dock("embeddings");
        auto* shown = window->library().data(run);
        inspect::EmbeddingRequest request;
        request.split = "test";
        request.windows = 10;
        shown->compute_embeddings(request);
        QTRY_VERIFY_WITH_TIMEOUT(
            shown->embeddings() && !shown->embeddings()->stored && !shown->embedding_status().is_busy(),
            test::run_limit);
        const auto arrays = test::bytes_of((run + "/arrays.h5").toStdString());
        widgets::ExportDialog dialog(window->open_figures().front(), window.get());
        dialog.set_base_path(out("figure.png"));
        dialog.show();
        const auto labels = dialog.findChildren<QLabel*>();
        {
            const test::FullDisk full;
            Q_EMIT window->findChild<widgets::RunsPanel*>()->commands()->export_requested({run});
            QVERIFY(choose("archive.tar.gz"));
            QVERIFY2(said("archive.tar.gz"), qPrintable(window->info().text("error")));
            window->actions().find("file.export-weights")->trigger();
            QVERIFY(choose("weights.safetensors"));
            QVERIFY2(said("weights.safetensors"), qPrintable(window->info().text("error")));
            window->actions().find("file.export-forecasts")->trigger();
            QVERIFY(choose("forecasts.csv"));
            QVERIFY2(said("forecasts.csv"), qPrintable(window->info().text("error")));
            experiment->save_file(out("saved.toml"));
            QTRY_VERIFY2(experiment->message().contains("saved.toml"), qPrintable(experiment->message()));
            QVERIFY(!dialog.export_now(false));
            QTRY_VERIFY(std::any_of(labels.begin(), labels.end(), [](const QLabel* label) {
                return label->isVisible() && label->text().contains("figure.");
            }));
            shown->store_embeddings("test");
            QVERIFY2(said(shown->summary().label()), qPrintable(window->info().text("error")));
        }
        QCOMPARE(test::bytes_of((run + "/arrays.h5").toStdString()), arrays);
        for (const auto& name : names)
            QVERIFY2(test::bytes_of(out(name).toStdString()) == "what was there before", qPrintable(name));
        auto there = QDir(place_->path("out")).entryList(QDir::Files | QDir::Hidden, QDir::Name);
        auto expected = names;
        expected.sort();
        QCOMPARE(there, expected);
    }

private:
    std::unique_ptr<test::WindowPlace> place_;
};

TEST_WINDOW(TestWindowMemory)
#include "test_window_memory.moc"

// The window and a disk that fills up, goes away or holds something else: nothing that was entered is lost
// unseen.

#include "window_fixture.h"

#include <QDir>
#include <QDockWidget>
#include <QFileDialog>
#include <QLabel>
#include <QPlainTextEdit>

#include "charts/export_dialog.h"
#include "charts/view_frame.h"
#include "gui/application.h"
#include "panels/data_panel.h"
#include "panels/experiment_panel.h"
#include "panels/runs_panel.h"
#include "panels/toml_view.h"
#include "panels/view_page.h"
#include "store/run_folder.h"
#include "train/checkpoint_embeddings.h"

using namespace casp;

class TestWindowDisk : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { place_ = std::make_unique<test::WindowPlace>(); }
    void cleanup() { place_.reset(); }
    void closing_with_a_full_disk_asks();
    void a_full_disk_at_the_start();
    void a_checkpoint_that_cannot_be_written_keeps_the_window();
    void who_stays_after_that_can_run_again();
    void a_signal_writes_a_checkpoint_though_the_session_cannot_be_saved();
    void a_signal_with_a_full_disk_closes();
    void a_run_that_failed_on_a_full_disk_is_offered_again();
    void a_second_window_keeps_its_own();
    void a_session_that_does_not_open_is_replaced_and_kept();
    void a_csv_that_is_away_keeps_its_corrections();
    void a_run_on_a_drive_that_is_away_is_offered_later();
    void a_damaged_run_is_kept_in_mind();
    void a_draft_is_saved_soon();
    void what_nobody_caught_is_said();
    void a_full_disk_during_exports();

private:
    [[nodiscard]] gui::SessionState saved() const {
        return gui::SessionFile(place_->session()).read(nullptr, false);
    }
    static bool press(gui::MainWindow& window, const QString& text) {
        QPushButton* found = nullptr;  // it shows a moment after its message was made
        const auto there = [&] {
            for (auto* button : window.info().findChildren<QPushButton*>())
                if (button->text() == text && button->isVisible()) found = button;
            return found != nullptr;
        };
        if (!QTest::qWaitFor(there)) return false;
        found->click();
        return true;
    }
    /// Starts a run and waits for its first steps; returns its folder.
    QString start(gui::MainWindow& window, std::int64_t epochs, double checkpoint_seconds = 1000) {
        auto config = place_->tiny(epochs);
        config.run.checkpoint_seconds = checkpoint_seconds;
        window.experiment().replace(config, {}, "tiny");
        window.actions().find("run.start")->trigger();
        const auto folder = window.selection().state().runs.value(0);
        const auto going = [&] {
            auto* run = window.library().data(folder);
            return run != nullptr && run->record().steps.step.size() > 3;
        };
        return QTest::qWaitFor(going, test::run_limit) ? folder : QString();
    }
    /// As if a window had been closed with these in its queue.
    void remember_waiting(const QStringList& runs) const {
        gui::SessionState state;
        state.output_folder = place_->runs();
        state.waiting_runs = runs;
        if (!gui::SessionFile(place_->session()).write(state).isEmpty()) qFatal("cannot write");
    }
    /// Closes a window whose run cannot write its checkpoint, and waits for what the window says of it.
    static bool close_without_checkpoint(gui::MainWindow& window, const QString& folder) {
        // Where its checkpoints belong there is a file now.
        QDir(folder + "/last").removeRecursively();
        QFile in_the_way(folder + "/last");
        if (!in_the_way.open(QIODevice::WriteOnly)) return false;
        in_the_way.close();
        if (window.close()) return false;
        const auto said = [&] {
            return window.info().text("closing").contains("failed while the window closed");
        };
        return QTest::qWaitFor(said, test::run_limit) && window.isVisible();
    }
    QString write(const QString& name, const QByteArray& bytes) const {
        QFile file(place_->path(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size()) qFatal("cannot write");
        return file.fileName();
    }
    [[nodiscard]] static QByteArray bytes_of(const QString& path) {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    std::unique_ptr<test::WindowPlace> place_;
};

void TestWindowDisk::closing_with_a_full_disk_asks() {
    {
        auto window = place_->open();
        QVERIFY(window->save_session());
        QVERIFY(window->experiment().set("loss.lambda_cov", 0.37).isEmpty());
        {
            const test::FullDisk full;
            QVERIFY(!window->close());
            QVERIFY(window->isVisible());
            QVERIFY2(window->info().text("closing").contains("session"),
                     qPrintable(window->info().text("closing")));
            QVERIFY(press(*window, "Try again"));
            QVERIFY(window->isVisible() && window->info().has("closing"));
        }
        QVERIFY(press(*window, "Try again"));
        QVERIFY(!window->isVisible());
    }
    {
        auto window = place_->open();
        QCOMPARE(window->experiment().config().loss.lambda_cov, 0.37);
        QVERIFY(window->experiment().set("loss.lambda_cov", 0.5).isEmpty());
        const test::FullDisk full;
        QVERIFY(!window->close());
        QVERIFY(press(*window, "Close anyway"));
        QVERIFY(!window->isVisible());
    }
    QCOMPARE(place_->open()->experiment().config().loss.lambda_cov, 0.37);
}

void TestWindowDisk::a_full_disk_at_the_start() {
    {
        auto full = std::make_unique<test::FullDisk>();
        auto window = place_->open();
        QVERIFY2(window->info().text("saving").contains("cannot be saved"),
                 qPrintable(window->info().text("saving")));
        QVERIFY(!window->info().has("second"));
        QVERIFY(window->experiment().set("loss.lambda_cov", 0.37).isEmpty());
        QVERIFY(!window->close());
        QVERIFY(window->isVisible());
        full.reset();
        QVERIFY(press(*window, "Try again"));
        QVERIFY(!window->isVisible());
        QVERIFY(!window->info().has("saving"));
    }
    QCOMPARE(place_->open()->experiment().config().loss.lambda_cov, 0.37);
}

void TestWindowDisk::a_checkpoint_that_cannot_be_written_keeps_the_window() {
    auto window = place_->open();
    const auto folder = start(*window, 10000);
    QVERIFY(!folder.isEmpty());
    QVERIFY(close_without_checkpoint(*window, folder));
    QVERIFY(!window->queue().is_running());
    QTest::qWait(50);  // nothing closes it afterwards
    QVERIFY(window->isVisible());
    for (auto* button : window->info().findChildren<QPushButton*>())
        QVERIFY(button->text() != "Try again");  // that run would not be tried again
    QVERIFY(!window->close());                   // it was not answered
    QVERIFY(window->info().has("closing"));
    QVERIFY(press(*window, "Close anyway"));
    QVERIFY(!window->isVisible());
}

void TestWindowDisk::who_stays_after_that_can_run_again() {
    auto window = place_->open();
    const auto folder = start(*window, 10000);
    QVERIFY(!folder.isEmpty());
    QVERIFY(close_without_checkpoint(*window, folder));
    QVERIFY(!start(*window, 1).isEmpty());
    QVERIFY(!window->info().has("closing"));
    QVERIFY(!window->queue().is_held());
    QVERIFY(test::wait_idle(*window));
    QVERIFY(window->close());
}

void TestWindowDisk::a_signal_writes_a_checkpoint_though_the_session_cannot_be_saved() {
    auto window = place_->open();
    const auto folder = start(*window, 10000);
    QVERIFY(!folder.isEmpty());
    // Where the session belongs there is a folder now.
    QVERIFY(window->save_session());
    QVERIFY(QFile::remove(place_->session()));
    QVERIFY(QDir().mkpath(place_->session()));
    QVERIFY(!window->close());  // a person is asked
    QVERIFY(window->info().has("closing") && window->queue().is_running());
    window->close_for_signal();
    QTRY_VERIFY_WITH_TIMEOUT(!window->isVisible(), test::run_limit);
    QCOMPARE(window->queue().items().front().state, gui::QueueState::interrupted);
    QVERIFY(store::current_checkpoint(store::RunFolder(folder.toStdString())));
}

void TestWindowDisk::a_signal_with_a_full_disk_closes() {
    auto window = place_->open();
    QVERIFY(!start(*window, 10000).isEmpty());
    const test::FullDisk full;
    window->close_for_signal();
    QTRY_VERIFY_WITH_TIMEOUT(!window->isVisible(), test::run_limit);
    QVERIFY(!window->queue().is_running());
}

void TestWindowDisk::a_run_that_failed_on_a_full_disk_is_offered_again() {
    QString folder;
    {
        auto window = place_->open();
        folder = start(*window, 10000, 0);
        QVERIFY(!folder.isEmpty());
        QTRY_VERIFY_WITH_TIMEOUT(store::current_checkpoint(store::RunFolder(folder.toStdString())),
                                 test::run_limit);
        {
            const test::FullDisk full;
            QVERIFY(test::wait_idle(*window));
        }
        QCOMPARE(window->queue().items().front().state, gui::QueueState::failed);
        QVERIFY(window->info().has("error"));
        QVERIFY(window->close());
    }
    auto window = place_->open();
    const auto text = window->info().text("recovery");
    QVERIFY2(text.contains(QFileInfo(folder).fileName()) && text.contains("failed"), qPrintable(text));
    QVERIFY2(!text.contains("was stopped"), qPrintable(text));
    // Not answered: it is kept as what it was.
    QVERIFY(window->close());
    QCOMPARE(saved().failed_runs, saved().going_runs);
}

void TestWindowDisk::a_second_window_keeps_its_own() {
    {
        auto first = place_->open();
        QVERIFY(first->experiment().set("loss.lambda_cov", 0.2).isEmpty());
        QVERIFY(first->save_session());
        auto second = place_->open();
        QVERIFY(second->info().has("second"));
        QVERIFY(!first->info().has("second"));
        QCOMPARE(second->experiment().config().loss.lambda_cov, 0.2);  // begins as the first
        QVERIFY(second->experiment().set("loss.lambda_cov", 0.33).isEmpty());
        QVERIFY(second->close());
        QVERIFY(first->close());
    }
    auto first = place_->open();
    QCOMPARE(first->experiment().config().loss.lambda_cov, 0.2);
    auto second = place_->open();
    QCOMPARE(second->experiment().config().loss.lambda_cov, 0.33);
}

void TestWindowDisk::a_session_that_does_not_open_is_replaced_and_kept() {
    QVERIFY(QDir().mkpath(place_->session()));
    {
        auto window = place_->open();
        QVERIFY2(window->info().text("session").contains("this is a folder"),
                 qPrintable(window->info().text("session")));
        QVERIFY(window->experiment().set("loss.lambda_cov", 0.37).isEmpty());
        QVERIFY(window->close());
    }
    QVERIFY(QFileInfo(place_->session() + ".unread").isDir());
    QCOMPARE(place_->open()->experiment().config().loss.lambda_cov, 0.37);
}

void TestWindowDisk::a_csv_that_is_away_keeps_its_corrections() {
    const auto path = write("plain.csv", "10;1;2\n11;3;4\n12;5;6\n");
    {
        auto window = place_->open();
        window->open_paths({path});
        auto* data = window->findChild<widgets::DataPanel*>();
        QTRY_VERIFY(data->model().count() == 1 && !data->model().at(0).busy);
        data::CsvOptions options;
        options.header = true;  // by content there is none
        options.time_columns = std::vector<std::string>{};
        options.delimiter = ';';
        data->model().correct(0, options);
        QTRY_VERIFY(!data->model().at(0).busy);
        QVERIFY(window->close());
    }
    QVERIFY(QFile::rename(path, path + ".away"));
    {
        auto window = place_->open();
        auto* data = window->findChild<widgets::DataPanel*>();
        QTRY_VERIFY(data->model().count() == 1 && !data->model().at(0).busy);
        QVERIFY(data->model().at(0).problem.is_set());
        QTRY_VERIFY2(window->info().text("error").contains("plain.csv"),
                     qPrintable(window->info().text("error")));
        QVERIFY(window->close());
    }
    QVERIFY(QFile::rename(path + ".away", path));
    auto window = place_->open();
    auto* data = window->findChild<widgets::DataPanel*>();
    QTRY_VERIFY(data->model().count() == 1 && !data->model().at(0).busy);
    QVERIFY(!data->model().at(0).problem.is_set());
    QVERIFY(data->model().at(0).is_corrected());
    QVERIFY(data->model().at(0).options.header == true);
}

void TestWindowDisk::a_run_on_a_drive_that_is_away_is_offered_later() {
    const auto drive = place_->path("drive"), batch = drive + "/batch";
    for (const auto* run : {"/waits", "/removed"}) {
        QVERIFY(QDir().mkpath(batch + run));
        write(QStringLiteral("drive/batch") + run + "/config.toml", "");
    }
    remember_waiting({batch + "/waits", batch + "/removed"});
    QVERIFY(QDir(batch + "/removed").removeRecursively());
    QVERIFY(QDir().rename(drive, drive + "-away"));
    for (int time = 0; time < 2; ++time) {  // however often it is away
        auto window = place_->open();
        QVERIFY2(window->info().text("away").contains("waits"), qPrintable(window->info().text("away")));
        QVERIFY(!window->info().has("recovery"));
        QVERIFY(window->close());
    }
    QVERIFY(QDir().rename(drive + "-away", drive));
    {
        auto window = place_->open();
        QVERIFY(!window->info().has("away"));
        QCOMPARE(window->info().text("recovery"), QString("One run waited in the queue."));
        QVERIFY(window->close());
    }
    QCOMPARE(saved().waiting_runs, QStringList{batch + "/waits"});
    // One that was removed from among the others is not waited for; nor one that is to be forgotten, nor one
    // whose batch was removed.
    QVERIFY(QDir().rename(drive, drive + "-away"));
    {
        auto window = place_->open();
        QVERIFY(press(*window, "Forget"));
        QVERIFY(window->close());
    }
    QCOMPARE(saved().waiting_runs, QStringList());
    QVERIFY(QDir().rename(drive + "-away", drive));
    remember_waiting({batch + "/waits"});
    QVERIFY(QDir(batch).removeRecursively());
    auto window = place_->open();
    QVERIFY2(!window->info().has("away"), qPrintable(window->info().text("away")));
    QVERIFY(!window->info().has("recovery"));
}

void TestWindowDisk::a_damaged_run_is_kept_in_mind() {
    const auto run = place_->path("drive/batch/damaged");
    QVERIFY(QDir().mkpath(run + "/last"));
    write("drive/batch/damaged/last/current", "step-7\n");  // which is not there
    remember_waiting({run});
    {
        auto window = place_->open();
        QVERIFY2(!window->info().has("away"), qPrintable(window->info().text("away")));
        QVERIFY(!window->info().has("recovery"));
        QVERIFY(window->close());
    }
    QCOMPARE(saved().waiting_runs, QStringList{run});
}

void TestWindowDisk::a_draft_is_saved_soon() {
    auto window = place_->open();
    auto* toml = window->findChild<widgets::TomlView*>();
    QTRY_VERIFY(QFile::exists(place_->session()));
    QVERIFY(saved().parts.value("toml_draft").isEmpty());
    toml->begin_edit();
    toml->text_edit()->setPlainText("# a draft");
    // The regular saving comes every 30 seconds.
    QTRY_COMPARE_WITH_TIMEOUT(saved().parts.value("toml_draft"), QByteArray("# a draft"), 15000);
}

void TestWindowDisk::what_nobody_caught_is_said() {
    auto window = place_->open();
    auto* application = static_cast<gui::Application*>(qApp);
    application->unexpected = [&](const QString& problem) { window->report_unexpected(problem); };
    QVERIFY(window->experiment().set("loss.lambda_cov", 0.37).isEmpty());
    QTimer::singleShot(0, window.get(), [] { throw std::runtime_error("the roof is leaking"); });
    QTRY_VERIFY2(window->info().text("error").contains("the roof is leaking"),
                 qPrintable(window->info().text("error")));
    QTRY_VERIFY_WITH_TIMEOUT(!saved().parts.value("experiment").isEmpty(), 15000);
    // The same many times a second is said once.
    window->report_unexpected("the cellar is wet");
    window->info().remove("error");
    window->report_unexpected("the cellar is wet");
    QVERIFY(!window->info().has("error"));
    window->report_unexpected("the door is open");
    QVERIFY(window->info().text("error").contains("the door is open"));
    application->unexpected = nullptr;
}

void TestWindowDisk::a_full_disk_during_exports() {
    auto window = place_->open();
    const auto run = start(*window, 1);
    QVERIFY(!run.isEmpty());
    QVERIFY(test::wait_idle(*window));
    const auto csv = write("plain.csv", "10;1;2\n11;3;4\n12;5;6\n");
    window->open_paths({csv});
    auto* data = window->findChild<widgets::DataPanel*>();
    QTRY_VERIFY(data->model().count() == 1 && !data->model().at(0).busy);
    data::CsvOptions options;
    options.delimiter = ';';
    options.header = true;
    data->model().correct(0, options);
    QTRY_VERIFY(data->is_settled() && data->model().at(0).is_corrected());
    QVERIFY(QDir().mkpath(place_->path("out")));
    const QStringList names{"archive.tar.gz", "weights.safetensors", "saved.toml", "copy.csv", "figure.png"};
    for (const auto& name : names) write("out/" + name, "what was there before");
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
    train::EmbeddingRequest request;
    request.split = "test";
    request.windows = 10;
    shown->compute_embeddings(request);
    QTRY_VERIFY_WITH_TIMEOUT(
        shown->embeddings() && !shown->embeddings()->stored && !shown->embedding_status().is_busy(),
        test::run_limit);
    const auto arrays = bytes_of(run + "/arrays.h5");
    widgets::ExportDialog dialog(window->open_figures().front(), window.get());
    dialog.set_base_path(out("figure.png"));
    dialog.show();
    const auto labels = dialog.findChildren<QLabel*>();
    {
        const test::FullDisk full;
        Q_EMIT window->findChild<widgets::RunsPanel*>()->export_requested({run});
        QVERIFY(choose("archive.tar.gz"));
        QVERIFY2(said("archive.tar.gz"), qPrintable(window->info().text("error")));
        window->actions().find("file.export-weights")->trigger();
        QVERIFY(choose("weights.safetensors"));
        QVERIFY2(said("weights.safetensors"), qPrintable(window->info().text("error")));
        for (auto* button : data->findChildren<QPushButton*>())
            if (button->text().contains("Save a copy")) button->click();
        QVERIFY(choose("copy.csv"));
        QVERIFY2(said("copy.csv"), qPrintable(window->info().text("error")));
        experiment->save_file(out("saved.toml"));
        QTRY_VERIFY2(experiment->message().contains("saved.toml"), qPrintable(experiment->message()));
        QVERIFY(!dialog.export_now(false));
        QTRY_VERIFY(std::any_of(labels.begin(), labels.end(), [](const QLabel* label) {
            return label->isVisible() && label->text().contains("figure.");
        }));
        shown->store_embeddings();
        QVERIFY2(said(shown->summary().label()), qPrintable(window->info().text("error")));
    }
    QCOMPARE(bytes_of(run + "/arrays.h5"), arrays);
    for (const auto& name : names) QVERIFY2(bytes_of(out(name)) == "what was there before", qPrintable(name));
    auto there = QDir(place_->path("out")).entryList(QDir::Files | QDir::Hidden, QDir::Name);
    auto expected = names;
    expected.sort();
    QCOMPARE(there, expected);
}

int main(int argc, char** argv) {
    gui::Application application(argc, argv);
    setlocale(LC_NUMERIC, "C");
    TestWindowDisk test;
    return QTest::qExec(&test, argc, argv);
}
#include "test_window_disk.moc"

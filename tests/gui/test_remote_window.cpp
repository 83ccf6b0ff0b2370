// The real window over a real sshd: list, curves, forecasts on demand, pause and fork of runs on the other
// side.
#include <csignal>

#include <QInputDialog>
#include <QLabel>
#include <QToolButton>

#include "batch/batch_fixture.h"
#include "batch/ssh_fixture.h"
#include "gui/info_bar.h"
#include "panels/audit/audit_page.h"
#include "panels/messages/message_drawer.h"
#include "panels/runs/runs_panel.h"
#include "panels/submit/submit_dialog.h"
#include "state/remote_folder.h"
#include "store/run_control.h"
#include "store/run_folder.h"
#include "test_program.h"
#include "verify_text.h"
#include "window_fixture.h"

using namespace casp;
using namespace std::chrono_literals;

class TestRemoteWindow : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        if (const auto missing = test::SshServer::missing(); !missing.isEmpty()) QSKIP(qPrintable(missing));
        std::signal(SIGPIPE, SIG_IGN);  // as in the program
        qputenv("XDG_CACHE_HOME", there_.path("cache").toUtf8());
        ssh_ = std::make_unique<test::SshServer>();
        QVERIFY2(ssh_->start(), ssh_->log().constData());
        relay_ = std::make_unique<test::Relay>(ssh_->port(), 25ms);
        ssh_->write_config(relay_->port(), "user_key");
        there_.write("series.csv", test::small_csv());
        QDir().mkpath(there_.path("runs"));
    }

    void remote_runs_are_shown_and_controlled() {
        QProcess first;
        start(first, test::small_experiment());
        QVERIFY(first.waitForFinished(test::run_limit));
        const test::WindowPlace place;
        auto window = place.open();
        auto& library = window->library();
        const auto action = [&](const char* name) { return window->actions().find(name); };
        window->open_paths({address()});
        QTRY_COMPARE_WITH_TIMEOUT(library.size(), 1, test::run_limit);
        const auto run = library.at(0).folder;
        QVERIFY(!run.startsWith(there_.path("runs")));
        QVERIFY(library.remote() != nullptr);

        // Curves of a run that is shown; forecasts when a page asks for them.
        window->selection().set_runs({run});
        auto* data = library.data(run);
        data->load();
        QTRY_VERIFY_WITH_TIMEOUT(data->is_loaded() && data->record().steps.step.size() == 81,
                                 test::run_limit);
        QVERIFY(!QFile::exists(run + "/best.safetensors"));
        QTRY_VERIFY_WITH_TIMEOUT(data->forecasts("test", 0, 2) != nullptr, test::run_limit);
        QCOMPARE(data->forecasts("test", 0, 2)->windows, std::int64_t{2});

        // Nothing is submitted, moved, resumed or trained in a copy.
        action("run.submit")->trigger();
        QVERIFY2(window->info().text("submit").startsWith("The folder of runs is on cluster. Submit there"),
                 qPrintable(window->info().text("submit")));
        QVERIFY(window->findChild<widgets::SubmitDialog*>() == nullptr);
        auto& form = window->findChild<widgets::AuditPage*>()->form();
        form.set_forecasts(there_.path("results"), {there_.path("series.csv")});
        QVERIFY2(
            !form.import_button()->isEnabled() && form.import_button()->toolTip().contains("is on cluster"),
            qPrintable(form.import_button()->toolTip()));
        QSignalSpy ended(&library, &widgets::RunLibrary::moves_ended);
        library.start_discard({run});
        QTRY_COMPARE(ended.size(), 1);
        const auto moves = ended.at(0).at(0).value<widgets::RunMoves>();
        QVERIFY2(moves.moved.isEmpty() && moves.problems.join(' ').contains("These runs are on cluster"),
                 qPrintable(moves.problems.join(' ')));
        QVERIFY(QFile::exists(run + "/run.json") && QFile::exists(there_.path("runs/small/single/run.json")));

        auto* panel = window->findChild<widgets::RunsPanel*>();
        const auto buttons = panel->findChildren<QToolButton*>();
        QVERIFY(std::any_of(buttons.begin(), buttons.end(), [&](const QToolButton* button) {
            return button->text().startsWith("cluster: ") && button->toolTip().contains(address());
        }));
        panel->select_runs({run});
        for (const auto* name : {"runs_discard", "runs_resume"}) {
            QTRY_VERIFY(!panel->action(name)->isEnabled());
            QVERIFY2(panel->action(name)->toolTip().startsWith("These runs are on cluster."),
                     qPrintable(panel->action(name)->toolTip()));
        }
        QVERIFY(panel->action("runs_fork")->isEnabled());
        Q_EMIT panel->commands()->export_requested({run});
        VERIFY_HAS(window->info().text("error"),
                   "caspstudio --archive " + there_.path("runs/small/single") + " --out");

        // A run that is trained there, with another seed.
        QProcess second;
        start(second, test::small_experiment("[sweep]\n\"train.seed\" = [5]\n")
                          .replace("epochs = 3", "epochs = 100000\npatience = 100000"));
        QTRY_COMPARE_WITH_TIMEOUT(library.size(), 2, test::run_limit);
        const auto live = library.at(1).folder;
        QTRY_VERIFY_WITH_TIMEOUT(library.at(1).live, test::run_limit);
        QVERIFY(!action("run.pause")->isEnabled());
        window->selection().set_runs({live});
        QTRY_VERIFY(action("run.pause")->isEnabled() && action("run.cancel")->isEnabled());
        action("run.pause")->trigger();
        const auto live_there = there_.path("runs/small/seed-5").toStdString();
        QTRY_VERIFY_WITH_TIMEOUT(store::read_control(live_there).pause, test::run_limit);
        QTRY_VERIFY_WITH_TIMEOUT(action("run.pause")->text().contains("Resu"), test::run_limit);
        const auto state_of = [&] {
            const auto* model = panel->model();
            return model->index(model->row_of(live), 0).data(widgets::RunsModel::StateRole).toString();
        };
        QTRY_COMPARE(state_of(), QStringLiteral("paused"));
        VERIFY_HAS(action("run.cancel")->toolTip(), "batch or worker");
        relay_->cut();
        action("run.pause")->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(!store::read_control(live_there).pause, test::run_limit);
        QTRY_COMPARE_WITH_TIMEOUT(state_of(), QStringLiteral("running"), test::run_limit);
        action("run.finish")->trigger();
        QVERIFY(second.waitForFinished(test::run_limit));
        QTRY_VERIFY_WITH_TIMEOUT(
            library.at(1).row.state == store::RunState::finished_early && !library.at(1).live,
            test::run_limit);

        // The first run again with another λ_cov, there.
        window->selection().set_runs({run});
        window->experiment().set("loss.lambda_cov", 0.25);
        window->launcher().run_with_lambda();
        QTRY_COMPARE_WITH_TIMEOUT(library.size(), 3, test::run_limit);
        QTRY_VERIFY_WITH_TIMEOUT(library.at(2).row.state == store::RunState::finished, test::run_limit);
        QCOMPARE(library.at(2).row.lambda_cov, 0.25);
        QTRY_VERIFY_WITH_TIMEOUT(window->selection().state().runs.contains(library.at(2).folder),
                                 test::run_limit);

        // The form's data may not be there.
        auto config =
            config::load_text(there_.read("runs/small/single/config.toml").toStdString(), "config.toml", {})
                .base;
        window->experiment().replace(config, {}, "small");
        const auto shown = window->selection().state().runs;
        window->findChild<widgets::RunsPanel*>()->view()->clearSelection();
        window->selection().set_runs({});
        window->launcher().run_with_lambda();
        VERIFY_HAS(window->info().text("error"), "may not have this data");
        window->selection().set_runs(shown);

        // A fork of it.
        config.loss.lambda_cov = 0.5;
        config.train.continue_from = run.toStdString();
        config.train.epochs += 1;
        window->launcher().fork(config, "branch");
        QTRY_COMPARE_WITH_TIMEOUT(library.size(), 4, test::run_limit);
        QTRY_VERIFY_WITH_TIMEOUT(library.at(3).row.state == store::RunState::finished, test::run_limit);
        VERIFY_HAS(library.at(3).name, "branch");
        const auto& swept = library.at(3).row.swept;
        QVERIFY(std::count(swept.begin(), swept.end(),
                           std::pair<std::string, std::string>("train.epochs",
                                                               std::to_string(config.train.epochs))) == 1);
        // The parent's path there exists here, too: elsewhere it is the copy's (store::parent_of()).
        QVERIFY2(library.at(3).parent.endsWith("/small/single"), qPrintable(library.at(3).parent));

        // The session remembers the address.
        QVERIFY(window->save_session());
        QCOMPARE(place.saved().output_folder, address());
        window->set_output_folder(place.runs());
        QVERIFY(library.remote() == nullptr);
        QTRY_COMPARE(library.size(), 0);
    }

    void problems_are_shown() {
        const test::WindowPlace place;
        auto window = place.open();
        window->open_paths({"ssh://cluster"});
        QTRY_VERIFY(window->info().isVisible());
        QCOMPARE(window->library().folder(), place.runs());
        window->open_paths({"ssh://cluster" + there_.path("nothing") + "?program=" CASP_EXECUTABLE});
        QTRY_VERIFY_WITH_TIMEOUT(window->info().text("remote").contains("nothing"), test::run_limit);
        QTRY_VERIFY(!window->info().text("error").contains("nothing"));
        QCOMPARE(window->findChild<widgets::MessageDrawer*>()->texts().filter("nothing").size(), 1);
        const auto labels = window->findChild<widgets::RunsPanel*>()->findChildren<QLabel*>();
        QVERIFY(std::any_of(labels.begin(), labels.end(), [](const QLabel* label) {
            return label->text() == "Not connected to cluster.";
        }));
        // It is not offered again, but can be corrected.
        QVERIFY(window->save_session());
        QVERIFY(place.saved().recent_folders.filter("ssh://").isEmpty());
        window->actions().find("file.remote")->trigger();
        auto* dialog = window->findChild<QInputDialog*>("remote-folder");
        QVERIFY(dialog != nullptr && dialog->textValue().contains("nothing"));
        dialog->close();
        // An address that works, after one that does not.
        window->open_paths({address()});
        QVERIFY(!window->info().has("remote"));
        QTRY_VERIFY_WITH_TIMEOUT(window->library().remote()->status().complete, test::run_limit);
        QVERIFY(window->save_session());
        QCOMPARE(place.saved().recent_folders.filter("ssh://"), QStringList{address()});
    }

private:
    [[nodiscard]] QString address() const {
        return "ssh://cluster" + there_.path("runs") + "?program=" CASP_EXECUTABLE;
    }
    /// Trains in the served folder.
    void start(QProcess& process, const QByteArray& experiment) const {
        there_.write("small.toml", experiment);
        there_.prepare(process, {"--batch", "small.toml", "--out", "runs"});
        process.setStandardErrorFile(QProcess::nullDevice());
        process.setStandardOutputFile(QProcess::nullDevice());
        process.start();
    }

    std::unique_ptr<test::SshServer> ssh_;
    std::unique_ptr<test::Relay> relay_;
    test::Workplace there_;
};

TEST_MAIN(TestRemoteWindow)
#include "test_remote_window.moc"

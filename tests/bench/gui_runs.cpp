// A folder with very many runs, opened in the real window.
//
//     xvfb-run -a casp_gui_runs [runs]     (or QT_QPA_PLATFORM=offscreen; 10000 unless told)
//
// One run of Try it's model is trained and copied (its weights are not: no list reads them), each copy with a
// seed, a λ_cov and errors of its own. Then: how long it takes to open them, to sort, filter and choose them,
// to show many at once in each page (which draws ShownRuns::max_drawn of them), and to move a thousand to the
// wastebasket and back; and how late a timer of 10 ms in the window's event loop comes meanwhile.

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <vector>

#include <QApplication>
#include <QElapsedTimer>
#include <QHeaderView>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

#include <nlohmann/json.hpp>

#include "config/experiment.h"
#include "gui/actions.h"
#include "gui/launcher.h"
#include "gui/main_window.h"
#include "gui/run_queue.h"
#include "panels/runs/runs_panel.h"
#include "state/experiment_model.h"
#include "state/file_run_library.h"
#include "state/selection.h"
#include "util/embedded.h"
#include "util/memory.h"
#include "util/threads.h"
#include "vtk/opengl.h"

using namespace casp;
namespace fs = std::filesystem;

namespace {

constexpr int patience_ms = 300'000;

/// Trains one run in the window; its folder.
QString train_one(gui::MainWindow& window) {
    auto experiment =
        config::load_text(embedded_file("resources/experiments/try-it.toml"), "try-it.toml", {});
    auto config = experiment.base;
    config.data.path = gui::sample_file().toStdString();
    config.train.max_steps = 100;
    config.name = "one";
    window.experiment().replace(config, {}, "one");
    window.actions().find("run.start")->trigger();
    const auto folder = window.selection().state().runs.value(0);
    (void)QTest::qWaitFor([&] { return !window.queue().is_running(); }, patience_ms);
    return folder;
}

void copy_runs(const fs::path& run, const fs::path& into, int count) {
    auto status = nlohmann::ordered_json::parse(std::ifstream(run / "run.json"));
    for (int i = 0; i < count; ++i) {
        const auto folder = into / ("sweep-" + std::to_string(i / 1000)) / ("run-" + std::to_string(i));
        fs::create_directories(folder);
        for (const auto* name : {"run.h5", "config.toml", "log.txt"})
            fs::create_hard_link(run / name, folder / name);
        auto& row = status["row"];
        row["run"] = folder.filename().string();
        row["seed"] = 2021 + i % 13;
        row["lambda_cov"] = (i % 7) * 0.05;
        row["test_mse"] = 0.3 + (i * 7919 % 1000) * 1e-4;
        row["val_mse"] = 0.6 + (i * 7919 % 1000) * 1e-4;
        std::ofstream(folder / "run.json") << status.dump(2);
    }
}

/// Runs `act`, waits until `done` and everything is drawn, and prints what that took.
void measure(const char* what, const std::function<void()>& act, const std::function<bool()>& done) {
    std::vector<double> late;
    QElapsedTimer clock;
    clock.start();
    qint64 last = clock.nsecsElapsed();
    QTimer timer;
    timer.setTimerType(Qt::PreciseTimer);
    const auto tick = [&] {
        const auto now = clock.nsecsElapsed();
        late.push_back(std::max(0.0, double(now - last) / 1e6 - 10));
        last = now;
    };
    QObject::connect(&timer, &QTimer::timeout, tick);
    timer.start(10);
    act();
    const auto call = double(clock.nsecsElapsed()) / 1e6;
    const bool came = QTest::qWaitFor(done, patience_ms);
    const auto ready = double(clock.nsecsElapsed()) / 1e6;
    QTest::qWait(1000);  // what is drawn a moment later belongs to it
    std::sort(late.begin(), late.end());
    const auto at = [&](double share) {
        return late.empty() ? 0.0 : late[std::min(late.size() - 1, std::size_t(share * double(late.size())))];
    };
    std::printf("| %s | %.0f ms | %.0f ms%s | %.1f ms | %.0f ms |\n", what, call, ready,
                came ? "" : " (NOT DONE)", at(0.99), late.empty() ? 0.0 : late.back());
    std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
    // As the program itself does (app/main.cpp, app/gui/gui_main.cpp).
    keep_freed_memory();
    if (set_thread_sleep(ThreadSleep::at_once)) ::execv("/proc/self/exe", argv);  // as the program does
    widgets::set_default_surface_format();
    QCoreApplication::setAttribute(Qt::AA_ShareOpenGLContexts);
    QApplication application(argc, argv);
    setlocale(LC_NUMERIC, "C");
    QApplication::setStyle("Fusion");
    gui::remember_system_palette(application);
    const int count = QApplication::arguments().value(1, "10000").toInt();

    const QTemporaryDir place;
    gui::MainWindow window{gui::SessionFile(place.filePath("session.json"))};
    window.set_output_folder(place.filePath("runs"));
    window.resize(1480, 920);
    window.show();
    const auto run = train_one(window);
    const auto many = place.filePath("many");
    copy_runs(run.toStdString(), many.toStdString(), count);
    auto* panel = window.findChild<widgets::RunsPanel*>();
    auto* header = panel->view()->horizontalHeader();
    const auto drawn = [] { return true; };

    std::printf(
        "| %d runs | in the call | until it stands | 10 ms timer late, p99 | worst "
        "|\n|---|---|---|---|---|\n",
        count);
    measure(
        "opened", [&] { window.set_output_folder(many); },
        [&] { return panel->model()->rowCount() == count; });
    measure(
        "sorted by test MSE",
        [&] {
            header->setSortIndicator(static_cast<int>(widgets::result_column("test_mse")),
                                     Qt::AscendingOrder);
        },
        drawn);
    measure(
        "filtered: lambda_cov>0.05 seed=2021,2024",
        [&] { panel->set_filter_text("lambda_cov>0.05 seed=2021,2024"); },
        [&] { return panel->model()->rowCount() < count; });
    measure(
        "all again", [&] { panel->set_filter_text({}); },
        [&] { return panel->model()->rowCount() == count; });
    QStringList folders;
    for (int i = 0; i < count; ++i) folders << panel->model()->run(i).folder;
    for (const auto* page : {"training", "anchors", "forecasts", "embeddings", "compare"}) {
        window.show_dock(page);
        for (const int shown : {2, 20, 200, count}) {
            if (shown > count) continue;
            window.selection().set_runs({});
            QTest::qWait(500);
            measure(
                qPrintable(QString("%1 shown, %2 open").arg(shown).arg(page)),
                [&] { window.selection().set_runs(folders.mid(0, shown)); }, drawn);
        }
    }
    window.selection().set_runs({});
    const int moved = std::min(1000, count);
    const auto says = [panel](const QString& button) {
        return panel->banner()->isVisible() && panel->banner()->button()->text() == button;
    };
    measure(
        qPrintable(QString("%1 to the wastebasket").arg(moved)),
        [&] { panel->removal()->discard(folders.mid(0, moved)); },
        [&] { return panel->model()->rowCount() == count - moved && says("Undo"); });
    measure(
        "and back", [&] { panel->banner()->button()->click(); },
        [&] { return panel->model()->rowCount() == count; });
    window.close();
    return 0;
}

// How smooth the window stays while a run trains on all cores, and what drawing costs.
//
//     xvfb-run -a casp_gui_latency [seconds]     (or QT_QPA_PLATFORM=offscreen)
//
// A timer of 10 ms in the window's event loop measures how late each tick comes: median, 99th percentile and
// worst, first without a run, then while the quick start's model trains with each page open and updating.
// The program's start is measured by gui_start.py.
// Then, with that run shown, what a change of theme takes until everything that can be seen is drawn.

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <utility>
#include <vector>

#include <QApplication>
#include <QDockWidget>
#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

#include "config/experiment.h"
#include "gui/actions.h"
#include "gui/launcher.h"
#include "gui/main_window.h"
#include "gui/run_queue.h"
#include "panels/data/data_panel.h"
#include "state/experiment_model.h"
#include "state/file_run_library.h"
#include "state/selection.h"
#include "util/embedded.h"
#include "util/memory.h"
#include "util/threads.h"
#include "vtk/opengl.h"

using namespace casp;

namespace {

/// Lateness of a 10 ms timer over `seconds`, in ms.
std::vector<double> lateness(double seconds) {
    std::vector<double> late;
    QTimer timer;
    timer.setTimerType(Qt::PreciseTimer);
    QElapsedTimer clock;
    clock.start();
    qint64 last = clock.nsecsElapsed();
    QObject::connect(&timer, &QTimer::timeout, [&] {
        const auto now = clock.nsecsElapsed();
        late.push_back(std::max(0.0, double(now - last) / 1e6 - 10));
        last = now;
    });
    timer.start(10);
    QTest::qWait(int(seconds * 1000));
    std::sort(late.begin(), late.end());
    return late;
}

void print(const char* what, const std::vector<double>& late) {
    if (late.empty()) return;
    const auto at = [&](double share) {
        return late[std::min(late.size() - 1, std::size_t(share * double(late.size())))];
    };
    std::printf("| %s | %zu | %.1f ms | %.1f ms | %.1f ms |\n", what, late.size(), at(0.5), at(0.99),
                late.back());
    std::fflush(stdout);
}

/// Milliseconds of the GUI thread: in the change itself, and with the drawing; medians of eight.
std::pair<double, double> theme_cost(gui::MainWindow& window) {
    std::vector<double> calls, all;
    for (int round = 0; round < 8; ++round) {
        QElapsedTimer clock;
        clock.start();
        window.set_theme(round % 2 == 0 ? gui::Theme::dark : gui::Theme::light);
        calls.push_back(double(clock.nsecsElapsed()) / 1e6);
        for (int pass = 0; pass < 3; ++pass) QCoreApplication::processEvents();  // layout, then paint
        all.push_back(double(clock.nsecsElapsed()) / 1e6);
        QTest::qWait(200);
    }
    std::sort(calls.begin(), calls.end());
    std::sort(all.begin(), all.end());
    return {calls[4], all[4]};
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
    const double seconds = QApplication::arguments().value(1, "60").toDouble();

    QElapsedTimer clock;
    clock.start();
    const QTemporaryDir place;
    gui::MainWindow window{gui::SessionFile(place.filePath("session.json"))};
    window.set_output_folder(place.filePath("runs"));
    window.resize(1480, 920);  // on a smaller screen, too
    window.show();
    window.grab();
    std::printf("the window alone, made and painted: %.0f ms\n\n", double(clock.elapsed()));
    QTest::qWait(1500);

    std::printf(
        "| 10 ms timer | ticks | median lateness | 99th percentile | worst |\n|---|---|---|---|---|\n");
    print("window idle", lateness(std::min(10.0, seconds)));
    auto experiment =
        config::load_text(embedded_file("resources/experiments/try-it.toml"), "try-it.toml", {});
    auto config = experiment.base;
    config.data.path = gui::sample_file().toStdString();
    const auto begin = [&](const char* name) {
        config.name = name;
        window.experiment().replace(config, {}, name);
        window.actions().find("run.start")->trigger();
        return window.selection().state().runs.value(0);
    };
    const auto wait_idle = [&] {
        return QTest::qWaitFor([&] { return !window.queue().is_running(); }, 300'000);
    };
    // What Compare and Data have to show.
    auto* data = window.findChild<widgets::DataPanel*>();
    window.open_paths({gui::sample_file()});
    bool ready = QTest::qWaitFor([&] { return data->is_settled(); }, 60'000);
    QStringList compared;
    config.train.max_steps = 10;
    for (const double lambda : {0.0, 0.1}) {
        config.loss.lambda_cov = lambda;
        compared << begin("compared");
        ready = wait_idle() && ready;
    }
    if (!ready) std::printf("not all pages have something to show\n");
    config.train.max_steps = 0;
    config.train.epochs = 1000;
    config.train.patience = 1000;
    const auto folder = begin("bench");
    (void)QTest::qWaitFor(
        [&] {
            return window.library().data(folder) != nullptr &&
                   !window.library().data(folder)->record().steps.step.empty();
        },
        60000);
    for (const auto* page : {"training", "anchors", "forecasts", "embeddings", "data", "compare"}) {
        const bool compares = qstrcmp(page, "compare") == 0;
        window.selection().set_runs(compares ? compared + QStringList{folder} : QStringList{folder});
        window.show_dock(page);
        QTest::qWait(1000);
        const auto before = window.library().data(folder)->record().steps.step.size();
        const auto late = lateness(seconds);
        const auto steps = window.library().data(folder)->record().steps.step.size() - before;
        print(qPrintable(QString("a run trains, %1 page open (%2 steps/s)")
                             .arg(page)
                             .arg(double(steps) / seconds, 0, 'f', 2)),
              late);
    }
    window.queue().interrupt_all();
    (void)wait_idle();
    window.selection().set_runs({folder});

    std::printf("\n| change of theme | in the call | until all is drawn |\n|---|---|---|\n");
    for (const auto* page : {"start", "data", "training", "anchors", "forecasts", "embeddings", "compare"}) {
        window.show_dock(page);
        QTest::qWait(1000);
        const auto [call, all] = theme_cost(window);
        std::printf("| %s page open | %.0f ms | %.0f ms |\n", page, call, all);
        std::fflush(stdout);
    }

    window.close();
    return 0;
}

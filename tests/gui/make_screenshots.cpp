// Takes the pictures of docs/guide from the real window: the steps that the guide tells, with the sample data
// set.
//
//     xvfb-run -a -s "-screen 0 1600x1000x24" casp_screenshots FOLDER [light|dark] [1480x920]
//
// CASP_LANGUAGE=zh_CN: of the window in Chinese.
//
// Not a test: a person looks at what it writes.

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <span>

#include <QApplication>
#include <QComboBox>
#include <QCryptographicHash>
#include <QDir>
#include <QDockWidget>
#include <QDropEvent>
#include <QElapsedTimer>
#include <QInputDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QMimeData>
#include <QMouseEvent>
#include <QPlainTextEdit>
#include <QProcess>
#include <QPushButton>
#include <QTemporaryDir>
#include <QtTest>

#include "audit/window_array.h"
#include "charts/export_dialog.h"
#include "charts/view_frame.h"
#include "config/experiment.h"
#include "core/audit/npy_writer.h"
#include "gui/actions.h"
#include "gui/command_palette.h"
#include "gui/info_bar.h"
#include "gui/language.h"
#include "gui/launcher.h"
#include "gui/main_window.h"
#include "gui/run_queue.h"
#include "inspect/forecast_export.h"
#include "panels/audit/audit_page.h"
#include "panels/data/data_panel.h"
#include "panels/embeddings/embeddings_page.h"
#include "panels/embeddings/embeddings_source.h"
#include "panels/embeddings/embeddings_space.h"
#include "panels/experiment/option_editor.h"
#include "panels/experiment/sweep_editor.h"
#include "panels/forecasts/forecasts_ahead.h"
#include "panels/forecasts/forecasts_page.h"
#include "panels/submit/submit_dialog.h"
#include "panels/view/model_question.h"
#include "state/experiment_model.h"
#include "state/file_run_library.h"
#include "state/selection.h"
#include "util/threads.h"
#include "vtk/embedding_view.h"
#include "vtk/opengl.h"

using namespace casp;

namespace {

QString folder;

void take(QWidget& widget, const QString& name, int wait = 700) {
    QTest::qWait(wait);
    const auto path = folder + '/' + name + ".png";
    if (!widget.grab().save(path, "PNG", 60)) std::fprintf(stderr, "cannot write %s\n", qPrintable(path));
    std::printf("%s\n", qPrintable(path));
    std::fflush(stdout);
}

/// The export dialog of a page's first view, as its menu opens it.
void take_export(gui::MainWindow& window, const QString& dock, const QString& file, const QString& name) {
    window.show_dock(dock);
    QTest::qWait(700);
    auto* frame = window.dock(dock)->findChild<widgets::ViewFrame*>();
    if (frame == nullptr) return;
    widgets::ExportDialog dialog(frame->current_figure(), &window);
    dialog.set_base_path(file);
    dialog.show();
    take(dialog, name);
}

/// A lasso around the series point of that id and its neighbours, with the mouse.
void lasso(widgets::EmbeddingView& view, std::size_t point) {
    constexpr int radius = 45;
    const auto middle = view.place_of(point).toPoint();
    QTest::mousePress(&view, Qt::LeftButton, Qt::ShiftModifier, middle + QPoint(radius, 0));
    for (int degrees = 15; degrees <= 360; degrees += 15) {
        const double angle = qDegreesToRadians(double(degrees));
        const auto at = middle + QPointF(radius * std::cos(angle), radius * std::sin(angle)).toPoint();
        QMouseEvent move(QEvent::MouseMove, at, view.mapToGlobal(at), Qt::NoButton, Qt::LeftButton,
                         Qt::ShiftModifier);
        QApplication::sendEvent(&view, &move);
    }
    QTest::mouseRelease(&view, Qt::LeftButton, Qt::NoModifier, middle + QPoint(radius, 0));
}

/// Embeddings computed, laid out by t-SNE, points chosen: the same choice on the other pages.
bool take_linked(gui::MainWindow& window) {
    // The page computes four runs at most.
    window.selection().set_runs(window.selection().state().runs.mid(0, 4));
    window.show_dock("embeddings");
    auto* page = window.findChild<widgets::EmbeddingsPage*>();
    if (page == nullptr) return false;
    page->source().compute();
    const auto ready = [&] {
        const auto runs = window.selection().state().runs;
        return std::all_of(runs.begin(), runs.end(), [&](const auto& run) {
            const auto set = window.library().data(run)->embeddings();
            return set && !set->live;
        });
    };
    if (!QTest::qWaitFor(ready, 300000)) return false;
    QTest::qWait(3000);  // every run's are shown
    page->start_tsne();
    QTest::qWait(500);
    if (!QTest::qWaitFor([&] { return !page->layout_work().is_busy(); }, 600000)) return false;
    QTest::qWait(500);
    auto& view = page->space().view();
    view.fit();
    const auto run = window.selection().state().runs.value(0);
    const auto anchors = static_cast<std::size_t>(window.library().data(run)->embeddings()->values.pool_size);
    lasso(view, anchors + 100);
    if (!QTest::qWaitFor([&] { return !window.info().has("note"); }, 15000)) return false;
    for (const auto* dock : {"embeddings", "anchors", "forecasts"}) {
        window.show_dock(dock);
        take(window, QString("linked-") + dock, 2500);
    }
    window.selection().clear();
    return true;
}

/// The rows after the last one of the data set, of two channels, and a file dragged over the page.
bool take_ahead(gui::MainWindow& window) {
    window.show_dock("forecasts");
    window.selection().set_channels({4, 6});
    window.actions().find("forecast.ahead")->trigger();
    auto* page = window.findChild<widgets::ForecastsPage*>();
    if (!QTest::qWaitFor([&] { return !page->ahead().is_busy(); }, 120000)) return false;
    take(window, "forecast-ahead", 1500);
    QMimeData file;
    file.setUrls({QUrl::fromLocalFile(QString::fromStdString(window.experiment().config().data.path))});
    QDragMoveEvent over(page->mapTo(&window, page->rect().center()), Qt::CopyAction, &file, Qt::LeftButton,
                        Qt::NoModifier);
    QApplication::sendEvent(window.windowHandle(), &over);
    take(window, "forecast-ahead-drop");
    QDragLeaveEvent leave;
    QApplication::sendEvent(window.windowHandle(), &leave);
    window.selection().clear();
    return true;
}

/// Forecasts of the first shown run as other code would save them: without the last batch of 64.
void save_results(const QString& run, const std::filesystem::path& folder) {
    inspect::export_arrays(run.toStdString(), folder);
    for (const char* name : {"pred.npy", "true.npy"}) {
        const auto array = audit::WindowArray::open(folder / name);
        const auto values = static_cast<std::size_t>(array.horizon() * array.channels());
        test::Windows kept(static_cast<std::size_t>(array.windows() / 64 * 64),
                           static_cast<std::size_t>(array.horizon()),
                           static_cast<std::size_t>(array.channels()));
        for (std::size_t w = 0; w < kept.windows; ++w)
            array.read(static_cast<std::int64_t>(w), std::span(kept.values).subspan(w * values, values));
        test::write_bytes(folder / name, test::npy_bytes(kept));
    }
}

/// An executable script.
void write_program(const QString& path, const QByteArray& commands) {
    QDir().mkpath(QFileInfo(path).path());
    QFile file(path);
    if (file.open(QIODevice::WriteOnly)) file.write("#!/bin/sh\n" + commands);
    file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
}

/// The dialog "Submit…" for the open sample, as on a login node.
bool take_submit(gui::MainWindow& window, const QString& place) {
    const auto path = qgetenv("PATH");
    write_program(place + "/bin/sbatch", "exit 1\n");
    qputenv("PATH", (place + "/bin:").toUtf8() + path);
    window.actions().find("file.use")->trigger();
    auto& experiment = window.experiment();
    (void)experiment.set("backbone.path", std::string("untrained"));
    (void)experiment.set_axis("train.seed", {"2021", "2022", "2023"});
    window.actions().find("run.submit")->trigger();
    auto* dialog = window.findChild<widgets::SubmitDialog*>();
    if (dialog == nullptr || !QTest::qWaitFor([&] { return dialog->is_settled(); }, 30000)) return false;
    auto* time = dialog->editor("time")->findChild<QLineEdit*>();
    QTest::keyClicks(time, "2:00:00");
    if (!QTest::qWaitFor([&] { return dialog->is_settled(); }, 30000)) return false;
    const auto with_usual_paths = [&](QString text) {
        return text.replace(place, "/home/ada")
            .replace(QApplication::applicationDirPath() + "/caspstudio", "/home/ada/bin/caspstudio");
    };
    auto* script = dialog->findChild<QPlainTextEdit*>();
    script->setPlainText(with_usual_paths(script->toPlainText()));
    for (auto* label : dialog->findChildren<QLabel*>()) label->setText(with_usual_paths(label->text()));
    take(*dialog, "submit");
    time->selectAll();
    QTest::keyClicks(time, "2 hours");
    take(*dialog, "submit-problem");
    dialog->close();
    experiment.undo_stack()->undo();
    qputenv("PATH", path);
    return true;
}

/// The folder of the shown runs as that of another machine, where one more run is trained.
bool take_remote(gui::MainWindow& window, const QString& place) {
    auto& library = window.library();
    const int runs = library.size();
    const auto there = window.launcher().output_folder();
    const auto run = window.selection().state().runs.value(0);
    write_program(place + "/bin/ssh", "exec '" CASP_EXECUTABLE "' --serve '" + there.toUtf8() + "'\n");
    qputenv("CASPSTUDIO_SSH", (place + "/bin/ssh").toUtf8());
    qputenv("XDG_CACHE_HOME", (place + "/cache").toUtf8());
    QProcess training;
    training.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    training.start(CASP_EXECUTABLE,
                   {"--batch", run + "/config.toml", "--out", there, "--set", "loss.lambda_cov=0.3", "--set",
                    "train.max_steps=100000", "--set", "train.epochs=20", "--set", "train.patience=20"});
    window.actions().find("file.remote")->trigger();
    auto* dialog = window.findChild<QInputDialog*>("remote-folder");
    if (dialog == nullptr) return false;
    dialog->setTextValue("ssh://ada@login1/~/runs");
    take(*dialog, "remote-folder");
    dialog->accept();
    const auto live = [&] {
        for (int i = 0; i < library.size(); ++i)
            if (library.at(i).live) return i;
        return -1;
    };
    if (!QTest::qWaitFor([&] { return library.size() > runs && live() >= 0; }, 60000)) return false;
    const auto shown = library.at(live()).folder;
    window.selection().set_runs({QFileInfo(shown).path() + '/' + QFileInfo(run).fileName(), shown});
    window.show_dock("training");
    const auto epochs = [&] { return library.data(shown)->record().epochs.epoch.size(); };
    if (!QTest::qWaitFor([&] { return epochs() >= 4; }, 200000)) return false;
    take(window, "remote", 2000);
    training.kill();
    training.waitForFinished();
    window.set_output_folder(there);
    return QTest::qWaitFor([&] { return library.size() > runs; }, 60000);
}

/// The import of forecasts of other code, beside the shown runs.
bool take_audit(gui::MainWindow& window, const QString& place) {
    auto* page = window.findChild<widgets::AuditPage*>();
    const auto folder = place + "/results/sample_192_48_CASP-LLM";
    const auto runs = window.selection().state().runs;
    save_results(runs.value(0), folder.toStdString());
    window.show_dock("audit");
    page->form().set_forecasts(folder);
    page->form().start();
    const auto done = [&] { return !page->is_pending() && page->text().contains("dropped-windows"); };
    if (!QTest::qWaitFor(done, 60000)) return false;
    if (!QTest::qWaitFor([&] { return !window.info().has("note"); }, 15000)) return false;
    take(window, "audit");
    window.selection().set_runs(runs);
    return true;
}

/// A model in Python: its file dropped, and the question before one from elsewhere is run.
bool take_python(gui::MainWindow& window, const QString& place) {
    const auto write = [](const QString& path, const QByteArray& text) {
        QFile file(path);
        return file.open(QIODevice::WriteOnly) && file.write(text) == text.size();
    };
    const QByteArray code =
        "import torch\n\nclass Mixer(torch.nn.Module):\n    ...\n\ndef make(task):\n    options = "
        "task.options\n    return Mixer(task.lookback, task.horizon, "
        "options.get('d_model', 64), options.get('dropout', 0.1),\n                 "
        "options.get('kind', 'time'))\n";
    if (!write(place + "/mixer.py", code)) return false;
    window.open_paths({place + "/mixer.py"});
    window.show_dock("training");
    window.show_dock("experiment");
    take(window, "own-model");
    const auto theirs = place + "/theirs";
    config::Config config;
    config.model.name = "python";
    config.python.file = "/home/ada/mixer.py";
    config.python.sha256 = QCryptographicHash::hash(code, QCryptographicHash::Sha256).toHex().toStdString();
    if (!QDir().mkpath(theirs) || !write(theirs + "/model.py", code) ||
        !write(theirs + "/config.toml", QByteArray::fromStdString(config::to_toml(config))))
        return false;
    widgets::with_trusted_model(&window, theirs, [] {});
    auto* question = window.findChild<QMessageBox*>("model-question");
    if (question == nullptr) return false;
    take(*question, "own-model-question");
    question->close();
    window.experiment().undo_stack()->undo();
    return true;
}

}  // namespace

int main(int argc, char** argv) {
    if (set_thread_sleep(ThreadSleep::at_once)) ::execv("/proc/self/exe", argv);  // as the program does
    widgets::set_default_surface_format();
    QApplication application(argc, argv);
    setlocale(LC_NUMERIC, "C");
    QApplication::setStyle("Fusion");
    QApplication::setApplicationName("caspstudio");
    gui::remember_system_palette(application);
    if (!gui::install_language(application, qEnvironmentVariable("CASP_LANGUAGE", "en"))) return 1;
    folder = QApplication::arguments().value(1, "screenshots");
    QDir().mkpath(folder);
    const bool dark = QApplication::arguments().value(2) == "dark";

    const QTemporaryDir place;
    qputenv("HOME", place.path().toUtf8());  // paths are shown as ~/…
    gui::MainWindow window{gui::SessionFile(place.filePath("session.json"))};
    window.set_output_folder(place.filePath("CASP runs"));
    window.set_theme(dark ? gui::Theme::dark : gui::Theme::light);
    const auto size = QApplication::arguments().value(3, "1480x920").split('x');
    window.resize(size.value(0).toInt(), size.value(1).toInt());
    window.show();
    take(window, "start");
    window.show_dock("training");
    take(window, "training-empty");
    window.show_dock("start");

    window.actions().find("file.sample")->trigger();
    auto* data = window.findChild<widgets::DataPanel*>();
    if (!QTest::qWaitFor([&] { return data->is_settled(); }, 30000)) return 1;
    take(window, "data-table");
    data->show_page(widgets::DataPanel::channels_page);
    take(window, "data-channels");
    data->show_page(widgets::DataPanel::preparation_page);
    take(window, "data-preparation");
    data->show_page(widgets::DataPanel::reading_page);
    take(window, "data-reading");
    if (!take_submit(window, place.path())) return 1;

    QElapsedTimer clock;
    clock.start();
    window.launcher().try_it();
    const auto first = window.selection().state().runs.value(0);
    auto moving = [&] {
        auto* run = window.library().data(first);
        return run != nullptr && run->record().steps.step.size() > 3;
    };
    if (!QTest::qWaitFor(moving, 60000)) return 1;
    std::printf("first steps after %.1f s\n", double(clock.elapsed()) / 1000);
    if (!QTest::qWaitFor([&] { return window.library().data(first)->record().steps.step.size() > 45; },
                         120000))
        return 1;
    take(window, "training-live");
    for (const auto* page : {"anchors", "embeddings", "forecasts"}) {
        window.show_dock(page);
        take(window, QString(page) + "-live", 1500);
    }
    if (!QTest::qWaitFor([&] { return !window.queue().is_running(); }, 300000)) return 1;
    std::printf("all runs after %.1f s\n", double(clock.elapsed()) / 1000);
    // The note is in place of the status bar for a while.
    if (!QTest::qWaitFor([&] { return !window.info().has("note"); }, 15000)) return 1;
    for (const auto* page : {"training", "anchors", "embeddings", "forecasts", "compare", "paper"}) {
        window.show_dock(page);
        take(window, page, 1500);
    }
    if (!take_ahead(window) || !take_audit(window, place.path()) || !take_python(window, place.path()))
        return 1;
    window.actions().find("view.palette")->trigger();
    auto* query = window.findChild<gui::CommandPalette*>()->findChild<QLineEdit*>();
    QTest::keyClicks(query, "run");
    take(window, "palette");
    QTest::keyClick(query, Qt::Key_Escape);
    window.selection().highlight({first});
    for (const auto* dock : {"sweep", "queue", "messages", "log", "difference", "help", "fetch"}) {
        window.show_dock(dock);
        take(window, dock);
        if (QString(dock) != "queue") window.dock(dock)->hide();
    }
    window.dock("queue")->hide();
    take_export(window, "training", "figures/loss-terms", "export");
    take_export(window, "compare", "figures/compare", "export-compare");
    const auto shown = window.selection().state().runs;
    if (!take_remote(window, place.path())) return 1;
    window.selection().set_runs(shown);
    if (!take_linked(window)) return 1;
    window.close();
    return QTest::qWaitFor([&] { return !window.isVisible(); }, 60000) ? 0 : 1;
}

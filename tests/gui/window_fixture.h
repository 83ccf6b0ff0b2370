#pragma once
// The real main window with a session, data and runs of its own.

#include <QApplication>
#include <QPushButton>
#include <QtTest>

#include "config/experiment.h"
#include "gui/actions.h"
#include "gui/info_bar.h"
#include "gui/launcher.h"
#include "gui/main_window.h"
#include "gui/run_queue.h"
#include "gui/theme.h"
#include "run_fixture.h"
#include "state/experiment_model.h"
#include "state/file_run_library.h"
#include "state/selection.h"
#include "test_program.h"
#include "vtk/opengl.h"
#include "widgets/require_gl.h"

namespace casp::test {

inline constexpr int run_limit = 120'000;  ///< ms until a tiny run must be over, on a busy machine

class WindowPlace {
public:
    [[nodiscard]] QString path(const QString& name) const { return shop_.path(name); }
    [[nodiscard]] QString session() const { return path("session.json"); }
    [[nodiscard]] QString runs() const { return path("runs"); }
    [[nodiscard]] QString csv() { return QString::fromStdString(shop_.csv()); }

    [[nodiscard]] std::unique_ptr<gui::MainWindow> open() const {
        auto window = std::make_unique<gui::MainWindow>(gui::SessionFile(session()));
        if (window->launcher().output_folder() != runs()) window->set_output_folder(runs());
        window->show();
        QApplication::setActiveWindow(window.get());
        return window;
    }

    /// What a window has saved.
    [[nodiscard]] gui::SessionState saved(int window = 1) const {
        return gui::SessionFile(session()).of_window(window).read(nullptr, false);
    }
    QString write(const QString& name, const QByteArray& bytes) const {
        QFile file(path(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size()) qFatal("cannot write");
        return file.fileName();
    }
    /// Starts a run and waits for its first steps; returns its folder.
    [[nodiscard]] QString start(gui::MainWindow& window, std::int64_t epochs,
                                double checkpoint_seconds = 1000) {
        auto config = tiny(epochs);
        config.run.checkpoint_seconds = checkpoint_seconds;
        window.experiment().replace(config, {}, "tiny");
        window.actions().find("run.start")->trigger();
        const auto folder = window.selection().state().runs.value(0);
        const auto going = [&] {
            auto* run = window.library().data(folder);
            return run != nullptr && run->record().steps.step.size() > 3;
        };
        return QTest::qWaitFor(going, run_limit) ? folder : QString();
    }

    /// A tiny experiment on the test's CSV.
    [[nodiscard]] config::Config tiny(std::int64_t epochs = 2) {
        auto config = shop_.request("x", epochs).config;
        config.run.snapshot_steps = 2;
        config.loss.lambda_cov = 0.1;
        return config;
    }

private:
    Workshop shop_;
};

inline bool wait_idle(gui::MainWindow& window) {
    return QTest::qWaitFor([&] { return !window.queue().is_running(); }, run_limit);
}

/// Presses a message's button.
[[nodiscard]] inline bool press(gui::MainWindow& window, const QString& text) {
    QPushButton* found = nullptr;  // it shows a moment after its message was made
    const auto there = [&] {
        for (auto* button : window.info().findChildren<QPushButton*>())
            // Maybe behind a newer message; one that was removed has no name.
            if (button->text() == text && !button->isHidden() &&
                !button->parentWidget()->objectName().isEmpty())
                found = button;
        return found != nullptr;
    };
    if (!QTest::qWaitFor(there, 60000)) return false;
    found->click();
    return true;
}

/// As the program begins, but that OpenGL may be required.
template <class Test>
int run_window_test(int count, char** values) {
    widgets::set_default_surface_format();
    QApplication application(count, values);
    require_opengl();
    setlocale(LC_NUMERIC, "C");
    QApplication::setStyle("Fusion");
    gui::remember_system_palette(application);
    Test test;
    return QTest::qExec(&test, count, values);
}

}  // namespace casp::test

#define TEST_WINDOW(Test) \
    static const casp::test::Registered registered_##Test(__FILE_NAME__, casp::test::run_window_test<Test>);

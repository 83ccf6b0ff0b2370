#pragma once
// The real main window with a session, data and runs of its own.

#include <sys/resource.h>
#include <csignal>

#include <QApplication>
#include <QPushButton>
#include <QtTest>

#include "config/experiment.h"
#include "gui/actions.h"
#include "gui/info_bar.h"
#include "gui/launcher.h"
#include "gui/main_window.h"
#include "gui/run_queue.h"
#include "run_fixture.h"
#include "state/experiment_model.h"
#include "state/file_run_library.h"
#include "state/selection.h"

namespace casp::test {

inline constexpr int run_limit = 120'000;  ///< ms until a tiny run must be over, on a busy machine

/// A full disk as long as it lives: no file of this process can grow. Also for root.
struct FullDisk {
    FullDisk() {
        std::signal(SIGXFSZ, SIG_IGN);
        if (::getrlimit(RLIMIT_FSIZE, &before_) != 0) qFatal("no limits");
        rlimit none = before_;
        none.rlim_cur = 0;
        if (::setrlimit(RLIMIT_FSIZE, &none) != 0) qFatal("no limit");
    }
    FullDisk(const FullDisk&) = delete;
    FullDisk& operator=(const FullDisk&) = delete;
    ~FullDisk() { ::setrlimit(RLIMIT_FSIZE, &before_); }

private:
    rlimit before_{};
};

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
            if (button->text() == text && button->isVisible()) found = button;
        return found != nullptr;
    };
    if (!QTest::qWaitFor(there, 60000)) return false;
    found->click();
    return true;
}

}  // namespace casp::test

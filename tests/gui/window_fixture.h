#pragma once
// The real main window with a session, data and runs of its own.

#include <sys/resource.h>
#include <csignal>

#include <QApplication>
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

}  // namespace casp::test

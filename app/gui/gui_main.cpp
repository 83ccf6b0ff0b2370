#include "gui/gui_main.h"

#include <locale.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <optional>

#include <QApplication>
#include <QSocketNotifier>

#include "gui/application.h"
#include "gui/display.h"
#include "gui/main_window.h"
#include "gui/theme.h"
#include "util/error.h"
#include "vtk/opengl.h"

namespace casp::gui {

namespace {

int signal_sockets[2] = {-1, -1};

extern "C" void pass_on_signal(int) {
    const char byte = 1;
    if (write(signal_sockets[0], &byte, 1) < 0) _exit(130);
}

/// Ctrl+C in the terminal and a system that shuts down close the window with a checkpoint, as a person would,
/// but nobody is asked: the answer might never come.
void close_on_signals(MainWindow& window) {
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, signal_sockets) != 0) return;
    auto* notifier = new QSocketNotifier(signal_sockets[1], QSocketNotifier::Read, &window);
    QObject::connect(notifier, &QSocketNotifier::activated, &window, [&window, notifier] {
        notifier->setEnabled(false);
        window.close_for_signal();
    });
    struct sigaction action {};
    action.sa_handler = pass_on_signal;
    sigemptyset(&action.sa_mask);
    action.sa_flags = SA_RESTART | SA_RESETHAND;  // the second one ends the program at once
    for (const int number : {SIGINT, SIGTERM}) sigaction(number, &action, nullptr);
    // A terminal that goes is told of twice, by the system and by the shell. After nohup it does not matter.
    struct sigaction before {};
    action.sa_flags = SA_RESTART;
    if (sigaction(SIGHUP, nullptr, &before) == 0 && before.sa_handler != SIG_IGN)
        sigaction(SIGHUP, &action, nullptr);
}

}  // namespace

int run_window(int& argc, char** argv, const std::vector<std::string>& files) {
    std::optional<DisplayProbe> display(std::in_place);
    if (!display->problem().empty())
        throw input_error(
            {}, display->problem(), {},
            "Everything also works without a window: caspstudio --batch FILE.toml (see --help).");
    widgets::set_default_surface_format();  // before the application, as VTK wants it
    QCoreApplication::setAttribute(Qt::AA_ShareOpenGLContexts);
    Application application(argc, argv);
    display.reset();
    setlocale(LC_NUMERIC, "C");  // QApplication took the user's: numbers in files have a point
    QApplication::setApplicationName(QStringLiteral("caspstudio"));
    QApplication::setApplicationDisplayName(QStringLiteral("CASP Studio"));
    QApplication::setApplicationVersion(QStringLiteral(CASP_VERSION));
    QApplication::setOrganizationName(QStringLiteral("caspstudio"));
    QApplication::setStyle(QStringLiteral("Fusion"));
    remember_system_palette(application);

    MainWindow window;
    application.unexpected = [&window](const QString& problem) { window.report_unexpected(problem); };
    close_on_signals(window);
    window.show();
    QStringList paths;
    for (const auto& file : files) paths << QString::fromStdString(file);
    if (!paths.isEmpty())
        QMetaObject::invokeMethod(
            &window, [&] { window.open_paths(paths); }, Qt::QueuedConnection);
    const int status = QApplication::exec();
    application.unexpected = nullptr;  // the window goes before the application
    return status;
}

}  // namespace casp::gui

#include "gui/gui_main.h"

#include <locale.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>
#include <iostream>

#include <QApplication>
#include <QLocale>
#include <QSocketNotifier>

#include "gui/application.h"
#include "gui/language.h"
#include "gui/main_window.h"
#include "gui/theme.h"
#include "util/build_info.h"
#include "util/error.h"
#include "vtk/opengl.h"

namespace casp::gui {

namespace {

int signal_sockets[2] = {-1, -1};

extern "C" void pass_on_signal(int) {
    const char byte = 1;
    if (write(signal_sockets[0], &byte, 1) < 0) _exit(130);
}

/// Ctrl+C in the terminal and a system shutdown close the window with a checkpoint, without asking: nobody
/// may be there to answer.
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
    action.sa_flags = SA_RESTART | SA_RESETHAND;  // the second signal ends the program immediately
    for (const int number : {SIGINT, SIGTERM}) sigaction(number, &action, nullptr);
    // A closed terminal is signalled twice, by the system and by the shell. Under nohup it is ignored.
    struct sigaction before {};
    action.sa_flags = SA_RESTART;
    if (sigaction(SIGHUP, nullptr, &before) == 0 && before.sa_handler != SIG_IGN)
        sigaction(SIGHUP, &action, nullptr);
}

/// Qt ends the program where no window can be opened (no display): in one line, with what it said before.
void say_why_no_window(QtMsgType type, const QMessageLogContext&, const QString& text) {
    static QString reason;
    if (type != QtFatalMsg) {
        reason = text.section(QLatin1Char('\n'), 0, 0).trimmed();
        return;
    }
    const auto error = input_error(
        {}, reason.isEmpty() ? Phrase("no display") : Phrase("no display (%1)", reason.toStdString()), {},
        "To work without the window, use caspstudio --batch FILE.toml (see --help).");
    std::cerr << "caspstudio: " << error.what() << std::endl;
    std::_Exit(2);
}

}  // namespace

int run_window(int& argc, char** argv, const std::vector<std::string>& files) {
    widgets::set_default_surface_format();  // VTK requires this before the application exists
    QCoreApplication::setAttribute(Qt::AA_ShareOpenGLContexts);
    qInstallMessageHandler(say_why_no_window);
    Application application(argc, argv);
    qInstallMessageHandler(nullptr);
    setlocale(LC_NUMERIC, "C");  // QApplication set the user's locale; numbers in files use a point
    QApplication::setApplicationName(QStringLiteral("caspstudio"));
    QApplication::setApplicationDisplayName(QStringLiteral("CASP Studio"));
    QApplication::setApplicationVersion(QString::fromStdString(program_version()));
    QApplication::setDesktopFileName(QStringLiteral("caspstudio"));  // resources/desktop/caspstudio.desktop
    QApplication::setWindowIcon(application_icon());
    QApplication::setOrganizationName(QStringLiteral("caspstudio"));
    QApplication::setStyle(QStringLiteral("Fusion"));
    remember_system_palette(application);
    install_language(application, language_for(chosen_language(), QLocale::system().uiLanguages()));

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
    application.unexpected = nullptr;  // the window is destroyed before the application
    return status;
}

}  // namespace casp::gui

#include "gui/gui_main.h"

#include <dlfcn.h>
#include <locale.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include <QApplication>
#include <QDir>
#include <QLibraryInfo>
#include <QSocketNotifier>

#include "gui/main_window.h"
#include "gui/theme.h"
#include "util/error.h"
#include "vtk/opengl.h"

namespace casp::gui {

namespace {

std::string environment(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? std::string() : std::string(value);
}

/// Asks the X server itself: a DISPLAY that nobody serves would make Qt abort.
bool x_server_answers() {
    void* library = dlopen("libxcb.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) return true;  // cannot tell: let Qt find out
    using Connect = void* (*)(const char*, int*);
    using HasError = int (*)(void*);
    using Disconnect = void (*)(void*);
    const auto connect = reinterpret_cast<Connect>(dlsym(library, "xcb_connect"));
    const auto has_error = reinterpret_cast<HasError>(dlsym(library, "xcb_connection_has_error"));
    const auto disconnect = reinterpret_cast<Disconnect>(dlsym(library, "xcb_disconnect"));
    if (connect == nullptr || has_error == nullptr || disconnect == nullptr) return true;
    void* connection = connect(nullptr, nullptr);
    const bool answers = has_error(connection) == 0;
    disconnect(connection);
    return answers;
}

bool wayland_answers() {
    const auto name = environment("WAYLAND_DISPLAY"), folder = environment("XDG_RUNTIME_DIR");
    if (name.empty()) return false;
    const auto socket =
        name.front() == '/' ? std::filesystem::path(name) : std::filesystem::path(folder) / name;
    const QDir plugins(QLibraryInfo::path(QLibraryInfo::PluginsPath) + QStringLiteral("/platforms"));
    return std::filesystem::exists(socket) && !plugins.entryList({QStringLiteral("libqwayland*")}).isEmpty();
}

int signal_sockets[2] = {-1, -1};

extern "C" void pass_on_signal(int) {
    const char byte = 1;
    if (write(signal_sockets[0], &byte, 1) < 0) _exit(130);
}

/// Ctrl+C in the terminal and a system that shuts down close the window as a person would: with a checkpoint.
void close_on_signals(MainWindow& window) {
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, signal_sockets) != 0) return;
    auto* notifier = new QSocketNotifier(signal_sockets[1], QSocketNotifier::Read, &window);
    QObject::connect(notifier, &QSocketNotifier::activated, &window, [&window, notifier] {
        notifier->setEnabled(false);
        window.close();
    });
    struct sigaction action {};
    action.sa_handler = pass_on_signal;
    sigemptyset(&action.sa_mask);
    action.sa_flags = SA_RESTART | SA_RESETHAND;  // the second one ends the program at once
    for (const int number : {SIGINT, SIGTERM, SIGHUP}) sigaction(number, &action, nullptr);
}

}  // namespace

std::string display_problem() {
    const auto platform = environment("QT_QPA_PLATFORM");
    const bool x = platform.empty() || platform.rfind("xcb", 0) == 0;
    if (!x) return {};  // asked for by name: Qt knows best
    if (platform.empty() && wayland_answers()) return {};
    const auto display = environment("DISPLAY");
    if (display.empty()) return "no display: neither DISPLAY nor WAYLAND_DISPLAY leads to one";
    if (!x_server_answers()) return "no display: nothing answers at DISPLAY=" + display;
    return {};
}

int run_window(int& argc, char** argv, const std::vector<std::string>& files) {
    if (const auto problem = display_problem(); !problem.empty())
        throw input_error(
            "caspstudio", problem, {},
            "Everything also works without a window: caspstudio --batch FILE.toml (see --help).");
    widgets::set_default_surface_format();  // before the application, as VTK wants it
    QCoreApplication::setAttribute(Qt::AA_ShareOpenGLContexts);
    QApplication application(argc, argv);
    setlocale(LC_NUMERIC, "C");  // QApplication took the user's: numbers in files have a point
    QApplication::setApplicationName(QStringLiteral("caspstudio"));
    QApplication::setApplicationDisplayName(QStringLiteral("CASP Studio"));
    QApplication::setApplicationVersion(QStringLiteral(CASP_VERSION));
    QApplication::setOrganizationName(QStringLiteral("caspstudio"));
    QApplication::setStyle(QStringLiteral("Fusion"));
    remember_system_palette(application);

    MainWindow window;
    close_on_signals(window);
    window.show();
    QStringList paths;
    for (const auto& file : files) paths << QString::fromStdString(file);
    if (!paths.isEmpty())
        QMetaObject::invokeMethod(
            &window, [&] { window.open_paths(paths); }, Qt::QueuedConnection);
    return QApplication::exec();
}

}  // namespace casp::gui

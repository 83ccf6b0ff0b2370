#include "gui/display.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <stdexcept>

#include <QCoreApplication>
#include <QDir>
#include <QStringList>

#include "util/shared_library.h"

namespace casp::gui {

namespace {

std::string environment(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? std::string() : std::string(value);
}

bool has_wayland_plugin() {
    auto folders = QString::fromStdString(environment("QT_QPA_PLATFORM_PLUGIN_PATH"))
                       .split(QDir::listSeparator(), Qt::SkipEmptyParts);
    for (const auto& path : QCoreApplication::libraryPaths()) folders << path + QStringLiteral("/platforms");
    return std::any_of(folders.begin(), folders.end(), [](const QString& folder) {
        return !QDir(folder).entryList({QStringLiteral("libqwayland*")}).isEmpty();
    });
}

/// Whether a compositor listens on the socket `name` (a path, or a name in XDG_RUNTIME_DIR). The file alone
/// proves nothing: it remains after a crash.
bool compositor_answers(const std::string& name) {
    const auto folder = environment("XDG_RUNTIME_DIR");
    if (name.empty() || (name.front() != '/' && folder.empty())) return false;
    const auto path = (std::filesystem::path(folder) / name).string();
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (path.size() >= sizeof address.sun_path) return false;
    std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
    const int client = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (client < 0) return true;  // cannot tell: let Qt find out
    const bool answers = connect(client, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 ||
                         errno == EAGAIN || errno == EINPROGRESS;
    close(client);
    return answers;
}

/// Why Qt's Wayland plugin would end the program; empty if it would not. `requested`: chosen with
/// QT_QPA_PLATFORM; WAYLAND_DISPLAY then has a default.
std::string wayland_problem(bool requested) {
    if (!has_wayland_plugin())
        return "no display: Qt's plugin for Wayland is not installed (package qt6-wayland)";
    if (!environment("WAYLAND_SOCKET").empty()) return {};  // an inherited, open connection
    auto name = environment("WAYLAND_DISPLAY");
    if (name.empty() && requested) name = "wayland-0";
    if (compositor_answers(name)) return {};
    return "no display: no compositor answers at WAYLAND_DISPLAY=" + name;
}

}  // namespace

DisplayProbe::DisplayProbe() {
    const auto requested = QString::fromStdString(environment("QT_QPA_PLATFORM"));
    if (requested.isEmpty()) {
        if (!wayland_problem(false).empty()) problem_ = x_problem();
        return;
    }
    // "wayland;xcb" takes the first that works, "xcb:option=1" has options.
    for (const auto& platform : requested.split(QLatin1Char(';'), Qt::SkipEmptyParts)) {
        std::string problem;
        if (platform.startsWith(QLatin1String("xcb")))
            problem = x_problem();
        else if (platform.startsWith(QLatin1String("wayland")))
            problem = wayland_problem(true);
        if (problem.empty()) {
            problem_.clear();
            return;
        }
        if (problem_.empty()) problem_ = problem;
    }
}

DisplayProbe::~DisplayProbe() {
    if (connection_ != nullptr) disconnect_(connection_);
}

std::string DisplayProbe::x_problem() {
    const auto display = environment("DISPLAY");
    if (display.empty()) return "no display: neither DISPLAY nor WAYLAND_DISPLAY is set";
    return x_server_answers() ? std::string() : "no display: nothing answers at DISPLAY=" + display;
}

/// Connects to the X server: Qt aborts if nothing serves DISPLAY.
bool DisplayProbe::x_server_answers() {
    void* (*connect)(const char*, int*) = nullptr;
    int (*has_error)(void*) = nullptr;
    try {
        const SharedLibrary library({"libxcb.so.1"});
        library.find(connect, "xcb_connect");
        library.find(has_error, "xcb_connection_has_error");
        library.find(disconnect_, "xcb_disconnect");
    } catch (const std::runtime_error&) {
        return true;  // cannot tell: let Qt find out
    }
    connection_ = connect(nullptr, nullptr);
    return has_error(connection_) == 0;
}

}  // namespace casp::gui

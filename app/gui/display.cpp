#include "gui/display.h"

#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>

#include <QDir>
#include <QLibraryInfo>

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

}  // namespace casp::gui

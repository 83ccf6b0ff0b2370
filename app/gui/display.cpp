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

bool wayland_answers() {
    const auto name = environment("WAYLAND_DISPLAY"), folder = environment("XDG_RUNTIME_DIR");
    if (name.empty()) return false;
    const auto socket =
        name.front() == '/' ? std::filesystem::path(name) : std::filesystem::path(folder) / name;
    const QDir plugins(QLibraryInfo::path(QLibraryInfo::PluginsPath) + QStringLiteral("/platforms"));
    return std::filesystem::exists(socket) && !plugins.entryList({QStringLiteral("libqwayland*")}).isEmpty();
}

}  // namespace

DisplayProbe::DisplayProbe() {
    const auto platform = environment("QT_QPA_PLATFORM");
    const bool x = platform.empty() || platform.rfind("xcb", 0) == 0;
    if (!x) return;  // asked for by name: Qt knows best
    if (platform.empty() && wayland_answers()) return;
    const auto display = environment("DISPLAY");
    if (display.empty())
        problem_ = "no display: neither DISPLAY nor WAYLAND_DISPLAY leads to one";
    else if (!x_server_answers())
        problem_ = "no display: nothing answers at DISPLAY=" + display;
}

DisplayProbe::~DisplayProbe() {
    if (connection_ != nullptr) disconnect_(connection_);
}

/// Asks the X server itself: a DISPLAY that nobody serves would make Qt abort.
bool DisplayProbe::x_server_answers() {
    void* library = dlopen("libxcb.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) return true;  // cannot tell: let Qt find out
    using Connect = void* (*)(const char*, int*);
    using HasError = int (*)(void*);
    const auto connect = reinterpret_cast<Connect>(dlsym(library, "xcb_connect"));
    const auto has_error = reinterpret_cast<HasError>(dlsym(library, "xcb_connection_has_error"));
    disconnect_ = reinterpret_cast<void (*)(void*)>(dlsym(library, "xcb_disconnect"));
    if (connect == nullptr || has_error == nullptr || disconnect_ == nullptr) return true;
    connection_ = connect(nullptr, nullptr);
    return has_error(connection_) == 0;
}

}  // namespace casp::gui

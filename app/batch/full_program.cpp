#include "batch/full_program.h"

#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

#include "fetch/cuda_libraries.h"
#include "util/cuda_problem.h"
#include "util/error.h"
#include "util/process.h"

namespace casp::batch {

namespace {

namespace fs = std::filesystem;

constexpr const char* library_path = "LD_LIBRARY_PATH";
constexpr const char* loaders_option = "--library-path";

std::string variable(const char* name) {
    const char* value = std::getenv(name);
    return value != nullptr ? value : "";
}

/// Folder of the LibTorch with CUDA that is to replace a package's, which is without; or empty.
std::string fetched_libraries() try {
    std::error_code unknown;
    const auto fetched = fetch::cuda_folder();
    if (!nvidia_driver_present() || !fs::exists(program_folder() / "libtorch_cpu.so", unknown) ||
        !fetch::has_cuda_libraries(fetched))
        return {};
    return (fetched / "torch" / "lib").string();
} catch (const Error&) {
    return {};  // no home folder: nothing was fetched
}

}  // namespace

StartCommand full_program(std::vector<std::string> arguments) {
    const auto program = (program_folder() / full_program_name).string();
    const auto fetched = fetched_libraries(), users = variable(library_path);
    const auto folders = fetched.empty() || users.empty() ? fetched + users : fetched + ":" + users;
    const auto loader = executed_file();
    if (!is_loader(loader)) {
        StartCommand command{program, std::move(arguments), {}};
        if (!fetched.empty()) command.environment.push_back(std::string(library_path) + "=" + folders);
        return command;
    }
    // The loader's option replaces the variable.
    auto path = loader.parent_path().string();
    if (!folders.empty()) path += ":" + folders;
    StartCommand command{loader.string(), {loader.string(), loaders_option, std::move(path), program}, {}};
    if (!arguments.empty())
        command.arguments.insert(command.arguments.end(), arguments.begin() + 1, arguments.end());
    return command;
}

void settle_in() {
    ::prctl(PR_SET_NAME, full_program_name);
    const auto fetched = fetched_libraries(), all = variable(library_path);
    if (fetched.empty() || !all.starts_with(fetched)) return;
    const auto users = all.size() > fetched.size() ? all.substr(fetched.size() + 1) : std::string();
    if (users.empty())
        ::unsetenv(library_path);
    else
        ::setenv(library_path, users.c_str(), 1);
}

std::vector<std::string> own_arguments() {
    std::ifstream file("/proc/self/cmdline", std::ios::binary);
    const std::string all{std::istreambuf_iterator<char>(file), {}};
    std::vector<std::string> arguments;
    for (std::size_t begin = 0; begin < all.size();) {
        const auto end = std::min(all.find('\0', begin), all.size());
        arguments.push_back(all.substr(begin, end - begin));
        begin = end + 1;
    }
    constexpr std::ptrdiff_t loaders_words = 3;  // LOADER --library-path FOLDERS PROGRAM …
    if (arguments.size() > loaders_words && arguments[1] == loaders_option)
        arguments.erase(arguments.begin(), arguments.begin() + loaders_words);
    return arguments;
}

pid_t start_child(std::vector<std::string> arguments, std::vector<std::string> environment,
                  const ChildSetup& setup, const std::string& setting) {
    constexpr int not_started = 127;
    auto command = full_program(std::move(arguments));
    environment = replaced_in(environment, command.environment);
    const auto argv = pointers_to(command.arguments), envp = pointers_to(environment);
    const auto parent = ::getpid();
    const auto child = ::fork();  // posix_spawn() cannot ask for a signal at the parent's end
    if (child < 0)
        throw run_error(setting,
                        "no further process can be started: " + std::generic_category().message(errno), {},
                        "Choose fewer processes or devices.");
    if (child > 0) return child;
    // Only calls that are safe between fork() and exec() of a program with threads.
    ::prctl(PR_SET_PDEATHSIG, setup.signal_at_our_end);
    if (::getppid() != parent) ::_exit(not_started);
    if (setup.own_group) ::setpgid(0, 0);
    if (setup.streams.in >= 0) ::dup2(setup.streams.in, STDIN_FILENO);
    if (setup.streams.out >= 0) ::dup2(setup.streams.out, STDOUT_FILENO);
    if (setup.streams.err >= 0) ::dup2(setup.streams.err, STDERR_FILENO);
    ::execve(command.file.c_str(), argv.data(), envp.data());
    ::_exit(not_started);
}

}  // namespace casp::batch

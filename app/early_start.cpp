// Re-execution of the program with OpenMP settings, before LibTorch is initialised (core/util/threads.h).

#include <cstddef>
#include <cstring>

#include <alloca.h>
#include <unistd.h>

#include "util/threads.h"

// Sanitizers must initialise first; with them, main() does this (restart_for).
#if defined(__linux__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

namespace {

bool begins(const char* text, const char* with) { return std::strncmp(text, with, std::strlen(with)) == 0; }

/// The environment variable for this command line. Null if the program only prints something, and if the
/// command line needs real parsing (Qt's own options): main() then re-executes the program.
const char* wanted(int argc, char** argv) {
    bool only_files = true;
    for (int i = 1; i < argc; ++i) {
        if (begins(argv[i], "--batch") || begins(argv[i], "--evaluate") || begins(argv[i], "--forecast"))
            return casp::wait_soon;
        only_files = only_files && argv[i][0] != '-';
    }
    return only_files ? casp::wait_at_once : nullptr;
}

/// Same as let_waiting_threads_sleep(), but before the libraries' constructors run: LibTorch's take a quarter
/// of a second and would run twice. Neither the C library's environment nor the heap is initialised here, so
/// only the stack and system calls are used.
void start_anew(int argc, char** argv, char** environment) {
    std::size_t count = 0;
    for (; environment[count] != nullptr; ++count)
        if (begins(environment[count], "OMP_WAIT_POLICY=") || begins(environment[count], "GOMP_SPINCOUNT="))
            return;
    const char* more = wanted(argc, argv);
    if (more == nullptr || count > 10000) return;
    auto** longer = static_cast<char**>(alloca((count + 2) * sizeof(char*)));
    std::memcpy(longer, environment, count * sizeof(char*));
    longer[count] = const_cast<char*>(more);
    longer[count + 1] = nullptr;
    ::execve("/proc/self/exe", argv, longer);  // if this fails, main() continues
}

}  // namespace

extern "C" __attribute__((section(".preinit_array"),
                          used)) void (*const casp_start_anew)(int, char**, char**) = start_anew;
#endif

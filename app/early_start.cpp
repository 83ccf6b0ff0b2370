// Before anything of LibTorch is set up: OpenMP's waiting threads (core/util/threads.h).

#include <cstddef>
#include <cstring>

#include <alloca.h>
#include <unistd.h>

#include "util/threads.h"

// A sanitizer's own set-up must come first, so there main() does this (restart_for).
#if defined(__linux__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

namespace {

bool begins(const char* text, const char* with) { return std::strncmp(text, with, std::strlen(with)) == 0; }

/// The variable that this command line wants; none where the program only says something, and where it takes
/// more than a look to tell (Qt's own options): main() knows better, and starts the program anew itself.
const char* wanted(int argc, char** argv) {
    bool only_files = true;
    for (int i = 1; i < argc; ++i) {
        if (begins(argv[i], "--batch") || begins(argv[i], "--evaluate")) return casp::wait_soon;
        only_files = only_files && argv[i][0] != '-';
    }
    return only_files ? casp::wait_at_once : nullptr;
}

/// Does what let_waiting_threads_sleep() does, but before the libraries' constructors have run, which take
/// LibTorch a quarter of a second and would run twice. Here neither the C library's environment nor the heap
/// is set up: only the stack and system calls.
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
    ::execve("/proc/self/exe", argv, longer);  // where it cannot be done, main() goes on
}

}  // namespace

extern "C" __attribute__((section(".preinit_array"),
                          used)) void (*const casp_start_anew)(int, char**, char**) = start_anew;
#endif

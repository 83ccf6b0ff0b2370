/* Machines and file systems that workers may meet: LD_PRELOAD it (tests/batch/workers.py).
 *
 *   CASP_SHIM_NO_FLOCK  flock fails, as on file systems without locks
 *   CASP_SHIM_BOOT      the kernel's boot id is this one, so that every process is on a machine of its own
 *   CASP_SHIM_CLOCK     the clocks (of the day and the monotonic one) jump by up to a day, back and forth
 */
#define _GNU_SOURCE
#undef _FORTIFY_SOURCE /* it would define open() itself */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#define REAL(type, name, ...) static type (*real)(__VA_ARGS__); if (!real) *(void**)&real = dlsym(RTLD_NEXT, name)

int flock(int fd, int operation) {
    REAL(int, "flock", int, int);
    if (!getenv("CASP_SHIM_NO_FLOCK")) return real(fd, operation);
    errno = ENOLCK;
    return -1;
}

/* Constant for some seconds, as after a correction, and other in every process. */
int clock_gettime(clockid_t clock, struct timespec* now) {
    REAL(int, "clock_gettime", clockid_t, struct timespec*);
    const int status = real(clock, now);
    if (status == 0 && getenv("CASP_SHIM_CLOCK") && (clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC)) {
        const unsigned long seed = (unsigned long)(now->tv_sec / 3) * 2654435761UL + (unsigned long)getpid() * 40503UL;
        now->tv_sec += (time_t)(seed >> 7) % 86400;
    }
    return status;
}

static int boot_id(void) {
    const char* name = getenv("CASP_SHIM_BOOT");
    int ends[2];
    if (pipe(ends) != 0) return -1;
    dprintf(ends[1], "%s\n", name);
    close(ends[1]);
    return ends[0];
}

#define OPEN_LIKE(name)                                                                                     \
    int name(const char* path, int flags, ...) {                                                            \
        REAL(int, #name, const char*, int, ...);                                                            \
        va_list more;                                                                                       \
        va_start(more, flags);                                                                              \
        const mode_t mode = va_arg(more, mode_t);                                                           \
        va_end(more);                                                                                       \
        if (getenv("CASP_SHIM_BOOT") && !strcmp(path, "/proc/sys/kernel/random/boot_id")) return boot_id(); \
        return real(path, flags, mode);                                                                     \
    }
OPEN_LIKE(open)
OPEN_LIKE(open64)

/* As std::ifstream opens files. */
#define FOPEN_LIKE(name)                                                                        \
    FILE* name(const char* path, const char* mode) {                                            \
        REAL(FILE*, #name, const char*, const char*);                                           \
        if (getenv("CASP_SHIM_BOOT") && !strcmp(path, "/proc/sys/kernel/random/boot_id"))       \
            return fdopen(boot_id(), "r");                                                      \
        return real(path, mode);                                                                \
    }
FOPEN_LIKE(fopen)
FOPEN_LIKE(fopen64)

/* Makes the n-th call of one kind fail that concerns files below a folder: LD_PRELOAD it (tests/batch/faults.py).
 *
 *   CASP_FAULT_UNDER   the folder (an absolute path without links); nothing else is ever disturbed
 *   CASP_FAULT_CALL    write, fsync, rename, open (for writing), mkdir or link
 *   CASP_FAULT_AT      which of these calls fails, from 1; 0: none
 *   CASP_FAULT_ERRNO   with which errno
 *   CASP_FAULT_STAYS   1: all later calls of any kind but link fail, too (a disk that is full stays full)
 *   CASP_FAULT_COUNT   file that gets the number of calls of each kind when the program ends
 */
#define _GNU_SOURCE
#undef _FORTIFY_SOURCE /* it would define open() itself */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

enum { WRITE, FSYNC, RENAME, OPEN, MKDIR, LINK, KINDS };
static const char* const names[KINDS] = {"write", "fsync", "rename", "open", "mkdir", "link"};

static atomic_int counts[KINDS];
static atomic_int broken;
static const char* under;
static int kind = -1, at, code, stays;

__attribute__((constructor)) static void begin(void) {
    under = getenv("CASP_FAULT_UNDER");
    const char* name = getenv("CASP_FAULT_CALL");
    for (int i = 0; name && i < KINDS; ++i)
        if (!strcmp(name, names[i])) kind = i;
    at = getenv("CASP_FAULT_AT") ? atoi(getenv("CASP_FAULT_AT")) : 0;
    code = getenv("CASP_FAULT_ERRNO") ? atoi(getenv("CASP_FAULT_ERRNO")) : ENOSPC;
    stays = getenv("CASP_FAULT_STAYS") != NULL;
}

__attribute__((destructor)) static void end(void) {
    const char* report = getenv("CASP_FAULT_COUNT");
    FILE* file = report ? fopen(report, "w") : NULL;
    for (int i = 0; file && i < KINDS; ++i) fprintf(file, "%s %d\n", names[i], atomic_load(&counts[i]));
    if (file) fclose(file);
}

static int inside(const char* path) { return under && path && !strncmp(path, under, strlen(under)); }

static int inside_fd(int fd) {
    char link[64], path[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    const int saved = errno;
    const ssize_t size = readlink(link, path, sizeof path - 1);
    errno = saved;
    if (size <= 0) return 0;
    path[size] = 0;
    return inside(path);
}

/* Counts a call that concerns us; 1: it fails (errno is set). */
static int fails(int what) {
    const int number = atomic_fetch_add(&counts[what], 1) + 1;
    if (what == kind && at > 0 && number == at) {
        if (stays) atomic_store(&broken, 1);
        errno = code;
        return 1;
    }
    if (atomic_load(&broken) && what != LINK) {
        errno = code;
        return 1;
    }
    return 0;
}

#define REAL(type, name, ...) static type (*real)(__VA_ARGS__); if (!real) *(void**)&real = dlsym(RTLD_NEXT, name)

ssize_t write(int fd, const void* bytes, size_t size) {
    REAL(ssize_t, "write", int, const void*, size_t);
    if (inside_fd(fd) && fails(WRITE)) {
        /* A full disk takes a part first. */
        if (code == ENOSPC && size > 1) return real(fd, bytes, size / 2) < 0 ? -1 : (errno = code, -1);
        return -1;
    }
    return real(fd, bytes, size);
}
ssize_t writev(int fd, const struct iovec* parts, int count) {
    REAL(ssize_t, "writev", int, const struct iovec*, int);
    return inside_fd(fd) && fails(WRITE) ? -1 : real(fd, parts, count);
}
ssize_t pwrite(int fd, const void* bytes, size_t size, off_t offset) {
    REAL(ssize_t, "pwrite", int, const void*, size_t, off_t);
    return inside_fd(fd) && fails(WRITE) ? -1 : real(fd, bytes, size, offset);
}
ssize_t pwrite64(int fd, const void* bytes, size_t size, off64_t offset) {
    REAL(ssize_t, "pwrite64", int, const void*, size_t, off64_t);
    return inside_fd(fd) && fails(WRITE) ? -1 : real(fd, bytes, size, offset);
}
int fsync(int fd) {
    REAL(int, "fsync", int);
    return inside_fd(fd) && fails(FSYNC) ? -1 : real(fd);
}
int rename(const char* from, const char* to) {
    REAL(int, "rename", const char*, const char*);
    return inside(to) && fails(RENAME) ? -1 : real(from, to);
}
int mkdir(const char* path, mode_t mode) {
    REAL(int, "mkdir", const char*, mode_t);
    return inside(path) && fails(MKDIR) ? -1 : real(path, mode);
}
int link(const char* from, const char* to) {
    REAL(int, "link", const char*, const char*);
    return inside(to) && fails(LINK) ? -1 : real(from, to);
}

static int writes(int flags) { return (flags & O_ACCMODE) != O_RDONLY; }
#define OPEN_LIKE(name)                                            \
    int name(const char* path, int flags, ...) {                   \
        REAL(int, #name, const char*, int, ...);                   \
        va_list more;                                              \
        va_start(more, flags);                                     \
        const mode_t mode = va_arg(more, mode_t);                  \
        va_end(more);                                              \
        if (inside(path) && writes(flags) && fails(OPEN)) return -1; \
        return real(path, flags, mode);                            \
    }
OPEN_LIKE(open)
OPEN_LIKE(open64)

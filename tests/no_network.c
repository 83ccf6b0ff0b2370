/* Loaded before a program (LD_PRELOAD) that has no business in the internet: ends it with status 86 and a line that
   names what it asked for, at the first name it looks up or address it turns to. Sockets of this machine's own files
   (the display, the desktop) are none of that. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <netdb.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

static void no_network(const char* what) {
    fprintf(stderr, "no network: the program asked for %s\n", what);
    fflush(stderr);
    _exit(86);
}

static int is_internet(const struct sockaddr* address) {
    return address != NULL && (address->sa_family == AF_INET || address->sa_family == AF_INET6);
}

int connect(int socket, const struct sockaddr* address, socklen_t size) {
    if (is_internet(address)) no_network("an address of the internet (connect)");
    int (*next)(int, const struct sockaddr*, socklen_t) = dlsym(RTLD_NEXT, "connect");
    return next(socket, address, size);
}

ssize_t sendto(int socket, const void* bytes, size_t count, int flags, const struct sockaddr* address, socklen_t size) {
    if (is_internet(address)) no_network("an address of the internet (sendto)");
    ssize_t (*next)(int, const void*, size_t, int, const struct sockaddr*, socklen_t) = dlsym(RTLD_NEXT, "sendto");
    return next(socket, bytes, count, flags, address, size);
}

int getaddrinfo(const char* node, const char* service, const struct addrinfo* hints, struct addrinfo** found) {
    (void)service;
    (void)hints;
    (void)found;
    no_network(node != NULL ? node : "an address (getaddrinfo)");
    return EAI_FAIL;
}

struct hostent* gethostbyname(const char* name) {
    no_network(name);
    return NULL;
}

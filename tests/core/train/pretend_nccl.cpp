// A pretend libnccl.so.2 for the pretend device: as much of NCCL's interface as core/train/nccl.cpp uses,
// between processes of one machine. Like NCCL's, its work is queued, and does not end without the other
// processes.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "pretend_device/pretend_stream.h"

namespace {

constexpr std::size_t capacity = 1 << 20;  ///< bytes of a tensor, at most
constexpr int max_processes = 8;
enum Result { success = 0, system_error = 2, invalid_argument = 4 };
enum Type { bytes = 1, int64 = 4, float32 = 7, float64 = 8 };

struct Id {
    char name[128];
};

/// What the processes share. A tensor of an even operation and one of an odd one: who begins an operation has
/// finished the one before, for which all have finished the one before that.
struct Shared {
    std::atomic<int> connected;
    std::atomic<std::int64_t> begun[max_processes];  ///< operations, by rank
    char tensors[max_processes][2][capacity];
};

struct Communicator {
    int rank, size;
    Shared* shared;
    std::int64_t operations = 0;
    casp::pretend::Stream* stream = nullptr;
};

std::atomic<std::int64_t> all_operations = 0;

void* on_host(const void* address) {
    return reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(address) & ~(std::uintptr_t{1} << 62));
}

std::size_t width_of(int type) { return type == bytes ? 1 : type == float32 ? 4 : 8; }

template <class T>
void add(void* to, const void* from, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) static_cast<T*>(to)[i] += static_cast<const T*>(from)[i];
}

/// `root` negative: a sum.
Result queue(const void* from, void* to, std::size_t count, int type, int root, Communicator* c,
             void* stream) {
    const auto width = width_of(type);
    if (count * width > capacity || (type != bytes && type != int64 && type != float32 && type != float64))
        return invalid_argument;
    c->stream = static_cast<casp::pretend::Stream*>(stream);
    const auto number = ++c->operations;
    ++all_operations;
    const char* end = std::getenv("PRETEND_NCCL_END");  // RANK:OPERATION
    int rank = 0;
    long long last = 0;
    if (end != nullptr && std::sscanf(end, "%d:%lld", &rank, &last) == 2 && rank == c->rank && number == last)
        ::_exit(9);
    c->stream->work.emplace_back([=, begun = false]() mutable {
        auto& shared = *c->shared;
        const auto tensor_of = [&](int of) { return shared.tensors[of][number % 2]; };
        if (!begun) {
            std::memcpy(tensor_of(c->rank), on_host(from), count * width);
            shared.begun[c->rank] = number;
            begun = true;
        }
        for (int r = 0; r < c->size; ++r)
            if (shared.begun[r] < number) return false;
        std::memcpy(on_host(to), tensor_of(root < 0 ? 0 : root), count * width);
        for (int r = 1; root < 0 && r < c->size; ++r) {
            if (type == int64) add<std::int64_t>(on_host(to), tensor_of(r), count);
            if (type == float32) add<float>(on_host(to), tensor_of(r), count);
            if (type == float64) add<double>(on_host(to), tensor_of(r), count);
        }
        return true;
    });
    return success;
}

}  // namespace

#pragma GCC visibility push(default)
extern "C" {

/// Of this process, for tests.
std::int64_t pretend_nccl_operations() { return all_operations; }

int ncclGetUniqueId(Id* id) {
    std::snprintf(id->name, sizeof id->name, "/casp-pretend-nccl-%d-%p", ::getpid(), static_cast<void*>(id));
    return success;
}

int ncclCommInitRank(Communicator** communicator, int size, Id id, int rank) {
    if (size > max_processes) return invalid_argument;
    const int file = ::shm_open(id.name, O_CREAT | O_RDWR, 0600);
    if (file < 0 || ::ftruncate(file, sizeof(Shared)) != 0) return system_error;
    void* memory = ::mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    ::close(file);
    if (memory == MAP_FAILED) return system_error;
    auto* shared = static_cast<Shared*>(memory);
    ++shared->connected;
    while (shared->connected < size) ::usleep(100);
    ::shm_unlink(id.name);
    *communicator = new Communicator{rank, size, shared};
    return success;
}

int ncclAllReduce(const void* from, void* to, std::size_t count, int type, int operation, Communicator* c,
                  void* stream) {
    return operation != 0 ? invalid_argument : queue(from, to, count, type, -1, c, stream);
}

int ncclBroadcast(const void* from, void* to, std::size_t count, int type, int root, Communicator* c,
                  void* stream) {
    return queue(from, to, count, type, root, c, stream);
}

int ncclCommGetAsyncError(Communicator* /*c*/, int* error) {
    *error = success;
    return success;
}

int ncclCommAbort(Communicator* c) {
    if (c->stream != nullptr) c->stream->work.clear();
    ::munmap(c->shared, sizeof(Shared));
    delete c;
    return success;
}

const char* ncclGetErrorString(int error) {
    return error == system_error ? "pretended system error" : "pretended invalid argument";
}
}
#pragma GCC visibility pop

#include "train/process_group.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <map>
#include <stdexcept>
#include <tuple>
#include <utility>

#include <sched.h>
#include <unistd.h>

#include <torch/torch.h>

// LibTorch is built with Gloo, and says so only to its own sources.
#define USE_C10D_GLOO
#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>

#include <c10/core/impl/VirtualGuardImpl.h>

#include "util/device.h"
#include "util/phrase.h"
#include "util/shared_library.h"

namespace casp::train {

namespace {

/// A function of NCCL has failed, or the library cannot be opened.
class NcclError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// What the processes of a new communicator of NCCL have in common.
using NcclId = std::array<char, 128>;

// NCCL's C interface, unchanged since 2.0 (nccl.h).
struct NcclFunctions {
    int (*get_unique_id)(NcclId*);
    int (*init_rank)(void** communicator, int size, NcclId id, int rank);
    int (*all_reduce)(const void* from, void* to, std::size_t count, int type, int operation,
                      void* communicator, void* stream);
    int (*broadcast)(const void* from, void* to, std::size_t count, int type, int root, void* communicator,
                     void* stream);
    int (*get_async_error)(void* communicator, int* error);
    int (*abort)(void* communicator);
    const char* (*get_error_string)(int error);

    NcclFunctions() {
        const SharedLibrary library({"libnccl.so.2"});
        library.find(get_unique_id, "ncclGetUniqueId");
        library.find(init_rank, "ncclCommInitRank");
        library.find(all_reduce, "ncclAllReduce");
        library.find(broadcast, "ncclBroadcast");
        library.find(get_async_error, "ncclCommGetAsyncError");
        library.find(abort, "ncclCommAbort");
        library.find(get_error_string, "ncclGetErrorString");
    }

    void require(int result) const {
        if (result != 0) throw NcclError(Phrase("NCCL: %1", get_error_string(result)));
    }
};

constexpr int nccl_bytes = 1;  // ncclUint8
constexpr int nccl_sum = 0;

std::optional<int> nccl_type(const at::Tensor& tensor) {
    switch (tensor.scalar_type()) {
        case at::kInt:
            return 2;
        case at::kLong:
            return 4;
        case at::kHalf:
            return 6;
        case at::kFloat:
            return 7;
        case at::kDouble:
            return 8;
        case at::kBFloat16:
            return 9;
        default:
            return std::nullopt;
    }
}

/// Sums and copies of tensors between GPUs by NVIDIA's NCCL: the communicator of one process. All processes
/// call the same functions in the same order. Functions queue their work on the current stream of the
/// tensor's device and return; they throw NcclError with its message.
class Nccl {
public:
    /// Opens libnccl.so.2, which is loaded together with libtorch_cuda.
    Nccl() {
        try {
            static const NcclFunctions opened;  // throws again on each call, if it failed
            functions_ = &opened;
        } catch (const std::runtime_error& problem) {
            throw NcclError(problem.what());
        }
    }
    /// Ends unfinished work without waiting for the other processes.
    ~Nccl() {
        if (communicator_ != nullptr) static_cast<void>(functions_->abort(communicator_));
    }
    Nccl(const Nccl&) = delete;
    Nccl& operator=(const Nccl&) = delete;

    /// One process calls it.
    [[nodiscard]] NcclId new_id() const {
        NcclId id{};
        functions_->require(functions_->get_unique_id(&id));
        return id;
    }
    /// Waits for the other processes.
    void connect(NcclId id, int rank, int size, const c10::Device& device) {
        const c10::OptionalDeviceGuard current(device);
        static_cast<void>(native_stream(device));  // throws if sums would
        functions_->require(functions_->init_rank(&communicator_, size, id, rank));
    }
    /// Replaces a contiguous tensor of a type with nccl_type() by its sum over the processes.
    void sum(const at::Tensor& tensor) {
        const c10::OptionalDeviceGuard current(tensor.device());
        functions_->require(functions_->all_reduce(
            tensor.data_ptr(), tensor.data_ptr(), static_cast<std::size_t>(tensor.numel()),
            nccl_type(tensor).value(), nccl_sum, communicator_, native_stream(tensor.device())));
    }
    /// Replaces a contiguous tensor by rank 0's.
    void broadcast(const at::Tensor& tensor) {
        const c10::OptionalDeviceGuard current(tensor.device());
        functions_->require(functions_->broadcast(tensor.data_ptr(), tensor.data_ptr(), tensor.nbytes(),
                                                  nccl_bytes, 0, communicator_,
                                                  native_stream(tensor.device())));
    }
    /// Throws if queued work has failed.
    void check() const {
        int error = 0;
        functions_->require(functions_->get_async_error(communicator_, &error));
        functions_->require(error);
    }

private:
    const NcclFunctions* functions_ = nullptr;
    void* communicator_ = nullptr;
};

using StorePtr = c10::intrusive_ptr<c10d::Store>;
using WorkPtr = c10::intrusive_ptr<c10d::Work>;

enum class Operation { sum, copy };  ///< over the processes; from rank 0

constexpr std::chrono::milliseconds meeting_limit = std::chrono::minutes(5);
// Rank 0 may evaluate or write for hours; a process that has ended is noticed by its closed connection.
constexpr std::chrono::milliseconds waiting_limit = std::chrono::hours(24 * 20);
constexpr std::chrono::milliseconds connection_limit = std::chrono::minutes(1);  // of processes that have met
constexpr std::chrono::milliseconds farewell_limit = std::chrono::seconds(3);
constexpr std::chrono::milliseconds device_limit(100);  // then the processes ask whether all are there

constexpr std::int64_t small_elements = 1 << 18;  ///< up to here a copy costs less than a message

constexpr const char* loss_advice = "Continue the run with --resume and any number of processes.";

Phrase process_name(int rank, int size) { return Phrase("process %1 of %2", rank + 1, size); }

std::vector<std::uint8_t> bytes_of(const std::string& text) { return {text.begin(), text.end()}; }

std::string machine_name() {
    char name[256] = {};
    ::gethostname(name, sizeof name - 1);
    return name;
}

std::string permitted_processors() {
    cpu_set_t processors;
    CPU_ZERO(&processors);
    ::sched_getaffinity(0, sizeof processors, &processors);
    return {reinterpret_cast<const char*>(&processors), sizeof processors};
}

/// Positive and equal for equal texts.
std::int64_t key_of(const std::string& text) {
    return static_cast<std::int64_t>(std::hash<std::string>{}(text) >> 1);
}

/// Adds `mine` to a counter of the store and waits until it is `all`; false after a few seconds, or once
/// `given_up`.
bool wait_for_all(c10d::Store& store, const std::string& counter, std::int64_t all, std::int64_t mine,
                  const bool* given_up = nullptr) {
    const auto until = std::chrono::steady_clock::now() + farewell_limit;
    for (auto count = store.add(counter, mine); count < all; count = store.add(counter, 0)) {
        if ((given_up != nullptr && *given_up) || std::chrono::steady_clock::now() > until) return false;
        ::usleep(2000);
    }
    return true;
}

/// Sum over the processes, forward and backward.
class GroupSum : public torch::autograd::Function<GroupSum> {
public:
    static at::Tensor forward(torch::autograd::AutogradContext* context, const at::Tensor& tensor,
                              ProcessGroup* group) {
        context->saved_data["group"] = static_cast<std::int64_t>(reinterpret_cast<std::intptr_t>(group));
        auto result = tensor.clone(at::MemoryFormat::Contiguous);
        group->sum({result});
        return result;
    }

    static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                   torch::autograd::variable_list gradients) {
        auto* group =
            reinterpret_cast<ProcessGroup*>(static_cast<std::intptr_t>(context->saved_data["group"].toInt()));
        auto result = gradients[0].clone(at::MemoryFormat::Contiguous);
        group->sum({result});
        return {result, at::Tensor()};
    }
};

}  // namespace

ProcessLost::ProcessLost(Phrase found, Phrase advice)
    : Error(ErrorKind::interrupted, {{}, std::move(found), {}, std::move(advice)}) {}

struct ProcessGroup::Connection {
    StorePtr store;
    c10::intrusive_ptr<c10d::Backend> backend;
    std::unique_ptr<Nccl> nccl;  ///< null: tensors on devices go through the host
    int sharing = 1, place = 0;
    std::int64_t bytes = 0;
    std::shared_ptr<bool> is_lost;  ///< of all runs of this connection

    ~Connection() {
        // Its destructor would wait for operations that a lost process never answers.
        if (*is_lost) static_cast<void>(backend.release());
    }

    /// Why the others are gone, from what they left in the store.
    [[nodiscard]] ProcessLost lost(Phrase found = "another process of this run has ended") {
        *is_lost = true;
        nccl.reset();  // its kernels would wait for the others forever
        try {
            if (store->check({"reason"})) {
                const auto text = store->get("reason");
                found = std::string(text.begin(), text.end());
            }
        } catch (const std::exception&) {
            found = "the first process of this run has ended";  // the store was its
        }
        return {found, loss_advice};
    }

    [[nodiscard]] bool uses_nccl(const at::Tensor& tensor) const {
        return nccl && !tensor.is_cpu() && nccl_type(tensor).has_value();
    }

    /// Starts an operation with a tensor of the CPU, or queues it on the device: null.
    WorkPtr start(Operation operation, const at::Tensor& tensor) const {
        std::vector<at::Tensor> one{tensor};
        if (tensor.is_cpu())
            return operation == Operation::copy ? backend->broadcast(one) : backend->allreduce(one);
        operation == Operation::copy ? nccl->broadcast(tensor) : nccl->sum(tensor);
        return {};
    }

    /// Applies the operation to each tensor, or to small ones of a type in one, and writes the results back.
    void all(const std::vector<at::Tensor>& tensors, Operation operation) {
        const torch::NoGradGuard no_gradient;
        std::map<std::tuple<bool, at::ScalarType, std::size_t>, std::vector<at::Tensor>> batches;
        for (std::size_t i = 0; i < tensors.size(); ++i)
            batches[{uses_nccl(tensors[i]), tensors[i].scalar_type(),
                     tensors[i].numel() > small_elements ? i + 1 : 0}]
                .push_back(tensors[i].detach());
        std::vector<at::Tensor> sent;
        std::vector<WorkPtr> works;
        try {
            for (const auto& [key, batch] : batches) {
                sent.push_back(joined(batch));
                bytes += static_cast<std::int64_t>(sent.back().nbytes());
                works.push_back(start(operation, sent.back()));
            }
            for (const auto& work : works)
                if (work) work->wait();
            if (!sent.empty() && !sent.back().is_cpu()) wait_for(sent.back().device());
        } catch (const NcclError& error) {
            throw lost(error.what());
        } catch (const std::exception&) {
            throw lost();
        }
        auto result = sent.begin();
        for (const auto& [key, batch] : batches) {
            std::int64_t place = 0;
            for (const auto& tensor : batch) {
                const auto part = result->narrow(0, place, tensor.numel()).view(tensor.sizes());
                if (part.data_ptr() != tensor.data_ptr()) tensor.copy_(part);
                place += tensor.numel();
            }
            ++result;
        }
    }

    /// The elements of all tensors where the operation is done, [n]; of a single dense one there not a copy.
    [[nodiscard]] at::Tensor joined(const std::vector<at::Tensor>& tensors) const {
        std::vector<at::Tensor> flat;
        for (const auto& tensor : tensors) {
            flat.push_back(tensor.contiguous().view(-1));
            if (!uses_nccl(tensor)) flat.back() = flat.back().to(at::kCPU);
        }
        return flat.size() == 1 ? flat.front() : at::cat(flat);
    }

    /// Waits until the devices of all processes have finished. NCCL's kernels never end where another process
    /// has ended; Gloo notices that.
    void wait_for(const c10::Device& device) const {
        const auto stream = c10::impl::VirtualGuardImpl(device.type()).getStream(device);
        do {
            nccl->check();
            const auto until = std::chrono::steady_clock::now() + device_limit;
            while (!stream.query() && std::chrono::steady_clock::now() < until) ::usleep(20);
        } while (largest(stream.query() ? 0 : 1) != 0);
    }

    [[nodiscard]] std::int64_t largest(std::int64_t value) const {
        std::vector<at::Tensor> number{at::tensor({value}, at::kLong)};
        c10d::AllreduceOptions options;
        options.reduceOp = c10d::ReduceOp::MAX;
        backend->allreduce(number, options)->wait();
        return number.front().item<std::int64_t>();
    }
};

ProcessGroup::ProcessGroup(std::unique_ptr<Connection> connection) : connection_(std::move(connection)) {
    const auto machine = key_of(machine_name()), processors = key_of(machine_name() + permitted_processors());
    const auto machines = of_all(machine), masks = of_all(processors);
    connection_->place = static_cast<int>(std::count(machines.begin(), machines.begin() + rank(), machine));
    connection_->sharing = static_cast<int>(std::count(masks.begin(), masks.end(), processors));
}

ProcessGroup::~ProcessGroup() {
    if (rank() != 0 || lost()) return;
    try {
        connection_->store->set("done", bytes_of("1"));
    } catch (const std::exception&) {
        // The launcher's store has ended.
    }
}

int ProcessGroup::rank() const { return connection_->backend->getRank(); }
int ProcessGroup::size() const { return connection_->backend->getSize(); }
bool ProcessGroup::lost() const { return *connection_->is_lost; }
int ProcessGroup::sharing_processors() const { return connection_->sharing; }
int ProcessGroup::place_on_machine() const { return connection_->place; }
std::int64_t ProcessGroup::bytes() const { return connection_->bytes; }

std::vector<std::int64_t> ProcessGroup::of_all(std::int64_t value) {
    const auto values = at::zeros({size()}, at::kLong);
    values[rank()] = value;
    sum({values});
    return {values.data_ptr<std::int64_t>(), values.data_ptr<std::int64_t>() + size()};
}

std::string ProcessGroup::use_device(const c10::Device& device) {
    if (largest(device.is_cpu() ? 1 : 0) == 1) return {};
    std::unique_ptr<Nccl> nccl;
    Phrase problem;
    // Each step is taken by all or none: they would wait for each other.
    const auto all_can = [&](const std::function<void()>& step) {
        try {
            step();
        } catch (const std::exception& error) {
            problem = error.what();
        }
        const bool failed = largest(problem.empty() ? 0 : 1) == 1;
        if (failed && problem.empty()) problem = "another process cannot use it";
        return !failed;
    };
    const auto address = gpu_address(device);
    auto gpus = of_all(key_of(machine_name() + (address.empty() ? std::to_string(::getpid()) : address)));
    std::sort(gpus.begin(), gpus.end());
    auto id = at::zeros({static_cast<std::int64_t>(sizeof(NcclId))}, at::kByte);
    const auto prepare = [&] {
        if (std::adjacent_find(gpus.begin(), gpus.end()) != gpus.end())
            throw std::runtime_error("several processes use one GPU");
        nccl = std::make_unique<Nccl>();
        if (rank() == 0) *reinterpret_cast<NcclId*>(id.data_ptr()) = nccl->new_id();
    };
    const auto connect = [&] {
        broadcast({id});
        nccl->connect(*reinterpret_cast<const NcclId*>(id.data_ptr()), rank(), size(), device);
    };
    if (!all_can(prepare) || !all_can(connect))
        return Phrase(
            "the processes exchange tensors through the host's memory, which is slower than NCCL: %1",
            problem);
    connection_->nccl = std::move(nccl);
    return {};
}

void ProcessGroup::sum(const std::vector<at::Tensor>& tensors) { connection_->all(tensors, Operation::sum); }

at::Tensor ProcessGroup::sum_with_gradient(const at::Tensor& tensor) { return GroupSum::apply(tensor, this); }

void ProcessGroup::sum_gradient(const at::Tensor& tensor) {
    tensor.register_hook([this](const at::Tensor& gradient) {
        auto result = gradient.clone(at::MemoryFormat::Contiguous);
        sum({result});
        return result;
    });
}

void ProcessGroup::broadcast(const std::vector<at::Tensor>& tensors) {
    connection_->all(tensors, Operation::copy);
}

std::int64_t ProcessGroup::largest(std::int64_t value) {
    try {
        return connection_->largest(value);
    } catch (const std::exception&) {
        throw connection_->lost();
    }
}

void ProcessGroup::finish() noexcept {
    try {
        wait_for_all(*connection_->store, "finished", size(), 1);
    } catch (const std::exception&) {
        // The first process has ended.
    }
}

bool ProcessGroup::fail(const Phrase& reason) noexcept {
    try {
        connection_->store->set("reason",
                                bytes_of(Phrase("%1 failed: %2", process_name(rank(), size()), reason)));
        // All processes may have found the same; then the first one reports it itself.
        connection_->store->wait({"done"}, farewell_limit);
        return true;
    } catch (const std::exception&) {
        return false;
    }
}

struct Processes::Impl {
    ProcessPlace place;
    StorePtr store;
    std::int64_t run = 0;  ///< number of the last one begun
    bool ended = false;
    int status = 0;
    std::shared_ptr<bool> lost = std::make_shared<bool>(false);
    std::function<bool()> any_has_ended;

    [[nodiscard]] std::string key() const { return "run" + std::to_string(run); }

    std::unique_ptr<ProcessGroup::Connection> connect() {
        auto connection = std::make_unique<ProcessGroup::Connection>();
        connection->store = c10::make_intrusive<c10d::PrefixStore>(key() + "/", store);
        connection->is_lost = lost;
        try {
            using Gloo = c10d::ProcessGroupGloo;
            // Between machines: the interfaces of GLOO_SOCKET_IFNAME, or the host name's address.
            const bool one_machine = place.host == "127.0.0.1" || place.host == "localhost";
            auto options = one_machine ? Gloo::Options::create(connection_limit)
                                       : Gloo::Options::create_default(connection_limit);
            if (one_machine) options->devices.push_back(Gloo::createDeviceForHostname("127.0.0.1"));
            connection->backend =
                c10::make_intrusive<Gloo>(connection->store, place.rank, place.size, options);
            connection->backend->setTimeout(waiting_limit);
        } catch (const std::exception&) {
            throw connection->lost();
        }
        return connection;
    }
};

Processes::Processes(const ProcessPlace& place) : impl_(std::make_unique<Impl>()) {
    impl_->place = place;
    c10d::TCPStoreOptions options;
    options.port = static_cast<std::uint16_t>(place.port);
    options.isServer = place.rank == 0 && !place.hosted;
    options.waitWorkers = false;
    options.timeout = meeting_limit;
    try {
        const auto store = c10::make_intrusive<c10d::TCPStore>(place.host, options);
        impl_->place.port = store->getPort();
        impl_->store = c10::make_intrusive<c10d::PrefixStore>("caspstudio/", store);
    } catch (const std::exception&) {
        const auto address = place.host + ":" + std::to_string(place.port);
        if (options.isServer)
            throw run_error("run.processes", Phrase("this process cannot listen on port %1", place.port), {},
                            "Set the environment variable MASTER_PORT to a free port.");
        throw run_error(
            "run.processes",
            Phrase("%1 does not reach the first one at %2", process_name(place.rank, place.size), address),
            {}, "Check that all processes were started, and MASTER_ADDR and MASTER_PORT.");
    }
}

Processes::~Processes() {
    if (impl_->place.rank == 0) end(1);
}

const ProcessPlace& Processes::place() const { return impl_->place; }

void Processes::watch(std::function<bool()> any_has_ended) {
    impl_->any_has_ended = std::move(any_has_ended);
}

std::unique_ptr<ProcessGroup> Processes::begin(const std::string& config, const StopControl& stop) {
    ++impl_->run;
    const auto began = std::chrono::steady_clock::now();
    const auto& [rank, size, host, port, hosted] = impl_->place;
    try {
        impl_->store->set(impl_->key(), bytes_of(config));
        while (true) {
            const auto others = impl_->store->add(Phrase("%1 joined", impl_->key()), 0);
            if (others == size - 1) break;
            if (stop.must_stop()) throw Cancelled();
            if (impl_->any_has_ended && impl_->any_has_ended())
                throw ProcessLost("another process ended before the run started", loss_advice);
            if (std::chrono::steady_clock::now() - began > meeting_limit)
                throw ProcessLost(Phrase("only %1 of %2 processes have come", others + 1, size),
                                  "Start them all, then continue with --resume.");
            ::usleep(5000);
        }
    } catch (const Error&) {
        *impl_->lost = true;
        throw;
    } catch (const std::exception&) {
        *impl_->lost = true;
        throw ProcessLost("the launcher of this run's processes has ended", loss_advice);
    }
    return std::unique_ptr<ProcessGroup>(new ProcessGroup(impl_->connect()));
}

std::unique_ptr<ProcessGroup> Processes::join() {
    try {
        impl_->store->add(Phrase("%1 joined", impl_->key()), 1);
    } catch (const std::exception&) {
        throw ProcessLost("the first process of this batch has ended", loss_advice);
    }
    return std::unique_ptr<ProcessGroup>(new ProcessGroup(impl_->connect()));
}

std::optional<std::string> Processes::next() {
    ++impl_->run;
    try {
        impl_->store->wait({impl_->key()}, waiting_limit);
        const auto text = impl_->store->get(impl_->key());
        if (!text.empty()) return std::string(text.begin(), text.end());
        impl_->status = static_cast<int>(impl_->store->add("status", 0));
        impl_->store->add("left", 1);
        return std::nullopt;
    } catch (const std::exception&) {
        throw ProcessLost("the first process of this batch has ended", loss_advice);
    }
}

bool Processes::end(int status) noexcept {
    if (std::exchange(impl_->ended, true)) return true;
    try {
        auto& store = *impl_->store;
        store.add("status", status);
        ++impl_->run;
        store.set(impl_->key(), bytes_of({}));
        // The store ends with this process: the others must have read the status before.
        return wait_for_all(store, "left", impl_->place.size - 1, 0, impl_->lost.get());
    } catch (const std::exception&) {
        return false;  // they notice that the store has ended
    }
}

int Processes::status() const { return impl_->status; }

}  // namespace casp::train

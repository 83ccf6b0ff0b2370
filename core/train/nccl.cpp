#include "train/nccl.h"

#include <optional>
#include <string>

#include <torch/torch.h>

#include "util/device.h"
#include "util/shared_library.h"

namespace casp::train {

// NCCL's C interface, unchanged since 2.0 (nccl.h).
struct Nccl::Functions {
    int (*get_unique_id)(Id*);
    int (*init_rank)(void** communicator, int size, Id id, int rank);
    int (*all_reduce)(const void* from, void* to, std::size_t count, int type, int operation,
                      void* communicator, void* stream);
    int (*broadcast)(const void* from, void* to, std::size_t count, int type, int root, void* communicator,
                     void* stream);
    int (*get_async_error)(void* communicator, int* error);
    int (*abort)(void* communicator);
    const char* (*get_error_string)(int error);

    Functions() {
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
        if (result != 0) throw NcclError(std::string("NCCL: ") + get_error_string(result));
    }
};

namespace {

constexpr int bytes_type = 1;  // ncclUint8
constexpr int sum_operation = 0;

std::optional<int> type_of(const at::Tensor& tensor) {
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

}  // namespace

Nccl::Nccl() {
    try {
        static const Functions opened;  // throws again on each call, if it failed
        functions_ = &opened;
    } catch (const std::runtime_error& problem) {
        throw NcclError(problem.what());
    }
}

Nccl::~Nccl() {
    if (communicator_ != nullptr) static_cast<void>(functions_->abort(communicator_));
}

Nccl::Id Nccl::new_id() const {
    Id id{};
    functions_->require(functions_->get_unique_id(&id));
    return id;
}

void Nccl::connect(Id id, int rank, int size, const c10::Device& device) {
    const c10::OptionalDeviceGuard current(device);
    static_cast<void>(native_stream(device));  // throws if sums would
    functions_->require(functions_->init_rank(&communicator_, size, id, rank));
}

bool Nccl::knows(const at::Tensor& tensor) { return type_of(tensor).has_value(); }

void Nccl::sum(const at::Tensor& tensor) {
    const c10::OptionalDeviceGuard current(tensor.device());
    functions_->require(functions_->all_reduce(
        tensor.data_ptr(), tensor.data_ptr(), static_cast<std::size_t>(tensor.numel()),
        type_of(tensor).value(), sum_operation, communicator_, native_stream(tensor.device())));
}

void Nccl::broadcast(const at::Tensor& tensor) {
    const c10::OptionalDeviceGuard current(tensor.device());
    functions_->require(functions_->broadcast(tensor.data_ptr(), tensor.data_ptr(), tensor.nbytes(),
                                              bytes_type, 0, communicator_, native_stream(tensor.device())));
}

void Nccl::check() const {
    int error = 0;
    functions_->require(functions_->get_async_error(communicator_, &error));
    functions_->require(error);
}

}  // namespace casp::train

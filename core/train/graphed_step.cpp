#include "train/graphed_step.h"

#include <dlfcn.h>

#include <atomic>
#include <map>
#include <mutex>
#include <stdexcept>
#include <utility>

#include <torch/torch.h>

#include "model/cuda/kernels.h"
#include "util/device.h"
#include "util/error.h"
#include "util/phrase.h"

namespace casp::train {

namespace {

/// After a record that could not be ended, LibTorch's allocator takes it for one in progress: no other is
/// tried.
bool broken = false;

/// at::cuda::CUDAGraph, whose header wants CUDA's: five functions by their names in libtorch_cuda, which is
/// loaded, and memory that is larger than any of its versions.
class CudaGraph final : public DeviceGraph {
public:
    CudaGraph() {
        const auto names = cuda_graph_symbols();
        const auto find = [&](std::size_t i) {
            void* function = dlsym(RTLD_DEFAULT, names[i].c_str());
            if (function == nullptr) throw std::runtime_error(Phrase("this LibTorch has no %1", names[i]));
            return function;
        };
        destroy_ = reinterpret_cast<Plain>(find(1));
        begin_ = reinterpret_cast<Begin>(find(2));
        end_ = reinterpret_cast<Plain>(find(3));
        replay_ = reinterpret_cast<Plain>(find(4));
        const auto construct = reinterpret_cast<void (*)(void*, bool)>(find(0));
        const std::scoped_lock lock(graph_mutex());
        if (broken) throw std::runtime_error("an earlier graph could not be ended");
        construct(memory_.get(), false);
        made_ = true;
    }
    ~CudaGraph() override {
        const std::scoped_lock lock(graph_mutex());
        if (made_ && !broken)
            destroy_(memory_.get());
        else
            (void)memory_.release();  // the allocator may still ask it
    }
    CudaGraph(const CudaGraph&) = delete;
    CudaGraph& operator=(const CudaGraph&) = delete;

    void record(const std::function<void()>& work) override {
        constexpr int thread_local_mode = 1;  // cudaStreamCaptureModeThreadLocal: others may go on
        const std::scoped_lock lock(graph_mutex());
        begin_(memory_.get(), {0, 0}, thread_local_mode);
        try {
            work();
        } catch (...) {
            end();
            throw;
        }
        end();
        if (broken) throw std::runtime_error("LibTorch cannot end the record");
        replay_(memory_.get());
    }
    void start() override {
        const std::scoped_lock lock(graph_mutex());
        replay_(memory_.get());
    }

private:
    using Plain = void (*)(void*);
    using Begin = void (*)(void*, std::pair<unsigned long long, unsigned long long>, int);

    void end() {
        try {
            end_(memory_.get());
        } catch (const std::exception&) {
            broken = true;
        }
    }

    struct alignas(64) Memory {
        unsigned char bytes[4096] = {};
    };
    std::unique_ptr<Memory> memory_ = std::make_unique<Memory>();
    Plain destroy_ = nullptr, end_ = nullptr, replay_ = nullptr;
    Begin begin_ = nullptr;
    bool made_ = false;
};

std::atomic<bool> graphs_allowed = true;
std::mutex makers_mutex;
std::map<c10::DeviceType, std::function<std::unique_ptr<DeviceGraph>()>> makers;

}  // namespace

std::vector<std::string> cuda_graph_symbols() {
    return {"_ZN2at4cuda9CUDAGraphC1Eb", "_ZN2at4cuda9CUDAGraphD1Ev",
            "_ZN2at4cuda9CUDAGraph13capture_beginESt4pairIyyE21cudaStreamCaptureMode",
            "_ZN2at4cuda9CUDAGraph11capture_endEv", "_ZN2at4cuda9CUDAGraph6replayEv"};
}

std::unique_ptr<DeviceGraph> make_graph(const c10::Device& device) {
    if (device.is_cuda()) return std::make_unique<CudaGraph>();
    const std::scoped_lock lock(makers_mutex);
    const auto maker = makers.find(device.type());
    return maker != makers.end() ? maker->second() : nullptr;
}

bool allow_graphs(bool allowed) { return graphs_allowed.exchange(allowed); }

void set_graph_maker(c10::DeviceType type, std::function<std::unique_ptr<DeviceGraph>()> maker) {
    const std::scoped_lock lock(makers_mutex);
    makers[type] = std::move(maker);
}

bool GraphedStep::may_record() {
    if (given_up_ || !graphs_allowed || !model::cuda::kernels_wanted(device_)) return false;
    // A record keeps its memory besides that of steps which are not recorded.
    const auto memory = device_memory(device_);
    if (memory.available == 0 || 2 * memory.peak_tensors < memory.available) return true;
    given_up_ = true;
    return false;
}

void GraphedStep::set_inputs(const at::Tensor& items, std::uint64_t dropout) {
    items_.copy_(items);
    dropout_state_.fill_(static_cast<std::int64_t>(dropout));
}

StepValues GraphedStep::step(const Kind& kind, const at::Tensor& items, std::uint64_t dropout,
                             const StepWork& work) {
    const bool known = kind_ == kind;
    if (!known) {
        graph_.reset();
        computed_ = {};
    }
    kind_ = kind;
    if (!known || (graph_ == nullptr && !may_record())) return work(items, {});
    if (graph_ == nullptr) {
        items_ = at::empty_like(items);
        dropout_state_ = at::empty({}, items.options().dtype(at::kLong));
        set_inputs(items, dropout);
        // A record allocates memory of its own and cannot use that of the previous one.
        release_reserved_memory(device_);
        try {
            graph_ = make_graph(device_);
            if (graph_ == nullptr) throw std::runtime_error("this device has none");
            graph_->record([&] {
                const auto* dropout_state = static_cast<const unsigned long long*>(dropout_state_.data_ptr());
                computed_ = work(items_, {.dropout_state = dropout_state});
            });
        } catch (const std::exception& failure) {
            graph_.reset();
            given_up_ = true;
            const auto* of_libtorch = dynamic_cast<const c10::Error*>(&failure);
            problem_ =
                of_libtorch != nullptr
                    ? Phrase("steps are not recorded as a graph: %1", of_libtorch->what_without_backtrace())
                    : Phrase("steps are not recorded as a graph: %1", phrase_of(failure));
            return work(items, {});
        }
    } else {
        set_inputs(items, dropout);
        graph_->start();
    }
    auto result = computed_;
    result.logged = computed_.logged.clone();
    return result;
}

std::string GraphedStep::take_problem() { return std::exchange(problem_, {}); }

}  // namespace casp::train

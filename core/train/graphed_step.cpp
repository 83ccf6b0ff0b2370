#include "train/graphed_step.h"

#include <dlfcn.h>

#include <map>
#include <mutex>
#include <stdexcept>
#include <utility>

#include <torch/torch.h>

#include "model/cuda/kernels.h"
#include "util/device.h"

namespace casp::train {

namespace {

/// at::cuda::CUDAGraph, whose header wants CUDA's: five functions by their names in libtorch_cuda, which is
/// loaded, and memory that is larger than any of its versions.
class CudaGraph final : public DeviceGraph {
public:
    CudaGraph() {
        const auto names = cuda_graph_symbols();
        const auto find = [&](std::size_t i) {
            void* function = dlsym(RTLD_DEFAULT, names[i].c_str());
            if (function == nullptr) throw std::runtime_error("this LibTorch has no " + names[i]);
            return function;
        };
        destroy_ = reinterpret_cast<Plain>(find(1));
        begin_ = reinterpret_cast<Begin>(find(2));
        end_ = reinterpret_cast<Plain>(find(3));
        replay_ = reinterpret_cast<Plain>(find(4));
        reinterpret_cast<void (*)(void*, bool)>(find(0))(object(), false);
        made_ = true;
    }
    ~CudaGraph() override {
        if (made_) destroy_(object());
    }
    CudaGraph(const CudaGraph&) = delete;
    CudaGraph& operator=(const CudaGraph&) = delete;

    void record(const std::function<void()>& work) override {
        constexpr int thread_local_mode = 1;  // cudaStreamCaptureModeThreadLocal: others may go on
        begin_(object(), {0, 0}, thread_local_mode);
        try {
            work();
        } catch (...) {
            try {
                end_(object());
            } catch (const std::exception&) {
                // The capture is over in any case; the first error is the reason.
            }
            throw;
        }
        end_(object());
        start();
    }
    void start() override { replay_(object()); }

private:
    using Plain = void (*)(void*);
    using Begin = void (*)(void*, std::pair<unsigned long long, unsigned long long>, int);

    void* object() { return memory_; }

    alignas(64) unsigned char memory_[4096] = {};
    Plain destroy_ = nullptr, end_ = nullptr, replay_ = nullptr;
    Begin begin_ = nullptr;
    bool made_ = false;
};

std::mutex mutex;
std::map<c10::DeviceType, std::function<std::unique_ptr<DeviceGraph>()>> makers;

}  // namespace

std::vector<std::string> cuda_graph_symbols() {
    return {"_ZN2at4cuda9CUDAGraphC1Eb", "_ZN2at4cuda9CUDAGraphD1Ev",
            "_ZN2at4cuda9CUDAGraph13capture_beginESt4pairIyyE21cudaStreamCaptureMode",
            "_ZN2at4cuda9CUDAGraph11capture_endEv", "_ZN2at4cuda9CUDAGraph6replayEv"};
}

std::unique_ptr<DeviceGraph> make_graph(const c10::Device& device) {
    if (device.is_cuda()) return std::make_unique<CudaGraph>();
    const std::scoped_lock lock(mutex);
    const auto maker = makers.find(device.type());
    return maker != makers.end() ? maker->second() : nullptr;
}

void set_graph_maker(c10::DeviceType type, std::function<std::unique_ptr<DeviceGraph>()> maker) {
    const std::scoped_lock lock(mutex);
    makers[type] = std::move(maker);
}

bool GraphedStep::may_record() const {
    if (given_up_ || !model::cuda::kernels_wanted(device_)) return false;
    // A record keeps its memory besides that of steps which are not recorded.
    const auto memory = device_memory(device_);
    return memory.available == 0 || 2 * memory.peak_tensors < memory.available;
}

void GraphedStep::set_inputs(const at::Tensor& items, std::uint64_t dropout) {
    items_.copy_(items);
    dropout_state_.fill_(static_cast<std::int64_t>(dropout));
}

ComputedStep GraphedStep::step(const Kind& kind, const at::Tensor& items, std::uint64_t dropout,
                               const Work& work) {
    was_graph_ = false;
    const bool known = kind_ == kind;
    if (!known) graph_.reset();
    kind_ = kind;
    if (!known || (graph_ == nullptr && !may_record())) return work(items, nullptr);
    if (graph_ == nullptr) {
        items_ = at::empty_like(items);
        dropout_state_ = at::empty({}, items.options().dtype(at::kLong));
        set_inputs(items, dropout);
        try {
            graph_ = make_graph(device_);
            if (graph_ == nullptr) throw std::runtime_error("this device has none");
            graph_->record([&] {
                computed_ = work(items_, static_cast<const unsigned long long*>(dropout_state_.data_ptr()));
            });
        } catch (const std::exception& failure) {
            graph_.reset();
            given_up_ = true;
            problem_ = std::string("steps are not recorded as a graph: ") + failure.what();
            return work(items, nullptr);
        }
    } else {
        set_inputs(items, dropout);
        graph_->start();
    }
    was_graph_ = true;
    auto result = computed_;
    result.logged = computed_.logged.clone();
    return result;
}

std::string GraphedStep::take_problem() { return std::exchange(problem_, {}); }

}  // namespace casp::train

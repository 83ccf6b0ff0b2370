// Graphs of the pretend device: operators and kernels with their arguments; they compute again in the same
// memory.
#include <torch/torch.h>

#include "pretend_device/pretend_device.h"
#include "train/graphed_step.h"

namespace casp::pretend {

GraphCounts graphs;
thread_local Record* record_of_thread = nullptr;

void record_for_graph(std::function<void()> work) {
    if (record_of_thread != nullptr) record_of_thread->work.push_back(std::move(work));
}

namespace {

class Graph final : public train::DeviceGraph {
public:
    void record(const std::function<void()>& work) override {
        const MemoryImage before;
        record_of_thread = &record_;
        try {
            work();
        } catch (...) {
            record_of_thread = nullptr;
            before.restore();
            throw;
        }
        record_of_thread = nullptr;
        before.restore();
        ++graphs.recorded;
        compute();
    }
    void start() override {
        ++graphs.started;
        compute();
    }

private:
    void compute() const {
        const torch::NoGradGuard no_gradient;
        for (const auto& part : record_.work) part();
    }

    Record record_;
};

}  // namespace

void install_graphs() {
    train::set_graph_maker(c10::DeviceType::PrivateUse1, [] { return std::make_unique<Graph>(); });
}

}  // namespace casp::pretend

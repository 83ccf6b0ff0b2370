#include "bench/floor.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <map>
#include <mutex>
#include <string_view>
#include <tuple>
#include <vector>

#include <torch/torch.h>

#include <ATen/record_function.h>

#include "bench/model_measurement.h"
#include "bench/workload.h"

namespace casp::bench {

namespace {

using Clock = std::chrono::steady_clock;
using Numbers = std::vector<std::int64_t>;

struct Operand {
    Numbers sizes, strides;
    at::ScalarType type;
    bool operator<(const Operand& o) const {
        return std::tie(sizes, strides, type) < std::tie(o.sizes, o.strides, o.type);
    }
};

using Product = std::pair<Operand, Operand>;

struct Recorded {
    std::mutex mutex;
    std::map<Product, int> counts;
};

Recorded& recorded() {
    static Recorded all;
    return all;
}

std::unique_ptr<at::ObserverContext> record(const at::RecordFunction& function) {
    const std::string_view name = function.name();
    const bool adds = name == "aten::addmm" || name == "aten::baddbmm" || name == "aten::addmm_";
    if (!adds && name != "aten::mm" && name != "aten::bmm") return nullptr;
    const auto operand = [&](std::size_t i) {
        const auto& t = function.inputs()[i].toTensor();
        return Operand{t.sizes().vec(), t.strides().vec(), t.scalar_type()};
    };
    const std::size_t first = adds ? 1 : 0;
    const std::lock_guard lock(recorded().mutex);
    ++recorded().counts[{operand(first), operand(first + 1)}];
    return nullptr;
}

/// The recorded products with operands of their own.
class Products {
public:
    explicit Products(const std::map<Product, int>& counts) {
        const torch::NoGradGuard no_gradient;
        for (const auto& [product, count] : counts) {
            const auto make = [](const Operand& o) {
                return at::empty_strided(o.sizes, o.strides, at::TensorOptions(o.type)).normal_();
            };
            Item item{make(product.first), make(product.second), {}, count};
            item.result = at::matmul(item.a, item.b);
            flop_ += 2.0 * static_cast<double>(item.result.numel() * item.a.size(-1)) * count;
            items_.push_back(std::move(item));
        }
    }

    [[nodiscard]] double seconds() {
        const torch::NoGradGuard no_gradient;
        double sum = 0;
        for (auto& item : items_) {
            const auto begin = Clock::now();
            for (int i = 0; i < item.count; ++i) {
                if (item.a.dim() == 3)
                    at::bmm_out(item.result, item.a, item.b);
                else
                    at::mm_out(item.result, item.a, item.b);
            }
            sum += std::chrono::duration<double>(Clock::now() - begin).count();
        }
        return sum;
    }

    [[nodiscard]] double gflop() const { return flop_ / 1e9; }

private:
    struct Item {
        at::Tensor a, b, result;
        int count;
    };
    std::vector<Item> items_;
    double flop_ = 0;
};

}  // namespace

int print_floor(const std::string& settings, const std::string& what, std::int64_t windows, int rounds) {
    std::function<void()> work;
    const auto config = settings_of(settings);
    if (what == "step") {
        work = [training = std::make_shared<TrainingWork>(windows, config)] { training->step(); };
    } else if (what == "evaluation") {
        work = [evaluation = std::make_shared<EvaluationWork>(2 * windows, config), windows] {
            evaluation->split(windows);
        };
    } else {
        std::fputs("casp_bench: --floor SETTINGS step or evaluation\n", stderr);
        return 2;
    }
    work();
    const auto handle = at::addGlobalCallback(
        at::RecordFunctionCallback(record).needsInputs(true).scopes({at::RecordScope::FUNCTION}));
    work();
    at::removeCallback(handle);
    Products products(recorded().counts);

    std::vector<double> whole, floor, share;
    for (int i = 0; i < rounds; ++i) {
        const auto begin = Clock::now();
        work();
        whole.push_back(std::chrono::duration<double>(Clock::now() - begin).count());
        floor.push_back(products.seconds());
        share.push_back(floor.back() / whole.back());
    }
    std::printf(
        "{\"settings\": \"%s\", \"what\": \"%s\", \"windows\": %lld, \"seconds\": %.4g, \"products\": %.4g, "
        "\"gflop\": %.4g, \"share\": %.3f, \"least\": %.3f, \"most\": %.3f}\n",
        settings.c_str(), what.c_str(), static_cast<long long>(windows), median_of(whole), median_of(floor),
        products.gflop(), median_of(share), *std::min_element(share.begin(), share.end()),
        *std::max_element(share.begin(), share.end()));
    return 0;
}

}  // namespace casp::bench

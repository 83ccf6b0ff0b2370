#include "pretend_device/kernels_on_host.h"

#include <setjmp.h>
#include <ucontext.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "model/cuda/kernels.h"
#include "model/cuda/keyed_mask.h"
#include "pretend_device/pretend_blas_lt.h"
#include "pretend_device/pretend_device.h"

namespace casp::pretend {

namespace {

struct Index {
    unsigned x;
};

/// The block that is computed, one at a time.
Index threadIdx, blockIdx, blockDim, gridDim;
alignas(16) std::array<unsigned char, 227 * 1024> dynamic_shared;

/// A block's threads as fibres.
class Block {
public:
    void run(unsigned threads, const std::function<void()>& kernel) {
        kernel_ = &kernel;
        while (fibres_.size() < threads) fibres_.push_back(std::make_unique<Fibre>());
        threads_ = threads;
        for (unsigned i = 0; i < threads; ++i) begin(*fibres_[i]);
        arrived_ = 0;
        for (bool any = true; any;) {
            any = false;
            for (unsigned i = 0; i < threads; ++i) {
                if (fibres_[i]->ended) continue;
                any = true;
                current_ = i;
                threadIdx.x = i;
                resume(*fibres_[i]);
            }
        }
    }

    /// The other threads of the warp come to the same place before this one goes on.
    void pass_on() {
        if (_setjmp(fibres_[current_]->place) == 0) _longjmp(main_, 1);
    }

    /// As pass_on(), for all threads of the block.
    void wait_for_all() {
        const auto mine = generation_;
        if (++arrived_ == threads_) {
            arrived_ = 0;
            ++generation_;
        }
        while (generation_ == mine) pass_on();
    }

private:
    struct Fibre {
        ucontext_t context{};  ///< to begin with: its stack
        jmp_buf place{};       ///< where it goes on; unlike swapcontext(), without a system call
        bool begun = false, ended = true;
        std::vector<char> stack = std::vector<char>(64 * 1024);
    };

    void begin(Fibre& fibre);
    void resume(Fibre& fibre);
    static void enter();

    jmp_buf main_{};
    std::vector<std::unique_ptr<Fibre>> fibres_;
    const std::function<void()>* kernel_ = nullptr;
    unsigned current_ = 0, threads_ = 0, arrived_ = 0, generation_ = 0;
};

Block block;

void Block::enter() {
    (*block.kernel_)();
    block.fibres_[block.current_]->ended = true;
    _longjmp(block.main_, 1);
}

void Block::begin(Fibre& fibre) {
    if (fibre.context.uc_stack.ss_sp == nullptr) {
        getcontext(&fibre.context);
        fibre.context.uc_stack.ss_sp = fibre.stack.data();
        fibre.context.uc_stack.ss_size = fibre.stack.size();
        makecontext(&fibre.context, &Block::enter, 0);
    }
    fibre.begun = fibre.ended = false;
}

void Block::resume(Fibre& fibre) {
    if (_setjmp(main_) != 0) return;
    if (std::exchange(fibre.begun, true)) _longjmp(fibre.place, 1);
    setcontext(&fibre.context);
}

/// What each thread of a warp shows to the others.
template <class Value>
const Value* exchanged(const Value& value) {
    static std::array<Value, 1024> shown;
    shown[threadIdx.x] = value;
    block.pass_on();
    return &shown[threadIdx.x / 32 * 32];
}

// ---- The words of the kernels' language ----

#define KERNEL void
#define UNROLL
#define __shared__ static
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __launch_bounds__(threads)
#define SHARED_MEMORY(type, name) type* name = reinterpret_cast<type*>(dynamic_shared.data())

void __syncthreads() { block.wait_for_all(); }
float __uint_as_float(unsigned bits) { return std::bit_cast<float>(bits); }
unsigned __float_as_uint(float value) { return std::bit_cast<unsigned>(value); }
float rsqrtf(float x) { return 1 / std::sqrt(x); }

float __shfl_xor_sync(unsigned /*all*/, float value, int lane) {
    const auto result = exchanged(value)[threadIdx.x % 32 ^ static_cast<unsigned>(lane)];
    block.pass_on();  // before the next value is shown
    return result;
}

#include "model/cuda/common.cu"

/// PTX ISA, ldmatrix: thread 8 m + r gives the address of row r of matrix m; thread t receives of each matrix
/// elements 2 (t % 4) and 2 (t % 4) + 1 of row t / 4.
void load(unsigned* to, const bf16* row, bool transposed) {
    const auto* rows = exchanged(row);
    const unsigned lane = threadIdx.x % 32, line = lane / 4, pair = lane % 4 * 2;
    for (unsigned m = 0; m < 4; ++m) {
        const auto* const* of = rows + static_cast<std::ptrdiff_t>(8 * m);
        const unsigned low = transposed ? of[pair][line] : of[line][pair];
        const unsigned high = transposed ? of[pair + 1][line] : of[line][pair + 1];
        to[m] = low | high << 16;
    }
    block.pass_on();
}
void load_matrices(unsigned* to, const bf16* row) { load(to, row, false); }
void load_transposed(unsigned* to, const bf16* row) { load(to, row, true); }

/// PTX ISA, mma.m16n8k16 of bf16: A's element (i, k) is in register (k ≥ 8)·2 + (i ≥ 8) of thread
/// (i % 8)·4 + (k % 8)/2, B's (k, n) in register (k ≥ 8) of thread n·4 + (k % 8)/2.
void multiply(float* c, const unsigned* a, unsigned b0, unsigned b1) {
    using Factors = std::array<unsigned, 6>;
    const auto* all = exchanged(Factors{a[0], a[1], a[2], a[3], b0, b1});
    const auto half = [](unsigned two, unsigned which) {
        return widen(static_cast<bf16>(two >> 16 * (which % 2)));
    };
    const unsigned lane = threadIdx.x % 32;
    for (unsigned e = 0; e < 4; ++e) {
        const unsigned i = lane / 4 + e / 2 * 8, n = lane % 4 * 2 + e % 2;
        for (unsigned k = 0; k < 16; ++k)
            c[e] += half(all[i % 8 * 4 + k % 8 / 2][k / 8 * 2 + i / 8], k) *
                    half(all[n * 4 + k % 8 / 2][4 + k / 8], k);
    }
    block.pass_on();
}

/// A kernel with its arguments as a launch gives them.
using Started = std::function<void(void**)>;

template <class... Arguments>
Started starter(void (*kernel)(Arguments...)) {
    return [kernel](void** arguments) {
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            kernel(*static_cast<std::remove_const_t<Arguments>*>(arguments[I])...);
        }
        (std::index_sequence_for<Arguments...>());
    };
}

// ---- The kernels, for the shapes of tests ----

std::map<std::string, Started>& kernels() {
    static std::map<std::string, Started> all;
    return all;
}

#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)
#define NAME_(a, b) a##b
#define NAME(a, b) NAME_(a, b)
#define A_NAMESPACE NAME(shape_, __COUNTER__)

bool add(const char* name, const char* constants, Started started) {
    kernels()[std::string(name) + " " + constants] = std::move(started);
    return true;
}

#define VALUE float
#include "pretend_device/dropout_of.inc"
#define VALUE bf16
#include "pretend_device/dropout_of.inc"

#define WIDTH 32
#include "pretend_device/residual_norm_of.inc"
#define WIDTH 96
#include "pretend_device/residual_norm_of.inc"
#define WIDTH 128
#include "pretend_device/residual_norm_of.inc"

// Tokens that fill no tile, one, and more; those of a run, and of its measurement of the device's speed.
#define TOKENS 5
#define HEADS 3
#define HEAD_WIDTH 16
#define CAUSAL 1
#include "pretend_device/attention_of.inc"
#define TOKENS 16
#define HEADS 2
#define HEAD_WIDTH 16
#define CAUSAL 0
#include "pretend_device/attention_of.inc"
#define TOKENS 10
#define HEADS 2
#define HEAD_WIDTH 48
#define CAUSAL 1
#include "pretend_device/attention_of.inc"
#define TOKENS 16
#define HEADS 2
#define HEAD_WIDTH 48
#define CAUSAL 1
#include "pretend_device/attention_of.inc"
#define TOKENS 72
#define HEADS 2
#define HEAD_WIDTH 64
#define CAUSAL 1
#include "pretend_device/attention_of.inc"
#define TOKENS 128
#define HEADS 1
#define HEAD_WIDTH 64
#define CAUSAL 0
#include "pretend_device/attention_of.inc"

#define WIDTH 32
#include "pretend_device/join_tokens_of.inc"
#define WIDTH 96
#include "pretend_device/join_tokens_of.inc"

#define WIDTH 32
#include "pretend_device/l2_norm_of.inc"
#define WIDTH 96
#include "pretend_device/l2_norm_of.inc"

// Cycles and patches that fill the look-back, and that do not.
#define LENGTH 24
#define CHANNELS 2
#define TREND 5
#define PERIOD 6
#define PATCH 8
#define STRIDE 4
#include "pretend_device/patches_of.inc"
#define LENGTH 23
#define CHANNELS 1
#define TREND 4
#define PERIOD 7
#define PATCH 6
#define STRIDE 5
#include "pretend_device/patches_of.inc"
#define LENGTH 24
#define CHANNELS 2
#define TREND 1
#define PERIOD 24
#define PATCH 8
#define STRIDE 4
#include "pretend_device/patches_of.inc"
#define LENGTH 48
#define CHANNELS 1
#define TREND 13
#define PERIOD 12
#define PATCH 16
#define STRIDE 8
#include "pretend_device/patches_of.inc"
#define LENGTH 48
#define CHANNELS 3
#define TREND 13
#define PERIOD 12
#define PATCH 16
#define STRIDE 8
#include "pretend_device/patches_of.inc"

class HostBackend : public model::cuda::KernelBackend {
public:
    void* find(const model::cuda::KernelSpec& spec, const c10::Device& /*device*/, unsigned shared,
               Phrase& problem) override {
        const auto known = kernels().find(std::string(spec.name) + " " + spec.constants);
        if (known != kernels().end() && shared <= dynamic_shared.size()) return &known->second;
        problem =
            std::string("the kernel ") + spec.name + " is not used, it is not compiled for " + spec.constants;
        return nullptr;
    }

    int generation(const c10::Device& /*device*/) override { return 9; }

    void launch(void* kernel, const c10::Device& /*device*/, const model::cuda::Grid& grid, void** arguments,
                const std::size_t* sizes, const bool* pointers, std::size_t count) override {
        std::vector<std::vector<char>> values;
        for (std::size_t i = 0; i < count; ++i) {
            const auto* value = static_cast<const char*>(arguments[i]);
            values.emplace_back(value, value + sizes[i]);
            constexpr auto invalid_on_host = std::uintptr_t{1} << 62;
            if (pointers[i]) *reinterpret_cast<std::uintptr_t*>(values[i].data()) &= ~invalid_on_host;
        }
        const auto start = [this, kernel, grid, values]() mutable {
            std::vector<void*> places;
            for (auto& value : values) places.push_back(value.data());
            start_now(*static_cast<Started*>(kernel), grid, places.data());
        };
        record_for_graph(start);
        auto now = start;
        now();
    }

    static inline std::atomic<std::size_t> launches = 0;

private:
    void start_now(const Started& kernel, const model::cuda::Grid& grid, void** arguments) {
        const std::scoped_lock lock(mutex_);
        gridDim.x = static_cast<unsigned>(grid.blocks);
        blockDim.x = grid.threads;
        // What a kernel reads before it is written shall be seen.
        std::memset(dynamic_shared.data(), 0xff, dynamic_shared.size());
        for (blockIdx.x = 0; blockIdx.x < gridDim.x; ++blockIdx.x)
            block.run(grid.threads, [&] { kernel(arguments); });
        ++launches;
    }

    std::mutex mutex_;
};

}  // namespace

void install_kernels() {
    model::cuda::set_kernel_backend(c10::DeviceType::PrivateUse1, std::make_shared<HostBackend>());
    record_products_by(record_for_graph);
}

std::size_t kernel_launches() { return HostBackend::launches; }

}  // namespace casp::pretend

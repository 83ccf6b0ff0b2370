#pragma once
// The program's GPU kernels (core/model/cuda) against the CPU's operators with the same masks: on a GPU, and
// with the pretend device, which compiles their source by g++. They must be on (model::cuda::use_kernels).

#include <cstdint>

#include "gpu/gpu_checks.h"

namespace casp::gpu {

/// Elements of fp32 and bf16 tensors that a GPU drops, in forward and backward pass; with slices, too.
std::string check_dropout_kernel(const c10::Device& device);

/// Values and gradients against float64. `half_branch`, `half`: types of branch and norm (fused.h).
std::string check_norm_kernel(const c10::Device& device, std::int64_t width, bool half_branch, bool half);
std::string check_norm_without_branch(const c10::Device& device, std::int64_t width);

/// Values and gradients of rows of `prefixed` and `following` tokens: the CPU's bits, sums for positions
/// nearly.
std::string check_join_kernel(const c10::Device& device, std::int64_t prefixed, std::int64_t following,
                              std::int64_t width);

/// The CPU's bits, of look-backs of `size` rows; trend, period, length and stride of decomposition and
/// patches.
std::string check_patches_kernel(const c10::Device& device, std::int64_t size, std::int64_t channels,
                                 std::int64_t trend, std::int64_t period, std::int64_t length,
                                 std::int64_t stride);

/// Rows, and their gradients, against float64; one of zeros.
std::string check_l2_kernel(const c10::Device& device, std::int64_t width);

/// gelu(x·W + b), and its gradient in a product, against float64; a feed-forward layer of 4·width.
std::string check_gelu_products(const c10::Device& device, std::int64_t width);

/// Output and gradients in bf16 against float64 of the same values.
std::string check_attention_kernel(const c10::Device& device, std::int64_t tokens, std::int64_t heads,
                                   std::int64_t width, bool causal);
/// Which probabilities are dropped: equal ones of 16 tokens and two heads of 16.
std::string check_attention_mask(const c10::Device& device);

/// Those above for GPT-2's shapes, with the kernels on; each says so where the device has none.
[[nodiscard]] std::vector<Check> kernel_checks();

/// While it exists, the kernels are on or off.
class KernelSwitch {
public:
    explicit KernelSwitch(bool on);
    ~KernelSwitch();
    KernelSwitch(const KernelSwitch&) = delete;
    KernelSwitch& operator=(const KernelSwitch&) = delete;

private:
    bool former_;
};

}  // namespace casp::gpu

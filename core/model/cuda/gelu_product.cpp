#include "model/cuda/gelu_product.h"

#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>

#include <torch/torch.h>

#include "model/cuda/blas_lt.h"
#include "model/cuda/kernels.h"
#include "util/device.h"
#include "util/shared_library.h"

namespace casp::model::cuda {

namespace blas_lt {

Functions::Functions() {
    const SharedLibrary library({"libcublasLt.so.13", "libcublasLt.so.12", "libcublasLt.so"});
    library.find(create, "cublasLtCreate");
    library.find(create_product, "cublasLtMatmulDescCreate");
    library.find(destroy_product, "cublasLtMatmulDescDestroy");
    library.find(set_attribute, "cublasLtMatmulDescSetAttribute");
    library.find(create_layout, "cublasLtMatrixLayoutCreate");
    library.find(destroy_layout, "cublasLtMatrixLayoutDestroy");
    library.find(create_preference, "cublasLtMatmulPreferenceCreate");
    library.find(destroy_preference, "cublasLtMatmulPreferenceDestroy");
    library.find(set_preference, "cublasLtMatmulPreferenceSetAttribute");
    library.find(choose, "cublasLtMatmulAlgoGetHeuristic");
    library.find(multiply, "cublasLtMatmul");
    library.find(error, "cublasLtGetStatusString");
}

namespace {

const Functions& library() {
    static const Functions one;
    return one;
}

void check(int status, const char* what) {
    if (status != 0) throw std::runtime_error(std::string(what) + ": " + library().error(status));
}

using Handle = std::unique_ptr<void, int (*)(void*)>;

/// Row-major [rows, columns] is column-major [columns, rows].
Handle layout_of(const at::Tensor& matrix) {
    void* layout = nullptr;
    check(library().create_layout(&layout, type_bf16, static_cast<std::uint64_t>(matrix.size(1)),
                                  static_cast<std::uint64_t>(matrix.size(0)), matrix.size(1)),
          "cublasLtMatrixLayoutCreate");
    return {layout, library().destroy_layout};
}

/// Dense, and as the choice of an algorithm expects it by default.
at::Tensor aligned(const at::Tensor& x) {
    constexpr std::uintptr_t alignment = 256;
    const auto dense = x.contiguous();
    return reinterpret_cast<std::uintptr_t>(dense.data_ptr()) % alignment == 0 ? dense : dense.clone();
}

/// What is known of a device: its handle, and the algorithm for each shape, one for the life of the process.
struct Known {
    std::mutex mutex;
    std::map<std::string, void*> handles;
    using Key = std::tuple<std::string, int, std::int64_t, std::int64_t, std::int64_t>;
    std::map<Key, Choice> choices;
    std::set<std::string> refused;  ///< devices without it
};

Known& known() {
    static auto* one = new Known;  // never destroyed: a run's thread may outlive main()
    return *one;
}

/// Of a product with x [n, in] and a result [n, width].
Known::Key key_of(const at::Tensor& x, std::int64_t width, Epilogue after) {
    return {x.device().str(), after, x.size(0), width, x.size(1)};
}

/// out = after(x·W), with `transposed` after(x·Wᵀ); all row-major.
struct Product {
    const at::Tensor &x, &weight, &out, &aux;
    bool transposed;
    Epilogue after;
    const void* bias;

    void compute() const {
        const auto device = x.device();
        const c10::DeviceGuard guard(device);
        void* made = nullptr;
        check(library().create_product(&made, compute_fp32, type_fp32), "cublasLtMatmulDescCreate");
        const Handle product(made, library().destroy_product);
        const auto set = [&](Attribute attribute, const auto& value) {
            check(library().set_attribute(made, attribute, &value, sizeof value),
                  "cublasLtMatmulDescSetAttribute");
        };
        // Column-major, it is outᵀ = Wᵀxᵀ: of Wᵀ as it lies in memory, or of W.
        set(transpose_a, transposed ? 1 : 0);
        set(epilogue, static_cast<int>(after));
        set(aux_pointer, static_cast<const void*>(aux.data_ptr()));
        set(aux_line, static_cast<std::int64_t>(aux.size(1)));
        if (bias != nullptr) set(bias_pointer, bias);
        const auto a = layout_of(weight), b = layout_of(x), d = layout_of(out);
        const auto [handle, choice] = choose(made, a.get(), b.get(), d.get());
        const auto workspace =
            at::empty({static_cast<std::int64_t>(choice.workspace)}, x.options().dtype(at::kByte));
        const float one = 1, zero = 0;
        check(library().multiply(handle, made, &one, weight.data_ptr(), a.get(), x.data_ptr(), b.get(), &zero,
                                 out.data_ptr(), d.get(), out.data_ptr(), d.get(), choice.algorithm.data(),
                                 workspace.data_ptr(), choice.workspace, native_stream(device)),
              "cublasLtMatmul");
    }

    [[nodiscard]] Known::Key key() const { return key_of(x, out.size(1), after); }

private:
    std::pair<void*, Choice> choose(void* product, void* a, void* b, void* d) const {
        const auto device = x.device().str();
        const std::scoped_lock lock(known().mutex);
        auto& handle = known().handles[device];
        if (handle == nullptr) check(library().create(&handle), "cublasLtCreate");
        const auto [place, added] = known().choices.try_emplace(key());
        auto& choice = place->second;
        if (added) {
            choice.state = -1;
            void* made = nullptr;
            check(library().create_preference(&made), "cublasLtMatmulPreferenceCreate");
            const Handle preference(made, library().destroy_preference);
            const std::size_t most = 32 << 20;
            check(library().set_preference(made, workspace_limit, &most, sizeof most),
                  "cublasLtMatmulPreferenceSetAttribute");
            int found = 0;
            check(library().choose(handle, product, a, b, d, d, made, 1, &choice, &found),
                  "cublasLtMatmulAlgoGetHeuristic");
            if (found == 0) choice.state = -1;
        }
        if (choice.state != 0) throw std::runtime_error("cuBLASLt has no algorithm for this shape");
        return {handle, choice};
    }
};

/// Whether there is no reason to refuse such tensors.
bool wanted(const at::Tensor& x, std::int64_t width, Epilogue after) {
    if (!kernels_wanted(x.device()) || x.scalar_type() != at::kBFloat16 || x.size(0) == 0 || width % 8 != 0 ||
        !has_gelu_products(x.device()))
        return false;
    const std::scoped_lock lock(known().mutex);
    const auto choice = known().choices.find(key_of(x, width, after));
    return known().refused.count(x.device().str()) == 0 &&
           (choice == known().choices.end() || choice->second.state == 0);
}

/// Computes the product; false: the reason is told once, and it is not tried again with this shape, or on a
/// device without cuBLASLt.
bool done(const Product& product) {
    try {
        product.compute();
        return true;
    } catch (const std::runtime_error& failure) {
        note_kernel_problem(Phrase("products with GELU are not used, LibTorch's operators instead: %1",
                                   std::string(failure.what())));
        const auto device = product.x.device().str();
        const std::scoped_lock lock(known().mutex);
        if (known().handles[device] == nullptr) known().refused.insert(device);
        known().choices[product.key()].state = -1;
        return false;
    }
}

}  // namespace
}  // namespace blas_lt

bool has_gelu_products(const c10::Device& device) {
    constexpr int hopper = 9;
    return kernel_generation(device) >= hopper;
}

std::optional<GeluProduct> gelu_product(const at::Tensor& x, const at::Tensor& weight,
                                        const at::Tensor& bias) {
    if (!blas_lt::wanted(x, weight.size(1), blas_lt::gelu_aux_bias)) return std::nullopt;
    const auto rows = blas_lt::aligned(x), factor = blas_lt::aligned(weight), added = blas_lt::aligned(bias);
    GeluProduct result{at::empty({rows.size(0), factor.size(1)}, rows.options()),
                       at::empty({rows.size(0), factor.size(1)}, rows.options())};
    const blas_lt::Product product{
        rows, factor, result.out, result.inner, false, blas_lt::gelu_aux_bias, added.data_ptr()};
    return blas_lt::done(product) ? std::optional(result) : std::nullopt;
}

std::optional<at::Tensor> gelu_product_gradient(const at::Tensor& gradient, const at::Tensor& weight,
                                                const at::Tensor& inner) {
    if (!blas_lt::wanted(gradient, weight.size(0), blas_lt::gelu_gradient)) return std::nullopt;
    const auto rows = blas_lt::aligned(gradient), factor = blas_lt::aligned(weight),
               before = blas_lt::aligned(inner);
    const auto result = at::empty_like(before);
    const blas_lt::Product product{rows, factor, result, before, true, blas_lt::gelu_gradient, nullptr};
    return blas_lt::done(product) ? std::optional(result) : std::nullopt;
}

}  // namespace casp::model::cuda

// A pretend libcublasLt.so.13 for the pretend device: as much of it as core/model/cuda/gelu_product.cpp uses,
// by NVIDIA's description of the functions. Matrices are column-major.
#include "pretend_device/pretend_blas_lt.h"

#include <atomic>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <map>
#include <vector>

#include "model/cuda/blas_lt.h"

namespace {

using namespace casp::model::cuda;

enum Status { success = 0, invalid_value = 7, not_supported = 15 };
std::atomic<std::size_t> all_products = 0;
std::function<void(std::function<void()>)> recorder;

struct Layout {
    int type;
    std::uint64_t rows, columns;
    std::int64_t leading;
};
struct Product {
    std::map<int, std::vector<char>> attributes;

    template <class T>
    [[nodiscard]] T get(int attribute) const {
        T value{};
        if (const auto found = attributes.find(attribute); found != attributes.end())
            std::memcpy(&value, found->second.data(), sizeof value);
        return value;
    }
};

template <class T>
T* on_host(T* address) {
    return std::bit_cast<T*>(std::bit_cast<std::uintptr_t>(address) & ~(std::uintptr_t{1} << 62));
}

float widen(std::uint16_t bits) { return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16); }
std::uint16_t narrow(float x) {
    const auto bits = std::bit_cast<std::uint32_t>(x);
    return static_cast<std::uint16_t>((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
}

constexpr float root = 0.7978845608F, cubic = 0.044715F;  // √(2/π)
float gelu(float x) { return 0.5F * x * (1 + std::tanh(root * (x + cubic * x * x * x))); }
float gelu_slope(float x) {
    const float t = std::tanh(root * (x + cubic * x * x * x));
    return 0.5F * (1 + t) + 0.5F * x * (1 - t * t) * root * (1 + 3 * cubic * x * x);
}

/// Whether the attributes are a product that the library computes.
Status check(const Product& p, const Layout& a, const Layout& b, const Layout& d) {
    const bool transposed = p.get<int>(blas_lt::transpose_a) != 0;
    const auto inner = transposed ? a.rows : a.columns, rows = transposed ? a.columns : a.rows;
    if (inner != b.rows || rows != d.rows || b.columns != d.columns) return invalid_value;
    for (const auto* layout : {&a, &b, &d})
        if (layout->type != blas_lt::type_bf16 || layout->leading != static_cast<std::int64_t>(layout->rows))
            return not_supported;
    const auto epilogue = p.get<int>(blas_lt::epilogue);
    const auto aux_line = p.get<std::int64_t>(blas_lt::aux_line);
    if (p.get<const void*>(blas_lt::aux_pointer) == nullptr || aux_line % 8 != 0 ||
        aux_line < static_cast<std::int64_t>(d.rows))
        return invalid_value;
    if (epilogue == blas_lt::gelu_aux_bias)
        return p.get<const void*>(blas_lt::bias_pointer) != nullptr ? success : invalid_value;
    return epilogue == blas_lt::gelu_gradient ? success : not_supported;
}

template <class T>
int destroy(void* object) {
    delete static_cast<T*>(object);
    return success;
}

}  // namespace

namespace casp::pretend {
std::size_t blas_lt_products() { return all_products; }
void record_products_by(std::function<void(std::function<void()>)> record) { recorder = std::move(record); }
}  // namespace casp::pretend

extern "C" {

int cublasLtCreate(void** handle) {
    *handle = new int(1);
    return success;
}
const char* cublasLtGetStatusString(int /*status*/) { return "the pretend library refuses"; }

int cublasLtMatmulDescCreate(void** product, int compute_type, int scale_type) {
    if (compute_type != blas_lt::compute_fp32 || scale_type != blas_lt::type_fp32) return not_supported;
    *product = new Product;
    return success;
}
int cublasLtMatmulDescDestroy(void* product) { return destroy<Product>(product); }
int cublasLtMatmulDescSetAttribute(void* product, int attribute, const void* value, std::size_t bytes) {
    const bool is_int = attribute == blas_lt::transpose_a || attribute == blas_lt::epilogue;
    if (bytes != (is_int ? sizeof(int) : sizeof(void*))) return invalid_value;
    const auto* begin = static_cast<const char*>(value);
    static_cast<Product*>(product)->attributes[attribute].assign(begin, begin + bytes);
    return success;
}

int cublasLtMatrixLayoutCreate(void** layout, int type, std::uint64_t rows, std::uint64_t columns,
                               std::int64_t leading) {
    *layout = new Layout{type, rows, columns, leading};
    return success;
}
int cublasLtMatrixLayoutDestroy(void* layout) { return destroy<Layout>(layout); }

int cublasLtMatmulPreferenceCreate(void** preference) {
    *preference = new std::size_t(0);
    return success;
}
int cublasLtMatmulPreferenceDestroy(void* preference) { return destroy<std::size_t>(preference); }
int cublasLtMatmulPreferenceSetAttribute(void* preference, int attribute, const void* value,
                                         std::size_t bytes) {
    if (attribute != blas_lt::workspace_limit || bytes != sizeof(std::size_t)) return invalid_value;
    std::memcpy(preference, value, bytes);
    return success;
}

int cublasLtMatmulAlgoGetHeuristic(void* /*handle*/, void* product, void* a, void* b, void* /*c*/, void* d,
                                   void* preference, int wanted, blas_lt::Choice* choices, int* found) {
    *found = 0;
    if (wanted < 1) return invalid_value;
    const auto status = check(*static_cast<Product*>(product), *static_cast<Layout*>(a),
                              *static_cast<Layout*>(b), *static_cast<Layout*>(d));
    if (status != success) return status;
    *found = 1;
    *choices = {{42}, *static_cast<std::size_t*>(preference), success, 1, {}};
    return success;
}

int cublasLtMatmul(void* /*handle*/, void* description, const void* alpha, const void* a_values,
                   void* a_layout, const void* b_values, void* b_layout, const void* beta, const void* /*c*/,
                   void* /*c_layout*/, void* d_values, void* d_layout, const void* algorithm, void* workspace,
                   std::size_t bytes, void* /*stream*/) {
    const auto& p = *static_cast<Product*>(description);
    const auto &a = *static_cast<Layout*>(a_layout), &b = *static_cast<Layout*>(b_layout),
               &d = *static_cast<Layout*>(d_layout);
    if (const auto status = check(p, a, b, d); status != success) return status;
    if (*static_cast<const float*>(alpha) != 1 || *static_cast<const float*>(beta) != 0 ||
        *static_cast<const std::uint64_t*>(algorithm) != 42)
        return not_supported;
    std::memset(on_host(workspace), 0xff, bytes);
    const auto* x = on_host(static_cast<const std::uint16_t*>(a_values));
    const auto* y = on_host(static_cast<const std::uint16_t*>(b_values));
    const auto* bias = on_host(p.get<const std::uint16_t*>(blas_lt::bias_pointer));
    auto* aux = on_host(p.get<std::uint16_t*>(blas_lt::aux_pointer));
    auto* out = on_host(static_cast<std::uint16_t*>(d_values));
    const bool transposed = p.get<int>(blas_lt::transpose_a) != 0;
    const auto forward = p.get<int>(blas_lt::epilogue) == blas_lt::gelu_aux_bias;
    const auto aux_line = static_cast<std::uint64_t>(p.get<std::int64_t>(blas_lt::aux_line));
    const auto compute = [=, rows = d.rows, columns = d.columns, inner = b.rows, line = a.rows] {
        for (std::uint64_t column = 0; column < columns; ++column)
            for (std::uint64_t row = 0; row < rows; ++row) {
                float sum = forward ? widen(bias[row]) : 0;
                for (std::uint64_t k = 0; k < inner; ++k)
                    sum +=
                        widen(x[transposed ? row * line + k : k * line + row]) * widen(y[column * inner + k]);
                auto& beside = aux[column * aux_line + row];
                if (forward) beside = narrow(sum);
                out[column * rows + row] = narrow(forward ? gelu(sum) : sum * gelu_slope(widen(beside)));
            }
    };
    compute();
    if (recorder) recorder(compute);
    ++all_products;
    return success;
}

}  // extern "C"

#pragma once
// As much of cuBLASLt's C interface as gelu_product.cpp uses, with the numbers of cublasLt.h and
// library_types.h (unchanged since CUDA 11.4). Handles are void*; matrices are column-major.

#include <array>
#include <cstddef>
#include <cstdint>

namespace casp::model::cuda::blas_lt {

constexpr int type_fp32 = 0, type_bf16 = 14;
constexpr int compute_fp32 = 68;
/// Of a product's description.
enum Attribute { transpose_a = 3, epilogue = 7, bias_pointer = 8, aux_pointer = 11, aux_line = 12 };
/// D = gelu(AB + bias) with aux = AB + bias; D = AB ∘ gelu'(aux).
enum Epilogue { gelu_aux_bias = 164, gelu_gradient = 192 };
constexpr int workspace_limit = 1;  ///< of a preference

/// cublasLtMatmulHeuristicResult_t.
struct Choice {
    std::array<std::uint64_t, 8> algorithm;
    std::size_t workspace;
    int state;  ///< 0: it can be used
    float waves;
    std::array<int, 4> reserved;
};

/// The functions return 0, or an error.
struct Functions {
    int (*create)(void** handle);
    int (*create_product)(void** product, int compute_type, int scale_type);
    int (*destroy_product)(void* product);
    int (*set_attribute)(void* product, int attribute, const void* value, std::size_t bytes);
    int (*create_layout)(void** layout, int type, std::uint64_t rows, std::uint64_t columns,
                         std::int64_t leading);
    int (*destroy_layout)(void* layout);
    int (*create_preference)(void** preference);
    int (*destroy_preference)(void* preference);
    int (*set_preference)(void* preference, int attribute, const void* value, std::size_t bytes);
    int (*choose)(void* handle, void* product, void* a, void* b, void* c, void* d, void* preference,
                  int wanted, Choice* choices, int* found);
    int (*multiply)(void* handle, void* product, const void* alpha, const void* a, void* layout_a,
                    const void* b, void* layout_b, const void* beta, const void* c, void* layout_c, void* d,
                    void* layout_d, const void* algorithm, void* workspace, std::size_t bytes, void* stream);
    const char* (*error)(int status);

    /// Opens libcublasLt.so. Throws std::runtime_error.
    Functions();
};

}  // namespace casp::model::cuda::blas_lt

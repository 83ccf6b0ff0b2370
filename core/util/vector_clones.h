#pragma once
// Function attributes for SIMD dispatch at run time (GCC, x86-64).
//
// CASP_VECTOR_CLONES before a function compiles it for AVX-512, AVX2 and the baseline; the program picks the
// best version at start. Without effect for other compilers and processors, and under sanitizers, which do
// not support the resolver. CASP_INLINE before a function called from there compiles it into each version.

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
#define CASP_VECTOR_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define CASP_VECTOR_CLONES
#endif

#define CASP_INLINE inline __attribute__((always_inline))

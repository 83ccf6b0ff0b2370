#pragma once
// CASP_VECTOR_CLONES before a function: one binary for every x86-64 processor, with the widest vectors it
// has. (Sanitizers cannot work with the resolver; other compilers and processors take the plain function.)
// CASP_INLINE before what such a function calls: compiled into each of its versions.

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
#define CASP_VECTOR_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define CASP_VECTOR_CLONES
#endif

#define CASP_INLINE inline __attribute__((always_inline))

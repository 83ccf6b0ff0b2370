// What every kernel's source has after keyed_mask.h. It is compiled by NVRTC on the machine with the GPU, with its shapes as
// constants (kernels.h), and by g++ for tests, where a thread of the GPU is a fibre (tests/pretend_device/kernels_on_host.cpp).

using casp::model::KeyedMask;
using casp::model::MaskPlace;

#ifdef __CUDACC__
#define KERNEL extern "C" __global__ void
#define UNROLL _Pragma("unroll")
#endif

typedef unsigned short bf16;

CASP_DEVICE float widen(float x) { return x; }
CASP_DEVICE float widen(bf16 x) { return __uint_as_float(static_cast<unsigned>(x) << 16); }

template <class T>
CASP_DEVICE T narrow(float x);
template <>
CASP_DEVICE float narrow<float>(float x) {
    return x;
}
template <>
CASP_DEVICE bf16 narrow<bf16>(float x) {
#ifdef __CUDA_ARCH__
    bf16 y;
    asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(y) : "f"(x));
    return y;
#else
    const unsigned bits = __float_as_uint(x);
    return x != x ? 0x7fc0 : static_cast<bf16>((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
#endif
}

/// Neighbours that are read or written at once.
template <class T, int N>
struct alignas(sizeof(T) * N) Pack {
    T at[N];
};

CASP_DEVICE float kept(float value, const MaskPlace& place, unsigned offset, const KeyedMask& mask) {
    const unsigned hash = casp::model::keyed_hash(place.index + offset, place.key0, place.key1);
    return hash >= mask.threshold ? value * mask.scale : 0.0f;
}

/// Sum over the 32 threads of a warp, the same in all of them.
CASP_DEVICE float warp_sum(float x) {
    for (int lane = 16; lane > 0; lane /= 2) x += __shfl_xor_sync(0xffffffffu, x, lane);
    return x;
}

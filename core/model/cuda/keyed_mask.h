#pragma once
// The mask of dropout as a function of an element's place: on the CPU, and in the kernels of a GPU, whose
// source begins with this file. C++ without headers.

#if defined(__CUDACC__)  // NVRTC, too
#define CASP_DEVICE __device__ __forceinline__
#else
#define CASP_DEVICE inline
#endif

namespace casp::model {

/// Which elements of a dense tensor dropout zeroes. Kernels take it by value.
struct KeyedMask {
    unsigned long long key;  ///< with a state (place_of()): the number of the use of dropout within the step
    long long first;         ///< elements before the tensor's first; with slices: rows before its first row
    long long slice;         ///< rows with one mask; 0: one mask for the whole tensor
    long long row;           ///< elements in a row, if there are slices
    unsigned threshold;      ///< dropped where the hash is below
    float scale;             ///< of the kept ones, 1 / (1 - p)
};

/// What hash_at() needs of an element; `index` counts on for those that follow in the same row.
struct MaskPlace {
    unsigned key0, key1, index;
};

/// As mix64() of util/mix.h.
CASP_DEVICE unsigned long long mixed(unsigned long long x) {
    x ^= x >> 30;
    x *= 0xbf58476d1ce4e5b9ULL;
    x ^= x >> 27;
    x *= 0x94d049bb133111ebULL;
    return x ^ (x >> 31);
}

/// DropoutStream's increment between two uses.
constexpr unsigned long long between_uses = 0x9e3779b97f4a7c15ULL;

/// `state`: of the step, on the device, where one recorded step is started again for others; null: `key` is
/// the key.
CASP_DEVICE MaskPlace place_of(const KeyedMask& m, long long element,
                               const unsigned long long* state = nullptr) {
    constexpr int block = 30;  // the 32-bit index is keyed anew in each 2^30 elements
    unsigned long long key = state != nullptr ? mixed(*state + between_uses * m.key) : m.key;
    long long place = m.first + element;
    if (m.slice > 0) {
        const long long row = m.first + element / m.row, start = row / m.slice * m.slice;
        key = mixed(key + static_cast<unsigned long long>(start));
        place = (row - start) * m.row + element % m.row;
    }
    key = mixed(key + static_cast<unsigned long long>(place >> block));
    return {static_cast<unsigned>(key), static_cast<unsigned>(key >> 32),
            static_cast<unsigned>(place & ((1LL << block) - 1))};
}

/// Two rounds of a 32-bit mixer (Wellons' lowbias32), keyed before each.
CASP_DEVICE unsigned keyed_hash(unsigned index, unsigned key0, unsigned key1) {
    unsigned h = index ^ key0;
    h ^= h >> 16;
    h *= 0x7feb352dU;
    h ^= h >> 15;
    h *= 0x846ca68bU;
    h ^= h >> 16;
    h += key1;
    h ^= h >> 16;
    h *= 0x7feb352dU;
    h ^= h >> 15;
    h *= 0x846ca68bU;
    return h ^ (h >> 16);
}

}  // namespace casp::model

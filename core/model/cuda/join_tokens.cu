// h = mask · ([prefix; following] + positions) / (1 - p). Of each row's TOKENS the first PREFIX are the prefix's; WIDTH of a
// token is a multiple of 4. A thread per four elements.

typedef Pack<float, 4> Floats;

/// The element's place in prefix or following, whichever has it.
template <class T>
CASP_DEVICE T* part_of(T* prefix, T* following, long long element) {
    const long long row = element / (TOKENS * WIDTH), inside = element % (TOKENS * WIDTH);
    return inside < PREFIX * WIDTH ? prefix + row * PREFIX * WIDTH + inside
                                   : following + row * (TOKENS - PREFIX) * WIDTH + inside - PREFIX * WIDTH;
}

KERNEL join_tokens(const float* prefix, const float* following, const float* positions, float* out, long long count,
                   KeyedMask mask, const unsigned long long* state) {
    const long long at = (static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x) * 4;
    if (at >= count) return;
    Floats x = *reinterpret_cast<const Floats*>(part_of(prefix, following, at));
    const Floats position = *reinterpret_cast<const Floats*>(positions + at % (TOKENS * WIDTH));
    const MaskPlace place = casp::model::place_of(mask, at, state);
    UNROLL
    for (int e = 0; e < 4; ++e) x.at[e] = kept(x.at[e] + position.at[e], place, e, mask);
    *reinterpret_cast<Floats*>(out + at) = x;
}

KERNEL join_tokens_backward(const float* of_out, float* of_prefix, float* of_following, long long count, KeyedMask mask,
                            const unsigned long long* state) {
    const long long at = (static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x) * 4;
    if (at >= count) return;
    Floats g = *reinterpret_cast<const Floats*>(of_out + at);
    const MaskPlace place = casp::model::place_of(mask, at, state);
    UNROLL
    for (int e = 0; e < 4; ++e) g.at[e] = kept(g.at[e], place, e, mask);
    *reinterpret_cast<Floats*>(part_of(of_prefix, of_following, at)) = g;
}

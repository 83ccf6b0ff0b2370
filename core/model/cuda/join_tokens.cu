// h = mask · ([prefix; following] + positions) / (1 - p). Of each row's tokens the first `prefixed` are the prefix's; WIDTH is a
// multiple of 4. A block per token, a thread per four elements.

typedef Pack<float, 4> Floats;

/// Where prefix or following, whichever has it, has the block's token.
template <class T>
CASP_DEVICE T* place_of_token(T* prefix, T* following, int tokens, int prefixed) {
    const long long row = blockIdx.x / static_cast<unsigned>(tokens);
    const int token = static_cast<int>(blockIdx.x % static_cast<unsigned>(tokens));
    return token < prefixed ? prefix + (row * prefixed + token) * WIDTH
                            : following + (row * (tokens - prefixed) + token - prefixed) * WIDTH;
}

KERNEL join_tokens(const float* prefix, const float* following, const float* positions, float* out, int tokens, int prefixed,
                   KeyedMask mask, const unsigned long long* state) {
    const int column = static_cast<int>(threadIdx.x) * 4;
    if (column >= WIDTH) return;
    const long long at = static_cast<long long>(blockIdx.x) * WIDTH + column;
    Floats x = *reinterpret_cast<const Floats*>(place_of_token(prefix, following, tokens, prefixed) + column);
    const unsigned token = blockIdx.x % static_cast<unsigned>(tokens);
    const Floats position = *reinterpret_cast<const Floats*>(positions + token * WIDTH + column);
    const MaskPlace place = casp::model::place_of(mask, at, state);
    UNROLL
    for (int e = 0; e < 4; ++e) x.at[e] = kept(x.at[e] + position.at[e], place, e, mask);
    *reinterpret_cast<Floats*>(out + at) = x;
}

KERNEL join_tokens_backward(const float* of_out, float* of_prefix, float* of_following, int tokens, int prefixed, KeyedMask mask,
                            const unsigned long long* state) {
    const int column = static_cast<int>(threadIdx.x) * 4;
    if (column >= WIDTH) return;
    const long long at = static_cast<long long>(blockIdx.x) * WIDTH + column;
    Floats g = *reinterpret_cast<const Floats*>(of_out + at);
    const MaskPlace place = casp::model::place_of(mask, at, state);
    UNROLL
    for (int e = 0; e < 4; ++e) g.at[e] = kept(g.at[e], place, e, mask);
    *reinterpret_cast<Floats*>(place_of_token(of_prefix, of_following, tokens, prefixed) + column) = g;
}

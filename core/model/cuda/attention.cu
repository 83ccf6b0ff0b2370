// softmax(q kᵀ / √d_h) v with dropout of the probabilities, in bf16 with sums in fp32. A block per row and head, a warp per 16
// tokens. TOKENS ≤ 128, HEADS, HEAD_WIDTH (of 16, up to 64), CAUSAL (0 or 1). qkv [N, TOKENS, 3, HEADS, HEAD_WIDTH]; out and its
// gradient [N, TOKENS, HEADS, HEAD_WIDTH]; log_sums [N, HEADS, TOKENS] in fp32, base 2. Nothing is stored of the mask.

#define TILES ((TOKENS + 15) / 16)
#define PADDED (TILES * 16)
#define THREADS (TILES * 32)
#define STEPS (HEAD_WIDTH / 16)
// Rows of shared memory: 16 bytes more than their content, so that eight of them are in separate banks.
#define LINE (HEAD_WIDTH + 8)
#define TOKEN_LINE (PADDED + 8)

#ifdef __CUDACC__
#define SHARED_MEMORY(type, name)                                \
    extern __shared__ __align__(16) unsigned char shared_bytes[]; \
    type* name = reinterpret_cast<type*>(shared_bytes)

/// Four matrices of 8 x 8 from shared memory, whose rows' addresses the 32 threads give: to[i], two neighbours of matrix i.
CASP_DEVICE void load_matrices(unsigned* to, const bf16* row) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                 : "r"(static_cast<unsigned>(__cvta_generic_to_shared(row))));
}
/// The same, each matrix transposed.
CASP_DEVICE void load_transposed(unsigned* to, const bf16* row) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                 : "r"(static_cast<unsigned>(__cvta_generic_to_shared(row))));
}
/// c (16 x 8) += a (16 x 16) times b (16 x 8).
CASP_DEVICE void multiply(float* c, const unsigned* a, unsigned b0, unsigned b1) {
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}
#endif

constexpr float least = -1e30f;  // of a score that is not visible

struct Lane {
    int tile, row, pair;  ///< its warp's 16 tokens; row and pair of columns that it holds of an 8 x 8 matrix
    int low, high;        ///< the row of 16, and the half, whose address it gives to load_matrices()
};

CASP_DEVICE Lane this_lane() {
    const int lane = static_cast<int>(threadIdx.x) % 32;
    return {static_cast<int>(threadIdx.x) / 32, lane / 4, lane % 4 * 2, lane % 16, lane / 16};
}

CASP_DEVICE unsigned two(float a, float b) {
    return static_cast<unsigned>(narrow<bf16>(a)) | static_cast<unsigned>(narrow<bf16>(b)) << 16;
}

/// 16 bytes each of `tokens` rows that are `stride` elements apart; what is beyond TOKENS is zero.
CASP_DEVICE void load_rows(bf16* to, const bf16* from, long long stride) {
    constexpr int packs = HEAD_WIDTH / 8;
    typedef Pack<bf16, 8> Eight;
    for (int i = static_cast<int>(threadIdx.x); i < PADDED * packs; i += THREADS) {
        const int token = i / packs, column = i % packs * 8;
        Eight value = {};
        if (token < TOKENS) value = *reinterpret_cast<const Eight*>(from + token * stride + column);
        *reinterpret_cast<Eight*>(to + token * LINE + column) = value;
    }
}

/// c[key tile of 8][4] = rows of `a` times the rows of `b`, both [PADDED, LINE], over HEAD_WIDTH; keys of tiles up to `last`.
CASP_DEVICE void times_transposed(float (*c)[4], const bf16* a, const bf16* b, const Lane& lane, int last) {
    UNROLL
    for (int k = 0; k < STEPS; ++k) {
        unsigned left[4];
        load_matrices(left, a + (lane.tile * 16 + lane.low) * LINE + k * 16 + lane.high * 8);
    UNROLL
        for (int tile = 0; tile < TILES; ++tile) {
            if (tile > last) continue;
            unsigned right[4];
            load_matrices(right, b + (tile * 16 + lane.high * 8 + lane.low % 8) * LINE + k * 16 + lane.low / 8 * 8);
            multiply(c[2 * tile], left, right[0], right[1]);
            multiply(c[2 * tile + 1], left, right[2], right[3]);
        }
    }
}

/// out[8 columns][4] += left (16 x 16) times the 16 rows of b from `from`.
CASP_DEVICE void times(float (*out)[4], const unsigned* left, const bf16* b, int from, const Lane& lane) {
    UNROLL
    for (int n = 0; n < STEPS; ++n) {
        unsigned right[4];
        load_transposed(right, b + (from + lane.low) * LINE + n * 16 + lane.high * 8);
        multiply(out[2 * n], left, right[0], right[1]);
        multiply(out[2 * n + 1], left, right[2], right[3]);
    }
}

/// Accumulators of 16 x 16 values as the left factor of a product.
CASP_DEVICE void as_left(unsigned* left, const float (*c)[4]) {
    left[0] = two(c[0][0], c[0][1]);
    left[1] = two(c[0][2], c[0][3]);
    left[2] = two(c[1][0], c[1][1]);
    left[3] = two(c[1][2], c[1][3]);
}

/// The warp's 16 rows, to tokens `stride` elements apart.
CASP_DEVICE void store_rows(bf16* to, const float (*c)[4], long long stride, const Lane& lane) {
    UNROLL
    for (int half = 0; half < 2; ++half) {
        const int token = lane.tile * 16 + half * 8 + lane.row;
        if (token >= TOKENS) continue;
    UNROLL
        for (int n = 0; n < 2 * STEPS; ++n)
            *reinterpret_cast<unsigned*>(to + token * stride + n * 8 + lane.pair) = two(c[n][2 * half], c[n][2 * half + 1]);
    }
}

CASP_DEVICE float over_quad(float x, bool largest) {
    UNROLL
    for (int lane = 1; lane < 4; lane *= 2) {
        const float other = __shfl_xor_sync(0xffffffffu, x, lane);
        x = largest ? fmaxf(x, other) : x + other;
    }
    return x;
}

CASP_DEVICE bool visible(int token, int key) { return token < TOKENS && key < (CAUSAL ? token + 1 : TOKENS); }

/// The place of the first element of a row's and head's [TOKENS, TOKENS] mask.
CASP_DEVICE MaskPlace mask_of(const KeyedMask& mask, const unsigned long long* state) {
    return casp::model::place_of(mask, static_cast<long long>(blockIdx.x) * TOKENS * TOKENS, state);
}

KERNEL __launch_bounds__(THREADS)
    attention(const bf16* qkv, bf16* out, float* log_sums, float scale, KeyedMask mask, const unsigned long long* state) {
    SHARED_MEMORY(bf16, memory);
    bf16 *q = memory, *k = q + PADDED * LINE, *v = k + PADDED * LINE;
    const long long row = blockIdx.x / HEADS;
    const int head = static_cast<int>(blockIdx.x % HEADS);
    constexpr long long width = HEADS * HEAD_WIDTH, stride = 3 * width;
    const bf16* from = qkv + row * TOKENS * stride + head * HEAD_WIDTH;
    load_rows(q, from, stride);
    load_rows(k, from + width, stride);
    load_rows(v, from + 2 * width, stride);
    __syncthreads();

    const Lane lane = this_lane();
    const int last = CAUSAL ? lane.tile : TILES - 1;
    float s[2 * TILES][4] = {};
    times_transposed(s, q, k, lane, last);
    const MaskPlace place = mask_of(mask, state);
    UNROLL
    for (int half = 0; half < 2; ++half) {
        const int token = lane.tile * 16 + half * 8 + lane.row;
        float most = least;
    UNROLL
        for (int n = 0; n < 2 * TILES; ++n)
    UNROLL
            for (int e = 0; e < 2; ++e) {
                float& x = s[n][2 * half + e];
                x = visible(token, n * 8 + lane.pair + e) ? x * scale : least;
                most = fmaxf(most, x);
            }
        most = over_quad(most, true);
        if (token >= TOKENS) most = 0;
        float total = 0;
    UNROLL
        for (int n = 0; n < 2 * TILES; ++n)
    UNROLL
            for (int e = 0; e < 2; ++e) total += s[n][2 * half + e] = exp2f(s[n][2 * half + e] - most);
        total = over_quad(total, false);
        const float share = token < TOKENS ? 1 / total : 0;
    UNROLL
        for (int n = 0; n < 2 * TILES; ++n)
    UNROLL
            for (int e = 0; e < 2; ++e) {
                float& x = s[n][2 * half + e];
                x = kept(x * share, place, static_cast<unsigned>(token * TOKENS + n * 8 + lane.pair + e), mask);
            }
        if (token < TOKENS && lane.pair == 0)
            log_sums[static_cast<long long>(blockIdx.x) * TOKENS + token] = most + log2f(total);
    }
    float result[2 * STEPS][4] = {};
    UNROLL
    for (int tile = 0; tile < TILES; ++tile) {
        if (tile > last) continue;
        unsigned left[4];
        as_left(left, s + 2 * tile);
        times(result, left, v, tile * 16, lane);
    }
    store_rows(out + row * TOKENS * width + head * HEAD_WIDTH, result, width, lane);
}

// The gradient of qkv, in its layout, from that of out. Probabilities and mask are computed again; each warp takes 16 queries,
// then 16 keys, so that every sum has one order.
KERNEL __launch_bounds__(THREADS)
    attention_backward(const bf16* qkv, const bf16* of_out, const float* log_sums, bf16* of_qkv, float scale, float natural_scale,
                       KeyedMask mask, const unsigned long long* state) {
    SHARED_MEMORY(bf16, memory);
    bf16 *q = memory, *k = q + PADDED * LINE, *v = k + PADDED * LINE, *g = v + PADDED * LINE;
    bf16 *weights = g + PADDED * LINE, *of_scores = weights + PADDED * TOKEN_LINE;
    const long long row = blockIdx.x / HEADS;
    const int head = static_cast<int>(blockIdx.x % HEADS);
    constexpr long long width = HEADS * HEAD_WIDTH, stride = 3 * width;
    const long long begin = row * TOKENS * stride + head * HEAD_WIDTH;
    load_rows(q, qkv + begin, stride);
    load_rows(k, qkv + begin + width, stride);
    load_rows(v, qkv + begin + 2 * width, stride);
    load_rows(g, of_out + row * TOKENS * width + head * HEAD_WIDTH, width);
    __syncthreads();

    const Lane lane = this_lane();
    const int last = CAUSAL ? lane.tile : TILES - 1;
    {
        float s[2 * TILES][4] = {}, d[2 * TILES][4] = {};
        times_transposed(s, q, k, lane, last);
        times_transposed(d, g, v, lane, last);
        const MaskPlace place = mask_of(mask, state);
    UNROLL
        for (int half = 0; half < 2; ++half) {
            const int token = lane.tile * 16 + half * 8 + lane.row;
            const float log_sum = token < TOKENS ? log_sums[static_cast<long long>(blockIdx.x) * TOKENS + token] : 0;
            float total = 0;
    UNROLL
            for (int n = 0; n < 2 * TILES; ++n) {
                if (n / 2 > last) continue;
                float dropped[2];
    UNROLL
                for (int e = 0; e < 2; ++e) {
                    const int key = n * 8 + lane.pair + e;
                    float &p = s[n][2 * half + e], &of_p = d[n][2 * half + e];
                    p = visible(token, key) ? exp2f(p * scale - log_sum) : 0;
                    const float factor = kept(1, place, static_cast<unsigned>(token * TOKENS + key), mask);
                    of_p *= factor;
                    dropped[e] = p * factor;
                    total += p * of_p;
                }
                *reinterpret_cast<unsigned*>(weights + token * TOKEN_LINE + n * 8 + lane.pair) = two(dropped[0], dropped[1]);
            }
            total = over_quad(total, false);
    UNROLL
            for (int n = 0; n < 2 * TILES; ++n) {
                if (n / 2 > last) continue;
    UNROLL
                for (int e = 0; e < 2; ++e) {
                    float& x = d[n][2 * half + e];
                    x = s[n][2 * half + e] * (x - total) * natural_scale;
                }
                *reinterpret_cast<unsigned*>(of_scores + token * TOKEN_LINE + n * 8 + lane.pair) =
                    two(d[n][2 * half], d[n][2 * half + 1]);
            }
        }
        float of_q[2 * STEPS][4] = {};
    UNROLL
        for (int tile = 0; tile < TILES; ++tile) {
            if (tile > last) continue;
            unsigned left[4];
            as_left(left, d + 2 * tile);
            times(of_q, left, k, tile * 16, lane);
        }
        store_rows(of_qkv + begin, of_q, stride, lane);
    }
    __syncthreads();

    float of_k[2 * STEPS][4] = {}, of_v[2 * STEPS][4] = {};
    for (int tile = CAUSAL ? lane.tile : 0; tile < TILES; ++tile) {
        const int at = (tile * 16 + lane.high * 8 + lane.low % 8) * TOKEN_LINE + lane.tile * 16 + lane.low / 8 * 8;
        unsigned left[4];
        load_transposed(left, weights + at);
        times(of_v, left, g, tile * 16, lane);
        load_transposed(left, of_scores + at);
        times(of_k, left, q, tile * 16, lane);
    }
    store_rows(of_qkv + begin + width, of_k, stride, lane);
    store_rows(of_qkv + begin + 2 * width, of_v, stride, lane);
}

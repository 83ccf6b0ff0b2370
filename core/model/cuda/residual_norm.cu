// Residual sum and LayerNorm in one pass each way: x' = x + dropout(branch), y = γ (x' - mean) rstd + β.
// WIDTH: of a row, a multiple of 32; BRANCH and OUT, the types of branch and y: float or bf16. A warp per row, eight in a block.

#define WARPS 8
#define PACKED (WIDTH % 128 == 0 ? 4 : 1)
#define PACKS (WIDTH / (32 * PACKED))

typedef Pack<float, PACKED> Floats;
typedef Pack<BRANCH, PACKED> Branches;
typedef Pack<OUT, PACKED> Outs;

/// The column of a thread's pack.
CASP_DEVICE int column_of(int pack) { return (pack * 32 + static_cast<int>(threadIdx.x) % 32) * PACKED; }

KERNEL residual_norm(const float* x, const BRANCH* branch, const float* gamma, const float* beta, float* sum,
                                         OUT* out, float* mean, float* rstd, long long rows, float epsilon, KeyedMask mask,
                     const unsigned long long* state) {
    const long long row = static_cast<long long>(blockIdx.x) * WARPS + threadIdx.x / 32;
    if (row >= rows) return;
    Floats v[PACKS];
    float total = 0;
    UNROLL
    for (int i = 0; i < PACKS; ++i) {
        const long long at = row * WIDTH + column_of(i);
        v[i] = *reinterpret_cast<const Floats*>(x + at);
        if (branch != nullptr) {
            const Branches b = *reinterpret_cast<const Branches*>(branch + at);
            const MaskPlace place = casp::model::place_of(mask, at, state);
    UNROLL
            for (int e = 0; e < PACKED; ++e) v[i].at[e] += kept(widen(b.at[e]), place, e, mask);
            *reinterpret_cast<Floats*>(sum + at) = v[i];
        }
    UNROLL
        for (int e = 0; e < PACKED; ++e) total += v[i].at[e];
    }
    const float centre = warp_sum(total) / WIDTH;
    float squares = 0;
    UNROLL
    for (int i = 0; i < PACKS; ++i)
    UNROLL
        for (int e = 0; e < PACKED; ++e) squares += (v[i].at[e] - centre) * (v[i].at[e] - centre);
    const float scale = rsqrtf(warp_sum(squares) / WIDTH + epsilon);
    UNROLL
    for (int i = 0; i < PACKS; ++i) {
        const int column = column_of(i);
        const Floats g = *reinterpret_cast<const Floats*>(gamma + column), b = *reinterpret_cast<const Floats*>(beta + column);
        Outs y;
    UNROLL
        for (int e = 0; e < PACKED; ++e) y.at[e] = narrow<OUT>((v[i].at[e] - centre) * scale * g.at[e] + b.at[e]);
        *reinterpret_cast<Outs*>(out + row * WIDTH + column) = y;
    }
    if (threadIdx.x % 32 == 0) {
        mean[row] = centre;
        rstd[row] = scale;
    }
}

// Gradients of x and of the branch (null: there is none) from those of x' (null: none) and y. The sums of γ's and β's gradients
// over this block's rows: partial [2, blocks, WIDTH]. Rows are dealt to a grid that does not depend on the GPU: same bits.
KERNEL __launch_bounds__(32 * WARPS)
    residual_norm_backward(const float* of_sum, const OUT* of_out, const float* sum, const float* mean, const float* rstd,
                           const float* gamma, float* of_x, BRANCH* of_branch, float* partial, long long rows, KeyedMask mask,
                           const unsigned long long* state) {
    __shared__ __align__(16) float of_warps[WARPS][WIDTH];
    const int warp = static_cast<int>(threadIdx.x) / 32;
    Floats of_gamma[PACKS], of_beta[PACKS];
    UNROLL
    for (int i = 0; i < PACKS; ++i)
    UNROLL
        for (int e = 0; e < PACKED; ++e) of_gamma[i].at[e] = of_beta[i].at[e] = 0;
    const long long stride = static_cast<long long>(gridDim.x) * WARPS;
    for (long long row = static_cast<long long>(blockIdx.x) * WARPS + warp; row < rows; row += stride) {
        const float centre = mean[row], scale = rstd[row];
        Floats normal[PACKS], g[PACKS];
        float first = 0, second = 0;
    UNROLL
        for (int i = 0; i < PACKS; ++i) {
            const int column = column_of(i);
            normal[i] = *reinterpret_cast<const Floats*>(sum + row * WIDTH + column);
            const Outs y = *reinterpret_cast<const Outs*>(of_out + row * WIDTH + column);
            const Floats weight = *reinterpret_cast<const Floats*>(gamma + column);
    UNROLL
            for (int e = 0; e < PACKED; ++e) {
                const float dy = widen(y.at[e]);
                normal[i].at[e] = (normal[i].at[e] - centre) * scale;
                of_gamma[i].at[e] += dy * normal[i].at[e];
                of_beta[i].at[e] += dy;
                g[i].at[e] = dy * weight.at[e];
                first += g[i].at[e];
                second += g[i].at[e] * normal[i].at[e];
            }
        }
        first = warp_sum(first) / WIDTH;
        second = warp_sum(second) / WIDTH;
    UNROLL
        for (int i = 0; i < PACKS; ++i) {
            const long long at = row * WIDTH + column_of(i);
            Floats d;
    UNROLL
            for (int e = 0; e < PACKED; ++e) d.at[e] = scale * (g[i].at[e] - first - normal[i].at[e] * second);
            if (of_sum != nullptr) {
                const Floats more = *reinterpret_cast<const Floats*>(of_sum + at);
    UNROLL
                for (int e = 0; e < PACKED; ++e) d.at[e] += more.at[e];
            }
            *reinterpret_cast<Floats*>(of_x + at) = d;
            if (of_branch != nullptr) {
                const MaskPlace place = casp::model::place_of(mask, at, state);
                Branches b;
    UNROLL
                for (int e = 0; e < PACKED; ++e) b.at[e] = narrow<BRANCH>(kept(d.at[e], place, e, mask));
                *reinterpret_cast<Branches*>(of_branch + at) = b;
            }
        }
    }
    UNROLL
    for (int part = 0; part < 2; ++part) {
        const Floats* of = part == 0 ? of_gamma : of_beta;
    UNROLL
        for (int i = 0; i < PACKS; ++i) *reinterpret_cast<Floats*>(&of_warps[warp][column_of(i)]) = of[i];
        __syncthreads();
        for (int column = static_cast<int>(threadIdx.x); column < WIDTH; column += 32 * WARPS) {
            float total = 0;
            for (int w = 0; w < WARPS; ++w) total += of_warps[w][column];
            partial[(static_cast<long long>(part) * gridDim.x + blockIdx.x) * WIDTH + column] = total;
        }
        __syncthreads();
    }
}

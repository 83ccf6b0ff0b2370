// y = x / √max(|x|², 1e-12) of rows of WIDTH values, a multiple of 32. A warp per row, eight in a block.

#define WARPS 8
#define VALUES (WIDTH / 32)

CASP_DEVICE long long row_of_warp() { return static_cast<long long>(blockIdx.x) * WARPS + threadIdx.x / 32; }
CASP_DEVICE long long place_of_value(long long row, int i) { return row * WIDTH + i * 32 + threadIdx.x % 32; }

/// `scale`: of each row, negative where |x|² is below its least.
KERNEL l2_norm(const float* x, float* y, float* scale, long long rows) {
    constexpr float least = 1e-12f;
    const long long row = row_of_warp();
    if (row >= rows) return;
    float v[VALUES], total = 0;
    UNROLL
    for (int i = 0; i < VALUES; ++i) {
        v[i] = x[place_of_value(row, i)];
        total += v[i] * v[i];
    }
    total = warp_sum(total);
    const float factor = rsqrtf(total < least ? least : total);
    UNROLL
    for (int i = 0; i < VALUES; ++i) y[place_of_value(row, i)] = v[i] * factor;
    if (threadIdx.x % 32 == 0) scale[row] = total < least ? -factor : factor;
}

KERNEL l2_norm_backward(const float* of_y, const float* y, const float* scale, float* of_x, long long rows) {
    const long long row = row_of_warp();
    if (row >= rows) return;
    float g[VALUES], v[VALUES], along = 0;
    UNROLL
    for (int i = 0; i < VALUES; ++i) {
        g[i] = of_y[place_of_value(row, i)];
        v[i] = y[place_of_value(row, i)];
        along += g[i] * v[i];
    }
    along = warp_sum(along);
    const float factor = scale[row];
    UNROLL
    for (int i = 0; i < VALUES; ++i)
        of_x[place_of_value(row, i)] = factor < 0 ? -factor * g[i] : factor * (g[i] - along * v[i]);
}

// Decomposition (decomposition.h) and patches (patching.h) of one channel of a window, in the CPU's order of sums. A block each.
// LENGTH of a look-back of CHANNELS, TREND and PERIOD of the decomposition, PATCH and STRIDE. x [B, LENGTH, CHANNELS] to
// patches [B · CHANNELS, COUNT, 3, PATCH].

#define COUNT ((LENGTH + STRIDE - PATCH) / STRIDE + 1)
#define INNER (LENGTH + 1 - TREND)

KERNEL decomposed_patches(const float* x, float* patches) {
    __shared__ double sums[LENGTH + 1], detrended[LENGTH], means[PERIOD];
    const int thread = static_cast<int>(threadIdx.x), threads = static_cast<int>(blockDim.x);
    const float* from = x + static_cast<long long>(blockIdx.x / CHANNELS) * LENGTH * CHANNELS + blockIdx.x % CHANNELS;
    for (int i = thread; i < LENGTH; i += threads) detrended[i] = from[i * CHANNELS];
    __syncthreads();
    if (thread == 0) {
        double sum = sums[0] = 0;
        for (int i = 0; i < LENGTH; ++i) sums[i + 1] = sum += detrended[i];
    }
    __syncthreads();
    const auto trend = [&](int i) {
        const int inner = i - (TREND - 1 - (TREND - 1) / 2), begin = inner < 0 ? 0 : inner < INNER ? inner : INNER - 1;
        return TREND == 1 ? static_cast<double>(from[i * CHANNELS]) : (sums[begin + TREND] - sums[begin]) / TREND;
    };
    for (int i = thread; i < LENGTH; i += threads) detrended[i] -= trend(i);
    __syncthreads();
    for (int phase = thread; phase < PERIOD; phase += threads) {
        double sum = 0;
        int cycles = 0;
        for (int i = phase; i < LENGTH; i += PERIOD, ++cycles) sum += detrended[i];
        means[phase] = sum / cycles;
    }
    __syncthreads();
    float* to = patches + static_cast<long long>(blockIdx.x) * COUNT * 3 * PATCH;
    for (int at = thread; at < COUNT * 3 * PATCH; at += threads) {
        const int part = at / PATCH % 3, place = at / (3 * PATCH) * STRIDE + at % PATCH, i = place < LENGTH ? place : LENGTH - 1;
        const double seasonal = means[i % PERIOD];
        to[at] = static_cast<float>(part == 0 ? trend(i) : part == 1 ? seasonal : detrended[i] - seasonal);
    }
}

// y = mask · x / (1 - p). VALUE: float or bf16. A thread per element.
KERNEL keyed_dropout(const VALUE* x, VALUE* y, long long count, KeyedMask mask, const unsigned long long* state) {
    const long long at = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (at < count) y[at] = narrow<VALUE>(kept(widen(x[at]), casp::model::place_of(mask, at, state), 0, mask));
}

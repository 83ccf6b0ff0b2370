// run.h5 and arrays.h5 of unknown origin. libhdf5 itself is not instrumented: findings inside it stand in
// docs/robustness.md.
#include "fuzz_support.h"
#include "store/run_file.h"

using namespace casp;

namespace {

std::size_t product(std::initializer_list<std::int64_t> sizes) {
    std::size_t all = 1;
    for (const auto size : sizes) all *= static_cast<std::size_t>(size);
    return all;
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static fuzz::MemoryFile file;
    const auto path = file.holding(data, size);
    fuzz::accepts([&] {
        const auto record = store::read_run_file(path);
        const auto steps = record.steps.step.size();
        fuzz::must(record.steps.epoch.size() == steps && record.steps.total.size() == steps,
                   "a history has one entry a step");
        fuzz::must(record.anchors.usage_train.size() ==
                       product({static_cast<std::int64_t>(record.anchors.snapshot_step.size()),
                                record.anchors.pool_size}),
                   "usage has one row a snapshot");
    });
    fuzz::accepts([&] {
        for (const auto& split : store::forecast_splits(path)) {
            fuzz::accepts([&] { (void)store::read_forecast_shape(path, split); });
            fuzz::accepts([&] {
                const auto arrays = store::read_forecast(path, split, 1, 2);
                fuzz::must(
                    arrays.prediction.size() == product({arrays.windows, arrays.horizon, arrays.channels}),
                    "a forecast has its shape");
            });
        }
    });
    fuzz::accepts([&] { (void)store::read_forecast(path, "test"); });
    fuzz::accepts([&] { (void)store::read_embedding(path, "test"); });
    fuzz::accepts([&] {
        const auto weights = store::read_embedding_weights(path, "val", "3", {{"in_layer.bias", {4}, {}}});
        fuzz::must(weights.size() == 1 && weights[0].values.size() == 4, "weights have their shape");
    });
    fuzz::accepts([&] { (void)store::read_similarity(path, "test", "best", 1, 1); });
    return 0;
}

// Decomposition and patching, training steps, evaluation, checkpoints.

#include <map>
#include <memory>

#include <benchmark/benchmark.h>
#include <torch/torch.h>

#include "bench/temporary_folder.h"
#include "bench/workload.h"
#include "model/decomposition.h"
#include "model/patching.h"
#include "train/checkpoint.h"

namespace casp::bench {

namespace {

constexpr std::int64_t split_windows = 32;

/// One work at a time stays in memory, warmed up, for the repetitions of its benchmark.
template <typename Work>
Work& kept(std::int64_t windows) {
    static std::map<std::int64_t, std::unique_ptr<Work>> works;
    auto& work = works[windows];
    if (!work) {
        work.reset();
        for (auto& [other, old] : works)
            if (other != windows) old.reset();
        work = std::make_unique<Work>(windows);
    }
    return *work;
}

void decompose(benchmark::State& state) {
    const auto rows = at::randn({state.range(0), 512}, at::kDouble);
    for (auto _ : state) {
        auto parts = model::decompose(rows, 96, 96);
        benchmark::DoNotOptimize(parts.residual.data_ptr());
    }
}
BENCHMARK(decompose)->ArgName("rows")->Arg(448)->Unit(benchmark::kMillisecond)->UseRealTime();

void decompose_and_patch(benchmark::State& state) {
    const auto rows = at::randn({state.range(0), 512}, at::kDouble);
    for (auto _ : state) {
        auto patches = model::make_patches(model::decompose(rows, 96, 96), 16, 8);
        benchmark::DoNotOptimize(patches.data_ptr());
    }
}
BENCHMARK(decompose_and_patch)->ArgName("rows")->Arg(448)->Unit(benchmark::kMillisecond)->UseRealTime();

void training_step(benchmark::State& state) {
    auto& work = kept<TrainingWork>(state.range(0));
    static std::int64_t warm = 0;
    if (warm != state.range(0)) work.step();
    warm = state.range(0);
    for (auto _ : state) benchmark::DoNotOptimize(work.step());
}
BENCHMARK(training_step)
    ->ArgName("windows")
    ->Arg(8)
    ->Arg(64)
    ->Unit(benchmark::kMillisecond)
    ->Iterations(1)
    ->UseRealTime();

void evaluation_batch(benchmark::State& state) {
    EvaluationWork work(state.range(0));
    work.keep_anchors();
    work.batch(state.range(0));
    for (auto _ : state) work.batch(state.range(0));
}
BENCHMARK(evaluation_batch)
    ->ArgName("windows")
    ->Arg(8)
    ->Unit(benchmark::kMillisecond)
    ->Iterations(3)
    ->UseRealTime();

/// range(0): windows in the split, range(1): windows per batch.
void test_split(benchmark::State& state) {
    EvaluationWork work(state.range(0));
    work.keep_anchors();
    work.batch(1);
    for (auto _ : state) benchmark::DoNotOptimize(work.split(state.range(1)));
}
BENCHMARK(test_split)
    ->ArgNames({"windows", "batch"})
    ->Args({split_windows, 8})
    ->Args({split_windows, split_windows})
    ->Unit(benchmark::kMillisecond)
    ->Iterations(1)
    ->UseRealTime();

void write_checkpoint(benchmark::State& state) {
    auto& work = kept<TrainingWork>(1);
    work.step();
    const TemporaryFolder folder;
    const store::RunFolder run(folder.path() / "run");
    run.create();
    train::TrainState position;
    const train::CheckpointIdentity identity{"0", "0", ""};
    for (auto _ : state) {
        ++position.step;
        train::write_checkpoint(run, position, work.model(), work.optimizer(), identity, {});
    }
}
BENCHMARK(write_checkpoint)->Unit(benchmark::kMillisecond)->Iterations(3)->UseRealTime();

}  // namespace

}  // namespace casp::bench

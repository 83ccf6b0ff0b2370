// t-SNE by its parts, and PCA: points of 768 values in 20 groups. Beside other programs:
// compare_embeddings.py.

#include <vector>

#include <benchmark/benchmark.h>
#include <torch/torch.h>

#include "analysis/neighbours.h"
#include "analysis/pca.h"
#include "analysis/tsne.h"
#include "util/random.h"

namespace {

constexpr std::int64_t width = 768;

std::vector<float> points(std::int64_t rows) {
    auto generator = casp::make_generator(1);
    const auto centres = at::randn({20, width}, generator, at::kFloat);
    auto values = at::empty({rows, width}, at::kFloat);
    for (std::int64_t i = 0; i < rows; ++i)
        values[i] = centres[i % 20] + 0.5 * at::randn({width}, generator, at::kFloat);
    return {values.const_data_ptr<float>(), values.const_data_ptr<float>() + values.numel()};
}

void pca(benchmark::State& state) {
    const auto values = points(state.range(0));
    for (auto _ : state)
        benchmark::DoNotOptimize(casp::analysis::principal_axes(values, state.range(0), width, 2));
}
BENCHMARK(pca)->ArgName("rows")->Arg(1000)->Arg(10000)->Unit(benchmark::kMillisecond)->UseRealTime();

void neighbours(benchmark::State& state) {
    const auto values = points(state.range(0));
    for (auto _ : state)
        benchmark::DoNotOptimize(casp::analysis::exact_neighbours(values, state.range(0), width, 90));
}
BENCHMARK(neighbours)->ArgName("rows")->Arg(1000)->Arg(10000)->Unit(benchmark::kMillisecond)->UseRealTime();

/// One iteration of a layout that has unfolded (after 300).
void tsne_iteration(benchmark::State& state) {
    casp::analysis::TsneOptions options;
    options.components = state.range(1);
    options.iterations = 1'000'000;
    casp::analysis::Tsne tsne(points(state.range(0)), state.range(0), width, options);
    tsne.advance(300);
    for (auto _ : state) tsne.advance(1);
}
BENCHMARK(tsne_iteration)
    ->ArgNames({"rows", "components"})
    ->Args({1000, 2})
    ->Args({10000, 2})
    ->Args({1000, 3})
    ->Args({5000, 3})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

}  // namespace

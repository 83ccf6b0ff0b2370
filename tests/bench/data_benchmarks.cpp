// CSV import.

#include <benchmark/benchmark.h>

#include "bench/wide_csv.h"
#include "data/csv_import.h"

namespace casp::bench {

namespace {

void csv_import(benchmark::State& state) {
    const auto& path = wide_csv();
    data::CsvOptions options;
    options.threads = static_cast<int>(state.range(0));
    options.digest = state.range(1) != 0;
    for (auto _ : state) {
        const auto table = data::import_csv(path, options);
        if (table.columns.size() != 321) state.SkipWithError("the file has 321 columns of numbers");
        benchmark::DoNotOptimize(table.columns.front().values.data());
    }
    state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(std::filesystem::file_size(path)));
}

BENCHMARK(csv_import)
    ->ArgNames({"threads", "digest"})
    ->ArgsProduct({{1, 2}, {0, 1}})
    ->Unit(benchmark::kMillisecond)
    ->Iterations(3)
    ->UseRealTime();

}  // namespace

}  // namespace casp::bench

// casp_bench: Google Benchmark's options, and these modes:
//
//     casp_bench --breakdown [WINDOWS [SETTINGS]]
//         operators of a training step by their fraction of time; of a GPU ("casp-llm run.device=cuda") its
//         kernels
//     casp_bench --floor SETTINGS step|evaluation WINDOWS ROUNDS
//         a step or an evaluation beside its matrix products alone, as JSON (floor.h)
//         SETTINGS: a preset, a .toml file, or a model at ETTh1-96
//     casp_bench --peak-memory step|nothing
//         three training steps of 8 windows (or none), then VmHWM as JSON
//     casp_bench --model SETTINGS step[,evaluation] WINDOWS REPEATS [fp32[,tf32][,bf16]]
//         time and memory, a line of JSON for each (model_measurement.h)
//     casp_bench --settings NAME
//         the settings that --model measures, as TOML
//     casp_bench --make-csv FILE
//         writes the file of the CSV benchmark
//     casp_bench --csv FILE ...
//         benchmarks with this file

#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>
#include <torch/torch.h>

#include "bench/breakdown.h"
#include "bench/floor.h"
#include "bench/model_measurement.h"
#include "bench/wide_csv.h"
#include "bench/workload.h"
#include "config/experiment.h"
#include "util/memory.h"

namespace {

/// "step,evaluation" -> its words.
std::vector<std::string> words_of(const std::string& list) {
    std::vector<std::string> words;
    std::istringstream rest(list);
    for (std::string word; std::getline(rest, word, ',');) words.push_back(word);
    return words;
}

int peak_memory(const std::string& what) {
    if (what != "step" && what != "nothing") {
        std::fputs("casp_bench: --peak-memory step or nothing\n", stderr);
        return 2;
    }
    if (what == "step") {
        casp::bench::TrainingWork work(8);
        for (int i = 0; i < 3; ++i) work.step();
    }
    std::printf("{\"what\": \"%s\", \"peak_rss_bytes\": %lld}\n", what.c_str(),
                static_cast<long long>(casp::process_memory().peak_resident));
    return 0;
}

int run(int argc, char** argv) {
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    if (!arguments.empty()) {
        const auto& mode = arguments[0];
        const auto value = arguments.size() > 1 ? arguments[1] : std::string();
        if (mode == "--breakdown") {
            const auto windows = value.empty() ? 8 : std::atoll(value.c_str());
            if (windows < 1) {
                std::fputs("casp_bench: --breakdown wants a number of windows\n", stderr);
                return 2;
            }
            casp::bench::print_breakdown(windows, arguments.size() > 2 ? arguments[2] : "casp-llm");
            return 0;
        }
        if (mode == "--settings" && !value.empty()) {
            std::fputs(casp::config::to_toml(casp::bench::etth1_96(value)).c_str(), stdout);
            return 0;
        }
        if (mode == "--model" || mode == "--floor") {
            const auto number = [&](std::size_t i) {
                return i < arguments.size() ? std::atoll(arguments[i].c_str()) : 0;
            };
            if (number(3) < 1 || number(4) < 1) {
                std::fprintf(stderr, "casp_bench: %s SETTINGS step|evaluation WINDOWS REPEATS\n",
                             mode.c_str());
                return 2;
            }
            if (mode == "--floor")
                return casp::bench::print_floor(value, arguments[2], number(3), static_cast<int>(number(4)));
            const auto precisions =
                arguments.size() > 5 ? words_of(arguments[5]) : std::vector<std::string>{"fp32"};
            return casp::bench::measure_model(value, words_of(arguments[2]), number(3), number(4),
                                              precisions);
        }
        if (mode == "--peak-memory") return peak_memory(value);
        if (mode == "--make-csv" && !value.empty()) {
            casp::bench::write_wide_csv(value);
            return 0;
        }
        if (mode == "--csv" && !value.empty()) {
            (void)casp::bench::wide_csv(value);
            argv[2] = argv[0];
            argv += 2;
            argc -= 2;
        }
    }
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
    benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    // at::manual_seed() would ask for CUDA before resolve_device() loads it.
    at::Generator(at::globalContext().defaultGenerator(at::kCPU)).set_current_seed(1);
    casp::keep_freed_memory();  // as the program does
    try {
        return run(argc, argv);
    } catch (const std::exception& problem) {
        std::fprintf(stderr, "casp_bench: %s\n", problem.what());
        return 1;
    }
}

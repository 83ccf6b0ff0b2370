#pragma once
// The search of the paper's hyperparameters (app:setup) from finished runs, and its table. Two stages for
// each cell: loss weights and K at S2IP-LLM's lengths, then the lengths at the chosen weights. Choices are by
// validation MSE only. Without LibTorch; thread-safe.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "config/config.h"
#include "evidence/batch_comparisons.h"
#include "evidence/run_settings.h"
#include "util/phrase.h"

namespace casp::evidence {

inline constexpr std::string_view tuning_name = "tuning";  ///< of the table, and of --batch paper:tuning
inline constexpr std::string_view tuning_weights = "paper:tuning-weights";  ///< experiment of a stage
inline constexpr std::string_view tuning_lengths = "paper:tuning-lengths";

/// Settings of the search, those of the first stage first.
inline constexpr std::array<const char*, 5> tuned_keys{"loss.lambda_sim", "loss.lambda_cov", "model.top_k",
                                                       "model.trend_length", "model.seasonal_length"};

/// "KEY=VALUE" of one stage's keys with the values of `config`, for --set.
[[nodiscard]] std::vector<std::string> weight_sets(const config::Config& config);
[[nodiscard]] std::vector<std::string> length_sets(const config::Config& config);

/// Trend and seasonal length of S2IP-LLM's public script for a cell: the settings of its preset.
[[nodiscard]] config::Config initial_lengths(const std::string& preset);

/// Cells of the search, as presets with the paper's settings, in the order of the paper's tables.
[[nodiscard]] const std::vector<std::string>& tuning_presets();

/// The search of one cell. Pointers into the given runs.
struct TuningCell {
    std::string preset;
    config::Config paper;                      ///< the paper's settings
    const SettledRun* paper_run = nullptr;     ///< with these; null: none
    std::vector<const SettledRun*> weights;    ///< first stage, in the order of the runs
    const SettledRun* best_weights = nullptr;  ///< of the first stage, by validation MSE
    std::vector<const SettledRun*> lengths;    ///< second stage, at the weights of `best_weights`
    std::vector<const SettledRun*> ranked;     ///< all of both stages, each once, lowest validation MSE first
    std::int64_t wanted = 0;                   ///< number of runs of the whole search
};

/// Runs of the search whose settings are those of `paper`, a run with the paper's choice for the preset, but
/// for the tuned keys. Values outside the grid belong to no stage; of equal runs the first counts.
[[nodiscard]] TuningCell tuning_of(const std::string& preset, const config::Config& paper,
                                   const std::vector<SettledRun>& runs);

/// The table: for each cell the choice of the search beside the paper's.
struct TuningTable {
    std::vector<SettledRun> runs;  ///< that were given; the cells point into it
    std::vector<TuningCell> cells;
    std::vector<Phrase> notes;
};

/// Of runs that differ in other settings, the largest group of each cell counts.
[[nodiscard]] TuningTable tuning_table(std::vector<SettledRun> runs);

[[nodiscard]] std::string tuning_markdown(const TuningTable& table);
/// By file name: tuning.csv, tuning.md, tuning.tex.
[[nodiscard]] TableTexts tuning_texts(const TuningTable& table);

}  // namespace casp::evidence

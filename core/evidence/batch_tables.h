#pragma once
// All tables of a batch: results, summary, comparisons and ranks. Without LibTorch; any thread.

#include <array>
#include <filesystem>
#include <vector>

#include "evidence/batch_comparisons.h"
#include "store/results.h"

namespace casp::evidence {

/// Files that a batch has only if its runs give something to compare or to rank.
inline constexpr std::array<const char*, 6> optional_tables{
    "comparisons.csv", "comparisons.md", "comparisons.tex", "ranks.csv", "ranks.md", "ranks.tex"};

struct BatchTables {
    std::vector<store::Cell> cells;
    std::vector<Comparison> comparisons;
    TableTexts texts;  ///< of all files
};

/// The tables of the rows, which are in the order of the sweep: the first value is the base of comparisons.
/// The runs are compared as contrasts_of() says, in error_metrics(), and on collections also over the series
/// (series_comparison.h) once no run is queued or running. `with_periods`: with tests over the windows of the
/// series, which versions before them do not have.
[[nodiscard]] BatchTables batch_tables(const std::filesystem::path& batch_folder,
                                       const std::vector<store::ResultRow>& rows, bool with_periods = true);

/// Writes each text into the folder. Throws an input Error if a file cannot be written.
void write_texts(const std::filesystem::path& folder, const TableTexts& texts);

/// Writes batch_tables(), and removes those `optional_tables` of an earlier state of the batch that it has no
/// more.
BatchTables write_batch_tables(const std::filesystem::path& batch_folder,
                               const std::vector<store::ResultRow>& rows);

}  // namespace casp::evidence

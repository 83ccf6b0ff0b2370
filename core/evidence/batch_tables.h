#pragma once
// All tables of a batch: results, summary, comparisons and ranks. Without LibTorch; any thread.

#include <filesystem>
#include <vector>

#include "evidence/batch_comparisons.h"
#include "store/results.h"

namespace casp::evidence {

/// Contents of the written tables.
struct BatchTables {
    std::vector<store::Cell> cells;
    std::vector<Comparison> comparisons;
};

/// Texts of the files that write_batch_tables() writes.
[[nodiscard]] TableTexts batch_table_texts(const std::filesystem::path& batch_folder,
                                           const std::vector<store::ResultRow>& rows);

/// Writes store::write_tables(), write_comparisons() and write_ranks() of the rows, which are in the order of
/// the sweep: the first value is the base of comparisons. Throws like store::write_tables.
BatchTables write_batch_tables(const std::filesystem::path& batch_folder,
                               const std::vector<store::ResultRow>& rows);

}  // namespace casp::evidence

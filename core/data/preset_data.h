#pragma once
// Comparison of a data file with the data set that a preset was tuned for.

#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "config/config.h"
#include "data/catalog.h"
#include "data/series_collection.h"
#include "data/table.h"
#include "util/phrase.h"

namespace casp::data {

/// Properties of an opened file that tell data sets apart.
struct FileFacts {
    std::int64_t rows = 0;
    std::int64_t channels = 0;            ///< of the file, before data.columns
    Step step = {};                       ///< from row to row; not known: no time axis
    const CatalogEntry* entry = nullptr;  ///< known data set (known_data.h); null: none
    std::int64_t series = 0;              ///< of a collection of series; 0: a table
    /// Table::time, from read_facts(); null: the file has not been read.
    std::shared_ptr<const std::vector<double>> time = {};
    /// From read_facts(); null: not read, a collection, or larger than max_kept_bytes (reader.h).
    std::shared_ptr<const Table> table = {};
    std::string sha256 = {};  ///< from read_facts(): of the content
};

/// Throws the input Error of a run that would refuse the cells of the file: missing ones under data.missing,
/// names in data.columns and data.targets that it does not have. Nothing without FileFacts::table.
void check_cells(const config::Config& config, const FileFacts& file);

[[nodiscard]] FileFacts facts_of(const Table& table, const CatalogEntry* entry);
[[nodiscard]] FileFacts facts_of(const SeriesCollection& collection, const CatalogEntry* entry);
/// As its file has them; zeros where the catalogue does not know.
[[nodiscard]] FileFacts facts_of(const CatalogEntry& entry);

/// Of the data set of data.path, which is read unless it is known. Throws input Errors and Cancelled. Any
/// thread.
[[nodiscard]] FileFacts read_facts(const config::Config& config, const std::stop_token& stop);

/// One sentence for a warning if the file is not the data set of `config.preset`, judged by content, rows,
/// channels and time between rows: what the preset expects, what the file has, and which data sets of the
/// catalogue have its size. Empty if it may be that data set, and without preset. Pure; any thread.
[[nodiscard]] Phrase preset_mismatch(const config::Config& config, const FileFacts& file);

}  // namespace casp::data

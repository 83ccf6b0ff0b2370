#pragma once
// Preparation of a data set: import, cleaning, split and scaler.

#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "config/config.h"
#include "data/catalog.h"
#include "data/scaler.h"
#include "data/series_collection.h"
#include "data/split.h"
#include "data/table.h"
#include "util/progress.h"

namespace casp::data {

/// A run's data set on the host, in original units: a table, or a collection of series.
struct PreparedData {
    /// Columns selected, missing values treated, all finite. Of a collection: path, digest, warnings and one
    /// column without values.
    Table table;
    SplitPlan plan;
    Scaler scaler;                        ///< fitted on the training rows; of a collection: mean 0, std 1
    const CatalogEntry* entry = nullptr;  ///< known data set (known_data.h); null: none
    std::string name;                     ///< catalogue name, else the file's stem
    bool single_channel = false;          ///< data.batching, with "auto" resolved
    std::vector<std::int64_t> targets;    ///< columns of data.targets, in file order; empty: all
    std::shared_ptr<const SeriesCollection> collection = {};  ///< null: a table
    /// The table as read_table() returned it, if `table` shares all its values; else null.
    std::shared_ptr<const Table> source = {};
};

/// Reads, checks and cleans the data, plans the split and fits the scaler, unless this has been done in this
/// process for the same settings and files (KeptValues). Throws input Errors and Cancelled. Any thread.
[[nodiscard]] std::shared_ptr<const PreparedData> prepare_data(const config::Config& config,
                                                               const ProgressFn& progress = {},
                                                               const std::stop_token& stop = {});

/// prepare_data() with the columns of data.targets only, scaled as there, and the name in tables: for all
/// that reads stored forecasts, which have these channels, and not a model's input.
[[nodiscard]] PreparedData prepare_targets(const config::Config& config, const ProgressFn& progress = {},
                                           const std::stop_token& stop = {});

/// The second half of prepare_targets(): `data` as prepare_data() returns it for `config`.
[[nodiscard]] PreparedData with_targets_only(PreparedData data, const config::Config& config);

/// Indices of the columns that data.targets names, ascending; empty: all. Throws an input Error for a name
/// that no column of the table has.
[[nodiscard]] std::vector<std::int64_t> find_targets(const Table& table, const config::Config& config);

/// Whether the data set is a collection of series: data.frequency is set, or read_collection() reads the
/// file. Accesses the disk; false if data.path cannot be resolved.
[[nodiscard]] bool has_collection(const config::Config& config);

/// How a run of this configuration reads a collection of series.
[[nodiscard]] CollectionOptions collection_options(const config::Config& config);

/// prepare_data() of a collection of series, made anew. Also throws an input Error for settings that only a
/// table has (data.percent, data.columns, data.targets).
[[nodiscard]] PreparedData prepare_collection(const config::Config& config, const ProgressFn& progress = {},
                                              const std::stop_token& stop = {});

/// The catalogue's entry for all series of M4 at this frequency, by their number and the first and last id;
/// null: another collection.
[[nodiscard]] const CatalogEntry* m4_entry(const SeriesCollection& collection);

/// Name of a run's data set in tables: with the channels of data.targets, or their number, and marked where
/// early stopping watches the test values (data.m4_stopping = "paper").
[[nodiscard]] std::string name_in_tables(const PreparedData& data, const config::Config& config);

/// plan_split() with the settings of [data]; `entry`: the known data set, or null. `rows` and `times`: of the
/// table. Throws its input Errors.
[[nodiscard]] SplitPlan plan_split(const config::Config& config, const CatalogEntry* entry, std::int64_t rows,
                                   const RowTimes& times);

/// data.batching with "auto" resolved: the catalogue's rule, else multi-channel for at most 32 channels.
[[nodiscard]] bool wants_single_channel(const std::string& batching, const CatalogEntry* entry,
                                        std::size_t channels);

}  // namespace casp::data

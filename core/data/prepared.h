#pragma once
// Preparation of a data set: import, cleaning, split and scaler.

#include <optional>
#include <stop_token>
#include <string>

#include "config/config.h"
#include "data/catalog.h"
#include "data/scaler.h"
#include "data/split.h"
#include "data/table.h"
#include "util/progress.h"

namespace casp::data {

/// A run's data set on the host, in original units.
struct PreparedData {
    Table table;  ///< columns selected, missing values treated, all finite
    SplitPlan plan;
    Scaler scaler;                        ///< fitted on the training rows
    const CatalogEntry* entry = nullptr;  ///< known data set (known_data.h); null: none
    std::string name;                     ///< catalogue name, else the file's stem
    bool single_channel = false;          ///< data.batching, with "auto" resolved
};

/// Reads, checks and cleans the data, plans the split and fits the scaler. Throws input Errors and Cancelled.
[[nodiscard]] PreparedData prepare_data(const config::Config& config, const ProgressFn& progress = {},
                                        std::stop_token stop = {});

/// `data.split` as text for parse_split_rule(): "auto", "ratio", … or "[train, val, test]".
[[nodiscard]] std::string split_text(const config::SplitSetting& split);

/// data.batching with "auto" resolved: the catalogue's rule, else multi-channel for at most 32 channels.
[[nodiscard]] bool wants_single_channel(const std::string& batching, const CatalogEntry* entry,
                                        std::size_t channels);

}  // namespace casp::data

#pragma once
// From a configuration's [data] section to a table that can be cut into windows.

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

/// A data set as a run sees it, still on the host and in original units.
struct PreparedData {
    Table table;  ///< columns selected, missing values treated, all finite
    SplitPlan plan;
    Scaler scaler;                        ///< of the training rows
    const CatalogEntry* entry = nullptr;  ///< known data set (known_data.h); null: another file
    std::string name;                     ///< catalogue name, else the file's stem
    bool single_channel = false;          ///< what data.batching resolved to
};

/// Reads, checks, cleans, splits and fits. Throws input Errors, and Cancelled.
[[nodiscard]] PreparedData prepare_data(const config::Config& config, const ProgressFn& progress = {},
                                        std::stop_token stop = {});

/// `data.split` as parse_split_rule() reads it: "auto", "ratio", … or "[train, val, test]".
[[nodiscard]] std::string split_text(const config::SplitSetting& split);

/// "auto" resolved: the catalogue's rule, else multi-channel up to 32 channels.
[[nodiscard]] bool wants_single_channel(const std::string& batching, const CatalogEntry* entry,
                                        std::size_t channels);

}  // namespace casp::data

#pragma once
// From a configuration to a model.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "config/config.h"
#include "data/calendar_step.h"
#include "model/forecaster.h"

namespace casp::model {

/// Properties of the data that a model needs beside the configuration.
struct DataShape {
    std::int64_t channels = 1;            ///< M of a batch; 1 with single-channel batches
    bool single_channel = false;          ///< batches of single channels
    data::Step step = {};                 ///< from row to row; not known: the file has no times
    std::string title = {};               ///< the data set's title in the catalogue; empty: it is not listed
    std::int64_t season = 1;              ///< values in one season; 1 where it is not known
    bool collection = false;              ///< series of a collection (M4), whose season is known
    std::vector<std::string> names = {};  ///< of the file's channels
    std::vector<std::int64_t> targets = {};  ///< channels that losses and errors are over; empty: all
};

/// The configured model on the CPU, with an untrained backbone where it has one. Throws an input Error where
/// it cannot forecast such data.
[[nodiscard]] std::unique_ptr<Forecaster> make_model(const config::Config& config, const DataShape& data);

/// Values in one season of the data: the collection's, else what the time between rows gives; 0: not known.
[[nodiscard]] std::int64_t season_of(const DataShape& data);

/// For models that forecast a channel from all channels of its window: throws an input Error for batches of
/// single channels.
void require_all_channels(const config::Config& config, const DataShape& data);

}  // namespace casp::model

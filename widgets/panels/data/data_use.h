#pragma once
// What an open file changes in the experiment that trains on it.

#include <string>
#include <utility>
#include <vector>

#include <QString>

#include "config/config.h"
#include "config/options.h"
#include "data/series_collection.h"
#include "panels/data/data_model.h"

namespace casp::widgets {

/// data.path, data.frequency, data.csv.* and, of a collection, data.horizon for training on the file as it
/// was read. Where `config` trains on another file, also what was said of that one: name, data.split,
/// data.missing, data.sentinels, data.columns and data.targets become those of `preset` (the settings of
/// config's preset) if the file is its data set, else the program's defaults.
[[nodiscard]] std::vector<std::pair<std::string, config::Value>> settings_for(const DataFile& file,
                                                                              const config::Config& config,
                                                                              const config::Config& preset);

/// For a first look at the file with a small model (resources/experiments/try-it.toml): settings_for() a new
/// experiment, and of a long file the first rows, of a wide one the first channels, in a short file a shorter
/// look-back and horizon. Missing values are interpolated. Empty: a collection, or a file of too few rows.
[[nodiscard]] std::vector<std::pair<std::string, config::Value>> trial_settings(const DataFile& file);

/// Whether an experiment with this configuration trains on the file, read as here.
[[nodiscard]] bool uses(const config::Config& config, const DataFile& file);

/// Preset of the experiment's model for the frequency of the collection, such as "dlinear-m4-yearly". Empty:
/// the experiment has a preset for this frequency, or the model has none.
[[nodiscard]] QString missing_preset(const config::Config& config, const data::SeriesCollection& collection);

}  // namespace casp::widgets

#pragma once
// Split and batching that "auto" stands for on data sets of the catalogue.

#include <string_view>

#include "config/config.h"

namespace casp::data {

/// The settings with the catalogue's split and batching in place of "auto", as prepare_data() resolves them,
/// so that runs of older presets, which left both to the catalogue, equal runs of today's. The data set is
/// recognised by the SHA-256 of its file, else as "catalog:NAME", else by the name that a run has recognised
/// (`dataset` of run.h5); the settings are unchanged if by none. Pure; any thread.
[[nodiscard]] config::Config with_catalog_rules(config::Config config, std::string_view dataset_sha256 = {},
                                                std::string_view dataset = {});

/// Whether with_catalog_rules() needs digest or name: data.path does not name an entry, and one of the two is
/// "auto".
[[nodiscard]] bool needs_digest(const config::Config& config);

}  // namespace casp::data

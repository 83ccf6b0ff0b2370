#pragma once
// Download of a catalogue entry's file, for --fetch and the user interface.

#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>

#include "data/catalog.h"
#include "util/progress.h"

namespace casp::fetch {

/// Downloads an entry's file from the first of its addresses that provides the expected content; returns its
/// path. Empty `folder`: the user's cache. The entry in `with` is downloaded first unless present; a failure
/// of that is only noted. `note` receives one-line messages (licence, failed addresses, digest). An existing
/// correct file (by digest, else by rows and channels or readable weights) is returned; any other existing
/// file is an input Error, since it may be the user's. Throws an input Error if the entry has no address
/// (naming its web page) or the folder cannot be created, else the error of the last address; and Cancelled.
/// Blocks; thread-safe.
std::filesystem::path fetch(const data::CatalogEntry& entry, const std::filesystem::path& folder,
                            const ProgressFn& progress, const std::function<void(const std::string&)>& note,
                            std::stop_token stop);

}  // namespace casp::fetch

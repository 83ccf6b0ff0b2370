#pragma once
// Getting a file of the catalogue from its public address, for --fetch and the window.

#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>

#include "data/catalog.h"
#include "util/progress.h"

namespace casp::fetch {

/// Tries the entry's addresses in turn until one gives the right bytes; returns the file. Empty `folder`: the
/// user's cache. What belongs to the entry (`with`) comes first, unless it is there; that it could not be had
/// is noted only. `note` is told in a line what happens (licence, a failed address, the digest found).
/// A file that is there already is kept: the right one (by its digest; without one by rows and channels, or
/// as weights that can be read) is returned, another one is an input Error, since it may be the user's own.
/// Nothing is fetched unless this is called. Errors: an input Error where the entry has no address (with the
/// page for people), where the folder cannot be made, else the last address's; Cancelled. Blocks; any
/// thread.
std::filesystem::path fetch(const data::CatalogEntry& entry, const std::filesystem::path& folder,
                            const ProgressFn& progress, const std::function<void(const std::string&)>& note,
                            std::stop_token stop);

}  // namespace casp::fetch

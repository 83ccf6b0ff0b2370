#pragma once
// Download of a catalogue entry's file, for --fetch and the user interface.

#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>

#include "data/catalog.h"
#include "util/progress.h"

namespace casp::fetch {

/// Downloads the file of a catalogue entry to `folder` (empty: the user's cache) and returns its path.
/// Blocks; thread-safe.
///
/// The entry's addresses are tried in order until one provides the expected content. The entry in `with` is
/// downloaded first unless present; its failure is only noted. `note` receives one-line messages (licence,
/// failed addresses, digest). If the destination exists, it is returned if its content is correct (by digest,
/// else by rows and channels or readable weights); otherwise it may be the user's, and is an input Error.
///
/// Throws an input Error if the entry has no address (naming its web page) or the folder cannot be created,
/// else the error of the last address; and Cancelled.
std::filesystem::path fetch(const data::CatalogEntry& entry, const std::filesystem::path& folder,
                            const ProgressFn& progress, const std::function<void(const Phrase&)>& note,
                            std::stop_token stop);

}  // namespace casp::fetch

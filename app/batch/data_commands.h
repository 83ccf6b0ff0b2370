#pragma once
// caspstudio --describe, --fetch, --list-catalog: commands about data, without a model.

#include <stop_token>
#include <string>

#include "batch/command_line.h"

namespace casp::batch {

/// The text of --describe.
[[nodiscard]] std::string describe_text(const CommandLine& line, const std::stop_token& stop = {});

/// The text of --list-catalog: name, kind, rows × channels, frequency, whether it is in the cache.
[[nodiscard]] std::string catalog_text();

/// Downloads an entry of the catalogue into the user's cache or line.to, with progress on standard error;
/// returns where it is. Says how to get it by hand where there is no public address. Throws Cancelled on a
/// stop request.
[[nodiscard]] std::string fetch(const CommandLine& line, std::stop_token stop);

}  // namespace casp::batch

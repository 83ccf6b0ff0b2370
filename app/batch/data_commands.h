#pragma once
// Data commands without a model: --describe, --convert, --fetch, --list-catalog.

#include <stop_token>
#include <string>

#include "batch/command_line.h"

namespace casp::batch {

/// The text of --describe.
[[nodiscard]] std::string describe_text(const CommandLine& line, const std::stop_token& stop = {});

/// Converts a file of another format with the user's Python; how is said on standard error. Returns the path
/// of the file that was written.
[[nodiscard]] std::string convert(const CommandLine& line, const std::stop_token& stop);

/// The text of --list-catalog: name, kind, rows × channels, frequency, and whether the file is in the
/// cache.
[[nodiscard]] std::string catalog_text();

/// Downloads an entry of the catalogue to the user's cache or to line.to, with progress on standard error,
/// and returns its path. If the entry has no public address, the error explains how to get it manually.
/// Throws Cancelled on a stop request.
[[nodiscard]] std::string fetch(const CommandLine& line, std::stop_token stop);

}  // namespace casp::batch

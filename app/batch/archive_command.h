#pragma once
// --archive: a run, a batch or a folder of batches as one file.

#include <stop_token>
#include <string>

#include "batch/command_line.h"

namespace casp::batch {

/// Packs line.target into line.out without line.omit, with the runs of other batches that its tables list.
/// Progress goes to standard error. Returns a line about the archive, and one about what it omits, if
/// anything. Throws as store::write_archive().
[[nodiscard]] std::string archive_text(const CommandLine& line, const std::stop_token& stop);

}  // namespace casp::batch

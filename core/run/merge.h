#pragma once
// One batch folder from several, of shares of a batch that were made on machines without a common folder.

#include <cstddef>
#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

#include "util/phrase.h"
#include "util/progress.h"

namespace casp::run {

struct MergedBatch {
    std::filesystem::path folder;  ///< out/<name>
    std::size_t runs = 0;          ///< of them finished ones: `finished`
    std::size_t finished = 0;
    std::vector<std::string> twice;  ///< names of runs that several folders have, with equal results
    std::vector<Phrase> notes;       ///< what may make numbers differ in the last digits, one sentence each
};

/// Copies the runs of batch folders (or folders of one batch each) to out/<name>/, in the order of the sweep,
/// and writes its tables. `folders` stay as they are; out/<name>/ appears complete or not at all. Of a run
/// that several folders have, the finished one is taken, else the one with more steps.
///
/// Throws an input Error that names the runs: batches of different names, runs of other data (SHA-256),
/// settings other than the swept ones, or program versions; a run with different results in two folders; a
/// run that is being written or cannot be read; and if out/<name>/ exists. Throws Cancelled.
MergedBatch merge_batches(const std::vector<std::filesystem::path>& folders, const std::filesystem::path& out,
                          const ProgressFn& progress = {}, const std::stop_token& stop = {});

}  // namespace casp::run

#pragma once
// Runs of any batches with their resolved settings, made comparable as one sweep. Without LibTorch; any
// thread.

#include <cstdint>
#include <filesystem>
#include <map>
#include <stop_token>
#include <string>
#include <vector>

#include "config/config.h"
#include "store/results.h"
#include "store/run_record.h"
#include "util/phrase.h"

namespace casp::evidence {

/// The settings of a run by which it is compared: those of its config.toml, with the catalogue's rules in
/// place of "auto" for split and batching of its data sets (data/catalog_rules.h), which run.h5 names.
/// Throws an input Error if they cannot be read; without a readable run.h5, "auto" may stay.
[[nodiscard]] config::Config settled_settings(const std::filesystem::path& run);
/// The same, where its settings and run.h5 have been read already.
[[nodiscard]] config::Config settled_settings(config::Config config, const store::RunAttributes& attributes);

/// A run and what it was configured with.
struct SettledRun {
    store::ResultRow row;
    config::Config config;  ///< settled_settings()
    std::filesystem::path folder = {};
};

/// Runs of a batch that do not count.
struct UnfinishedRuns {
    std::filesystem::path batch;
    std::int64_t total = 0;                        ///< runs of the batch that were found, in any state
    std::map<store::RunState, std::int64_t> left;  ///< those that are not finished, and finished early
};

/// Result of finished_runs().
struct FinishedRuns {
    std::vector<SettledRun> runs;
    std::vector<Phrase> skipped;  ///< runs with an unreadable run.json or config.toml: "FOLDER: reason"
    std::vector<UnfinishedRuns> unfinished;    ///< batches with such runs
    std::vector<std::filesystem::path> empty;  ///< given folders without any run
};

/// Finished runs in and below the given folders (store/run_store.h), each once: folder by folder in the given
/// order, and within one in the order of creation. `early`: also runs finished early. Throws an input Error
/// if a folder cannot be read, and Cancelled.
[[nodiscard]] FinishedRuns finished_runs(const std::vector<std::filesystem::path>& folders,
                                         const std::stop_token& stop = {}, bool early = false);

/// Gives a case that means other settings in a later batch another label there: "with" becomes "with (B)" in
/// the runs of batch B. A case means the settings in which runs of one batch differ from those of its other
/// cases. Returns a sentence for each label that was changed: both folders and the first differing setting.
std::vector<Phrase> separate_cases(std::vector<SettledRun>& runs);

/// Rows whose `swept` holds the same keys in every row, as one sweep over all runs would have them: the swept
/// keys of every run, `key`, and all other settings in which runs differ that are alike in those. A setting
/// that follows from swept ones (a case's, a preset's) does not count, unless it changes the task; nor do
/// name and place of a run, its device, and where its files are. A row is without the settings that its run
/// does not read.
[[nodiscard]] std::vector<store::ResultRow> as_one_sweep(const std::vector<SettledRun>& runs,
                                                         const std::string& key = {});

}  // namespace casp::evidence

#pragma once
// --table: the paper's tables from finished runs.

#include <filesystem>
#include <map>
#include <stop_token>
#include <string>
#include <vector>

#include "batch/command_line.h"
#include "config/experiment.h"
#include "store/results.h"

namespace casp::batch {

/// The table as Markdown, with a last line on the time that missing runs would take on this computer, which
/// is measured for it (run::measure_machine()). With line.out, also writes NAME.csv, NAME.md and NAME.tex
/// there. Without folders, the paper's values only. Throws input Errors, and Cancelled.
[[nodiscard]] std::string table_text(const CommandLine& line, const std::stop_token& stop = {});

/// After --batch paper:NAME, if NAME is a table: writes it to the batch folder, filled from all runs below
/// line.out, and returns it as table_text(). Empty for other experiments. Throws as table_text().
[[nodiscard]] std::string batch_table_text(const CommandLine& line, const std::filesystem::path& batch_folder,
                                           const std::stop_token& stop = {});

/// Of an experiment of the paper without figures: removes the plans whose runs other batches of line.out have
/// finished. Returns the rows of those runs by name in this batch: `run` is the run's folder relative to the
/// batch folder, `swept` is the plan's. Other experiments stay as they are.
std::map<std::string, store::ResultRow> leave_out_finished(std::vector<config::RunPlan>& plans,
                                                           const CommandLine& line,
                                                           const std::filesystem::path& batch_folder);

}  // namespace casp::batch

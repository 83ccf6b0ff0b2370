#pragma once
// The commands that need LibTorch, but for --batch and --evaluate. Each returns what it prints to standard
// output; progress goes to standard error.

#include <filesystem>
#include <functional>
#include <map>
#include <stop_token>
#include <string>
#include <vector>

#include "batch/command_line.h"
#include "config/experiment.h"
#include "evidence/missing_time.h"
#include "evidence/verify.h"
#include "store/results.h"
#include "train/stop.h"

namespace casp::batch {

/// Packs line.target into line.out without line.omit, with the runs of other batches that its tables list.
/// Progress goes to standard error. Returns a line about the archive, and one about what it omits, if
/// anything. Throws as store::write_archive().
[[nodiscard]] std::string archive_text(const CommandLine& line, const std::stop_token& stop);

struct AuditResult {
    std::string text;  ///< a line per finding, code first
    bool clean = false;
};

/// Audits the forecasts in line.target against the data set line.data with the settings data.* of line.sets.
/// Progress goes to standard error; with line.out, writes audit.json there. Throws input Errors and
/// Cancelled.
[[nodiscard]] AuditResult audit(const CommandLine& line, const std::stop_token& stop);

/// Imports the forecasts in line.target into line.out/line.name/; the run is `single`, or `seed-N`.
/// Returns the text of the audit and the run's folder. Throws as audit::import_forecasts().
[[nodiscard]] std::string import_run(const CommandLine& line, const std::stop_token& stop);

/// --compare: paired tests between the values of line.by over the finished runs below the folders, as a table
/// with a verdict for each row. Writes comparisons.csv, .md and .tex to line.out unless it is empty. Throws
/// an input Error if there is nothing to compare, which names the settings that differ or the seeds, and
/// Cancelled on a stop request.
[[nodiscard]] std::string compare_text(const CommandLine& line, const std::stop_token& stop = {});

/// Writes the test forecasts of the run line.target to the folder line.out. Returns a line
/// that names the files. Progress goes to standard error. Throws as inspect::export_arrays().
[[nodiscard]] std::string export_text(const CommandLine& line, const std::stop_token& stop);

/// Forecasts with the model of line.target after each of the last line.origins rows of line.data. Returns the
/// CSV; with line.out, writes it there and returns an empty text. Messages and progress go to standard error.
/// Throws input Errors and Cancelled.
[[nodiscard]] std::string forecast_text(const CommandLine& line, const train::StopControl& stop);

/// Merges line.target and line.files into line.out. Returns the summary of the batch and what was merged.
/// Progress goes to standard error. Throws as run::merge_batches().
[[nodiscard]] std::string merge_text(const CommandLine& line, const std::stop_token& stop);

/// Checks the experiment, then writes and submits its script, or with line.print returns the script. Returns
/// what was submitted, and how to watch it. Throws input and run Errors, and Cancelled.
[[nodiscard]] std::string submit_text(const CommandLine& line, const std::stop_token& stop = {});

/// The table as Markdown, with a last line on the time that missing runs would take on this computer, which
/// is measured for it (run::measure_machine()). With line.out, also writes NAME.csv, NAME.md and NAME.tex
/// there. Without folders, the paper's values only. Throws input Errors, and Cancelled.
[[nodiscard]] std::string table_text(const CommandLine& line, const std::stop_token& stop = {});

/// After --batch study:language-model: writes its page, from the runs of the batch. After --batch paper:NAME,
/// if NAME is a table: writes it to the batch folder, filled from all runs below line.out, and returns it as
/// table_text(). Empty for other experiments. Throws as table_text().
[[nodiscard]] std::string batch_table_text(const CommandLine& line, const std::filesystem::path& batch_folder,
                                           const std::stop_token& stop = {});

/// Of an experiment of the paper without figures: removes the plans whose runs other batches of line.out have
/// finished. Returns the rows of those runs by name in this batch: `run` is the run's folder relative to the
/// batch folder, `swept` is the plan's. Other experiments stay as they are.
std::map<std::string, store::ResultRow> leave_out_finished(std::vector<config::RunPlan>& plans,
                                                           const CommandLine& line,
                                                           const std::filesystem::path& batch_folder);

/// Adds what is found about the figures of a batch folder.
using VerifyFigures = std::function<void(const std::filesystem::path& batch, evidence::Verification& result)>;

struct VerifyResult {
    std::string text;  ///< a line per finding ("FILE: CELL: FOUND; expected EXPECTED"), what was not checked
                       ///< and why, notes, and a summary
    bool equal = false;  ///< no finding
};

/// Verifies the runs and tables below line.target (evidence/verify.h), the paper's tables and the figures
/// among them, and repeats line.repeat percent of the forecasts (inspect/repeated_forecasts.h). An archive is
/// unpacked into a temporary folder that is removed; files are then named by their paths in it. Progress goes
/// to standard error. Throws an input Error without any run or for an archive that cannot be unpacked, and
/// Cancelled.
[[nodiscard]] VerifyResult verify(const CommandLine& line, const VerifyFigures& figures,
                                  const train::StopControl& stop, const std::stop_token& stopped);

/// Durations of planned runs for the maximum number of epochs, from a short measurement of this machine
/// (run::measure_machine()), or the problem, if a run cannot be estimated; each data set is read once. One
/// thread at a time. Throws Cancelled.
[[nodiscard]] std::function<evidence::RunTime(const config::Config&, const std::stop_token&)> run_times();

}  // namespace casp::batch

#include "batch/table_commands.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <vector>

#include "evidence/paper_experiments.h"
#include "evidence/paper_runs.h"
#include "evidence/paper_table_text.h"
#include "store/atomic_file.h"
#include "util/error.h"

namespace casp::batch {

namespace {

namespace fs = std::filesystem;

void write_table(const fs::path& folder, const evidence::PaperTable& table) {
    std::error_code problem;
    fs::create_directories(folder, problem);
    if (problem)
        throw input_error(folder.string(), problem.message(), "a folder that can be written",
                          "Choose another --out folder.");
    store::write_file_atomically(folder / (table.name + ".csv"), evidence::paper_table_csv(table));
    store::write_file_atomically(folder / (table.name + ".md"), evidence::paper_table_markdown(table));
    store::write_file_atomically(folder / (table.name + ".tex"), evidence::paper_table_latex(table));
}

}  // namespace

std::string table_text(const CommandLine& line, const std::stop_token& stop) {
    auto table = evidence::paper_table(line.target);
    const std::vector<fs::path> folders(line.files.begin(), line.files.end());
    const auto runs = evidence::with_measures(table, evidence::finished_runs(folders, stop), stop);
    table = evidence::fill(std::move(table), runs);
    const auto text = evidence::paper_table_markdown(table);
    if (line.out.empty()) return text;
    write_table(line.out, table);
    return text + "\nTables: " + (fs::path(line.out) / (table.name + ".{csv,md,tex}")).string() + "\n";
}

std::vector<std::string> leave_out_finished(std::vector<config::RunPlan>& plans, const CommandLine& line) {
    std::error_code unknown;
    if (!line.target.starts_with("paper:") || !line.figures.empty() || !fs::exists(line.out, unknown))
        return {};
    const auto runs = evidence::finished_runs({line.out});
    std::vector<std::string> messages;
    std::erase_if(plans, [&](const config::RunPlan& plan) {
        const auto same = std::find_if(runs.begin(), runs.end(), [&](const evidence::SettledRun& run) {
            return run.config.name != plan.config.name && evidence::covers(run.config, plan.config);
        });
        if (same == runs.end()) return false;
        messages.push_back(plan.run_name + " is finished in " + same->folder.string());
        return true;
    });
    return messages;
}

}  // namespace casp::batch

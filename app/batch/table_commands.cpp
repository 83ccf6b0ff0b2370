#include "batch/commands.h"

#include <algorithm>
#include <exception>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "batch/console.h"
#include "batch/tuning.h"
#include "data/catalog.h"
#include "data/preset_data.h"
#include "evidence/batch_tables.h"
#include "evidence/language_study.h"
#include "evidence/missing_time.h"
#include "evidence/paper_experiments.h"
#include "evidence/paper_runs.h"
#include "evidence/paper_table_text.h"
#include "evidence/tuning.h"
#include "run/preview.h"
#include "util/error.h"
#include "util/new_folders.h"

namespace casp::batch {

namespace {

namespace fs = std::filesystem;

constexpr const char* paper_prefix = "paper:";

evidence::PaperTable filled(const std::string& name, const std::vector<fs::path>& folders, LogFormat format,
                            const std::stop_token& stop) {
    const auto table = evidence::paper_table(name);
    auto finished = evidence::finished_runs(folders, stop);
    print_warnings(format, finished.skipped);
    return evidence::fill(table, evidence::with_measures(table, std::move(finished.runs), stop));
}

/// Line below a table that misses runs; empty: none is missing.
std::string missing_line(const evidence::PaperTable& table, const std::stop_token& stop) {
    if (table.missing == 0) return {};
    const auto time = evidence::time_of_missing(table, run_times(), stop);
    return "\n" + evidence::missing_time_text(table, time) + "\n";
}

std::string files_of(const fs::path& folder, const evidence::PaperTable& table) {
    return (folder / (evidence::paper_table_stem(table.name) + ".{csv,md,tex}")).string();
}

void write_table(const fs::path& folder, const evidence::PaperTable& table) {
    const NewFolders made(folder);
    evidence::write_texts(folder, evidence::paper_table_texts(table));
}

constexpr const char* language_target = "study:language-model";

/// The page on the language model, from finished runs.
evidence::TableTexts language_texts(const std::vector<fs::path>& folders, LogFormat format, bool needs_rows,
                                    const std::stop_token& stop) {
    const auto finished = evidence::finished_runs(folders, stop);
    print_warnings(format, finished.skipped);
    const auto study = evidence::language_study(finished.runs, stop);
    if (study.rows.empty() && needs_rows)
        throw input_error("--table",
                          folders.empty()
                              ? Phrase("there are no folders")
                              : Phrase("no finished run here has a backbone that can be replaced"),
                          "folders of finished runs that differ in backbone.kind",
                          "Make them with caspstudio --batch study:language-model.");
    return evidence::language_study_texts(study);
}

/// The page. Also writes the files to the folder, unless it is empty, and names them below.
std::string written_page(const std::string& name, const evidence::TableTexts& texts, const fs::path& folder) {
    const auto& page = texts.at(name + ".md");
    if (folder.empty()) return page;
    const NewFolders made(folder);
    evidence::write_texts(folder, texts);
    return page + "\nTables: " + (folder / (name + ".{csv,md,tex}")).string() + "\n";
}

evidence::TableTexts filled_tuning(const std::vector<fs::path>& folders, LogFormat format,
                                   const std::stop_token& stop) {
    auto finished = evidence::finished_runs(folders, stop);
    print_warnings(format, finished.skipped);
    return evidence::tuning_texts(evidence::tuning_table(std::move(finished.runs)));
}

/// Of a data set of the catalogue that has not been fetched: as the catalogue knows it.
data::FileFacts facts_of_file(const config::Config& config, const std::stop_token& stop) {
    constexpr std::string_view prefix = "catalog:";
    const std::string_view path = config.data.path;
    if (path.starts_with(prefix) && !fs::exists(data::catalog_path(path.substr(prefix.size()))))
        return data::facts_of(data::catalog_entry(path.substr(prefix.size())));
    return data::read_facts(config, stop);
}

}  // namespace

std::function<evidence::RunTime(const config::Config&, const std::stop_token&)> run_times() {
    return [](const config::Config& config, const std::stop_token& stop) -> evidence::RunTime {
        try {
            const auto preview =
                run::preview(config, facts_of_file(config, stop), run::measure_machine(config));
            return {preview.longest_seconds, {}};
        } catch (const Cancelled&) {
            throw;
        } catch (const std::exception& problem) {
            return {0, problem.what()};
        }
    };
}

std::string table_text(const CommandLine& line, const std::stop_token& stop) {
    const std::vector<fs::path> folders{line.files.begin(), line.files.end()};
    if (line.target == evidence::language_study_name)
        return written_page(line.target, language_texts(folders, line.log_format, /*needs_rows=*/true, stop),
                            line.out);
    if (line.target == evidence::tuning_name)
        return written_page(line.target, filled_tuning(folders, line.log_format, stop), line.out);
    const auto table = filled(line.target, folders, line.log_format, stop);
    if (!line.out.empty()) write_table(line.out, table);
    const auto text = evidence::paper_table_markdown(table) + missing_line(table, stop);
    if (line.out.empty()) return text;
    return text + "\nTables: " + files_of(line.out, table) + "\n";
}

std::string batch_table_text(const CommandLine& line, const fs::path& batch_folder,
                             const std::stop_token& stop) {
    if (line.target == language_target)
        return written_page(evidence::language_study_name,
                            language_texts({batch_folder}, line.log_format, /*needs_rows=*/false, stop),
                            batch_folder);
    if (is_tuning(line))
        return written_page(std::string(evidence::tuning_name),
                            filled_tuning({line.out}, line.log_format, stop), batch_folder);
    const auto& names = evidence::paper_table_names();
    const auto name = std::find_if(names.begin(), names.end(),
                                   [&](const auto& one) { return line.target == paper_prefix + one; });
    if (name == names.end()) return {};
    const auto table = filled(*name, {line.out}, line.log_format, stop);
    write_table(batch_folder, table);
    return evidence::paper_table_markdown(table) + "\nTable: " + files_of(batch_folder, table) + "\n";
}

std::map<std::string, store::ResultRow> leave_out_finished(std::vector<config::RunPlan>& plans,
                                                           const CommandLine& line,
                                                           const fs::path& batch_folder) {
    std::error_code unknown;
    if (!line.target.starts_with(paper_prefix) || !line.figures.empty() || !fs::exists(line.out, unknown))
        return {};
    const auto runs = evidence::finished_runs({line.out}).runs;
    const auto own_folder = fs::absolute(batch_folder).lexically_normal();
    std::map<std::string, store::ResultRow> rows;
    std::erase_if(plans, [&](const config::RunPlan& plan) {
        const evidence::SettledRun* same = nullptr;
        for (const auto& run : runs) {
            if (run.folder == own_folder / plan.name) return false;
            if (same == nullptr && run.config.name != plan.config.name &&
                evidence::covers(run.config, plan.config))
                same = &run;
        }
        if (same == nullptr) return false;
        auto& row = rows[plan.name] = same->row;
        row.run = same->folder.lexically_relative(own_folder).string();
        store::set_swept(row, plan.swept);
        return true;
    });
    return rows;
}

}  // namespace casp::batch

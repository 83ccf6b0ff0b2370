#include "batch/commands.h"

#include <algorithm>
#include <filesystem>
#include <vector>

#include "batch/console.h"
#include "config/options.h"
#include "config/text_utils.h"
#include "evidence/batch_comparisons.h"
#include "evidence/batch_periods.h"
#include "evidence/batch_tables.h"
#include "evidence/common_windows.h"
#include "evidence/paper_experiments.h"
#include "evidence/run_settings.h"
#include "evidence/series_comparison.h"
#include "store/run_store.h"
#include "util/error.h"
#include "util/grouping.h"
#include "util/new_folders.h"
#include "util/shell_word.h"
#include "util/units.h"

namespace casp::batch {

namespace {

namespace fs = std::filesystem;
using config::listed;
using Rows = std::vector<store::ResultRow>;

constexpr const char* compare_flag = "--compare";

/// Empty without a name: the usual ones.
std::vector<std::string> checked_metrics(const std::string& metric) {
    if (metric.empty()) return {};
    const auto names = evidence::metric_names();
    if (std::find(names.begin(), names.end(), metric) != names.end()) return {metric};
    const auto near = config::nearest(metric, names);
    throw input_error("--metric", "no metric is called " + config::in_quotes(config::abbreviated(metric, 80)),
                      config::either(names), near.empty() ? "" : "Nearest: " + near + ".");
}

void check_by(const std::string& key) {
    if (key.empty() || key == store::case_key) return;
    if (config::find_option(key) == nullptr) {
        const auto near = config::nearest_key(key);
        throw input_error("--by", "unknown key " + config::abbreviated(key, 80),
                          "case, or a key that --list-options shows",
                          near.empty() ? "" : "Nearest valid key: " + near + ".");
    }
    if (!evidence::is_comparable(key))
        throw input_error("--by",
                          key == "train.seed" ? "runs are paired by train.seed"
                                              : key +
                                                    " changes the data that are forecast; errors on "
                                                    "different data are not comparable",
                          "case, or a setting of the model or its training");
}

/// Those that a comma would divide, and empty ones, in quotation marks.
std::vector<std::string> quoted(std::vector<std::string> texts) {
    for (auto& text : texts)
        if (text.empty() || text.find(',') != std::string::npos) text = config::in_quotes(text);
    return texts;
}

/// Settings other than `compared` and the seed in which runs differ: "train.epochs (1, 2), data.horizon (24,
/// 48)"; empty: none.
std::string differing(const Rows& rows, const std::string& compared) {
    std::vector<std::string> parts;
    const auto add = [&](const std::string& key, const std::vector<std::string>& values) {
        if (values.size() > 1) parts.push_back(key + " (" + listed(quoted(values)) + ")");
    };
    std::vector<std::string> data, horizons;
    for (const auto& row : rows) {
        add_once(data, row.data);
        add_once(horizons, std::to_string(row.horizon));
    }
    add("data.path", data);
    add("data.horizon", horizons);
    for (const auto& [key, text] : rows.front().swept)
        if (key != compared && key != "train.seed" && key != "data.path" && key != "data.horizon")
            add(key, evidence::values_of(rows, key));
    return listed(parts);
}

/// ", all with model.top_k = 4", from the only value or none.
std::string common_value(const std::string& key, const std::vector<std::string>& values) {
    if (values.empty()) return ", none with a case";
    const auto& value = values.front();
    return value.empty() ? ", none with a value of " + key : ", all with " + key + " = " + value;
}

/// Sets --base, which is a value of one setting.
void set_base(std::vector<evidence::Contrast>& contrasts, const Rows& rows, const std::string& base) {
    if (contrasts.size() > 1) {
        std::vector<std::string> keys;
        for (const auto& contrast : contrasts) keys.push_back("--by " + contrast.key);
        throw input_error("--base",
                          config::in_quotes(config::abbreviated(base, 80)) +
                              " could be a value of several compared settings",
                          "--base together with --by", "Add " + config::either(keys) + ".");
    }
    auto& contrast = contrasts.front();
    const auto values = evidence::values_of(rows, contrast.key);
    if (std::find(values.begin(), values.end(), base) == values.end())
        throw input_error("--base",
                          config::in_quotes(config::abbreviated(base, 80)) + " is not a value of " +
                              contrast.key + " in the finished runs",
                          config::either(quoted(values)));
    contrast.base = base;
}

std::vector<evidence::Contrast> checked_contrasts(const Rows& rows, const CommandLine& line) {
    auto contrasts = evidence::contrasts_of(rows);
    if (!line.by.empty()) {
        const auto values = evidence::values_of(rows, line.by);
        const auto others = differing(rows, line.by);
        if (values.size() < 2)
            throw input_error(
                compare_flag,
                "nothing to compare: " + counted(std::ssize(rows), "finished run") +
                    common_value(line.by, values),
                "runs with several values of " + line.by,
                others.empty() ? "Add runs with other values." : "These settings differ: " + others + ".");
        contrasts = {{line.by, values.front()}};
    }
    if (contrasts.empty()) {
        const auto others = differing(rows, {});
        throw input_error(compare_flag,
                          "nothing to compare: " + counted(std::ssize(rows), "finished run") +
                              (others.empty() ? ", with the same settings except the seed"
                                              : ", which differ only in " + others),
                          "runs that differ in a case or in a setting of the model or its training",
                          "Add runs with other values.");
    }
    if (!line.base.empty()) set_base(contrasts, rows, line.base);
    return contrasts;
}

/// Why no two runs make a pair.
Error nothing_to_pair(const Rows& rows, const evidence::Contrast& contrast, const std::string& metric) {
    std::string reasons;
    for (const auto& sentence : evidence::unpaired_runs(rows, contrast, metric))
        reasons += (reasons.empty() ? ": " : "; ") + sentence;
    const auto others = differing(rows, contrast.key);
    return input_error(compare_flag, "nothing to compare" + reasons,
                       "runs with the same data, horizon, seed and other settings",
                       (others.empty() ? "" : "These settings differ as well: " + others + ". ") +
                           std::string("Choose another --base, --by or --metric, or folders of comparable "
                                       "runs."));
}

/// Comparisons over the series of collections, as in a batch's comparisons.md.
std::string over_series(const Rows& rows, const std::vector<evidence::Contrast>& contrasts) {
    evidence::BatchSeries all;
    for (const auto& contrast : contrasts) all += evidence::compare_batch_series({}, rows, contrast);
    return evidence::series_markdown(all.rows, all.remarks);
}

void write_to(const fs::path& folder, const std::vector<evidence::Comparison>& comparisons,
              const std::string& over_series) {
    const NewFolders made(folder);
    evidence::write_texts(folder, evidence::comparison_texts(comparisons, over_series));
}

/// What finishes the runs of a batch, as far as the folder's name shows it.
std::string finishing_command(const fs::path& batch) {
    const auto name = batch.filename().string();
    auto target = evidence::target_of_folder(name);
    if (target.empty()) target = name + ".toml";
    return "caspstudio --batch " + shell_word(target) + " --out " + shell_word(batch.parent_path().string()) +
           " --resume";
}

/// "3 of 8 runs are" or "1 of 8 runs is".
std::string part_of(std::int64_t part, std::int64_t total) {
    return std::to_string(part) + " of " + std::to_string(total) + (total == 1 ? " run" : " runs") +
           (part == 1 ? " is " : " are ");
}

/// Batches with runs that do not count, and folders without any.
std::vector<Phrase> left_out(const evidence::FinishedRuns& found) {
    std::vector<Phrase> sentences;
    for (const auto& batch : found.unfinished) {
        std::int64_t unfinished = 0;
        std::vector<std::string> states;
        for (const auto& [state, count] : batch.left) {
            if (store::is_complete(state)) continue;
            unfinished += count;
            states.push_back(std::to_string(count) + " " + std::string(store::to_string(state)));
        }
        const auto where = batch.batch.string() + ": ";
        if (unfinished > 0)
            sentences.push_back(where + part_of(unfinished, batch.total) + "not finished (" + listed(states) +
                                ") and omitted. Finish the batch with: " + finishing_command(batch.batch) +
                                " (and the --set it was started with)");
        if (const auto early = batch.left.find(store::RunState::finished_early); early != batch.left.end())
            sentences.push_back(where + part_of(early->second, batch.total) +
                                "finished early, with fewer training steps, and omitted.");
    }
    for (const auto& folder : found.empty)
        sentences.push_back(folder.string() + ": no run (no run.json or run.h5 in it or up to " +
                            std::to_string(store::levels_searched) + " levels below)");
    return sentences;
}

}  // namespace

std::string compare_text(const CommandLine& line, const std::stop_token& stop) {
    auto metrics = checked_metrics(line.metric);
    check_by(line.by);
    std::vector<fs::path> folders{line.target};
    folders.insert(folders.end(), line.files.begin(), line.files.end());
    auto finished = evidence::finished_runs(folders, stop);
    auto& runs = finished.runs;
    print_warnings(line.log_format, finished.skipped);
    print_warnings(line.log_format, left_out(finished));
    if (runs.empty()) {
        std::vector<std::string> names;
        for (const auto& folder : folders) names.push_back(folder.string());
        throw input_error(compare_flag, "no finished run below " + listed(names),
                          "run folders, or folders of batches with finished runs (up to " +
                              std::to_string(store::levels_searched) + " levels below)");
    }
    // By another setting, a case with two values of it is what is compared.
    if (line.by.empty() || line.by == store::case_key)
        print_warnings(line.log_format, evidence::separate_cases(runs));
    print_warnings(line.log_format, evidence::use_common_windows(runs, stop));
    auto rows = evidence::as_one_sweep(runs, line.by);
    // Where their forecasts are.
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i].run = fs::absolute(runs[i].folder).string();
    if (metrics.empty()) metrics = evidence::error_metrics(rows);
    const auto contrasts = checked_contrasts(rows, line);
    std::vector<evidence::Comparison> comparisons;
    std::vector<Phrase> unpaired;
    std::string text;
    for (const auto& contrast : contrasts) {
        auto of_contrast = evidence::compare_rows(rows, contrast, metrics);
        evidence::add_period_tests(of_contrast, rows, contrast, {}, stop);
        // The second one is a guess (contrasts_of): it may well have no pairs.
        if (!of_contrast.empty() || contrast.key == contrasts.front().key)
            for (auto& sentence : evidence::unpaired_runs(rows, contrast, metrics.front()))
                unpaired.push_back(std::move(sentence));
        if (of_contrast.empty()) continue;
        text += (text.empty() ? "" : "\n") + contrast.key + ", compared with " +
                evidence::value_text(contrast.base) + " (" + counted(std::ssize(rows), "finished run") +
                ")\n\n" + evidence::comparisons_text(of_contrast);
        comparisons.insert(comparisons.end(), of_contrast.begin(), of_contrast.end());
    }
    if (comparisons.empty()) throw nothing_to_pair(rows, contrasts.front(), metrics.front());
    print_warnings(line.log_format, unpaired);
    const auto series = over_series(rows, contrasts);
    text += series;
    if (line.out.empty()) return text;
    write_to(line.out, comparisons, series);
    return text + "\nTables: " + (fs::path(line.out) / "comparisons.{csv,md,tex}").string() + "\n";
}

}  // namespace casp::batch

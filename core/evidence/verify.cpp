#include "evidence/verify.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>
#include <variant>

#include "config/experiment.h"
#include "evidence/batch_tables.h"
#include "evidence/paper_experiments.h"
#include "evidence/ranks.h"
#include "evidence/verify_run.h"
#include "evidence/verify_text.h"
#include "store/result_columns.h"
#include "store/run_folder.h"
#include "store/run_store.h"
#include "util/error.h"
#include "util/whole_path.h"

namespace casp::evidence {

namespace fs = std::filesystem;

namespace {

// Verification of a batch's tables against the rows of its runs. Without LibTorch.

/// Verified runs by folder (absolute, normalised).
using VerifiedRuns = std::map<fs::path, VerifiedRun>;

using store::ResultRow;
using CsvLine = std::vector<std::string>;

/// Whether only run.json has the column of results.csv.
bool is_measured(const std::string& name) {
    const auto* column = store::find_column(name);
    return column != nullptr && column->has(store::ResultColumn::only_run_json);
}

/// Sets the column `name` of a row from its text in results.csv. Other texts are ignored.
void set_column(ResultRow& row, const std::string& name, const std::string& text) {
    if (const auto* column = store::find_column(name)) store::set_from_text(row, *column, text);
}

ResultRow row_of(const CsvLine& header, const CsvLine& cells) {
    ResultRow row;
    for (std::size_t i = 0; i < std::min(header.size(), cells.size()); ++i)
        set_column(row, header[i], cells[i]);
    return row;
}

/// results.csv and the runs that its lines name.
class BatchVerification {
public:
    BatchVerification(fs::path folder, const VerifiedRuns& runs, Verification& result)
        : folder_(std::move(folder)), runs_(runs), result_(result) {}

    void run(const std::stop_token& stop) {
        const auto before = result_.findings.size();
        auto lines = csv_records(text_of(folder_ / "results.csv", result_));
        if (result_.findings.size() > before) return;
        if (!lines.empty()) {
            header_ = std::move(lines.front());
            lines_.assign(lines.begin() + 1, lines.end());
        }
        result_.batches.push_back(folder_);
        find_rows();
        if (!set_shared_sweep()) return;
        throw_if_stopped(stop);
        for (std::size_t i = 0; i < rows_.size(); ++i) settle_measured(i);
        compare(stop);
    }

private:
    /// Rows in the order of the lines. A line whose name is none of a run belongs to the run that no line
    /// names and that has its error: its name is the difference. Of two lines with one name, the other one
    /// has the run's error.
    void find_rows() {
        std::map<std::string, int> counts;  // of lines, by name
        for (const auto& line : lines_) ++counts[line.front()];
        for (const auto& line : lines_) {
            const auto& name = line.front();
            const auto found = runs_.find((folder_ / name).lexically_normal());
            const auto* run = found == runs_.end() ? nullptr : &found->second;
            shared_.push_back(name.starts_with("../"));
            const bool others_name = run != nullptr && counts.at(name) > 1 && !has_error_of(line, *run);
            if (run == nullptr || others_name)
                if (const auto* unnamed = unnamed_run(line, counts)) run = unnamed;
            rows_.push_back(row_for(run, line));
            of_run_.push_back(run);
        }
    }

    static bool has_error_of(const CsvLine& line, const VerifiedRun& run) {
        return run.row && std::find(line.begin(), line.end(), cell_of(*run.row, "test_mse")) != line.end();
    }

    /// The run, of this or of another batch as the line says, that no line names and that has the line's
    /// error; null: none.
    [[nodiscard]] const VerifiedRun* unnamed_run(const CsvLine& line,
                                                 const std::map<std::string, int>& counts) const {
        for (const auto& [folder, run] : runs_) {
            const auto name = folder.lexically_relative(folder_).string();
            if (name.starts_with("../") == line.front().starts_with("../") && counts.count(name) == 0 &&
                has_error_of(line, run))
                return &run;
        }
        return nullptr;
    }

    /// The run's row; what it lacks from the line.
    ResultRow row_for(const VerifiedRun* run, const CsvLine& line) {
        if (run == nullptr || !run->row) {
            result_
                .unchecked
                    ["runs of results.csv that are not here or cannot be read: their lines are only "
                     "compared with the other tables"]
                .push_back(folder_ / line.front());
            auto row = row_of(header_, line);
            if (run != nullptr) row.run = run->folder.filename().string();
            return row;
        }
        auto row = *run->row;
        // A version without this column wrote the tables.
        for (const auto& column : store::result_columns)
            if (column.has(store::ResultColumn::where_known) &&
                std::find(header_.begin(), header_.end(), column.name) == header_.end())
                store::forget(row, column);
        const bool shared = run->folder.parent_path() != folder_;
        row.run = shared ? run->folder.lexically_relative(folder_).string() : run->folder.filename().string();
        if (!shared && run->has_status && run->name != row.run)
            result_.findings.push_back(
                {store::RunFolder(run->folder).run_json(), "row, run", run->name, row.run});
        if (shared) row.case_label.clear();
        for (std::size_t i = 0; i < std::min(header_.size(), line.size()); ++i) {
            if (!run->has_status && is_measured(header_[i])) set_column(row, header_[i], line[i]);
        }
        return row;
    }

    /// Swept settings of rows that have none of this batch's: those of the experiment of the paper, of which
    /// alone batches share runs, or of the batch's other runs, with the values in results.csv. False: not
    /// known.
    bool set_shared_sweep() {
        std::vector<std::size_t> foreign;
        std::vector<std::string> keys = keys_of_shipped();
        for (std::size_t i = 0; i < rows_.size(); ++i)
            if (shared_[i] || of_run_[i] == nullptr || !of_run_[i]->has_status)
                foreign.push_back(i);
            else
                for (const auto& [key, text] : rows_[i].swept)
                    if (std::find(keys.begin(), keys.end(), key) == keys.end()) keys.push_back(key);
        if (foreign.empty()) return true;
        Verification reported_later;  // by compare()
        const auto summary = csv_records(text_of(folder_ / "summary.csv", reported_later));
        std::erase_if(keys, [&](const std::string& key) {
            const auto column = store::column_for_key(key);
            return key == store::case_key ||
                   (key != "train.seed" && key != "data.horizon" && key != "data.path" &&
                    (summary.empty() ||
                     std::find(summary[0].begin(), summary[0].end(), column) == summary[0].end()));
        });
        if (keys.empty() || std::find(keys.begin(), keys.end(), "data.path") != keys.end()) {
            result_
                .unchecked
                    ["tables with runs of other batches, or with runs without run.json: the sweep of "
                     "the batch is not known"]
                .push_back(folder_);
            return false;
        }
        for (const auto i : foreign) store::set_swept(rows_[i], swept_of(lines_[i], keys));
        return true;
    }

    /// Swept keys of the experiment if this is the folder of a shipped one.
    [[nodiscard]] std::vector<std::string> keys_of_shipped() const {
        const auto target = target_of_folder(folder_.filename().string());
        std::vector<std::string> keys;
        if (target.empty()) return keys;
        try {
            const auto experiment = load_experiment(target, {});
            for (const auto& axis : experiment.axes) keys.push_back(axis.key);
        } catch (const Error& problem) {
            if (problem.kind() != ErrorKind::input) throw;
        }
        return keys;
    }

    /// Settings that a run does not read are empty or nan in results.csv, and none of its sweep.
    [[nodiscard]] std::vector<std::pair<std::string, std::string>> swept_of(
        const CsvLine& line, const std::vector<std::string>& keys) const {
        std::vector<std::pair<std::string, std::string>> swept;
        const auto add = [&](const std::string& key, const std::string& column) {
            for (std::size_t i = 0; i < std::min(header_.size(), line.size()); ++i)
                if (header_[i] == column && !line[i].empty() && line[i] != "nan")
                    swept.emplace_back(key, line[i]);
        };
        for (const auto& key : keys) add(key, store::column_for_key(key));
        add(store::case_key, store::case_key);
        return swept;
    }

    /// Number of tables, but results.csv, that the rows give without comparisons, which need none of the
    /// measured columns.
    [[nodiscard]] std::int64_t matching_tables(const std::vector<ResultRow>& rows) {
        auto texts = store::table_texts(rows, store::summarise(rows));
        texts.merge(rank_texts(rows));
        texts.erase("results.csv");
        Verification ignored;
        return std::count_if(texts.begin(), texts.end(), [&](const auto& text) {
            std::error_code unknown;
            return fs::exists(folder_ / text.first, unknown) &&
                   text_of(folder_ / text.first, ignored) == text.second;
        });
    }

    /// Where results.csv differs from run.json in a measured column: run.json is wrong if the other tables
    /// follow from results.csv, and one of the two if they do not decide.
    void settle_measured(std::size_t i) {
        if (of_run_[i] == nullptr || !of_run_[i]->has_status) return;
        auto other = rows_;
        for (std::size_t column = 0; column < std::min(header_.size(), lines_[i].size()); ++column) {
            const auto& name = header_[column];
            if (!is_measured(name)) continue;
            other[i] = rows_[i];
            set_column(other[i], name, lines_[i][column]);
            const auto mine = cell_of(rows_[i], name), theirs = cell_of(other[i], name);
            if (mine == theirs) continue;
            const auto with_mine = matching_tables(rows_), with_theirs = matching_tables(other);
            if (with_mine > with_theirs) continue;  // compare() reports results.csv
            result_.findings.push_back(
                {store::RunFolder(of_run_[i]->folder).run_json(), "row, " + name, mine,
                 with_mine < with_theirs
                     ? Phrase(theirs)
                     : Phrase("%1 (in results.csv; one of the two has changed)", theirs)});
            if (with_mine < with_theirs) rows_[i] = other[i];
        }
    }

    /// A cell of results.csv.
    [[nodiscard]] static std::string cell_of(const ResultRow& row, const std::string& name) {
        const auto lines = csv_records(store::results_csv({row}));
        for (std::size_t i = 0; i < lines[0].size(); ++i)
            if (lines[0][i] == name) return lines[1][i];
        return {};
    }

    /// Whether all runs are here, with forecasts that are what they should be.
    [[nodiscard]] bool has_sound_forecasts() const {
        return std::all_of(of_run_.begin(), of_run_.end(), [&](const VerifiedRun* run) {
            if (run == nullptr) return false;
            const auto file = store::RunFolder(run->folder).arrays_file();
            std::error_code unknown;
            return fs::exists(file, unknown) &&
                   std::none_of(result_.findings.begin(), result_.findings.end(),
                                [&](const Finding& finding) { return finding.file == file; });
        });
    }

    /// The expected tables. Tests over periods follow from arrays.h5, and earlier versions have none.
    [[nodiscard]] TableTexts expected_tables(std::size_t& unknown_columns) {
        const auto file = folder_ / "comparisons.csv";
        std::error_code unknown;
        if (!fs::exists(file, unknown)) return batch_tables(folder_, rows_).texts;
        Verification reported_later;  // by compare()
        const auto text = text_of(file, reported_later);
        if (text.substr(0, text.find('\n')).find(period_columns.front()) == std::string::npos)
            return batch_tables(folder_, rows_, false).texts;
        auto texts = batch_tables(folder_, rows_).texts;
        const auto found = texts.find("comparisons.csv");
        if (found == texts.end() || found->second == text || has_sound_forecasts()) return texts;
        unknown_columns = period_columns.size();
        result_
            .unchecked["tests over periods in comparisons.*: forecasts of some runs are missing or changed"]
            .push_back(folder_);
        texts = batch_tables(folder_, rows_, false).texts;
        texts.erase("comparisons.md");
        texts.erase("comparisons.tex");
        return texts;
    }

    /// ranks.csv without its last column, where the stored one is of a version before that column.
    [[nodiscard]] std::string as_stored(const std::string& ranks) {
        Verification reported_later;  // by compare()
        const auto stored = csv_records(text_of(folder_ / "ranks.csv", reported_later));
        auto lines = csv_records(ranks);
        if (stored.empty() || lines.empty() || lines[0].back() != "backbone" ||
            std::find(stored[0].begin(), stored[0].end(), "backbone") != stored[0].end())
            return ranks;
        for (auto& line : lines) line.pop_back();
        return store::csv(lines);
    }

    void compare(const std::stop_token& stop) {
        std::size_t unknown_columns = 0;
        const auto texts = expected_tables(unknown_columns);
        for (const auto& [name, text] : texts) {
            throw_if_stopped(stop);
            if (name == "ranks.csv")
                compare_text(folder_ / name, as_stored(text), result_, 0);
            else
                compare_text(folder_ / name, text, result_, name == "comparisons.csv" ? unknown_columns : 0);
        }
        if (unknown_columns > 0) return;
        for (const auto* file : optional_tables) {
            std::error_code unknown;
            if (texts.count(file) == 0 && fs::exists(folder_ / file, unknown))
                result_.findings.push_back(
                    {folder_ / file, {}, "a table", "none: the runs give nothing to compare"});
        }
    }

    fs::path folder_;
    const VerifiedRuns& runs_;
    Verification& result_;
    CsvLine header_;
    std::vector<CsvLine> lines_;              ///< of results.csv, without the header
    std::vector<ResultRow> rows_;             ///< [lines]
    std::vector<const VerifiedRun*> of_run_;  ///< [lines]; null: not here
    std::vector<bool> shared_;                ///< [lines] whether the line names a run of another batch
};

/// Regenerates results.*, summary.*, comparisons.* and ranks.* of the batch from the rows of its runs, in the
/// order of results.csv, and adds a finding for each differing cell. What only run.json holds is compared
/// with results.csv; which of the two is wrong, the other tables decide. Throws Cancelled.
void verify_tables(const fs::path& batch_folder, const VerifiedRuns& runs, Verification& result,
                   const std::stop_token& stop) {
    BatchVerification(batch_folder, runs, result).run(stop);
}

/// Batches in and below the folder, those without runs of their own included.
std::vector<fs::path> folders_with_results(const fs::path& top) {
    std::vector<fs::path> found;
    std::error_code problem;
    if (fs::exists(top / "results.csv", problem)) found.push_back(top);
    fs::recursive_directory_iterator it(top, problem);
    for (const fs::recursive_directory_iterator end; !problem && it != end; it.increment(problem)) {
        std::error_code unknown;
        if (!it->is_directory(unknown)) continue;
        if (it->path().filename().native().starts_with('.') || it.depth() + 1 >= store::levels_searched)
            it.disable_recursion_pending();
        else if (fs::exists(it->path() / "results.csv", unknown))
            found.push_back(it->path());
    }
    std::sort(found.begin(), found.end());
    return found;
}

}  // namespace

Verification verify(const fs::path& folder, const ProgressFn& progress, const std::stop_token& stop) {
    const auto top = whole_path(folder);
    if (std::error_code unknown; fs::is_regular_file(top, unknown))
        throw input_error(folder.string(), "it is a file", "a folder with runs",
                          "Unpack an archive first (tar -xf NAME.tar.gz).");
    const auto found = store::find_runs(top, stop);
    if (found.empty())
        throw input_error(
            folder.string(), "no run is in this folder",
            Phrase("a run, a batch or a folder of batches (up to %1 levels below)", store::levels_searched));
    Verification result;
    DataOfRuns data;
    VerifiedRuns runs;
    for (const auto& run : found) {
        throw_if_stopped(stop);
        runs.emplace(run.folder, verify_run(run.folder, data, result, stop));
        ++result.runs;
        if (progress) progress({Stage::verifying, result.runs, std::ssize(found), "runs"});
    }
    for (const auto& batch : folders_with_results(top)) verify_tables(batch, runs, result, stop);
    return result;
}

}  // namespace casp::evidence

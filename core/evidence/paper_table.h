#pragma once
// Tables of the paper as data: its printed values, the runs behind each value, and what finished runs give
// instead. Read from resources/paper (tables.toml describes the format). Without LibTorch; thread-safe.

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "config/config.h"
#include "evidence/latex.h"
#include "evidence/run_settings.h"
#include "util/phrase.h"

namespace casp::evidence {

/// Runs of one configuration with seeds 2021, 2022, …; no other one of the table has equal settings.
struct NeededRuns {
    std::string preset;
    std::string set;                                ///< further settings, "KEY=VALUE KEY=VALUE" (the first)
    std::int64_t seeds = 1;                         ///< number of seeds
    config::Config config;                          ///< resolved; its seed is ignored
    Phrase problem;                                 ///< why this version cannot run it; empty: it can
    std::vector<std::optional<std::size_t>> found;  ///< [seeds] index in the runs given to fill()
};

/// One value of the paper, and ours.
struct PaperCell {
    std::string metric;      ///< column of results.csv, or computed from pairs: see fill()
    std::string printed;     ///< the paper's value as printed; empty: it prints no number
    std::string printed_sd;  ///< likewise
    Mark printed_mark = Mark::none;
    std::string axis;  ///< name of the strata (analysis::name_of()); empty: those of the residual, or none
    std::string note;  ///< a printed fault, with the arithmetic that shows it; empty: none
    std::vector<std::size_t> runs;  ///< indices in PaperTable::needs; of several, the mean
    std::vector<std::size_t> base;  ///< what `runs` are paired with, one by one; empty: nothing

    double value = store::not_known;  ///< ours; NaN: no finished runs
    double sd = store::not_known;     ///< sample standard deviation over seeds; NaN for pairs and n < 2
    std::int64_t n = 0;               ///< seeds (of several configurations: the fewest); pairs; rows
    std::int64_t wanted = 0;          ///< n if no run is missing
    Mark mark = Mark::none;

    [[nodiscard]] double paper() const;  ///< `printed` as a number; NaN if empty
    [[nodiscard]] bool is_rank() const;  ///< a number of rows of the table
    [[nodiscard]] bool is_p() const;     ///< a p value, with or without continuity correction
};

struct PaperTable {
    std::string name;                                               ///< as in --table
    std::string title;                                              ///< one line
    std::string source;                                             ///< place in the paper
    std::vector<std::string> headings;                              ///< of the label columns
    std::vector<std::vector<std::string>> rows;                     ///< labels, one for each heading
    std::vector<std::vector<std::string>> columns;                  ///< labels, in one or two lines
    std::vector<std::optional<PaperCell>> cells;                    ///< [rows, columns]
    std::vector<Phrase> notes;                                      ///< about the whole table
    std::vector<std::string> experiments;                           ///< files in resources/experiments/paper
    std::vector<NeededRuns> needs;                                  ///< all runs behind the cells
    enum class Best { none, in_row, in_column } best = Best::none;  ///< where errors compete
    bool second = false;                                            ///< the second-best is underlined

    std::string backbone;  ///< of the runs in the table: "openai-gpt2-small", "untrained", …; empty: no runs
    std::set<std::string> precisions;  ///< of the runs in the table, as in results.csv
    /// Settings in which the runs differ from the paper's, as "KEY = VALUE"; equal for all runs of the table.
    std::vector<std::string> deviations;
    std::int64_t missing = 0;      ///< runs that this version can make and that were not given
    std::int64_t not_offered = 0;  ///< runs that this version cannot make
    std::int64_t left_out = 0;     ///< runs of the table's configurations, but with other `deviations`
    std::vector<std::string> other_settings;  ///< theirs, as "KEY = VALUE"

    [[nodiscard]] const std::optional<PaperCell>& cell(std::size_t row, std::size_t column) const {
        return cells[row * columns.size() + column];
    }
};

/// Names of the tables, in the order of the interface: "longterm", "averages", …; last those of
/// strata_axis_tables().
[[nodiscard]] const std::vector<std::string>& paper_table_names();

/// Title of one of these tables, without reading the table.
[[nodiscard]] std::string paper_table_title(const std::string& name);

/// The table with the paper's values only. Throws an input Error that names the nearest table.
[[nodiscard]] PaperTable paper_table(std::string_view name);

/// A run as tables see it.
struct PaperRun : SettledRun {
    std::vector<std::int64_t> usage_test;    ///< [V'] for jaccard; may be empty
    std::map<std::string, double> measures;  ///< further metrics, e.g. "pc1_anchors", "hard_mse"
    Phrase problem;                          ///< why a measure is missing; empty: none is
};

/// The table with the values of finished runs.
///
/// A run belongs to a configuration if it has its preset (or its data and horizon) and all its settings, but
/// for [run], paths and names. Runs may differ from the paper's settings as long as all runs of the table do
/// so in the same way (`deviations`) and not in what the paper compares, or the table's own configurations of
/// a preset; of several such groups, the one without deviations fills the table, or else the largest. Others
/// are left out (`left_out`). Of equal runs, the first with the
/// most measures counts; one without the measures of its cells never.
///
/// Metrics of pairs (`base`; x of the run, b of its base, over seeds or, with several configurations, over
/// their means): `delta` mean of x − b, `delta_percent` in percent of the mean b, `improved` number of x < b,
/// `w` and `p` of the signed-rank test; all of test_mse. With the prefixes `hard_` and `easy_`, over all
/// (configuration, seed) pairs of (x − b) / b in percent, of the measures hard_mse and easy_mse, and with
/// `contrast_` of their differences, see pool_strata(), with `pairs`, their number, and `p_uncorrected`,
/// without continuity correction; of a cell with `axis` in its strata, and its other metrics are means over
/// the configurations that have them. `jaccard`: mean overlap of the retrieved anchors. `best`,
/// `best_or_second`: rows of the table in which none, or at most one, of the other columns has a lower error,
/// of the rows that have the error in all columns. Problems of assigned runs are added to the table's notes.
[[nodiscard]] PaperTable fill(PaperTable table, const std::vector<PaperRun>& runs);

}  // namespace casp::evidence

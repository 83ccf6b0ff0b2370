#pragma once
// Parsed command line of caspstudio, and the texts of --help, --list-options and the like. No Qt; no input
// or output.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "config/experiment.h"

namespace casp::batch {

enum class Mode {
    window,  ///< no mode flag: open the window with `files`
    archive,
    batch,
    evaluate,
    forecast,
    export_forecasts,
    audit,
    import_forecasts,
    merge,
    describe,
    convert,
    print_config,
    fetch,
    compare,
    table,
    verify,
    submit,
    serve,
    list_models,
    list_presets,
    list_options,
    list_catalog,
    completion,
    man,
    version,
    help
};

enum class LogFormat { text, json };

/// A share of a batch's runs (--runs I/N): every N-th from the I-th on.
struct Share {
    std::size_t number = 1, of = 1;
};

struct CommandLine {
    Mode mode = Mode::window;
    std::vector<std::string> files;  ///< window: CSV, TOML or run folders to open; compare, merge: further
                                     ///< DIRs; table: DIRs
    std::string target;              ///< batch: FILE.toml or paper:NAME; evaluate and forecast: run folder or
                         ///< .safetensors; audit and import: folder, .npz or CSV; describe: FILE.csv;
                         ///< convert: FILE; print_config: FILE.toml or empty; fetch: NAME; compare, merge:
                         ///< the first DIR; table: NAME; verify: DIR or an archive; archive: DIR;
                         ///< export_forecasts: run folder; submit: as batch; completion: "bash" or "zsh"
    std::string data;  ///< evaluate, forecast, audit, import: FILE.csv
    std::string name;  ///< import: of the batch folder; empty: that of the forecasts
    std::string out =
        "runs";  ///< batch, submit, evaluate, import; others: empty without --out; archive: FILE.tar.gz
    std::string format = "npy";        ///< export_forecasts: "npy" or "csv"
    std::string to;                    ///< fetch: folder; empty: the user's cache
    std::string preset;                ///< print_config: a preset, or empty
    std::string by;                    ///< compare: a dotted key or "case"; empty: chosen from the runs
    std::string base;                  ///< compare: a value of that key; empty: the first
    std::string metric;                ///< compare: a column of results.csv; empty: test_mse and test_mae
    std::vector<std::string> sets;     ///< KEY=VALUE, in order; for config::load
    std::vector<int> levels;           ///< forecast: percent, without repetition; empty: no intervals
    std::int64_t origins = 1;          ///< forecast: number of last rows after each of which is forecast
    std::vector<std::string> omit;     ///< archive: "weights", "checkpoints"
    double repeat = 0;                 ///< verify: percent of the forecasts to repeat; 0: none
    std::vector<std::string> figures;  ///< batch: names of figures; empty: no figures
    bool resume = false;               ///< batch
    bool trust_model = false;          ///< batch, evaluate, forecast: run Python files from elsewhere
    bool worker = false;               ///< batch
    bool no_tables = false;            ///< batch: leave the folder's tables as they are
    Share part;                        ///< batch
    bool print = false;                ///< submit: only show the script
    LogFormat log_format = LogFormat::text;
};

/// Parses the arguments (without the program name). Throws a one-line input Error for an unknown flag (naming
/// the nearest one), two modes, or a flag that does not apply to the mode.
[[nodiscard]] CommandLine parse_command_line(const std::vector<std::string>& arguments);

/// --help: usage, then all settings by group; at most 100 columns wide.
[[nodiscard]] std::string help_text();

/// --list-options: one line per setting, tab-separated: key, type, default, range, unit, symbol, help.
[[nodiscard]] std::string options_text();

/// --list-presets: one line per preset: its name, a tab, and its settings.
[[nodiscard]] std::string presets_text();

/// --list-models: a line per model, separated by tabs: name, title, what it needs ("backbone, anchors", "-"),
/// and its trainable parameters at ETTh1-96 (look-back 512, seven channels) or with the settings of --set.
/// With a name: a line per part of that model, then their sums: part, parameters, "trainable" or "frozen"
/// ("all" for the last sum).
/// Throws an input Error for an unknown name or setting.
[[nodiscard]] std::string models_text(const CommandLine& line);

/// --print-config: the experiment whose resolved configuration is printed, with [sweep] if the file has one.
/// Throws like config::load.
[[nodiscard]] config::Experiment experiment_to_print(const CommandLine& line);

/// --version: name, version and commit: "CASP Studio 1.0.0 (abc1234def, 2026-11-26)".
[[nodiscard]] std::string version_text();

}  // namespace casp::batch

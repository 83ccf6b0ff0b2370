#pragma once
// Experiment files: settings over an optional preset, and an optional sweep, with or without cases.
//
// Precedence: defaults < preset < file < value of the sweep < case < --set. Setting a key with --set takes
// its axis out of the sweep, and the key out of all cases: an error if cases become equal by that, which
// their labels would deny, and else a warning (Experiment::replaced). Every function throws an input Error
// that holds all problems found, one per line, each with file, line, column and key, what was found, what was
// expected and the nearest valid name.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "config/config.h"
#include "config/options.h"
#include "util/phrase.h"

namespace casp::config {

/// One value given for one key.
struct Assignment {
    std::string key;
    Value value;        ///< paths already resolved
    std::string where;  ///< "experiment.toml:3:12" or "--set loss.lambda_cov"
};

/// One line of [sweep].
struct Axis {
    struct Point {
        Value value;       ///< paths already resolved
        std::string text;  ///< as in run names and result tables: shortest number, bare string
    };
    std::string key;
    std::vector<Point> points;  ///< at least one
    std::string where;
};

/// One [[sweep.case]]: a named bundle of settings.
struct Case {
    std::string label;              ///< 1 to 60 characters, unique in the experiment
    std::vector<Assignment> given;  ///< in the order of the lines; may be empty
    std::string where;
};

/// An experiment as given by a file and the command line.
struct Experiment {
    Config base;                        ///< resolved without the sweep
    std::vector<Axis> axes;             ///< in the order of the lines
    std::vector<Case> cases;            ///< likewise, the first is the base of comparisons; often empty
    std::vector<Assignment> given;      ///< from the file, in its order
    std::vector<Assignment> sets;       ///< from --set
    std::string where;                  ///< the file, for messages
    std::vector<Phrase> replaced = {};  ///< settings of cases replaced by --set, one warning each
    std::vector<Phrase> notes = {};     ///< notes_of() its runs, where it was loaded
    std::vector<Assignment> scheduler =
        {};  ///< of [scheduler] and --set scheduler.KEY: of no run (scheduler.h)
};

/// Keys and values as text, for tables.
using Swept = std::vector<std::pair<std::string, std::string>>;

/// One run of an experiment: what expand() plans, what waits in a queue or a batch, and what run::run()
/// makes.
struct RunPlan {
    std::string name;  ///< "single", or e.g. "seed-2021_case-without-coverage"; names a folder
    Config config;     ///< resolved and checked
    /// Key and Axis::Point::text, in axis order, of axes that the run's model reads. With cases also the
    /// settings of the case that make it another task (changes_the_task), and last {"case", label}.
    Swept swept;
    std::filesystem::path folder = {};          ///< of this run, once it has a place
    std::optional<std::int64_t> position = {};  ///< within its batch's sweep, from 0
};

/// Reads an experiment file. `sets` are the arguments of --set ("KEY=VALUE"), later ones win; relative paths
/// are taken from the file's folder, in `sets` from the working directory. Checks every run of the sweep, but
/// not that data.path was given (see expand). An empty name becomes the file's stem.
[[nodiscard]] Experiment load(const std::filesystem::path& file, const std::vector<std::string>& sets = {});

/// As load(), from text. `where` appears in messages; relative paths of the text are taken from
/// `base_folder`. The name stays empty if it is not given. Use it with an empty text for --set without a
/// file.
[[nodiscard]] Experiment load_text(std::string_view toml, const std::string& where,
                                   const std::filesystem::path& base_folder,
                                   const std::vector<std::string>& sets = {});

/// The runs of an experiment: the product of its axes, the first the slowest, and of its cases, the fastest:
/// an interrupted batch has whole pairs. Combinations that differ only in values that their model does not
/// read (is_read) are one run, named without these values. With `batch`, the folder of the batch, each run
/// has its folder and position. Also demands data.path.
[[nodiscard]] std::vector<RunPlan> expand(const Experiment& experiment,
                                          const std::filesystem::path& batch = {});

/// An experiment of exactly these settings, whatever the preset says, with an axis of one value for each of
/// `keys`: its only run is named by them.
[[nodiscard]] Experiment experiment_of(const Config& config, const std::vector<std::string>& keys = {});

/// The runs of a case of the experiment, all if it is null. Pointers into `runs`.
[[nodiscard]] std::vector<const RunPlan*> runs_of(const std::vector<RunPlan>& runs, const Case* one);

/// What users may not expect of the runs of an experiment, one line each: combinations left out as equal to
/// others, cases with equal settings, and settings that no run reads, given by --set or, other than their
/// defaults, by the file. None is an error: sweeps and files may serve several models, and equal cases on a
/// GPU show what is not deterministic.
[[nodiscard]] std::vector<Phrase> notes_of(const Experiment& experiment, const std::vector<RunPlan>& runs);

/// A value as TOML: numbers shortest that read back to the same value; a number that is no integer type
/// always reads back as a float.
[[nodiscard]] std::string to_toml(const Value& value);

/// A value as in run names and result tables (Axis::Point::text): shortest number, bare string, items of a
/// list joined by '-'.
[[nodiscard]] std::string plain_text(const Value& value);

/// Every key with its value, in the order of the table; reading it back gives an equal Config.
[[nodiscard]] std::string to_toml(const Config& config);

/// The table [sweep]; empty without axes.
[[nodiscard]] std::string to_toml(const std::vector<Axis>& axes);

/// One table [[sweep.case]] for each case.
[[nodiscard]] std::string to_toml(const std::vector<Case>& cases);

/// The resolved experiment: base, [sweep], cases and [scheduler]. With presets in the sweep or in a case,
/// keys that only presets set are left out (a comment says so), so that reading it back gives the same runs.
[[nodiscard]] std::string to_toml(const Experiment& experiment);

}  // namespace casp::config

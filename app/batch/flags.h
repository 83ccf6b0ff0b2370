#pragma once
// The list of command-line flags, from which --help, the checks of the command line, the man page and the
// shell completions are made.

#include <string>
#include <vector>

#include "batch/command_line.h"

namespace casp::batch {

/// What the value of a flag is, for shell completion.
enum class FlagValue {
    none,  ///< the flag has no value
    text,
    folder,
    folder_or_file,
    table_file,          ///< .csv
    experiment,          ///< .toml
    shipped_experiment,  ///< .toml or paper:NAME
    weights,             ///< a run's folder or .safetensors
    archive,             ///< a folder or .tar.gz
    preset,
    download,  ///< a name of --list-catalog
    paper_table,
    key,      ///< of a setting
    setting,  ///< KEY=VALUE
    word      ///< one of its argument's alternatives ("npy|csv")
};

/// A flag that selects what the program does.
struct ModeFlag {
    Mode mode;
    const char* flag;
    const char* argument;  ///< empty: none
    FlagValue value;
    const char* help;  ///< for completions; commands() describes it fully
};

/// A flag that modifies a mode.
struct Modifier {
    const char* flag;
    const char* argument;
    FlagValue value;
    const char* help;
    std::vector<Mode> modes;  ///< modes to which it applies
};

/// One way to call the program, as --help lists it.
struct Command {
    const char* synopsis;  ///< without the program's name
    const char* help;
};

[[nodiscard]] const std::vector<ModeFlag>& mode_flags();
[[nodiscard]] const std::vector<Modifier>& modifiers();
[[nodiscard]] const std::vector<Command>& commands();

/// Exit status and signals.
struct Outcome {
    const char* status;
    const char* meaning;
};
[[nodiscard]] const std::vector<Outcome>& outcomes();

/// Files that a mode takes besides the value of its flag.
[[nodiscard]] FlagValue further_arguments(Mode mode);

/// The alternatives of an argument such as "npy|csv" or "weights,checkpoints".
[[nodiscard]] std::vector<std::string> alternatives_of(const std::string& argument);

}  // namespace casp::batch

#pragma once
// From TOML text to assignments and axes; used by experiment.cpp only. The one place that knows toml++.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "config/experiment.h"
#include "util/error.h"

namespace casp::config {

/// Problems are gathered, so that a user sees all of them at once.
class Problems {
public:
    void add(std::string where, Phrase found, Phrase expected = {}, Phrase advice = {});
    /// Gives those without advice one that follows from where they were found: a line of a file, or --set.
    /// Not for a window, where the value was typed.
    void advise();
    [[nodiscard]] bool any() const { return !list_.empty(); }
    /// Throws what was gathered as one input Error; does nothing where there is nothing.
    void raise(const std::string& where) const;

private:
    std::vector<Error::Parts> list_;
};

struct Document {
    std::vector<Assignment> given;      ///< in the order of the text
    std::vector<Axis> axes;             ///< likewise
    std::vector<Case> cases;            ///< likewise; labels are not checked
    std::vector<Assignment> scheduler;  ///< of [scheduler], with whole keys ("scheduler.time"); likewise
};

/// Reads a whole file's text. Never throws on any input: what is wrong is added to `problems`. Relative paths
/// are taken from `base_folder`; where that is empty or relative itself, from the working folder.
[[nodiscard]] Document read_document(std::string_view toml, const std::string& where,
                                     const std::filesystem::path& base_folder, Problems& problems);

/// Reads one argument of --set: KEY=VALUE or sweep.KEY=[...].
[[nodiscard]] Document read_set(const std::string& argument, Problems& problems);

}  // namespace casp::config

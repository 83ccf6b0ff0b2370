#pragma once
// The Python file of a model (python.file) and the modules beside it that it imports.

#include <filesystem>
#include <map>
#include <optional>
#include <string>

namespace casp::config {

struct PythonSource {
    std::string text;  ///< of the file
    /// Texts of the modules beside it that it imports, by path from its folder.
    std::map<std::string, std::string> modules;
    std::string sha256;   ///< of the file; if there are modules, of all of them together
    bool embeds = false;  ///< whether one of them defines a function embed()
};

[[nodiscard]] PythonSource python_source(std::string text, std::map<std::string, std::string> modules);

/// Reads the file, and the modules beside it (NAME.py, or a folder NAME) that import statements name, also
/// those of other modules. Throws an input Error if one cannot be read, is longer than 4 MiB or is not UTF-8.
[[nodiscard]] PythonSource read_python_source(const std::filesystem::path& file);

/// What a run's folder keeps of it (model.py, python.json); nothing where these are missing or damaged.
[[nodiscard]] std::optional<PythonSource> kept_python_source(const std::filesystem::path& run);

/// Keeps it for planned_python_source(). Any thread.
void remember(const PythonSource& source);

/// The file and its modules if they still have this digest; else as they were remembered in this process: who
/// edits a file while a batch runs does not lose the runs left. Throws an input Error if neither is there.
/// Any thread.
[[nodiscard]] PythonSource planned_python_source(const std::filesystem::path& file,
                                                 const std::string& sha256);

}  // namespace casp::config

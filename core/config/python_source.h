#pragma once
// The Python file of a model (python.file) and the modules beside it that it imports.

#include <filesystem>
#include <string>

namespace casp::config {

struct PythonSource {
    std::string text;    ///< of the file
    std::string sha256;  ///< of the file; if it imports modules beside it, of all of them together
};

/// Reads the file, and the modules beside it (NAME.py, or a folder NAME) that import statements name, also
/// those of other modules. Throws an input Error if the file cannot be read or is longer than 4 MiB.
[[nodiscard]] PythonSource read_python_source(const std::filesystem::path& file);

/// read_python_source(), remembered for planned_python_source().
[[nodiscard]] PythonSource plan_python_source(const std::filesystem::path& file);

/// The file if it still has this digest; else its text as it was planned in this process: who edits a file
/// while a batch runs does not lose the runs left, unless modules beside it changed. Throws an input Error if
/// neither is there. Any thread.
[[nodiscard]] PythonSource planned_python_source(const std::filesystem::path& file,
                                                 const std::string& sha256);

}  // namespace casp::config

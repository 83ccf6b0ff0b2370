#include "config/python_source.h"

#include <map>
#include <mutex>
#include <regex>
#include <set>

#include "util/digest.h"
#include "util/error.h"
#include "util/regular_file.h"

namespace casp::config {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t longest_source = std::size_t{4} << 20U;
constexpr std::size_t most_modules = 500;

std::string read_text(const fs::path& file) {
    return RegularFile(file, "a Python file").read_all(longest_source);
}

/// First parts of the names that import statements of a text name.
std::set<std::string> imports_of(const std::string& text) {
    static const std::regex statement(R"((?:^|\n)[ \t]*(?:import|from)[ \t]+([^\n#]*))");
    static const std::regex name(R"((?:^|,)[ \t]*([A-Za-z_]\w*))");
    std::set<std::string> found;
    for (auto at = std::sregex_iterator(text.begin(), text.end(), statement); at != std::sregex_iterator();
         ++at) {
        const std::string names = (*at)[1];
        for (auto one = std::sregex_iterator(names.begin(), names.end(), name); one != std::sregex_iterator();
             ++one)
            found.insert((*one)[1]);
    }
    return found;
}

using Modules = std::map<std::string, std::string>;  ///< digests by path relative to the file's folder

void add_module(const fs::path& folder, const fs::path& file, Modules& modules);

void add_imports(const fs::path& folder, const std::string& text, Modules& modules) {
    std::error_code unknown;
    for (const auto& name : imports_of(text)) {
        if (const auto file = folder / (name + ".py"); fs::is_regular_file(file, unknown))
            add_module(folder, file, modules);
        if (!fs::is_directory(folder / name, unknown)) continue;
        for (const auto& entry : fs::recursive_directory_iterator(folder / name, unknown))
            if (entry.path().extension() == ".py" && entry.is_regular_file(unknown))
                add_module(folder, entry.path(), modules);
    }
}

void add_module(const fs::path& folder, const fs::path& file, Modules& modules) {
    const auto name = file.lexically_relative(folder).string();
    if (modules.size() >= most_modules || modules.contains(name)) return;
    const auto text = read_text(file);
    modules[name] = sha256_of(text);
    add_imports(folder, text, modules);
}

std::mutex planned_mutex;
std::map<std::string, PythonSource>& planned() {
    static std::map<std::string, PythonSource> sources;
    return sources;
}

}  // namespace

PythonSource read_python_source(const fs::path& file) {
    PythonSource source{read_text(file), {}};
    source.sha256 = sha256_of(source.text);
    Modules modules;
    add_imports(file.parent_path(), source.text, modules);
    modules.erase(file.filename().string());
    if (modules.empty()) return source;
    auto all = source.sha256;
    for (const auto& [name, digest] : modules) all += "\n" + name + " " + digest;
    source.sha256 = sha256_of(all);
    return source;
}

PythonSource plan_python_source(const fs::path& file) {
    auto source = read_python_source(file);
    const std::scoped_lock lock(planned_mutex);
    planned()[source.sha256] = source;
    return source;
}

PythonSource planned_python_source(const fs::path& file, const std::string& sha256) {
    try {
        auto source = read_python_source(file);
        if (source.sha256 == sha256) return source;
    } catch (const Error&) {
        const std::scoped_lock lock(planned_mutex);
        if (!planned().contains(sha256)) throw;
    }
    const std::scoped_lock lock(planned_mutex);
    const auto found = planned().find(sha256);
    // Of a file without modules beside it, the digest is that of the text.
    if (found != planned().end() && sha256_of(found->second.text) == sha256) return found->second;
    throw input_error(file.string(), "the file, or a module beside it, has changed since the run was planned",
                      "the files as they were", "Start a new run with the changed file.");
}

}  // namespace casp::config

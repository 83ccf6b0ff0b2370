#include "config/python_source.h"

#include <mutex>
#include <optional>
#include <regex>
#include <set>
#include <utility>

#include "config/text_utils.h"
#include "util/digest.h"
#include "util/error.h"
#include "util/json_text.h"
#include "util/regular_file.h"

namespace casp::config {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t longest_source = std::size_t{4} << 20U;
constexpr std::size_t most_modules = 500;
constexpr std::size_t longest_kept = std::size_t{256} << 20U;

std::string read_text(const fs::path& file) {
    auto text = RegularFile(file, "a Python file").read_all(longest_source);
    if (!is_utf8(text)) throw input_error(file.string(), "the file is not UTF-8", {}, "Save it as UTF-8.");
    return text;
}

/// First parts of the names that import statements of a text name.
std::set<std::string> imports_of(const std::string& given) {
    static const std::regex continued(R"(\\\r?\n)");
    static const std::regex statement(R"((?:^|\n|[;:])[ \t]*(?:import|from)[ \t]+([^\n#;]*))");
    static const std::regex name(R"((?:^|,)[ \t]*([A-Za-z_]\w*))");
    const auto text = std::regex_replace(given, continued, " ");
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

using Modules = std::map<std::string, std::string>;

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
    modules[name] = text;
    add_imports(folder, text, modules);
}

std::mutex remembered_mutex;
std::map<std::string, PythonSource>& remembered() {
    static std::map<std::string, PythonSource> sources;
    return sources;
}

}  // namespace

PythonSource python_source(std::string text, Modules modules) {
    static const std::regex embed(R"((?:^|\n)[ \t]*def[ \t]+embed\()");
    PythonSource source;
    source.sha256 = sha256_of(text);
    source.embeds = std::regex_search(text, embed);
    if (!modules.empty()) {
        auto all = source.sha256;
        for (const auto& [name, module] : modules) {
            all += "\n" + name + " " + sha256_of(module);
            source.embeds |= std::regex_search(module, embed);
        }
        source.sha256 = sha256_of(all);
    }
    source.text = std::move(text);
    source.modules = std::move(modules);
    return source;
}

PythonSource read_python_source(const fs::path& file) {
    auto text = read_text(file);
    Modules modules;
    add_imports(file.parent_path(), text, modules);
    modules.erase(file.filename().string());
    return python_source(std::move(text), std::move(modules));
}

std::optional<PythonSource> kept_python_source(const fs::path& run) {
    try {
        const auto about =
            parse_json(RegularFile(run / "python.json", "a description").read_all(longest_kept));
        return python_source(read_text(run / "model.py"), about.at("modules").get<Modules>());
    } catch (const std::exception&) {
        return std::nullopt;
    }
}

void remember(const PythonSource& source) {
    const std::scoped_lock lock(remembered_mutex);
    remembered()[source.sha256] = source;
}

PythonSource planned_python_source(const fs::path& file, const std::string& sha256) {
    const auto find = [&]() -> std::optional<PythonSource> {
        const std::scoped_lock lock(remembered_mutex);
        const auto found = remembered().find(sha256);
        return found != remembered().end() ? std::optional(found->second) : std::nullopt;
    };
    try {
        auto source = read_python_source(file);
        if (source.sha256 == sha256) return source;
    } catch (const Error&) {
        if (!find()) throw;
    }
    if (auto source = find()) return *source;
    throw input_error(file.string(), "the file, or a module beside it, has changed since the run was planned",
                      "the files as they were", "Start a new run with the changed file.");
}

}  // namespace casp::config

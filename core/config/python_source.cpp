#include "config/python_source.h"

#include <algorithm>
#include <cctype>
#include <functional>
#include <mutex>
#include <optional>
#include <set>
#include <string_view>
#include <system_error>
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

std::string_view trimmed_left(std::string_view text) {
    return text.substr(std::min(text.find_first_not_of(" \t\r"), text.size()));
}

/// Calls `each` with the statements of a text: lines, also continued ones, and parts between ; and :.
void for_statements(std::string text, const std::function<void(std::string_view)>& each) {
    constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
    if (text.starts_with(byte_order_mark)) text.erase(0, byte_order_mark.size());
    for (const std::string_view end : {"\\\r\n", "\\\n"})
        for (auto at = text.find(end); at != std::string::npos; at = text.find(end, at))
            text.replace(at, end.size(), end.size(), ' ');
    for (std::size_t begin = 0; begin < text.size();) {
        const auto end = std::min(text.find_first_of("\n;:", begin), text.size());
        each(trimmed_left(std::string_view(text).substr(begin, end - begin)));
        begin = end + 1;
    }
}

/// The name that a text begins with: letters, digits and _.
std::string name_of(std::string_view text) {
    const auto is_part = [](char c) { return c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0; };
    const auto begin = trimmed_left(text);
    return {begin.begin(), std::find_if_not(begin.begin(), begin.end(), is_part)};
}

/// First parts of the names that import statements of a text name.
std::set<std::string> imports_of(const std::string& text) {
    std::set<std::string> found;
    for_statements(text, [&](std::string_view statement) {
        const auto word = name_of(statement);
        if (word != "import" && word != "from") return;
        auto names = statement.substr(word.size());
        names = names.substr(0, names.find('#'));
        for (std::size_t begin = 0; begin <= names.size();) {
            const auto end = std::min(names.find(',', begin), names.size());
            if (auto name = name_of(names.substr(begin, end - begin)); !name.empty()) found.insert(name);
            if (word == "from") break;
            begin = end + 1;
        }
    });
    return found;
}

/// Whether it defines a function embed().
bool defines_embed(const std::string& text) {
    bool found = false;
    for_statements(text, [&](std::string_view statement) {
        found |= name_of(statement) == "def" && name_of(statement.substr(3)) == "embed";
    });
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
        constexpr auto options = fs::directory_options::skip_permission_denied;
        for (auto at = fs::recursive_directory_iterator(folder / name, options, unknown);
             at != fs::recursive_directory_iterator(); at.increment(unknown))
            if (at->path().extension() == ".py" && at->is_regular_file(unknown))
                add_module(folder, at->path(), modules);
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
    PythonSource source;
    source.sha256 = sha256_of(text);
    source.embeds = defines_embed(text);
    if (!modules.empty()) {
        auto all = source.sha256;
        for (const auto& [name, module] : modules) {
            all += "\n" + name + " " + sha256_of(module);
            source.embeds |= defines_embed(module);
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
        return python_source(read_text(run / "model.py"), about.value("modules", Modules()));
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

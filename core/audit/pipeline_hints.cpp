#include "audit/pipeline_hints.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <system_error>
#include <utility>

#include "config/text_utils.h"
#include "util/error.h"
#include "util/regular_file.h"
#include "util/whole_path.h"

namespace casp::audit {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t max_bytes_of_file = std::size_t{4} << 20, max_bytes = std::size_t{64} << 20;
constexpr std::size_t max_files = 500, max_of_a_kind = 5, max_bytes_of_line = 160;
constexpr std::size_t longest_line = 2048;  ///< longer ones are data
constexpr int levels_of_repository = 3;

bool has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

std::string_view trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(" \t\r");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

/// A line of a file.
struct Line {
    std::string_view original;
    std::string text;     ///< trimmed, in lower case; empty for comments of code and for data
    std::string compact;  ///< the same without spaces
    std::size_t indent = 0;
};

/// fix_seed = 2021, manual_seed(2021), --seed 2021 and "seed": 2021; the default of
/// add_argument('--random_seed', default=2021).
Phrase fixed_seed(const std::string& line) {
    static const std::regex preset(
        R"(add_argument\(.*[^a-z0-9]seed.*default\s*=\s*([0-9]{1,10})(?![0-9a-z_.]))"),
        given(R"((?:^|[^a-z0-9])seed["']?\s*[=:( ]\s*["'(]?\s*([0-9]{1,10})(?![0-9a-z_.]|\s*[-+*/%<>]))");
    if (!has(line, "seed")) return {};
    std::smatch found;
    if (std::regex_search(line, found, preset)) return Phrase("the default seed %1", found.str(1));
    return std::regex_search(line, found, given) ? Phrase("the fixed seed %1", found.str(1)) : Phrase();
}

/// Of compact lines of code.
Phrase test_selection(const std::string& compact) {
    static const std::regex stopping(R"(early_stop[a-z0-9_]*\([^,)]*test)"),
        validation(
            R"(^([^=(\[{!<>+*/%-]*(?:vali_|val_|valid)[^=(\[{!<>+*/%-]*)=(?!=).*(?:test_loader|flag=['"]test))"),
        choice(R"(^(?:el)?if.*best_test)");
    if (!has(compact, "test")) return {};
    if (std::regex_search(compact, stopping)) return "early stopping on the test split";
    std::smatch found;
    if (std::regex_search(compact, found, validation) && !has(found.str(1), "test"))
        return "validation on the test split";
    return std::regex_search(compact, choice) ? "a choice by the test error" : "";
}

bool names_test(const std::string& text) {
    return (has(text, "'test'") || has(text, "\"test\"")) && !has(text, "!=") && !has(text, "not");
}

/// drop_last = True for the test loader: in its call, or in a branch or condition that names the test split.
bool drops_last_of_test(const std::vector<Line>& lines, std::size_t at) {
    constexpr std::size_t max_above = 500;  // lines of one block or call
    static const std::regex loader(R"(^[^=(\[{]*test_loader[^=(\[{]*=(?!=)|dataloader\(test_)"),
        condition(R"(drop_last=trueif(.*)else)"), branch(R"(^(?:el)?if)");
    const auto& compact = lines[at].compact;
    if (!has(compact, "drop_last=true")) return false;
    if (std::regex_search(compact, loader)) return true;
    std::smatch found;
    if (std::regex_search(compact, found, condition)) return names_test(found.str(1));
    for (auto i = at; i-- > 0 && at - i <= max_above;) {
        const auto& around = lines[i].compact;
        if (around.empty() || lines[i].indent >= lines[at].indent) continue;
        return std::regex_search(around, branch) ? names_test(around) : std::regex_search(around, loader);
    }
    return false;
}

std::string shown(std::string_view line) {
    std::string text(trimmed(line));
    for (auto& c : text)
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = ' ';
    return config::abbreviated(text, max_bytes_of_line);
}

bool is_searched(const fs::path& file) {
    const auto suffix = file.extension();
    return suffix == ".py" || suffix == ".sh" || suffix == ".txt" || suffix == ".log" ||
           file.filename() == "args.json";
}

/// Files to search in the folder, sorted, and those down to `levels` below it.
void collect(const fs::path& folder, int levels, std::vector<fs::path>& files) {
    std::vector<fs::path> below, here;
    std::error_code problem, unknown;
    for (fs::directory_iterator it(folder, problem), end; !problem && it != end; it.increment(problem)) {
        const auto type = it->symlink_status(unknown).type();
        if (it->path().filename().native().starts_with('.')) continue;
        if (type == fs::file_type::directory) below.push_back(it->path());
        if (type == fs::file_type::regular && is_searched(it->path())) here.push_back(it->path());
    }
    std::sort(here.begin(), here.end());
    std::sort(below.begin(), below.end());
    files.insert(files.end(), here.begin(), here.end());
    for (const auto& path : below)
        if (levels > 0 && files.size() < max_files) collect(path, levels - 1, files);
}

bool is_repository(const fs::path& folder) {
    std::error_code problem;
    if (fs::exists(folder / ".git", problem)) return true;
    for (fs::directory_iterator it(folder, problem), end; !problem && it != end; it.increment(problem)) {
        const auto name = it->path().filename().string();
        if (name.starts_with("run") && name.ends_with(".py")) return true;
    }
    return false;
}

std::vector<Line> lines_of(std::string_view text, bool is_code) {
    std::vector<Line> all;
    for (std::size_t at = 0; at < text.size();) {
        const auto end = std::min(text.find('\n', at), text.size());
        const auto original = text.substr(at, end - at);
        at = end + 1;
        const bool is_read =
            original.size() <= longest_line && !(is_code && trimmed(original).starts_with('#'));
        const auto line = is_read ? original : std::string_view();
        Line kept{original,
                  config::lower_case(trimmed(line)),
                  {},
                  std::min(line.find_first_not_of(" \t"), line.size())};
        std::copy_if(kept.text.begin(), kept.text.end(), std::back_inserter(kept.compact),
                     [](char c) { return c != ' ' && c != '\t'; });
        all.push_back(std::move(kept));
    }
    return all;
}

}  // namespace

std::vector<Hint> hints_in(const std::string& name, std::string_view text) {
    const fs::path file(name);
    const bool is_code = file.extension() == ".py" || file.extension() == ".sh";
    const auto lines = lines_of(text, is_code);
    std::vector<Hint> hints;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const auto add = [&](const Phrase& what) {
            if (!what.empty())
                hints.push_back({file, static_cast<std::int64_t>(i) + 1, shown(lines[i].original), what});
        };
        add(fixed_seed(lines[i].text));
        static const std::regex best(R"(best[ _-]test)");
        if (!is_code && std::regex_search(lines[i].text, best)) add("a best test result");
        if (is_code) add(test_selection(lines[i].compact));
        if (is_code && drops_last_of_test(lines, i)) add(std::string(dropped_last_batch));
    }
    return hints;
}

std::vector<Hint> pipeline_hints(const fs::path& forecasts, const std::stop_token& stop) {
    std::error_code unknown;
    auto folder = whole_path(forecasts);
    if (!fs::is_directory(folder, unknown)) folder = folder.parent_path();
    const auto above = folder.parent_path();
    std::vector<fs::path> files;
    for (const auto& place : {folder, above}) collect(place, 0, files);
    for (const auto& place : {above, above.parent_path()})
        if (is_repository(place)) {
            collect(place, levels_of_repository, files);
            break;
        }
    std::vector<Hint> found;
    std::set<fs::path> seen;
    std::map<std::string, std::size_t> kinds;  // by the first words
    std::size_t bytes = 0;
    for (const auto& file : files) {
        throw_if_stopped(stop);
        if (seen.size() >= max_files || !seen.insert(file).second) continue;
        std::string text;
        try {
            const RegularFile opened(file, "a script or log");
            if (opened.size() > max_bytes_of_file || bytes + opened.size() > max_bytes) continue;
            text = opened.read_all(max_bytes_of_file);
        } catch (const Error& problem) {
            if (problem.kind() != ErrorKind::input) throw;
            continue;
        }
        bytes += text.size();
        for (auto& hint : hints_in(file.filename().string(), text)) {
            const auto kind = hint.what.text();
            if (++kinds[kind] > max_of_a_kind) continue;
            hint.file = file.lexically_relative(folder);
            found.push_back(std::move(hint));
        }
    }
    return found;
}

}  // namespace casp::audit

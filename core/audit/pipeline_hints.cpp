#include "audit/pipeline_hints.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <optional>
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

constexpr std::size_t most_bytes_of_file = std::size_t{4} << 20, most_bytes = std::size_t{64} << 20;
constexpr std::size_t most_files = 500, most_of_a_kind = 5, most_line_bytes = 160;
constexpr std::size_t longest_line = 4096;  ///< longer ones are data
constexpr int levels_of_repository = 3;

bool is_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

bool has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

std::string without_spaces(std::string_view text) {
    std::string result;
    for (const char c : text)
        if (c != ' ' && c != '\t') result += c;
    return result;
}

std::string_view trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(" \t\r");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

/// A line of a file.
struct Line {
    std::string text;     ///< trimmed, in lower case
    std::string compact;  ///< the same without spaces
    std::size_t indent = 0;
};

/// Digits at the beginning; empty unless a whole number ends there.
std::string number_at(std::string_view text) {
    const auto end = std::min(text.find_first_not_of("0123456789"), text.size());
    const bool whole =
        end > 0 && end <= 10 && (end == text.size() || (!is_name(text[end]) && text[end] != '.'));
    return whole ? std::string(text.substr(0, end)) : std::string();
}

/// A whole number that a line gives to a name.
struct Setting {
    std::string name;    ///< the whole name: "fix_seed"
    std::string number;  ///< digits
    bool is_default = false;
};

/// fix_seed = 2021, manual_seed(2021), --seed 2021 and "seed": 2021 for the name that ends with `word`; the
/// default of add_argument('--random_seed', default=2021).
std::optional<Setting> setting_of(const Line& line, std::string_view word) {
    const std::string_view compact = line.compact, text = line.text;
    for (std::size_t at = 0; (at = text.find(word, at)) != std::string_view::npos;) {
        const bool begins = at == 0 || text[at - 1] == '_' || !is_name(text[at - 1]);
        auto first = at;
        while (first > 0 && (is_name(text[first - 1]) || text[first - 1] == '-')) --first;
        at += word.size();
        if (!begins) continue;
        const std::string name(text.substr(first, at - first));
        if (has(compact, "add_argument(")) {
            const auto preset = compact.find("default=");
            if (preset == std::string_view::npos) return {};
            auto number = number_at(compact.substr(preset + 8));
            return number.empty() ? std::optional<Setting>() : Setting{name, std::move(number), true};
        }
        // Between the name and the number: one of = : ( or a space, with quotation marks and spaces.
        const auto rest = text.substr(at);
        const auto value = rest.find_first_not_of("\"' =:(");
        if (value == std::string_view::npos || value == 0 || has(rest.substr(0, value), "==")) continue;
        auto number = number_at(rest.substr(value));
        const auto after = rest.find_first_not_of(' ', value + number.size());
        const bool is_term = after != std::string_view::npos &&
                             std::string_view("+-*/%<>").find(rest[after]) != std::string_view::npos;
        if (!number.empty() && !is_term) return Setting{name, std::move(number), false};
    }
    return {};
}

std::optional<std::string> fixed_seed(const Line& line) {
    const auto seed = setting_of(line, "seed");
    if (!seed) return {};
    return (seed->is_default ? "the default seed " : "the fixed seed ") + seed->number;
}

/// Of "a, b = f(x)": "a,b", in compact form; empty without an assignment.
std::string_view assigned(std::string_view compact) {
    const auto equals = compact.find('=');
    if (equals == std::string_view::npos || equals == 0 || equals + 1 == compact.size() ||
        compact[equals + 1] == '=' ||
        std::string_view("!<>+-*/%").find(compact[equals - 1]) != std::string_view::npos)
        return {};
    const auto left = compact.substr(0, equals);
    return left.find_first_of("([{") == std::string_view::npos ? left : std::string_view();
}

bool names_validation(std::string_view text) {
    return has(text, "vali_") || has(text, "val_") || has(text, "valid");
}

/// The first argument of a call of a function whose name has `function`; empty: none.
std::string_view first_argument(std::string_view compact, std::string_view function) {
    const auto name = compact.find(function);
    if (name == std::string_view::npos) return {};
    const auto open =
        compact.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_", name + function.size());
    if (open == std::string_view::npos || compact[open] != '(') return {};
    return compact.substr(open + 1, compact.find_first_of(",)", open) - open - 1);
}

std::optional<std::string> test_selection(const Line& line, bool is_log) {
    const std::string_view compact = line.compact;
    if (!is_log) {
        if (has(first_argument(compact, "early_stop"), "test")) return "early stopping on the test split";
        if (const auto left = assigned(compact); names_validation(left) && !has(left, "test")) {
            const auto right = compact.substr(left.size());
            if (has(right, "test_loader") || has(right, "flag='test'") || has(right, "flag=\"test\""))
                return "validation on the test split";
        }
        const bool chooses = compact.starts_with("if") || compact.starts_with("elif");
        if (chooses && has(compact, "best_test")) return "a choice by the test error";
        return {};
    }
    for (const char* words : {"best test", "best_test", "best-test"})
        if (has(line.text, words)) return "a best test result";
    return {};
}

bool names_test(std::string_view text) {
    return (has(text, "'test'") || has(text, "\"test\"")) && !has(text, "!=") && !has(text, "not");
}

bool loads(std::string_view compact, std::string_view part) {
    return has(assigned(compact), std::string(part) + "_loader") ||
           has(compact, "dataloader(" + std::string(part) + "_");
}

/// The lines that the line is inside of, the nearest one first: of branches and of calls over several lines.
std::vector<std::string_view> lines_around(const std::vector<Line>& lines, std::size_t at) {
    constexpr std::size_t most_above = 500;  // lines of one block or call
    std::vector<std::string_view> around;
    auto indent = lines[at].indent;
    for (auto i = at; i-- > 0 && at - i <= most_above && indent > 0;) {
        if (lines[i].compact.empty() || lines[i].indent >= indent) continue;
        indent = lines[i].indent;
        around.emplace_back(lines[i].compact);
    }
    return around;
}

bool is_branch(std::string_view compact) { return compact.starts_with("if") || compact.starts_with("elif"); }

/// The condition of "a if condition else b"; empty: none.
std::string_view condition_in(std::string_view compact) {
    const auto condition = compact.find("if");
    return condition != std::string_view::npos && condition > 0 && has(compact, "else")
               ? compact.substr(condition)
               : std::string_view();
}

/// drop_last = True for the test loader: in the line, or in a branch whose condition names the test split.
bool drops_last_of_test(const std::vector<Line>& lines, std::size_t at) {
    const std::string_view compact = lines[at].compact;
    if (!has(compact, "drop_last=true")) return false;
    if (loads(compact, "test")) return true;
    if (const auto condition = condition_in(compact); !condition.empty())
        return has(compact, "drop_last=trueif") && names_test(condition);
    const auto around = lines_around(lines, at);
    if (around.empty()) return false;
    return is_branch(around.front()) ? names_test(around.front()) : loads(around.front(), "test");
}

std::optional<BatchSize> batch_size(const std::vector<Line>& lines, std::size_t at) {
    auto setting = setting_of(lines[at], "batch_size");
    if (!setting) setting = setting_of(lines[at], "batch-size");
    if (!setting) return {};
    const std::string_view compact = lines[at].compact, name = setting->name;
    const auto around = lines_around(lines, at);
    const auto in_call_of = [&](std::string_view part) {
        return has(name, part) || loads(compact, part) || (!around.empty() && loads(around.front(), part));
    };
    const auto is_test_branch = [](std::string_view line) { return is_branch(line) && names_test(line); };
    const bool of_test = in_call_of("test") || in_call_of("eval") || names_test(condition_in(compact)) ||
                         std::any_of(around.begin(), around.end(), is_test_branch);
    if (!of_test && (in_call_of("train") || in_call_of("val"))) return {};
    return BatchSize{std::stoll(setting->number), of_test, setting->is_default};
}

std::string shown(std::string_view line) {
    std::string text(trimmed(line));
    for (auto& c : text)
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = ' ';
    return config::abbreviated(text, most_line_bytes);
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
        if (levels > 0 && files.size() < most_files) collect(path, levels - 1, files);
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

bool is_code(const fs::path& file) { return file.extension() == ".py" || file.extension() == ".sh"; }

struct Lines {
    std::vector<Line> lines;  ///< empty for comments of code and for data
    std::vector<std::string_view> originals;
};

Lines lines_of(const fs::path& file, std::string_view text) {
    Lines all;
    for (std::size_t at = 0; at < text.size();) {
        const auto end = std::min(text.find('\n', at), text.size());
        auto line = text.substr(at, end - at);
        at = end + 1;
        all.originals.push_back(line);
        if (line.size() > longest_line) line = {};
        if (is_code(file) && trimmed(line).starts_with('#')) line = {};
        Line kept{
            config::lower_case(trimmed(line)), {}, std::min(line.find_first_not_of(" \t"), line.size())};
        kept.compact = without_spaces(kept.text);
        all.lines.push_back(std::move(kept));
    }
    return all;
}

/// Of the batch sizes that a file names, those with the least rank count: 0 of the test loader, 1 near the
/// arrays, 2 elsewhere, 3 defaults.
int rank_of(const BatchSize& size, bool is_near) {
    if (size.of_test) return 0;
    if (size.is_default) return 3;
    return is_near ? 1 : 2;
}

}  // namespace

std::vector<Hint> hints_in(const std::string& name, std::string_view text) {
    const fs::path file(name);
    const auto both = lines_of(file, text);
    const auto& lines = both.lines;
    const auto& originals = both.originals;  // clang 14 captures no structured binding
    std::vector<Hint> hints;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const auto add = [&](std::string what) {
            hints.push_back({file, static_cast<std::int64_t>(i) + 1, shown(originals[i]), std::move(what)});
        };
        if (const auto seed = fixed_seed(lines[i])) add(*seed);
        if (const auto selection = test_selection(lines[i], !is_code(file))) add(*selection);
        if (is_code(file) && drops_last_of_test(lines, i)) add(std::string(dropped_last_batch));
    }
    return hints;
}

std::vector<BatchSize> batch_sizes_in(const std::string& name, std::string_view text) {
    const auto lines = lines_of(name, text).lines;
    std::vector<BatchSize> sizes;
    for (std::size_t i = 0; i < lines.size(); ++i)
        if (const auto size = batch_size(lines, i)) sizes.push_back(*size);
    return sizes;
}

PipelineHints pipeline_hints(const fs::path& forecasts, const std::stop_token& stop) {
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
    PipelineHints found;
    std::map<int, std::set<std::int64_t>> batch_sizes;  // by rank
    std::set<fs::path> seen;
    std::map<std::string, std::size_t> kinds;  // by the first words
    std::size_t bytes = 0;
    for (const auto& file : files) {
        throw_if_stopped(stop);
        if (seen.size() >= most_files || !seen.insert(file).second) continue;
        std::string text;
        try {
            const RegularFile opened(file, "a script or log");
            if (opened.size() > most_bytes_of_file || bytes + opened.size() > most_bytes) continue;
            text = opened.read_all(most_bytes_of_file);
        } catch (const Error& problem) {
            if (problem.kind() != ErrorKind::input) throw;
            continue;
        }
        bytes += text.size();
        const auto name = file.filename().string();
        const bool is_near = file.parent_path() == folder || file.parent_path() == above;
        for (const auto& size : batch_sizes_in(name, text))
            if (size.size > 0) batch_sizes[rank_of(size, is_near)].insert(size.size);
        for (auto& hint : hints_in(name, text)) {
            const auto kind = hint.what.substr(0, hint.what.find_first_of("0123456789"));
            if (++kinds[kind] > most_of_a_kind) continue;
            hint.file = file.lexically_relative(folder);
            found.hints.push_back(std::move(hint));
        }
    }
    if (!batch_sizes.empty())
        found.batch_sizes.assign(batch_sizes.begin()->second.begin(), batch_sizes.begin()->second.end());
    return found;
}

}  // namespace casp::audit

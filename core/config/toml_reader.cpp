#include "config/toml_reader.h"

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <tuple>

#include <toml++/toml.h>

#include "config/scheduler.h"
#include "config/text_utils.h"

namespace casp::config {

namespace {

constexpr std::size_t max_bytes = std::size_t{4} << 20U;
constexpr std::size_t max_brackets = 32;
constexpr std::size_t max_dots = 16;
constexpr std::size_t max_problems = 20;

std::string position(const std::string& where, const toml::source_region& region) {
    return where + ":" + std::to_string(region.begin.line) + ":" + std::to_string(region.begin.column);
}

std::string shown_key(const std::string& path) {
    const bool bare = !path.empty() && std::all_of(path.begin(), path.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
               c == '-' || c == '.';
    });
    return abbreviated(bare ? path : in_quotes(path), 80);
}

/// Line of the first place that nests deeper than any experiment does; 0: none.
///
/// toml++ builds and destroys nested tables by recursion, and dotted keys nest without its own limit
/// applying, so that a hostile file could exhaust the stack.
std::size_t line_too_deep(std::string_view text) {
    std::size_t line = 1;
    std::size_t brackets = 0;
    std::size_t dots = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '\n') {
            ++line;
            dots = 0;
        } else if (c == '#') {
            while (i + 1 < text.size() && text[i + 1] != '\n') ++i;
        } else if (c == '"' || c == '\'') {
            const bool triple = text.substr(i, 3) == std::string(3, c);
            const std::string_view close = text.substr(i, triple ? 3 : 1);
            i += close.size();
            for (; i < text.size() && text.substr(i, close.size()) != close; ++i) {
                if (c == '"' && text[i] == '\\') ++i;
                if (i < text.size() && text[i] == '\n') {
                    ++line;
                    // A one-line string ends with its line, or the text is wrong anyway.
                    if (!triple) break;
                }
            }
            i += close.size() - 1;
        } else if (c == '[' || c == '{') {
            dots = 0;
            if (++brackets > max_brackets) return line;
        } else if (c == ']' || c == '}') {
            if (brackets > 0) --brackets;
            dots = 0;
        } else if (c == '=' || c == ',') {
            dots = 0;
        } else if (c == '.') {
            if (++dots > max_dots) return line;
        }
    }
    return 0;
}

Phrase what_it_is(const toml::node& node) {
    if (node.is_table()) return "is a table";
    if (node.is_array()) return "is a nested or mixed list";
    if (node.is_date()) return "is a date";
    if (node.is_time()) return "is a time";
    if (node.is_date_time()) return "is a date and time";
    return "is of no known type";
}

template <typename Item>
std::vector<Item> items_of(const toml::array& array) {
    std::vector<Item> items;
    items.reserve(array.size());
    for (const auto& item : array) items.push_back(*item.value<Item>());
    return items;
}

/// A string, or a date as TOML writes it without quotes; nothing for another node.
std::optional<std::string> date_text(const toml::node& node) {
    if (const auto* text = node.as_string()) return text->get();
    std::ostringstream text;
    if (const auto* date = node.as_date())
        text << date->get();
    else if (const auto* time = node.as_date_time())
        text << time->get();
    if (text.str().empty()) return std::nullopt;
    return text.str();
}

/// `[train, val, test]` or `[date, date]`; nothing for another list.
std::optional<SplitSetting> split_of(const toml::array& array) {
    const auto all = [&](auto test) { return std::all_of(array.begin(), array.end(), test); };
    SplitSetting split;
    if (array.size() == 3 && all([](const toml::node& item) { return item.is_number(); })) {
        const bool rows = all([](const toml::node& item) { return item.is_integer(); });
        split.rule = rows ? "rows" : "fractions";
        for (std::size_t i = 0; i < 3; ++i)
            if (rows)
                split.rows.at(i) = *array[i].value<std::int64_t>();
            else
                split.fractions.at(i) = *array[i].value<double>();
        return split;
    }
    if (array.size() != 2 || !all([](const toml::node& item) { return date_text(item).has_value(); }))
        return std::nullopt;
    split.rule = "dates";
    for (std::size_t i = 0; i < 2; ++i) split.dates.at(i) = *date_text(array[i]);
    return split;
}

Value text_value(const OptionSpec& option, const std::string& text) {
    if (option.type == OptionType::split) return SplitSetting{text};
    if (option.limits.zero_is_auto && text == "auto") return std::int64_t{0};
    return text;
}

/// The node as a Value of its own type, shaped by what the option needs where TOML leaves that open.
std::optional<Value> value_of(const OptionSpec& option, const toml::node& node) {
    if (const auto* integer = node.as_integer()) return Value(integer->get());
    if (const auto* number = node.as_floating_point()) return Value(number->get());
    if (const auto* boolean = node.as_boolean()) return Value(boolean->get());
    if (const auto* text = node.as_string()) return text_value(option, text->get());
    const auto* array = node.as_array();
    if (array == nullptr) return std::nullopt;
    if (option.type == OptionType::split)
        if (auto split = split_of(*array)) return Value(*std::move(split));
    const auto all = [&](auto test) { return std::all_of(array->begin(), array->end(), test); };
    const bool no_strings = option.type != OptionType::strings || !array->empty();
    if (no_strings && all([](const toml::node& item) { return item.is_number(); }))
        return Value(items_of<double>(*array));
    if (all([](const toml::node& item) { return item.is_string(); }))
        return Value(items_of<std::string>(*array));
    return std::nullopt;
}

/// `path` as seen from `base_folder` (empty or relative: from the working folder). The working folder may be
/// gone while the program runs, so it is determined only for relative paths; throws an input Error if that
/// fails.
std::string whole_path(const std::filesystem::path& base_folder, const std::string& path) {
    const auto joined = base_folder / path;
    if (joined.is_absolute()) return joined.lexically_normal().string();
    std::error_code code;
    const auto here = std::filesystem::current_path(code);
    if (code)
        throw input_error(
            in_quotes(abbreviated(path, 80)),
            Phrase("this path is relative, and the folder the program was started in is gone (%1)",
                   code.message()),
            {}, "Give the whole path, beginning with /.");
    return (here / joined).lexically_normal().string();
}

/// Throws what whole_path() throws.
Value resolved(const OptionSpec& option, Value value, const std::filesystem::path& base_folder) {
    if (option.limits.is_program) {
        auto& text = std::get<std::string>(value);
        const char* home = std::getenv("HOME");
        if (text.starts_with("~/") && home != nullptr) text = home + text.substr(1);
        if (text.find('/') != std::string::npos) text = whole_path(base_folder, text);
        return value;
    }
    if (!option.limits.is_path) return in_own_type(option, std::move(value));
    auto& text = std::get<std::string>(value);
    const bool word = std::any_of(
        option.limits.words.begin(), option.limits.words.end(),
        [&](const auto& known) { return known.back() == ':' ? text.rfind(known, 0) == 0 : text == known; });
    if (!text.empty() && !word) text = whole_path(base_folder, text);
    return value;
}

class Reader {
public:
    Reader(std::string where, std::filesystem::path base_folder, Problems& problems)
        : where_(std::move(where)), base_folder_(std::move(base_folder)), problems_(problems) {}

    Document read(const toml::table& root) {
        table(root, {});
        const auto by_place = [](const auto& a, const auto& b) { return a.first < b.first; };
        std::stable_sort(given_.begin(), given_.end(), by_place);
        std::stable_sort(axes_.begin(), axes_.end(), by_place);
        std::stable_sort(scheduler_.begin(), scheduler_.end(), by_place);
        Document document;
        for (auto& [place, assignment] : given_) document.given.push_back(std::move(assignment));
        for (auto& [place, axis] : axes_) document.axes.push_back(std::move(axis));
        document.cases = std::move(cases_);
        for (auto& [place, assignment] : scheduler_) document.scheduler.push_back(std::move(assignment));
        return document;
    }

    /// One value for one key; empty where something is wrong with it (which is then noted).
    std::optional<Value> value(const OptionSpec& option, const toml::node& node, const std::string& where) {
        const auto found = value_of(option, node);
        if (!found) {
            problems_.add(where, option.key + " " + what_it_is(node), expected_text(option));
            return std::nullopt;
        }
        return checked(option, *found, where);
    }

    /// All entries as one value; nothing if one is wrong.
    std::optional<Value> whole_table(const OptionSpec& option, const toml::table& node,
                                     const std::string& where) {
        Given given;
        assign_entries(given, option, node, where);
        Config config;
        option.assign(config, OptionTable());
        for (const auto& [place, assignment] : given)
            find_option(assignment.key)->assign(config, assignment.value);
        return checked(option, option.get(config), where);
    }

    std::optional<Value> checked(const OptionSpec& option, const Value& found, const std::string& where) {
        if (const auto problem = problem_with(option, found); !problem.empty()) {
            problems_.add(where, option.key + " = " + abbreviated(to_toml(found), 80) + " " + problem,
                          expected_text(option));
            return std::nullopt;
        }
        try {
            return resolved(option, found, base_folder_);
        } catch (const Error& error) {
            const auto& parts = error.parts();
            problems_.add(where, option.key + " = " + parts.where + ": " + parts.found, parts.expected,
                          parts.advice);
            return std::nullopt;
        }
    }

    std::optional<Axis> axis(const std::string& path, const toml::node& node, const std::string& where) {
        const auto* option = find_option(path);
        if (option == nullptr) {
            unknown(path, where, "a key that --list-options shows, or preset");
            return std::nullopt;
        }
        if (option->key == "name") {
            problems_.add(where, "sweep.name: the name of the experiment cannot be swept", "another key",
                          "Give each run a different setting instead.");
            return std::nullopt;
        }
        const auto* list = node.as_array();
        if (list == nullptr || list->empty()) {
            problems_.add(where,
                          list == nullptr ? Phrase("sweep.%1 is no list", option->key)
                                          : Phrase("sweep.%1 is an empty list", option->key),
                          Phrase("a list of values, each %1", expected_text(*option)));
            return std::nullopt;
        }
        Axis axis{option->key, {}, where};
        for (const auto& item : *list) {
            const auto place = where.rfind("--set", 0) == 0 ? where : position(where_, item.source());
            const auto raw = value_of(*option, item);
            auto good = value(*option, item, place);
            if (good) axis.points.push_back({std::move(*good), plain_text(*raw)});
        }
        if (axis.points.size() < list->size()) return std::nullopt;
        return axis;
    }

    void unknown(const std::string& path, const std::string& where,
                 const Phrase& expected = "a key that --list-options shows") {
        const bool of_scheduler = is_scheduler_key(path);
        const auto near = of_scheduler ? nearest_scheduler_key(path) : nearest_key(path);
        problems_.add(
            where, Phrase("unknown key %1", shown_key(path)),
            of_scheduler ? "a key of [scheduler] that --help shows" : expected,
            near.empty() ? Phrase("Correct or remove it.") : Phrase("Nearest valid key: %1.", near));
    }

private:
    using Place = std::pair<toml::source_index, toml::source_index>;
    using Given = std::vector<std::pair<Place, Assignment>>;

    static Place place(const toml::node& node) {
        return {node.source().begin.line, node.source().begin.column};
    }

    void table(const toml::table& entries, const std::string& section) {
        for (const auto& [key, node] : entries) {
            const std::string name(key.str());
            const auto path = section.empty() ? name : section + "." + name;
            const auto where = position(where_, key.source());
            if (path == "sweep")
                sweep_table(node, where);
            else if (const auto* option = find_option(path))
                assign(given_, *option, node, where);
            else if (const auto* of_scheduler = find_scheduler_option(path))
                assign(scheduler_, *of_scheduler, node, where);
            else if (is_section(path) || path == scheduler_table)
                section_table(path, node, where);
            else if (section.empty() && node.is_table())
                unknown_table(name, where);
            else
                unknown(path, where);
        }
    }

    void assign(Given& given, const OptionSpec& option, const toml::node& node, const std::string& where) {
        if (option.type == OptionType::table || (option.type == OptionType::any && node.is_table()))
            return assign_entries(given, option, node, where);
        // "loss.lambda_cov" quoted at the top and lambda_cov under [loss] are two keys for TOML, one for us.
        for (const auto& [earlier, assignment] : given)
            if (assignment.key == option.key) {
                problems_.add(where, Phrase("%1 is given twice (also in %2)", option.key, assignment.where),
                              "one value", "Remove one of the two.");
                return;
            }
        if (auto good = value(option, node, where))
            given.push_back({place(node), {option.key, std::move(*good), where}});
    }

    void assign_entries(Given& given, const OptionSpec& table, const toml::node& node,
                        const std::string& where) {
        const auto* entries = node.as_table();
        if (entries == nullptr)
            return problems_.add(where, Phrase("%1 is a value", shown_key(table.key)), expected_text(table));
        for (const auto& [key, value] : *entries) {
            const auto path = table.key + "." + std::string(key.str());
            if (const auto* entry = find_option(path))
                assign(given, *entry, value, position(where_, key.source()));
            else
                problems_.add(position(where_, key.source()), Phrase("unknown key %1", shown_key(path)),
                              "a name of letters, digits, '_' and '-'", "Rename it.");
        }
    }

    void section_table(const std::string& name, const toml::node& node, const std::string& where) {
        if (const auto* inner = node.as_table())
            table(*inner, name);
        else
            problems_.add(where, Phrase("%1 is a value", shown_key(name)),
                          Phrase("a table [%1] with its keys", name));
    }

    void unknown_table(const std::string& name, const std::string& where) {
        auto names = sections();
        std::erase(names, imported_model);  // no model to choose
        names.emplace_back("sweep");
        names.emplace_back(scheduler_table);
        const auto near = nearest(name, names);
        problems_.add(
            where, Phrase("unknown table [%1]", shown_key(name)), either(names),
            near.empty() ? Phrase("Correct or remove it.") : Phrase("Nearest valid table: [%1].", near));
    }

    void sweep_table(const toml::node& node, const std::string& where) {
        if (const auto* entries = node.as_table())
            sweep(*entries, {});
        else
            problems_.add(where, "sweep is a value", "a table [sweep] of keys with lists of values");
    }

    void sweep(const toml::table& entries, const std::string& prefix) {
        for (const auto& [key, node] : entries) {
            const auto path = prefix.empty() ? std::string(key.str()) : prefix + "." + std::string(key.str());
            const auto* inner = node.as_table();
            const auto* option = find_option(path);
            if (inner != nullptr && path != "case" &&
                (option == nullptr || option->type == OptionType::table || option->type == OptionType::any)) {
                sweep(*inner, path);
                continue;
            }
            const auto where = position(where_, key.source());
            if (path == "case") {
                read_cases(node, where);
                continue;
            }
            auto found = axis(path, node, where);
            if (!found) continue;
            const auto twice = std::find_if(axes_.begin(), axes_.end(), [&](const auto& other) {
                return other.second.key == found->key;
            });
            if (twice != axes_.end())
                problems_.add(where,
                              Phrase("sweep.%1 is given twice (also in %2)", path, twice->second.where),
                              "one list", "Remove one of the two.");
            else
                axes_.push_back({place(node), std::move(*found)});
        }
    }

    void read_cases(const toml::node& node, const std::string& where) {
        const auto* list = node.as_array();
        const auto is_table = [](const toml::node& item) { return item.is_table(); };
        if (list == nullptr || list->empty() || !std::all_of(list->begin(), list->end(), is_table)) {
            problems_.add(where, "sweep.case is not a list of tables",
                          "one table [[sweep.case]] for each case",
                          "Write [[sweep.case]] above the label and the settings of each case.");
            return;
        }
        for (const auto& item : *list) read_case(*item.as_table());
    }

    void read_case(const toml::table& entries) {
        Case found{{}, {}, position(where_, entries.source())};
        bool good = true;
        if (const auto* label = entries.get("label"); label != nullptr) {
            if (const auto text = label->value<std::string>(); label->is_string() && text) {
                found.label = *text;
            } else {
                problems_.add(position(where_, label->source()), "the label of a case is not a string",
                              "label = \"...\"", "Put the label in quotes.");
                good = false;
            }
        }
        Given given;
        case_settings(entries, {}, given);
        if (!good) return;
        std::stable_sort(given.begin(), given.end(),
                         [](const auto& a, const auto& b) { return a.first < b.first; });
        for (auto& [place, assignment] : given) found.given.push_back(std::move(assignment));
        cases_.push_back(std::move(found));
    }

    void case_settings(const toml::table& entries, const std::string& prefix, Given& given) {
        for (const auto& [key, node] : entries) {
            const auto path = prefix.empty() ? std::string(key.str()) : prefix + "." + std::string(key.str());
            const auto where = position(where_, key.source());
            const auto* option = find_option(path);
            if (path == "label") continue;
            if (path == "name")
                problems_.add(where, "name: the name of the experiment cannot be in a case", "another key",
                              "Use label to name the case.");
            else if (option != nullptr)
                assign(given, *option, node, where);
            else if (const auto* inner = node.as_table())
                case_settings(*inner, path, given);
            else
                unknown(path, where, "label, or a key that --list-options shows");
        }
    }

    static const std::vector<std::string>& sections() {
        static const auto names = [] {
            std::vector<std::string> found;
            for (const auto& option : options())
                if (!option.section.empty() && (found.empty() || found.back() != option.section))
                    found.push_back(option.section);
            return found;
        }();
        return names;
    }

    static bool is_section(const std::string& name) {
        return std::find(sections().begin(), sections().end(), name) != sections().end();
    }

    std::string where_;
    std::filesystem::path base_folder_;
    Problems& problems_;
    Given given_;
    std::vector<std::pair<Place, Axis>> axes_;
    std::vector<Case> cases_;
    Given scheduler_;
};

/// The value of a --set argument as a separate node; nothing if it is not a TOML value.
std::optional<toml::table> parsed_value(const std::string& text) {
    if (line_too_deep(text) != 0) return std::nullopt;
    try {
        auto table = toml::parse("v = " + text + "\n");
        // A line break in the value could smuggle in further keys.
        if (table.size() == 1 && table.contains("v")) return table;
    } catch (const toml::parse_error&) {  // what it means depends on the option
    }
    return std::nullopt;
}

/// toml++ says "Error while parsing X: expected A, saw B", or what it did not like.
void add_syntax_problem(const std::string& where, const std::string& words, Problems& problems) {
    const auto says = [&](const char* part) { return words.find(part) != std::string::npos; };
    const std::string mark = ": expected ";
    const std::string saw = ", saw ";
    const auto middle = words.find(mark);
    const auto last = words.rfind(saw);
    auto found = words;
    Phrase expected = "valid TOML";
    if (middle != std::string::npos && last != std::string::npos && last > middle) {
        found = words.substr(0, middle) + ": saw " + words.substr(last + saw.size());
        expected = words.substr(middle + mark.size(), last - middle - mark.size());
    }
    Phrase advice = "Correct this line: settings are key = value, strings are in quotes, tables in [ ].";
    if (says("cannot redefine")) {
        expected = "each key and table once";
        advice = "Remove one of the two.";
    } else if (says("not representable") || says("could not be interpreted")) {
        expected = "a number of at most 64 bits";
        advice = says("not representable") ? "Write a smaller number on this line."
                                           : "Write another number on this line.";
    } else if (says("control character") || says("saw '\\u00")) {
        expected = "text";
        advice = "Correct this line with a text editor, or name another file.";
    }
    problems.add(where, Phrase("TOML syntax: %1", found), expected, advice);
}

struct PlainWriter {
    std::string operator()(std::int64_t integer) const { return std::to_string(integer); }
    std::string operator()(double number) const { return shortest(number); }
    std::string operator()(bool boolean) const { return boolean ? "true" : "false"; }
    std::string operator()(const std::string& text) const { return text; }
    template <class Item>
    std::string operator()(const std::vector<Item>& items) const {
        std::string text;
        for (const auto& item : items) text += (text.empty() ? "" : "-") + (*this)(item);
        return text;
    }
    std::string operator()(const SplitSetting& split) const {
        if (split.rule == "dates") return split.dates[0] + "-" + split.dates[1];
        if (split.rule == "fractions")
            return (*this)(std::vector<double>(split.fractions.begin(), split.fractions.end()));
        if (split.rule != "rows") return split.rule;
        return (*this)(std::vector<std::int64_t>(split.rows.begin(), split.rows.end()));
    }
    std::string operator()(const OptionTable& table) const {
        std::string text;
        for (const auto& [name, value] : table)
            text += (text.empty() ? "" : "-") + name + "-" + std::visit(*this, value);
        return text;
    }
};

}  // namespace

std::string plain_text(const Value& value) { return std::visit(PlainWriter{}, value); }

void Problems::add(std::string where, Phrase found, Phrase expected, Phrase advice) {
    list_.push_back({std::move(where), std::move(found), std::move(expected), std::move(advice)});
}

void Problems::advise() {
    for (auto& problem : list_) {
        if (!problem.advice.empty()) continue;
        const auto found = problem.found.english();
        const bool is_set = problem.where.english().starts_with("--set");
        auto key = found.substr(0, found.find(' '));
        if (find_option(key.starts_with("sweep.") ? key.substr(6) : key) == nullptr) key = "it";
        problem.advice = !is_set ? Phrase("Change %1 on this line.", key)
                         : found.find(" is a list of ") != std::string::npos
                             ? Phrase("Several values are a sweep: --set sweep.%1=[...].", key)
                             : Phrase("Give %1 another value with --set.", key);
    }
}

void Problems::raise(const std::string& where) const {
    if (list_.empty()) return;
    if (list_.size() == 1) throw Error(ErrorKind::input, list_.front());
    Phrase text = Phrase("%1 problems", list_.size());
    for (std::size_t i = 0; i < list_.size() && i < max_problems; ++i)
        text += Phrase("\n  ") + Error(ErrorKind::input, list_[i]).phrase();
    if (list_.size() > max_problems) text += Phrase("\n  and %1 more.", list_.size() - max_problems);
    throw input_error(where, text);
}

Document read_document(std::string_view text, const std::string& where,
                       const std::filesystem::path& base_folder, Problems& problems) {
    if (text.size() > max_bytes) {
        problems.add(where, Phrase("has %1 bytes", text.size()), "an experiment file of at most 4 MiB",
                     "Is this the right file? Check the path.");
        return {};
    }
    if (const auto line = line_too_deep(text); line != 0) {
        problems.add(where + ":" + std::to_string(line), "tables or lists are nested too deep",
                     "keys of two or three parts",
                     "Write one setting a line, as key = value below its [table].");
        return {};
    }
    try {
        const auto root = toml::parse(text);
        return Reader(where, base_folder, problems).read(root);
    } catch (const toml::parse_error& error) {
        add_syntax_problem(position(where, error.source()), std::string(error.description()), problems);
    }
    return {};
}

Document read_set(const std::string& argument, Problems& problems) {
    const std::string flag = "--set";
    const std::string example = "Write it like --set train.epochs=3.";
    const auto equals = argument.find('=');
    if (!is_utf8(argument) || argument.find('\0') != std::string::npos) {
        problems.add(flag, "an argument is not UTF-8 text", "KEY=VALUE", example);
        return {};
    }
    if (equals == std::string::npos) {
        problems.add(flag + " " + abbreviated(argument, 80), "there is no '='", "KEY=VALUE", example);
        return {};
    }
    auto path = argument.substr(0, equals);
    path.erase(std::remove_if(path.begin(), path.end(),
                              [](char c) { return c == '"' || c == '\'' || c == ' ' || c == '\t'; }),
               path.end());
    const auto text = argument.substr(equals + 1);
    const auto where = flag + " " + shown_key(path);
    Reader reader(where, {}, problems);  // relative to the working folder
    const auto parsed = parsed_value(text);
    const std::string sweep = "sweep.";
    Document document;
    if (path.rfind(sweep, 0) == 0) {
        if (path == "sweep.case")
            problems.add(where, "cases cannot be given here", "sweep.KEY=[...]",
                         "Write [[sweep.case]] in the experiment file.");
        else if (!parsed)
            problems.add(where, Phrase("%1 is no TOML value", in_quotes(abbreviated(text, 80))),
                         "a list of values");
        else if (auto axis = reader.axis(path.substr(sweep.size()), *parsed->get("v"), where))
            document.axes.push_back(std::move(*axis));
        return document;
    }
    const auto* option = is_scheduler_key(path) ? find_scheduler_option(path) : find_option(path);
    if (option == nullptr) {
        reader.unknown(path, where);
        return document;
    }
    std::optional<Value> value;
    if (option->type == OptionType::string && !(parsed && parsed->get("v")->is_string()))
        value = reader.checked(*option, text, where);
    else if (const auto* table = parsed ? parsed->get_as<toml::table>("v") : nullptr;
             table != nullptr && option->type == OptionType::table)
        value = reader.whole_table(*option, *table, where);
    else if (parsed)
        value = reader.value(*option, *parsed->get("v"), where);
    else if (option->type == OptionType::any && is_almost_value(text))
        problems.add(where, Phrase("%1 = %2 is no TOML value", option->key, abbreviated(text, 80)),
                     "true, false, a number such as 0.5, or text in quotes");
    else if (option->type == OptionType::split || option->type == OptionType::any ||
             option->limits.zero_is_auto)
        value = reader.checked(*option, text_value(*option, text), where);
    else
        problems.add(where, Phrase("%1 = %2 is no TOML value", option->key, abbreviated(text, 80)),
                     expected_text(*option));
    auto& given = is_scheduler_key(path) ? document.scheduler : document.given;
    if (value) given.push_back({option->key, std::move(*value), where});
    return document;
}

}  // namespace casp::config

#include "data/catalog.h"

#include <toml++/toml.h>
#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <stdexcept>

#include "config/text_utils.h"
#include "data/time_text.h"
#include "util/embedded.h"
#include "util/error.h"

namespace casp::data {

namespace {

std::string place(const std::string& where, const toml::node& node) {
    return where + ", line " + std::to_string(node.source().begin.line);
}

std::string text_of(const toml::node& node, const std::string& key, const std::string& where) {
    const auto* text = node.as_string();
    if (text == nullptr) throw input_error(place(where, node), key + " is not a text", "a text in quotes");
    return text->get();
}

std::int64_t whole_number(const toml::node& node, const std::string& key, const std::string& where) {
    const auto* number = node.as_integer();
    if (number == nullptr || number->get() < 0)
        throw input_error(place(where, node), key + " is not a number of rows, channels, bytes or seconds",
                          "a whole number");
    return number->get();
}

std::string digest_of(const toml::node& node, const std::string& key, const std::string& where) {
    std::string text = text_of(node, key, where);
    if (text.size() != 64 || text.find_first_not_of("0123456789abcdef") != std::string::npos)
        throw input_error(place(where, node), key + " = \"" + text + "\"",
                          "64 lower-case hexadecimal digits");
    return text;
}

void check_choice(const std::string& value, const std::vector<std::string>& choices, const std::string& key,
                  const std::string& where) {
    if (std::find(choices.begin(), choices.end(), value) == choices.end())
        throw input_error(where, key + " = \"" + value + "\" is unknown", {},
                          "The nearest is \"" + config::nearest_name(value, choices) + "\".");
}

template <class T>
std::vector<T> list_of(const toml::node& node, const std::string& key, const std::string& where) {
    std::vector<T> values;
    if (const auto* list = node.as_array())
        for (const auto& item : *list)
            if (const auto value = item.value<T>()) values.push_back(*value);
    if (node.as_array() == nullptr || values.size() != node.as_array()->size())
        throw input_error(place(where, node), key + " is not a list of values of one type");
    return values;
}

double time_in(const toml::node& node, const std::string& key, const std::string& where) {
    TimeText time;
    if (!read_time(text_of(node, key, where), time) || !time.year_first)
        throw input_error(place(where, node), key + " is not a time", "\"2016-07-01 00:00:00\"");
    return seconds_since_1970(time, false);
}

Fingerprint read_fingerprint(const toml::node& content, const std::string& where) {
    const auto* table = content.as_table();
    if (table == nullptr)
        throw input_error(place(where, content), "content is not a table", "[entry.content]");
    Fingerprint f;
    for (const auto& [toml_key, node] : *table) {
        const std::string key(toml_key.str());
        if (key == "channels")
            f.channels = list_of<std::string>(node, key, where);
        else if (key == "first")
            f.first = time_in(node, key, where);
        else if (key == "last")
            f.last = time_in(node, key, where);
        else if (key == "first_row")
            f.first_row = list_of<double>(node, key, where);
        else if (key == "last_row")
            f.last_row = list_of<double>(node, key, where);
        else if (key == "decimals")
            f.decimals = list_of<std::int64_t>(node, key, where);
        else if (key == "sums")
            f.sums = list_of<std::int64_t>(node, key, where);
        else if (key == "values")
            f.values = digest_of(node, key, where);
        else if (key == "line_ending")
            f.line_ending = text_of(node, key, where);
        else
            throw input_error(place(where, node), "unknown key \"" + key + "\"");
    }
    const auto channels = f.channels.size();
    const auto has = [&](const auto& list, bool all) {
        return list.size() == channels || (!all && !list.empty() && list.size() < channels);
    };
    const bool whole = !f.values.empty();
    if (channels == 0 || !has(f.first_row, false) || f.first_row.size() != f.last_row.size() ||
        (whole ? !has(f.decimals, true) || !has(f.sums, true) : !f.decimals.empty() || !f.sums.empty()))
        throw input_error(place(where, content), "the lists of the content have different lengths", {},
                          "datasets/fingerprint.py prints them.");
    return f;
}

TableSize read_size(const toml::table& table, const std::string& where) {
    TableSize size;
    for (const auto& [toml_key, node] : table) {
        const std::string key(toml_key.str());
        if (key == "name")
            size.name = text_of(node, key, where);
        else if (key == "rows")
            size.rows = whole_number(node, key, where);
        else if (key == "channels")
            size.channels = whole_number(node, key, where);
        else if (key == "step_seconds")
            size.step_seconds = static_cast<double>(whole_number(node, key, where));
        else if (key == "split")
            size.split = text_of(node, key, where);
        else
            throw input_error(place(where, node), "unknown key \"" + key + "\"");
    }
    if (size.name.empty() || size.rows == 0 || size.channels == 0)
        throw input_error(place(where, table), "the size has no name, rows or channels");
    return size;
}

/// Calls use() for each [[NAME]] table of the file, which may have those of `names` only.
template <class Use>
void each_table(std::string_view text, const std::string& where, std::string_view name, const Use& use) {
    try {
        const toml::table root = toml::parse(text, where);
        for (const auto& [key, node] : root) {
            const auto* list = node.as_array();
            if ((key.str() != "entry" && key.str() != "size") || list == nullptr)
                throw input_error(place(where, node), "unknown key \"" + std::string(key.str()) + "\"",
                                  "[[entry]] or [[size]]");
            for (const auto& item : *list) {
                const auto* table = item.as_table();
                if (table == nullptr)
                    throw input_error(place(where, item), "an entry is not a table", "[[entry]]");
                if (key.str() == name) use(*table);
            }
        }
    } catch (const toml::parse_error& error) {
        std::ostringstream line;
        line << where << ", line " << error.source().begin.line;
        throw input_error(line.str(), std::string(error.description()));
    }
}

CatalogEntry read_entry(const toml::table& table, const std::string& where) {
    CatalogEntry e;
    const std::string line = where + ", line " + std::to_string(table.source().begin.line);
    for (const auto& [toml_key, node] : table) {
        const std::string key(toml_key.str());
        if (key == "name")
            e.name = text_of(node, key, where);
        else if (key == "kind")
            e.kind = text_of(node, key, where);
        else if (key == "file")
            e.file = text_of(node, key, where);
        else if (key == "title")
            e.title = text_of(node, key, where);
        else if (key == "split")
            e.split = text_of(node, key, where);
        else if (key == "batching")
            e.batching = text_of(node, key, where);
        else if (key == "missing")
            e.missing = text_of(node, key, where);
        else if (key == "step_seconds")
            e.step_seconds = static_cast<double>(whole_number(node, key, where));
        else if (key == "channels")
            e.channels = whole_number(node, key, where);
        else if (key == "rows")
            e.rows = whole_number(node, key, where);
        else if (key == "bytes")
            e.bytes = whole_number(node, key, where);
        else if (key == "about_bytes")
            e.about_bytes = whole_number(node, key, where);
        else if (key == "home")
            e.home = text_of(node, key, where);
        else if (key == "sha256")
            e.sha256 = digest_of(node, key, where);
        else if (key == "with")
            e.with = text_of(node, key, where);
        else if (key == "licence")
            e.licence = text_of(node, key, where);
        else if (key == "note")
            e.note = text_of(node, key, where);
        else if (key == "content")
            e.content = read_fingerprint(node, where);
        else if (key == "address") {
            const auto* list = node.as_array();
            if (list == nullptr)
                throw input_error(place(where, node), "address is not a list", "a list of addresses");
            for (const auto& item : *list) e.address.push_back(text_of(item, key, where));
        } else {
            throw input_error(place(where, node), "unknown key \"" + key + "\"");
        }
    }
    for (const auto& [key, value] : {std::pair<const char*, const std::string*>{"name", &e.name},
                                     {"kind", &e.kind},
                                     {"file", &e.file},
                                     {"home", &e.home},
                                     {"licence", &e.licence}})
        if (value->empty()) throw input_error(line, std::string("the entry has no ") + key);
    check_choice(e.kind, {"csv", "series", "series-test", "backbone", "vocabulary"}, "kind", line);
    if (e.kind == "csv") {
        check_choice(e.split, {"ett-hourly", "ett-minutely", "ratio"}, "split", line);
        if (!e.batching.empty())
            check_choice(e.batching, {"multi-channel", "single-channel"}, "batching", line);
        if (!e.missing.empty())
            check_choice(e.missing, {"error", "drop-column", "interpolate", "keep"}, "missing", line);
    }
    return e;
}

constexpr std::string_view prefix = "catalog:";
constexpr const char* catalog_file = "datasets/catalog.toml";

}  // namespace

std::filesystem::path cache_folder() {
    // The XDG specification requires a relative XDG_CACHE_HOME to be ignored.
    if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache != nullptr && cache[0] == '/') return cache;
    if (const char* home = std::getenv("HOME"); home != nullptr && home[0] != '\0')
        return std::filesystem::path(home) / ".cache";
    throw input_error("XDG_CACHE_HOME", "neither it nor HOME is set", "a folder for downloaded files");
}

std::vector<CatalogEntry> parse_catalog(std::string_view text, const std::string& where) {
    std::vector<CatalogEntry> entries;
    each_table(text, where, "entry", [&](const toml::table& table) {
        entries.push_back(read_entry(table, where));
        for (std::size_t i = 0; i + 1 < entries.size(); ++i)
            if (config::same_name(entries[i].name, entries.back().name))
                throw input_error(place(where, table), "\"" + entries.back().name + "\" occurs twice");
    });
    return entries;
}

std::vector<TableSize> parse_sizes(std::string_view text, const std::string& where) {
    std::vector<TableSize> sizes;
    each_table(text, where, "size",
               [&](const toml::table& table) { sizes.push_back(read_size(table, where)); });
    return sizes;
}

bool is_data_set(const CatalogEntry& entry) { return entry.kind == "csv" || entry.kind == "series"; }

const std::vector<CatalogEntry>& catalog() {
    static const std::vector<CatalogEntry> entries = parse_catalog(embedded_file(catalog_file), catalog_file);
    return entries;
}

const std::vector<TableSize>& known_sizes() {
    static const std::vector<TableSize> sizes = parse_sizes(embedded_file(catalog_file), catalog_file);
    return sizes;
}

const CatalogEntry& catalog_entry(std::string_view name) {
    std::vector<std::string> names;
    for (const auto& entry : catalog()) {
        if (config::same_name(entry.name, name)) return entry;
        names.push_back(entry.name);
    }
    throw input_error("catalog:" + std::string(name), "there is no such entry in the catalogue", {},
                      "The nearest name is \"" + config::nearest_name(name, names) +
                          "\"; caspstudio --list-catalog shows all.");
}

const CatalogEntry* find_by_name(std::string_view name) {
    for (const auto& entry : catalog())
        if (entry.name == name) return &entry;
    return nullptr;
}

const CatalogEntry* find_by_digest(std::string_view sha256) {
    for (const auto& entry : catalog())
        if (!sha256.empty() && entry.sha256 == sha256) return &entry;
    return nullptr;
}

std::filesystem::path catalog_path(std::string_view name) {
    const CatalogEntry& entry = catalog_entry(name);
    const bool is_of_backbone = entry.kind == "backbone" || entry.kind == "vocabulary";
    return cache_folder() / "caspstudio" / (is_of_backbone ? "backbones" : "data") / entry.file;
}

std::filesystem::path resolve_data_path(const std::string& text) {
    if (text.compare(0, prefix.size(), prefix) != 0) return text;
    const CatalogEntry& entry = catalog_entry(std::string_view(text).substr(prefix.size()));
    if (!is_data_set(entry)) throw input_error(text, "this is a " + entry.kind, "a data set");
    auto path = catalog_path(entry.name);
    std::error_code error;
    if (std::filesystem::exists(path, error)) return path;
    throw input_error(text, "the file is not in the cache (" + path.string() + ")", {},
                      entry.address.empty() ? "It has no stable public address: get it from " + entry.home +
                                                  " and save it there."
                                            : "Fetch it with: caspstudio --fetch " + entry.name);
}

}  // namespace casp::data

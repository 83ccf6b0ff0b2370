#include "data/catalog.h"

#include <toml++/toml.h>
#include <cstdlib>
#include <utility>

#include "config/text_utils.h"
#include "data/time_text.h"
#include "util/embedded.h"
#include "util/error.h"

namespace casp::data {

namespace {

/// A table of the catalogue, by key. The file is part of the program: test_catalog checks what it holds.
class EntryReader {
public:
    explicit EntryReader(const toml::table& table) : table_(table) {}

    [[nodiscard]] std::string text(const char* key) const { return table_[key].value_or(std::string()); }
    [[nodiscard]] std::int64_t number(const char* key) const { return table_[key].value_or(std::int64_t{0}); }
    template <class Value>
    [[nodiscard]] std::vector<Value> list(const char* key) const {
        std::vector<Value> values;
        if (const auto* items = table_[key].as_array())
            for (const auto& item : *items) values.push_back(item.value_or(Value()));
        return values;
    }
    /// Seconds since 1970.
    [[nodiscard]] double time(const char* key) const {
        TimeText time;
        return read_time(text(key), time) ? seconds_since_1970(time, false) : 0;
    }

private:
    const toml::table& table_;
};

Fingerprint read_fingerprint(const EntryReader& content) {
    return {.channels = content.list<std::string>("channels"),
            .first = content.time("first"),
            .last = content.time("last"),
            .first_row = content.list<double>("first_row"),
            .last_row = content.list<double>("last_row"),
            .decimals = content.list<std::int64_t>("decimals"),
            .sums = content.list<std::int64_t>("sums"),
            .values = content.text("values")};
}

CatalogEntry read_entry(const toml::table& table) {
    const EntryReader entry(table);
    std::optional<Fingerprint> content;
    if (const auto* found = table["content"].as_table()) content = read_fingerprint(EntryReader(*found));
    return {.name = entry.text("name"),
            .kind = entry.text("kind"),
            .file = entry.text("file"),
            .title = entry.text("title"),
            .split = entry.text("split"),
            .batching = entry.text("batching"),
            .missing = entry.text("missing"),
            .step_seconds = static_cast<double>(entry.number("step_seconds")),
            .channels = entry.number("channels"),
            .rows = entry.number("rows"),
            .address = entry.list<std::string>("address"),
            .home = entry.text("home"),
            .sha256 = entry.text("sha256"),
            .content = std::move(content),
            .bytes = entry.number("bytes"),
            .about_bytes = entry.number("about_bytes"),
            .with = entry.text("with"),
            .licence = entry.text("licence"),
            .note = entry.text("note")};
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

std::vector<CatalogEntry> parse_catalog(std::string_view text, const char* tables) {
    std::vector<CatalogEntry> entries;
    const toml::table root = toml::parse(text);
    if (const auto* list = root[tables].as_array())
        for (const auto& item : *list) entries.push_back(read_entry(*item.as_table()));
    return entries;
}

bool is_data_set(const CatalogEntry& entry) { return entry.kind == "csv" || entry.kind == "series"; }

const std::vector<CatalogEntry>& catalog() {
    static const std::vector<CatalogEntry> entries = parse_catalog(embedded_file(catalog_file));
    return entries;
}

const std::vector<CatalogEntry>& known_sizes() {
    static const std::vector<CatalogEntry> sizes = parse_catalog(embedded_file(catalog_file), "size");
    return sizes;
}

const CatalogEntry& catalog_entry(std::string_view name) {
    std::vector<std::string> names;
    for (const auto& entry : catalog()) {
        if (config::same_name(entry.name, name)) return entry;
        names.push_back(entry.name);
    }
    throw input_error("catalog:" + std::string(name), "there is no such entry in the catalogue", {},
                      Phrase("The nearest name is \"%1\"; caspstudio --list-catalog shows all.",
                             config::nearest_name(name, names)));
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
    if (!is_data_set(entry)) throw input_error(text, Phrase("this is a %1", entry.kind), "a data set");
    auto path = catalog_path(entry.name);
    std::error_code error;
    if (std::filesystem::exists(path, error)) return path;
    throw input_error(
        text, Phrase("the file is not in the cache (%1)", path.string()), {},
        entry.address.empty()
            ? Phrase("It has no stable public address: get it from %1 and save it there.", entry.home)
            : Phrase("Fetch it with: caspstudio --fetch %1", entry.name));
}

}  // namespace casp::data

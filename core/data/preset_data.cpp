#include "data/preset_data.h"

#include "config/experiment.h"
#include "config/presets.h"
#include "data/csv_settings.h"
#include "data/describe.h"
#include "data/known_data.h"
#include "data/missing.h"
#include "data/prepared.h"
#include "data/reader.h"
#include "util/kept_values.h"
#include "util/phrase.h"

namespace casp::data {

namespace {

/// Data set of the preset; null: it names none.
const CatalogEntry* entry_of_preset(const std::string& preset) {
    const auto path = config::load_text(config::preset_text(preset), preset, {}).base.data.path;
    constexpr std::string_view prefix = "catalog:";
    return path.starts_with(prefix) ? &catalog_entry(path.substr(prefix.size())) : nullptr;
}

/// Whether rows, channels and time between rows, or the number of series, agree, as far as both sides know
/// them.
bool looks_like(const FileFacts& file, const CatalogEntry& entry) {
    if (file.series > 0 || entry.kind == "series") return entry.kind == "series" && entry.rows == file.series;
    const bool same_step =
        !file.step.is_known() || entry.step_seconds <= 0 || same_frequency(file.step, {entry.step_seconds});
    return same_step && (entry.rows == 0 || entry.rows == file.rows) &&
           (entry.channels == 0 || entry.channels == file.channels);
}

Phrase facts_text(std::int64_t rows, std::int64_t channels, const Step& step) {
    return step.is_known() ? Phrase("%1 at intervals of %2", size_text(rows, channels), frequency_name(step))
                           : Phrase(size_text(rows, channels));
}

Phrase facts_text(const FileFacts& file) {
    return file.series > 0 ? Phrase("%1 series", with_commas(file.series))
                           : Phrase(facts_text(file.rows, file.channels, file.step));
}

Phrase facts_text(const CatalogEntry& entry) {
    return entry.kind == "series" ? Phrase("%1 series", with_commas(entry.rows))
                                  : Phrase(facts_text(entry.rows, entry.channels, {entry.step_seconds}));
}

std::string names_alike(const FileFacts& file) {
    std::string names;
    for (const auto& entry : catalog())
        if (is_data_set(entry) && entry.rows > 0 && looks_like(file, entry))
            names += (names.empty() ? "" : " or ") + entry.name;
    return names;
}

FileFacts facts_read(const PreparedData& prepared) {
    auto facts = facts_of(*prepared.collection, prepared.entry);
    facts.sha256 = prepared.table.sha256;
    return facts;
}

FileFacts facts_read(const std::shared_ptr<const Table>& table) {
    auto facts = facts_of(*table, known_data(*table).entry);
    facts.sha256 = table->sha256;
    facts.time = std::make_shared<const std::vector<double>>(table->time);
    if (table->bytes() <= max_kept_bytes) facts.table = table;
    return facts;
}

std::int64_t facts_bytes(const FileFacts& facts) { return facts.table != nullptr ? facts.table->bytes() : 0; }

}  // namespace

FileFacts facts_of(const Table& table, const CatalogEntry* entry) {
    return {table.rows(), static_cast<std::int64_t>(table.columns.size()), table.step, entry};
}

FileFacts facts_of(const SeriesCollection& collection, const CatalogEntry* entry) {
    return {std::ssize(collection.values), 1, {}, entry, collection.size()};
}

FileFacts facts_of(const CatalogEntry& entry) {
    if (entry.kind == "series") return {entry.rows, 1, {}, &entry, entry.rows};
    return {entry.rows, entry.channels, {entry.step_seconds}, &entry};
}

FileFacts read_facts(const config::Config& config, const std::stop_token& stop) {
    // Longer than the tables: of a large file, every change of a setting asks for them.
    static KeptValues<DataSource, FileFacts> known(max_kept_bytes, facts_bytes);
    const auto path = resolve_data_path(config.data.path);
    const bool collection = has_collection(config);
    const auto source = DataSource::of(
        path, collection ? collection_options(config) : CollectionOptions{.csv = csv_options(config)});
    const auto read = [&](const ProgressFn&) {
        return collection ? facts_read(*prepare_data(config, {}, stop))
                          : facts_read(read_table(path, csv_options(config), {}, stop));
    };
    return *known.get(
        source, read,
        [&](const FileFacts& facts, auto begun) { return source.still_has(facts.sha256, begun); }, {}, stop);
}

void check_cells(const config::Config& config, const FileFacts& file) {
    if (file.table == nullptr) return;
    const auto used = apply_missing_policy(
        *file.table, {parse_missing_policy(config.data.missing), config.data.sentinels, config.data.columns},
        0);
    (void)find_targets(used, config);
}

Phrase preset_mismatch(const config::Config& config, const FileFacts& file) {
    if (config.preset.empty()) return {};
    const auto* expected = entry_of_preset(config.preset);
    if (expected == nullptr || file.entry == expected) return {};
    if (file.entry == nullptr && looks_like(file, *expected)) return {};
    auto text = Phrase("the preset %1 is for %2 (%3), but the file has %4", config.preset, expected->name,
                       facts_text(*expected), facts_text(file));
    if (file.entry != nullptr) return Phrase("%1 and is %2", text, file.entry->name);
    const auto alike = names_alike(file);
    return alike.empty() ? Phrase(text) : Phrase("%1; it looks like %2", text, alike);
}

}  // namespace casp::data

#include "data/catalog_rules.h"

#include "config/text_utils.h"
#include "data/catalog.h"

namespace casp::data {

namespace {

const CatalogEntry* entry_by_name(const std::string& path) {
    for (const auto& entry : catalog())
        if (config::same_name("catalog:" + entry.name, path)) return &entry;
    return nullptr;
}

}  // namespace

config::Config with_catalog_rules(config::Config config, std::string_view dataset_sha256,
                                  std::string_view dataset) {
    const auto* entry = find_by_digest(dataset_sha256);
    if (entry == nullptr) entry = entry_by_name(config.data.path);
    if (entry == nullptr) entry = find_by_name(dataset);
    if (entry == nullptr || entry->kind != "csv") return config;
    if (config.data.split.rule == "auto") config.data.split.rule = entry->split;
    if (config.data.batching == "auto" && !entry->batching.empty()) config.data.batching = entry->batching;
    return config;
}

bool needs_digest(const config::Config& config) {
    return (config.data.split.rule == "auto" || config.data.batching == "auto") &&
           entry_by_name(config.data.path) == nullptr;
}

}  // namespace casp::data

#include "batch/run_times.h"

#include <cstdint>
#include <exception>
#include <filesystem>
#include <string_view>

#include "data/catalog.h"
#include "run/preview.h"
#include "util/error.h"

namespace casp::batch {

namespace {

/// Of a data set of the catalogue that has not been fetched: as the catalogue knows it.
data::FileFacts facts_of_file(const config::Config& config, const std::stop_token& stop) {
    constexpr std::string_view prefix = "catalog:";
    const std::string_view path = config.data.path;
    if (path.starts_with(prefix) && !std::filesystem::exists(data::catalog_path(path.substr(prefix.size()))))
        return data::facts_of(data::catalog_entry(path.substr(prefix.size())));
    return data::read_facts(config, stop);
}

}  // namespace

evidence::RunTime RunTimes::of(const config::Config& config, const std::stop_token& stop) {
    try {
        const auto& file = known_facts(config, stop);
        const auto preview = run::preview(config, run::facts_for(config, file), run::measure_machine(config));
        return {preview.longest_seconds, {}};
    } catch (const Cancelled&) {
        throw;
    } catch (const std::exception& problem) {
        return {0, problem.what()};
    }
}

const data::FileFacts& RunTimes::known_facts(const config::Config& config, const std::stop_token& stop) {
    const std::pair key(config.data.path, config.data.frequency);
    auto found = files_.find(key);
    if (found == files_.end()) found = files_.emplace(key, facts_of_file(config, stop)).first;
    return found->second;
}

}  // namespace casp::batch

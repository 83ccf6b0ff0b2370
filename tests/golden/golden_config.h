#pragma once
// The configuration of the model that a golden file is of.

#include <string>

#include <nlohmann/json.hpp>

#include "config/options.h"

namespace casp::test {

/// `c`: the settings in the file, whose keys are those of the model's own section, [data], [backbone],
/// [model], [selection], [coverage] or [loss]; others are none of the model's. Without dropout.
inline config::Config golden_config(const nlohmann::json& c, const std::string& model) {
    config::Config config;
    config.model.name = model;
    config.backbone.path = "untrained";
    for (const auto& option : config::options())
        if (option.member.ends_with("dropout")) config::set(config, option.key, 0.0);
    const auto value_of = [](const nlohmann::json& json) -> config::Value {
        if (json.is_boolean()) return json.get<bool>();
        if (json.is_number_integer()) return json.get<std::int64_t>();
        if (json.is_number()) return json.get<double>();
        return json.get<std::string>();
    };
    for (const auto& [key, json] : c.items())
        for (const std::string& section :
             {model, std::string("data"), std::string("backbone"), std::string("model"),
              std::string("selection"), std::string("coverage"), std::string("loss")})
            if (const auto* option = config::find_option(section + "." + key);
                option != nullptr && json.is_primitive()) {
                config::set(config, option->key, value_of(json));
                break;
            }
    config.coverage.enabled = c.value("coverage_enabled", config.coverage.enabled);
    config.train.seed = c.value("seed", config.train.seed);
    return config;
}

}  // namespace casp::test

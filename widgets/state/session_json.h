#pragma once
// Corrections of reading and the selection as JSON, for sessions. Any thread.

#include <optional>

#include <QJsonObject>

#include "config/config.h"
#include "state/selection.h"

namespace casp::widgets {

/// The user's corrections as TOML of [data.csv]; detected options have no entry.
[[nodiscard]] QJsonObject to_json(const config::Config::DataCsv& corrections);
/// Nothing for another content, such as that of an earlier version.
[[nodiscard]] std::optional<config::Config::DataCsv> corrections_of(const QJsonObject& object);

[[nodiscard]] QJsonObject to_json(const SelectionState& state);
/// Invalid entries are ignored.
[[nodiscard]] SelectionState selection_of(const QJsonObject& object);

}  // namespace casp::widgets

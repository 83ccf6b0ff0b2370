#pragma once
// CSV options and the selection as JSON, for sessions. Any thread.

#include <optional>

#include <QJsonObject>

#include "data/csv_import.h"
#include "state/selection.h"

namespace casp::widgets {

/// The user's corrections as TOML of [data.csv]; detected options have no entry.
[[nodiscard]] QJsonObject to_json(const data::CsvOptions& options);
/// Nothing for another content, such as that of an earlier version.
[[nodiscard]] std::optional<data::CsvOptions> csv_options_of(const QJsonObject& object);

[[nodiscard]] QJsonObject to_json(const SelectionState& state);
/// Invalid entries are ignored.
[[nodiscard]] SelectionState selection_of(const QJsonObject& object);

}  // namespace casp::widgets

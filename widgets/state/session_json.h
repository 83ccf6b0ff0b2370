#pragma once
// What a session keeps of readings and of the selection, as JSON. Plain functions, any thread.

#include <QJsonObject>

#include "data/csv_import.h"
#include "state/selection.h"

namespace casp::widgets {

/// The corrections that the user made; what is left to the content has no entry.
[[nodiscard]] QJsonObject to_json(const data::CsvOptions& options);
/// Entries that are not understood are left to the content.
[[nodiscard]] data::CsvOptions csv_options_of(const QJsonObject& object);

[[nodiscard]] QJsonObject to_json(const SelectionState& state);
/// Entries that are not understood stay unselected.
[[nodiscard]] SelectionState selection_of(const QJsonObject& object);

}  // namespace casp::widgets
